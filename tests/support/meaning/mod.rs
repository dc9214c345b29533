//! What rewrites must keep: programs grown at random are walked through the rule book, and after each step their values are
//! compared with those before; so are D and exports, and the evaluator with a naive one. `tests/rewriting/walks.rs` walks a
//! little, `examples/walks` as long as it is told to.
//!
//! `grow` makes programs, `walk` rewrites them, `compare` runs both sides, `export` what a walk ends at. `naive` is the other
//! evaluator, whose numbers (`number`) know how far rounding may have taken them, so that what a class leaves open is
//! computed and not guessed. `tally` counts. All of it follows from a seed.

pub mod compare;
mod export;
mod grow;
mod naive;
mod number;
mod tally;
mod walk;

pub use tally::Tally;
use walk::Walker;

use redexter::ground::with_stack;

/// Terms and strategies may nest so deep.
const DEPTH: u32 = 20_000;

/// Walks from the programs of these seeds, as long as `goes_on` says so, on a stack of its own.
pub fn walks(seeds: impl Iterator<Item = u64> + Send + 'static, goes_on: impl Fn() -> bool + Send + 'static) -> Tally {
    let work = move || {
        let mut walker = Walker::new();
        seeds.take_while(|_| goes_on()).for_each(|seed| walker.walk(seed));
        walker.tally
    };
    with_stack(DEPTH, work).expect("a thread")
}
