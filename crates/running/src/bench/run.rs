//! Runs programs at growing sizes.

use std::time::Duration;

use super::machine::grain;
use super::measure::{Operations, Sample};
use super::runner::{Runner, TimingPlan};
use redexter_language::cost::{Work, work};
use redexter_language::eval::{NumberSource, Sizes, drawn_inputs, evaluate, open_sizes};
use redexter_language::ground::{Budget, Diagnostic, Random, Trouble, code};
use redexter_language::term::Program;
use redexter_loops::blocks::packed;

/// What executes no more than this is counted by running it.
const MAX_COUNTED_OPERATIONS: u128 = 2_000_000;

/// Each size has so many runs at least.
const MIN_RUNS: u64 = 3;

/// Calls that are shorter are timed together until they take as long, since the clock has a grain and takes time itself.
const MIN_RUN_TIME: Duration = Duration::from_micros(100);

/// A first call that is as long is one that lasts; a shorter one may have waited for memory, which says nothing of the next.
const SURE_RUN_TIME: Duration = Duration::from_millis(10);

/// The most calls that are timed together.
const MOST_CALLS: u32 = 1_000_000;

/// Where inputs come from: the same ones each time.
const SEED: u64 = 1;

/// A program, ready to run, and what it costs.
pub struct BenchSubject {
    program: Program,
    runner: Runner,
    work: Work,
}

impl BenchSubject {
    /// One of a program and what runs it.
    pub fn new(program: Program, runner: Runner) -> BenchSubject {
        let work = work(&program.term);
        BenchSubject { program, runner, work }
    }

    /// Runs it until it is warm and it is known how many calls are timed together, and then for about so long.
    /// Sizes that the program lacks don't matter: a strategy may have removed them. Where the budget ends, what was measured
    /// until then is kept.
    pub fn sample(
        &self,
        size: u64,
        sizes: &Sizes,
        time: Duration,
        budget: &Budget,
        keep: &mut Option<Sample>,
    ) -> Result<(), Trouble> {
        let mine: Sizes =
            open_sizes(&self.program.term).into_iter().filter_map(|name| sizes.get(&name).map(|n| (name, n))).collect();
        let drawn = drawn_inputs(&self.program, &mine, NumberSource::PLAIN, &mut Random::new(SEED), budget)?;
        let inputs = drawn.ok_or_else(|| {
            Diagnostic::error(code::INPUT_SHAPE, "inputs can't be drawn: a parameter's type has no data")
                .help("give sizes from 1, and a definition that takes data")
        })?;
        let (parameters, _) = self.program.term.applied();
        let given = packed(parameters.iter().map(|(_, ty)| ty).zip(&inputs), budget)?;
        let calculated = self.work.at(|name| mine.get(name).unwrap_or(0));
        let operations = match calculated <= MAX_COUNTED_OPERATIONS || self.work.total().is_unknown() {
            true => {
                let (_, counts) = evaluate(&self.program, &inputs, &mine, budget)?;
                let all = [counts.flops, counts.compares, counts.reads, counts.writes];
                Operations::Counted(all.into_iter().map(u128::from).sum())
            }
            false => Operations::Calculated(calculated),
        };
        let calls = self.calls(&given, &mine, budget)?;
        let mut times = Vec::new();
        let ran = self.runner.run(given, &mine, TimingPlan { runs: MIN_RUNS, time, calls }, budget, &mut times);
        // It comes before the error, so that what was timed is kept where the budget ended.
        *keep = Sample::of(size, times, calls, self.runner.own_grain().unwrap_or_else(grain), operations);
        ran.map(drop)
    }

    /// How many calls last long enough together.
    fn calls(&self, given: &[Vec<u64>], sizes: &Sizes, budget: &Budget) -> Result<u32, Trouble> {
        let least = |runs, calls| -> Result<Duration, Trouble> {
            let often = TimingPlan { runs, time: Duration::ZERO, calls };
            let mut times = Vec::new();
            self.runner.run(given.to_vec(), sizes, often, budget, &mut times)?;
            Ok(times.into_iter().min().unwrap_or(MIN_RUN_TIME))
        };
        let mut calls = 1;
        if self.runner.own_grain().is_some() || least(1, calls)? >= SURE_RUN_TIME {
            return Ok(calls);
        }
        loop {
            let least = least(MIN_RUNS, calls)?;
            if calls >= MOST_CALLS || least >= MIN_RUN_TIME {
                return Ok(calls);
            }
            let wanted = (MIN_RUN_TIME.as_nanos() * u128::from(calls)).div_ceil(least.as_nanos().max(1));
            let wanted = wanted.clamp(u128::from(calls) + 1, 10 * u128::from(calls)).min(u128::from(MOST_CALLS));
            calls = u32::try_from(wanted).unwrap_or(MOST_CALLS);
        }
    }
}
