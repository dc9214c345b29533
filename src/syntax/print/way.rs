//! What is known of a subterm on the way to it: whether the mark is below it, and its place where places are written.

use crate::term::{Slot, Term};

/// The way to a subterm.
#[derive(Clone, Copy, Default)]
pub(super) struct Way<'a> {
    /// The rest of the way to the marked subterm, if it lies below here; empty at the subterm itself.
    mark: Option<&'a [u32]>,
    /// Where places are written: the subterm's.
    place: Option<Place>,
}

/// A subterm's place below the nearest subterm around it that has a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// The last turn; none at the root.
    pub slot: Option<Slot>,
    /// How often it is taken: more than once below functions that are written as one.
    pub times: u32,
}

impl<'a> Way<'a> {
    /// Begins at the root, with the way from there to what is marked.
    pub(super) fn to(mark: Option<&'a [u32]>) -> Way<'a> {
        Way { mark, place: None }
    }

    /// Begins at the root of a term whose places are written.
    pub(super) fn with_places() -> Way<'a> {
        Way { mark: None, place: Some(Place::default()) }
    }

    /// The way to child `k` of this term.
    pub(super) fn below(self, term: &Term, k: u32) -> Way<'a> {
        let mark = self.mark.and_then(|path| path.split_first());
        Way {
            mark: mark.filter(|(first, _)| **first == k).map(|(_, rest)| rest),
            place: self.place.map(|_| Place { slot: Some(term.kind().slot(k as usize)), times: 1 }),
        }
    }

    /// The same, where the last turn was taken so often since the last block.
    pub(super) fn repeated(self, times: u32) -> Way<'a> {
        Way { place: self.place.map(|place| Place { times, ..place }), ..self }
    }

    /// Whether this is the marked subterm.
    pub(super) fn is_marked(self) -> bool {
        self.mark.is_some_and(<[u32]>::is_empty)
    }

    /// Whether the mark is here or below.
    pub(super) fn leads_to_mark(self) -> bool {
        self.mark.is_some()
    }

    pub(super) fn place(self) -> Option<Place> {
        self.place
    }
}
