//! What nodes share with others of their form: every constructor around every pair of small terms, against types and free
//! variables worked out here, twice and in two orders, so that forms are met that were made before, and nearly were.

use redexter::ground::Name;
use redexter::term::{IllTyped, Prim, Size, Term, Type, TypeView};

/// A term with what is known about it: index, type, number and repetition of each free variable, in order.
#[derive(Clone)]
struct Known {
    term: Term,
    free: Vec<(u32, Type, u32, bool)>,
}

/// A constructor: what it makes, the type that this should have, the binders around the last child with the type of their
/// variable, and whether the first child is repeated.
struct Maker {
    make: fn(&[Term]) -> Result<Term, IllTyped>,
    ty: fn(&[&Type]) -> Option<Type>,
    bound: fn(&[&Type]) -> Option<Type>,
    repeats: bool,
}

fn x() -> Name {
    Name::new("x")
}

fn three() -> Size {
    Size::literal(3)
}

fn bound_to(ty: &Type, to: &Type) -> Option<Type> {
    Some(Type::fun(ty.clone(), to.clone()))
}

fn unary() -> Vec<Maker> {
    let maker = |make, ty, bound, repeats| Maker { make, ty, bound, repeats };
    vec![
        maker(
            |k| Term::lam(&x(), &Type::real(), k[0].clone()),
            |t| bound_to(&Type::real(), t[0]),
            |_| Some(Type::real()),
            true,
        ),
        maker(
            |k| Term::lam(&x(), &Type::int(), k[0].clone()),
            |t| bound_to(&Type::int(), t[0]),
            |_| Some(Type::int()),
            true,
        ),
        maker(
            |k| Term::lam(&Name::new("y"), &Type::fin(three()), k[0].clone()),
            |t| bound_to(&Type::fin(three()), t[0]),
            |_| Some(Type::fin(three())),
            true,
        ),
        maker(
            |k| Term::build(three(), k[0].clone()),
            |t| match t[0].view() {
                TypeView::Fun(from, to) if *from == Type::fin(three()) => Some(Type::array(three(), to.clone())),
                _ => None,
            },
            |_| None,
            true,
        ),
        maker(
            |k| Term::fst(k[0].clone()),
            |t| if let TypeView::Pair(a, _) = t[0].view() { Some(a.clone()) } else { None },
            |_| None,
            false,
        ),
        maker(
            |k| Term::unary(Prim::Offset(2), k[0].clone()),
            |t| if let TypeView::Fin(n) = t[0].view() { n.plus(&Size::literal(2)).map(Type::fin) } else { None },
            |_| None,
            false,
        ),
        maker(|k| Term::unary(Prim::Exp, k[0].clone()), |t| (*t[0] == Type::real()).then(Type::real), |_| None, false),
    ]
}

fn binary() -> Vec<Maker> {
    let maker = |make, ty, bound, repeats| Maker { make, ty, bound, repeats };
    vec![
        maker(
            |k| Term::let_in(&x(), k[0].clone(), k[1].clone()),
            |t| Some(t[1].clone()),
            |t| Some(t[0].clone()),
            false,
        ),
        maker(
            |k| Term::pair(k[0].clone(), k[1].clone()),
            |t| Some(Type::pair(t[0].clone(), t[1].clone())),
            |_| None,
            false,
        ),
        maker(
            |k| Term::app(k[0].clone(), k[1].clone()),
            |t| match t[0].view() {
                TypeView::Fun(from, to) if from == t[1] => Some(to.clone()),
                _ => None,
            },
            |_| None,
            false,
        ),
        maker(
            |k| Term::get(k[0].clone(), k[1].clone()),
            |t| match (t[0].view(), t[1].view()) {
                (TypeView::Array(n, a), TypeView::Fin(m)) if n == m => Some(a.clone()),
                _ => None,
            },
            |_| None,
            false,
        ),
        maker(
            |k| Term::ifold(three(), k[0].clone(), k[1].clone()),
            |t| {
                let step = Type::fun(t[1].clone(), Type::fun(Type::fin(three()), t[1].clone()));
                (*t[0] == step).then(|| t[1].clone())
            },
            |_| None,
            true,
        ),
        maker(
            |k| Term::binary(Prim::Mul, k[0].clone(), k[1].clone()),
            |t| (t[0] == t[1] && (*t[0] == Type::real() || *t[0] == Type::int())).then(|| t[0].clone()),
            |_| None,
            false,
        ),
    ]
}

