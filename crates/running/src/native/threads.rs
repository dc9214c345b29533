//! Decides which loops of native code are shared out among threads, and how much memory that takes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use redexter_loader::Team;

use redexter_language::eval::Sizes;
use redexter_language::ground::Name;
use redexter_loops::nest::{Nest, NestSlot, Split};

/// The threads that run native code, and the least work for which they do.
#[derive(Clone, Copy, Debug)]
pub struct ThreadLimits {
    /// At least 1.
    pub count: u32,
    /// A loop of fewer operations than this runs on one.
    pub least: f64,
}

/// Loops of fewer operations run on one thread: some 10 microseconds in vectors, of which sharing them out may take 3.
const MIN_SHARED_WORK: f64 = 200_000.0;

impl ThreadLimits {
    /// The caller's alone.
    pub const ONE: ThreadLimits = ThreadLimits { count: 1, least: MIN_SHARED_WORK };

    /// The most.
    pub const MOST: u32 = 256;

    /// So many, for loops that are worth it.
    pub fn of(count: u32) -> ThreadLimits {
        ThreadLimits { count: count.clamp(1, ThreadLimits::MOST), least: MIN_SHARED_WORK }
    }
}

/// Loops that may be shared out, and who does so.
#[derive(Debug)]
pub(super) struct SharedLoops {
    pub(super) threads: ThreadLimits,
    pub(super) splits: Vec<Split>,
    /// How many were, in all calls.
    done: Arc<AtomicU64>,
}

impl SharedLoops {
    pub(super) fn new(threads: ThreadLimits, splits: Vec<Split>) -> SharedLoops {
        SharedLoops { threads, splits, done: Arc::default() }
    }

    pub(super) fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Threads for calls.
    pub(super) fn workers(&self) -> Workers {
        Workers { team: Team::of(self.threads.count), done: self.done.clone() }
    }

    /// Among how many threads each loop is shared out at these sizes.
    pub(super) fn counts(&self, nest: &Nest, sizes: &Sizes) -> Vec<i64> {
        let size = |name: &Name| sizes.get(name).unwrap_or(0);
        let count = |split: &Split| {
            let blocks = split.rounds(nest, &size) / f64::from(split.grain.max(1));
            let is_worth = blocks > 1.0 && split.work(nest, &size) >= self.threads.least;
            if is_worth { i64::from(self.threads.count) } else { 1 }
        };
        self.splits.iter().map(count).collect()
    }

    /// How many words each thread beside the first needs for loops that are shared out among so many.
    pub(super) fn each(&self, counts: &[i64], sizes: &Sizes) -> u64 {
        let words = |slot: &NestSlot| sizes.elements(&slot.array.dims).saturating_add(7) & !7;
        let loops = self.splits.iter().zip(counts).filter(|(_, count)| **count > 1).map(|(split, _)| {
            let all = split.own.iter().chain(split.joined.iter().map(|(slot, _)| slot));
            all.fold(0, |sum: u64, slot| sum.saturating_add(words(slot)))
        });
        loops.max().unwrap_or(0)
    }

    /// How many words all of them need, where each needs so many.
    pub(super) fn own(&self, each: u64) -> u64 {
        match each {
            0 => 0,
            each => each.saturating_mul(u64::from(self.threads.count - 1)).saturating_add(8),
        }
    }
}

/// A team, and where its loops are counted.
pub(super) struct Workers {
    pub(super) team: Team,
    done: Arc<AtomicU64>,
}

impl Workers {
    /// Adds what was shared out.
    pub(super) fn count(&self) {
        self.done.fetch_add(self.team.jobs(), Ordering::Relaxed);
    }
}
