//! Differentiates applications of primitives, by the line of calculus that each has in its table.
//!
//! With `x` and `y` for the dual operands, formulas are over x and y (`fst`), x' and y' (`snd`) and the result r. At kinks the
//! derivative is that from the right (`abs`), in ties the left operand's (`min`, `max`). Where no operand is real, a real
//! result has the tangent 0, and everything else stays; where the result isn't real, the primals decide it.

use super::AdError;
use crate::ground::Name;
use crate::term::{Derivative, Formula, IllTyped, Kind, Prim, Term, Type, TypeView};

/// An error is a bug: D of a well-typed term is well-typed.
type DualResult = Result<Term, IllTyped>;

/// D of the primitive that `term` applies, whose operands have become `operands`.
pub(super) fn dual(prim: Prim, term: &Term, mut operands: Vec<Term>) -> Result<Term, AdError> {
    let is_real = |ty: &Type| matches!(ty.view(), TypeView::Real);
    let kids = term.kids();
    if !kids.iter().any(|kid| is_real(kid.ty())) {
        let value = Term::prim(prim, operands)?;
        return if is_real(term.ty()) { Ok(Term::pair(value, Term::real(0.0))?) } else { Ok(value) };
    }
    if !is_real(term.ty()) {
        let primal = |(kid, operand): (&Term, Term)| if is_real(kid.ty()) { Term::fst(operand) } else { Ok(operand) };
        let primals: Result<Vec<Term>, IllTyped> = kids.iter().zip(operands).map(primal).collect();
        return Ok(Term::prim(prim, primals?)?);
    }
    if let (Prim::RealPow, Some(Kind::Real(c))) = (prim, kids.get(1).map(|kid| kid.kind())) {
        return Ok(constant_power(operands.remove(0), *c)?);
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
