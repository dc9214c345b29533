//! Finds whether repetitions of rules go round: from the laws alone, before anything runs.
//!
//! `chain` composes laws until one leads back to an instance of its own left side, `certificate` replays that on a closed
//! term and runs the strategy there. So it is never said of a strategy that it loops unless it was seen to; that no way round is
//! found says nothing, since only so many chains of laws are looked at. `proof` shows of some rules that they end.

mod asked;
mod certificate;
mod chain;
mod cure;
mod proof;

use crate::rule::{Rule, RuleBody};
use crate::strategy::{RuleRepetition, Strategy, repeats_otherwise, repetitions};
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{Path, Program, Term};

pub use chain::SearchBounds;
pub use cure::Cure;
pub use proof::{LawProof, ProofStep, proof};

/// A verdict on a strategy or a repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// No order of the rules goes on for ever: that is proved.
    Ends,
    /// No way round was found, and no proof that there is none.
    NotKnown,
    /// The rules go round on a term, but the strategy ended there.
    MayLoop,
    /// The strategy was seen to go round on a term.
    Loops,
}

impl Ending {
    /// The word for it.
    pub fn text(self) -> &'static str {
        match self {
            Ending::Ends => "ends",
            Ending::NotKnown => "not known",
            Ending::MayLoop => "may loop",
            Ending::Loops => "loops",
        }
    }
}

/// What was found of a strategy.
#[derive(Clone, Debug)]
pub struct Endings {
    /// The strategy.
    pub strategy: Strategy,
    /// What is so of it as a whole: it is only said to loop where it was seen to itself, not one of its parts alone.
    pub ending: Ending,
    /// What was found of each repetition in it.
    pub answers: Vec<EndingAnswer>,
    /// A part that may go on without being a repetition, as `mu` or a definition that uses itself: nothing is known of it.
    pub other: Option<Strategy>,
    /// Why it isn't all.
    pub stopped: Option<StopReason>,
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
    /// What would end it where it goes round, each checked.
    pub cures: Vec<Cure>,
    /// What is proved of its rules' laws.
    pub proof: LawProof,
    /// How many of the chains lead back to their beginning as far as their conditions are decided, but on no term that was
    /// tried.
    pub unshown: usize,
    /// How many chains of laws were looked at; none where all laws are proved to end.
    pub chains: usize,
    /// All chains of so many laws were, but for those that are too large.
    pub laws: usize,
    /// Whether no chain was left out for being too long or too large.
    pub all: bool,
    /// Its rules without laws, and the parts of its choice that are no rules: nothing is known of what these do.
    pub unread: Vec<String>,
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

/// What is found of a strategy and of each repetition in it. `seeds` says from which rules chains begin: those that are new in an
/// edit, or all. Where the budget ends it, what was found until then stays.
pub fn endings(strategy: &Strategy, seeds: &dyn Fn(&Rule) -> bool, bounds: SearchBounds, budget: &Budget) -> Endings {
    EndingFinder::new(bounds, budget).endings(strategy, &|rules| rules.iter().map(seeds).collect())
}

/// Finds whether strategies end. What several of them repeat is looked at once.
pub struct EndingFinder<'a> {
    bounds: SearchBounds,
    budget: &'a Budget,
    /// What was found of repetitions, and from which of their rules chains began.
    known: Vec<(Vec<bool>, EndingAnswer)>,
}

