//! Compares whole terms with the first one: steps that are right one by one must lead to a term that is.

use super::fault::{DerivationFault, DifferingCase, StepFlaw};
use super::step::unless_it_ends_all;
use super::{Validation, program};
use crate::derivation::Derivation;
use crate::rule::{Exactness, Reason};
use crate::sound::{self, ComparisonPlan, Difference, ProgramComparison, SEED, SIZES, compare};
use crate::strategy::{Outcome, Strategy, Trace, run};
use redexter_language::cost::cheaper_total;
use redexter_language::ground::{Budget, StopReason, Trouble};
use redexter_language::term::{Program, SizeBounds, Term};

/// Whole terms are compared after each quarter of the steps.
const COMPARED_PARTS: usize = 4;

/// While both run at a size, the budget's watch may be asked so often; larger sizes are left out.
const MAX_ASKS: u64 = 780;

/// So many simpler inputs are tried.
const MAX_SHRINK_TRIES: u32 = 50;

/// The whole terms of a derivation.
pub(super) struct WholeTerms<'a> {
    trace: &'a Trace,
    first: Program,
    /// Whether the last term is compared with the first one.
    ends: bool,
    /// After so many steps the whole was the same.
    good: usize,
}

impl<'a> WholeTerms<'a> {
    pub(super) fn new(trace: &'a Trace, bounds: &SizeBounds, ends: bool) -> WholeTerms<'a> {
        WholeTerms { trace, first: program(&trace.start, bounds), ends, good: 0 }
    }

    /// Compares the term after so many steps, where it is the turn of one.
    pub(super) fn after(
        &mut self,
        count: usize,
        whole: &Term,
        found: &mut Validation,
        budget: &Budget,
    ) -> Result<Option<DerivationFault>, StopReason> {
        let (of, is_last) = (self.trace.steps.len(), count == self.trace.steps.len());
        let is_turn = (count - 1) * COMPARED_PARTS / of != count * COMPARED_PARTS / of;
        if is_last && !self.ends || !is_turn {
            return Ok(None);
        }
        let exactness = found.exactness;
        let test = ComparisonPlan {
            exactness,
            sizes: SIZES,
            dual_runs: u32::from(is_last),
            seed: SEED,
            most: MAX_ASKS,
            hints: None,
        };
        let compared = match compare(&self.first, &self.first.with(whole.clone()), &test, budget) {
            Ok(compared) => compared,
            Err(Trouble::Stopped { reason, .. }) => return unless_it_ends_all(reason).map(|()| None),
            // A term that takes or gives functions can't be run on random inputs, so that nothing is said of it.
            Err(Trouble::Wrong(_)) => return Ok(None),
        };
        found.wholes.0 += compared.runs.len();
        found.wholes.1 += compared.dual_runs;
        found.steep += compared.steep;
        match compared.difference {
            Some(difference) => self.first_wrong(count, exactness, difference, budget).map(Some),
            None => {
                self.good = count;
                Ok(None)
            }
        }
    }

    /// The first step whose whole term differs on these inputs, by halving.
    fn first_wrong(
        &self,
        bad: usize,
        exactness: Exactness,
        difference: Box<Difference>,
        budget: &Budget,
    ) -> Result<DerivationFault, StopReason> {
        let derivation = Derivation::of_run("", self.trace.clone().into());
        let whole = |count: usize| self.first.with(derivation.term(count));
        let (mut good, mut bad, mut known) = (self.good, bad, difference);
        while bad - good > 1 {
            budget.step()?;
            let middle = good + (bad - good) / 2;
            match sound::differ_on([&self.first, &whole(middle)], exactness, &known, budget)? {
                Some(earlier) => (bad, known) = (middle, earlier),
                None => good = middle,
            }
        }
        let case = DifferingCase::shrunk([&self.first, &whole(bad)], exactness, known, MAX_SHRINK_TRIES, budget)?;
        Ok(DerivationFault::at(bad - 1, &self.trace.steps[bad - 1], &derivation.term(bad - 1), StepFlaw::Whole(case)))
    }
}

/// The result of testing a strategy's two ends on a term.
#[derive(Clone, Debug)]
pub struct StrategyCheck {
    /// The term that it gives.
    pub after: Program,
    /// The least exact of the rules that fired.
    pub exactness: Exactness,
    /// Both terms compared in this sense.
    pub comparison: ProgramComparison,
}

/// Applies a strategy and compares before and after, and D of both, as exactly as the rules that fired promise; no step by
/// itself. The reason is the strategy's own if it fails; wrong are programs that take or give functions.
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
    let after = program.with(term);
    let test = ComparisonPlan { exactness, sizes: SIZES, dual_runs: 1, seed, most: u64::MAX, hints: None };
    let comparison = compare(program, &after, &test, budget)?;
    Ok(Ok(StrategyCheck { after, exactness, comparison }))
}
