//! Ranks terms: the lower the `TermRank`, the better.

use redexter_language::cost::Poly;
use redexter_language::ground::polynomial::degree;

/// First the work at typical sizes, then the power with which it grows, then the nodes. The order of the fields must stay,
/// because ranks are compared by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TermRank {
    work: u128,
    power: u64,
    size: u64,
}

impl TermRank {
    /// Of a term with this work, which comes to so much, and so many nodes.
    pub fn new(work: u128, formula: &Poly, size: u64) -> TermRank {
        let highest = formula.terms().first().map_or(0, |(product, _)| degree(product));
        TermRank { work, power: highest, size }
    }
}
