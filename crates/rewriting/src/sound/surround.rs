//! Grows surroundings for a redex: binders, loops and branches, so that capture shows, and conditions that ask about the place
//! have something to see.

use super::grow::Grower;
use redexter_language::term::{Prim, Size, Term, Type, TypeView};

/// One construct around a hole.
#[derive(Clone, Debug)]
enum SurroundingLayer {
    Build(Size),
    Fold(Size),
    Let(Type),
    Apply(Type),
    Then,
    Else,
    Sum,
    Pair,
}

/// The layers around a redex, the outermost first, each with the type of what is in its hole.
#[derive(Default)]
pub(super) struct RedexSurroundings(Vec<(SurroundingLayer, Type)>);

impl RedexSurroundings {
    /// Up to two layers around data of this type; their variables come into the grower's scope.
    pub(super) fn enter(hole: &Type, grower: &mut Grower) -> RedexSurroundings {
        let mut layers = Vec::new();
        let mut hole = hole.clone();
        for _ in 0..grower.random.below(3) {
            let layer = choose(&hole, grower);
            hole = RedexSurroundings::put_layer(&mut layers, layer, hole);
        }
        RedexSurroundings::entered(layers, grower)
    }

    /// A loop below a `build` over the same size, whose variables may be compared then, and the data in it.
    pub(super) fn below_a_parameter(hole: &Type, grower: &mut Grower) -> RedexSurroundings {
        let n = grower.random.pick(&grower.sizes).clone();
        let mut layers = Vec::new();
        let inner = if grower.random.chance(70) {
            SurroundingLayer::Fold(n.clone())
        } else {
            SurroundingLayer::Build(n.clone())
        };
        let sum = matches!(hole.view(), TypeView::Real).then_some(SurroundingLayer::Sum);
        let all = sum.into_iter().chain([inner, SurroundingLayer::Build(n)]);
        all.fold(hole.clone(), |hole, layer| RedexSurroundings::put_layer(&mut layers, layer, hole));
        RedexSurroundings::entered(layers, grower)
    }

    /// Puts a layer around the others; the type of the whole.
    fn put_layer(layers: &mut Vec<(SurroundingLayer, Type)>, layer: SurroundingLayer, hole: Type) -> Type {
        let outer = match &layer {
            SurroundingLayer::Build(n) => Type::array(n.clone(), hole.clone()),
            SurroundingLayer::Pair => Type::pair(hole.clone(), Type::real()),
            _ => hole.clone(),
        };
        layers.push((layer, hole));
        outer
    }

    /// Their variables come into the grower's scope; the innermost layer is the first.
    fn entered(mut layers: Vec<(SurroundingLayer, Type)>, grower: &mut Grower) -> RedexSurroundings {
        layers.reverse();
        for (layer, hole) in &layers {
            grower.locals.extend(layer.binds(hole));
        }
        RedexSurroundings(layers)
    }

    /// Puts them around a term, leaves the scope, and puts the way to the term before `path`.
    pub(super) fn around(self, term: Term, path: &mut Vec<u32>, grower: &mut Grower) -> Option<Term> {
        let mut whole = term;
        for (layer, hole) in self.0.into_iter().rev() {
            // The layer's own variables leave the scope first, because what is grown beside its hole must not mention them.
            let bound = layer.binds(&hole).len();
            grower.locals.truncate(grower.locals.len() - bound);
            let (outer, way) = layer.put(whole, &hole, grower)?;
            whole = outer;
            path.splice(0..0, way.iter().copied());
        }
        Some(whole)
    }
}

fn choose(hole: &Type, grower: &mut Grower) -> SurroundingLayer {
    let n = grower.random.pick(&grower.sizes).clone();
    match grower.random.below(14) {
        0..=3 => SurroundingLayer::Build(n),
        4 | 5 => SurroundingLayer::Fold(n),
        6 | 7 => SurroundingLayer::Let(grower.ty(false)),
        8 => SurroundingLayer::Apply(grower.ty(false)),
        9 => SurroundingLayer::Then,
        10 => SurroundingLayer::Else,
        11 | 12 if matches!(hole.view(), TypeView::Real) => SurroundingLayer::Sum,
        _ => SurroundingLayer::Pair,
    }
}

