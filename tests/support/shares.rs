//! Work in threads: each takes the next case that nobody has taken.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use redexter::ground::with_stack;

/// The numbers of cases that a thread takes, each when it is asked for the next one.
pub struct Cases {
    next: Arc<AtomicUsize>,
    count: usize,
}

impl Iterator for Cases {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|k| *k < self.count)
    }
}

/// What as many threads as run at once come to, each with its share of so many cases.
pub fn shared<T: Send + 'static>(count: usize, work: impl Fn(Cases) -> T + Send + Sync + 'static) -> Vec<T> {
    let (work, next) = (Arc::new(work), Arc::new(AtomicUsize::new(0)));
    let start = |_| {
        let (work, cases) = (work.clone(), Cases { next: next.clone(), count });
        thread::spawn(move || with_stack(10_000, move || work(cases)).expect("a stack"))
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let workers: Vec<_> = (0..threads).map(start).collect();
    workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
}
