//! Testing one rule.

use std::rc::Rc;

use super::compare::{Comparison, Test, compare};
use super::counterexample::CounterExample;
use super::instance::{Instance, of_law, of_nothing};
use super::shrink::{Case, shrink};
use super::templates::Templates;
use super::trial::{Fired, anywhere, at};
use crate::check::Law;
use crate::ground::{Budget, Random, StopReason, Trouble};
use crate::rule::{Body, Exactness, Rule, RuleInfo};
use crate::term::{Path, Program};

/// A rule's parameters are given numbers below this.
const CHOICES: usize = 5;

/// While an instance runs, its budget's watch may be asked so often.
const ASKED: u64 = 7_800;

/// After so many instances that take more, no others are tried, unless more of them took less.
const MOST_LONG: u32 = 10;

/// How hard to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Instances on which the rule fires and both sides can be compared.
    pub instances: u32,
    /// So many attempts are made to find them.
    pub attempts: u32,
}

impl Effort {
    /// For a rule that a user defines.
    pub const QUICK: Effort = Effort { instances: 60, attempts: 900 };
    /// For the rules that ship.
    pub const THOROUGH: Effort = Effort { instances: 500, attempts: 15_000 };
}

/// What is known of a rule after testing it.
#[derive(Clone, Debug)]
pub enum Verdict {
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
    },
    /// It changes what a term means.
    Unsound(Box<CounterExample>),
    /// No instance could be had, so that nothing is known.
    Untested {
        /// Why.
        why: String,
    },
}

/// Tests a rule, with small numbers for its parameters. The same seed gives the same verdict. Wrong is a rule whose laws
/// can't be typed.
pub fn check_rule(
    info: &Rc<RuleInfo>,
    templates: &Templates,
    effort: Effort,
    seed: u64,
    budget: &Budget,
) -> Result<Verdict, Trouble> {
    let mut count = Count::default();
    Ok(match first_wrong(info, info.exactness, &mut count, (templates, effort, seed), budget)? {
        Some((rule, case)) => {
            let case = shrink(&rule, case, seed, budget)?;
            Verdict::Unsound(Box::new(CounterExample::new(&rule, case, seed)))
        }
        None => count.verdict(effort),
    })
}

/// Whether a rule would be found sound if it had this exactness.
pub fn keeps(
    info: &Rc<RuleInfo>,
    exactness: Exactness,
    templates: &Templates,
    effort: Effort,
    seed: u64,
    budget: &Budget,
) -> Result<bool, Trouble> {
    let mut count = Count::default();
    let wrong = first_wrong(info, exactness, &mut count, (templates, effort, seed), budget)?;
    Ok(wrong.is_none() && count.instances > 0)
}