/// The free variables around these children; `None` where one has two types.
fn around(maker: &Maker, kids: &[&Known]) -> Option<Vec<(u32, Type, u32, bool)>> {
    let types: Vec<&Type> = kids.iter().map(|kid| kid.term.ty()).collect();
    let bound = (maker.bound)(&types);
    let mut all: Vec<(u32, Type, u32, bool)> = Vec::new();
    for (k, kid) in kids.iter().enumerate() {
        for (index, ty, count, looped) in &kid.free {
            let binder = bound.as_ref().filter(|_| k + 1 == kids.len());
            if let (Some(binder), 0) = (binder, index) {
                if binder != ty {
                    return None;
                }
                continue;
            }
            let (outer, looped) = (index - u32::from(binder.is_some()), *looped || maker.repeats && k == 0);
            match all.iter_mut().find(|known| known.0 == outer) {
                Some(known) if known.1 != *ty => return None,
                Some(known) => (known.2, known.3) = (known.2 + count, known.3 || looped),
                None => all.push((outer, ty.clone(), *count, looped)),
            }
        }
    }
    Some(all)
}

/// What the constructor makes of these, if it is what it should be.
fn made(maker: &Maker, kids: &[&Known]) -> Option<Known> {
    let terms: Vec<Term> = kids.iter().map(|kid| kid.term.clone()).collect();
    let types: Vec<&Type> = terms.iter().map(|term| term.ty()).collect();
    let expected = (maker.ty)(&types).and_then(|ty| Some((ty, around(maker, kids)?)));
    let made = (maker.make)(&terms);
    let Some((ty, free)) = expected else {
        assert!(made.is_err(), "{made:?} of {terms:?}");
        return None;
    };
    let term = made.expect("what fits");
    assert_eq!(*term.ty(), ty, "{term:?}");
    let found: Vec<_> = term.free().map(|(i, f)| (i, f.ty.clone(), f.count, f.looped)).collect();
    assert_eq!(found, free, "{term:?}");
    assert!(terms.iter().enumerate().all(|(k, kid)| term.kid(k) == *kid), "{term:?} of {terms:?}");
    Some(Known { term, free })
}

fn variables() -> Vec<Known> {
    let (real, int, index) = (Type::real(), Type::int(), Type::fin(three()));
    let step = Type::fun(real.clone(), Type::fun(index.clone(), real.clone()));
    let row = Type::array(three(), real.clone());
    let (halves, map) = (Type::pair(real.clone(), int.clone()), Type::fun(real.clone(), real.clone()));
    let all = [real, int, index, row, halves, map, step];
    let at = |index: u32| {
        let known = move |ty: &Type| Known { term: Term::var(index, ty), free: vec![(index, ty.clone(), 1, false)] };
        all.iter().map(known).collect::<Vec<_>>()
    };
    (0..3).flat_map(at).chain([Known { term: Term::real(2.0), free: Vec::new() }]).collect()
}

#[test]
fn every_constructor_makes_what_it_should_or_refuses() {
    let mut pool = variables();
    let wrapped: Vec<Known> = pool.iter().flat_map(|a| unary().into_iter().filter_map(|m| made(&m, &[a]))).collect();
    pool.extend(wrapped);
    let pairs = || pool.iter().flat_map(|a| pool.iter().map(move |b| [a, b]));
    let mut joined = Vec::new();
    for maker in binary() {
        joined.extend(pairs().filter_map(|both| made(&maker, &both)));
    }
    let mut refused = 0;
    for both in pairs().collect::<Vec<_>>().into_iter().rev() {
        refused += binary().iter().filter(|maker| made(maker, &both).is_none()).count();
    }
    for (maker, a) in unary().iter().flat_map(|m| joined.iter().step_by(7).map(move |a| (m, a))) {
        refused += usize::from(made(maker, &[a]).is_none());
    }
    assert!(joined.len() > 2_000 && refused > 2_000, "{} made, {refused} refused", joined.len());
}
