//! Inputs and results that stay in memory, so that runs alone are timed.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use redexter_native::Memory;

use super::{ASKED, Native, functions, no_answer};
use crate::eval::Sizes;
use crate::ground::{Budget, Diagnostic, Trouble, code};
use crate::nest::leaves;
use crate::term::{Type, TypeView};

/// The most runs, whose times are held.
const MOST_RUNS: usize = 1_000_000;

/// How often something is run: so many times at least, and until what passed adds up.
#[derive(Clone, Copy, Debug)]
pub struct Often {
    /// So many times at least; once where it is 0.
    pub runs: u64,
    /// Until what passed adds up to this.
    pub time: Duration,
    /// Each time is that of so many calls, one after another.
    pub calls: u32,
}

impl Often {
    /// Whether these runs, which took so long together, aren't enough; a million always are.
    pub fn goes_on(&self, runs: usize, passed: Duration) -> bool {
        runs < MOST_RUNS && ((runs as u64) < self.runs.max(1) || passed < self.time)
    }
}

/// A program's inputs and room for its results.
pub struct Held<'n> {
    native: &'n Native,
    memory: Memory,
}

impl Native {
    /// Holds inputs as words of 8 bytes, an array for each number that the parameters' types come to, pairs in parts. Wrong
    /// are sizes that the program doesn't have, arrays of other lengths, and indices that are out of range.
    pub fn hold(&self, given: Vec<Vec<u64>>, sizes: &Sizes) -> Result<Held<'_>, Trouble> {
        crate::eval::check_sizes(&self.program, sizes)?;
        let mut rest = &given[..];
        for (name, ty) in &self.program.term.applied().0 {
            let mine;
            (mine, rest) = rest.split_at(leaves(ty).map_or(0, |tree| tree.leaves().len()).min(rest.len()));
            if !fits(ty, mine, 1, sizes) {
                let headline = format!("what is given for `{name}` doesn't fit its type {ty}");
                return Err(Diagnostic::error(code::INPUT_SHAPE, headline).help("give arrays of its sizes").into());
            }
        }
        Ok(Held { native: self, memory: self.memory(given, sizes)? })
    }
}

/// Whether these words are so many values of a type.
fn fits(ty: &Type, words: &[Vec<u64>], count: u64, sizes: &Sizes) -> bool {
    match ty.view() {
        TypeView::Array(n, a) => fits(a, words, count.saturating_mul(sizes.value(n)), sizes),
        TypeView::Pair(a, b) => {
            let (first, second) = words.split_at(leaves(a).map_or(0, |tree| tree.leaves().len()).min(words.len()));
            fits(a, first, count, sizes) && fits(b, second, count, sizes)
        }
        view => {
            let [words] = words else { return false };
            let below = if let TypeView::Fin(n) = view { sizes.value(n) } else { u64::MAX };
            words.len() as u64 == count && (below == u64::MAX || words.iter().all(|k| *k < below))
        }
    }
}

impl Held<'_> {
    /// Runs the code, on a thread of its own as always, and gives the times of so many calls each. What is held is lost where the
    /// budget ends that: the code may still write there.
    pub fn run(self, often: Often, budget: &Budget) -> Result<(Vec<Duration>, Self), Trouble> {
        let stop = Arc::new(AtomicI32::new(0));
        let (send, receive) = channel();
        let Held { native, mut memory } = self;
        let (code, told) = (native.code.clone(), stop.clone());
        std::thread::spawn(move || {
            let (functions, mut times, mut passed) = (functions::functions(), Vec::new(), Duration::ZERO);
            while often.goes_on(times.len(), passed) && told.load(Ordering::Relaxed) == 0 {
                let begun = Instant::now();
                if !code.run(&mut memory, &functions, &told, often.calls.max(1)) {
                    return;
                }
                let took = begun.elapsed();
                times.push(took);
                passed += took;
            }
            // Nobody listens where the run was ended.
            let _ = send.send((times, memory));
        });
        loop {
            match receive.recv_timeout(ASKED) {
                Ok((times, memory)) => return Ok((times, Held { native, memory })),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(no_answer()),
            }
            if let Err(reason) = budget.ask() {
                stop.store(1, Ordering::Relaxed);
                return Err(reason.into());
            }
        }
    }

    /// What the last run gave, as words, pairs in parts.
    pub fn into_results(self) -> Vec<Vec<u64>> {
        self.memory.asked
    }
}
