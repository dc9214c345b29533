//! D of the primitives: one line of calculus each.
//!
//! With `x` and `y` for the dual operands, x' and y' for `snd`, and x, y for `fst` below:
//!
//! | operator | tangent |
//! |---|---|
//! | `x + y`, `x - y`, `-x` | x' + y', x' - y', -x' |
//! | `x * y` | x * y' + x' * y |
//! | `r = x / y` | (x' - r * y') / y |
//! | `r = exp x`, `log x`, `r = sqrt x` | r * x', x' / x, x' / (2 * r) |
//! | `sin x`, `cos x`, `r = tanh x` | cos x * x', -(sin x * x'), (1 - r * r) * x' |
//! | `abs x` | `if x < 0 then -x' else x'`: the right derivative at 0 |
//! | `lgamma x` | digamma x * x' |
//! | `pow x k` | `if k = 0 then 0 else real k * pow x (k - 1) * x'`; decided at once where k is a constant |
//! | `min x y`, `max x y` | x' where `x <= y` (`x >= y`), so the left operand's in a tie, else y' |
//!
//! Comparisons look at the primals; `real i` has the tangent 0; everything on `int` and `fin` stays.

use super::AdError;
use crate::ground::Name;
use crate::term::{IllTyped, Kind, Prim, Term, Type, TypeView};

type Made = Result<Term, IllTyped>;

/// D of a primitive whose operands had `types` and have become `operands`.
pub(super) fn dual(prim: Prim, types: &[Type], mut operands: Vec<Term>) -> Result<Term, AdError> {
    if prim == Prim::ToReal {
        return Ok(Term::pair(Term::prim(prim, operands)?, Term::real(0.0))?);
    }
    if !matches!(types[0].view(), TypeView::Real) {
        return Ok(Term::prim(prim, operands)?);
    }
    match prim {
        Prim::Digamma => Err(AdError::NotDifferentiable(prim)),
        Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge | Prim::Eq | Prim::Ne => {
            let primals: Result<Vec<Term>, IllTyped> = operands.into_iter().map(Term::fst).collect();
            Ok(Term::prim(prim, primals?)?)
        }
        Prim::Pow => {
            let exponent = operands.remove(1);
            Ok(power(operands.remove(0), exponent)?)
        }
        _ if operands.len() == 1 => Ok(bind("x", operands.remove(0), |x, _| unary(prim, x))?),
        _ => {
            let second = operands.remove(1);
            Ok(bind("x", operands.remove(0), |x, by| {
                bind("y", second.shift(by), |y, by| binary(prim, x.shift(by), y))
            })?)
        }
    }
}

fn unary(prim: Prim, x: Term) -> Made {
    let value = one(prim, Term::fst(x.clone())?)?;
    match prim {
        Prim::Exp => result(value, &[x], |r, x| two(Prim::Mul, r, snd(&x[0])?)),
        Prim::Sqrt => result(value, &[x], |r, x| two(Prim::Div, snd(&x[0])?, two(Prim::Mul, Term::real(2.0), r)?)),
        Prim::Tanh => result(value, &[x], |r, x| {
            let slope = two(Prim::Sub, Term::real(1.0), two(Prim::Mul, r.clone(), r)?)?;
            two(Prim::Mul, slope, snd(&x[0])?)
        }),
        _ => Term::pair(value, slope(prim, &x)?),
    }
}

/// The tangent of an operator whose result it doesn't use.
fn slope(prim: Prim, x: &Term) -> Made {
    match prim {
        Prim::Log => two(Prim::Div, snd(x)?, fst(x)?),
        Prim::Sin => two(Prim::Mul, one(Prim::Cos, fst(x)?)?, snd(x)?),
        Prim::Cos => one(Prim::Neg, two(Prim::Mul, one(Prim::Sin, fst(x)?)?, snd(x)?)?),
        Prim::Lgamma => two(Prim::Mul, one(Prim::Digamma, fst(x)?)?, snd(x)?),
        Prim::Abs => {
            let negative = two(Prim::Lt, fst(x)?, Term::real(0.0))?;
            Term::if_else(negative, one(Prim::Neg, snd(x)?)?, snd(x)?)
        }
        linear => one(linear, snd(x)?),
    }
}

