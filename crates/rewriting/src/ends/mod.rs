//! Finds whether repetitions of rules go round: from the laws alone, before anything runs.
//!
//! `chain` composes laws until one leads back to an instance of its own left side, `certificate` replays that on a closed
//! term and runs the strategy there. So it is never said of a strategy that it loops unless it was seen to; that no way round is
//! found says nothing, since only so many chains of laws are looked at.

mod certificate;
mod chain;

use crate::rule::{Rule, RuleBody};
use crate::strategy::{Strategy, repetitions};
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{Path, Program, Term};

pub use chain::SearchBounds;

/// A verdict on a repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// No way round was found.
    NotKnown,
    /// The rules go round on a term, but the strategy ended there.
    MayLoop,
    /// The strategy was seen to go round on a term.
    Loops,
}

/// A repetition of rules and what was found of it.
#[derive(Clone, Debug)]
pub struct EndingAnswer {
    /// The repetition.
    pub strategy: Strategy,
    /// What is so.
    pub ending: Ending,
    /// The rules' way round, where one was found.
    pub way: Option<WayRound>,
    /// How many chains of laws were looked at.
    pub chains: usize,
    /// Whether no chain was left out for being too long or too large.
    pub all: bool,
}

/// A way round, on a closed term.
#[derive(Clone, Debug)]
pub struct WayRound {
    /// Where it begins.
    pub program: Program,
    /// The steps of a round: rules, and their places in the whole term.
    pub steps: Vec<(Rule, Path)>,
    /// The whole term before each step, and after the last.
    pub terms: Vec<Term>,
    /// By how many nodes the term is larger after a round.
    pub growth: i64,
    /// The rule by which the strategy leaves the way round, where it ended.
    pub saved_by: Option<Rule>,
}

/// What is found of each repetition in a strategy. `seeds` says from which rules chains begin: those that are new in an edit, or
/// all. Stops where the budget does.
pub fn endings(
    strategy: &Strategy,
    seeds: &dyn Fn(&Rule) -> bool,
    bounds: SearchBounds,
    budget: &Budget,
) -> Result<Vec<EndingAnswer>, StopReason> {
    let mut answers = Vec::new();
    for (whole, rules, reach) in repetitions(strategy) {
        let written = |rule: &Rule| matches!(rule.info().body, RuleBody::Laws(_));
        let from: Vec<bool> = rules.iter().map(|rule| written(rule) && seeds(rule)).collect();
        let mut best: Option<(Ending, WayRound)> = None;
        let found = chain::search(&rules, &from, reach, bounds, budget, &mut |looping| {
            let Some(shown) = certificate::shown(&whole, &rules, looping, budget)? else { return Ok(false) };
            let sure = shown.0 == Ending::Loops;
            if best.as_ref().is_none_or(|(ending, _)| shown.0 > *ending) {
                best = Some(shown);
            }
            Ok(sure)
        })?;
        let (ending, way) = best.map_or((Ending::NotKnown, None), |(ending, way)| (ending, Some(way)));
        answers.push(EndingAnswer { strategy: whole, ending, way, chains: found.chains, all: found.all });
    }
    Ok(answers)
}
