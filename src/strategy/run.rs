//! The reference interpreter: small, and as close to the definitions of the combinators as running them allows.
//!
//! Only repetitions are loops instead of recursion, and traversals recur on themselves without unfolding a fixed point;
//! [`Strategy::definition`] has the definitions that tests compare them with.

use std::rc::Rc;

use crate::ground::{Budget, Diagnostic, StopReason};
use crate::rule::Reason;
use crate::term::{Bounds, Program, Term};

use super::cycle::Cycle;
use super::data::Strategy;
use super::env::Env;
use super::lint::growth;
use super::machine::{Halt, Machine};
use super::stop::Stop;
use super::trace::Trace;

/// The symbolic work of a term, by which `cheaper` judges.
pub type Work = fn(&Term, &Bounds) -> u128;

/// What a strategy came to.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The term that it gives.
    Success(Term),
    /// It failed, and why.
    Failure(Reason),
    /// The term after as many steps as were asked for.
    Paused(Term),
    /// It came back to a term that it had before, and would do so for ever; the trace has the steps so far.
    Looping(Cycle),
}

/// An outcome with the steps that led to it; a failure has none.
#[derive(Clone, Debug)]
pub struct Run {
    /// What the strategy came to.
    pub outcome: Outcome,
    /// How.
    pub trace: Trace,
}

impl Run {
    /// What is odd about how it went.
    pub fn warnings(&self) -> Vec<Diagnostic> {
        match &self.outcome {
            Outcome::Success(term) => growth(&self.trace.start, term).into_iter().collect(),
            _ => Vec::new(),
        }
    }
}

/// Runs a strategy on a program's term to its end, literally.
pub fn interpret(strategy: &Strategy, program: &Program, budget: &Budget, work: Work) -> Result<Run, StopReason> {
    Ok(run_steps(strategy, program, budget, work, usize::MAX)?)
}

/// Runs a strategy until `pause` rewrites are settled, such that nothing later can take them back, or to its end.
/// More steps may be settled at once than were asked for.
pub fn run_steps(
    strategy: &Strategy,
    program: &Program,
    budget: &Budget,
    work: Work,
    pause: usize,
) -> Result<Run, Box<Stop>> {
    let mut machine = Machine {
        bounds: &program.bounds,
        budget,
        work,
        pause,
        steps: Vec::new(),
        above: Vec::new(),
        around: 0,
        within: Vec::new(),
        names: Rc::from([]),
        nesting: 0,
        doubts: 0,
        forced: 0,
    };
    let verdict = machine.go(strategy, &Env::default(), &program.term);
    let mut trace = Trace { start: program.term.clone(), steps: machine.steps };
    let last = |trace: &Trace| trace.terms().last().unwrap_or_else(|| program.term.clone());
    let outcome = match verdict {
        Ok(Ok(term)) => Outcome::Success(term),
        Ok(Err(reason)) => {
            trace.steps.clear();
            Outcome::Failure(reason)
        }
        Err(Halt::Paused) => Outcome::Paused(last(&trace)),
        Err(Halt::Looping(cycle)) => Outcome::Looping(*cycle),
        Err(Halt::Stopped(reason)) => {
            return Err(Box::new(Stop { reason, term: last(&trace), trace, within: machine.names }));
        }
    };
    Ok(Run { outcome, trace })
}
