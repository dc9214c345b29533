//! Says of a result with NaN whether that is made of a zero and an infinity, as derivatives do where a zero tangent meets an
//! infinite slope.

use std::rc::Rc;

use super::nonfinite::{NonFiniteOrigin, TracedOperation, non_finite};
use super::sizes::Sizes;
use super::value::Value;
use crate::ad::dual_place;
use crate::ground::{Budget, Diagnostic, code};
use crate::term::{Prim, Program, Scalar};

/// Whether an operation that made NaN is `0 * inf` or `0 / 0`: in a derivative, a zero tangent times an infinite slope.
pub fn is_steep(prim: Prim, operands: &[Scalar]) -> bool {
    let is = |of: fn(f64) -> bool| operands.iter().any(|operand| matches!(operand, Scalar::Real(x) if of(*x)));
    matches!(prim, Prim::Mul | Prim::Div | Prim::RoundedMul | Prim::RoundedDiv) && is(|x| x == 0.0) && !is(f64::is_nan)
}

/// A run that asks its budget's watch more often isn't looked into.
const MAX_ASKS: u64 = 4_000;

/// A finding on a value that holds NaN, where what made the first one multiplies 0 and an infinity in a tangent that D wrote. The
/// program runs again for it, if that doesn't take long.
pub fn steep_slope(
    program: &Program,
    inputs: &[Value],
    sizes: &Sizes,
    value: &Value,
    budget: &Budget,
) -> Option<Diagnostic> {
    let nans = value.sum(&|number| u64::from(matches!(number, Value::Real(x) if x.is_nan())));
    if nans == 0 {
        return None;
    }
    let report = non_finite(program, inputs, sizes, &budget.asked_at_most(MAX_ASKS, Rc::default())).ok()?;
    let Some(NonFiniteOrigin::Operation(TracedOperation { path, prim, operands, .. })) = report.origin else {
        return None;
    };
    let in_tangent = dual_place(&program.term, &path).is_some_and(|dual| dual.is_tangent);
    if !in_tangent || !is_steep(prim, &operands) {
        return None;
    }
    let made = match prim {
        Prim::Div | Prim::RoundedDiv => "0 / 0",
        _ => "0 * inf",
    };
    let headline = format!("the first NaN is {made}: in a derivative, a zero tangent times an infinite slope");
    let help = "`:why-nan` or `eval --why-nan` shows where; `fastGradient` may take the zero out; `:help D` says more";
    Some(Diagnostic::warning(code::INFINITE_SLOPE, headline).help(help))
}
