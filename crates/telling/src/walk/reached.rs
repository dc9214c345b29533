//! Defines [`HistoryState`]: a term that was the current one, and how it became that.

use std::rc::Rc;

use super::stepping::PendingRun;
use redexter_language::check::Definition;
use redexter_language::term::{Path, Program};
use redexter_rewriting::strategy::{Step, Strategy, Trace};

/// The way in which a term became the current one.
#[derive(Clone, Debug)]
pub enum Arrival {
    /// It was given from outside.
    Given(Option<DefinitionOrigin>),
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
pub struct DefinitionOrigin {
    /// Its name.
    pub name: String,
    /// The expression for it in a script.
    pub written: String,
}

/// A term that was the current one, and how it came.
#[derive(Clone)]
pub struct HistoryState {
    pub program: Program,
    pub how: Arrival,
    /// The definition that says what the program is, if it was given as one.
    pub definition: Option<Rc<Definition>>,
    /// The steps that led to it from the state before, if it came by a strategy.
    pub trace: Option<Rc<Trace>>,
    /// The run that those steps belong to, as far as it is taken.
    pub run: Option<PendingRun>,
    /// A run that was begun here, of which nothing was taken.
    pub(super) begun: Option<PendingRun>,
    /// The path to the focus.
    pub(super) focus: Path,
    /// Running the strategy again gives these steps: no later step of the run could have taken them back.
    pub is_settled: bool,
    /// The state before.
    pub(super) before: Option<usize>,
}

impl HistoryState {
    /// A state behind the current one.
    pub fn new(program: Program, how: Arrival, trace: Option<Rc<Trace>>, run: Option<PendingRun>) -> HistoryState {
        let is_settled = run.is_some();
        HistoryState {
            program,
            how,
            definition: None,
            trace,
            run,
            begun: None,
            focus: Path::default(),
            is_settled,
            before: None,
        }
    }

    /// Whether it came from outside.
    pub fn is_given(&self) -> bool {
        matches!(self.how, Arrival::Given(_))
    }

    /// Whether its steps go on with the run that led to the state before.
    pub fn goes_on(&self) -> bool {
        matches!(self.how, Arrival::Taken { first: false, .. })
    }

    /// Whether its steps are the last ones of their run.
    pub fn is_end_of_run(&self) -> bool {
        matches!(self.how, Arrival::Taken { last: true, .. })
    }

    /// The run that was begun here, or what is left to do of the one that led here.
    pub fn pending(&self) -> Option<&PendingRun> {
        self.begun.as_ref().or(self.run.as_ref().filter(|run| !run.is_done()))
    }

    /// Whether both are what the same steps of the same strategy made of the same term, with the same left to do.
    pub(super) fn is_repeated_by(&self, other: &HistoryState) -> bool {
        let (Some((one, steps)), Some((again, same))) = (self.taken(), other.taken()) else { return false };
        let within = |(a, b): (&Step, &Step)| a.within() == b.within();
        steps.steps.len() == same.steps.len()
            && self.is_settled == other.is_settled
            && self.program == other.program
            && self.is_of_run_of(other)
            && (one, steps) == (again, same)
            && steps.steps.iter().zip(&same.steps).all(within)
    }

    /// The strategy and the steps that led here.
    fn taken(&self) -> Option<(&Strategy, &Trace)> {
        let Arrival::Taken { strategy, .. } = &self.how else { return None };
        Some((strategy, self.trace.as_deref()?))
    }

    /// Whether both belong to one run, as far as it is taken, or neither to any. Where all of a run led to each, from the same
    /// term by the same strategy, these are alike. What is pending isn't: limits count what each has used.
    fn is_of_run_of(&self, other: &HistoryState) -> bool {
        let is_whole =
            |state: &HistoryState, run: &PendingRun| !state.goes_on() && run.taken == state.steps() && run.is_done();
        match (&self.run, &other.run) {
            (None, None) => true,
            (Some(one), Some(same)) => {
                one.taken == same.taken
                    && self.is_end_of_run() == other.is_end_of_run()
                    && (one.is_of(same) || is_whole(self, one) && is_whole(other, same))
            }
            _ => false,
        }
    }

    /// How many steps led to it from the state before.
    pub fn steps(&self) -> usize {
        self.trace.as_ref().map_or(0, |trace| trace.steps.len())
    }
}
