//! Finds what the result of a strategy needs, by running it without each of its parts (`Ablation`).

use std::rc::Rc;

use super::attempt::{AttemptEnd, RunEffort, RunLimits, RunSubject};
use super::stages::StrategyStages;
use crate::rule::{Reason, Rule};
use crate::strategy::{Strategy, Trace, fired, replacing};
use redexter_language::cost::{Poly, WorkMeter};
use redexter_language::ground::{Diagnostic, StopReason, Trouble};
use redexter_language::term::Term;

/// Each run is cut at so many times the steps of the whole strategy.
pub const CUT: usize = 3;

/// A run is hopeless if it takes so many times the rewrites and unfoldings of the whole strategy, those that come to nothing
/// among them,
const MAX_EFFORT_FACTOR: u64 = 10;

/// or comes to a term that is so many times as large as the largest of the whole strategy,
const MAX_SIZE_FACTOR: u64 = 10;

/// or looks for redexes for so many times as long,
const MAX_ASKS_FACTOR: u64 = 50;

/// but not before its watch was asked so often,
const MIN_ASKS: u64 = 50_000;

/// or its term has so many nodes.
const MIN_MAX_SIZE: u64 = 50_000;

/// The kind of parts that are left out, one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AblationParts {
    /// Each stage of the sequence that it is, for which `id` stands then.
    Stages,
    /// Each rule that fires, for which `fail` stands then wherever it is used.
    Rules,
}

/// A strategy without each of its parts.
#[derive(Clone, Debug)]
pub struct Ablation {
    /// The strategy, as it prints.
    pub strategy: String,
    /// What is left out.
    pub parts: AblationParts,
    /// The work before.
    pub start: Rc<Poly>,
    /// How many steps the whole strategy takes.
    pub steps: usize,
    /// What that takes.
    pub used: RunEffort,
    /// The work after it.
    pub work: Rc<Poly>,
    /// In the order of the strategy; rules in the order in which they fire first.
    pub rows: Vec<AblationRow>,
    /// How many parts there are.
    pub all: usize,
    /// What all runs take.
    pub used_in_all: RunEffort,
    /// What ended it before the last part.
    pub stopped: Option<Trouble>,
}

/// A strategy without one part.
#[derive(Clone, Debug)]
pub struct AblationRow {
    /// The part that is left out.
    pub name: String,
    /// How often the rule fires in the whole strategy.
    pub fires: Option<usize>,
    /// How many steps are left; None where it was hopeless.
    pub steps: Option<usize>,
    /// The work then, if there is a result.
    pub work: Option<Rc<Poly>>,
    /// What that does to the result.
    pub effect: AblationEffect,
}

/// The effect of leaving something out on the result.
#[derive(Clone, Debug)]
pub enum AblationEffect {
    /// It is the same term.
    Same,
    /// Another term of the same work.
    Term,
    /// The work has the same order, but is another.
    Factor,
    /// The work has an order that is higher, or not comparable.
    Lost,
    /// The work has a lower order.
    Gained,
    /// It fails.
    Failed(Reason),
    /// It would go on for ever.
    Endless(Diagnostic),
    /// It takes more than [`CUT`] times as many steps: it was cut after so many.
    Long(usize),
    /// It was cut because it tried rewrites, or looked for redexes, far longer than the whole strategy does, or its terms
    /// grew far larger.
    Hopeless,
    /// It came to a limit.
    Stopped(StopReason),
}

/// The reason why nothing can be left out.
#[derive(Clone, Debug)]
pub enum AblationError {
    /// The strategy is no sequence.
    NoStages,
    /// The whole strategy fails.
    Failed(Reason),
    /// The whole strategy would go on for ever.
    Endless(Diagnostic),
    /// The whole strategy comes to a limit.
    Stopped(Trouble),
}

