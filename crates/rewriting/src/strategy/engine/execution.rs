//! Runs a strategy on a program, from the first operation to the outcome, in one go or with pauses (`Execution`).

use crate::rule::Reason;
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::Program;

use super::super::data::Strategy;
use super::super::profile::Profiler;
use super::super::run::{Outcome, Stop, StrategyRun, WorkTestFactory};
use super::super::run_notes::RunNotes;
use super::super::trace::{Step, Trace};
use super::cursor::Cursor;
use super::explain::explain;
use super::machine::{Engine, give_back};
use super::next_action::{EngineHalt, NextAction, RunStatus};
use super::operations::run_until_done;
use super::without_terms::StepEmptier;

/// Runs a strategy on a program's term to its end.
pub fn run(
    strategy: &Strategy,
    program: &Program,
    budget: &Budget,
    work: WorkTestFactory,
) -> Result<StrategyRun, Box<Stop>> {
    to_end(Execution::begin(strategy, program, work), budget)
}

/// The same for who doesn't ask for the terms in between: the steps of the trace say their rules and places, but may have
/// any terms. Those that led to a loop have their own.
pub fn run_hollow(
    strategy: &Strategy,
    program: &Program,
    budget: &Budget,
    work: WorkTestFactory,
) -> Result<StrategyRun, Box<Stop>> {
    let mut execution = Execution::begin(strategy, program, work);
    execution.engine.hollow = Some(StepEmptier::default());
    to_end(execution, budget)
}

fn to_end(mut execution: Execution, budget: &Budget) -> Result<StrategyRun, Box<Stop>> {
    execution.engine.budget = budget.clone();
    execution.go_on()?;
    let trace = execution.trace();
    let outcome = execution.outcome.unwrap_or_else(|| Outcome::Failure(Reason::native("it did not end")));
    Ok(StrategyRun { outcome, trace })
}

/// A strategy on a program that pauses where it is told to, and goes on from there.
///
/// A step is *settled* once nothing that follows can take it back: not while what it is a part of may still fail, or be
/// given up for something cheaper.
pub struct Execution {
    strategy: Strategy,
    program: Program,
    engine: Engine,
    next: NextAction,
    settled: usize,
    outcome: Option<Outcome>,
    /// A limit ended it, or it rests: where it was, nobody knows any more.
    is_over: bool,
}

impl Execution {
    /// At its beginning.
    pub fn new(strategy: &Strategy, program: &Program, work: WorkTestFactory) -> Execution {
        let mut execution = Execution::begin(strategy, program, work);
        execution.engine.pause = Some(0);
        execution
    }

    fn begin(strategy: &Strategy, program: &Program, work: WorkTestFactory) -> Execution {
        let mut engine = Engine::new(program, Budget::default(), work);
        let next = NextAction::Run(engine.code.id(strategy, &[]));
        let (strategy, program) = (strategy.clone(), program.clone());
        Execution { strategy, program, engine, next, settled: 0, outcome: None, is_over: false }
    }

    /// Counts what it tries from now on.
    pub fn watch(&mut self, profiler: Profiler) {
        self.engine.profiler = Some(Box::new(profiler));
    }

    /// Hands out what was counted, and counts no more. None where nothing was, or the strategy failed.
    pub fn profiler(&mut self) -> Option<Profiler> {
        self.engine.profiler.take().map(|profiler| *profiler)
    }

    /// Notes from now on what its steps don't show.
    pub fn note(&mut self) {
        self.engine.unseen = Some(Box::default());
    }

    /// Hands out what was noted, and notes no more.
    pub fn noted(&mut self) -> RunNotes {
        self.engine.unseen.take().map_or_else(RunNotes::default, |unseen| *unseen)
    }

    /// The strategy that it runs.
    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// The program that it began with.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The steps that are settled.
    pub fn steps(&self) -> &[Step] {
        &self.engine.steps[..self.settled]
    }

    /// How many rewrites and unfoldings it took so far, those that came to nothing among them.
    pub fn used(&self) -> u64 {
        self.engine.budget.steps()
    }

    /// Its outcome, once it has ended by itself.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// Goes on until so many steps are settled, or to its end; what it has used already counts towards the budget.
    /// After a limit, and where it rested, it begins anew.
    pub fn advance(&mut self, steps: usize, budget: &Budget) -> Result<(), Box<Stop>> {
        if self.is_over {
            *self = Execution::new(&self.strategy, &self.program, self.engine.work);
        }
        if self.outcome.is_some() || self.settled >= steps {
            return Ok(());
        }
        self.engine.budget = budget.after(&self.engine.budget);
        // Between two pauses there may be less to do than the watch is asked after: otherwise many short ones would never ask it.
        if let Err(reason) = self.engine.budget.ask() {
            return Err(self.stop(reason));
        }
        self.engine.pause = Some(steps);
        self.go_on()
    }

    fn go_on(&mut self) -> Result<(), Box<Stop>> {
        let ran = run_until_done(&mut self.engine, &mut self.next);
        // A limit may end a run while steps could still be taken back: then those that were settled before count.
        if self.engine.is_settled() {
            self.settled = self.engine.steps.len();
        }
        self.outcome = match ran {
            Ok(RunStatus::Paused) => None,
            Ok(RunStatus::Succeeded) => Some(Outcome::Success(self.engine.cursor.term_at(0))),
            Ok(RunStatus::Failed) => Some(Outcome::Failure(self.reason()?)),
            Err(EngineHalt::Looping(cycle)) => Some(Outcome::Looping(*cycle)),
            Err(EngineHalt::Stopped(reason)) => return Err(self.stop(reason)),
        };
        if self.outcome.is_some() {
            self.engine.rest(&self.program.term);
        }
        Ok(())
    }

    /// Gives back what only going on needs: that begins anew then. The steps that are settled stay.
    pub fn rest(&mut self) {
        if self.outcome.is_none() {
            self.is_over = true;
            self.engine.steps.truncate(self.settled);
            self.engine.rest(&self.program.term);
        }
    }

    fn reason(&mut self) -> Result<Reason, Box<Stop>> {
        // A failure has no steps, since what was done has been taken back.
        self.engine.steps.clear();
        self.settled = 0;
        // Explaining runs parts again: what these try must be neither counted nor noted.
        self.engine.profiler = None;
        let unseen = self.engine.unseen.take();
        let found = explain(&mut self.engine, &self.strategy);
        self.engine.unseen = unseen;
        match found {
            Ok(reason) => Ok(reason),
            Err(reason @ StopReason::Interrupted) => {
                // The walk was left anywhere, but the strategy itself had failed, which leaves the first term.
                self.engine.cursor = Cursor::new(&self.program.term);
                Err(self.stop(reason))
            }
            Err(_) => Ok(Reason::native("finding out why takes more than the limits allow")),
        }
    }

    fn stop(&mut self, reason: StopReason) -> Box<Stop> {
        self.is_over = true;
        self.engine.measure = None;
        let term = self.engine.cursor.term_at(0);
        let within = self.engine.names.list().clone();
        Box::new(Stop { reason, term, trace: self.trace(), within })
    }

    /// All steps from the program's term on.
    fn trace(&mut self) -> Trace {
        let mut steps = match self.engine.pause {
            // Where a run can pause, its steps go on being asked for, so that the trace has copies.
            Some(_) => self.engine.steps.clone(),
            None => std::mem::take(&mut self.engine.steps),
        };
        give_back(&mut steps);
        Trace { start: self.program.term.clone(), steps }
    }
}
