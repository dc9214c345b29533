//! Runs two strategies on one program, and compares them side by side.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::align::{AlignedSteps, HashedTerms, pieces};
use super::attempt::{AttemptEnd, RunEffort, RunSubject, StrategyAttempt};
use super::term_hash::TermHashes;
use crate::rule::{Exactness, Rule};
use crate::sound::{self, ProgramComparison};
use crate::strategy::{Step, Strategy, Trace};
use redexter_language::cost::{Poly, WorkMeter};
use redexter_language::ground::order::InOrder;
use redexter_language::ground::{Diagnostic, StopReason, Trouble, code};
use redexter_language::term::{Path, Term};

/// While both run at a size, the budget's watch may be asked so often; larger sizes are left out.
const MAX_ASKS: u64 = 195;

/// Two strategies on one program.
#[derive(Clone, Debug)]
pub struct SideBySide {
    /// The work of the program.
    pub start: Rc<Poly>,
    /// What each came to.
    pub sides: [ComparedSide; 2],
    /// Their derivations from beginning to end, as far as both have one.
    pub aligned: Vec<AlignedSteps>,
    /// Where they part.
    pub parting: Option<CommonTerm>,
    /// The step that each takes there, if it does.
    pub next: [Option<DivergingStep>; 2],
    /// Where they meet again first.
    pub meeting: Option<CommonTerm>,
    /// How many steps each rule took, by its name without arguments: the most first.
    pub rules: Vec<(String, [usize; 2])>,
    /// How many steps were taken in the outermost named strategies, in the order of their first steps.
    pub stages: Vec<(Rc<str>, [usize; 2])>,
    /// What it comes to.
    pub verdict: SidesVerdict,
    /// How many steps were taken again to find the terms of both.
    pub replayed: usize,
    /// What ended it early.
    pub stopped: Option<Trouble>,
}

/// One of them.
#[derive(Clone, Debug)]
pub struct ComparedSide {
    /// The strategy, as it prints.
    pub strategy: String,
    /// How it ended; None where it didn't run, because all was ended before.
    pub end: Option<AttemptEnd>,
    /// How many steps it took.
    pub steps: usize,
    /// What that took.
    pub used: RunEffort,
    /// The work at its end.
    pub work: Option<Rc<Poly>>,
}

/// A term that both derivations have.
#[derive(Clone, Debug)]
pub struct CommonTerm {
    /// After so many steps of each.
    pub after: [usize; 2],
    /// The term.
    pub term: Term,
    /// Its work.
    pub work: Rc<Poly>,
}

/// A step.
#[derive(Clone, Debug)]
pub struct DivergingStep {
    /// Its number, from 1.
    pub number: usize,
    /// The rule, with its arguments.
    pub rule: Rule,
    /// Where it is taken.
    pub path: Path,
    /// That place as an address.
    pub address: String,
    /// The named strategies around it, outermost first.
    pub within: Rc<[Rc<str>]>,
}

/// The verdict on two strategies.
#[derive(Clone, Debug)]
pub enum SidesVerdict {
    /// The same steps.
    Steps,
    /// The same rewrites in another order; the same term.
    Order,
    /// The same term in other steps.
    Term,
    /// Another term that gives the same results on random inputs.
    Meaning {
        /// In this sense: that of the least exact rule that was used.
        exactness: Exactness,
        /// How it was tested.
        tests: Box<ProgramComparison>,
    },
    /// Another term, and it isn't known whether it means the same: what is in the way.
    Unknown(Trouble),
    /// Another term with other results: a rule is unsound.
    Different {
        /// In this sense.
        exactness: Exactness,
        /// How it was tested.
        tests: Box<ProgramComparison>,
    },
    /// At least one came to no term.
    Unfinished,
}

impl SideBySide {
    /// The number of the side that ends with less work for large sizes: 0 or 1.
    pub fn cheaper(&self) -> Option<usize> {
        let [Some(first), Some(second)] = [0, 1].map(|k| self.sides[k].work.as_deref()) else { return None };
        match (first.is_below(second), second.is_below(first)) {
            (true, _) => Some(0),
            (_, true) => Some(1),
            _ => None,
        }
    }
}

