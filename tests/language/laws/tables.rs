//! The tables of primitives and constructors say nothing that contradicts itself.

use std::collections::BTreeMap;

use redexter::ad::{AdError, dual};
use redexter::ground::Name;
use redexter::term::{
    ChildSpec, Derivative, Fixity, Formula, Head, Kind, KindSignature, MetaBindings, MetaSize, MetaType, Prim, Size,
    Slot, Term, Type,
};

/// A type of this form, at sizes and types that are as good as any.
fn any(ty: &MetaType) -> Type {
    let (real, int, size) = (Type::real(), Type::int(), Size::literal(3));
    let second = if holds_reals(ty) { &real } else { &int };
    let metas = MetaBindings { types: [Some(&real), Some(second)], sizes: [Some(&size); 2], literal: 0 };
    ty.known(&metas).expect("a type")
}

/// Whether a type has a part that must be made of reals.
fn holds_reals(ty: &MetaType) -> bool {
    match ty {
        MetaType::Reals(_) => true,
        MetaType::Array(_, a) => holds_reals(a),
        MetaType::Pair(a, b) | MetaType::Fun(a, b) => holds_reals(a) || holds_reals(b),
        MetaType::Var(_) | MetaType::Real | MetaType::Int | MetaType::Fin(_) => false,
    }
}

/// A primitive of variables with the types of its first overload.
fn applied(prim: Prim) -> Term {
    let types = prim.overloads()[0].operands();
    let operands = types.iter().enumerate().map(|(k, ty)| Term::var(k as u32, &any(ty))).collect();
    Term::prim(prim, operands).unwrap_or_else(|e| panic!("{prim:?}: {e}"))
}

#[test]
fn a_primitive_takes_one_number_of_operands() {
    for prim in Prim::ALL {
        let all = prim.overloads();
        assert!(all.iter().all(|overload| overload.operands().len() == prim.arity()), "{prim:?}");
        assert!((1..=2).contains(&prim.arity()), "{prim:?}");
        assert_eq!(*applied(*prim).ty(), any(all[0].result()), "{prim:?}");
        let unary = matches!(prim.fixity(), Fixity::Prefix(_)) || *prim == Prim::Offset(0);
        assert!(!unary || prim.arity() == 1, "{prim:?}");
    }
}

#[test]
fn words_and_operators_mean_one_primitive() {
    for prim in Prim::ALL.iter().filter(|prim| !matches!(prim, Prim::Offset(_) | Prim::Quot)) {
        let found = match prim.fixity() {
            Fixity::Infix(_) => Prim::infix(prim.text()),
            Fixity::Prefix(_) => continue,
            Fixity::Reserved => Prim::reserved(prim.text()),
            Fixity::Open => Prim::open(prim.text()),
        };
        assert_eq!(found, Some(*prim));
    }
    assert_eq!(Prim::infix(Prim::Quot.text()).map(Prim::on_integers), Some(Prim::Quot));
}

fn mentions_second(formula: &Formula) -> bool {
    match formula {
        Formula::Y | Formula::Dy => true,
        Formula::X | Formula::Dx | Formula::R | Formula::Number(_) => false,
        Formula::One(_, a) => mentions_second(a),
        Formula::Two(_, a, b) => mentions_second(a) || mentions_second(b),
        Formula::If(c, a, b) => [c, a, b].into_iter().any(|part| mentions_second(part)),
    }
}

#[test]
fn what_makes_reals_of_reals_has_a_derivative() {
    for prim in Prim::ALL {
        let term = applied(*prim);
        // Under λs, since D has nothing to say of constants.
        let types: BTreeMap<u32, Type> = term.free().map(|(index, free)| (index, free.ty.clone())).collect();
        let close = |body: Term, ty: &Type| Term::lam(&Name::new("x"), ty, body).expect("a λ");
        let closed = types.values().fold(term.clone(), close);
        let of_reals = prim.takes(0).any(|ty| *ty == MetaType::Real) && *term.ty() == Type::real();
        match (prim.derivative(), dual(&closed)) {
            (Derivative::Tangent(formula), Ok(_)) => {
                assert!(of_reals && (prim.arity() == 2 || !mentions_second(formula)), "{prim:?}");
            }
            (Derivative::Power, Ok(_)) => assert!(of_reals, "{prim:?}"),
            (Derivative::None, Ok(_)) => assert!(!of_reals, "{prim:?}"),
            (_, Err(why)) => {
                assert_eq!(*prim, Prim::Trigamma);
                assert_eq!(why, AdError::NotDifferentiable(*prim));
            }
        }
    }
}

