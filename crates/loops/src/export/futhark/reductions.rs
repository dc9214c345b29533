//! Recognises loops that carry nothing but what an associative operator takes together, and makes reductions of them.

use super::code::{Dim, FutharkExpr, FutharkLoop, FutharkName, FutharkOperator};
use super::names::NameSupply;
use redexter_language::ground::writing::goes_on;
use redexter_language::term::{Prim, Type, TypeView};

/// What each round adds to what a loop carries.
pub(super) struct ReducedRounds {
    pub(super) operator: FutharkOperator,
    pub(super) neutral: FutharkExpr,
    pub(super) each: FutharkExpr,
}

/// A reduction, where an operator is all that the loop applies to its accumulator, of type `ty`.
pub(super) fn reduction_or_loop(whole: FutharkLoop, ty: &Type, scope: &mut NameSupply) -> FutharkExpr {
    let [(acc, _)] = &whole.parts[..] else { return FutharkExpr::Loop(Box::new(whole)) };
    let Some(ReducedRounds { operator, neutral, each }) = rounds(&whole.body, &FutharkExpr::Var(acc.clone()), acc, ty)
    else {
        return FutharkExpr::Loop(Box::new(whole));
    };
    let FutharkLoop { init, index, bound, .. } = whole;
    let all = all(bound, &index, each);
    let from = |neutral: FutharkExpr| FutharkExpr::Reduce(operator.clone(), Box::new((neutral, all.clone())));
    let reduced = from(neutral);
    match (&operator, &init) {
        (FutharkOperator::Numbers(Prim::Max), FutharkExpr::Real(f64::NEG_INFINITY)) => from(init),
        (FutharkOperator::Numbers(Prim::Min), FutharkExpr::Real(f64::INFINITY)) => from(init),
        (FutharkOperator::Numbers(_), _) => operator.joined(init, reduced),
        _ if operator.is_neutral(&init) => reduced,
        (_, init) => {
            let mut lets = Vec::new();
            let [first, rest] = [("start", init.clone()), ("rest", reduced)].map(|(hint, code)| {
                if code.is_atom() || matches!(code, FutharkExpr::Tuple(_)) {
                    return code;
                }
                let name = scope.fresh(hint);
                lets.push((name.clone(), code));
                FutharkExpr::Var(name)
            });
            FutharkExpr::lets(lets, operator.joined(first, rest))
        }
    }
}

/// The array of these elements, which is one that is there where they are just its own.
pub(super) fn all(size: Dim, index: &FutharkName, each: FutharkExpr) -> FutharkExpr {
    match each {
        FutharkExpr::Index(p, Some(length))
            if length == size && p.1 == FutharkExpr::Var(index.clone()) && !p.0.mentions(index) =>
        {
            p.0
        }
        each => {
            let used = each.mentions(index).then(|| index.clone());
            FutharkExpr::Tabulate(size, used, Box::new(each))
        }
    }
}

/// What a loop does whose body is `body`, where the accumulator `acc` has the part `own` of this type.
pub(super) fn rounds(body: &FutharkExpr, own: &FutharkExpr, acc: &FutharkName, ty: &Type) -> Option<ReducedRounds> {
    if !goes_on() {
        return None;
    }
    match (body, ty.view()) {
        (FutharkExpr::Lets(lets, body), _) if !lets.iter().any(|(_, a)| a.mentions(acc)) => {
            let rounds = rounds(body, own, acc, ty)?;
            Some(ReducedRounds { each: FutharkExpr::lets(lets.clone(), rounds.each), ..rounds })
        }
        (FutharkExpr::If(p), _) if !p.0.mentions(acc) => {
            let choice = |a: FutharkExpr, b: FutharkExpr| FutharkExpr::if_else(p.0.clone(), a, b);
            // Who leaves it as it is adds what is neutral.
            if p.1 == *own || p.2 == *own {
                let ReducedRounds { operator, neutral, each } =
                    rounds(if p.1 == *own { &p.2 } else { &p.1 }, own, acc, ty)?;
                let each = if p.1 == *own { choice(neutral.clone(), each) } else { choice(each, neutral.clone()) };
                return Some(ReducedRounds { operator, neutral, each });
            }
            let (a, b) = (rounds(&p.1, own, acc, ty)?, rounds(&p.2, own, acc, ty)?);
            (a.operator == b.operator).then(|| ReducedRounds { each: choice(a.each, b.each), ..a })
        }
        (FutharkExpr::Tuple(halves), TypeView::Pair(first, second)) => {
            let half =
                |k: u8, ty| rounds(halves.get(usize::from(k))?, &FutharkExpr::Field(Box::new(own.clone()), k), acc, ty);
            let (a, b) = (half(0, first)?, half(1, second)?);
            Some(ReducedRounds {
                operator: FutharkOperator::Halves(Box::new((a.operator, b.operator))),
                neutral: FutharkExpr::Tuple(vec![a.neutral, b.neutral]),
                each: FutharkExpr::Tuple(vec![a.each, b.each]),
            })
        }
        (FutharkExpr::Tabulate(size, Some(index), element), TypeView::Array(_, ty)) => {
            let at = Box::new((own.clone(), FutharkExpr::Var(index.clone())));
            let own = FutharkExpr::Index(at, Some(size.clone()));
            let ReducedRounds { operator, neutral, each } = rounds(element, &own, acc, ty)?;
            Some(ReducedRounds {
                operator: FutharkOperator::Rows(Box::new(operator)),
                neutral: FutharkExpr::Tabulate(size.clone(), None, Box::new(neutral)),
                each: all(size.clone(), index, each),
            })
        }
        (_, TypeView::Real) => [Prim::Add, Prim::Mul, Prim::Max, Prim::Min]
            .into_iter()
            .find_map(|prim| numbers(prim, neutral(prim, true)?, body, own, acc)),
        (_, TypeView::Int) => {
            [Prim::Add, Prim::Mul].into_iter().find_map(|prim| numbers(prim, neutral(prim, false)?, body, own, acc))
        }
        _ => None,
    }
}

