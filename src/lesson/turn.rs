//! From where a solution still leads to the goal.

use rustc_hash::FxHashSet;

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
    /// After so many steps a solution still reaches the goal, and after none of the later ones.
    pub after: usize,
    /// The solution.
    pub solution: Strategy,
    /// The step that leaves the way, which is the next one.
    pub away: Step,
    /// The term before it.
    pub whole: Term,
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
}

/// The last term of a derivation from which a solution reaches the goal: after how many steps, with the solution and what
/// it does from there.
pub(super) fn last_way(
    lesson: &Lesson,
    derivation: &Derivation,
    budget: &Budget,
) -> Result<Option<(usize, Strategy, Trace)>, StopReason> {
    let mut known = FxHashSet::default();
    for after in (0..=derivation.steps().len()).rev() {
        let term = derivation.term(after);
        if !known.insert(term.fingerprint()) {
            continue;
        }
        for solution in &lesson.solutions {
            budget.ask()?;
            if let Some(trace) = continued(lesson, solution, &lesson.start.with(term.clone()), budget)? {
                return Ok(Some((after, solution.clone(), trace)));
            }
        }
    }
    Ok(None)
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
