//! Turns programs into loop nests: numbers in dense arrays, and the loops that write them where they belong.
//!
//! `equations` turns a program into equations over its indices, `fuse` turns these into loops that share what they can and keep
//! little. What equations can't say `segments` takes apart from what they can, and it is lowered as it stands (`lower`), its
//! outermost iterations side by side where that may be:
//! each `build` writes into its destination, each `ifold` is a loop with an accumulator, an array that is bound by `let` gets a
//! temporary, whose length is a polynomial in the sizes; pairs are taken apart, so that an array of pairs is a pair of arrays.
//! What is computed, and in which order it is added, is the evaluator's, unless [`Freedom::Fast`] is given. Nothing here knows
//! how a target writes it.
//!
//! `ir` holds nests, `passes` make them better, `dependence` says which iterations are independent, `split` which loops threads
//! may share, and `verify` shows that no access leaves its array: it is asked behind each pass in debug builds, and by whoever
//! makes code.

mod dependence;
mod equations;
mod fuse;
mod ir;
mod lower;
mod passes;
mod segments;
mod split;
mod style;
mod verify;

pub use dependence::{CellRole, Divergence, Iterations, Reduction, are_separate};
pub use equations::Freedom;
pub use ir::{
    DenseArray, LoopRange, Nest, NestPlace, NestSlot, NestValue, PairTree, ScalarKind, Stmt, Strips, each, each_value,
    leaves, nest_text,
};
pub use split::{Split, repeatable, splits};
pub use style::{NestStyle, Pass};
pub use verify::{verify, verify_text};

use crate::first::{FirstOrder, Lowered, first_order};
use redexter_language::eval::Sizes;
use redexter_language::ground::writing::goes_on;
use redexter_language::ground::{Diagnostic, Name};
use redexter_language::term::{OpenVariables, Program, Size, SizeBounds};

/// No size variable is as large, so that sums of few sizes and indices can't wrap. What is shown of a nest holds below it, and
/// below [`LARGEST_LENGTH`].
pub const LARGEST_SIZE: u64 = 1 << 48;

/// No array is as long in a direction, whether it has elements or not, nor has as many elements; and no loop has as many rounds.
pub const LARGEST_LENGTH: u64 = 1 << 60;

/// The sizes that limit what is shown of a nest: those of its program, and those of its arrays. They are gathered once, and
/// compared with the limits for each run.
pub struct ShownSizes {
    names: Vec<Size>,
    lengths: Vec<Size>,
}

impl ShownSizes {
    /// Those of a program and of the nest that was made of it.
    pub fn of(program: &Program, nest: &Nest) -> ShownSizes {
        let mut opens = OpenVariables::of(&program.term);
        let slots = nest.parameters.iter().chain(&nest.results).chain(&nest.temporaries);
        slots.flat_map(|slot| &slot.array.dims).for_each(|size| opens.size(size));
        ShownSizes { names: opens.vars.iter().map(Size::var).collect(), lengths: opens.sizes }
    }

    /// Refuses sizes at which nothing is shown of the loops: products of sizes may wrap there. `way` says how they would run.
    pub fn check(&self, sizes: &Sizes, way: &str) -> Result<(), Diagnostic> {
        sizes.none_beyond(&self.names, LARGEST_SIZE - 1, way)?;
        sizes.none_beyond(&self.lengths, LARGEST_LENGTH - 1, way)
    }
}

impl Nest {
    /// How many words of 8 bytes the memory for what is needed meanwhile has at these sizes, which saturates: each temporary
    /// begins where 64 bytes begin, so that lengths are rounded up, and 8 words more let the first one do so. It is what the
    /// function of exported C whose name ends in `_arena` says.
    pub fn arena_words(&self, sizes: &Sizes) -> u64 {
        let lengths = self.temporaries.iter().map(|slot| sizes.elements(&slot.array.dims));
        lengths.fold(8, |sum, n| sum.saturating_add(n.saturating_add(7) & !7))
    }
}

/// The way from a program to its nest.
#[derive(Clone, Copy, Debug)]
pub enum NestForm {
    /// Loops as they stand in the program.
    AsWritten,
    /// Fused, in strips of one size, where the program allows it.
    Fused(NestStyle),
}