fn binary(prim: Prim, x: Term, y: Term) -> Made {
    let value = two(prim, fst(&x)?, fst(&y)?)?;
    match prim {
        Prim::Mul => {
            let (left, right) = (two(prim, fst(&x)?, snd(&y)?)?, two(prim, snd(&x)?, fst(&y)?)?);
            Term::pair(value, two(Prim::Add, left, right)?)
        }
        Prim::Div => result(value, &[x, y], |r, xy| {
            let rest = two(Prim::Sub, snd(&xy[0])?, two(Prim::Mul, r, snd(&xy[1])?)?)?;
            two(Prim::Div, rest, fst(&xy[1])?)
        }),
        Prim::Min | Prim::Max => {
            let test = if prim == Prim::Min { Prim::Le } else { Prim::Ge };
            let left = two(test, fst(&x)?, fst(&y)?)?;
            Term::pair(value, Term::if_else(left, snd(&x)?, snd(&y)?)?)
        }
        linear => Term::pair(value, two(linear, snd(&x)?, snd(&y)?)?),
    }
}

/// D of `pow x k`. The test of k keeps `0 * pow 0 (-1)`, which is NaN, out of the derivative of `pow x 0` at 0.
fn power(x: Term, k: Term) -> Made {
    let constant = match k.kind() {
        Kind::Int(c) => Some(*c),
        Kind::Fin(c, _) => i64::try_from(*c).ok(),
        _ => None,
    };
    let slope = |x: &Term, factor: Term, less: Term| {
        two(Prim::Mul, two(Prim::Mul, factor, two(Prim::Pow, fst(x)?, less)?)?, snd(x)?)
    };
    if constant == Some(0) {
        return Term::pair(two(Prim::Pow, Term::fst(x)?, k)?, Term::real(0.0));
    }
    bind("x", x, |x, by| {
        let k = k.shift(by);
        if let Some(c) = constant {
            let tangent = slope(&x, Term::real(c as f64), Term::int(c.wrapping_sub(1)))?;
            return Term::pair(two(Prim::Pow, fst(&x)?, k)?, tangent);
        }
        bind("k", k, |k, by| {
            let x = x.shift(by);
            let whole = if let TypeView::Fin(_) = k.ty().view() { one(Prim::ToInt, k.clone())? } else { k.clone() };
            let zero = two(Prim::Eq, whole.clone(), Term::int(0))?;
            let less = two(Prim::Sub, whole, Term::int(1))?;
            let tangent = slope(&x, one(Prim::ToReal, k.clone())?, less)?;
            Term::pair(two(Prim::Pow, fst(&x)?, k)?, Term::if_else(zero, Term::real(0.0), tangent)?)
        })
    })
}

/// Binds an operand that is used twice, unless it is a variable. The body is given the operand and the number of
/// binders it now stands under.
fn bind(hint: &str, operand: Term, body: impl FnOnce(Term, u32) -> Made) -> Made {
    if let Kind::Var = operand.kind() {
        return body(operand, 0);
    }
    let body = body(Term::var(0, operand.ty()), 1)?;
    Term::let_in(&Name::new(hint), operand, body)
}

/// `let r := value; (r, tangent)` for a tangent that uses the value.
fn result(value: Term, operands: &[Term], tangent: impl FnOnce(Term, &[Term]) -> Made) -> Made {
    let inner: Vec<Term> = operands.iter().map(|o| o.shift(1)).collect();
    let r = Term::var(0, value.ty());
    let body = Term::pair(r.clone(), tangent(r, &inner)?)?;
    Term::let_in(&Name::new("r"), value, body)
}

fn fst(x: &Term) -> Made {
    Term::fst(x.clone())
}

fn snd(x: &Term) -> Made {
    Term::snd(x.clone())
}

fn one(prim: Prim, a: Term) -> Made {
    Term::prim(prim, vec![a])
}

fn two(prim: Prim, a: Term, b: Term) -> Made {
    Term::prim(prim, vec![a, b])
}
