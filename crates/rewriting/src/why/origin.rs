//! Finds the step that made a redex: the last one before which the rule didn't apply there.

use std::cell::RefCell;

use super::places::StepPlaces;
use crate::derivation::Derivation;
use crate::redex::{replaced, site};
use crate::rule::{ContextUse, Focus, Marks, Miss, Rule};
use crate::strategy::Step;
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{Path, SizeBounds, Term};

/// So many steps are gone back.
const MAX_STEPS_BACK: usize = 20_000;

/// The origin of a redex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedexOrigin<S> {
    /// It is in the first term.
    First,
    /// This step made it.
    Step(S),
    /// It is older than the steps that were looked at.
    Earlier,
}

impl<S> RedexOrigin<S> {
    /// With what is told of the step.
    pub fn map<T>(self, tell: impl FnOnce(S) -> T) -> RedexOrigin<T> {
        match self {
            RedexOrigin::First => RedexOrigin::First,
            RedexOrigin::Step(step) => RedexOrigin::Step(tell(step)),
            RedexOrigin::Earlier => RedexOrigin::Earlier,
        }
    }
}

/// A step that made a redex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MakingStep {
    /// Its number.
    pub number: usize,
    /// Its rule.
    pub rule: String,
    /// Where it rewrote, as an address.
    pub address: String,
}

/// Finds the steps that made the redexes of a derivation.
pub struct OriginFinder<'a> {
    derivation: &'a Derivation,
    bounds: &'a SizeBounds,
    budget: &'a Budget,
    places: StepPlaces,
    /// The whole terms after 0, 1, 2 … steps, as far as they were asked for.
    wholes: RefCell<Vec<Term>>,
}

impl<'a> OriginFinder<'a> {
    /// Of this derivation, whose open sizes have these bounds.
    pub fn new(derivation: &'a Derivation, bounds: &'a SizeBounds, budget: &'a Budget) -> OriginFinder<'a> {
        OriginFinder {
            derivation,
            bounds,
            budget,
            places: StepPlaces::of(derivation.steps()),
            wholes: RefCell::default(),
        }
    }

    /// The step that made the redex of a step, both by their numbers less one; steps up to `floor` aren't looked at.
    pub fn of_step(&self, k: usize, floor: usize) -> Result<RedexOrigin<usize>, StopReason> {
        let step = &self.derivation.steps()[k];
        self.of(k, step.rule(), (step.path(), &step.redex), floor)
    }

    /// The same of the redex of a rule that stands at a path after so many steps.
    pub(super) fn of(
        &self,
        after: usize,
        rule: &Rule,
        (path, redex): (Path, &Term),
        floor: usize,
    ) -> Result<RedexOrigin<usize>, StopReason> {
        let oldest = floor.max(after.saturating_sub(MAX_STEPS_BACK));
        let made = match rule.footprint().context {
            ContextUse::Nothing => self.alone(after, rule, (path, redex.clone()), oldest)?,
            ContextUse::Marks | ContextUse::Everything => self.placed(after, rule, (path, redex.clone()), oldest)?,
        };
        Ok(match made {
            Some(k) => RedexOrigin::Step(k),
            None if oldest == 0 => RedexOrigin::First,
            None => RedexOrigin::Earlier,
        })
    }

    /// For a rule that looks at nothing but the redex: what was done elsewhere doesn't matter.
    fn alone(
        &self,
        mut after: usize,
        rule: &Rule,
        (mut path, mut redex): (Path, Term),
        oldest: usize,
    ) -> Result<Option<usize>, StopReason> {
        while let Some(k) = self.places.last(&path.0, after).filter(|k| *k >= oldest) {
            self.budget.tick()?;
            let (step, at) = (&self.derivation.steps()[k], self.places.path(k));
            match at.strip_prefix(&path.0[..]) {
                Some(inside) if !inside.is_empty() => {
                    let Some(older) = replaced(&redex, inside, &step.redex) else { return Ok(Some(k)) };
                    if !applies(rule, &Focus::root(&older, self.bounds))? {
                        return Ok(Some(k));
                    }
                    redex = older;
                }
                // What stood elsewhere in the step's redex before isn't made.
                _ => match moved(&step.redex, &redex) {
                    Some(below) => path = Path([at, &below].concat()),
                    None => return Ok(Some(k)),
                },
            }
            after = k;
        }
        Ok(None)
    }

    /// For a rule that looks around: each step may have made what it sees there.
    fn placed(
        &self,
        after: usize,
        rule: &Rule,
        (mut path, mut redex): (Path, Term),
        oldest: usize,
    ) -> Result<Option<usize>, StopReason> {
        let by_marks = rule.footprint().context == ContextUse::Marks;
        for k in (oldest..after).rev() {
            self.budget.tick()?;
            let (step, at) = (&self.derivation.steps()[k], self.places.path(k));
            if path.0.starts_with(at) {
                let Some(below) = moved(&step.redex, &redex) else { return Ok(Some(k)) };
                path = Path([at, &below].concat());
            } else if by_marks && !at.starts_with(&path.0) && keeps_marks(step) {
                continue;
            }
            let older = self.whole(k);
            let Some((context, term)) = site(&older, &path) else { return Ok(Some(k)) };
            if !applies(rule, &Focus::new(&term, &context, self.bounds))? {
                return Ok(Some(k));
            }
            redex = term;
        }
        Ok(None)
    }

    /// The whole term after so many steps.
    fn whole(&self, after: usize) -> Term {
        let mut wholes = self.wholes.borrow_mut();
        for next in wholes.len()..=after {
            wholes.push(self.derivation.term(next));
        }
        wholes[after].clone()
    }
}

/// Whether what the context says of variables is surely the same elsewhere before and after a step: that has the same ones.
fn keeps_marks(step: &Step) -> bool {
    let none = Marks::default();
    none.stay(&step.redex, &step.contractum) && none.stay(&step.contractum, &step.redex)
}

impl MakingStep {
    /// A step, by its number less one.
    pub(super) fn of(derivation: &Derivation, k: usize) -> MakingStep {
        let step = &derivation.steps()[k];
        let address = step.path().address(&derivation.term(k));
        MakingStep { number: k + 1, rule: step.rule().to_string(), address }
    }
}

/// Where in a redex what is in its contractum stood: the first that is the same.
fn moved(redex: &Term, wanted: &Term) -> Option<Vec<u32>> {
    find(redex, wanted, &mut Vec::new(), &mut MAX_NODES.clone())
}

/// So many nodes of a redex are looked at.
const MAX_NODES: usize = 20_000;

fn find(term: &Term, wanted: &Term, path: &mut Vec<u32>, left: &mut usize) -> Option<Vec<u32>> {
    if term == wanted {
        return Some(path.clone());
    }
    *left = left.checked_sub(1)?;
    // A term that is no larger can't hold the other, so that its children need not be searched.
    if term.size() <= wanted.size() {
        return None;
    }
    for (k, kid) in term.kids().into_iter().enumerate() {
        path.push(k as u32);
        let found = find(&kid, wanted, path, left);
        path.pop();
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Whether a rule makes another term of what it is tried on.
pub(super) fn applies(rule: &Rule, focus: &Focus) -> Result<bool, StopReason> {
    match rule.attempt(focus) {
        Ok(contractum) => Ok(contractum != *focus.term),
        Err(Miss::Stopped(reason)) => Err(reason),
        Err(_) => Ok(false),
    }
}