/// The first instance on which a rule isn't as exact as this, and how the ones before it were compared.
fn first_wrong(
    info: &Rc<RuleInfo>,
    exactness: Exactness,
    count: &mut Count,
    (templates, effort, seed): (&Templates, Effort, u64),
    budget: &Budget,
) -> Result<Option<(Rule, Case)>, Trouble> {
    let laws = sources(info, templates)?;
    let mut seeds = Random::new(seed);
    for k in 0..effort.attempts as usize {
        if count.instances >= effort.instances {
            break;
        }
        let attempt = Attempt { info, exactness, seed: seeds.number() };
        match attempt.run(laws[k % laws.len()], budget)? {
            Some(Tried::Wrong(rule, case)) => return Ok(Some((rule, case))),
            Some(Tried::Right(instance, comparison)) => count.add(&instance, &comparison),
            Some(Tried::Long) => {
                count.long += 1;
                if count.long > MOST_LONG && !count.tells() {
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
    let grown = match laws[random.below(laws.len())] {
        Some(law) => of_law(law, random.number(), false),
        None => of_nothing(random.number(), false),
    };
    Ok(grown.map(|instance| (instance.program, instance.path)))
}

/// What instances are grown from: the rule's own laws and its templates. Where a function may want anything, all that
/// there is; `None` for a program that follows no law.
fn sources<'a>(info: &'a RuleInfo, templates: &'a Templates) -> Result<Vec<Option<&'a Law>>, Trouble> {
    Ok(match &info.body {
        Body::Laws(laws) => laws.iter()?.chain(templates.of(&info.name)?).map(Some).collect(),
        Body::Native(_) => templates.of(&info.name)?.into_iter().map(Some).chain([None]).collect(),
        Body::Computed(_) => templates.all()?.into_iter().flat_map(|law| [Some(law), None]).collect(),
    })
}

struct Attempt<'a> {
    info: &'a Rc<RuleInfo>,
    exactness: Exactness,
    seed: u64,
}

enum Tried {
    Right(Instance, Comparison),
    Wrong(Rule, Case),
    /// Running it takes too much.
    Long,
}

impl Attempt<'_> {
    /// Grows an instance of the law, or any program, and tries the rule on it; `None` if there is none, or the rule doesn't fire.
    fn run(&self, law: Option<&Law>, budget: &Budget) -> Result<Option<Tried>, StopReason> {
        budget.tick()?;
        let mut random = Random::new(self.seed);
        let gentle = self.exactness != Exactness::Exact;
        let grown = match law {
            Some(law) => of_law(law, random.number(), gentle),
            None => of_nothing(random.number(), gentle),
        };
        let Some(instance) = grown else { return Ok(None) };
        let Some((rule, fired)) = self.fire(&instance, random.below(CHOICES), budget)? else { return Ok(None) };
        let test = Test {
            exactness: self.exactness,
            sizes: &[0, 1, 2, 2],
            dual_runs: 1,
            seed: random.number(),
            most: u64::MAX,
        };
        self.compare(rule, instance, fired, &test, budget)
    }

    /// The rule with the first arguments that make it fire where it should, or else anywhere.
    fn fire(&self, instance: &Instance, first: usize, budget: &Budget) -> Result<Option<(Rule, Fired)>, StopReason> {
        let count = self.info.params.len() as u32;
        let choices = CHOICES.saturating_pow(count).min(CHOICES * CHOICES);
        let rule = |choice: usize| {
            let digit = |k: u32| ((first + choice) / CHOICES.pow(k.min(8)) % CHOICES) as u64;
            Rule::new(self.info.clone(), &(0..count).map(digit).collect::<Vec<u64>>())
        };
        for choice in 0..choices {
            let rule = rule(choice);
            if let Some(fired) = at(&rule, &instance.program, &instance.path)? {
                return Ok(Some((rule, fired)));
            }
        }
        let rule = rule(0);
        Ok(anywhere(&rule, &instance.program, &instance.path, budget)?.map(|fired| (rule, fired)))
    }

    fn compare(
        &self,
        rule: Rule,
        instance: Instance,
        fired: Fired,
        test: &Test,
        budget: &Budget,
    ) -> Result<Option<Tried>, StopReason> {
        let program = instance.program.clone();
        let Ok(after) = &fired.after else {
            return Ok(Some(Tried::Wrong(rule, Case { program, fired, difference: None })));
        };
        match compare(&program, after, test, &budget.asked_at_most(ASKED, Rc::default())) {
            Ok(Comparison { difference: Some(d), .. }) => {
                Ok(Some(Tried::Wrong(rule, Case { program, fired, difference: Some(d) })))
            }
            Ok(comparison) if comparison.runs.is_empty() => Ok(None),
            Ok(comparison) => Ok(Some(Tried::Right(instance, comparison))),
            Err(Trouble::Stopped { reason: StopReason::Operations(ASKED) | StopReason::Elements(_), .. }) => {
                Ok(Some(Tried::Long))
            }
            Err(Trouble::Stopped { reason, .. }) => Err(reason),
            Err(Trouble::Wrong(_)) => Ok(None),
        }
    }
}

#[derive(Default)]
struct Count {
    instances: u32,
    at_zero: u32,
    at_one: u32,
    under_d: u32,
    /// Instances that took too much.
    long: u32,
}

impl Count {
    fn add(&mut self, instance: &Instance, comparison: &Comparison) {
        let at = |size: u64| {
            u32::from(comparison.runs.iter().any(|run| instance.sizes.iter().any(|n| run.value(n) == size)))
        };
        self.instances += 1;
        self.at_zero += at(0);
        self.at_one += at(1);
        self.under_d += u32::from(comparison.dual_runs > 0);
    }

    /// Whether there were instances, and most of those on which it fires could be compared.
    fn tells(&self) -> bool {
        self.instances > 0 && self.instances >= self.long
    }

    fn verdict(self, effort: Effort) -> Verdict {
        let Count { instances, at_zero, at_one, under_d, long } = self;
        if self.tells() {
            return Verdict::Tested { instances, at_zero, at_one, under_d };
        }
        if long > 0 {
            let why = "running the terms on which it fires takes too long, or too much memory".to_owned();
            return Verdict::Untested { why };
        }
        let why = format!("none of {} random terms is an instance on which the rule fires", effort.attempts);
        Verdict::Untested { why }
    }
}