/// Runs both, and compares how they went and what they came to. Each run has the limits of the subject; the terms of each are
/// gone through once more. Where both end with different terms, these run on random inputs.
pub fn compare(subject: &RunSubject, strategies: [&Strategy; 2]) -> SideBySide {
    let start = &subject.program.term;
    let first = subject.attempt(strategies[0], start);
    let second = first.trouble.is_none().then(|| subject.attempt(strategies[1], start));
    let mut stopped = first.trouble.clone().or_else(|| second.as_ref().and_then(|second| second.trouble.clone()));
    let mut meter = WorkMeter::default();
    let mut work = |term: &Term| Rc::new(meter.total(term));
    let nothing = Trace { start: start.clone(), steps: Vec::new() };
    let traces = [&first.trace, second.as_ref().map_or(&nothing, |second| &second.trace)];
    let mut found = SideBySide {
        start: work(start),
        sides: [side(strategies[0], Some(&first), &mut work), side(strategies[1], second.as_ref(), &mut work)],
        aligned: Vec::new(),
        parting: None,
        next: [None, None],
        meeting: None,
        rules: rules(traces),
        stages: stages(strategies, traces),
        verdict: SidesVerdict::Unfinished,
        replayed: 0,
        stopped: None,
    };
    if second.as_ref().is_some_and(|second| has_way(&first) && has_way(second))
        && let Err(reason) = found.align(traces, subject, &mut work)
    {
        stopped = stopped.or(Some(reason.into()));
    }
    if let (AttemptEnd::Done(a), Some(AttemptEnd::Done(b))) = (&first.end, second.as_ref().map(|second| &second.end)) {
        found.verdict = verdict(subject, [a, b], traces, found.aligned.len());
    }
    found.stopped = stopped;
    found
}

/// Whether its steps tell something: a failure has none.
fn has_way(attempt: &StrategyAttempt) -> bool {
    matches!(attempt.end, AttemptEnd::Done(_)) || !attempt.trace.steps.is_empty()
}

fn side(
    strategy: &Strategy,
    attempt: Option<&StrategyAttempt>,
    work: &mut impl FnMut(&Term) -> Rc<Poly>,
) -> ComparedSide {
    let end = attempt.map(|attempt| attempt.end.clone());
    let work = match &end {
        Some(AttemptEnd::Done(term)) => Some(work(term)),
        _ => None,
    };
    let steps = attempt.map_or(0, |attempt| attempt.trace.steps.len());
    ComparedSide {
        strategy: strategy.to_string(),
        end,
        steps,
        used: attempt.map(|attempt| attempt.used).unwrap_or_default(),
        work,
    }
}

impl SideBySide {
    fn align(
        &mut self,
        traces: [&Trace; 2],
        subject: &RunSubject,
        work: &mut impl FnMut(&Term) -> Rc<Poly>,
    ) -> Result<(), StopReason> {
        let budget = subject.budget.fresh();
        let mut known = TermHashes::default();
        let end =
            self.sides[0].end.as_ref().and_then(|end| if let AttemptEnd::Done(term) = end { Some(term) } else { None });
        let mut first = HashedTerms::of(traces[0], end, &mut known, &budget)?;
        let second = HashedTerms::of(traces[1], None, &mut known, &budget)?;
        self.aligned = pieces(&first, &second, &budget)?;
        if let [common, apart, rest @ ..] = &self.aligned[..] {
            let after = common.steps.each_ref().map(|steps| steps.end);
            let term = first.term(after[0]);
            let next = |k: usize| {
                let (number, step) = (after[k] + 1, traces[k].steps.get(after[k])?);
                let (path, within) = (step.path(), step.within().clone());
                Some(DivergingStep { number, rule: step.rule().clone(), address: address(&term, &path), path, within })
            };
            self.next = [next(0), next(1)];
            self.parting = Some(CommonTerm { after, work: work(&term), term });
            if !rest.is_empty() {
                let after = apart.steps.each_ref().map(|steps| steps.end);
                let term = first.term(after[0]);
                self.meeting = Some(CommonTerm { after, work: work(&term), term });
            }
        }
        debug_assert_eq!([first.steps(), second.steps()], traces.map(|trace| trace.steps.len()));
        self.replayed = first.replayed();
        Ok(())
    }
}

