//! Gives loaded code the evaluator's functions.

use redexter_loader::RealFunction;

use redexter_language::term::{Prim, Scalar};
use redexter_loops::export::c::FUNCTIONS;

/// What the evaluator computes.
fn compute(prim: Prim, operands: &[Scalar]) -> f64 {
    match prim.compute(operands) {
        Some(Scalar::Real(y)) => y,
        _ => f64::NAN,
    }
}

// C calls functions and no closures, so that each of them has an instance.
extern "C" fn one<const K: usize>(x: f64) -> f64 {
    compute(FUNCTIONS[K], &[Scalar::Real(x)])
}

extern "C" fn two<const K: usize>(x: f64, y: f64) -> f64 {
    compute(FUNCTIONS[K], &[Scalar::Real(x), Scalar::Real(y)])
}

/// The K-th of [`FUNCTIONS`], by how many reals it takes.
fn function<const K: usize>() -> RealFunction {
    match FUNCTIONS[K].arity() {
        1 => RealFunction::of_one(one::<K>),
        _ => RealFunction::of_two(two::<K>),
    }
}

/// One for each of [`FUNCTIONS`].
pub(super) fn functions() -> [RealFunction; FUNCTIONS.len()] {
    [
        function::<0>(),
        function::<1>(),
        function::<2>(),
        function::<3>(),
        function::<4>(),
        function::<5>(),
        function::<6>(),
        function::<7>(),
        function::<8>(),
        function::<9>(),
        function::<10>(),
        function::<11>(),
        function::<12>(),
        function::<13>(),
        function::<14>(),
        function::<15>(),
        function::<16>(),
        function::<17>(),
        function::<18>(),
        function::<19>(),
    ]
}
