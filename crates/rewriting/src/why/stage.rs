//! Explains why a stage did nothing, or tells what it did.

use super::case::{PastRun, PastRunEnd, WhyCase};
use super::discard::{DiscardReport, discards};
use super::rule::{RuleAnswer, rule_at};
use super::schedule::Schedule;
use crate::derivation::{StageName, UnreachedAddress};
use crate::redex::RuleFamily;
use redexter_language::cost::Poly;
use redexter_language::ground::order::InOrder;
use redexter_language::ground::{Budget, StopReason};

/// Of a stage that did nothing so many rules are told of.
const MAX_TOLD_RULES: usize = 4;

/// Of a stage that did nothing so many rules are looked for.
const MAX_RULES: usize = 40;

/// The answer to why a stage did nothing, or to what it did.
#[derive(Clone, Debug)]
pub struct WhyStage {
    /// How it is addressed.
    pub stage: String,
    /// The strategy of the run.
    pub strategy: String,
    /// The number of its steps, how many each rule took, and its first and last.
    pub steps: usize,
    pub rules: Vec<(String, usize)>,
    pub span: Option<(usize, usize)>,
    /// The work before and after them, where they are in one piece.
    pub work: Option<(Poly, Poly)>,
    /// Of one that took no step: after how many steps of the derivation it began for the first time, and how often it did;
    /// None where it never began.
    pub began: Option<(usize, u64)>,
    /// What it begins with, as it prints, where that is less than all of it.
    pub beginning: Option<String>,
    /// What `cheaper` threw away within it or around it, and how often.
    pub discarded: (Vec<DiscardReport>, usize),
    /// Of one that took no step: the rules of it that came nearest to a redex at the term with which it began.
    pub nearest: Vec<RuleAnswer>,
    /// How many more rules it has.
    pub more: usize,
    /// The limit that ended the run before it began.
    pub cut: Option<StopReason>,
    /// The limit that ended the looking.
    pub stopped: Option<StopReason>,
}

/// The parts of the runs' strategies that names lead to, those of the last run first: the run and the part.
pub fn stages<'a>(runs: &'a [PastRun], ways: &[StageName]) -> Result<(&'a PastRun, usize), UnreachedAddress> {
    let mut missing: Option<UnreachedAddress> = None;
    // What a run that failed did in a stage isn't known.
    for run in runs.iter().rev().filter(|run| run.end != PastRunEnd::Failed) {
        match Schedule::of(&run.strategy).stages(ways) {
            Ok(found) => return Ok((run, found[0])),
            Err(unreached) => match &mut missing {
                Some(known) if known.reached == unreached.reached => {
                    known.there.extend(unreached.there);
                    let mut seen = std::collections::BTreeSet::new();
                    known.there.retain(|name| seen.insert(name.clone()));
                }
                Some(_) => {}
                None => missing = Some(unreached),
            },
        }
    }
    let none = || UnreachedAddress { reached: String::new(), missing: String::new(), there: Vec::new() };
    Err(missing.unwrap_or_else(none))
}

/// Tells what stages of the derivation did.
pub fn why_stage(case: &WhyCase, numbers: &[usize]) -> WhyStage {
    let pieces = case.derivation.pieces(numbers);
    let mut stage = case.address(numbers[0]);
    if let (true, Some((all, _))) = (numbers.len() > 1, stage.rsplit_once('#')) {
        stage = all.to_owned();
    }
    let run = pieces.first().and_then(|piece| case.run_of(piece.start));
    let mut why = WhyStage::new(stage, run);
    why.steps = pieces.iter().map(|piece| piece.len()).sum();
    why.rules = case.derivation.rules(&pieces);
    why.span = pieces.first().zip(pieces.last()).map(|(first, last)| (first.start + 1, last.end));
    if let [piece] = &pieces[..] {
        match case.derivation.works(piece, case.budget) {
            Ok((before, after)) => why.work = Some(((*before).clone(), (*after).clone())),
            Err(reason) => why.stopped = Some(reason),
        }
    }
    why
}

