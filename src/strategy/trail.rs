//! The way to a redex, shared between the steps of a trace: deep in a term, neighbouring steps differ in their last few
//! turns only.

use std::fmt;
use std::rc::Rc;

use crate::term::Path;

/// The numbers of the children on the way from the root. Cheap to clone.
#[derive(Clone, Default)]
pub struct Trail(Option<Rc<Turn>>);

struct Turn {
    outer: Trail,
    kid: u32,
    depth: u32,
}

impl Trail {
    /// The way that goes on to child `kid`.
    pub fn to(&self, kid: u32) -> Trail {
        Trail(Some(Rc::new(Turn { outer: self.clone(), kid, depth: self.depth() + 1 })))
    }

    /// How many turns it has.
    pub fn depth(&self) -> u32 {
        self.0.as_ref().map_or(0, |turn| turn.depth)
    }

    /// The same way as a path.
    pub fn path(&self) -> Path {
        let mut turns: Vec<u32> = self.turns().map(|turn| turn.kid).collect();
        turns.reverse();
        Path(turns)
    }

    /// The turns, the last one first.
    fn turns(&self) -> impl Iterator<Item = &Turn> {
        std::iter::successors(self.0.as_deref(), |turn| turn.outer.0.as_deref())
    }
}

impl FromIterator<u32> for Trail {
    fn from_iter<I: IntoIterator<Item = u32>>(turns: I) -> Trail {
        turns.into_iter().fold(Trail::default(), |trail, kid| trail.to(kid))
    }
}

impl PartialEq for Trail {
    fn eq(&self, other: &Trail) -> bool {
        self.depth() == other.depth() && self.turns().map(|t| t.kid).eq(other.turns().map(|t| t.kid))
    }
}

impl fmt::Debug for Trail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path().fmt(f)
    }
}

impl Drop for Trail {
    /// One turn after the other: a way may be longer than the native stack.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut turn) = next.and_then(Rc::into_inner) {
            next = turn.outer.0.take();
        }
    }
}
