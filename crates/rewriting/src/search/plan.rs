//! Makes moves from one term to another: a `Move` is a strategy of a few kinds, a `Plan` has moves that were made.

use std::rc::Rc;

use super::Question;
use crate::rule::Rule;
use crate::strategy::{Outcome, Strategy, Unary, check_ends, run};
use redexter_language::cost;
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{Program, Term};

/// A move may take so many rewrites; one that would take more is none.
const REWRITES: u64 = 2_000;

/// It may make a term so many times as large, and so many nodes larger.
const LARGER: (u64, u64) = (4, 10_000);

/// A move from one term to the next.
#[derive(Clone, Debug, PartialEq)]
pub enum Move {
    /// A rule at a path below the subterm that is rewritten, as strategies name it.
    Once(Rule, Rc<str>),
    /// A rule at the first place from the root down.
    First(Rule),
    /// Rules as often as one of them applies anywhere.
    Round(Vec<Rule>),
}

impl Move {
    /// It as a strategy.
    pub fn strategy(&self) -> Strategy {
        match self {
            Move::Once(rule, path) if path.is_empty() => Strategy::rule(rule),
            Move::Once(rule, path) => Strategy::rule(rule).at(path),
            Move::First(rule) => Strategy::rule(rule).under(Unary::TopDown),
            Move::Round(rules) => {
                let choice = rules.iter().map(Strategy::rule).reduce(|all, next| all.or(&next));
                choice.unwrap_or_else(Strategy::fail).under(Unary::Normalize)
            }
        }
    }

    /// The rules that it takes.
    pub fn rules(&self) -> &[Rule] {
        match self {
            Move::Once(rule, _) | Move::First(rule) => std::slice::from_ref(rule),
            Move::Round(rules) => rules,
        }
    }

    /// Its length for a reader: words, roughly.
    pub fn weight(&self) -> usize {
        match self {
            Move::Once(_, path) => 3 + path.split('.').count(),
            Move::First(_) => 3,
            Move::Round(rules) => 1 + rules.len(),
        }
    }
}

/// A move that was made.
#[derive(Clone, Debug)]
pub(super) struct Leg {
    pub by: Move,
    /// The rules that rewrote.
    pub fired: Vec<Rule>,
    /// Its rewrites.
    pub steps: usize,
    /// The term that it gives.
    pub term: Term,
}

impl Leg {
    /// The move without the rules that rewrote nothing: it makes the same of the term.
    pub fn needed(&self) -> Move {
        match &self.by {
            Move::Round(rules) => Move::Round(rules.iter().filter(|rule| self.fired.contains(rule)).cloned().collect()),
            once => once.clone(),
        }
    }
}

/// Moves one after the other.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub start: Term,
    pub legs: Vec<Leg>,
}

impl Plan {
    pub fn of(start: &Term, legs: &[Leg]) -> Plan {
        Plan { start: start.clone(), legs: legs.to_vec() }
    }

    /// The term after so many moves.
    pub fn term(&self, after: usize) -> &Term {
        after.checked_sub(1).and_then(|last| self.legs.get(last)).map_or(&self.start, |leg| &leg.term)
    }

    pub fn end(&self) -> &Term {
        self.term(self.legs.len())
    }
}

/// The result of a move.
pub(super) enum Made {
    /// Another term.
    Leg(Leg),
    /// The same term.
    Nothing,
    /// It fails, surely doesn't end, or takes too long.
    Impossible,
}

/// Makes moves.
pub(super) struct Runner<'a> {
    start: &'a Program,
    /// The subterm that is rewritten, as strategies name it.
    prefix: String,
    pub budget: &'a Budget,
    /// All that were taken so far.
    pub rewrites: usize,
}

impl<'a> Runner<'a> {
    pub fn new(question: &'a Question, budget: &'a Budget) -> Runner<'a> {
        let prefix = question.within.display(&question.start.term);
        Runner { start: &question.start, prefix, budget, rewrites: 0 }
    }

    /// A term in the place of the first one.
    pub fn program(&self, term: &Term) -> Program {
        self.start.with(term.clone())
    }

    /// Makes a move on a term.
    pub fn make(&mut self, by: &Move, term: &Term) -> Result<Made, StopReason> {
        // Asked for each move, because its run may be too short to ask.
        self.budget.ask()?;
        let mut strategy = by.strategy();
        if !self.prefix.is_empty() {
            strategy = strategy.at(&self.prefix);
        }
        if check_ends(&strategy).is_err() {
            return Ok(Made::Impossible);
        }
        let mut budget = self.budget.clone();
        let all = budget.limits;
        let (times, more) = LARGER;
        budget.limits.max_steps = all.max_steps.min(budget.steps().saturating_add(REWRITES));
        budget.limits.max_size = all.max_size.min(term.size().saturating_mul(times).saturating_add(more));
        let (outcome, trace) = match run(&strategy, &self.program(term), &budget, cost::cheaper_total) {
            Ok(done) => (Some(done.outcome), done.trace),
            Err(stop) if matches!(stop.reason, StopReason::Steps(_) | StopReason::Size(_) | StopReason::Depth(_)) => {
                (None, stop.trace)
            }
            Err(stop) => return Err(stop.reason),
        };
        let steps = trace.steps.len();
        self.rewrites += steps;
        // The move had a copy of the budget, so that its rewrites must be counted in the search's own, too.
        for _ in 0..steps {
            self.budget.step_to(term.size(), term.depth())?;
        }
        Ok(match outcome {
            Some(Outcome::Success(after)) if after == *term => Made::Nothing,
            Some(Outcome::Success(after)) => {
                let fired = by.rules().iter().filter(|rule| trace.steps.iter().any(|step| step.rule() == *rule));
                Made::Leg(Leg { by: by.clone(), fired: fired.cloned().collect(), steps, term: after })
            }
            _ => Made::Impossible,
        })
    }
}