impl<'a> EndingFinder<'a> {
    /// Knows nothing yet.
    pub fn new(bounds: SearchBounds, budget: &'a Budget) -> EndingFinder<'a> {
        EndingFinder { bounds, budget, known: Vec::new() }
    }

    /// As [`endings`]; `seeds` marks among a repetition's rules those from which chains begin.
    pub fn endings(&mut self, strategy: &Strategy, seeds: &dyn Fn(&[Rule]) -> Vec<bool>) -> Endings {
        let other = repeats_otherwise(strategy);
        let ending = if other.is_none() { Ending::Ends } else { Ending::NotKnown };
        let mut found = Endings { strategy: strategy.clone(), ending, answers: Vec::new(), other, stopped: None };
        for repetition in repetitions(strategy) {
            let (answer, stopped) = self.answer(repetition, seeds);
            let seen =
                |way: &WayRound| answer.strategy == *strategy || certificate::goes_round(strategy, &way.program).0;
            let ending = match &answer.way {
                Some(way) if answer.ending == Ending::Loops && !seen(way) => Ending::MayLoop,
                _ => answer.ending,
            };
            found.ending = found.ending.max(ending);
            found.answers.push(answer);
            found.stopped = stopped;
            if found.stopped.is_some() {
                found.ending = found.ending.max(Ending::NotKnown);
                break;
            }
        }
        found
    }

    /// What is found of a repetition, and what ended the search.
    fn answer(
        &mut self,
        whole: RuleRepetition,
        seeds: &dyn Fn(&[Rule]) -> Vec<bool>,
    ) -> (EndingAnswer, Option<StopReason>) {
        let rules = &whole.rules;
        let from: Vec<bool> = rules.iter().zip(seeds(rules)).map(|(rule, from)| is_written(rule) && from).collect();
        let known = self.known.iter().find(|(begun, answer)| *begun == from && answer.strategy == whole.strategy);
        if let Some((_, answer)) = known {
            return (answer.clone(), None);
        }
        let (answer, stopped) = answer(&whole, &from, self.bounds, self.budget);
        if stopped.is_none() {
            self.known.push((from, answer.clone()));
        }
        (answer, stopped)
    }
}

/// Whether a rule is written as laws.
fn is_written(rule: &Rule) -> bool {
    matches!(rule.info().body, RuleBody::Laws(_))
}

/// What is found of a repetition of rules, in which chains begin from those that are marked; and what ended the search.
fn answer(
    whole: &RuleRepetition,
    from: &[bool],
    bounds: SearchBounds,
    budget: &Budget,
) -> (EndingAnswer, Option<StopReason>) {
    let RuleRepetition { strategy, rules, others, reach, .. } = whole;
    let native = rules.iter().filter(|rule| !is_written(rule)).map(Rule::to_string);
    let unread = native.chain(others.iter().map(Strategy::to_string)).collect();
    let mut answer = EndingAnswer {
        strategy: strategy.clone(),
        ending: Ending::NotKnown,
        way: None,
        cures: Vec::new(),
        proof: LawProof::default(),
        unshown: 0,
        chains: 0,
        laws: 0,
        all: true,
        unread,
    };
    let open = match proof::attempt(rules, budget) {
        Ok(attempt) => {
            answer.proof = attempt.proof;
            attempt.open
        }
        Err(stopped) => return (EndingAnswer { all: false, ..answer }, Some(stopped)),
    };
    // Laws that end have no way round.
    if answer.proof.is_whole() && !bounds.needless {
        answer.ending = if answer.unread.is_empty() { Ending::Ends } else { Ending::NotKnown };
        return (answer, None);
    }
    let (mut best, mut unshown): (Option<(Ending, WayRound)>, usize) = (None, 0);
    let query = chain::ChainQuery { rules, from, reach: *reach, bounds, budget };
    let found = chain::search(query, &mut |looping| {
        // What comes back to its own place, a traversal has left by then.
        if whole.is_traversal() && looping.back.0.is_empty() {
            return Ok(false);
        }
        let Some(shown) = certificate::shown(&answer.strategy, rules, looping, budget)? else {
            unshown += 1;
            return Ok(false);
        };
        let sure = shown.0 == Ending::Loops;
        if best.as_ref().is_none_or(|(ending, _)| shown.0 > *ending) {
            best = Some(shown);
        }
        Ok(sure)
    });
    if let Some((ending, way)) = best {
        (answer.ending, answer.way) = (ending, Some(way));
    }
    let chain::ChainSearch { chains, all, laws, mut stopped } = found;
    let more = match (&stopped, &answer.way) {
        (None, None) => open.to_blame(rules, budget).map(|open| answer.proof.open = open),
        (None, Some(way)) if answer.ending == Ending::Loops => {
            cure::cures(whole, way, from, bounds, budget).map(|cures| answer.cures = cures)
        }
        _ => Ok(()),
    };
    stopped = stopped.or(more.err());
    (EndingAnswer { unshown, chains, all, laws, ..answer }, stopped)
}
