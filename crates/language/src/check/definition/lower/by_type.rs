//! Makes the terms of definitions that go by type: of the shape of a type, with what there is to say at each real in it.
//!
//! By an array of arrays D runs once for each number, with a tangent of 1 there and of 0 elsewhere. Of a pair one half changes
//! while the other stays as it is, so that the gradient by a pair is that of the gradients by its halves.

use rustc_hash::FxHashMap;

use super::Lowering;
use crate::check::definition::by_type::{MAX_REALS, named_reals, without_slope};
use crate::check::definition::{ByType, TypedTree};
use crate::check::diagnose;
use crate::ground::{Name, Span, Trouble};
use crate::term::{IllTyped, Kind, Prim, Size, Term, Type, TypeView};

/// A step from a whole to a part: to the element at an index, which is the binder with this number, or to half of a pair.
#[derive(Clone, Copy, PartialEq)]
enum WholeStep {
    At(u32),
    First,
    Second,
}

type MadeTerm = Result<Term, IllTyped>;

impl Lowering<'_> {
    /// The body of the definition: its parameters are a function, what that takes, and perhaps a third.
    pub(super) fn by_type(&mut self, which: ByType, parameters: &[TypedTree], span: Span) -> Result<Term, Trouble> {
        let mut of = Vec::new();
        for parameter in parameters {
            of.push(self.term(parameter)?);
        }
        let (f, x, ty) = (&of[0], &of[1], of[0].ty().clone());
        let TypeView::Fun(from, to) = ty.view() else { return Err(diagnose::bug(span, "no function").into()) };
        if let Some(part) = [from, to].into_iter().find_map(without_slope) {
            return Err(diagnose::no_slope(span, &part).into());
        }
        if [from, to].into_iter().any(|ty| named_reals(ty, &mut FxHashMap::default()) > MAX_REALS) {
            return Err(diagnose::too_many_reals(span, MAX_REALS).into());
        }
        let bug = |e| diagnose::bug(span, e).into();
        match which {
            ByType::Directional => {
                let dual = self.dual(f.clone(), span)?;
                rates(&dual, beside(x, &of[2]).map_err(bug)?, to).map_err(bug)
            }
            ByType::Weighted => self.slopes(&weighted(f, &of[2]).map_err(bug)?, x, &Type::real(), span),
            ByType::Gradient | ByType::Jacobian => self.slopes(f, x, to, span),
        }
    }

    /// How the results, which are of type `to`, change with each real of x, in the place of that.
    fn slopes(&mut self, f: &Term, x: &Term, to: &Type, span: Span) -> Result<Term, Trouble> {
        let bug = |e| diagnose::bug(span, e).into();
        if let TypeView::Array(n, element) = x.ty().view()
            && *element == Type::real()
        {
            let dual = self.dual(f.clone(), span)?;
            return by_each(&dual, x, n, to).map_err(bug);
        }
        let (mut all, mut duals) = (Vec::new(), Vec::new());
        ways(x.ty(), &mut Vec::new(), &mut all);
        for steps in &all {
            duals.push(self.dual(by_part(f, x, steps).map_err(bug)?, span)?);
        }
        let mut duals = duals.iter();
        let slope = &mut |under: u32, steps: &[WholeStep]| match duals.next() {
            Some(dual) => slope(&dual.shift(under), (x, to), under, steps),
            None => Ok(Term::real(0.0)),
        };
        shaped(x.ty(), 0, slope).map_err(bug)
    }
}

/// The ways to all reals of a type, from the left.
fn ways(ty: &Type, way: &mut Vec<WholeStep>, all: &mut Vec<Vec<WholeStep>>) {
    let mut part = |step, ty: &Type| {
        way.push(step);
        ways(ty, way, all);
        way.pop();
    };
    match ty.view() {
        TypeView::Array(_, a) => part(WholeStep::At(0), a),
        TypeView::Pair(a, b) => {
            part(WholeStep::First, a);
            part(WholeStep::Second, b);
        }
        _ => all.push(way.clone()),
    }
}

/// Something of the shape of a type, below `under` binders; what stands at each real is made below all binders around it.
fn shaped(ty: &Type, under: u32, real: &mut dyn FnMut(u32, &[WholeStep]) -> MadeTerm) -> MadeTerm {
    shaped_part(ty, ["i", "j", "k", "l"], under, &mut Vec::new(), real)
}

