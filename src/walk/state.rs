//! A term that was the current one, and how it came.

use std::rc::Rc;

use super::stepping::Pending;
use crate::strategy::{Strategy, Trace};
use crate::term::{Path, Program};

/// How a term became the current one.
#[derive(Clone, Debug)]
pub enum How {
    /// It was given from outside.
    Given(Option<Origin>),
    /// Steps of a strategy gave it.
    Taken {
        strategy: Strategy,
        /// These were its first steps.
        first: bool,
        /// These were its last steps.
        last: bool,
    },
}

/// The definition that a term stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Its name.
    pub name: String,
    /// How a script writes it.
    pub written: String,
}

/// A term that was the current one, and how it came.
#[derive(Clone)]
pub struct State {
    pub program: Program,
    pub how: How,
    /// The steps that led to it from the state before, if it came by a strategy.
    pub trace: Option<Rc<Trace>>,
    /// The run that those steps belong to, as far as it is taken.
    pub run: Option<Pending>,
    /// A run that was begun here, of which nothing was taken.
    pub(super) begun: Option<Pending>,
    /// Where the focus is.
    pub(super) focus: Path,
    /// Running the strategy again gives these steps: nothing might have taken them back.
    pub is_settled: bool,
    /// The state before.
    pub(super) before: Option<usize>,
}

impl State {
    /// A state behind the current one.
    pub fn new(program: Program, how: How, trace: Option<Rc<Trace>>, run: Option<Pending>) -> State {
        let is_settled = run.is_some();
        State { program, how, trace, run, begun: None, focus: Path::default(), is_settled, before: None }
    }

    /// Whether it came from outside.
    pub fn is_given(&self) -> bool {
        matches!(self.how, How::Given(_))
    }

    /// Whether its steps go on with the run that led to the state before.
    pub fn goes_on(&self) -> bool {
        matches!(self.how, How::Taken { first: false, .. })
    }

    /// Whether its steps are the last ones of their run.
    pub fn is_end_of_run(&self) -> bool {
        matches!(self.how, How::Taken { last: true, .. })
    }

    /// The run that was begun here, or what is left to do of the one that led here.
    pub fn pending(&self) -> Option<&Pending> {
        self.begun.as_ref().or(self.run.as_ref().filter(|run| !run.is_done()))
    }

    /// How many steps led to it from the state before.
    pub fn steps(&self) -> usize {
        self.trace.as_ref().map_or(0, |trace| trace.steps.len())
    }
}
