//! Finds every redex of some rules in a term: where they apply, and what each makes of it.
//!
//! What a rule that looks at nothing but the term comes to on a node is remembered, so that shared subterms and the next
//! term of a derivation cost little. This module knows rules and terms; it knows no strategies and no costs.

mod family;

pub use family::{RuleFamily, families, named};

use rustc_hash::FxHashMap;
use std::rc::Rc;

use crate::rule::{Focus, Frame, Marks, Rule};
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{Path, Program, SizeBounds, Term};

/// A place where a rule applies.
#[derive(Clone, Debug)]
pub struct Redex {
    /// The rule, with its arguments.
    pub rule: Rule,
    /// Where.
    pub path: Path,
    /// The subterm there.
    pub term: Term,
    /// What the rule makes of it; another term.
    pub contractum: Term,
}

/// The redexes of a term.
#[derive(Clone, Debug, Default)]
pub struct Redexes {
    /// From the root down and from left to right; at one place in the order of the rules.
    pub found: Vec<Redex>,
    /// Whether these are all: a term may have more places than there is time.
    pub all: bool,
}

impl Redex {
    /// The whole term after rewriting it.
    pub fn rewrite(&self, whole: &Term) -> Option<Term> {
        replaced(whole, &self.path.0, &self.contractum)
    }
}

/// The term with another subterm at this path.
pub fn replaced(whole: &Term, path: &[u32], new: &Term) -> Option<Term> {
    match path.split_first() {
        None => Some(new.clone()),
        Some((k, rest)) => {
            let k = *k as usize;
            let kid = (k < whole.kid_count()).then(|| whole.kid(k))?;
            whole.with_kid(k, replaced(&kid, rest, new)?).ok()
        }
    }
}

/// The subterm at this path with what stands around it.
pub fn site(whole: &Term, path: &Path) -> Option<(Vec<Frame>, Term)> {
    let (mut context, mut here) = (Vec::with_capacity(path.0.len()), whole.clone());
    for k in &path.0 {
        let kid = *k as usize;
        let next = (kid < here.kid_count()).then(|| here.kid(kid))?;
        context.push(Frame { term: std::mem::replace(&mut here, next), kid });
    }
    Some((context, here))
}

/// Finds the redexes of some rules in one term after another; these have the same open sizes with the same bounds.
pub struct Finder {
    families: Vec<RuleFamily>,
    /// The families that may apply to a node, by its fingerprint: those that do, and those that look at the context.
    known: FxHashMap<u128, Rc<[usize]>>,
    tried: u64,
}

impl Finder {
    /// For these rules, in this order.
    pub fn new(families: Vec<RuleFamily>) -> Finder {
        Finder { families, known: FxHashMap::default(), tried: 0 }
    }

    /// What is looked for.
    pub fn families(&self) -> &[RuleFamily] {
        &self.families
    }

    /// How often a rule was tried so far.
    pub fn tried(&self) -> u64 {
        self.tried
    }

    /// The redexes in a program, at most so many.
    pub fn redexes(&mut self, program: &Program, most: usize, budget: &Budget) -> Result<Redexes, StopReason> {
        self.below(program, &Path::default(), most, budget)
    }

    /// Those at a path and below it.
    pub fn below(
        &mut self,
        program: &Program,
        path: &Path,
        most: usize,
        budget: &Budget,
    ) -> Result<Redexes, StopReason> {
        let mut found = Vec::new();
        let all = self.each(program, path, budget, &mut |redex| {
            // One redex more than wanted is asked for, because it tells that these aren't all.
            let more = found.len() < most;
            found.extend(more.then_some(redex));
            Ok(more)
        })?;
        Ok(Redexes { found, all })
    }

