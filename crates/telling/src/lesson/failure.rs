//! Explains why a schedule fails: which part of its sequence does, and how far the parts before it had come by then.

use super::Lesson;
use super::turn::{Turn, Way};
use redexter_language::ground::{Budget, Trouble};
use redexter_language::term::Term;
use redexter_rewriting::compare::{End, Stages};
use redexter_rewriting::derivation::Derivation;
use redexter_rewriting::rule::Reason;
use redexter_rewriting::strategy::{Step, Strategy, Trace};

/// The failure of a schedule.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Why.
    pub reason: Reason,
    /// The part of the sequence that fails, and after how many steps; None where the schedule is no sequence.
    pub part: Option<(String, usize)>,
    /// The advice, where it can be given of the part alone.
    pub remedy: Option<String>,
    /// The way on from the term on which that part failed.
    pub onward: Option<Onward>,
}

/// The continuation from the term on which a schedule failed.
#[derive(Clone, Debug)]
pub enum Onward {
    /// A solution takes this step of the whole term next.
    Step(Box<(Step, Term)>),
    /// The way was left.
    Left(Box<Turn>),
}

impl Failure {
    pub(super) fn of(
        lesson: &Lesson,
        schedule: &Strategy,
        reason: Reason,
        budget: &Budget,
    ) -> Result<Failure, Trouble> {
        let remedy = |part: &Strategy| part.as_rule().map(|_| part.remedy());
        let whole = Failure { reason, part: None, remedy: remedy(schedule), onward: None };
        let Some(stages) = Stages::of(schedule).filter(Stages::is_bare) else { return Ok(whole) };
        let mut taken = Trace { start: lesson.start.term.clone(), steps: Vec::new() };
        let mut now = lesson.start.term.clone();
        for (k, name) in stages.names().into_iter().enumerate() {
            let part = lesson.run(stages.part(k), &now, budget)?;
            match part.end {
                End::Done(term) => {
                    taken.steps.extend(part.trace.steps);
                    now = term;
                }
                End::Failed(reason) => {
                    let part = Some((name, taken.steps.len()));
                    let onward = Onward::from(lesson, taken, budget)?;
                    return Ok(Failure { reason, part, remedy: remedy(stages.part(k)), onward });
                }
                End::Endless(_) | End::Stopped(_) => return Ok(whole),
            }
        }
        Ok(whole)
    }
}

impl Onward {
    fn from(lesson: &Lesson, taken: Trace, budget: &Budget) -> Result<Option<Onward>, Trouble> {
        let derivation = Derivation::of_run("", taken.into());
        let Way { after, first } = Way::last(lesson, &derivation, budget)?;
        let whole = derivation.term(after);
        Ok(match derivation.steps().get(after) {
            Some(away) => Some(Onward::Left(Box::new(Turn { after, away: away.clone(), whole, idle: None }))),
            None => first.map(|step| Onward::Step(Box::new((step, whole)))),
        })
    }
}
