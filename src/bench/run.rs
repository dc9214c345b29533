//! Programs run at growing sizes.

use std::time::Duration;

use super::measure::{Operations, Sample};
use super::runner::{Often, Runner};
use crate::blocks::packed;
use crate::cost::{Work, work};
use crate::eval::{Numbers, Sizes, drawn_inputs, evaluate, open_sizes};
use crate::ground::{Budget, Diagnostic, Random, Trouble, code};
use crate::term::Program;

/// What executes no more than this is counted by running it.
const COUNTED: u128 = 2_000_000;

/// Each size has so many runs at least.
const RUNS: u64 = 3;

/// Where inputs come from: the same ones each time.
const SEED: u64 = 1;

/// A program, ready to run, and what it costs.
pub struct Subject {
    program: Program,
    runner: Runner,
    work: Work,
}

impl Subject {
    /// One of a program and what runs it.
    pub fn new(program: Program, runner: Runner) -> Subject {
        let work = work(&program.term);
        Subject { program, runner, work }
    }

    /// Runs it once to be warm, and then for about so long.
    pub fn sample(&self, size: u64, sizes: &Sizes, time: Duration, budget: &Budget) -> Result<Option<Sample>, Trouble> {
        let mine: Sizes =
            open_sizes(&self.program.term).into_iter().filter_map(|name| sizes.get(&name).map(|n| (name, n))).collect();
        let drawn = drawn_inputs(&self.program, &mine, Numbers::PLAIN, &mut Random::new(SEED), budget)?;
        let inputs = drawn.ok_or_else(|| {
            Diagnostic::error(code::INPUT_SHAPE, "inputs can't be drawn: a parameter's type has no data")
                .help("give sizes from 1, and a definition that takes data")
        })?;
        let (parameters, _) = self.program.term.applied();
        let given = packed(parameters.iter().map(|(_, ty)| ty).zip(&inputs), budget)?;
        let calculated = self.work.at(|name| mine.get(name).unwrap_or(0));
        let operations = match calculated <= COUNTED {
            true => {
                let (_, counts) = evaluate(&self.program, &inputs, &mine, budget)?;
                let all = [counts.flops, counts.compares, counts.reads, counts.writes];
                Operations::Counted(all.into_iter().map(u128::from).sum())
            }
            false => Operations::Calculated(calculated),
        };
        let once = Often { runs: 1, time: Duration::ZERO };
        self.runner.run(given.clone(), &mine, once, budget)?;
        let timed = self.runner.run(given, &mine, Often { runs: RUNS, time }, budget)?;
        Ok(Sample::of(size, timed.times, operations))
    }
}
