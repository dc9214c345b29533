//! The changes of the current term, for undo and redo and for writing them down.

use std::rc::Rc;

use crate::strategy::{Strategy, Trace};
use crate::term::Program;

use super::stepping::Pending;

/// How a term became the current one.
#[derive(Clone, Debug)]
pub enum How {
    /// A line had it as its value.
    Given,
    Applied(Strategy),
    /// Some steps of a strategy gave it.
    Stepped {
        strategy: Strategy,
        /// These were its first steps.
        first: bool,
        /// These were its last steps.
        last: bool,
    },
}

/// A current term and how it came.
#[derive(Clone)]
pub struct Revision {
    pub program: Program,
    pub how: How,
    /// The steps that led to it from the state before, if it came by a strategy.
    pub trace: Option<Rc<Trace>>,
    /// What is pending on it.
    pub pending: Option<Pending>,
}

impl Revision {
    /// Whether a line had this term as its value.
    pub fn is_given(&self) -> bool {
        matches!(self.how, How::Given)
    }
}

/// All states, and which one is current: those after it were taken back.
#[derive(Clone, Default)]
pub struct History {
    states: Vec<Revision>,
    current: usize,
}

impl History {
    pub fn current(&self) -> Option<&Revision> {
        self.states[..self.current].last()
    }

    /// The states that led to the current one, itself included.
    pub fn past(&self) -> &[Revision] {
        &self.states[..self.current]
    }

    /// Makes a state current; what was taken back is forgotten.
    pub fn push(&mut self, state: Revision) {
        self.states.truncate(self.current);
        self.states.push(state);
        self.current = self.states.len();
    }

    /// Drops what is pending on the current state.
    pub fn drop_pending(&mut self) -> Option<Pending> {
        self.states[..self.current].last_mut()?.pending.take()
    }

    /// Takes back up to `count` changes; the first term stays. Gives the number that was taken back.
    pub fn undo(&mut self, count: usize) -> usize {
        let done = count.min(self.current.saturating_sub(1));
        self.current -= done;
        done
    }

    /// Does up to `count` changes again, and gives their number.
    pub fn redo(&mut self, count: usize) -> usize {
        let done = count.min(self.states.len() - self.current);
        self.current += done;
        done
    }
}