fn address(term: &Term, path: &Path) -> String {
    path.address(term)
}

/// What two terms that were reached from one come to; the ways to them are in so many pieces.
fn verdict(subject: &RunSubject, [a, b]: [&Term; 2], traces: [&Trace; 2], pieces: usize) -> SidesVerdict {
    if a == b {
        return match traces.map(rewrites) {
            _ if pieces == 1 => SidesVerdict::Steps,
            [first, second] if first == second => SidesVerdict::Order,
            _ => SidesVerdict::Term,
        };
    }
    let steps = || traces.into_iter().flat_map(|trace| &trace.steps);
    let exactness = steps().map(|step| step.rule().info().exactness).max().unwrap_or_default();
    let [a, b] = [a, b].map(|term| subject.program.with(term.clone()));
    match sound::equivalent_within(&a, &b, exactness, sound::SEED, MAX_ASKS, &subject.budget.fresh()) {
        Ok(tests) if tests.difference.is_some() => SidesVerdict::Different { exactness, tests: Box::new(tests) },
        Ok(tests) if tests.runs.is_empty() => SidesVerdict::Unknown(untold(&tests)),
        Ok(tests) => SidesVerdict::Meaning { exactness, tests: Box::new(tests) },
        Err(trouble) => SidesVerdict::Unknown(trouble),
    }
}

/// Why no run told anything.
fn untold(tests: &ProgramComparison) -> Trouble {
    let why = match (tests.unfit, tests.steep) {
        (0, _) => "no random inputs can be made: a parameter is a function".to_owned(),
        (n, steep) if steep > 0 => {
            format!("{n} runs told nothing: in {steep}, NaN is a zero tangent times an infinite slope")
        }
        (n, _) => format!("{n} runs told nothing: NaN or infinities, or results that hang on the last digits"),
    };
    Diagnostic::error(code::COMMAND, why).into()
}

/// The rewrites of a derivation wherever they were taken, each with how often.
fn rewrites(trace: &Trace) -> BTreeMap<(String, u128, u128), usize> {
    let mut all = BTreeMap::new();
    for step in &trace.steps {
        let ends = (step.rule().to_string(), step.redex.fingerprint(), step.contractum.fingerprint());
        *all.entry(ends).or_insert(0) += 1;
    }
    all
}

fn rules(traces: [&Trace; 2]) -> Vec<(String, [usize; 2])> {
    let mut all: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (k, trace) in traces.iter().enumerate() {
        trace.steps.iter().for_each(|step| all.entry(step.rule().info().name.as_str()).or_default()[k] += 1);
    }
    let mut all: Vec<_> = all.into_iter().map(|(name, counts)| (name.to_owned(), counts)).collect();
    all.order_by_key(|(_, counts)| std::cmp::Reverse(counts[0].max(counts[1])));
    all
}

fn stages(strategies: [&Strategy; 2], traces: [&Trace; 2]) -> Vec<(Rc<str>, [usize; 2])> {
    let mut all: Vec<(Rc<str>, [usize; 2])> = Vec::new();
    for (k, (trace, strategy)) in traces.iter().zip(strategies).enumerate() {
        let (around, own) = (all_within(&trace.steps), strategy.to_string());
        for step in &trace.steps {
            let Some(name) = step.within().get(around).filter(|name| ***name != *own) else { continue };
            match all.iter_mut().find(|(known, _)| known == name) {
                Some((_, counts)) => counts[k] += 1,
                None => all.push((name.clone(), [usize::from(k == 0), usize::from(k == 1)])),
            }
        }
    }
    all
}

/// How many definitions all steps are within, of which the stages are those further in: not the last one of any step.
fn all_within(steps: &[Step]) -> usize {
    let Some(first) = steps.first() else { return 0 };
    let common = |step: &Step| {
        let same = first.within().iter().zip(step.within().iter()).take_while(|(one, other)| one == other).count();
        same.min(step.within().len().saturating_sub(1))
    };
    steps.iter().map(common).min().unwrap_or(0)
}
