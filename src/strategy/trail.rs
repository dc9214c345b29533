//! The way to a redex, shared between the steps of a trace: deep in a term, neighbouring steps differ in their last few
//! turns only.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use crate::term::Path;

/// The numbers of the children on the way from the root. Cheap to clone. Ways that go on from one another are kept
/// together, for as long as somebody has one of them.
#[derive(Clone)]
pub struct Trail {
    turns: Rc<RefCell<Vec<Turn>>>,
    /// The last turn, counted from 1; 0 at the root.
    last: u32,
}

#[derive(Clone, Copy)]
struct Turn {
    /// The turn before.
    outer: u32,
    kid: u32,
}

impl Trail {
    /// Goes on from a turn, or from the root for 0, to child `kid`: the new turn, counted from 1.
    #[inline]
    pub(super) fn turn(&self, outer: u32, kid: u32) -> u32 {
        let mut turns = self.turns.borrow_mut();
        turns.push(Turn { outer, kid });
        turns.len() as u32
    }

    /// The way that ends with this turn.
    #[inline]
    pub(super) fn until(&self, last: u32) -> Trail {
        Trail { turns: self.turns.clone(), last }
    }

    /// The way as a path.
    pub fn path(&self) -> Path {
        let turns = self.turns.borrow();
        let mut path = Vec::new();
        let mut last = self.last;
        while let Some(Turn { outer, kid }) = (last as usize).checked_sub(1).and_then(|at| turns.get(at)) {
            path.push(*kid);
            last = *outer;
        }
        path.reverse();
        Path(path)
    }
}

impl Default for Trail {
    /// The way from the root to itself.
    fn default() -> Trail {
        Trail { turns: Rc::default(), last: 0 }
    }
}

impl FromIterator<u32> for Trail {
    fn from_iter<I: IntoIterator<Item = u32>>(turns: I) -> Trail {
        let root = Trail::default();
        let last = turns.into_iter().fold(0, |last, kid| root.turn(last, kid));
        Trail { last, ..root }
    }
}

impl PartialEq for Trail {
    fn eq(&self, other: &Trail) -> bool {
        self.path() == other.path()
    }
}

impl fmt::Debug for Trail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.path().fmt(f)
    }
}
