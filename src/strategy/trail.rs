//! The ways to the redexes of a trace, kept together: deep in a term, neighbouring steps differ in their last few turns
//! only.

use std::cell::RefCell;
use std::rc::Rc;

use crate::term::Path;

/// Ways from the root that go on from one another, each by its last turn, counted from 1; 0 is the root. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Trails(Rc<RefCell<Vec<Turn>>>);

#[derive(Clone, Copy)]
struct Turn {
    /// The turn before.
    outer: u32,
    kid: u32,
}

impl Trails {
    /// With room for so many turns.
    pub(super) fn with_room_for(turns: usize) -> Trails {
        Trails(Rc::new(RefCell::new(Vec::with_capacity(turns))))
    }

    /// Goes on from a turn to child `kid`: the new turn.
    #[inline]
    pub(super) fn turn(&self, outer: u32, kid: u32) -> u32 {
        let mut turns = self.0.borrow_mut();
        turns.push(Turn { outer, kid });
        turns.len() as u32
    }

    /// The numbers of the children on the way that ends with this turn.
    pub(super) fn path(&self, mut last: u32) -> Path {
        let turns = self.0.borrow();
        let mut path = Vec::new();
        while let Some(Turn { outer, kid }) = (last as usize).checked_sub(1).and_then(|at| turns.get(at)) {
            path.push(*kid);
            last = *outer;
        }
        path.reverse();
        Path(path)
    }
}
