//! Tries a rule on one instance: grows it, rewrites it by the rule, and compares what both programs give.

use std::cell::Cell;
use std::rc::Rc;

use super::check::TestEffort;
use super::compare::{ComparisonPlan, ProgramComparison, compare_seen};
use super::coverage::BranchCoverage;
use super::instance::{GrowthStyle, Instance, SIZED_PERCENT, of_law, of_nothing, padded};
use super::shrink::FailingCase;
use super::smaller::put;
use super::trial::{Firing, around, at};
use super::watch::RunWatch;
use crate::rule::{Exactness, Rule, RuleInfo};
use redexter_language::check::Law;
use redexter_language::ground::{Budget, Name, Random, StopReason, Trouble};

/// A rule's parameters are given numbers below this, and those of its text; so many times as often as it has parameters, or
/// as often as this squared.
const ARGUMENT_CHOICES: usize = 5;

/// While an instance runs, its budget's watch may be asked so often.
const MAX_WATCH_CALLS: u64 = 7_800;

/// A function of a script is tried at so many places of a program, beside the one that it should fit.
const MAX_SCRIPT_PLACES: usize = 12;

/// Sizes beyond those up to 9.
const LARGE_SIZES: [u64; 3] = [17, 33, 65];

/// An instance that is to be had from this seed.
pub(super) struct InstanceAttempt<'a> {
    pub(super) info: &'a Rc<RuleInfo>,
    pub(super) exactness: Exactness,
    pub(super) effort: TestEffort,
    pub(super) style: GrowthStyle<'a>,
    /// Whether trying the rule runs a function of a script.
    pub(super) asks: bool,
    /// How often it was tried.
    pub(super) tries: &'a Cell<u64>,
    pub(super) seed: u64,
}

/// The outcome of an attempt that fired.
pub(super) enum InstanceOutcome {
    Right(Instance, ProgramComparison),
    Wrong(Rule, FailingCase),
    /// Running it takes too much.
    Long,
}

