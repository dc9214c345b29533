//! Finds rewrites by another rule after which a rule applies: each is done, and the rule is tried on what it makes.

use std::cmp::{Ordering, Reverse};
use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::{MAX_REMEDIES, NearMatch, Remedy, applying};
use crate::redex::{Finder, Redex, RuleFamily, site};
use crate::rule::{Focus, Frame, Rule, RuleBody};
use redexter_language::cost::{WorkMeter, typical};
use redexter_language::ground::order::InOrder;
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{Path, Program, SizeBounds, Term};

/// Rules are tried so many times for each of the nearest places.
const TRIES_PER_PLACE: u64 = 1_000;

/// So many places of contractums are looked at for one answer.
const MAX_VISITED_PLACES: u64 = 30_000;

/// So many rewrites that do are compared.
const MAX_COMPARED: usize = 12;

/// Looks for rewrites around the nearest places.
pub(super) struct RemedySearch<'a> {
    program: &'a Program,
    budget: &'a Budget,
    /// Of the other rules.
    finder: Finder,
    wanted: WantedRule<'a>,
    meter: WorkMeter,
    /// No rule is tried more often.
    limit: u64,
    /// With how much of what stands around each changes: the place of the rewrite, and its turn.
    found: Vec<(Remedy, (Ordering, usize))>,
}

impl<'a> RemedySearch<'a> {
    pub(super) fn new(
        rule: &'a RuleFamily,
        program: &'a Program,
        all: &[RuleFamily],
        budget: &'a Budget,
    ) -> RemedySearch<'a> {
        let others = all.iter().filter(|other| other.info().name != rule.info().name).cloned().collect();
        RemedySearch {
            program,
            budget,
            finder: Finder::new(others),
            wanted: WantedRule {
                rule,
                budget,
                old: FxHashSet::default(),
                clean: FxHashSet::default(),
                tried: 0,
                visited: 0,
            },
            meter: WorkMeter::default(),
            limit: 0,
            found: Vec::new(),
        }
    }

    pub(super) fn tried(&self) -> u64 {
        self.finder.tried() + self.wanted.tried
    }

    /// The best: those that change least of what stands around, that add no work, that the book makes safe.
    pub(super) fn done(mut self) -> Vec<Remedy> {
        self.found.order_by_key(|(remedy, distance)| (remedy.costs, *distance));
        let mut best: Vec<Remedy> = Vec::new();
        for (remedy, _) in self.found {
            let same = |other: &&mut Remedy| {
                other.redex.path == remedy.redex.path && other.redex.contractum == remedy.redex.contractum
            };
            match best.iter_mut().find(same) {
                Some(other) if is_safer(&remedy.redex.rule, &other.redex.rule) => *other = remedy,
                Some(_) => {}
                None => best.push(remedy),
            }
        }
        best.truncate(MAX_REMEDIES);
        best
    }

    /// Those for the first of these places that has any. Before, the rule applies nowhere at all where `nowhere` says so.
    pub(super) fn remedies(&mut self, nearest: &[NearMatch], nowhere: bool) -> Result<(), StopReason> {
        if !nowhere {
            self.wanted.note(&self.program.term, &mut Vec::new(), &self.program.bounds)?;
        }
        for near in nearest {
            self.limit = self.tried() + TRIES_PER_PLACE;
            let places = places(near, &self.program.term);
            self.around(near, places)?;
            if !self.found.is_empty() {
                break;
            }
        }
        Ok(())
    }

    fn around(&mut self, near: &NearMatch, places: Vec<Path>) -> Result<(), StopReason> {
        let mut seen: FxHashSet<Path> = places.iter().cloned().collect();
        for (turn, path) in places.iter().enumerate() {
            self.rewrites(near, path, turn)?;
        }
        if near.explanation.is_apart() {
            return Ok(());
        }
        // Everything below, what is nearest to the place first.
        let mut waiting = VecDeque::from([near.path.clone()]);
        while let Some(path) = waiting.pop_front() {
            if self.is_spent() || self.found.len() >= MAX_COMPARED {
                break;
            }
            if seen.insert(path.clone()) {
                self.rewrites(near, &path, places.len())?;
            }
            let kids = path.find(&self.program.term).map_or(0, |term| term.kid_count());
            waiting.extend((0..kids).map(|k| Path([&path.0[..], &[k as u32]].concat())));
        }
        Ok(())
    }

    /// Rewrites at a place.
    fn rewrites(&mut self, near: &NearMatch, path: &Path, turn: usize) -> Result<(), StopReason> {
        self.budget.tick()?;
        if self.is_spent() {
            return Ok(());
        }
        let Some((context, term)) = site(&self.program.term, path) else { return Ok(()) };
        let focus = Focus::new(&term, &context, &self.program.bounds);
        for (rule, contractum) in self.finder.at(&focus)? {
            let redex = Redex { rule, path: path.clone(), term: term.clone(), contractum };
            let Some(whole) = redex.rewrite(&self.program.term) else { continue };
            if let Some((rule, path)) = self.wanted.after(near, &redex, &whole, &self.program.bounds)? {
                let costs = self.costs(&whole);
                let distance = (near.path.0.len().cmp(&redex.path.0.len()), turn);
                self.found.push((Remedy { redex, near: near.path.clone(), rule, path, costs }, distance));
            }
        }
        Ok(())
    }

    /// Whether enough was tried.
    fn is_spent(&self) -> bool {
        self.tried() >= self.limit || self.wanted.visited >= MAX_VISITED_PLACES
    }

    fn costs(&mut self, after: &Term) -> bool {
        let bounds = &self.program.bounds;
        let [before, after] = [&self.program.term, after].map(|term| typical(&self.meter.total(term), bounds));
        after > before
    }
}

