//! Defines observers, which see an evaluation while it runs, and may change the reals that it computes.

use crate::term::{Prim, Scalar, Term};

/// Sees what a run goes through. Seeing nothing costs nothing.
pub trait Observer {
    /// The `if`s of the program, by number.
    fn choices(&mut self, _all: Vec<Term>) {}

    /// A primitive of these operands gave a real; the run goes on with the one that this says.
    fn real(&mut self, _prim: Prim, _operands: &[Scalar], result: f64) -> f64 {
        result
    }

    /// The `if` with this number took its first branch, or else its second.
    fn chose(&mut self, _number: u32, _first: bool) {}
}

/// Sees nothing.
impl Observer for () {}

impl<O: Observer> Observer for &mut O {
    fn choices(&mut self, all: Vec<Term>) {
        (**self).choices(all);
    }

    fn real(&mut self, prim: Prim, operands: &[Scalar], result: f64) -> f64 {
        (**self).real(prim, operands, result)
    }

    fn chose(&mut self, number: u32, first: bool) {
        (**self).chose(number, first);
    }
}
