//! Programs as loop nests: numbers in dense arrays, and loops that write them where they belong.
//!
//! `equation` turns a program into equations over its indices, `fused` turns these into loops that share what they can and
//! keep little. What equations can't say is lowered as it stands, its outermost rounds `abreast` where that may be: each
//! `build` writes into its destination, each `ifold` is a loop with an accumulator, what is bound by `let` gets a temporary,
//! whose length is a polynomial in the sizes; pairs are taken apart, so that an array of pairs is a pair of arrays. What is
//! computed, and in which order it is added, is the evaluator's, unless [`Freedom::Fast`] is given. Nothing here knows how a
//! target writes it.

mod abreast;
mod code;
mod common;
mod differing;
mod equation;
mod fold;
mod fused;
mod interchange;
mod lower;
mod prune;
mod shape;
mod shared;
mod show;
mod split;
mod stay;
mod tree;
mod walk;
mod write;

pub use code::{Array, Nest, Number, Place, Range, Slot, Stmt, Strips, Value};
pub use differing::Differing;
pub use equation::Freedom;
pub use fused::Style;
pub use show::nest_text;
pub use split::{Join, Split, repeatable, splits};
pub use tree::{Tree, leaves};
pub use walk::{each, each_value};

use crate::first::{Lowered, first_order};
use crate::term::{Opens, Program};

/// How a program becomes a nest.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// Loops as they stand in the program.
    AsWritten,
    /// Fused, in strips of one size, where the program allows it.
    Fused(Style),
}

/// A program as a loop nest. Refused is what [`first_order`] refuses, and types that are left open.
///
/// Recursion goes as deep as the term: run it where the stack fits it. It asks whether the text
/// [goes on](crate::ground::writing).
pub fn nest(program: &Program, form: &Form) -> Lowered<Nest> {
    let parts = first_order(program)?;
    let mut opens = Opens::default();
    opens.ty(program.term.ty());
    opens.term(&program.term);
    let fused = match form {
        Form::AsWritten => None,
        Form::Fused(style) => fused::fused(&parts, opens.vars.clone(), style),
    };
    let mut nest = match (fused, form) {
        (Some(nest), _) => nest,
        (None, Form::AsWritten) => lower::lower(&parts, opens.vars)?,
        (None, Form::Fused(style)) => {
            let mut nest = lower::lower(&interchange::interchange(parts), opens.vars)?;
            abreast::abreast(&mut nest, style);
            nest
        }
    };
    if let Form::Fused(_) = form {
        shared::shared(&mut nest);
    }
    prune::prune(&mut nest);
    Ok(nest)
}