fn numbers(
    prim: Prim,
    neutral: FutharkExpr,
    body: &FutharkExpr,
    own: &FutharkExpr,
    acc: &FutharkName,
) -> Option<ReducedRounds> {
    let each = operand(prim, &neutral, body, own, acc)?;
    Some(ReducedRounds { operator: FutharkOperator::Numbers(prim), neutral, each })
}

/// What one run of a loop body adds to `own`, if adding is all it does with it; or multiplies it by, and so on.
fn operand(
    prim: Prim,
    neutral: &FutharkExpr,
    body: &FutharkExpr,
    own: &FutharkExpr,
    acc: &FutharkName,
) -> Option<FutharkExpr> {
    let again = |body: &FutharkExpr| operand(prim, neutral, body, own, acc);
    let join = |a: FutharkExpr, b: FutharkExpr| FutharkOperator::Numbers(prim).joined(a, b);
    let sides = match body {
        _ if body == own => return Some(neutral.clone()),
        FutharkExpr::Binary(op, p) if *op == prim => [&p.0, &p.1],
        FutharkExpr::Call("f64.max", all) if prim == Prim::Max => [all.first()?, all.get(1)?],
        FutharkExpr::Call("f64.min", all) if prim == Prim::Min => [all.first()?, all.get(1)?],
        FutharkExpr::Binary(Prim::Sub, p) if prim == Prim::Add && !p.1.mentions(acc) => {
            let rest = again(&p.0)?;
            return Some(match rest.is_zero() {
                true => FutharkExpr::Neg(Box::new(p.1.clone())),
                false => FutharkExpr::binary(Prim::Sub, rest, p.1.clone()),
            });
        }
        FutharkExpr::If(p) if !p.0.mentions(acc) => {
            return Some(FutharkExpr::if_else(p.0.clone(), again(&p.1)?, again(&p.2)?));
        }
        FutharkExpr::Lets(lets, body) if lets.iter().all(|(_, a)| !a.mentions(acc)) => {
            return Some(FutharkExpr::lets(lets.clone(), again(body)?));
        }
        _ => return None,
    };
    match sides {
        [a, b] if !b.mentions(acc) => Some(join(again(a)?, b.clone())),
        [a, b] if !a.mentions(acc) => Some(join(a.clone(), again(b)?)),
        _ => None,
    }
}

/// What is neutral for an operator on reals, or on integers.
fn neutral(prim: Prim, is_real: bool) -> Option<FutharkExpr> {
    Some(match (prim, is_real) {
        (Prim::Add, true) => FutharkExpr::Real(0.0),
        (Prim::Add, false) => FutharkExpr::Int(0),
        (Prim::Mul, true) => FutharkExpr::Real(1.0),
        (Prim::Mul, false) => FutharkExpr::Int(1),
        // Beside NaN it is the number that counts, infinite ones included.
        (Prim::Max | Prim::Min, true) => FutharkExpr::Real(f64::NAN),
        _ => return None,
    })
}

impl FutharkOperator {
    /// The sum of two values of a type that is made of numbers.
    pub(super) fn sum(ty: &Type) -> FutharkOperator {
        match ty.view() {
            TypeView::Array(_, element) if goes_on() => FutharkOperator::Rows(Box::new(FutharkOperator::sum(element))),
            TypeView::Pair(a, b) if goes_on() => {
                FutharkOperator::Halves(Box::new((FutharkOperator::sum(a), FutharkOperator::sum(b))))
            }
            _ => FutharkOperator::Numbers(Prim::Add),
        }
    }

    /// The operator applied to two values, which cost nothing to repeat where they are pairs.
    pub(super) fn joined(&self, a: FutharkExpr, b: FutharkExpr) -> FutharkExpr {
        match self {
            _ if self.is_neutral(&a) => b,
            _ if self.is_neutral(&b) => a,
            FutharkOperator::Numbers(Prim::Max) => FutharkExpr::Call("f64.max", vec![a, b]),
            FutharkOperator::Numbers(Prim::Min) => FutharkExpr::Call("f64.min", vec![a, b]),
            FutharkOperator::Numbers(prim) => FutharkExpr::binary(*prim, a, b),
            FutharkOperator::Rows(_) => FutharkExpr::Apply(self.clone(), Box::new((a, b))),
            FutharkOperator::Halves(both) => {
                let first = both.0.joined(a.clone().half(0), b.clone().half(0));
                FutharkExpr::Tuple(vec![first, both.1.joined(a.half(1), b.half(1))])
            }
        }
    }

    fn is_neutral(&self, code: &FutharkExpr) -> bool {
        match (self, code) {
            (FutharkOperator::Numbers(Prim::Add), code) => code.is_zero(),
            (FutharkOperator::Numbers(Prim::Mul), code) => {
                matches!(code, FutharkExpr::Int(1)) || *code == FutharkExpr::Real(1.0)
            }
            (FutharkOperator::Numbers(_), code) => matches!(code, FutharkExpr::Real(x) if x.is_nan()),
            (FutharkOperator::Rows(inner), FutharkExpr::Tabulate(_, _, element)) => inner.is_neutral(element),
            (FutharkOperator::Halves(both), FutharkExpr::Tuple(halves)) if halves.len() == 2 => {
                both.0.is_neutral(&halves[0]) && both.1.is_neutral(&halves[1])
            }
            _ => false,
        }
    }
}
