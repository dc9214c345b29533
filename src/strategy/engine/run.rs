//! A strategy on a program, from the first operation to the outcome.

use crate::ground::{Budget, StopReason};
use crate::rule::Reason;
use crate::term::Program;

use super::super::data::{Form, Strategy};
use super::super::machine::Halt;
use super::super::run::{Outcome, Run, Work, interpret};
use super::super::stop::Stop;
use super::super::trace::Trace;
use super::machine::Engine;

/// Runs a strategy on a program's term to its end.
pub fn run(strategy: &Strategy, program: &Program, budget: &Budget, work: Work) -> Result<Run, Box<Stop>> {
    let mut engine = Engine::new(program, budget, work);
    let start = engine.code.id(strategy, &[]);
    let verdict = engine.run(start);
    let mut steps = std::mem::take(&mut engine.steps);
    if steps.len() < steps.capacity() / 4 {
        steps.shrink_to_fit();
    }
    let mut trace = Trace { start: program.term.clone(), steps };
    let outcome = match verdict {
        Ok(true) => Outcome::Success(engine.cursor.term_at(0)),
        Ok(false) => {
            trace.steps.clear();
            match why(strategy, program, budget, work) {
                Ok(reason) => Outcome::Failure(reason),
                Err(reason @ StopReason::Interrupted) => {
                    let within = engine.names.list().clone();
                    return Err(Box::new(Stop { reason, term: program.term.clone(), trace, within }));
                }
                Err(_) => Outcome::Failure(Reason::native("finding out why takes more than the limits allow")),
            }
        }
        Err(Halt::Paused) => Outcome::Paused(engine.cursor.term_at(0)),
        Err(Halt::Looping(cycle)) => Outcome::Looping(*cycle),
        Err(Halt::Stopped(reason)) => {
            let within = engine.names.list().clone();
            return Err(Box::new(Stop { reason, term: engine.cursor.term_at(0), trace, within }));
        }
    };
    Ok(Run { outcome, trace })
}

/// Why a strategy that fails does so: what succeeds before is run again, and the reference interpreter, which keeps
/// account of reasons, does the rest.
fn why(strategy: &Strategy, program: &Program, budget: &Budget, work: Work) -> Result<Reason, StopReason> {
    let fresh = budget.fresh();
    if let Form::Seq(first, second) = strategy.form() {
        return match run(first, program, &fresh, work)?.outcome {
            Outcome::Success(term) => why(second, &Program { term, bounds: program.bounds.clone() }, budget, work),
            Outcome::Failure(reason) => Ok(reason),
            Outcome::Paused(_) | Outcome::Looping(_) => Ok(Reason::native("it did not fail again")),
        };
    }
    match interpret(strategy, program, &fresh, work)?.outcome {
        Outcome::Failure(reason) => Ok(reason),
        _ => Ok(Reason::native("it did not fail again")),
    }
}
