//! Searches for the cheapest term that some rules reach, and for a schedule that reaches it; so it tells whether an order is the
//! best.
//!
//! It goes best first over terms, each once, where terms are equal up to bound names. What is tried on a term are rounds, which
//! are rules as often as they apply anywhere, one rule or several, and then single rewrites: rounds keep it a search over
//! orders, and single rewrites make it complete, so that where none are left, every term that the rules reach was visited. The
//! way to the cheapest one is then made short.
//!
//! This module knows rules, strategies and costs; it knows no sessions and prints nothing.

mod plan;
mod rank;
mod shorten;
mod space;

use crate::rule::Rule;
use crate::strategy::{Strategy, choices_in, rules_in};
use redexter_language::cost::{Poly, WorkMeter, typical};
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{Path, Program, SizeBounds, Term};

pub use plan::SearchMove;

use plan::{MadeMove, MovePlan, MoveRunner};
use rank::TermRank;
use shorten::PlanShortener;
use space::SearchSpace;

/// So many terms are visited where nobody says how many.
pub const DEFAULT_MAX_TERMS: usize = 1_000;

/// The question that a search answers.
#[derive(Clone, Debug)]
pub struct SearchQuestion {
    /// The term to begin with.
    pub start: Program,
    /// The rules that may rewrite, in the order in which they are tried; each once.
    pub rules: Vec<Rule>,
    /// Rules that belong together: what only guides the search.
    pub together: Vec<Vec<Rule>>,
    /// The subterm that they may rewrite: empty for the whole term.
    pub within: Path,
    /// So many terms may be visited, the first one among them.
    pub most: usize,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The term that it began with.
    pub start: Program,
    /// Its work.
    pub before: Poly,
    /// The cheapest term.
    pub best: Program,
    /// Its work.
    pub work: Poly,
    /// A strategy that makes it of the first one; for the subterm, where only that was to be rewritten.
    pub schedule: Strategy,
    /// What the schedule consists of, in order; nothing where the first term is the cheapest.
    pub stages: Vec<ScheduleStage>,
    /// The way on which it was found: what was done, one after the other.
    pub way: Vec<SearchMove>,
    /// What was visited.
    pub visited: SearchEffort,
    /// Whether all terms that the rules reach were visited, so that none of them is cheaper.
    pub complete: bool,
    /// The limit of the budget that ended it; what is found is then the best so far.
    pub stopped: Option<StopReason>,
}

/// A part of the schedule.
#[derive(Clone, Debug)]
pub struct ScheduleStage {
    /// What is done, as the schedule has it.
    pub strategy: Strategy,
    /// How many rewrites that takes.
    pub steps: usize,
    /// The work of the term after them.
    pub work: Poly,
}

/// The effort of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchEffort {
    /// The terms that were reached, the first one among them.
    pub terms: usize,
    /// Those of which not everything was tried.
    pub open: usize,
    /// The rewrites that were taken, those for making the way short among them.
    pub rewrites: usize,
    /// How often a rule was tried in looking for redexes.
    pub tried: u64,
    /// How many nodes of terms were measured for their work.
    pub measured: u64,
}

impl SearchQuestion {
    /// The cheapest term that the rules of a strategy reach; what it tries together belongs together.
    pub fn of(strategy: &Strategy, start: &Program, most: usize) -> SearchQuestion {
        let (rules, together) = (rules_in(strategy), choices_in(strategy));
        SearchQuestion { start: start.clone(), rules, together, within: Path::default(), most }
    }
}

/// Searches; equal questions give equal answers, as long as no limit of time ends them.
pub fn search(question: &SearchQuestion, budget: &Budget) -> SearchResult {
    let mut scale = WorkScale::new(&question.start.bounds);
    let mut runner = MoveRunner::new(question, budget);
    let mut space = SearchSpace::new(question, &mut scale);
    let mut stopped = space.explore(&mut runner, &mut scale).err();
    let way = space.way_to(space.best());
    let mut plan = MovePlan::of(&question.start.term, &way);
    if stopped.is_none() {
        stopped = PlanShortener::new(&mut plan, &question.rules, &mut runner, &mut scale).go().err();
    }
    let best = plan.end().clone();
    let stage = |leg: &MadeMove| ScheduleStage {
        strategy: leg.needed().strategy(),
        steps: leg.steps,
        work: scale.work(&leg.term),
    };
    let stages: Vec<ScheduleStage> = plan.legs.iter().map(stage).collect();
    let schedule = stages.iter().map(|stage| stage.strategy.clone()).reduce(|all, next| all.then(&next));
    SearchResult {
        start: question.start.clone(),
        before: scale.work(&question.start.term),
        work: scale.work(&best),
        best: question.start.with(best),
        schedule: schedule.unwrap_or_else(Strategy::id),
        stages,
        way: way.into_iter().map(|leg| leg.by).collect(),
        visited: SearchEffort {
            terms: space.terms(),
            open: space.open(),
            rewrites: runner.rewrites,
            tried: space.tried(),
            measured: scale.meter.visited(),
        },
        complete: stopped.is_none() && space.is_complete(),
        stopped,
    }
}

/// Measures terms, to compare them.
struct WorkScale<'a> {
    meter: WorkMeter,
    bounds: &'a SizeBounds,
}

impl<'a> WorkScale<'a> {
    fn new(bounds: &'a SizeBounds) -> WorkScale<'a> {
        WorkScale { meter: WorkMeter::default(), bounds }
    }

    fn work(&mut self, term: &Term) -> Poly {
        self.meter.total(term)
    }

    fn rank(&mut self, term: &Term) -> TermRank {
        let work = self.work(term);
        TermRank::new(typical(&work, self.bounds), &work, term.size())
    }
}
