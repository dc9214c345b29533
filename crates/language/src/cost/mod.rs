//! Computes symbolic work: how much running a term costs, as polynomials in its open sizes, without running it.
//!
//! It mirrors the evaluator's counting without knowing the evaluator, which is why tests may compare them.

mod closures;
mod compare;
mod factor;
mod memory;
mod poly;
mod reason;
mod sums;
mod unknown;
mod walk;

pub use compare::{COMPARED_SIZES, TotalTest, WorkChange, WorkComparison, cheaper_total, compare, corners};
pub use factor::{CALL, MAX_PRODUCTS, SumFactor, WorkFactor};
pub use memory::memory;
pub use poly::Poly;
pub use reason::UnknownReason;
pub use unknown::{UnknownWork, why_unknown};
pub use walk::WorkMeter;

use crate::ground::Name;
use crate::term::{SizeBounds, Term};

/// The size at which work is shown as one number, where no lower bound is greater.
pub const TYPICAL_SIZE: u64 = 100;

/// The work of running a term, a polynomial for each kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Real `+ - * /`, negation, `min`, `max` and named functions.
    pub flops: Poly,
    /// Comparisons of any type.
    pub compares: Poly,
    /// Indexings.
    pub reads: Poly,
    /// Elements stored by `build`.
    pub writes: Poly,
    /// Runs of a body of `build` or `ifold`.
    pub iterations: Poly,
}

impl Work {
    /// Each kind, in the order of the fields.
    pub fn kinds(&self) -> [&Poly; 5] {
        [&self.flops, &self.compares, &self.reads, &self.writes, &self.iterations]
    }

    /// Flops, compares, reads and writes together.
    pub fn total(&self) -> Poly {
        if self.flops.is_unknown() {
            return Poly::unknown();
        }
        self.flops.plus(&self.compares).plus(&self.reads).plus(&self.writes)
    }

    /// The total where the open sizes have these values; saturates at 2^128 - 1, which is also that of what isn't known.
    pub fn at(&self, value: impl Fn(&Name) -> u64) -> u128 {
        self.total().at(value)
    }
}

/// The work of running a term once: its outermost λs are parameters, entered once.
///
/// Equal to what the evaluator counts, except: an `if` counts as its condition and the larger branch, coefficient by
/// coefficient, which is an upper bound; a choice among functions, by `if`, by a fold or by indexing an array of them, costs
/// as much as the most expensive one; and a call of a function that comes from outside (a free variable, a parameter) counts as
/// [`CALL`]. Where functions can't be followed, nothing of the work is known: [`why_unknown`] says where and why.
///
/// Where a formula has more than [`MAX_PRODUCTS`] products, sums of sizes stay factors of it, as in `(n + m)^12`; where it
/// still has more, sums of products do. Its value is the same, but for an `if` whose branches have different sums: that may
/// count as both.
pub fn work(term: &Term) -> Work {
    WorkMeter::default().work(term)
}

/// The value of work at sizes of [`TYPICAL_SIZE`], or at their lower bounds where those are greater.
pub fn typical(work: &Poly, bounds: &SizeBounds) -> u128 {
    work.at(|name| bounds.lower(name).max(TYPICAL_SIZE))
}