/// One of each constructor, around anything.
fn constructors() -> Vec<Kind> {
    let (x, n, real) = (Name::new("x"), Size::literal(3), Type::real());
    let mut all = vec![Kind::Var, Kind::Lam(x.clone(), real.clone()), Kind::App, Kind::Let(x.clone()), Kind::If];
    all.extend([Kind::Ifold(n.clone()), Kind::Build(n.clone()), Kind::Array(real), Kind::Get, Kind::Pair, Kind::Fst]);
    all.extend([Kind::Snd, Kind::Real(1.0), Kind::Int(1), Kind::Fin(1, n.clone()), Kind::SizeVar(x.clone())]);
    all.extend([Kind::Within(n.clone()), Kind::Guard(x, n.clone())]);
    all.extend([Kind::Scan(n.clone()), Kind::Scanr(n.clone()), Kind::Scatter(n.clone(), n), Kind::Pull, Kind::Plus]);
    all.extend(Prim::ALL.iter().map(|prim| Kind::Prim(*prim)));
    let heads: Vec<Head> = Head::all().collect();
    assert_eq!(all.iter().map(Kind::head).collect::<Vec<Head>>(), heads, "each constructor once, in order");
    all
}

fn speaks_of_reals(ty: &MetaType) -> bool {
    match ty {
        MetaType::Real => true,
        MetaType::Var(_) | MetaType::Int | MetaType::Fin(_) => false,
        // D of it is one of its kind.
        MetaType::Reals(_) => false,
        MetaType::Array(_, a) => speaks_of_reals(a),
        MetaType::Pair(a, b) | MetaType::Fun(a, b) => speaks_of_reals(a) || speaks_of_reals(b),
    }
}

/// D goes part by part through what has its types from metavariables alone.
#[test]
fn no_constructor_but_constants_and_primitives_speaks_of_reals() {
    for kind in constructors() {
        let types: Vec<MetaType> = match kind.signature() {
            KindSignature::Listed(kids, ty) => kids.iter().map(|kid| kid.ty).chain([*ty]).collect(),
            KindSignature::Each(_, each, _, ty) => vec![*each, *ty],
            KindSignature::Primitive => continue,
        };
        assert_eq!(types.iter().any(speaks_of_reals), matches!(kind, Kind::Real(_)), "{kind:?}");
    }
}

#[test]
fn places_have_names_and_binders() {
    for kind in constructors() {
        let kids: &[ChildSpec] = match kind.signature() {
            KindSignature::Listed(kids, _) => kids,
            KindSignature::Each(..) | KindSignature::Primitive => &[],
        };
        for (k, kid) in kids.iter().enumerate() {
            assert_eq!((kind.binders(k) as usize, kind.repeats(k)), (kid.binds.len(), kid.repeated), "{kind:?}");
            assert_eq!((kind.slot(k), kind.kid_at(kid.slot, kids.len())), (kid.slot, Some(k)), "{kind:?}");
            let is_numbered = matches!(kid.slot, Slot::Operand(_));
            assert!(is_numbered || Slot::NAMED.iter().any(|(_, slot)| *slot == kid.slot), "{kind:?}");
        }
        assert_eq!(kind.binds(), kids.iter().any(|kid| !kid.binds.is_empty()));
    }
}

/// Every constructor around children of the types that its row asks for has the type that its row says.
#[test]
fn terms_have_the_types_of_the_table() {
    for kind in constructors() {
        let KindSignature::Listed(kids, ty) = kind.signature() else { continue };
        let made = Term::of(
            &kind,
            kids.iter().enumerate().map(|(k, kid)| Term::var(10 * k as u32 + 10, &any(&kid.ty))).collect(),
        );
        match (kind, made) {
            (Kind::Var, Err(_)) => {}
            (kind, made) => assert_eq!(*made.unwrap_or_else(|e| panic!("{kind:?}: {e}")).ty(), any(ty)),
        }
    }
    assert_eq!(MetaSize::Count.known(&MetaBindings { literal: 3, ..MetaBindings::default() }), Some(Size::literal(3)));
}
