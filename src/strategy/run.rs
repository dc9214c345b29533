//! The reference interpreter: small, and as close to the definitions of the combinators as running them allows.
//!
//! Only repetitions are loops instead of recursion, and traversals recur on themselves without unfolding a fixed point;
//! [`Strategy::definition`] has the definitions that tests compare them with.

use std::rc::Rc;

use crate::ground::{Budget, StopReason};
use crate::rule::Reason;
use crate::term::{Bounds, Program, Term};

use super::data::Strategy;
use super::env::Env;
use super::machine::{Halt, Machine};
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
}

/// An outcome with the steps that led to it; a failure has none.
#[derive(Clone, Debug)]
pub struct Run {
    /// What the strategy came to.
    pub outcome: Outcome,
    /// How.
    pub trace: Trace,
}

/// Runs a strategy on a program's term to its end.
pub fn run(strategy: &Strategy, program: &Program, budget: &Budget, work: Work) -> Result<Run, StopReason> {
    run_steps(strategy, program, budget, work, usize::MAX)
}

/// Runs a strategy until `pause` rewrites are settled, such that nothing later can take them back, or to its end.
/// More steps may be settled at once than were asked for.
pub fn run_steps(
    strategy: &Strategy,
    program: &Program,
    budget: &Budget,
    work: Work,
    pause: usize,
) -> Result<Run, StopReason> {
    let mut machine = Machine {
        bounds: &program.bounds,
        budget,
        work,
        pause,
        steps: Vec::new(),
        above: Vec::new(),
        within: Vec::new(),
        names: Rc::from([]),
        nesting: 0,
        doubts: 0,
    };
    let verdict = machine.go(strategy, &Env::default(), &program.term);
    let mut trace = Trace { start: program.term.clone(), steps: machine.steps };
    let outcome = match verdict {
        Ok(Ok(term)) => Outcome::Success(term),
        Ok(Err(reason)) => {
            trace.steps.clear();
            Outcome::Failure(reason)
        }
        Err(Halt::Paused) => Outcome::Paused(trace.terms().last().unwrap_or_else(|| program.term.clone())),
        Err(Halt::Stopped(reason)) => return Err(reason),
    };
    Ok(Run { outcome, trace })
}
