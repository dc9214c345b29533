//! A term in its context: what a rule is tried on.

use crate::term::{Bounds, Term};

/// One step on the way from the root to a subterm: an enclosing term and the child through which the way goes.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The enclosing term, in its own scope.
    pub term: Term,
    /// The number of the child.
    pub kid: usize,
}

/// A term and its context.
#[derive(Clone, Copy, Debug)]
pub struct Focus<'a> {
    /// The term that a rule is tried on.
    pub term: &'a Term,
    /// What stands around it, from the root of the term that the strategy was applied to.
    pub context: &'a [Frame],
    /// Lower bounds of the open sizes.
    pub bounds: &'a Bounds,
}

impl<'a> Focus<'a> {
    /// A term with nothing around it.
    pub fn root(term: &'a Term, bounds: &'a Bounds) -> Focus<'a> {
        Focus { term, context: &[], bounds }
    }

    /// That a contractum has the type of the redex: what a law, or a function, must see to.
    #[inline(always)]
    pub(super) fn assert_type(&self, contractum: &Term) {
        assert!(contractum.ty() == self.term.ty(), "a rule changed the type of {:?}", self.term);
    }
}
