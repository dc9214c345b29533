//! What walks came to.

use std::collections::BTreeMap;
use std::fmt;

/// How much was tried.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Programs that were walked from.
    pub programs: u64,
    /// Rewrites, by strategies, too.
    pub steps: u64,
    /// Values before and after that were compared, and were the same.
    pub comparisons: u64,
    /// Those of which the class says nothing: not a number before, or decided by rounding or overflow.
    pub open: u64,
    /// Pairs of programs of which D was compared, too.
    pub duals: u64,
    /// Runs of the evaluator compared with the naive one.
    pub evaluations: u64,
    /// Exports that were legal, and run.
    pub exports: u64,
    /// Programs that took too long to run.
    pub long: u64,
    /// How often each rule rewrote something.
    pub fired: BTreeMap<String, u64>,
    /// What differed.
    pub differences: Vec<String>,
}

impl Tally {
    /// Both together.
    pub fn add(&mut self, other: Tally) {
        self.programs += other.programs;
        self.steps += other.steps;
        self.comparisons += other.comparisons;
        self.open += other.open;
        self.duals += other.duals;
        self.evaluations += other.evaluations;
        self.exports += other.exports;
        self.long += other.long;
        for (rule, count) in other.fired {
            *self.fired.entry(rule).or_default() += count;
        }
        self.differences.extend(other.differences);
    }

    /// The rules that never rewrote anything.
    pub fn idle(&self) -> Vec<&str> {
        self.fired.iter().filter(|(_, count)| **count == 0).map(|(rule, _)| rule.as_str()).collect()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { programs, steps, comparisons, open, duals, evaluations, exports, long, .. } = self;
        writeln!(
            f,
            "{programs} programs, {steps} steps, {comparisons} comparisons and {open} left open by their class"
        )?;
        writeln!(f, "{duals} pairs under D, too; {evaluations} evaluations, {exports} exports; {long} took too long")?;
        writeln!(f, "{} differences", self.differences.len())
    }
}
