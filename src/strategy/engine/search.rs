//! A traversal that looks for one redex of a choice of rules: `topDown`, `bottomUp` and what users write with `one` to
//! the same end. It is the engine's inner loop, with the cursor for its stack.
//!
//! Within a repetition it goes on after a rewrite as [`super::resume`] says, for the terms on its own way down, too: there
//! its rules have failed, if they come before the children, and are asked again where they may succeed now.

use std::rc::Rc;

use smallvec::SmallVec;

use crate::rule::Binders;

use super::super::machine::Halt;
use super::choices::Choices;
use super::code::Id;
use super::machine::{Engine, Next, Tried};
use super::resume::Around;
use super::stack::Region;

/// A search that runs.
struct Search {
    choices: Rc<Choices>,
    /// Whether the rules are tried before the children, or behind them.
    outermost: bool,
    /// By which nodes remember that it fails on them.
    bit: u64,
    /// The depth of the term that it is applied to.
    base: usize,
    /// The repetition whose rounds it goes on with.
    around: Option<Around>,
    /// The outermost place of the stack within that where the reason of a failure may lie anywhere below.
    deep: Option<usize>,
}

/// Where a search is.
enum At {
    /// At a term that it has yet to look into.
    Term,
    /// Before the child with this number.
    Kid(usize),
    /// At its end.
    End(Next),
}

impl Engine<'_> {
    /// Runs the operation `own`, which tries these rules on a term and itself on one of its children.
    pub(super) fn search(&mut self, own: Id, row: usize, outermost: bool) -> Result<Next, Halt> {
        let choices = self.code.choices[row].clone();
        let Region { repeat, deep, .. } = self.region();
        let place = |counted: u32| (counted as usize).checked_sub(1);
        let search = Search {
            choices,
            outermost,
            bit: self.failure_bit(own),
            base: self.cursor.depth(),
            around: place(repeat).map(|place| self.around(place)),
            deep: place(deep),
        };
        self.cursor.trying(search.base);
        let mut at = At::Term;
        loop {
            at = match at {
                At::Term if outermost => match self.rewrite(&search.choices)? {
                    Tried::Rewritten => self.found(&search)?,
                    Tried::Missed(below) => {
                        self.cursor.doubt(below);
                        At::Kid(0)
                    }
                },
                At::Term => At::Kid(0),
                At::Kid(from) => match self.open_kid(from, search.bit) {
                    Some(k) => {
                        self.budget.tick()?;
                        self.cursor.down(k, self.stack.len());
                        At::Term
                    }
                    None if outermost => self.leave(&search),
                    None => match self.rewrite(&search.choices)? {
                        Tried::Rewritten => self.found(&search)?,
                        Tried::Missed(_) => self.leave(&search),
                    },
                },
                At::End(next) => return Ok(next),
            }
        }
    }

    /// It fails on the focus.
    #[inline]
    fn leave(&mut self, search: &Search) -> At {
        self.failures.note(&self.cursor.focus, search.bit);
        if self.cursor.depth() > search.base {
            return At::Kid(self.cursor.up() + 1);
        }
        self.refresh();
        At::End(Next::No(self.cursor.focus.kid_count() > 0 || self.cursor.is_doubtful()))
    }

    /// The focus was rewritten.
    fn found(&mut self, search: &Search) -> Result<At, Halt> {
        let inside = self.cursor.depth() > search.base;
        let around = search.around.as_ref().filter(|around| inside || around.place + 1 == self.stack.len());
        let Some(around) = around else {
            self.rise(search.base);
            if !inside && let Some(redex) = self.steps.last().map(|step| step.redex.clone()) {
                self.refresh_to(redex);
            }
            return Ok(At::End(Next::Yes));
        };
        let by = self.steps.last().map_or(0, |step| step.contractum.shape().wrapping_sub(step.redex.shape()));
        self.finish_round(around.place, by)?;
        let near = self.cursor.depth() <= search.base.saturating_add(around.look);
        let binders = if around.uses == Binders::NONE { SmallVec::new() } else { self.binders_of_last(around) };
        if (near || search.deep.is_some() || !binders.is_empty())
            && let Some(place) = self.asked_outside(search, around, &binders)
        {
            self.rise(search.base);
            return Ok(At::End(self.again(place)));
        }
        if search.outermost
            && let Some(depth) = self.asked_again(search, &binders)
        {
            self.rise(depth);
            self.cursor.trying(search.base);
        }
        Ok(At::Term)
    }

    fn rise(&mut self, depth: usize) {
        while self.cursor.depth() > depth {
            self.cursor.up();
        }
    }

    /// The outermost place of the stack, on the term that the search is applied to or further out, where something failed
    /// that may succeed now.
    fn asked_outside(&mut self, search: &Search, around: &Around, binders: &[usize]) -> Option<usize> {
        let places = [search.deep, self.seen_by(around, search.base), self.used_by(around, binders, search.base)];
        places.into_iter().flatten().min()
    }

    /// The outermost term around the focus on which the rules have failed, but may succeed now.
    fn asked_again(&self, search: &Search, binders: &[usize]) -> Option<usize> {
        let used = if binders.is_empty() { None } else { self.used_here(search, binders) };
        [self.cursor.doubtful(), self.seen_here(search), used].into_iter().flatten().min()
    }

    /// The depths of the binders whose variables the last step uses differently.
    fn binders_of_last(&self, around: &Around) -> SmallVec<[usize; 4]> {
        self.steps.last().map_or_else(SmallVec::new, |step| self.asked_binders(around, &step.redex))
    }

    /// The outermost term on the way at which the rules look as far as the focus.
    #[inline]
    fn seen_here(&self, search: &Search) -> Option<usize> {
        let (look, focus) = (search.choices.rules.look(), self.cursor.depth());
        (search.base.max(focus.saturating_sub(look.longest as usize))..focus).find(|depth| {
            let term = &self.cursor.frame(*depth).term;
            let way = (*depth..focus).map(|d| self.cursor.frame(d).kid as u32);
            look.fits_term(term) && look.reaches(term, way, &self.cursor.focus)
        })
    }

    /// The outermost one at which they may ask about variables of these binders, which are used differently now.
    fn used_here(&self, search: &Search, binders: &[usize]) -> Option<usize> {
        let look = search.choices.rules.look();
        if look.uses == Binders::NONE {
            return None;
        }
        let asks = |depth: &usize| look.fits_term(&self.cursor.frame(*depth).term);
        let nearest = |binder: &usize| search.base.max(binder.saturating_sub(look.longest as usize))..=*binder;
        binders.iter().filter_map(|binder| nearest(binder).find(asks)).min()
    }
}
