//! From where a solution still leads to the goal.

use rustc_hash::FxHashMap;

use super::Lesson;
use crate::cost::cheaper_total;
use crate::derivation::Derivation;
use crate::ground::{Budget, StopReason};
use crate::rule::Rule;
use crate::strategy::{Outcome, Step, Strategy, Trace, run};
use crate::term::{Path, Program, Term};
use crate::why::WhyNot;

/// Where a derivation leaves the way to the goal.
#[derive(Clone, Debug)]
pub struct Turn {
    /// After so many steps a solution could go on to the goal, and after none of the later ones.
    pub after: usize,
    /// The solution.
    pub solution: Strategy,
    /// The step that leaves the way, which is the next one.
    pub away: Step,
    /// The term before it.
    pub whole: Term,
    /// A stage of the schedule that takes no step that is kept, and has the rule with which a solution would go on.
    pub idle: Option<String>,
}

/// What a solution does next at the end of a derivation.
#[derive(Clone, Debug)]
pub struct Next {
    /// The solution, which reaches the goal from there.
    pub solution: Strategy,
    /// The rule that it applies next.
    pub rule: Rule,
    /// Where.
    pub path: Path,
    /// Why the schedule didn't.
    pub why: Box<WhyNot>,
    /// What became of that rule where the schedule has it and took no step at all.
    pub own: Option<Own>,
}

/// What became of a schedule's own rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    /// The schedule is tried at the root alone: under `topDown` it takes a step.
    AtRoot,
    /// It isn't tried there, or what stands behind it fails there, too.
    Lost,
}

/// How a solution goes on from a term.
#[derive(Clone)]
pub(super) struct Way {
    /// The solution.
    pub(super) solution: Strategy,
    /// Its next step, unless the goal is reached.
    pub(super) first: Option<Step>,
}

/// The last term of a derivation that is on a way to the goal: after how many steps, and how it goes on. A term is on a way
/// if it is one of those that a solution leads through from the first term or a later one, or if a solution that begins
/// there reaches the goal.
pub(super) fn last_way(
    lesson: &Lesson,
    derivation: &Derivation,
    budget: &Budget,
) -> Result<Option<(usize, Way)>, StopReason> {
    let (mut known, mut last) = (FxHashMap::default(), None);
    for after in 0..=derivation.steps().len() {
        let term = derivation.term(after);
        if !known.contains_key(&term.fingerprint()) {
            let program = lesson.start.with(term.clone());
            for solution in &lesson.solutions {
                budget.ask()?;
                if let Some(trace) = continued(lesson, solution, &program, budget)? {
                    let nexts = trace.steps.iter().cloned().map(Some).chain([None]);
                    for (term, first) in std::iter::once(trace.start.clone()).chain(trace.terms()).zip(nexts) {
                        let way = Way { solution: solution.clone(), first };
                        let slot = known.entry(term.fingerprint()).or_insert(None);
                        slot.get_or_insert(way);
                    }
                }
            }
            known.entry(term.fingerprint()).or_insert(None);
        }
        if let Some(Some(way)) = known.get(&term.fingerprint()) {
            last = Some((after, way.clone()));
        }
    }
    Ok(last)
}

/// The steps of a solution from this program on, where they reach the goal.
fn continued(
    lesson: &Lesson,
    solution: &Strategy,
    program: &Program,
    budget: &Budget,
) -> Result<Option<Trace>, StopReason> {
    match run(solution, program, &budget.fresh(), cheaper_total) {
        Ok(run) => match run.outcome {
            Outcome::Success(term) if lesson.goal.is_reached(&term) => Ok(Some(run.trace)),
            _ => Ok(None),
        },
        Err(stop) => match stop.reason {
            StopReason::Steps(_) | StopReason::Size(_) | StopReason::Depth(_) => Ok(None),
            reason => Err(reason),
        },
    }
}
