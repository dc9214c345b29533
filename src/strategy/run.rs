//! The reference interpreter: small, and as close to the definitions of the combinators as running them allows.
//!
//! Only repetitions are loops instead of recursion, and traversals recur on themselves without unfolding a fixed point;
//! [`Strategy::definition`] has the definitions that tests compare them with.

use std::rc::Rc;

use crate::ground::{Budget, Diagnostic, StopReason, Trouble};
use crate::rule::{Reason, Rule};
use crate::term::{Bounds, Program, Term};

use super::cycle::Cycle;
use super::data::Strategy;
use super::env::Env;
use super::lint::growth;
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

/// A run that a limit ended: what it had come to.
#[derive(Clone, Debug)]
pub struct Stop {
    /// The limit.
    pub reason: StopReason,
    /// The term then. Each step keeps what a term means, so that it is as right as the first one.
    pub term: Term,
    /// How it came about.
    pub trace: Trace,
    /// The named strategies that were running, outermost first.
    pub within: Rc<[Rc<str>]>,
}

impl Stop {
    /// The rule that rewrote most often in the last steps, and how often: among the last thousand, where what went
    /// on and on shows.
    pub fn busiest(&self) -> Option<(&Rule, usize)> {
        let mut counts: Vec<(&Rule, usize)> = Vec::new();
        for step in self.trace.steps.iter().rev().take(1_000) {
            match counts.iter_mut().find(|(rule, _)| *rule == &step.rule) {
                Some((_, count)) => *count += 1,
                None => counts.push((&step.rule, 1)),
            }
        }
        counts.into_iter().reduce(|most, next| if next.1 > most.1 { next } else { most })
    }
}

impl From<Box<Stop>> for StopReason {
    fn from(stop: Box<Stop>) -> StopReason {
        stop.reason
    }
}

impl From<Box<Stop>> for Trouble {
    fn from(stop: Box<Stop>) -> Trouble {
        Trouble::Stopped(stop.reason)
    }
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
        forced: 0,
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
        Err(Halt::Looping(cycle)) => Outcome::Looping(*cycle),
        Err(Halt::Stopped(reason)) => return Err(reason),
    };
    Ok(Run { outcome, trace })
}