impl SurroundingLayer {
    /// The variables that it binds around its hole.
    fn binds(&self, hole: &Type) -> Vec<Type> {
        match self {
            SurroundingLayer::Build(n) => vec![Type::fin(n.clone())],
            SurroundingLayer::Fold(n) => vec![hole.clone(), Type::fin(n.clone())],
            SurroundingLayer::Let(ty) | SurroundingLayer::Apply(ty) => vec![ty.clone()],
            SurroundingLayer::Then | SurroundingLayer::Else | SurroundingLayer::Sum | SurroundingLayer::Pair => {
                Vec::new()
            }
        }
    }

    /// The layer with something in its hole, and the way there.
    fn put(self, inner: Term, hole: &Type, grower: &mut Grower) -> Option<(Term, &'static [u32])> {
        let binds = self.binds(hole);
        let lam = |body: Term, ty: &Type| Term::lam(&grower.hint(ty), ty, body).ok();
        Some(match self {
            SurroundingLayer::Build(n) => (Term::build(n, lam(inner, &binds[0])?).ok()?, &[0, 0]),
            SurroundingLayer::Fold(n) => {
                let step = lam(lam(inner, &binds[1])?, hole)?;
                (Term::ifold(n, step, grower.term(hole, 1)?).ok()?, &[0, 0, 0])
            }
            SurroundingLayer::Let(ty) => {
                let (name, value) = (grower.hint(&ty), grower.term(&ty, 1)?);
                (Term::let_in(&name, value, inner).ok()?, &[1])
            }
            SurroundingLayer::Apply(ty) => {
                let function = lam(inner, &ty)?;
                (Term::app(function, grower.term(&ty, 1)?).ok()?, &[0, 0])
            }
            SurroundingLayer::Then => (Term::if_else(grower.condition(1)?, inner, grower.term(hole, 1)?).ok()?, &[1]),
            SurroundingLayer::Else => (Term::if_else(grower.condition(1)?, grower.term(hole, 1)?, inner).ok()?, &[2]),
            SurroundingLayer::Sum => (Term::prim(Prim::Add, vec![inner, grower.term(hole, 1)?]).ok()?, &[0]),
            SurroundingLayer::Pair => (Term::pair(inner, grower.term(&Type::real(), 1)?).ok()?, &[0]),
        })
    }
}

/// A term of data that shows what a term of any type is: functions are applied, in pairs and arrays, too.
pub(super) fn observe(term: Term, grower: &mut Grower) -> Option<Term> {
    match term.ty().view().clone() {
        _ if !term.ty().has_function() => Some(term),
        TypeView::Fun(from, _) => {
            let argument = grower.term(&from, 1)?;
            observe(Term::app(term, argument).ok()?, grower)
        }
        TypeView::Pair(..) => {
            let first = observe(Term::fst(term.clone()).ok()?, grower)?;
            Term::pair(first, observe(Term::snd(term).ok()?, grower)?).ok()
        }
        TypeView::Array(n, _) => {
            let index = Type::fin(n.clone());
            let name = grower.hint(&index);
            let element = Term::get(term.shift(1), Term::var(0, &index)).ok()?;
            grower.locals.push(index.clone());
            let element = observe(element, grower);
            grower.locals.pop();
            Term::build(n, Term::lam(&name, &index, element?).ok()?).ok()
        }
        _ => None,
    }
}

/// The type of [`observe`]'s result.
pub(super) fn observed(ty: &Type) -> Type {
    match ty.view() {
        TypeView::Fun(_, to) => observed(to),
        TypeView::Pair(a, b) => Type::pair(observed(a), observed(b)),
        TypeView::Array(n, a) => Type::array(n.clone(), observed(a)),
        _ => ty.clone(),
    }
}
