//! Tries a rule on one instance: grows it, rewrites it by the rule, and compares what both programs give.

use std::cell::Cell;
use std::rc::Rc;

use super::check::Effort;
use super::compare::{Comparison, Test, compare_seen};
use super::coverage::Coverage;
use super::instance::{Instance, SIZED, Style, of_law, of_nothing, padded};
use super::shrink::Case;
use super::smaller::put;
use super::trial::{Fired, around, at};
use super::watch::Watch;
use crate::rule::{Exactness, Rule, RuleInfo};
use redexter_language::check::Law;
use redexter_language::ground::{Budget, Name, Random, StopReason, Trouble};

/// A rule's parameters are given numbers below this, and those of its text; so many times as often as it has parameters, or
/// as often as this squared.
const CHOICES: usize = 5;

/// While an instance runs, its budget's watch may be asked so often.
const ASKED: u64 = 7_800;

/// A function of a script is tried at so many places of a program, beside the one that it should fit.
const PLACES: usize = 12;

/// Sizes beyond those up to 9.
const LARGE: [u64; 3] = [17, 33, 65];

/// An instance that is to be had from this seed.
pub(super) struct Attempt<'a> {
    pub(super) info: &'a Rc<RuleInfo>,
    pub(super) exactness: Exactness,
    pub(super) effort: Effort,
    pub(super) style: Style<'a>,
    /// Whether trying the rule runs a function of a script.
    pub(super) asks: bool,
    /// How often it was tried.
    pub(super) tries: &'a Cell<u64>,
    pub(super) seed: u64,
}

/// The outcome of an attempt that fired.
pub(super) enum Tried {
    Right(Instance, Comparison),
    Wrong(Rule, Case),
    /// Running it takes too much.
    Long,
}

impl Attempt<'_> {
    /// Grows an instance of the law, or any program, and tries the rule on it; `None` if there is none, or the rule doesn't
    /// fire. `number`: which of the rule's own laws it is.
    pub(super) fn run(
        &self,
        law: Option<&Law>,
        number: Option<usize>,
        coverage: &mut Coverage,
        budget: &Budget,
    ) -> Result<Option<Tried>, StopReason> {
        budget.tick()?;
        let mut random = Random::new(self.seed);
        let arguments = self.arguments(&mut random);
        let named: Vec<(Name, u64)> = self.info.params.iter().cloned().zip(arguments.iter().copied()).collect();
        let style = Style { parameters: &named, ..self.style };
        let grown = match law {
            Some(law) => of_law(law, random.number(), style),
            None => of_nothing(random.number(), style),
        };
        let Some(instance) = grown else { return Ok(None) };
        let Some((rule, fired)) = self.fire(&instance, arguments, &mut random, budget)? else { return Ok(None) };
        let (instance, fired) = self.sized(&rule, instance, fired, &mut random)?;
        let sizes = self.sizes(&mut random);
        let test = Test {
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
        fired: Fired,
        random: &mut Random,
    ) -> Result<(Instance, Fired), StopReason> {
        // Where the rule fired on the instance itself, that has been padded while it grew.
        let program = (fired.path != instance.path).then(|| {
            let more = self.style.hints.nodes(SIZED, random)?.checked_sub(fired.redex.size())?;
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
                19 => *random.pick(&LARGE),
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
            of_text.unwrap_or_else(|| random.below(CHOICES) as u64)
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
    ) -> Result<Option<(Rule, Fired)>, StopReason> {
        let draws = self.info.params.iter().fold(1usize, |all, _| all.saturating_mul(CHOICES)).min(CHOICES * CHOICES);
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
        let most = if self.effort.calls < u64::MAX && self.asks { PLACES } else { usize::MAX };
        Ok(around(&rule, &instance.program, (start, most), self.tries, budget)?.map(|fired| (rule, fired)))
    }

    fn compare(
        &self,
        rule: Rule,
        instance: Instance,
        fired: Fired,
        test: &Test,
        seen: &mut dyn FnMut(&Watch),
        budget: &Budget,
    ) -> Result<Option<Tried>, StopReason> {
        let program = instance.program.clone();
        let Ok(after) = &fired.after else {
            // What doesn't fit its place is wrong without being run.
            return Ok(Some(Tried::Wrong(rule, Case { program, fired, difference: None })));
        };
        match compare_seen(&program, after, test, seen, &budget.asked_at_most(ASKED, Rc::default())) {
            Ok(Comparison { difference: Some(d), .. }) => {
                Ok(Some(Tried::Wrong(rule, Case { program, fired, difference: Some(d) })))
            }
            // No run could be compared, one at least because it took too long. That is counted, unlike the lack of inputs.
            Ok(Comparison { runs, long: 1.., .. }) if runs.is_empty() => Ok(Some(Tried::Long)),
            Ok(comparison) if comparison.runs.is_empty() => Ok(None),
            Ok(comparison) => Ok(Some(Tried::Right(instance, comparison))),
            // The instance's own limits, which only leave it out; any other limit ends the whole check.
            Err(Trouble::Stopped { reason: StopReason::Operations(ASKED) | StopReason::Elements(_), .. }) => {
                Ok(Some(Tried::Long))
            }
            Err(Trouble::Stopped { reason, .. }) => Err(reason),
            Err(Trouble::Wrong(_)) => Ok(None),
        }
    }
}
