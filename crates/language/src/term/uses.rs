//! What a term knows about its free variables besides their indices.

use super::node::Node;
use super::types::Type;

/// What a term knows about one of its free variables.
#[derive(Clone, Copy, Debug)]
pub struct Free<'a> {
    /// Its type.
    pub ty: &'a Type,
    /// How often it occurs; saturates at 2^31-1.
    pub count: u32,
    /// Whether an occurrence stands under a `build`, an `ifold` body or a λ.
    pub looped: bool,
}

/// Twice a number of occurrences; [`LOOPED`] says that one of them stands where it is repeated.
pub(super) type Uses = u32;

/// The bit for what [`Free::looped`] says.
pub(super) const LOOPED: Uses = 1;

/// One occurrence.
pub(super) const ONCE: Uses = 2;

/// Occurrences here and there.
#[inline]
pub(super) fn both(a: Uses, b: Uses) -> Uses {
    a.checked_add(b & !LOOPED).unwrap_or(!LOOPED | a) | b & LOOPED
}

impl Node {
    /// Free variable number `p`, which the embedding has.
    pub(super) fn variable(&self, p: usize) -> Free<'_> {
        let uses = self.uses[p];
        Free { ty: &self.form.types[p], count: uses >> 1, looped: uses & LOOPED != 0 }
    }
}
