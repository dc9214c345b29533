//! What a derivative costs beside its primal, by the symbolic work of both.

use redexter::cost::{COMPARED_SIZES, Work, work};
use redexter::growth::{OrderRatio, order};
use redexter::term::Program;

/// What a derivative costs beside its primal.
pub struct Figures {
    /// Flops and compares for one of the primal, with every size small.
    pub ratio: f64,
    /// Work for one of the primal's, at the worst sizes.
    pub order: f64,
    /// Which of them are large.
    pub at: String,
}

impl Figures {
    pub fn of(primal: &Program, derivative: &Program) -> Figures {
        let [small, large] = COMPARED_SIZES;
        let operations = |work: Work| work.flops.plus(&work.compares).at(|_| small) as f64;
        let [before, after] = [primal, derivative].map(|program| operations(work(&program.term)));
        let OrderRatio { ratio, at, .. } = order(primal, derivative);
        let names: Vec<&str> = at.iter().filter(|(_, n)| *n == large).map(|(name, _)| name.as_str()).collect();
        Figures { ratio: after / before.max(1.0), order: ratio, at: names.join(" ") }
    }
}
