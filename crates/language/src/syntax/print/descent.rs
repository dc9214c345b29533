//! Follows a descent from a term's root: whether the mark is below, and the subterm's path where paths are written.

use crate::term::{Slot, Term};

/// A descent from the root to a subterm.
#[derive(Clone, Copy, Default)]
pub(super) struct Descent<'a> {
    /// The rest of the path to the marked subterm, if that lies below here; empty at the subterm itself.
    mark: Option<&'a [u32]>,
    /// Where paths are written: the subterm's.
    path: Option<RelativePath>,
}

/// A subterm's path from the nearest subterm around it that has a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RelativePath {
    /// The last step; none at the root.
    pub slot: Option<Slot>,
    /// How often it is taken: more than once below functions that are written as one.
    pub times: u32,
}

impl<'a> Descent<'a> {
    /// Begins at the root, with the path from there to what is marked.
    pub(super) fn to(mark: Option<&'a [u32]>) -> Descent<'a> {
        Descent { mark, path: None }
    }

    /// Begins at the root of a term whose paths are written.
    pub(super) fn with_paths() -> Descent<'a> {
        Descent::at(RelativePath::default())
    }

    /// Begins at a subterm whose path is written, and those in it.
    pub(super) fn at(path: RelativePath) -> Descent<'a> {
        Descent { mark: None, path: Some(path) }
    }

    /// Goes on to child `k` of this term.
    pub(super) fn below(self, term: &Term, k: u32) -> Descent<'a> {
        let mark = self.mark.and_then(|path| path.split_first());
        Descent {
            mark: mark.filter(|(first, _)| **first == k).map(|(_, rest)| rest),
            path: self.path.map(|_| RelativePath { slot: Some(term.kind().slot(k as usize)), times: 1 }),
        }
    }

    /// The same, where the last step was taken so often since the last block.
    pub(super) fn repeated(self, times: u32) -> Descent<'a> {
        Descent { path: self.path.map(|path| RelativePath { times, ..path }), ..self }
    }

    /// Whether this is the marked subterm.
    pub(super) fn is_marked(self) -> bool {
        self.mark.is_some_and(<[u32]>::is_empty)
    }

    /// Whether the mark is here or below.
    pub(super) fn leads_to_mark(self) -> bool {
        self.mark.is_some()
    }

    pub(super) fn path(self) -> Option<RelativePath> {
        self.path
    }
}