/// Runs a strategy, and once more without each of its parts, each time on the program as it is.
pub fn ablate(subject: &RunSubject, strategy: &Strategy, parts: AblationParts) -> Result<Ablation, AblationError> {
    let stages = match parts {
        AblationParts::Stages => Some(StrategyStages::of(strategy).ok_or(AblationError::NoStages)?),
        AblationParts::Rules => None,
    };
    let start = &subject.program.term;
    let whole = subject.attempt(strategy, start);
    let result = match whole.end {
        AttemptEnd::Done(term) => term,
        AttemptEnd::Failed(reason) => return Err(AblationError::Failed(reason)),
        AttemptEnd::Endless(finding) => return Err(AblationError::Endless(finding)),
        AttemptEnd::Stopped(reason) => {
            return Err(AblationError::Stopped(whole.trouble.unwrap_or_else(|| reason.into())));
        }
    };
    let mut meter = WorkMeter::default();
    let mut work = |term: &Term| Rc::new(meter.total(term));
    let variants = match &stages {
        Some(stages) => each_stage(stages),
        None => each_rule(strategy, &whole.trace),
    };
    let mut found = Ablation {
        strategy: strategy.to_string(),
        parts,
        start: work(start),
        steps: whole.trace.steps.len(),
        used: whole.used,
        work: work(&result),
        rows: Vec::new(),
        all: variants.len(),
        used_in_all: whole.used,
        stopped: None,
    };
    let used = RunEffort {
        steps: whole.used.steps * MAX_EFFORT_FACTOR,
        asked: (whole.used.asked * MAX_ASKS_FACTOR).max(MIN_ASKS),
    };
    let most = RunLimits {
        steps: whole.trace.steps.len() * CUT,
        size: (largest(&whole.trace) * MAX_SIZE_FACTOR).max(MIN_MAX_SIZE),
        used,
    };
    for (name, fires, without) in variants {
        let run = subject.within(&without(), start, &most);
        found.used_in_all = found.used_in_all.plus(run.used);
        if run.trouble.is_some() {
            found.stopped = run.trouble;
            break;
        }
        let (effect, work) = match run.end {
            // Asked first, because a run that was cut has no end of its own.
            _ if run.is_cut => (AblationEffect::Long(most.steps), None),
            AttemptEnd::Done(term) => {
                let work = work(&term);
                (effect((&result, &found.work), (&term, &work)), Some(work))
            }
            AttemptEnd::Failed(reason) => (AblationEffect::Failed(reason), None),
            AttemptEnd::Endless(finding) => (AblationEffect::Endless(finding), None),
            AttemptEnd::Stopped(StopReason::Steps(n)) if n == used.steps => (AblationEffect::Hopeless, None),
            AttemptEnd::Stopped(StopReason::Operations(n)) if n == used.asked => (AblationEffect::Hopeless, None),
            AttemptEnd::Stopped(StopReason::Size(n)) if n == most.size => (AblationEffect::Hopeless, None),
            AttemptEnd::Stopped(reason) => (AblationEffect::Stopped(reason), None),
        };
        let steps = (!matches!(effect, AblationEffect::Hopeless)).then_some(run.trace.steps.len());
        found.rows.push(AblationRow { name, fires, steps, work, effect });
    }
    Ok(found)
}

/// A strategy without a part: the part's name, how often it fires, and the strategy once it is needed.
type AblationVariant<'a> = (String, Option<usize>, Box<dyn Fn() -> Strategy + 'a>);

fn each_stage(stages: &StrategyStages) -> Vec<AblationVariant<'_>> {
    let variant = |(k, name)| -> AblationVariant { (name, None, Box::new(move || stages.without(k))) };
    stages.names().into_iter().enumerate().map(variant).collect()
}

fn each_rule<'a>(strategy: &'a Strategy, trace: &Trace) -> Vec<AblationVariant<'a>> {
    let fail = Strategy::fail();
    let variant = |(rule, count): (&Rule, usize)| -> AblationVariant<'a> {
        let (rule, fail) = (rule.clone(), fail.clone());
        (rule.to_string(), Some(count), Box::new(move || replacing(strategy, &rule, &fail)))
    };
    fired(&trace.steps).into_iter().map(variant).collect()
}

/// The size of the largest whole term.
fn largest(trace: &Trace) -> u64 {
    let sizes = trace.steps.iter().scan(trace.start.size(), |size, step| {
        *size = size.saturating_sub(step.redex.size()).saturating_add(step.contractum.size());
        Some(*size)
    });
    sizes.fold(trace.start.size(), u64::max)
}

/// What another result is to the one with everything.
fn effect((whole, before): (&Term, &Poly), (term, work): (&Term, &Poly)) -> AblationEffect {
    match (work.grows_within(before), before.grows_within(work)) {
        _ if term == whole => AblationEffect::Same,
        _ if work == before => AblationEffect::Term,
        (true, true) => AblationEffect::Factor,
        (true, false) => AblationEffect::Gained,
        (false, _) => AblationEffect::Lost,
    }
}
