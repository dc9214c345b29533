//! Differentiates applications of primitives, by the line of calculus that each has in its table.
//!
//! With `x` and `y` for the dual operands, formulas are over x and y (`fst`), x' and y' (`snd`) and the result r. At kinks the
//! derivative is that from the right (`abs`), in ties the left operand's (`min`, `max`).

use super::AdError;
use crate::ground::Name;
use crate::term::{Derivative, Formula, IllTyped, Kind, Prim, Term, TypeView, View};

/// An error is a bug: D of a well-typed term is well-typed.
type DualResult = Result<Term, IllTyped>;

/// The application of a primitive whose value is the first half of a pair and whose tangent is the second, where both stand as D
/// writes them.
pub(super) fn primal(pair: &Term) -> Option<Term> {
    let View::Pair(value, _) = pair.view() else { return None };
    let View::Prim(prim, primals) = value.view() else { return None };
    let operand = |primal: &Term| match primal.view() {
        View::Fst(operand) => operand,
        _ => primal.clone(),
    };
    let mut operands: Vec<Term> = primals.iter().map(operand).collect();
    let exponent = primals.get(1).map(|exponent| exponent.kind());
    let written = match prim.derivative() {
        _ if let (Prim::RealPow, Some(Kind::Real(c))) = (prim, exponent) => constant_power(operands.swap_remove(0), *c),
        Derivative::Tangent(formula) => result(prim, formula, &operands),
        Derivative::Power => {
            let exponent = operands.pop()?;
            power(operands.pop()?, exponent)
        }
        Derivative::None => return None,
    };
    written.is_ok_and(|written| written == *pair).then_some(value)
}

/// The same of a pair whose first half is a variable that is bound to the value.
pub(super) fn primal_of_bound(value: &Term, pair: &Term) -> Option<Term> {
    let View::Prim(prim, primals) = value.view() else { return None };
    let Derivative::Tangent(formula) = prim.derivative() else { return None };
    let operands: Option<Vec<Term>> = primals
        .iter()
        .map(|primal| if let View::Fst(operand) = primal.view() { Some(operand) } else { None })
        .collect();
    let View::Let(_, _, body) = result(prim, formula, &operands?).ok()?.view() else { return None };
    (body == *pair).then(|| value.clone())
}

/// D of a primitive with a real result, whose operands have become `operands`: reals are dual numbers.
pub(super) fn dual(prim: Prim, mut operands: Vec<Term>) -> Result<Term, AdError> {
    if prim == Prim::RealPow
        && let Some(c) = operands.get(1).and_then(lifted_number)
    {
        return Ok(constant_power(operands.remove(0), c)?);
    }
    match prim.derivative() {
        Derivative::None => Err(AdError::NotDifferentiable(prim)),
        Derivative::Power => {
            let exponent = operands.remove(1);
            Ok(power(operands.remove(0), exponent)?)
        }
        Derivative::Tangent(formula) => Ok(tangent(prim, formula, operands)?),
    }
}

/// The number that stands beside a zero, if one does.
fn lifted_number(operand: &Term) -> Option<f64> {
    match (operand.kind(), operand.kid_count()) {
        (Kind::Pair, 2) => match operand.kid(0).kind() {
            Kind::Real(c) => Some(*c),
            _ => None,
        },
        _ => None,
    }
}

/// The result with its tangent, below the operands.
fn tangent(prim: Prim, formula: &Formula, operands: Vec<Term>) -> DualResult {
    let mut operands = operands.into_iter();
    let (Some(x), y) = (operands.next(), operands.next()) else { return Term::prim(prim, Vec::new()) };
    bind("x", x, |x, by| match y {
        None => result(prim, formula, &[x]),
        Some(y) => bind("y", y.shift(by), |y, by| result(prim, formula, &[x.shift(by), y])),
    })
}

/// `(value, tangent)`, or `let r := value; (r, tangent)` for a tangent that uses the value.
fn result(prim: Prim, formula: &Formula, operands: &[Term]) -> DualResult {
    let value = Term::prim(prim, operands.iter().map(fst).collect::<Result<_, _>>()?)?;
    if !formula.uses_result() {
        return Term::pair(value, make(formula, operands, None)?);
    }
    let inner: Vec<Term> = operands.iter().map(|o| o.shift(1)).collect();
    let r = Term::var(0, value.ty());
    let body = Term::pair(r.clone(), make(formula, &inner, Some(&r))?)?;
    Term::let_in(&Name::new("r"), value, body)
}

