//! Embeds a node in a scope: short lists of de Bruijn indices, cheap to clone, say where its free variables are bound.

use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::rc::Rc;

/// So many indices are held in place.
pub(super) const INLINE_INDICES: usize = 5;

/// The de Bruijn indices of a node's free variables, in the order of their first occurrence; 0 is the innermost binder.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Embedding {
    /// What is beyond `len` is 0, so that equal embeddings are equal data.
    Few { len: InlineLen, at: [u32; INLINE_INDICES] },
    /// More than can be held in place.
    Many(Rc<[u32]>),
}

/// A number of indices that are held in place: as wide as an index, and with room for the other form's tag.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum InlineLen {
    Zero,
    One,
    Two,
    Three,
    Four,
    Five,
}

impl InlineLen {
    pub(super) const ALL: [InlineLen; INLINE_INDICES + 1] =
        [InlineLen::Zero, InlineLen::One, InlineLen::Two, InlineLen::Three, InlineLen::Four, InlineLen::Five];
}

impl Embedding {
    pub(super) const EMPTY: Embedding = Embedding::Few { len: InlineLen::Zero, at: [0; INLINE_INDICES] };

    pub(super) const fn one(index: u32) -> Embedding {
        Embedding::Few { len: InlineLen::One, at: [index, 0, 0, 0, 0] }
    }

    /// The first `len` of these; the others are 0.
    pub(super) const fn few(len: usize, at: [u32; INLINE_INDICES]) -> Embedding {
        Embedding::Few { len: InlineLen::ALL[len], at }
    }

    /// What a child's indices are in the scope of its parent, whose own are `outer`, under the parent's binders.
    #[inline(always)]
    pub(super) fn within(&self, outer: &Embedding, binders: u32) -> Embedding {
        match self.few_within(outer, binders) {
            Some((len, at)) => Embedding::Few { len, at },
            None => self.many_within(outer, binders),
        }
    }

    /// The same where both are few.
    #[inline(always)]
    pub(super) fn few_within(&self, outer: &Embedding, binders: u32) -> Option<(InlineLen, [u32; INLINE_INDICES])> {
        let (Embedding::Few { len, at }, Embedding::Few { at: outer, .. }) = (self, outer) else { return None };
        let mut new = [0; INLINE_INDICES];
        for (new, index) in new.iter_mut().zip(at).take(*len as usize) {
            *new = lifted(*index, outer, binders);
        }
        Some((*len, new))
    }

    #[inline(never)]
    pub(super) fn many_within(&self, outer: &Embedding, binders: u32) -> Embedding {
        let outer: &[u32] = outer;
        self.map(|index| lifted(index, outer, binders))
    }

    /// Whether `other` is what [`Embedding::within`] gives.
    #[inline]
    pub(super) fn is_within(&self, outer: &Embedding, binders: u32, other: &Embedding) -> bool {
        let outer: &[u32] = outer;
        let mut both = self.iter().zip(other.iter());
        self.len() == other.len() && both.all(|(mine, other)| lifted(*mine, outer, binders) == *other)
    }

    /// Whether it is 0, 1, … below `len`.
    pub(super) fn is_all_of(&self, len: usize) -> bool {
        self.len() == len && self.iter().zip(0..).all(|(index, place)| *index == place)
    }

    /// Every index replaced.
    #[inline]
    pub(super) fn map(&self, mut to: impl FnMut(u32) -> u32) -> Embedding {
        match self {
            Embedding::Few { len, at: from } => {
                let mut at = [0; INLINE_INDICES];
                for (new, old) in at.iter_mut().zip(from).take(*len as usize) {
                    *new = to(*old);
                }
                Embedding::Few { len: *len, at }
            }
            Embedding::Many(all) => Embedding::Many(all.iter().map(|i| to(*i)).collect()),
        }
    }

    /// Every index replaced, if every one can be.
    pub(super) fn try_map(&self, to: impl Fn(u32) -> Option<u32>) -> Option<Embedding> {
        self.iter().all(|i| to(*i).is_some()).then(|| self.map(|i| to(i).unwrap_or(i)))
    }
}

/// Indices among which others are looked up one after the other: at no cost where these come in the same order.
pub struct IndexLookup<'a> {
    all: &'a [u32],
    next: usize,
}

impl<'a> IndexLookup<'a> {
    pub fn new(all: &'a [u32]) -> IndexLookup<'a> {
        IndexLookup { all, next: 0 }
    }

    /// The place of an index.
    pub fn place(&mut self, index: u32) -> Option<usize> {
        let (before, after) = self.all.split_at(self.next);
        let is_it = |i: &u32| *i == index;
        let later = after.iter().position(is_it).map(|p| self.next + p);
        let place = later.or_else(|| before.iter().position(is_it))?;
        self.next = place + 1;
        Some(place)
    }
}

/// A child's index in the scope of its parent, under the parent's binders.
#[inline]
fn lifted(index: u32, outer: &[u32], binders: u32) -> u32 {
    match index.checked_sub(binders) {
        Some(p) => outer[p as usize] + binders,
        None => index,
    }
}

impl Deref for Embedding {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        match self {
            Embedding::Few { len, at } => &at[..*len as usize],
            Embedding::Many(all) => all,
        }
    }
}

impl Hash for Embedding {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.deref().hash(state);
    }
}

impl From<&[u32]> for Embedding {
    fn from(all: &[u32]) -> Embedding {
        if all.len() > INLINE_INDICES {
            return Embedding::Many(all.into());
        }
        let mut at = [0; INLINE_INDICES];
        at[..all.len()].copy_from_slice(all);
        Embedding::few(all.len(), at)
    }
}
