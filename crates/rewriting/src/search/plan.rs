//! Makes moves from one term to another: a `SearchMove` is a strategy of a few kinds, a `MovePlan` has moves that were made.

use std::rc::Rc;

use super::SearchQuestion;
use crate::rule::Rule;
use crate::strategy::{Outcome, Strategy, Unary, check_ends, run};
use redexter_language::cost;
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{Program, Term};

/// A move may take so many rewrites; one that would take more is none.
const MAX_REWRITES: u64 = 2_000;

/// It may make a term so many times as large, and so many nodes larger.
const MAX_GROWTH: (u64, u64) = (4, 10_000);

/// A move from one term to the next.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchMove {
    /// A rule at a path below the subterm that is rewritten, as strategies name it.
    Once(Rule, Rc<str>),
    /// A rule at the first place from the root down.
    First(Rule),
    /// Rules as often as one of them applies anywhere.
    Round(Vec<Rule>),
}

impl SearchMove {
    /// It as a strategy.
    pub fn strategy(&self) -> Strategy {
        match self {
            SearchMove::Once(rule, path) if path.is_empty() => Strategy::rule(rule),
            SearchMove::Once(rule, path) => Strategy::rule(rule).at(path),
            SearchMove::First(rule) => Strategy::rule(rule).under(Unary::TopDown),
            SearchMove::Round(rules) => {
                let choice = rules.iter().map(Strategy::rule).reduce(|all, next| all.or(&next));
                choice.unwrap_or_else(Strategy::fail).under(Unary::Normalize)
            }
        }
    }

    /// The rules that it takes.
    pub fn rules(&self) -> &[Rule] {
        match self {
            SearchMove::Once(rule, _) | SearchMove::First(rule) => std::slice::from_ref(rule),
            SearchMove::Round(rules) => rules,
        }
    }

    /// Its length for a reader: words, roughly.
    pub fn weight(&self) -> usize {
        match self {
            SearchMove::Once(_, path) => 3 + path.split('.').count(),
            SearchMove::First(_) => 3,
            SearchMove::Round(rules) => 1 + rules.len(),
        }
    }
}

/// A move that was made.
#[derive(Clone, Debug)]
pub(super) struct MadeMove {
    pub by: SearchMove,
    /// The rules that rewrote.
    pub fired: Vec<Rule>,
    /// Its rewrites.
    pub steps: usize,
    /// The term that it gives.
    pub term: Term,
}

impl MadeMove {
    /// The move without the rules that rewrote nothing: it makes the same of the term.
    pub fn needed(&self) -> SearchMove {
        match &self.by {
            SearchMove::Round(rules) => {
                SearchMove::Round(rules.iter().filter(|rule| self.fired.contains(rule)).cloned().collect())
            }
            once => once.clone(),
        }
    }
}

/// Moves one after the other.
#[derive(Clone, Debug)]
pub(super) struct MovePlan {
    pub start: Term,
    pub legs: Vec<MadeMove>,
}

impl MovePlan {
    pub fn of(start: &Term, legs: &[MadeMove]) -> MovePlan {
        MovePlan { start: start.clone(), legs: legs.to_vec() }
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
pub(super) enum MoveResult {
    /// Another term.
    Leg(MadeMove),
    /// The same term.
    Nothing,
    /// It fails, surely doesn't end, or takes too long.
    Impossible,
}

/// Makes moves.
pub(super) struct MoveRunner<'a> {
    start: &'a Program,
    /// The subterm that is rewritten, as strategies name it.
    prefix: String,
    pub budget: &'a Budget,
    /// All that were taken so far.
    pub rewrites: usize,
}

impl<'a> MoveRunner<'a> {
    pub fn new(question: &'a SearchQuestion, budget: &'a Budget) -> MoveRunner<'a> {
        let prefix = question.within.display(&question.start.term);
        MoveRunner { start: &question.start, prefix, budget, rewrites: 0 }
    }

    /// A term in the place of the first one.
    pub fn program(&self, term: &Term) -> Program {
        self.start.with(term.clone())
    }

    /// Makes a move on a term.
    pub fn make(&mut self, by: &SearchMove, term: &Term) -> Result<MoveResult, StopReason> {
        // Asked for each move, because its run may be too short to ask.
        self.budget.ask()?;
        let mut strategy = by.strategy();
        if !self.prefix.is_empty() {
            strategy = strategy.at(&self.prefix);
        }
        if check_ends(&strategy).is_err() {
            return Ok(MoveResult::Impossible);
        }
        let mut budget = self.budget.clone();
        let all = budget.limits;
        let (times, more) = MAX_GROWTH;
        budget.limits.max_steps = all.max_steps.min(budget.steps().saturating_add(MAX_REWRITES));
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
            Some(Outcome::Success(after)) if after == *term => MoveResult::Nothing,
            Some(Outcome::Success(after)) => {
                let fired = by.rules().iter().filter(|rule| trace.steps.iter().any(|step| step.rule() == *rule));
                MoveResult::Leg(MadeMove { by: by.clone(), fired: fired.cloned().collect(), steps, term: after })
            }
            _ => MoveResult::Impossible,
        })
    }
}