/// The term of a formula over these dual operands and this result.
fn make(formula: &Formula, operands: &[Term], r: Option<&Term>) -> DualResult {
    let part = |formula: &Formula| make(formula, operands, r);
    match formula {
        Formula::X => fst(&operands[0]),
        Formula::Y => fst(&operands[1]),
        Formula::Dx => snd(&operands[0]),
        Formula::Dy => snd(&operands[1]),
        Formula::R => Ok(r.expect("a formula that uses the result is given it").clone()),
        Formula::Number(value) => Ok(Term::real(*value)),
        Formula::One(prim, a) => one(*prim, part(a)?),
        Formula::Two(prim, a, b) => two(*prim, part(a)?, part(b)?),
        Formula::If(c, a, b) => Term::if_else(part(c)?, part(a)?, part(b)?),
    }
}

/// D of `x ^ c` for a number c, which has no tangent.
fn constant_power(x: Term, c: f64) -> DualResult {
    bind("x", x, |x, _| {
        let tangent = match c == 0.0 {
            true => Term::real(0.0),
            false => {
                let slope = two(Prim::Mul, Term::real(c), two(Prim::RealPow, fst(&x)?, Term::real(c - 1.0))?)?;
                two(Prim::Mul, slope, snd(&x)?)?
            }
        };
        Term::pair(two(Prim::RealPow, fst(&x)?, Term::real(c))?, tangent)
    })
}

/// D of `pow x k`. The test of k keeps `0 * pow 0 (-1)`, which is NaN, out of the derivative of `pow x 0` at 0.
fn power(x: Term, k: Term) -> DualResult {
    let constant = match k.kind() {
        Kind::Int(c) => Some(*c),
        Kind::Fin(c, _) => i64::try_from(*c).ok(),
        _ => None,
    };
    let slope = |x: &Term, factor: Term, less: Term| {
        two(Prim::Mul, two(Prim::Mul, factor, two(Prim::Pow, fst(x)?, less)?)?, snd(x)?)
    };
    // Where k - 1 would wrap, the same slope is k * pow x k / x.
    let least = |x: &Term, k: Term| {
        let slope = two(Prim::Mul, one(Prim::ToReal, k.clone())?, two(Prim::Pow, fst(x)?, k)?)?;
        two(Prim::Mul, two(Prim::Div, slope, fst(x)?)?, snd(x)?)
    };
    if constant == Some(0) {
        return Term::pair(two(Prim::Pow, Term::fst(x)?, k)?, Term::real(0.0));
    }
    bind("x", x, |x, by| {
        let k = k.shift(by);
        if let Some(c) = constant {
            let tangent = match c.checked_sub(1) {
                Some(less) => slope(&x, Term::real(c as f64), Term::int(less))?,
                None => least(&x, k.clone())?,
            };
            return Term::pair(two(Prim::Pow, fst(&x)?, k)?, tangent);
        }
        bind("k", k, |k, by| {
            let x = x.shift(by);
            let is_index = matches!(k.ty().view(), TypeView::Fin(_));
            let whole = if is_index { one(Prim::ToInt, k.clone())? } else { k.clone() };
            let zero = two(Prim::Eq, whole.clone(), Term::int(0))?;
            let less = two(Prim::Sub, whole.clone(), Term::int(1))?;
            let mut tangent = slope(&x, one(Prim::ToReal, k.clone())?, less)?;
            if !is_index {
                let wraps = two(Prim::Eq, whole, Term::int(i64::MIN))?;
                tangent = Term::if_else(wraps, least(&x, k.clone())?, tangent)?;
            }
            Term::pair(two(Prim::Pow, fst(&x)?, k)?, Term::if_else(zero, Term::real(0.0), tangent)?)
        })
    })
}

/// Binds an operand that is used twice, unless it is a variable. The body is given the operand and the number of
/// binders it now stands under.
fn bind(hint: &str, operand: Term, body: impl FnOnce(Term, u32) -> DualResult) -> DualResult {
    if let Kind::Var = operand.kind() {
        return body(operand, 0);
    }
    let body = body(Term::var(0, operand.ty()), 1)?;
    Term::let_in(&Name::new(hint), operand, body)
}

fn fst(x: &Term) -> DualResult {
    Term::fst(x.clone())
}

fn snd(x: &Term) -> DualResult {
    Term::snd(x.clone())
}

fn one(prim: Prim, a: Term) -> DualResult {
    Term::prim(prim, vec![a])
}

fn two(prim: Prim, a: Term, b: Term) -> DualResult {
    Term::prim(prim, vec![a, b])
}
