//! Extends the marks of a context to a place below a rule's term, for conditions: which variables count loops there, and which
//! depend on a parameter index, or on a given variable.

use std::borrow::Cow;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use redexter_language::term::{Kind, Term};

use super::super::focus::{Focus, Frame};
use super::super::marks::{BinderMarks, ContextRole, ContextStep, Marks, search};

/// The variables that a context binds.
pub(in super::super) struct EnclosingMarks<'a> {
    outer: Cow<'a, Marks>,
    /// Those that are bound further in, outermost first.
    inner: SmallVec<[BinderMarks; 8]>,
    way: ContextRole,
    /// Where the variable is bound, counted from the root, on which others are to depend, instead of a parameter index:
    /// the variable of a `build` or an `ifold` on the way from the root to the result that some `=` below compares with an
    /// index bound further in.
    level: Option<usize>,
}

impl<'a> EnclosingMarks<'a> {
    /// The place to which these frames lead from the focus.
    pub(in super::super) fn at(focus: &Focus<'a>, frames: &[Frame]) -> EnclosingMarks<'a> {
        let outer = focus.marks();
        let mut enclosing = EnclosingMarks { way: outer.way(), outer, inner: SmallVec::new(), level: None };
        frames.iter().for_each(|frame| enclosing.enter(frame));
        enclosing
    }

    /// The same, where others are to depend on the variable that is bound there.
    pub(super) fn on(level: usize, focus: &Focus<'a>, frames: &[Frame]) -> EnclosingMarks<'a> {
        // From the root on, because the marks that are kept of the context are about parameter indices.
        let outer = Cow::Owned(Marks::default());
        let mut enclosing =
            EnclosingMarks { outer, inner: SmallVec::new(), way: ContextRole::Result(false), level: Some(level) };
        focus.context.iter().chain(frames).for_each(|frame| enclosing.enter(frame));
        enclosing
    }

    /// One step further down.
    pub(in super::super) fn enter(&mut self, frame: &Frame) {
        let step =
            ContextStep::new(&frame.term, frame.kid, self.way, self.level.is_none(), |index| self.is_marked(index));
        // Asked before the step's variable is added: its level is the number of those around it.
        let asked = self.level == Some(self.depth());
        self.way = step.way;
        self.inner.extend(step.binder.map(|binder| BinderMarks { marked: binder.marked || asked, ..binder }));
    }

    /// The number of variables that are bound around the place.
    pub(in super::super) fn depth(&self) -> usize {
        self.outer.depth() + self.inner.len()
    }

    fn binder(&self, index: u32) -> Option<BinderMarks> {
        match self.inner.len().checked_sub(index as usize + 1) {
            Some(own) => Some(self.inner[own]),
            None => self.outer.binder(index - self.inner.len() as u32),
        }
    }

    /// Whether a term at this place depends on what it asks about, be it through enclosing lets and folds.
    pub(in super::super) fn marks(&self, term: &Term) -> bool {
        term.free().any(|(i, _)| self.is_marked(i))
    }

    /// Whether this variable does.
    pub(in super::super) fn is_marked(&self, index: u32) -> bool {
        self.binder(index).is_some_and(|binder| binder.marked)
    }

    /// Whether this variable counts the iterations of a loop.
    pub(in super::super) fn counts(&self, index: u32) -> bool {
        self.binder(index).is_some_and(|binder| binder.counts)
    }

    /// The enclosing loop variables in a term at this place, counted from the root.
    pub(in super::super) fn loops(&self, term: &Term) -> Vec<usize> {
        let level = |i: u32| self.depth().checked_sub(i as usize + 1);
        term.free().filter(|(i, _)| self.counts(*i)).filter_map(|(i, _)| level(i)).collect()
    }

    /// Whether a term at this place holds an `if` whose condition does, or a guard whose number does.
    pub(in super::super) fn holds_choice(&self, term: &Term) -> bool {
        let marked =
            |t: &Term, under: u32| t.free().any(|(i, _)| i.checked_sub(under).is_some_and(|i| self.is_marked(i)));
        let wanted =
            |term: &Term, under: u32| matches!(term.kind(), Kind::If | Kind::Guard(..)) && marked(&term.kid(0), under);
        search(term, 0, &mut FxHashSet::default(), &marked, &wanted)
    }
}
