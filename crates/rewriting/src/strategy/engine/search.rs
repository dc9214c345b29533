//! Searches a term for one redex of a choice of rules: `topDown`, `bottomUp` and what users write with `one` to the same end. A
//! `RedexSearch` is the engine's inner loop, with the cursor for its stack.
//!
//! Within a repetition it goes on after a rewrite as [`super::resume`] says, for the terms on its own way down, too: there
//! its rules have failed, if they come before the children, and are asked again where they may succeed now.

use std::rc::Rc;

use smallvec::SmallVec;

use crate::rule::{BinderKinds, FreshSubterms};
use redexter_language::term::Node;

use super::choices::RuleAlternatives;
use super::code::OpId;
use super::failure_bit::FailureBit;
use super::failures::FailureMemory;
use super::footprint::sees;
use super::machine::{Engine, EngineHalt, NextAction, RewriteResult};
use super::resume::{EnclosingRepeat, outer};
use super::stack::ResumeRegion;

pub(super) struct RedexSearch {
    choices: Rc<RuleAlternatives>,
    /// Whether the rules are tried before the children, or behind them.
    outermost: bool,
    /// By which nodes remember that it fails on them.
    bit: FailureBit,
    /// The depth of the term that it is applied to.
    base: usize,
    /// The repetition whose rounds it goes on with.
    around: Option<EnclosingRepeat>,
    /// Whether it is all that this repeats.
    whole: bool,
    /// The outermost place of the stack within that where the reason of a failure may lie anywhere below.
    deep: Option<usize>,
    /// What was tried before the search on terms around may hang on changes down to this depth.
    near: usize,
}

impl RedexSearch {
    /// Whether the rules may apply to a term as far as its constructor says.
    #[inline]
    fn may_fit(&self, term: &Node) -> bool {
        self.choices.rules.footprint().may_apply_to(term)
    }

    /// Whether it may succeed on a term as far as the constructors say that occur in it.
    #[inline]
    fn may_rewrite(&self, term: &Node) -> bool {
        self.choices.rules.footprint().may_apply_in(term)
    }
}

/// The result of trying the rules on the focus.
enum FocusOutcome {
    Failed,
    /// It was rewritten; now the search goes on with the focus.
    Anew,
    /// It was rewritten, and that is all.
    Done,
    /// It was rewritten, and the next round begins with what was tried at this place of the stack.
    Back(usize),
}

impl Engine {
    /// Runs the operation `own`, which tries these rules on a term and itself on one of its children.
    pub(super) fn search(&mut self, own: OpId, row: usize, outermost: bool) -> Result<NextAction, EngineHalt> {
        let choices = self.code.choices[row].clone();
        let ResumeRegion { repeat, deep, .. } = self.region();
        let place = |counted: u32| (counted as usize).checked_sub(1);
        let (base, deep) = (self.cursor.depth(), place(deep));
        let around = place(repeat).map(|place| self.around(place));
        // What failed near looks down by the reach of its rules at most; what failed for a reason at any depth must be asked
        // again wherever something changes.
        let near = match (&around, deep) {
            (Some(around), None) => base.saturating_add(around.reach),
            _ => usize::MAX,
        };
        // `whole` where the repetition is on top of the stack, because then it waits for this search and nothing else.
        let (bit, whole) = (self.bit(own, FailureMemory::Failure), repeat as usize == self.stack.len());
        let search = RedexSearch { choices, outermost, bit, base, around, whole, deep, near };
        self.cursor.trying(search.base);
        self.run_search(search)
    }

    /// Searches from the focus on; `from` is the child that comes next, and 0 where the focus itself does.
    pub(super) fn run_search(&mut self, search: RedexSearch) -> Result<NextAction, EngineHalt> {
        let mut from = 0;
        loop {
            // The constructor is asked first, because to try the rules may take putting together what stands around.
            if search.outermost && from == 0 && search.may_fit(&self.cursor.focus) {
                match self.rewrite_here(&search)? {
                    FocusOutcome::Failed => {}
                    // The search is handed out, so that after a pause it can go on from here.
                    FocusOutcome::Anew if self.is_due() => return Ok(NextAction::Search(Box::new(search))),
                    FocusOutcome::Anew => continue,
                    FocusOutcome::Done => return Ok(NextAction::Yes),
                    FocusOutcome::Back(place) => return Ok(self.again(place)),
                }
            }
            if let Some(k) = self.open_kid(from, search.bit, |kid| search.may_rewrite(kid)) {
                // One search may go through the whole term, so that each child asks.
                self.budget.tick()?;
                self.visit(k);
                from = 0;
                continue;
            }
            if !search.outermost && search.may_fit(&self.cursor.focus) {
                match self.rewrite_here(&search)? {
                    FocusOutcome::Failed => {}
                    FocusOutcome::Anew if self.is_due() => return Ok(NextAction::Search(Box::new(search))),
                    FocusOutcome::Anew => {
                        // The contractum's children come before it, so that they must be searched first.
                        from = 0;
                        continue;
                    }
                    FocusOutcome::Done => return Ok(NextAction::Yes),
                    FocusOutcome::Back(place) => return Ok(self.again(place)),
                }
            }
            self.note(search.bit);
            if self.cursor.depth() <= search.base {
                // Rounds that went on inside the search may have rewritten what it was applied to.
                self.refresh();
                // A leaf has nothing below that could change, so that only the rules' own reason counts.
                return Ok(NextAction::No(self.cursor.focus.kid_count() > 0 || self.cursor.is_doubtful()));
            }
            from = self.cursor.up() + 1;
        }
    }