fn shaped_part(
    ty: &Type,
    names: [&str; 4],
    under: u32,
    steps: &mut Vec<WholeStep>,
    real: &mut dyn FnMut(u32, &[WholeStep]) -> MadeTerm,
) -> MadeTerm {
    let mut part = |step, ty: &Type, under| {
        steps.push(step);
        let made = shaped_part(ty, names, under, steps, real);
        steps.pop();
        made
    };
    match ty.view() {
        TypeView::Array(n, a) => each(n, names[under as usize % 4], part(WholeStep::At(under), a, under + 1)?),
        TypeView::Pair(a, b) => {
            let first = part(WholeStep::First, a, under)?;
            Term::pair(first, part(WholeStep::Second, b, under)?)
        }
        _ => real(under, steps),
    }
}

/// `build n (fun name => element)`
fn each(n: &Size, name: &str, element: Term) -> MadeTerm {
    Term::build(n.clone(), Term::lam(&Name::new(name), &Type::fin(n.clone()), element)?)
}

/// The part to which steps lead; `whole` stands outside of `under` binders, among which are the indices.
fn part(whole: &Term, under: u32, steps: &[WholeStep]) -> MadeTerm {
    steps.iter().try_fold(whole.shift(under), |part, step| match (step, part.ty().view()) {
        (WholeStep::At(binder), TypeView::Array(n, _)) => {
            let index = Term::var(under - 1 - binder, &Type::fin(n.clone()));
            Term::get(part, index)
        }
        (WholeStep::Second, _) => Term::snd(part),
        _ => Term::fst(part),
    })
}

/// Each real of x beside that of dx.
fn beside(x: &Term, dx: &Term) -> MadeTerm {
    shaped(x.ty(), 0, &mut |under, steps| Term::pair(part(x, under, steps)?, part(dx, under, steps)?))
}

/// The tangents of what a dual function gives for this, whose type without them is `ty`.
fn rates(dual: &Term, input: Term, ty: &Type) -> MadeTerm {
    let both = Term::app(dual.clone(), input)?;
    if *ty == Type::real() {
        return Term::snd(both);
    }
    let result = Term::var(0, both.ty());
    let real = &mut |under: u32, steps: &[WholeStep]| Term::snd(part(&result, under, steps)?);
    let tangents = shaped_part(ty, ["j", "k", "l", "i"], 0, &mut Vec::new(), real)?;
    Term::let_in(&Name::new("r"), both, tangents)
}

/// The rates by each real of a vector, as the text of `zip v (oneHot i)` unfolds.
fn by_each(dual: &Term, x: &Term, n: &Size, to: &Type) -> MadeTerm {
    let index = Type::fin(n.clone());
    let equal = Term::binary(Prim::Eq, Term::var(1, &index), Term::var(0, &index))?;
    let hot = each(n, "j", Term::if_else(equal, Term::real(1.0), Term::real(0.0))?)?;
    let hot = Term::let_in(&Name::new("i"), Term::var(0, &index), hot)?;
    let element = |of: u32| Term::get(Term::var(of, x.ty()), Term::var(0, &index));
    let zipped = each(n, "i", Term::pair(element(2)?, element(1)?)?)?;
    let zipped = Term::let_in(&Name::new("v"), x.shift(1), Term::let_in(&Name::new("w"), hot.shift(1), zipped)?)?;
    each(n, "i", rates(&dual.shift(1), zipped, to)?)
}

/// The function of the part to which the steps lead, an array over all their indices; the rest of x stays as it is.
fn by_part(f: &Term, x: &Term, steps: &[WholeStep]) -> MadeTerm {
    if steps.iter().all(|step| matches!(step, WholeStep::At(_))) {
        return Ok(f.clone());
    }
    let ty = tensor(x.ty(), steps);
    let changed = exchanged(x.shift(1), steps, Term::var(0, &ty))?;
    let value = match f.kind() {
        Kind::Lam(name, _) => Term::let_in(name, changed, f.kid(0).shift_from(1, 1)),
        _ => Term::app(f.shift(1), changed),
    };
    Term::lam(&Name::new("part"), &ty, value?)
}

/// The type of the part to which the steps lead, as an array over all their indices.
fn tensor(ty: &Type, steps: &[WholeStep]) -> Type {
    match (ty.view(), steps) {
        (TypeView::Array(n, a), [WholeStep::At(_), rest @ ..]) => Type::array(n.clone(), tensor(a, rest)),
        (TypeView::Pair(a, _), [WholeStep::First, rest @ ..]) => tensor(a, rest),
        (TypeView::Pair(_, b), [WholeStep::Second, rest @ ..]) => tensor(b, rest),
        _ => ty.clone(),
    }
}

