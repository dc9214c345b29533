//! Shows of a loop nest, for all sizes, that each access lies in its array and that each cell is written before it is read.
//!
//! It knows nothing of the passes that made the nest: it goes through the statements once, with what loops and conditions say of
//! indices as inequalities between polynomials in the sizes ([`facts`]), and with what has been written ([`written`]). The
//! code that is compiled from a nest is trusted because of this: what can't be shown is a bug of the compiler of nests, and
//! no code is made of it.
//!
//! Exporters may compute both sides of a choice, do branches that are all that a loop does as masks, and begin the last
//! strip earlier so that it is whole: nothing here relies on a choice's condition, such a branch's, or on where strips begin but
//! that they lie in their size.

mod facts;
mod poly;
mod report;
mod value;
mod walk;
mod written;

use super::ir::{Nest, NestPlace};
use redexter_language::ground::writing::goes_on;
use walk::NestVerifier;

/// An access of an array, with what was shown of its indices.
struct CheckedAccess {
    place: NestPlace,
    is_write: bool,
    bounds: Vec<IndexBound>,
}

/// Between what an index lies, and how long its dimension is, as text.
struct IndexBound {
    lowest: String,
    highest: String,
    size: String,
}

/// What couldn't be shown.
#[derive(Clone, Debug)]
enum NestFault {
    /// An index, by its position, may be outside of its dimension: below 0, or too large.
    Outside { place: NestPlace, at: usize, is_below: bool },
    /// There are other indices than dimensions.
    Dimensions(NestPlace),
    /// What is given, or stays as it is, is stored.
    Given(NestPlace),
    /// Lanes that run beyond their end may store something else there.
    Overwritten(NestPlace),
    /// Nothing is known to have been written there.
    Unwritten(NestPlace),
    /// Iterations that are declared independent may depend on each other.
    Dependent(NestPlace),
}

/// Shows that a nest accesses its arrays alone and reads what it wrote; wrong is what can't be shown, in a sentence.
///
/// It asks whether the text [goes on](redexter_language::ground::writing): nothing is wrong with a text that was ended, since it
/// is nobody's.
pub fn verify(nest: &Nest) -> Result<(), String> {
    let walk = verified(nest, false);
    match walk.faults.first() {
        Some(fault) if goes_on() => Err(fault.text(nest)),
        _ => Ok(()),
    }
}

/// What was shown of each access, a line each; behind them what couldn't be.
pub fn verify_text(nest: &Nest) -> String {
    let walk = verified(nest, true);
    let mut text = report::report(nest, walk.accesses.as_deref().unwrap_or_default());
    for fault in &walk.faults {
        text += &format!("not shown: {}\n", fault.text(nest));
    }
    text
}

/// A nest gone through; where something can't be shown, once more with the indices of guards as integers of their own, of which
/// their ranges are known, rather than what they are computed by: a proof needs the one or the other.
fn verified(nest: &Nest, tells: bool) -> NestVerifier<'_> {
    let walk = gone_through(nest, tells, false);
    if walk.faults.is_empty() {
        return walk;
    }
    let again = gone_through(nest, tells, true);
    if again.faults.is_empty() { again } else { walk }
}

/// A nest gone through. Of integer arrays that it fills itself, and finds elements by, is assumed that their elements are
/// indices of what they find, until each store keeps that.
fn gone_through(nest: &Nest, tells: bool, names_indices: bool) -> NestVerifier<'_> {
    let mut walk = NestVerifier::new(nest, tells, names_indices);
    let mut assumed = walk.found_arrays();
    loop {
        walk.below.extend(assumed.iter().cloned());
        walk.whole();
        if walk.larger.is_empty() {
            return walk;
        }
        // What turned out not to hold may have been relied upon: so all is gone through again without it, until what is left
        // holds.
        for (cell, sizes) in &mut assumed {
            sizes.retain(|size| !walk.larger.contains(&(*cell, size.clone())));
        }
        assumed.retain(|(_, sizes)| !sizes.is_empty());
        walk = NestVerifier::new(nest, tells, names_indices);
    }
}
