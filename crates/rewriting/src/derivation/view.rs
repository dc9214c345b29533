//! Describes a part of a derivation as it is shown: what it did in total, its stages, its rules, its steps.

use std::ops::Range;
use std::rc::Rc;

use super::{Derivation, OrderChange, OverviewRow, add};
use crate::strategy::Trace;
use redexter_language::cost::Poly;
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::Path;

/// Parts of at most so many steps are shown with each step in full.
pub const MAX_FULL_STEPS: usize = 10;

/// Of other parts without stages so many steps are named at the start and at the end.
pub const MAX_END_STEPS: usize = 5;

/// A part of a derivation.
#[derive(Clone, Debug)]
pub struct DerivationView {
    /// How it is addressed; None for the whole.
    pub address: Option<String>,
    /// Where its steps are, less one: pieces in order.
    pub pieces: Vec<Range<usize>>,
    /// The number of its steps.
    pub steps: usize,
    /// How many steps each rule took, the most first.
    pub rules: Vec<(String, usize)>,
    /// The work before and after it, if it is in one piece.
    pub work: Option<(Rc<Poly>, Rc<Poly>)>,
    /// Where the order of the work changes, if it is one piece of the whole and has more than one step.
    pub turns: Vec<OrderChange>,
    /// Its stages.
    pub rows: Vec<OverviewRow>,
    /// Its steps by name, where it is long and has no stages; how many are left out before the second half of them.
    pub named: (Vec<NamedStep>, usize),
    /// Its steps in full where they are few: in pieces, with the number of the first of each.
    pub full: Vec<(usize, Rc<Trace>)>,
}

/// A step by its name.
#[derive(Clone, Debug)]
pub struct NamedStep {
    /// Its number.
    pub number: usize,
    /// The rule, as users write it, with its mark.
    pub rule: String,
    /// Where the redex stands, in words; empty at the root.
    pub path: String,
}

impl Derivation {
    /// The whole, or these stages, in at most so many rows.
    pub fn view_stages(
        &self,
        address: Option<String>,
        stages: &[usize],
        rows: usize,
        budget: &Budget,
    ) -> Result<DerivationView, StopReason> {
        let mut view = self.view(address, self.pieces(stages), MAX_END_STEPS, budget)?;
        let shown: Vec<usize> = match (&view.address, stages) {
            (Some(_), [one]) => self.stages().stage(*one).parts.clone(),
            _ => stages.to_vec(),
        };
        if view.full.is_empty() && !shown.is_empty() {
            view.rows = self.overview(&shown, rows, budget)?;
            if view.address.is_some() && stages.len() > 1 {
                let outer = view.rows.iter_mut().filter(|row| row.depth == 0);
                outer.zip(&shown).for_each(|(row, number)| row.title = self.stages().address(*number));
            }
            view.named = Default::default();
        }
        Ok(view)
    }

    /// These steps; of many, so many at the start and at the end are named.
    pub fn view(
        &self,
        address: Option<String>,
        pieces: Vec<Range<usize>>,
        ends: usize,
        budget: &Budget,
    ) -> Result<DerivationView, StopReason> {
        let steps = pieces.iter().map(Range::len).sum();
        let work = match &pieces[..] {
            [one] => Some(self.works(one, budget)?),
            _ => None,
        };
        let turns = match &pieces[..] {
            [one] if one.len() > 1 && address.is_some() => self.turns(one, budget)?,
            _ => Vec::new(),
        };
        let (mut named, mut full) = (Default::default(), Vec::new());
        if steps <= MAX_FULL_STEPS {
            full = pieces.iter().map(|piece| (piece.start + 1, Rc::new(self.trace(piece.clone())))).collect();
        } else {
            named = self.named(&pieces, ends, budget)?;
        }
        Ok(DerivationView {
            address,
            steps,
            rules: self.rules(&pieces),
            work,
            turns,
            rows: Vec::new(),
            named,
            full,
            pieces,
        })
    }

    fn named(
        &self,
        pieces: &[Range<usize>],
        most: usize,
        budget: &Budget,
    ) -> Result<(Vec<NamedStep>, usize), StopReason> {
        let all: Vec<usize> = pieces.iter().flat_map(|piece| piece.clone()).collect();
        let hidden = all.len().saturating_sub(2 * most);
        let first = most.min(all.len());
        let ends = all[..first].iter().chain(&all[first.max(all.len() - first)..]);
        let name = |k: &usize| {
            budget.step()?;
            let step = &self.steps()[*k];
            let rule = format!("{}{}", step.rule(), step.rule().mark());
            Ok(NamedStep { number: k + 1, rule, path: step.path().display(&self.term(*k)) })
        };
        Ok((ends.map(name).collect::<Result<_, StopReason>>()?, hidden))
    }

    /// The steps whose redex is at a path or below it, less one, as pieces.
    pub fn steps_at(&self, path: &Path) -> Vec<Range<usize>> {
        self.steps_where(|k| self.steps()[k].path().0.starts_with(&path.0))
    }

    /// The steps for which something holds, less one, as pieces.
    pub fn steps_where(&self, holds: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
        let mut pieces = Vec::new();
        (0..self.steps().len()).filter(|k| holds(*k)).for_each(|k| add(&mut pieces, k..k + 1));
        pieces
    }
}