/// x with another part where the steps lead.
fn exchanged(x: Term, steps: &[WholeStep], part: Term) -> MadeTerm {
    match (steps, x.ty().view()) {
        ([WholeStep::At(_), rest @ ..], TypeView::Array(n, _))
            if rest.iter().any(|s| !matches!(s, WholeStep::At(_))) =>
        {
            let element = |of: &Term| Term::get(of.shift(1), Term::var(0, &Type::fin(n.clone())));
            each(n, "i", exchanged(element(&x)?, rest, element(&part)?)?)
        }
        ([WholeStep::First, rest @ ..], _) => Term::pair(exchanged(Term::fst(x.clone())?, rest, part)?, Term::snd(x)?),
        ([WholeStep::Second, rest @ ..], _) => {
            let first = Term::fst(x.clone())?;
            Term::pair(first, exchanged(Term::snd(x)?, rest, part)?)
        }
        _ => Ok(part),
    }
}

/// How the results, which are of type `to`, change with the real to which the steps lead, by the dual function of that part.
fn slope(dual: &Term, (x, to): (&Term, &Type), under: u32, steps: &[WholeStep]) -> MadeTerm {
    let input = shaped(&tensor(x.ty(), steps), under, &mut |below, inner| {
        let mut indices = inner.iter();
        let moved =
            |step: &WholeStep| if let WholeStep::At(_) = step { *indices.next().unwrap_or(step) } else { *step };
        let there: Vec<WholeStep> = steps.iter().map(moved).collect();
        Term::pair(part(x, below, &there)?, hot(x.ty(), below, steps, &there)?)
    })?;
    rates(dual, input, to)
}

/// 1 where the indices of both ways are equal, else 0.
fn hot(ty: &Type, under: u32, steps: &[WholeStep], there: &[WholeStep]) -> MadeTerm {
    let (mut all, mut ty) = (None, ty.clone());
    for (a, b) in steps.iter().zip(there) {
        let inner = match (a, b, ty.view()) {
            (WholeStep::At(a), WholeStep::At(b), TypeView::Array(n, inner)) => {
                let index = |binder: &u32| Term::var(under - 1 - binder, &Type::fin(n.clone()));
                let equal = Term::binary(Prim::Eq, index(a), index(b))?;
                all = Some(all.map_or_else(|| Ok(equal.clone()), |all| Term::binary(Prim::And, all, equal.clone()))?);
                inner.clone()
            }
            (WholeStep::First, _, TypeView::Pair(first, _)) => first.clone(),
            (_, _, TypeView::Pair(_, second)) => second.clone(),
            _ => ty.clone(),
        };
        ty = inner;
    }
    all.map_or_else(|| Ok(Term::real(1.0)), |all| Term::if_else(all, Term::real(1.0), Term::real(0.0)))
}

/// The sum of all results of f, each as often as the weights say.
fn weighted(f: &Term, weights: &Term) -> MadeTerm {
    let TypeView::Fun(from, to) = f.ty().view() else { return Ok(f.clone()) };
    let sum = summed(&weights.shift(2), &Term::var(0, to))?;
    let value = Term::app(f.shift(1), Term::var(0, from))?;
    Term::lam(&Name::new("w"), from, Term::let_in(&Name::new("y"), value, sum)?)
}

/// The sum of the products of two of a type.
fn summed(a: &Term, b: &Term) -> MadeTerm {
    match a.ty().view() {
        TypeView::Array(n, _) => {
            let index = Type::fin(n.clone());
            let element = |of: &Term| Term::get(of.shift(2), Term::var(0, &index));
            let sum = Term::binary(Prim::Add, Term::var(1, &Type::real()), summed(&element(a)?, &element(b)?)?)?;
            let step = Term::lam(&Name::new("acc"), &Type::real(), Term::lam(&Name::new("i"), &index, sum)?)?;
            Term::ifold(n.clone(), step, Term::real(0.0))
        }
        TypeView::Pair(..) => {
            let first = summed(&Term::fst(a.clone())?, &Term::fst(b.clone())?)?;
            Term::binary(Prim::Add, first, summed(&Term::snd(a.clone())?, &Term::snd(b.clone())?)?)
        }
        _ => Term::binary(Prim::Mul, a.clone(), b.clone()),
    }
}