    /// Tries the rules on the focus.
    #[inline(never)]
    fn rewrite_here(&mut self, search: &RedexSearch) -> Result<FocusOutcome, EngineHalt> {
        debug_assert!(!self.cursor.is_doubtful(), "what is tried hasn't failed yet");
        match self.attempt(&search.choices)? {
            RewriteResult::Rewritten => self.found(search),
            RewriteResult::Missed(below) => {
                // From the leaves up, the rules haven't been tried yet on the terms around, so that there is no failure to doubt.
                if search.outermost {
                    self.cursor.doubt(below);
                }
                Ok(FocusOutcome::Failed)
            }
        }
    }

    fn found(&mut self, search: &RedexSearch) -> Result<FocusOutcome, EngineHalt> {
        let inside = self.cursor.depth() > search.base;
        // A success like any other where nothing repeats the search, or where more is repeated and the search's own term was
        // rewritten, since `resume` then finds where the next round goes on.
        let Some(around) = search.around.as_ref().filter(|_| inside || search.whole) else {
            self.rise(search.base);
            // Earlier rounds may have gone on inside the search, so that the frame around may have an older term than this round.
            if !inside && let Some(redex) = self.steps.last().map(|step| step.redex.clone()) {
                self.refresh_to(redex);
            }
            return Ok(FocusOutcome::Done);
        };
        // The repetition begins the next round itself and counts this one there, so that it must not be counted here.
        if self.is_turned(around.place) {
            self.rise(search.base);
            self.unwind(around.place + 1);
            return Ok(FocusOutcome::Done);
        }
        self.finish_round(around.place)?;
        // Binders are gathered only where some may be asked about, because that takes going through the variables of both terms.
        if self.steps.last().is_some_and(|step| self.may_be_asked(around, &step.redex)) {
            return Ok(self.go_on_asked(search, around));
        }
        Ok(self.go_on(search, around, &[]))
    }

    #[inline(never)]
    fn go_on_asked(&mut self, search: &RedexSearch, around: &EnclosingRepeat) -> FocusOutcome {
        let binders = self.steps.last().map_or_else(SmallVec::new, |step| self.asked_binders(around, &step.redex));
        self.go_on(search, around, &binders)
    }

    /// After a round that has changed how the variables of these binders are used.
    #[inline(always)]
    fn go_on(&mut self, search: &RedexSearch, around: &EnclosingRepeat, binders: &[usize]) -> FocusOutcome {
        // What was tried further out comes before the search, so that the next round begins there if that may succeed now.
        if !search.whole
            && (self.cursor.depth() <= search.near || !binders.is_empty())
            && let Some(place) = self.asked_outside(search, around, binders)
        {
            self.rise(search.base);
            return FocusOutcome::Back(place);
        }
        // A look at the contractum's constructor, so that nobody goes along the way where no rule looks for that.
        let seen = search.choices.rules.footprint().seeks(&self.cursor.focus);
        if search.outermost
            && (seen || self.cursor.doubtful().is_some() || !binders.is_empty())
            && let Some(depth) = self.asked_again(search, binders)
        {
            self.rise(depth);
            // The rules are tried on this term again, so that its last failure must not count any more.
            self.cursor.trying(search.base);
        }
        FocusOutcome::Anew
    }

    #[inline(never)]
    fn rise(&mut self, depth: usize) {
        while self.cursor.depth() > depth {
            self.cursor.up();
        }
    }

    /// The outermost place of the stack, on the term that the search is applied to or further out, where something failed
    /// that may succeed now.
    #[inline(never)]
    fn asked_outside(&mut self, search: &RedexSearch, around: &EnclosingRepeat, binders: &[usize]) -> Option<usize> {
        let seen = self.seen_by(around, search.base);
        outer(outer(search.deep, seen), self.used_by(around, binders, search.base))
    }

    /// The outermost term around the focus on which the rules have failed, but may succeed now.
    #[inline(never)]
    fn asked_again(&self, search: &RedexSearch, binders: &[usize]) -> Option<usize> {
        outer(outer(self.doubted(search), self.seen_here(search)), self.used_here(search, binders))
    }

    /// The outermost one on which they failed for a reason that lies on the way, and may have gone.
    fn doubted(&self, search: &RedexSearch) -> Option<usize> {
        let depth = self.cursor.doubtful()?;
        // Rules that only fail because nothing stands twice fail again, unless the rewrite brought in what stands beside the way.
        let stays = || {
            let redex = &self.steps.last()?.redex;
            let (now, way) = self.cursor.site();
            Some(!FreshSubterms::of(redex, now)?.stands_beside(&way[depth..]))
        };
        let repeats = search.choices.rules.footprint().repeats;
        (!(repeats && stays() == Some(true))).then_some(depth)
    }

    /// The outermost term on the way at which the rules look as far as the focus.
    fn seen_here(&self, search: &RedexSearch) -> Option<usize> {
        let footprint = search.choices.rules.footprint();
        let (now, way) = self.cursor.site();
        // The rules look down by their reach at most, so that terms further out can't have seen the change.
        let nearest = search.base.max(way.len().saturating_sub(footprint.reach as usize));
        (nearest..way.len()).find(|depth| sees(footprint, &way[*depth..], now))
    }

    /// The outermost one at which they may ask about variables of these binders, which are used differently now.
    fn used_here(&self, search: &RedexSearch, binders: &[usize]) -> Option<usize> {
        let footprint = search.choices.rules.footprint();
        if footprint.occurrences == BinderKinds::NONE {
            return None;
        }
        let asks = |depth: &usize| footprint.may_apply_to(&self.cursor.frame(*depth).term);
        let nearest = |binder: &usize| search.base.max(binder.saturating_sub(footprint.reach as usize))..=*binder;
        binders.iter().filter_map(|binder| nearest(binder).find(asks)).min()
    }
}
