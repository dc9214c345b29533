//! Primitives on values, and what each counts as. What they compute says their table.
//!
//! `min` and `max` are Futhark's and C's `fmin` and `fmax`: of a number and a NaN they give the number; of equals (0 and -0
//! among them) the first. Comparisons with NaN are false, but for `!=`. Truth is an `int`: 0 is false, all else true, and
//! what is computed is 0 or 1.

use super::Counts;
use super::value::Value;
use crate::term::{Charge, Prim, Scalar};

/// A primitive of these operands.
pub(super) fn apply<const N: usize>(prim: Prim, operands: [&Value; N], counts: &mut Counts) -> Value {
    let Some(result) = prim.compute(&operands.map(scalar)) else {
        unreachable!("operands of the right type, by typing, not {operands:?}")
    };
    match (prim.charge(), result) {
        (Charge::Compare, _) => counts.compares += 1,
        (Charge::FlopIfReal, Scalar::Real(_)) => counts.flops += 1,
        (Charge::FlopIfReal | Charge::Free | Charge::Read | Charge::Rounds { .. } | Charge::Call, _) => {}
    }
    match result {
        Scalar::Real(x) => Value::Real(x),
        Scalar::Int(x) => Value::Int(x),
        Scalar::Fin(x) => Value::Index(x),
    }
}

fn scalar(value: &Value) -> Scalar {
    match value {
        Value::Real(x) => Scalar::Real(*x),
        Value::Int(x) => Scalar::Int(*x),
        Value::Index(x) => Scalar::Fin(*x),
        other => unreachable!("a number, by typing, not {other:?}"),
    }
}
