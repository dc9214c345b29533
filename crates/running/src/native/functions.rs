//! Gives loaded code the evaluator's functions.

use redexter_loader::RealFunction;

use redexter_language::term::{Prim, Scalar};
use redexter_loops::export::c::FUNCTIONS;

/// What the evaluator computes.
fn compute(prim: Prim, x: f64) -> f64 {
    match prim.compute(&[Scalar::Real(x)]) {
        Some(Scalar::Real(y)) => y,
        _ => f64::NAN,
    }
}

// C calls functions and no closures, so that each of them has an instance.
extern "C" fn function<const K: usize>(x: f64) -> f64 {
    compute(FUNCTIONS[K], x)
}

/// One for each of [`FUNCTIONS`].
pub(super) fn functions() -> [RealFunction; FUNCTIONS.len()] {
    [
        function::<0>,
        function::<1>,
        function::<2>,
        function::<3>,
        function::<4>,
        function::<5>,
        function::<6>,
        function::<7>,
        function::<8>,
        function::<9>,
        function::<10>,
        function::<11>,
        function::<12>,
    ]
}
