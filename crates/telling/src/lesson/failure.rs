//! Explains why a schedule fails: which part of its sequence does, and how far the parts before it had come by then.

use super::Lesson;
use super::wrong_turn::{LastGoodTerm, WrongTurn};
use redexter_language::ground::{Budget, Trouble};
use redexter_language::term::Term;
use redexter_rewriting::compare::{AttemptEnd, StrategyStages};
use redexter_rewriting::derivation::Derivation;
use redexter_rewriting::rule::Reason;
use redexter_rewriting::strategy::{self, Step, Strategy, StrategyForm, Trace, Unary};

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
    /// A part right before that one, which took no step.
    pub idle: Option<String>,
    /// Whether the steps before it lead back to the lesson's first term.
    pub is_back: bool,
    /// After so many steps the goal was reached.
    pub passed: Option<usize>,
}

/// So many rounds of a repetition are looked at as parts of a sequence.
const MAX_ROUNDS: u64 = 64;

/// The parts of a schedule that are tried one after another, a counted repetition round by round.
fn parts(schedule: &Strategy) -> Vec<(String, Strategy)> {
    if let StrategyForm::RepeatN(rounds @ 2..=MAX_ROUNDS, part) = schedule.form() {
        return (0..*rounds).map(|_| (part.to_string(), part.clone())).collect();
    }
    let Some(stages) = StrategyStages::of(schedule).filter(StrategyStages::is_bare) else { return Vec::new() };
    let each = |(k, name): (usize, String)| match parts(stages.part(k)) {
        rounds if matches!(stages.part(k).form(), StrategyForm::RepeatN(..)) && !rounds.is_empty() => rounds,
        _ => vec![(name, stages.part(k).clone())],
    };
    stages.names().into_iter().enumerate().flat_map(each).collect()
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
        let mut taken = Trace { start: lesson.start.term.clone(), steps: Vec::new() };
        let mut now = lesson.start.term.clone();
        let whole = ScheduleFailure {
            reason,
            part: None,
            remedy: match remedy(schedule, &now) {
                None => at_root(lesson, schedule, &now, budget)?,
                remedy => remedy,
            },
            onward: NextMove::from(lesson, taken.clone(), budget)?,
            idle: None,
            is_back: false,
            passed: None,
        };
        let mut idle = None;
        for (name, strategy) in parts(schedule) {
            let part = lesson.run(&strategy, &now, budget)?;
            match part.end {
                AttemptEnd::Done(term) => {
                    idle = part.trace.steps.is_empty().then_some(name);
                    taken.steps.extend(part.trace.steps);
                    now = term;
                }
                AttemptEnd::Failed(reason) => {
                    let part = Some((name, taken.steps.len()));
                    let passed = lesson.goal.passed(&taken);
                    let is_back = !taken.steps.is_empty() && now == lesson.start.term;
                    let onward = NextMove::from(lesson, taken, budget)?;
                    let remedy = match remedy(&strategy, &now) {
                        None => at_root(lesson, &strategy, &now, budget)?,
                        remedy => remedy,
                    };
                    return Ok(ScheduleFailure { reason, part, remedy, onward, idle, is_back, passed });
                }
                AttemptEnd::Endless(_) | AttemptEnd::Stopped(_) => return Ok(whole),
            }
        }
        Ok(whole)
    }
}

/// The advice on a schedule that is tried at the root alone, and would take steps below it.
fn at_root(lesson: &Lesson, schedule: &Strategy, now: &Term, budget: &Budget) -> Result<Option<String>, Trouble> {
    if schedule.as_rule().is_some() {
        return Ok(None);
    }
    let below = lesson.run(&schedule.under(Unary::TopDown), now, &lesson.patience(budget))?;
    let takes = matches!(below.end, AttemptEnd::Done(_)) && !below.trace.steps.is_empty();
    Ok(takes.then(|| {
        "it is tried at the root of the term only: `topDown(s)` looks for a place, `normalize(s)` for all".to_owned()
    }))
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
