//! Programs as loop nests: numbers in dense arrays, and loops that write them where they belong.
//!
//! Each `build` writes into its destination, each `ifold` is a loop with an accumulator, what is bound by `let` gets a
//! temporary, whose length is a polynomial in the sizes; pairs are taken apart, so that an array of pairs is a pair of
//! arrays. What is computed, and in which order it is added, is the evaluator's. Nothing here knows how a target writes it.

mod code;
mod fold;
mod interchange;
mod lower;
mod prune;
mod shape;
mod show;
mod stay;
mod tree;
mod write;

pub use code::{Array, Nest, Number, Place, Slot, Stmt, Value};
pub use show::nest_text;
pub use tree::{Tree, leaves};

use crate::first::{Lowered, first_order};
use crate::term::{Opens, Program};

/// A program as a loop nest. Refused is what [`first_order`] refuses, and types that are left open.
///
/// Recursion goes as deep as the term: run it where the stack fits it. It asks whether the text
/// [goes on](crate::ground::writing).
pub fn nest(program: &Program) -> Lowered<Nest> {
    let parts = interchange::interchange(first_order(program)?);
    let mut opens = Opens::default();
    opens.ty(program.term.ty());
    opens.term(&program.term);
    let mut nest = lower::lower(&parts, opens.vars)?;
    prune::prune(&mut nest);
    Ok(nest)
}
