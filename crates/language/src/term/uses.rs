//! Records what a term knows about its free variables besides their indices.

use super::node::Node;
use super::types::Type;

/// A free variable, with what its term knows about it.
#[derive(Clone, Copy, Debug)]
pub struct FreeVariable<'a> {
    /// Its type.
    pub ty: &'a Type,
    /// How often it occurs; saturates at 2^31-1.
    pub count: u32,
    /// Whether an occurrence stands under a `build`, an `ifold` body or a λ.
    pub looped: bool,
}

/// Twice a number of occurrences, and the bit [`LOOPED`], which says that one of them stands where it is repeated.
pub(super) type UseCount = u32;

/// The bit for what [`FreeVariable::looped`] says.
pub(super) const LOOPED: UseCount = 1;

/// One occurrence.
pub(super) const ONCE: UseCount = 2;

/// Occurrences here and there.
#[inline]
pub(super) fn both(a: UseCount, b: UseCount) -> UseCount {
    // Counts are even, so that the sum keeps the bit of `a`; that of `b` comes in at the end.
    a.checked_add(b & !LOOPED).unwrap_or(!LOOPED | a) | b & LOOPED
}

impl Node {
    /// Free variable number `p`, which the embedding has.
    pub(super) fn variable(&self, p: usize) -> FreeVariable<'_> {
        let uses = self.uses[p];
        FreeVariable { ty: &self.form.types[p], count: uses >> 1, looped: uses & LOOPED != 0 }
    }
}
