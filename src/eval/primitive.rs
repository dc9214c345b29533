//! What the primitives compute, and what each counts as.
//!
//! Reals are IEEE doubles, integers wrap. `min` and `max` are Futhark's and C's `fmin` and `fmax`: of a number and a
//! NaN they give the number; of equals (0 and -0 among them) the first. Comparisons with NaN are false, but for `!=`.
//! Truth is an `int`: 0 is false, all else true, and what is computed is 0 or 1.

use super::Counts;
use super::special::{digamma, lgamma, power};
use super::value::Value;
use crate::term::Prim;

/// A primitive of one operand.
pub(super) fn unary(p: Prim, a: &Value, counts: &mut Counts) -> Value {
    match (p, a) {
        (Prim::ToReal, Value::Int(a)) => Value::Real(*a as f64),
        (Prim::ToReal, Value::Index(a)) => Value::Real(*a as f64),
        (Prim::ToInt, Value::Index(a)) => Value::Int(*a as i64),
        (Prim::Offset(c), Value::Index(a)) => Value::Index(a.saturating_add(c)),
        (Prim::Neg, Value::Int(a)) => Value::Int(a.wrapping_neg()),
        (Prim::Not, Value::Int(a)) => truth(*a == 0),
        (_, Value::Real(a)) => {
            counts.flops += 1;
            Value::Real(real_function(p, *a))
        }
        other => unreachable!("operands of the right type, by typing, not {other:?}"),
    }
}

/// A primitive of two operands.
pub(super) fn binary(p: Prim, a: &Value, b: &Value, counts: &mut Counts) -> Value {
    match (p, a, b) {
        (Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge | Prim::Eq | Prim::Ne, _, _) => {
            counts.compares += 1;
            compare(p, a, b)
        }
        (_, Value::Real(a), Value::Real(b)) => {
            counts.flops += 1;
            Value::Real(real_operator(p, *a, *b))
        }
        (Prim::Pow, Value::Real(a), exponent) => {
            counts.flops += 1;
            Value::Real(match exponent {
                Value::Int(k) => power(*a, k.unsigned_abs(), *k < 0),
                Value::Index(k) => power(*a, *k, false),
                other => unreachable!("an exponent, by typing, not {other:?}"),
            })
        }
        (Prim::Add, Value::Index(a), Value::Index(b)) => Value::Index(a.saturating_add(*b)),
        (Prim::Add, Value::Int(a), Value::Int(b)) => Value::Int(a.wrapping_add(*b)),
        (Prim::Sub, Value::Int(a), Value::Int(b)) => Value::Int(a.wrapping_sub(*b)),
        (Prim::Mul, Value::Int(a), Value::Int(b)) => Value::Int(a.wrapping_mul(*b)),
        (Prim::And, Value::Int(a), Value::Int(b)) => truth(*a != 0 && *b != 0),
        (Prim::Or, Value::Int(a), Value::Int(b)) => truth(*a != 0 || *b != 0),
        other => unreachable!("operands of the right type, by typing, not {other:?}"),
    }
}

fn truth(holds: bool) -> Value {
    Value::Int(i64::from(holds))
}

fn compare(p: Prim, a: &Value, b: &Value) -> Value {
    truth(match (a, b) {
        (Value::Real(a), Value::Real(b)) => p.holds(a, b),
        (Value::Int(a), Value::Int(b)) => p.holds(a, b),
        (Value::Index(a), Value::Index(b)) => p.holds(a, b),
        other => unreachable!("two numbers of a kind, by typing, not {other:?}"),
    })
}

fn real_function(p: Prim, a: f64) -> f64 {
    match p {
        Prim::Neg => -a,
        Prim::Exp => a.exp(),
        Prim::Log => a.ln(),
        Prim::Sqrt => a.sqrt(),
        Prim::Sin => a.sin(),
        Prim::Cos => a.cos(),
        Prim::Tanh => a.tanh(),
        Prim::Abs => a.abs(),
        Prim::Lgamma => lgamma(a),
        Prim::Digamma => digamma(a),
        other => unreachable!("a function of one real, by typing, not {other:?}"),
    }
}

fn real_operator(p: Prim, a: f64, b: f64) -> f64 {
    match p {
        Prim::Add => a + b,
        Prim::Sub => a - b,
        Prim::Mul => a * b,
        Prim::Div => a / b,
        Prim::Min if a.is_nan() || b < a => b,
        Prim::Max if a.is_nan() || b > a => b,
        Prim::Min | Prim::Max => a,
        other => unreachable!("an operator on two reals, by typing, not {other:?}"),
    }
}
