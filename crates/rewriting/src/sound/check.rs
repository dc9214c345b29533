//! Tests one rule on many instances, until one of them shows that it is unsound or enough have kept their meaning.

use std::cell::Cell;
use std::rc::Rc;

use super::attempt::{InstanceAttempt, InstanceOutcome};
use super::compare::ProgramComparison;
use super::counterexample::CounterExample;
use super::coverage::BranchCoverage;
use super::hints::Hints;
use super::instance::{GrowthStyle, Instance, of_law, of_nothing};
use super::shrink::{FailingCase, shrink};
use super::templates::Templates;
use crate::rule::{ContextUse, Exactness, Rule, RuleBody, RuleInfo};
use redexter_language::check::Law;
use redexter_language::ground::{Budget, Random, Trouble};
use redexter_language::term::{Path, Program};

/// After so many instances that take more, no others are tried, unless more of them took less.
const MAX_LONG_INSTANCES: u32 = 10;

/// While not every branch of its right sides ran, a rule is tried on so many times more instances.
const UNCOVERED_FACTOR: u32 = 2;

/// The effort that testing a rule may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestEffort {
    /// Instances on which the rule fires and both sides can be compared.
    pub instances: u32,
    /// So many attempts are made to find them.
    pub attempts: u32,
    /// Each is run on so many inputs.
    pub runs: u32,
    /// And under D on so many.
    pub dual_runs: u32,
    /// A rule that runs functions of a script is tried so often.
    pub calls: u64,
    /// While one run goes on, its budget's watch may be asked so often; longer ones are left out.
    pub asked: u64,
    /// The same of programs for a rule without laws, which are any.
    pub asked_of_any: u64,
}

impl TestEffort {
    /// For a rule that a user defines.
    pub const QUICK: TestEffort =
        TestEffort { instances: 120, attempts: 1_200, runs: 6, dual_runs: 3, calls: 1_500, asked: 60, asked_of_any: 6 };
    /// For the rules that ship.
    pub const THOROUGH: TestEffort = TestEffort {
        instances: 500,
        attempts: 15_000,
        runs: 10,
        dual_runs: 4,
        calls: u64::MAX,
        asked: 120,
        asked_of_any: 120,
    };
}

/// The outcome of testing a rule.
#[derive(Clone, Debug)]
pub enum SoundnessVerdict {
    /// Nothing was found against it.
    Tested {
        /// Instances on which it fired and both sides could be compared.
        instances: u32,
        /// Those of them in which a size was 0.
        at_zero: u32,
        /// Those of them in which a size was 1.
        at_one: u32,
        /// Those of them that were compared under D, too.
        under_d: u32,
        /// So many runs in all.
        runs: u64,
        /// Branches of its right sides that none of them took, in words.
        unreached: Vec<String>,
    },
    /// It changes what a term means.
    Unsound(Box<CounterExample>),
    /// No instance could be had, so that nothing is known.
    Untested {
        /// Why.
        why: String,
        /// On so many random terms it was tried.
        terms: u32,
    },
}

/// Tests a rule, with small numbers for its parameters. The same seed gives the same verdict. Wrong is a rule whose laws
/// can't be typed.
pub fn check_rule(
    info: &Rc<RuleInfo>,
    templates: &Templates,
    effort: TestEffort,
    seed: u64,
    budget: &Budget,
) -> Result<SoundnessVerdict, Trouble> {
    let mut count = TestTally::default();
    Ok(match first_wrong(info, info.exactness, &mut count, (templates, effort, seed), budget)? {
        Some((rule, case)) => {
            let case = shrink(&rule, case, seed, budget)?;
            SoundnessVerdict::Unsound(Box::new(CounterExample::new(&rule, case, seed)))
        }
        None => count.verdict(),
    })
}

/// Whether a rule would be found sound if it had this exactness.
pub fn keeps(
    info: &Rc<RuleInfo>,
    exactness: Exactness,
    templates: &Templates,
    effort: TestEffort,
    seed: u64,
    budget: &Budget,
) -> Result<bool, Trouble> {
    let mut count = TestTally::default();
    let wrong = first_wrong(info, exactness, &mut count, (templates, effort, seed), budget)?;
    // Without any instance nothing would have been shown.
    Ok(wrong.is_none() && count.instances > 0)
}