/// Whether a rule is more exact than another that does the same, or has a law, or asks for more.
fn is_safer(rule: &Rule, other: &Rule) -> bool {
    let asked = |rule: &Rule| {
        let info = rule.info();
        let is_law = matches!(info.body, RuleBody::Laws(_));
        (Reverse(info.exactness), rule.arguments().is_empty(), is_law, info.conditions.len())
    };
    asked(rule) > asked(other)
}

/// Where a rewrite most likely helps: at what is in the way and on the way there, at the place itself, and on the way from
/// there to the root.
fn places(near: &NearMatch, whole: &Term) -> Vec<Path> {
    let (way, mut places) = (&near.path.0, Vec::new());
    let mut add = |path: Path| {
        if path.find(whole).is_some() && !places.contains(&path) {
            places.push(path);
        }
    };
    for path in near.explanation.places() {
        for end in (way.len() + 1..=path.0.len()).rev().filter(|_| path.0.starts_with(way)) {
            add(Path(path.0[..end].to_vec()));
        }
    }
    add(near.path.clone());
    for end in (0..way.len()).rev() {
        add(Path(way[..end].to_vec()));
    }
    places
}

/// The rule that is to apply.
struct WantedRule<'a> {
    rule: &'a RuleFamily,
    budget: &'a Budget,
    /// Nodes that it applies to before anything is rewritten.
    old: FxHashSet<u128>,
    /// Nodes in which it applies to none but those; of a rule that looks at nothing around.
    clean: FxHashSet<u128>,
    tried: u64,
    visited: u64,
}

impl WantedRule<'_> {
    /// Where the rule applies after a rewrite: at the same place if the rewrite was below it, or else at any place within
    /// the contractum that is new.
    fn after(
        &mut self,
        near: &NearMatch,
        redex: &Redex,
        whole: &Term,
        bounds: &SizeBounds,
    ) -> Result<Option<(Rule, Path)>, StopReason> {
        let below = redex.path.0.len() > near.path.0.len();
        let start = if below { &near.path } else { &redex.path };
        let Some((mut context, term)) = site(whole, start) else { return Ok(None) };
        if below {
            let rule = self.applying(&Focus::new(&term, &context, bounds))?;
            return Ok(rule.map(|rule| (rule, start.clone())));
        }
        self.first_new(&term, &mut context, bounds)
    }

    fn applying(&mut self, focus: &Focus) -> Result<Option<Rule>, StopReason> {
        if !self.rule.rules()[0].footprint().may_apply_to(focus.term) {
            return Ok(None);
        }
        self.tried += 1;
        applying(self.rule, focus)
    }

    /// The first new place where it applies.
    fn first_new(
        &mut self,
        term: &Term,
        context: &mut Vec<Frame>,
        bounds: &SizeBounds,
    ) -> Result<Option<(Rule, Path)>, StopReason> {
        self.budget.tick()?;
        self.visited += 1;
        let key = term.fingerprint();
        if self.clean.contains(&key) || self.visited > MAX_VISITED_PLACES {
            return Ok(None);
        }
        if !self.old.contains(&key)
            && let Some(rule) = self.applying(&Focus::new(term, context, bounds))?
        {
            return Ok(Some((rule, Path(context.iter().map(|frame| frame.kid as u32).collect()))));
        }
        for (kid, below) in term.kids().into_iter().enumerate() {
            context.push(Frame { term: term.clone(), kid });
            let found = self.first_new(&below, context, bounds)?;
            context.pop();
            if found.is_some() {
                return Ok(found);
            }
        }
        if !self.rule.is_placed() {
            self.clean.insert(key);
        }
        Ok(None)
    }

    /// Notes where it applies already.
    fn note(&mut self, term: &Term, context: &mut Vec<Frame>, bounds: &SizeBounds) -> Result<(), StopReason> {
        self.budget.tick()?;
        if !self.rule.is_placed() && !self.clean.insert(term.fingerprint()) {
            return Ok(());
        }
        if self.applying(&Focus::new(term, context, bounds))?.is_some() {
            self.old.insert(term.fingerprint());
        }
        for (kid, below) in term.kids().into_iter().enumerate() {
            context.push(Frame { term: term.clone(), kid });
            self.note(&below, context, bounds)?;
            context.pop();
        }
        Ok(())
    }
}
