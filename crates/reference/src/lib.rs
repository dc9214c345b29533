//! Runs strategies and matches laws as the reference: small, and as close to the definitions as running them allows.
//! Tests and benches compare what ships with it; it uses nothing but the public interface.
//!
//! Only repetitions are loops instead of recursion, and traversals recur on themselves without unfolding a fixed point; tests
//! compare them with their definitions, which `strategies/prelude.strat` and `tests/support/strategies.rs` have.
#![forbid(unsafe_code)]

mod env;
mod loop_detector;
mod machine;
mod matching;
mod repetition;
mod traverse;

use std::rc::Rc;

use redexter_language::ground::Budget;
use redexter_language::term::Program;
use redexter_rewriting::strategy::{Outcome, Stop, Strategy, StrategyRun, Trace, WorkTestFactory};

pub use matching::rewrite;

use env::StrategyEnv;
use machine::{ReferenceHalt, ReferenceMachine};

/// Whether this is an extended run, in which tests try all that they know: `REDEXTER_EXTENDED=1` asks for it.
pub fn is_extended() -> bool {
    std::env::var_os("REDEXTER_EXTENDED").is_some_and(|asked| asked != "0")
}

/// How many cases a test tries: the second number in an extended run.
pub fn cases(usual: u64, extended: u64) -> u64 {
    if is_extended() { extended } else { usual }
}

/// Runs a strategy on a program's term to its end, literally.
pub fn interpret(
    strategy: &Strategy,
    program: &Program,
    budget: &Budget,
    work: WorkTestFactory,
) -> Result<StrategyRun, Box<Stop>> {
    let mut machine = ReferenceMachine {
        bounds: &program.bounds,
        budget,
        work,
        steps: Vec::new(),
        above: Vec::new(),
        around: 0,
        most_nodes: u64::MAX,
        within: Vec::new(),
        names: Rc::from([]),
        nesting: 0,
        forced: 0,
        exact: false,
    };
    let verdict = machine.go(strategy, &StrategyEnv::default(), &program.term);
    let mut trace = Trace { start: program.term.clone(), steps: machine.steps };
    let outcome = match verdict {
        Ok(Ok(term)) => Outcome::Success(term),
        Ok(Err(reason)) => {
            trace.steps.clear();
            Outcome::Failure(reason)
        }
        Err(ReferenceHalt::Looping(cycle)) => Outcome::Looping(*cycle),
        Err(ReferenceHalt::Stopped(reason)) => {
            let term = trace.terms().last().unwrap_or_else(|| program.term.clone());
            return Err(Box::new(Stop { reason, term, trace, within: machine.names }));
        }
    };
    Ok(StrategyRun { outcome, trace })
}
