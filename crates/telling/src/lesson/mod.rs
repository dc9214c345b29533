//! Defines lessons in the order of optimisations, and diagnoses the schedules that somebody writes for one.
//!
//! A lesson is a term, a goal and the rules that may be used ([`Lesson`]); [`LessonPage`] is what its Markdown file says.
//! A schedule is diagnosed from its derivation ([`diagnose`]), and so are steps that were picked ([`judge`]): whatever is
//! said was found by running the schedule or the lesson's solutions, and by the questions of `why`. This module knows
//! strategies, derivations and what is asked of them; it knows no session and no files, and prints nothing.

mod alike;
mod detour;
mod diagnose;
mod diagnosis;
mod failure;
mod kind;
mod page;
mod record;
mod wrong_turn;

pub use detour::Detour;
pub use diagnose::{diagnose, judge};
pub use diagnosis::{Diagnosis, DiagnosisDetail};
pub use failure::{NextMove, ScheduleFailure};
pub use kind::DiagnosisKind;
pub use page::{COMMON_BLOCKS, LessonPage, PageText, WrongAnswer, is_lesson, nearly};
pub use record::{LessonAttempt, LessonRecord, ProgressRecord, fingerprint};
pub use wrong_turn::{IdleReason, SolutionStep, WrongTurn};

use std::collections::BTreeSet;
use std::rc::Rc;

use redexter_language::cost::{self, Poly};
use redexter_language::ground::{Budget, Name, Trouble};
use redexter_language::term::{Program, Term};
use redexter_rewriting::compare::{self, AttemptEnd, RunSubject};
use redexter_rewriting::rule::{Rule, RuleInfo};
use redexter_rewriting::strategy::{Strategy, Trace, Unary, check_ends, rules_in};

/// A lesson that can be taken.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// Its title.
    pub title: String,
    /// The term that schedules are for.
    pub start: Program,
    /// The goal that they are to reach.
    pub goal: LessonGoal,
    /// The rules that they may use, compared by identity: another rule of such a name is none of them.
    pub rules: Vec<Rc<RuleInfo>>,
    /// From vague to exact; the last one is the first solution.
    pub hints: Vec<String>,
    /// Schedules that reach the goal, the best one first.
    pub solutions: Vec<Solution>,
    /// Schedules that are typical and wrong.
    pub mistakes: Vec<Mistake>,
}

/// The goal of a lesson: a form of the term, a work, or both.
#[derive(Clone, Debug, Default)]
pub struct LessonGoal {
    /// The term, up to the names of bound variables.
    pub form: Option<Term>,
    /// Work that grows no faster, whichever sizes grow.
    pub work: Option<Poly>,
}

/// A schedule that reaches the goal.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The schedule.
    pub strategy: Strategy,
    /// Its derivation.
    pub trace: Trace,
}

/// A schedule that is typical and wrong.
#[derive(Clone, Debug)]
pub struct Mistake {
    /// The schedule.
    pub strategy: Strategy,
    /// The diagnosis that it is to get.
    pub kind: DiagnosisKind,
    /// The lesson's own words on it.
    pub remark: String,
    /// Whether these fit all that come to the same.
    pub for_alike: bool,
}

impl LessonGoal {
    /// Whether this term reaches it.
    pub fn is_reached(&self, term: &Term) -> bool {
        let work = || cost::work(term).total();
        self.form.as_ref().is_none_or(|form| form == term)
            && self.work.as_ref().is_none_or(|most| work().grows_within(most))
    }

    /// After how many steps these reach it, if they do: where they do several times, the last of these.
    fn passed(&self, trace: &Trace) -> Option<usize> {
        let mut meter = cost::WorkMeter::default();
        let mut is_there = |term: &Term| {
            self.form.as_ref().is_none_or(|form| form == term)
                && self.work.as_ref().is_none_or(|most| meter.total(term).grows_within(most))
        };
        trace.terms().enumerate().filter(|(_, term)| is_there(term)).last().map(|(k, _)| k + 1)
    }

    /// Whether this work is no more than it asks for.
    pub fn allows(&self, work: &Poly) -> bool {
        self.work.as_ref().is_none_or(|most| work.grows_within(most))
    }

    /// The work that is enough: what it asks for, else that of its form.
    pub fn enough(&self) -> Option<Poly> {
        self.work.clone().or_else(|| self.form.as_ref().map(|form| cost::work(form).total()))
    }
}

/// A schedule may take this many times the steps of the longest solution,
const MAX_STEPS_FACTOR: u64 = 100;

/// and this many more.
const MAX_EXTRA_STEPS: u64 = 10_000;

/// A schedule as a lesson runs it: one that is refused because it goes on for ever where its rules apply is tried all the same,
/// since they may not apply here, and a lesson's patience ends it.
pub fn tried(schedule: &Strategy) -> Strategy {
    if check_ends(schedule).is_ok() { schedule.clone() } else { schedule.under(Unary::Force) }
}

impl Lesson {
    /// Runs a strategy on a term, the lesson's or one that came of it; an error is what ends everything.
    fn run(&self, strategy: &Strategy, from: &Term, budget: &Budget) -> Result<compare::StrategyAttempt, Trouble> {
        let subject = RunSubject { program: &self.start, place: "", budget };
        let mut attempt = subject.attempt(strategy, from);
        if matches!(attempt.end, AttemptEnd::Endless(_)) && attempt.trace.steps.is_empty() {
            let tried = subject.attempt(&tried(strategy), from);
            // Where it does go on for ever, why is known already.
            if matches!(tried.end, AttemptEnd::Done(_) | AttemptEnd::Failed(_)) || tried.trouble.is_some() {
                attempt = tried;
            }
        }
        match attempt.trouble {
            Some(trouble) => Err(trouble),
            None => Ok(attempt),
        }
    }

    /// The steps of the longest solution.
    fn longest(&self) -> usize {
        self.solutions.iter().map(|solution| solution.trace.steps.len()).max().unwrap_or(0)
    }

    /// A budget for schedules: far above what the solutions take, it ends them.
    fn patience(&self, budget: &Budget) -> Budget {
        let mut short = budget.fresh();
        short.limits.max_steps = short.limits.max_steps.min(self.longest() as u64 * MAX_STEPS_FACTOR + MAX_EXTRA_STEPS);
        short
    }

    /// The rules of a strategy that may not be used here, definitions unfolded, without their arguments.
    pub fn forbidden(&self, strategy: &Strategy) -> Vec<Name> {
        let mut seen = BTreeSet::new();
        let is_allowed = |rule: &Rule| self.rules.iter().any(|allowed| std::ptr::eq(&**allowed, rule.info()));
        let names =
            rules_in(strategy).into_iter().filter(|rule| !is_allowed(rule)).map(|rule| rule.info().name.clone());
        names.filter(|name| seen.insert(name.clone())).collect()
    }
}
