//! Explains why a schedule fails: which part of its sequence does, and how far the parts before it had come by then.

use super::Lesson;
use super::wrong_turn::{LastGoodTerm, WrongTurn};
use redexter_language::ground::{Budget, Trouble};
use redexter_language::term::Term;
use redexter_rewriting::compare::{AttemptEnd, StrategyStages};
use redexter_rewriting::derivation::Derivation;
use redexter_rewriting::rule::Reason;
use redexter_rewriting::strategy::{self, Step, Strategy, Trace};

/// The failure of a schedule.
#[derive(Clone, Debug)]
pub struct ScheduleFailure {
    /// Why.
    pub reason: Reason,
    /// The part of the sequence that fails, and after how many steps; None where the schedule is no sequence.
    pub part: Option<(String, usize)>,
    /// The advice, where it can be given of the part alone.
    pub remedy: Option<String>,
    /// The way on from the term on which that part failed.
    pub onward: Option<NextMove>,
    /// After so many steps the goal was reached.
    pub passed: Option<usize>,
}

/// The continuation from the term on which a schedule failed.
#[derive(Clone, Debug)]
pub enum NextMove {
    /// A solution takes this step of the whole term next.
    Step(Box<(Step, Term)>),
    /// The way was left.
    Left(Box<WrongTurn>),
}

impl ScheduleFailure {
    pub(super) fn of(
        lesson: &Lesson,
        schedule: &Strategy,
        reason: Reason,
        budget: &Budget,
    ) -> Result<ScheduleFailure, Trouble> {
        let remedy = |part: &Strategy, now: &Term| {
            part.as_rule().map(|_| strategy::remedy(part, &lesson.start.with(now.clone()), false, budget))
        };
        let whole = ScheduleFailure {
            reason,
            part: None,
            remedy: remedy(schedule, &lesson.start.term),
            onward: None,
            passed: None,
        };
        let Some(stages) = StrategyStages::of(schedule).filter(StrategyStages::is_bare) else { return Ok(whole) };
        let mut taken = Trace { start: lesson.start.term.clone(), steps: Vec::new() };
        let mut now = lesson.start.term.clone();
        for (k, name) in stages.names().into_iter().enumerate() {
            let part = lesson.run(stages.part(k), &now, budget)?;
            match part.end {
                AttemptEnd::Done(term) => {
                    taken.steps.extend(part.trace.steps);
                    now = term;
                }
                AttemptEnd::Failed(reason) => {
                    let part = Some((name, taken.steps.len()));
                    let passed = lesson.goal.passed(&taken);
                    let onward = NextMove::from(lesson, taken, budget)?;
                    return Ok(ScheduleFailure { reason, part, remedy: remedy(stages.part(k), &now), onward, passed });
                }
                AttemptEnd::Endless(_) | AttemptEnd::Stopped(_) => return Ok(whole),
            }
        }
        Ok(whole)
    }
}

impl NextMove {
    fn from(lesson: &Lesson, taken: Trace, budget: &Budget) -> Result<Option<NextMove>, Trouble> {
        let derivation = Derivation::of_run("", taken.into());
        let LastGoodTerm { after, first } = LastGoodTerm::last(lesson, &derivation, budget)?;
        let whole = derivation.term(after);
        Ok(match derivation.steps().get(after) {
            Some(away) => Some(NextMove::Left(Box::new(WrongTurn { after, away: away.clone(), whole, idle: None }))),
            None => first.map(|step| NextMove::Step(Box::new((step, whole)))),
        })
    }
}