impl InstanceAttempt<'_> {
    /// Grows an instance of the law, or any program, and tries the rule on it; `None` if there is none, or the rule doesn't
    /// fire. `number`: which of the rule's own laws it is.
    pub(super) fn run(
        &self,
        law: Option<&Law>,
        number: Option<usize>,
        coverage: &mut BranchCoverage,
        budget: &Budget,
    ) -> Result<Option<InstanceOutcome>, StopReason> {
        budget.tick()?;
        let mut random = Random::new(self.seed);
        let arguments = self.arguments(&mut random);
        let named: Vec<(Name, u64)> = self.info.params.iter().cloned().zip(arguments.iter().copied()).collect();
        let style = GrowthStyle { parameters: &named, ..self.style };
        let grown = match law {
            Some(law) => of_law(law, random.number(), style),
            None => of_nothing(random.number(), style),
        };
        let Some(instance) = grown else { return Ok(None) };
        let Some((rule, fired)) = self.fire(&instance, arguments, &mut random, budget)? else { return Ok(None) };
        let (instance, fired) = self.sized(&rule, instance, fired, &mut random)?;
        let sizes = self.sizes(&mut random);
        let test = ComparisonPlan {
            exactness: self.exactness,
            sizes: &sizes,
            dual_runs: self.effort.dual_runs,
            seed: random.number(),
            most: if self.style.lawless { self.effort.asked_of_any } else { self.effort.asked },
            hints: Some(self.style.hints),
        };
        let sites = coverage.sites(number, &fired.contractum);
        self.compare(rule, instance, fired, &test, &mut |watch| coverage.note(&sites, watch), budget)
    }

    /// Now and then the same with a redex of as many nodes as the rule's text names. An instance on which the rule fires
    /// itself has grown so.
    fn sized(
        &self,
        rule: &Rule,
        instance: Instance,
        fired: Firing,
        random: &mut Random,
    ) -> Result<(Instance, Firing), StopReason> {
        // Where the rule fired on the instance itself, that has been padded while it grew.
        let program = (fired.path != instance.path).then(|| {
            let more = self.style.hints.nodes(SIZED_PERCENT, random)?.checked_sub(fired.redex.size())?;
            let kids = fired.redex.kid_count();
            let k = (kids > 0).then(|| random.below(kids))?;
            let part = padded(&fired.redex.kid(k), more, random);
            let redex = fired.redex.with_kid(k, part).ok()?;
            Some(instance.program.with(put(&instance.program.term, &fired.path.0, redex)?))
        });
        if let Some(program) = program.flatten()
            && let Some(sized) = at(rule, &program, &fired.path)?
        {
            return Ok((Instance { program, path: fired.path, ..instance }, sized));
        }
        Ok((instance, fired))
    }

    /// The sizes of its runs: 0, 1, 2 and others, those of the rule's text among them, in any order.
    fn sizes(&self, random: &mut Random) -> Vec<u64> {
        let of_text = &self.style.hints.sizes;
        let mut all = vec![0, 1, 2];
        while all.len() < self.effort.runs as usize {
            all.push(match random.below(20) {
                0..=8 if !of_text.is_empty() => *random.pick(of_text),
                19 => *random.pick(&LARGE_SIZES),
                _ => 3 + random.below(7) as u64,
            });
        }
        let by = random.below(all.len());
        all.rotate_left(by);
        all
    }

    /// What the rule's parameters are given: small numbers, and those of its text.
    fn arguments(&self, random: &mut Random) -> Vec<u64> {
        let mut argument = |_| {
            let of_text = self.style.hints.int(random).and_then(|n| u64::try_from(n).ok());
            of_text.unwrap_or_else(|| random.below(ARGUMENT_CHOICES) as u64)
        };
        self.info.params.iter().map(&mut argument).collect()
    }

    /// The rule where it should fire with these arguments, or others, or else anywhere.
    fn fire(
        &self,
        instance: &Instance,
        mut arguments: Vec<u64>,
        random: &mut Random,
        budget: &Budget,
    ) -> Result<Option<(Rule, Firing)>, StopReason> {
        let draws = self
            .info
            .params
            .iter()
            .fold(1usize, |all, _| all.saturating_mul(ARGUMENT_CHOICES))
            .min(ARGUMENT_CHOICES * ARGUMENT_CHOICES);
        for _ in 0..draws {
            let rule = Rule::new(self.info.clone(), &arguments);
            self.tries.set(self.tries.get() + 1);
            if let Some(fired) = at(&rule, &instance.program, &instance.path)? {
                return Ok(Some((rule, fired)));
            }
            arguments = self.arguments(random);
        }
        let rule = Rule::new(self.info.clone(), &arguments);
        let start = random.number();
        // Each try calls functions of a script, whose calls the effort limits.
        let most = if self.effort.calls < u64::MAX && self.asks { MAX_SCRIPT_PLACES } else { usize::MAX };
        Ok(around(&rule, &instance.program, (start, most), self.tries, budget)?.map(|fired| (rule, fired)))
    }

    fn compare(
        &self,
        rule: Rule,
        instance: Instance,
        fired: Firing,
        test: &ComparisonPlan,
        seen: &mut dyn FnMut(&RunWatch),
        budget: &Budget,
    ) -> Result<Option<InstanceOutcome>, StopReason> {
        let program = instance.program.clone();
        let Ok(after) = &fired.after else {
            // What doesn't fit its place is wrong without being run.
            return Ok(Some(InstanceOutcome::Wrong(rule, FailingCase { program, fired, difference: None })));
        };
        match compare_seen(&program, after, test, seen, &budget.asked_at_most(MAX_WATCH_CALLS, Rc::default())) {
            Ok(ProgramComparison { difference: Some(d), .. }) => {
                Ok(Some(InstanceOutcome::Wrong(rule, FailingCase { program, fired, difference: Some(d) })))
            }
            // No run could be compared, one at least because it took too long. That is counted, unlike the lack of inputs.
            Ok(ProgramComparison { runs, long: 1.., .. }) if runs.is_empty() => Ok(Some(InstanceOutcome::Long)),
            Ok(comparison) if comparison.runs.is_empty() => Ok(None),
            Ok(comparison) => Ok(Some(InstanceOutcome::Right(instance, comparison))),
            // The instance's own limits, which only leave it out; any other limit ends the whole check.
            Err(Trouble::Stopped {
                reason: StopReason::Operations(MAX_WATCH_CALLS) | StopReason::Elements(_), ..
            }) => Ok(Some(InstanceOutcome::Long)),
            Err(Trouble::Stopped { reason, .. }) => Err(reason),
            Err(Trouble::Wrong(_)) => Ok(None),
        }
    }
}