    /// Shows each redex at a path and below it, in the order of [`Redexes`], as long as `see` gives true. Whether all of
    /// them were seen.
    pub fn each(
        &mut self,
        program: &Program,
        path: &Path,
        budget: &Budget,
        see: &mut dyn FnMut(Redex) -> Result<bool, StopReason>,
    ) -> Result<bool, StopReason> {
        self.each_place(program, path, budget, &mut |finder, focus, path| {
            for (rule, contractum) in finder.at(focus)? {
                if !see(Redex { rule, path: path.clone(), term: focus.term.clone(), contractum })? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    /// Goes to a path and to each place below it, from the root down and from left to right, as long as `see` gives
    /// true. Whether it came to the end.
    pub fn each_place(
        &mut self,
        program: &Program,
        path: &Path,
        budget: &Budget,
        see: &mut dyn FnMut(&mut Finder, &Focus, &Path) -> Result<bool, StopReason>,
    ) -> Result<bool, StopReason> {
        let Some((context, term)) = site(&program.term, path) else { return Ok(false) };
        let marks = Marks::of(context.iter().map(|frame| (&frame.term, frame.kid)));
        PlaceVisitor { finder: self, bounds: &program.bounds, context, marks, path: path.clone(), budget, see }
            .go(&term)
    }

    /// The redexes at one place.
    pub fn at(&mut self, focus: &Focus) -> Result<Vec<(Rule, Term)>, StopReason> {
        let mut found = Vec::new();
        match self.known.get(&focus.term.fingerprint()).cloned() {
            Some(likely) => {
                for k in likely.iter() {
                    found.extend(self.first(*k, focus)?);
                }
            }
            None => self.look(focus, |_, redex| found.extend(redex))?,
        }
        Ok(found)
    }

    /// The families that have a redex at one place, by their numbers: cheaper than the redexes.
    pub fn families_at(&mut self, focus: &Focus) -> Result<Vec<usize>, StopReason> {
        let mut found = Vec::new();
        match self.known.get(&focus.term.fingerprint()).cloned() {
            Some(likely) => {
                for k in likely.iter() {
                    // What looks at the node alone applies wherever the node stands, so that it need not be tried again.
                    if !self.families[*k].is_placed() || self.first(*k, focus)?.is_some() {
                        found.push(*k);
                    }
                }
            }
            None => self.look(focus, |k, redex| found.extend(redex.map(|_| k)))?,
        }
        Ok(found)
    }

    /// Tries every family on a term that isn't known, and shows what each comes to.
    fn look(&mut self, focus: &Focus, mut see: impl FnMut(usize, Option<(Rule, Term)>)) -> Result<(), StopReason> {
        let mut likely = Vec::new();
        for k in 0..self.families.len() {
            let found = self.first(k, focus)?;
            // One that looks at the place may apply to an equal node elsewhere, so that it must be tried at each.
            if found.is_some() || self.families[k].is_placed() {
                likely.push(k);
            }
            see(k, found);
        }
        self.known.insert(focus.term.fingerprint(), likely.into());
        Ok(())
    }

    fn first(&mut self, family: usize, focus: &Focus) -> Result<Option<(Rule, Term)>, StopReason> {
        self.families[family].first(focus, &mut self.tried)
    }
}

struct PlaceVisitor<'a> {
    finder: &'a mut Finder,
    bounds: &'a SizeBounds,
    context: Vec<Frame>,
    /// What that says of its variables: else each rule that asks would go through all of it at each place.
    marks: Marks,
    path: Path,
    budget: &'a Budget,
    see: &'a mut dyn FnMut(&mut Finder, &Focus, &Path) -> Result<bool, StopReason>,
}

impl PlaceVisitor<'_> {
    /// Whether all was looked at.
    fn go(&mut self, term: &Term) -> Result<bool, StopReason> {
        self.budget.tick()?;
        let (marks, budget) = (Some(&self.marks), Some(self.budget));
        let focus = Focus { marks, budget, ..Focus::new(term, &self.context, self.bounds) };
        if !(self.see)(self.finder, &focus, &self.path)? {
            return Ok(false);
        }
        for (kid, below) in term.kids().into_iter().enumerate() {
            self.context.push(Frame { term: term.clone(), kid });
            self.marks.enter(term, kid);
            self.path.0.push(kid as u32);
            let all = self.go(&below)?;
            self.path.0.pop();
            self.marks.leave();
            self.context.pop();
            if !all {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
