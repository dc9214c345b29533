//! Holds inputs and results in memory, so that runs alone are timed.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use redexter_loader::CallMemory;

use super::{ASK_INTERVAL, Native, functions, no_answer};
use redexter_language::eval::Sizes;
use redexter_language::ground::{Budget, Trouble};
use redexter_loops::blocks::check_words;

/// The most runs, whose times are held.
const MOST_RUNS: u64 = 1_000_000;

/// How often something is run: so many times at least, and until what passed adds up.
#[derive(Clone, Copy, Debug)]
pub struct TimingPlan {
    /// So many times at least; once where it is 0.
    pub runs: u64,
    /// Until what passed adds up to this.
    pub time: Duration,
    /// Each time is that of so many calls, one after another.
    pub calls: u32,
}

impl TimingPlan {
    /// One call.
    pub const ONCE: TimingPlan = TimingPlan { runs: 1, time: Duration::ZERO, calls: 1 };

    /// Runs something as often, a million times at most, and gives the time of each run as it ends. Whether each of them came
    /// to something: the first that doesn't is the last.
    pub fn timed<E>(
        &self,
        mut run: impl FnMut() -> Result<bool, E>,
        mut gives: impl FnMut(Duration),
    ) -> Result<bool, E> {
        let (mut runs, mut passed) = (0, Duration::ZERO);
        while runs < MOST_RUNS && (runs < self.runs.max(1) || passed < self.time) {
            let begun = Instant::now();
            if !run()? {
                return Ok(false);
            }
            let took = begun.elapsed();
            gives(took);
            passed += took;
            runs += 1;
        }
        Ok(true)
    }

    /// How many calls a run is.
    pub fn calls(&self) -> u32 {
        self.calls.max(1)
    }
}

/// A program's inputs and room for its results.
pub struct NativeCall<'n> {
    pub(super) native: &'n Native,
    pub(super) memory: CallMemory,
}

impl Native {
    /// Holds inputs as words of 8 bytes, an array for each number that the parameters' types come to, pairs in parts. Wrong
    /// are sizes that the program doesn't have, arrays of other lengths, and indices that are out of range.
    pub fn hold(&self, given: Vec<Vec<u64>>, sizes: &Sizes) -> Result<NativeCall<'_>, Trouble> {
        check_words(&self.program, &given, sizes)?;
        Ok(NativeCall { native: self, memory: self.memory(given, sizes)? })
    }
}

impl NativeCall<'_> {
    /// Runs the code, on a thread of its own as always, and adds the times of so many calls each. What is held is lost where the
    /// budget ends that: the code may still write there.
    pub fn run(self, often: TimingPlan, budget: &Budget, times: &mut Vec<Duration>) -> Result<Self, Trouble> {
        let stop = Arc::new(AtomicI32::new(0));
        let (send, receive) = channel();
        let (take, taken) = channel();
        let NativeCall { native, mut memory } = self;
        let (code, mut workers, told) = (native.code.clone(), native.shares.workers(), stop.clone());
        // It may go on after this call has ended: so it owns memory, code and flag, which last as long as it does.
        std::thread::spawn(move || {
            let (functions, team) = (functions::functions(), &mut workers.team);
            let run = || Ok::<bool, Infallible>(code.run(&mut memory, &functions, &told, often.calls(), team));
            // Nobody listens where the run was ended.
            let done = often.timed(run, |time| _ = take.send(time));
            workers.count();
            if let Ok(true) = done {
                let _ = send.send(memory);
            }
        });
        let ended = loop {
            match receive.recv_timeout(ASK_INTERVAL) {
                Ok(memory) => break Ok(NativeCall { native, memory }),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break Err(no_answer()),
            }
            if let Err(reason) = budget.ask() {
                stop.store(1, Ordering::Relaxed);
                break Err(reason.into());
            }
        };
        times.extend(taken.try_iter());
        ended
    }

    /// What the last run gave, as words, pairs in parts.
    pub fn into_results(self) -> Vec<Vec<u64>> {
        self.memory.asked
    }
}