/// The first instance on which a rule isn't as exact as this, and how the ones before it were compared.
fn first_wrong(
    info: &Rc<RuleInfo>,
    exactness: Exactness,
    count: &mut TestTally,
    (templates, effort, seed): (&Templates, TestEffort, u64),
    budget: &Budget,
) -> Result<Option<(Rule, FailingCase)>, Trouble> {
    let laws = sources(info, templates)?;
    let own = if let RuleBody::Laws(laws) = &info.body { laws.iter()?.count() } else { 0 };
    count.coverage = BranchCoverage::of(laws.iter().take(own).flatten().copied());
    // Only a rule that inspects its context needs instances below a parameter index.
    let placed = Rule::new(info.clone(), &vec![1; info.params.len()]).footprint().context != ContextUse::Nothing;
    let hints = Hints::of(info);
    let (asks, tries) = (info.asks_functions(), Cell::new(0));
    let mut seeds = Random::new(seed);
    for k in 0..effort.attempts as usize {
        // More instances may still reach a branch that none took, so that the rule is tried longer.
        let wanted = if count.coverage.is_complete() { 1 } else { UNCOVERED_FACTOR };
        if count.instances >= effort.instances * wanted {
            break;
        }
        if asks && tries.get() >= effort.calls {
            break;
        }
        let style = GrowthStyle {
            gentle: exactness != Exactness::Exact,
            placed,
            lawless: own == 0,
            hints: &hints,
            parameters: &[],
        };
        let attempt = InstanceAttempt { info, exactness, effort, style, asks, tries: &tries, seed: seeds.number() };
        let k = k % laws.len();
        // The rule's own laws come first among its sources, so that only these have numbers that coverage knows.
        let number = (k < own).then_some(k);
        count.terms += 1;
        match attempt.run(laws[k], number, &mut count.coverage, budget)? {
            Some(InstanceOutcome::Wrong(rule, case)) => return Ok(Some((rule, case))),
            Some(InstanceOutcome::Right(instance, comparison)) => count.add(&instance, &comparison),
            Some(InstanceOutcome::Long) => {
                count.long += 1;
                if count.long > MAX_LONG_INSTANCES && !count.tells() {
                    break;
                }
            }
            None => {}
        }
    }
    Ok(None)
}

/// One of the programs that the rule is tested on and the place where it is tried first, whether it fires there or not;
/// `None` where this seed has none.
pub fn sample(info: &RuleInfo, templates: &Templates, seed: u64) -> Result<Option<(Program, Path)>, Trouble> {
    let laws = sources(info, templates)?;
    let mut random = Random::new(seed);
    let style = GrowthStyle { gentle: false, placed: false, lawless: false, hints: &Hints::default(), parameters: &[] };
    let grown = match laws[random.below(laws.len())] {
        Some(law) => of_law(law, random.number(), style),
        None => of_nothing(random.number(), style),
    };
    Ok(grown.map(|instance| (instance.program, instance.path)))
}

/// What instances are grown from: the rule's own laws and its templates. Where a function may want anything, all that
/// there is; `None` for a program that follows no law.
fn sources<'a>(info: &'a RuleInfo, templates: &'a Templates) -> Result<Vec<Option<&'a Law>>, Trouble> {
    Ok(match &info.body {
        RuleBody::Laws(laws) => laws.iter()?.chain(templates.of(&info.name)?).map(Some).collect(),
        RuleBody::Native(_) => templates.of(&info.name)?.into_iter().map(Some).chain([None]).collect(),
        RuleBody::Computed(_) => templates.all()?.into_iter().flat_map(|law| [Some(law), None]).collect(),
    })
}

#[derive(Default)]
struct TestTally {
    /// Attempts, whether the rule fired or not.
    terms: u32,
    instances: u32,
    at_zero: u32,
    at_one: u32,
    under_d: u32,
    runs: u64,
    /// Instances that took too much.
    long: u32,
    coverage: BranchCoverage,
}

impl TestTally {
    fn add(&mut self, instance: &Instance, comparison: &ProgramComparison) {
        let at = |size: u64| {
            u32::from(comparison.runs.iter().any(|run| instance.sizes.iter().any(|n| run.value(n) == size)))
        };
        self.instances += 1;
        self.at_zero += at(0);
        self.at_one += at(1);
        self.under_d += u32::from(comparison.dual_runs > 0);
        self.runs += comparison.runs.len() as u64 + u64::from(comparison.dual_runs);
    }

    /// Whether there were instances, and most of those on which it fires could be compared.
    fn tells(&self) -> bool {
        self.instances > 0 && self.instances >= self.long
    }

    fn verdict(self) -> SoundnessVerdict {
        if self.tells() {
            let unreached = self.coverage.unreached();
            let TestTally { instances, at_zero, at_one, under_d, runs, .. } = self;
            return SoundnessVerdict::Tested { instances, at_zero, at_one, under_d, runs, unreached };
        }
        let terms = self.terms;
        let why = match self.long {
            0 => format!("none of {terms} random terms is an instance on which the rule fires"),
            _ => "running the terms on which it fires takes too long, or too much memory".to_owned(),
        };
        SoundnessVerdict::Untested { why, terms }
    }
}