/// Explains why a part of a run's strategy took no step.
pub fn why_no_stage(case: &WhyCase, run: &PastRun, part: usize) -> WhyStage {
    let schedule = Schedule::of(&run.strategy);
    let mut why = WhyStage::new(schedule.address(part), Some(run));
    if let Err(reason) = look(case, run, (&schedule, part), &mut why) {
        why.stopped.get_or_insert(reason);
    }
    why
}

fn look(
    case: &WhyCase,
    run: &PastRun,
    (schedule, part): (&Schedule, usize),
    why: &mut WhyStage,
) -> Result<(), StopReason> {
    let from = run.span.start;
    why.began = began(run, schedule, part, case.budget)?;
    if let (None, PastRunEnd::Stopped { reason, .. }) = (&why.began, &run.end) {
        why.cut = Some(reason.clone());
    }
    let own = &schedule.part(part).within;
    let is_own = |within: &[std::rc::Rc<str>]| within.starts_with(own);
    why.discarded = discards(run, 3, case.budget, |step| is_own(step.within()))?;
    if why.discarded.1 > 0 || why.began.is_none() {
        return Ok(());
    }
    let after = why.began.map_or(from, |(first, ..)| first).min(case.derivation.steps().len());
    let program = if after == from { run.start.clone() } else { case.program(after) };
    let beginning = schedule.beginning(part);
    if schedule.part(beginning).strategy != schedule.part(part).strategy && beginning != part {
        why.beginning = Some(schedule.part(beginning).strategy.to_string());
    }
    let rules = schedule.all_rules(beginning);
    let mut all: Vec<RuleAnswer> = Vec::new();
    for rule in rules.iter().take(MAX_RULES) {
        all.push(rule_at(&RuleFamily::from(rule), &program, None, &[], case.budget));
    }
    all.order_by_key(|answer| std::cmp::Reverse(nearness(answer)));
    all.truncate(MAX_TOLD_RULES);
    // Only these are asked what would make them apply.
    for answer in &mut all {
        if let Some(rule) = rules.iter().find(|rule| rule.to_string() == answer.rule) {
            *answer = rule_at(&RuleFamily::from(rule), &program, None, case.all, case.budget);
        }
    }
    for answer in &mut all {
        answer.nearest.truncate(1);
        answer.others.clear();
    }
    why.stopped = all.iter().find_map(|answer| answer.stopped.clone());
    why.more = rules.len() - all.len();
    why.nearest = all;
    Ok(())
}

/// After how many steps of the derivation a part of a run's strategy began for the first time, and how often it did; None
/// where it never began. The run is taken again for that.
pub(super) fn began(
    run: &PastRun,
    schedule: &Schedule,
    part: usize,
    budget: &Budget,
) -> Result<Option<(usize, u64)>, StopReason> {
    let unseen = run.again(budget)?;
    // What is nothing but a choice of rules doesn't begin on its own.
    let mut names = std::iter::once(part).chain(schedule.around(part)).map(|at| &schedule.part(at).within);
    let begun = names.find_map(|names| unseen.begun().iter().find(|begun| begun.within == *names));
    let from = run.span.start;
    Ok(match begun {
        Some(begun) => match schedule.turn(part) {
            // Each use began once: this one in its turn.
            (turn, all) if all as u64 == begun.times => begun.after.get(turn).map(|after| (from + after, 1)),
            _ => begun.after.first().map(|after| (from + after, begun.times)),
        },
        None if schedule.part(part).within.is_empty() => Some((from, 1)),
        None => None,
    })
}

/// How near a rule came.
fn nearness(answer: &RuleAnswer) -> (bool, usize, usize) {
    let near = answer.nearest.first().map(|near| (near.explanation.matched, near.explanation.of));
    let (matched, of) = near.unwrap_or((0, 1));
    (!answer.applies.is_empty(), matched * 100 / of.max(1), matched)
}

impl WhyStage {
    fn new(stage: String, run: Option<&PastRun>) -> WhyStage {
        WhyStage {
            stage,
            strategy: run.map_or_else(String::new, |run| run.strategy.to_string()),
            steps: 0,
            rules: Vec::new(),
            span: None,
            work: None,
            began: None,
            beginning: None,
            discarded: Default::default(),
            nearest: Vec::new(),
            more: 0,
            cut: None,
            stopped: None,
        }
    }
}
