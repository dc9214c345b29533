//! [`ContextUse`] says how much of its context a rule inspects.

/// The part of its context that a rule, or a condition, inspects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ContextUse {
    /// Nothing: it looks at the term alone.
    #[default]
    Nothing,
    /// What the context says of the term's free variables, as [`Marks::signature`](crate::rule::Marks::signature) sums it up.
    Marks,
    /// Anything.
    Everything,
}
