//! Keeps the terms that were reached (`SearchSpace`), and picks the one that is tried next.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashSet;

use super::plan::{MadeMove, MoveResult, MoveRunner, SearchMove};
use super::rank::TermRank;
use super::{SearchQuestion, WorkScale};
use crate::redex::{Finder, Redex, RuleFamily};
use crate::rule::Rule;
use crate::strategy::check_ends;
use redexter_language::ground::StopReason;
use redexter_language::term::Path;

/// Single rewrites of a term that are tried in one turn.
const REWRITES_PER_TURN: usize = 8;

/// While rounds are left, single rewrites give one new term for so many that rounds give.
const ROUNDS_PER_REWRITE: usize = 3;

/// Of a term with more redexes these are tried, the first ones.
const MAX_REDEXES: usize = 10_000;

/// A round of which a run was cut so often isn't tried any more.
const MAX_CUTS: u32 = 3;

/// A term that was reached.
struct SpaceNode {
    /// How, and from which other one.
    from: Option<usize>,
    leg: MadeMove,
    rank: TermRank,
    /// The redexes that weren't tried yet, the last one first; None where they weren't looked for.
    redexes: Option<Vec<Redex>>,
    /// The rounds that were tried.
    rounds: usize,
}

/// The moves that take rules as often as they apply.
struct SearchRound {
    by: SearchMove,
    /// The runs that came to nothing.
    cuts: u32,
}

/// The number of a term, behind what decides when it is its turn: for rewrites how often it had one, its rank.
type QueueEntry = Reverse<(usize, TermRank, usize)>;

pub(super) struct SearchSpace<'a> {
    within: &'a Path,
    prefix: usize,
    most: usize,
    finder: Finder,
    rounds: Vec<SearchRound>,
    nodes: Vec<SpaceNode>,
    seen: FxHashSet<u128>,
    /// Terms on which nothing was tried, and those with redexes left.
    fresh: BinaryHeap<QueueEntry>,
    tried: BinaryHeap<QueueEntry>,
    /// The term that is being tried.
    at_turn: Option<usize>,
    /// New terms by rounds and by single rewrites.
    by_rounds: usize,
    by_rewrites: usize,
    best: usize,
    /// A term or a redex was left out.
    left_out: bool,
    /// There are more terms than may be visited.
    full: bool,
}

