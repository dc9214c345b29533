//! A [`Focus`] is a term in its context, given by the frames around it: a rule is tried on a focus.

use std::borrow::Cow;

use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{SizeBounds, Term};

use super::marks::Marks;

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
    /// What stands around it, from the root of the term that the strategy was applied to. For a rule that doesn't inspect
    /// [everything](super::ContextUse::Everything), the terms may lack what was rewritten below them, if `marks` are given.
    pub context: &'a [Frame],
    /// What that says about the variables that it binds, where this is known.
    pub marks: Option<&'a Marks>,
    /// Lower bounds of the open sizes.
    pub bounds: &'a SizeBounds,
    /// What the run may use, for rules that go through much.
    pub budget: Option<&'a Budget>,
}

impl<'a> Focus<'a> {
    /// A term with nothing around it.
    pub fn root(term: &'a Term, bounds: &'a SizeBounds) -> Focus<'a> {
        Focus::new(term, &[], bounds)
    }

    /// A term with these terms around it.
    pub fn new(term: &'a Term, context: &'a [Frame], bounds: &'a SizeBounds) -> Focus<'a> {
        Focus { term, context, marks: None, bounds, budget: None }
    }

    /// What the context says about the variables that it binds: worked out here unless it was handed in, because that goes
    /// through the whole context.
    pub(super) fn marks(&self) -> Cow<'a, Marks> {
        match self.marks {
            Some(marks) => Cow::Borrowed(marks),
            None => Cow::Owned(Marks::of(self.context.iter().map(|frame| (&frame.term, frame.kid)))),
        }
    }

    /// Asks whether the run goes on.
    pub(super) fn tick(&self) -> Result<(), StopReason> {
        self.budget.map_or(Ok(()), Budget::tick)
    }

    /// Asserts that a contractum has the type of the redex; otherwise the term around it would be ill-typed.
    #[inline(always)]
    pub(super) fn assert_type(&self, contractum: &Term) {
        assert!(contractum.ty() == self.term.ty(), "a rule changed the type of {:?}", self.term);
    }
}
