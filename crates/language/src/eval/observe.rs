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

    /// The ways by which code that is placed leads from a node to one below it, by number.
    fn ways(&mut self, _all: Vec<Box<[u32]>>) {}

    /// The run goes on below, by this way, if the observer wants it to go on.
    fn enter(&mut self, _way: u32) -> bool {
        true
    }

    /// The run comes back from where it went, or from a function.
    fn leave(&mut self) {}

    /// A function is made here: the observer's name for the place.
    fn made(&mut self) -> u32 {
        0
    }

    /// A function is called that was made there.
    fn call(&mut self, _made: u32) {}

    /// A loop begins here.
    fn begin_loop(&mut self) {}

    /// Its next iteration has this index.
    fn round(&mut self, _index: u64) {}

    /// The innermost loop is over.
    fn end_loop(&mut self) {}
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

    fn ways(&mut self, all: Vec<Box<[u32]>>) {
        (**self).ways(all);
    }

    fn enter(&mut self, way: u32) -> bool {
        (**self).enter(way)
    }

    fn leave(&mut self) {
        (**self).leave();
    }

    fn made(&mut self) -> u32 {
        (**self).made()
    }

    fn call(&mut self, made: u32) {
        (**self).call(made);
    }

    fn begin_loop(&mut self) {
        (**self).begin_loop();
    }

    fn round(&mut self, index: u64) {
        (**self).round(index);
    }

    fn end_loop(&mut self) {
        (**self).end_loop();
    }
}
