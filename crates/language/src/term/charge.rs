//! What running a node counts as, apart from its children.

/// What running a constructor or a primitive counts as.
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
        /// The elements that a round stores.
        writes: u128,
    },
    /// What the function counts as that is called.
    Call,
}
