//! The place where a rule is tried.

use crate::term::{Bounds, Term};

/// One step on the way from the root to a place: an enclosing term and the child through which the way goes.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The enclosing term, in its own scope.
    pub term: Term,
    /// The number of the child.
    pub kid: usize,
}

/// A term and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// The term that a rule is tried on.
    pub term: &'a Term,
    /// What stands around it, from the root of the term that the strategy was applied to.
    pub above: &'a [Frame],
    /// Lower bounds of the open sizes.
    pub bounds: &'a Bounds,
}

impl<'a> Site<'a> {
    /// A term with nothing around it.
    pub fn root(term: &'a Term, bounds: &'a Bounds) -> Site<'a> {
        Site { term, above: &[], bounds }
    }
    /// That a contractum has the type of what it stands for: what a law, or a function, must see to.
    #[inline(always)]
    pub(super) fn assert_type(&self, contractum: &Term) {
        assert!(contractum.ty() == self.term.ty(), "a rule changed the type of {:?}", self.term);
    }
}