/// A program as a loop nest. Refused is what [`first_order`] refuses, and types that are left open.
///
/// Recursion goes as deep as the term: run it where the stack fits it. It asks whether the text
/// [goes on](redexter_language::ground::writing).
pub fn nest(program: &Program, form: &NestForm) -> Lowered<Nest> {
    let parts = first_order(program)?;
    let mut opens = OpenVariables::default();
    opens.ty(program.term.ty());
    opens.term(&program.term);
    let opens = Sizing { bounds: &program.bounds, opens };
    let mut nest = match form {
        NestForm::Fused(style) => match distributed(&parts, style, &opens)? {
            Some(nest) => nest,
            None => fused(parts, style, &opens)?,
        },
        // Who adds in another order later has to know what is kept.
        NestForm::AsWritten => opens.made(&parts, lower::lower(&parts, opens.vars(), true)?),
    };
    let does = |pass: Pass| match form {
        // Loops as written are pruned, too, since lowering declares numbers that nobody reads: one for each array that is
        // accumulated.
        NestForm::AsWritten => pass == Pass::Prune,
        NestForm::Fused(style) => style.does(pass),
    };
    let is_shown = |nest: &Nest| !goes_on() || verify(nest).is_ok();
    if does(Pass::SplitProducts) {
        passes::split_products(&mut nest, is_shown);
        stage(&nest, "split products");
    }
    if does(Pass::SplitGuards) {
        passes::split_guards(&mut nest, is_shown);
        stage(&nest, "split guards");
    }
    if does(Pass::Coalesce) {
        passes::coalesce(&mut nest);
        stage(&nest, "coalesce copies");
    }
    if let NestForm::Fused(style) = form {
        if does(Pass::FuseLoops) {
            passes::fuse_loops(&mut nest);
            stage(&nest, "fuse loops");
        }
        if does(Pass::VectorizeInner) {
            passes::vectorize_inner(&mut nest, style);
            stage(&nest, "vectorize inner loops");
        }
    }
    if does(Pass::Share) {
        passes::shared(&mut nest);
        stage(&nest, "share");
    }
    if does(Pass::Prune) {
        passes::prune(&mut nest);
    }
    // It is asked whether or not something was pruned, since loops as written are verified here alone.
    stage(&nest, "prune");
    if does(Pass::ReuseSpace) {
        passes::reuse_space(&mut nest);
        stage(&nest, "reuse space");
    }
    Ok(nest)
}

/// What is the same for all parts of a program: what its sizes are called and how large they are.
struct Sizing<'p> {
    bounds: &'p SizeBounds,
    opens: OpenVariables,
}

impl Sizing<'_> {
    fn vars(&self) -> Vec<Name> {
        self.opens.vars.clone()
    }

    /// A nest with what neither way fills in. It must be there before the first `stage`, since what is shown of a nest rests on
    /// it.
    fn made(&self, parts: &FirstOrder, mut nest: Nest) -> Nest {
        nest.bounds.clone_from(self.bounds);
        nest.computed = self.opens.sizes.iter().filter(|size| size.as_atom().is_none()).cloned().collect();
        nest.below = parts.parameters.iter().flat_map(|var| ir::types::index_ranges(&var.ty)).collect();
        nest
    }
}

/// A program whose equations are fused; as it stands, where there are none.
fn fused(parts: FirstOrder, style: &NestStyle, sizing: &Sizing) -> Lowered<Nest> {
    if let Some(nest) = fuse::fused(&parts, sizing.vars(), style) {
        let mut nest = sizing.made(&parts, nest);
        stage(&nest, "loops");
        let mut cells = nest.last_cell();
        if style.does(Pass::Unroll) {
            nest.body = passes::unrolled(&mut cells, nest.body, style);
            stage(&nest, "unroll");
        }
        if style.does(Pass::Constants) {
            nest.body = passes::constants(nest.body, style.freedom);
            stage(&nest, "constants");
        }
        return Ok(nest);
    }
    // Equations can't say it, or nothing is to be fused: the program is lowered as it stands, so that passes over equations
    // don't apply.
    let parts = if style.does(Pass::Interchange) { lower::interchange(parts) } else { parts };
    let mut nest = sizing.made(&parts, lower::lower(&parts, sizing.vars(), style.freedom.reorders())?);
    stage(&nest, "lower");
    if style.does(Pass::VectorizeOuter) {
        passes::vectorize_outer(&mut nest, style);
        stage(&nest, "vectorize outer loops");
    }
    Ok(nest)
}

/// A program in which something can't be fused, with the rest fused; none where there is nothing or everything to fuse.
fn distributed(parts: &FirstOrder, style: &NestStyle, sizing: &Sizing) -> Lowered<Option<Nest>> {
    let is_fit = |code: &FirstOrder| fuse::is_expressible(code, sizing.vars(), style);
    if !style.does(Pass::Distribute) || is_fit(parts) {
        return Ok(None);
    }
    let Some(segments) = segments::segments(parts, &is_fit) else { return Ok(None) };
    let own = |segment: segments::Segment| {
        let nest = fused(segment.code.clone(), style, sizing)?;
        Ok((segment, nest))
    };
    let all = segments.into_iter().map(own).collect::<Lowered<Vec<_>>>()?;
    let nest = segments::joined(parts, all)?.map(|nest| sizing.made(parts, nest));
    // Indices in tables that parts give each other are known to be some by the parts' types alone.
    let nest = nest.filter(|nest| !goes_on() || verify(nest).is_ok());
    nest.iter().for_each(|nest| stage(nest, "distribute"));
    Ok(nest)
}

/// A nest behind a pass. In debug builds it is verified, so that a mistake is found at the pass that made it. A nest whose
/// making was ended is nobody's, and may lack parts: it isn't looked at.
fn stage(nest: &Nest, pass: &str) {
    if cfg!(debug_assertions)
        && goes_on()
        && let Err(wrong) = verify(nest)
    {
        panic!("behind the pass `{pass}`: {wrong}\n{}", nest_text("it", nest));
    }
}
