//! Says what running a node counts as, apart from its children.

/// The charge for running a constructor or a primitive: what it counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charge {
    /// Nothing.
    Free,
    /// A flop where the result is real, nothing otherwise.
    FlopIfReal,
    /// A compare, whatever the type.
    Compare,
    /// A read.
    Read,
    /// An iteration for each index below its size, each with so many writes.
    Rounds {
        /// The elements that an iteration stores.
        writes: u128,
    },
    /// As much as the function counts as that is called.
    Call,
}