impl<'a> SearchSpace<'a> {
    pub fn new(question: &'a SearchQuestion, scale: &mut WorkScale) -> SearchSpace<'a> {
        let families = question.rules.iter().map(RuleFamily::from).collect();
        let start = question.start.term.clone();
        let rank = scale.rank(&start);
        let leg = MadeMove { by: SearchMove::Round(Vec::new()), fired: Vec::new(), steps: 0, term: start };
        SearchSpace {
            within: &question.within,
            prefix: question.within.0.len(),
            most: question.most.max(1),
            finder: Finder::new(families),
            rounds: rounds(question),
            seen: FxHashSet::from_iter([leg.term.fingerprint()]),
            fresh: BinaryHeap::from([Reverse((0, rank, 0))]),
            nodes: vec![SpaceNode { from: None, leg, rank, redexes: None, rounds: 0 }],
            tried: BinaryHeap::new(),
            at_turn: None,
            by_rounds: 0,
            by_rewrites: 0,
            best: 0,
            left_out: false,
            full: false,
        }
    }

    /// Visits terms until there are no more, or as many as may be.
    pub fn explore(&mut self, runner: &mut MoveRunner, scale: &mut WorkScale) -> Result<(), StopReason> {
        while !self.full {
            let rewrites_first = self.by_rewrites * ROUNDS_PER_REWRITE < self.by_rounds;
            let turn = if rewrites_first { !self.tried.is_empty() } else { self.fresh.is_empty() };
            let queue = if turn { &mut self.tried } else { &mut self.fresh };
            let Some(Reverse((times, rank, node))) = queue.pop() else { break };
            self.at_turn = Some(node);
            match turn {
                true => self.rewrite(node, runner, scale)?,
                false => self.go_round(node, runner, scale)?,
            }
            self.at_turn = None;
            let SpaceNode { redexes, rounds, .. } = &self.nodes[node];
            match (turn, redexes.as_ref().is_none_or(Vec::is_empty)) {
                (_, true) => {}
                (false, false) if *rounds < self.rounds.len() => self.fresh.push(Reverse((times, rank, node))),
                (false, false) => self.tried.push(Reverse((0, rank, node))),
                (true, false) => self.tried.push(Reverse((times + 1, rank, node))),
            }
        }
        Ok(())
    }

    /// Makes the rounds that have a redex in a term, up to one that leads to a better term: then it is that one's turn.
    fn go_round(&mut self, node: usize, runner: &mut MoveRunner, scale: &mut WorkScale) -> Result<(), StopReason> {
        let term = self.nodes[node].leg.term.clone();
        if self.nodes[node].redexes.is_none() {
            let program = runner.program(&term);
            let mut redexes = self.finder.below(&program, self.within, MAX_REDEXES, runner.budget)?;
            self.left_out |= !redexes.all;
            // They are taken from the end, so that the first one must come last.
            redexes.found.reverse();
            self.nodes[node].redexes = Some(redexes.found);
        }
        while self.nodes[node].rounds < self.rounds.len() && !self.full {
            let k = self.nodes[node].rounds;
            let SearchRound { by, cuts } = &self.rounds[k];
            let applies = |redex: &Redex| by.rules().contains(&redex.rule);
            if *cuts < MAX_CUTS && self.nodes[node].redexes.iter().flatten().any(applies) {
                match runner.make(&by.clone(), &term)? {
                    MoveResult::Leg(leg) => self.by_rounds += usize::from(self.visit(node, leg, runner, scale)),
                    MoveResult::Nothing => {}
                    MoveResult::Impossible => self.rounds[k].cuts += 1,
                }
            }
            self.nodes[node].rounds += 1;
            if self.nodes.last().is_some_and(|last| last.from == Some(node) && last.rank < self.nodes[node].rank) {
                break;
            }
        }
        Ok(())
    }

    /// Takes some of the single rewrites of a term that weren't taken.
    fn rewrite(&mut self, node: usize, runner: &mut MoveRunner, scale: &mut WorkScale) -> Result<(), StopReason> {
        let term = self.nodes[node].leg.term.clone();
        for _ in 0..REWRITES_PER_TURN {
            if self.full {
                break;
            }
            let Some(redex) = self.nodes[node].redexes.iter().flatten().last().cloned() else { break };
            runner.budget.step_to(term.size(), term.depth())?;
            runner.rewrites += 1;
            match redex.rewrite(&term) {
                Some(after) => {
                    let here = Path(redex.path.0[..self.prefix].to_vec());
                    let part = here.find(&term).unwrap_or_else(|| term.clone());
                    let path = Path(redex.path.0[self.prefix..].to_vec()).display(&part);
                    let by = SearchMove::Once(redex.rule.clone(), path.into());
                    let leg = MadeMove { by, fired: vec![redex.rule.clone()], steps: 1, term: after };
                    self.by_rewrites += usize::from(self.visit(node, leg, runner, scale));
                }
                None => self.left_out = true,
            }
            // Where there was no room for its term, the redex stays, so that the term before counts as open.
            if !self.full {
                self.nodes[node].redexes.iter_mut().for_each(|left| drop(left.pop()));
            }
        }
        Ok(())
    }

    /// Whether the term to which a move leads is a new one, and is kept.
    fn visit(&mut self, from: usize, leg: MadeMove, runner: &MoveRunner, scale: &mut WorkScale) -> bool {
        // Asked before the room, because a known term needs none.
        if self.seen.contains(&leg.term.fingerprint()) {
            return false;
        }
        if leg.term.size() > runner.budget.limits.max_size || leg.term.depth() > runner.budget.limits.max_depth {
            self.left_out = true;
            return false;
        }
        if self.nodes.len() >= self.most {
            self.full = true;
            return false;
        }
        self.seen.insert(leg.term.fingerprint());
        let (number, rank) = (self.nodes.len(), scale.rank(&leg.term));
        if rank < self.nodes[self.best].rank {
            self.best = number;
        }
        self.nodes.push(SpaceNode { from: Some(from), leg, rank, redexes: None, rounds: 0 });
        self.fresh.push(Reverse((0, rank, number)));
        true
    }

    /// The number of the cheapest term; of several, that of the one that was reached first.
    pub fn best(&self) -> usize {
        self.best
    }

    /// The moves from the first term to one.
    pub fn way_to(&self, node: usize) -> Vec<MadeMove> {
        let mut legs = Vec::new();
        let mut at = node;
        while let Some(from) = self.nodes[at].from {
            legs.push(self.nodes[at].leg.clone());
            at = from;
        }
        legs.reverse();
        legs
    }

    pub fn terms(&self) -> usize {
        self.nodes.len()
    }

    /// The terms of which not everything was tried.
    pub fn open(&self) -> usize {
        self.fresh.len() + self.tried.len() + self.at_turn.iter().len()
    }

    pub fn tried(&self) -> u64 {
        self.finder.tried()
    }

    pub fn is_complete(&self) -> bool {
        self.open() == 0 && !self.left_out && !self.full
    }
}

/// The rules that belong together, each rule by itself, and all; what surely never ends aside.
fn rounds(question: &SearchQuestion) -> Vec<SearchRound> {
    let alone = question.rules.iter().map(|rule| vec![rule.clone()]);
    let mut all: Vec<Vec<Rule>> = Vec::new();
    for rules in question.together.iter().cloned().chain(alone).chain([question.rules.clone()]) {
        if !rules.is_empty() && !all.contains(&rules) {
            all.push(rules);
        }
    }
    let ends = |by: &SearchMove| check_ends(&by.strategy()).is_ok();
    all.into_iter().map(SearchMove::Round).filter(ends).map(|by| SearchRound { by, cuts: 0 }).collect()
}
