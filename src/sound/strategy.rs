//! Testing a whole strategy on a term.

use super::compare::{Comparison, SIZES, Test, compare};
use crate::cost::cheaper_total;
use crate::ground::{Budget, Trouble};
use crate::rule::{Exactness, Reason};
use crate::strategy::{Outcome, Strategy, run};
use crate::term::Program;

/// What testing a strategy on a term came to.
#[derive(Clone, Debug)]
pub struct StrategyCheck {
    /// The term that it gives.
    pub after: Program,
    /// The least exact of the rules that fired.
    pub exactness: Exactness,
    /// Both terms compared in this sense.
    pub comparison: Comparison,
}

/// Applies a strategy and compares before and after, and D of both, as exactly as the rules that fired promise. The reason is the
/// strategy's own if it fails; wrong are programs that take or give functions.
pub fn check_strategy(
    strategy: &Strategy,
    program: &Program,
    seed: u64,
    budget: &Budget,
) -> Result<Result<StrategyCheck, Reason>, Trouble> {
    let done = run(strategy, program, budget, cheaper_total)?;
    let term = match done.outcome {
        Outcome::Success(term) => term,
        Outcome::Failure(reason) => return Ok(Err(reason)),
        Outcome::Looping(cycle) => return Err(cycle.diagnostic().into()),
    };
    let exactness = done.trace.steps.iter().map(|step| step.rule().info().exactness).max().unwrap_or_default();
    let after = Program { term, bounds: program.bounds.clone() };
    let test = Test { exactness, sizes: SIZES, dual_runs: 1, seed, most: u64::MAX };
    let comparison = compare(program, &after, &test, budget)?;
    Ok(Ok(StrategyCheck { after, exactness, comparison }))
}
