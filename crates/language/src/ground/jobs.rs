//! Runs several pieces of work at once, each on a deep stack: what they say and what they give comes in the order of the
//! pieces, whichever ends first.
//!
//! Terms and sessions belong to one thread: a piece makes its own, and says texts.

use std::any::Any;
use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use super::stack;

/// A port through which a piece of work says something; what it says waits for its turn.
#[derive(Debug)]
pub struct Port<M> {
    piece: usize,
    to: Sender<(usize, Option<M>)>,
}

impl<M> Clone for Port<M> {
    fn clone(&self) -> Port<M> {
        Port { piece: self.piece, to: self.to.clone() }
    }
}

impl<M> Port<M> {
    /// Says it.
    pub fn say(&self, message: M) {
        self.send(Some(message));
    }

    fn send(&self, message: Option<M>) {
        // Who listens no longer misses nothing.
        drop(self.to.send((self.piece, message)));
    }
}

/// The outcome of several pieces of work.
#[derive(Debug, PartialEq, Eq)]
pub struct JobsOutcome<T, R> {
    /// What those gave that were begun: the first ones.
    pub results: Vec<R>,
    /// Those that weren't begun.
    pub left: Vec<T>,
}

/// Works on `pieces`, at most `jobs` at once, each on a stack that serves terms of `depth` levels. None is begun once
/// `goes_on` says so. What a piece says is told when all before it have ended, in its own order; a panic of one goes on
/// here when the others have ended. An error says that there is no memory for even one such stack; where there is some for
/// fewer than `jobs`, these do the work.
pub fn in_order<T: Send, M: Send, R: Send>(
    pieces: Vec<T>,
    jobs: usize,
    depth: u32,
    goes_on: impl Fn() -> bool + Sync,
    work: impl Fn(T, Port<M>) -> R + Sync,
    told: impl FnMut(M),
) -> io::Result<JobsOutcome<T, R>> {
    let most = jobs.clamp(1, pieces.len().max(1));
    let left = Mutex::new(pieces.into_iter().enumerate());
    let next = || if goes_on() { left.lock().ok()?.next() } else { None };
    let (to, from) = mpsc::channel();
    let worker = |to: Sender<(usize, Option<M>)>| {
        let mut given = Vec::new();
        while let Some((piece, thing)) = next() {
            let port = Port { piece, to: to.clone() };
            let end = port.clone();
            given.push((piece, catch_unwind(AssertUnwindSafe(|| work(thing, port)))));
            end.send(None);
        }
        given
    };
    let given = thread::scope(|scope| {
        let mut workers = Vec::new();
        while workers.len() < most {
            let (to, worker) = (to.clone(), &worker);
            match stack::with_room(depth).spawn_scoped(scope, move || worker(to)) {
                Ok(handle) => workers.push(handle),
                Err(e) if workers.is_empty() => return Err(e),
                Err(_) => break,
            }
        }
        drop(to);
        tell(from, told);
        Ok(workers.into_iter().flat_map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic))).collect())
    })?;
    Ok(JobsOutcome { results: results(given), left: rest(left) })
}

/// The number of a piece, and what it gave, or its panic.
type PieceResult<R> = (usize, Result<R, Box<dyn Any + Send>>);

fn results<R>(mut given: Vec<PieceResult<R>>) -> Vec<R> {
    given.sort_by_key(|(piece, _)| *piece);
    given.into_iter().map(|(_, result)| result.unwrap_or_else(|panic| resume_unwind(panic))).collect()
}

fn rest<T>(left: Mutex<impl Iterator<Item = (usize, T)>>) -> Vec<T> {
    left.into_inner().map_or_else(|_| Vec::new(), |left| left.map(|(_, thing)| thing).collect())
}

/// Tells what is said piece by piece. `None` is the last message of each piece, and pieces are begun in their order: so each turn
/// comes.
fn tell<M>(from: Receiver<(usize, Option<M>)>, mut told: impl FnMut(M)) {
    let mut turn = 0;
    let mut waiting: BTreeMap<usize, Vec<Option<M>>> = BTreeMap::new();
    for (piece, message) in from {
        waiting.entry(piece).or_default().push(message);
        while let Some(said) = waiting.remove(&turn) {
            let ended = said.last().is_some_and(Option::is_none);
            said.into_iter().flatten().for_each(&mut told);
            if !ended {
                break;
            }
            turn += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::{JobsOutcome, Port, in_order};

    /// Squares of the first numbers, and what was told of them.
    fn squares(count: usize, jobs: usize, work: impl Fn(usize) + Sync) -> (JobsOutcome<usize, usize>, Vec<String>) {
        let mut told = Vec::new();
        let square = |k: usize, port: Port<String>| {
            port.say(format!("{k} begins"));
            work(k);
            port.say(format!("{k} ends"));
            k * k
        };
        let worked = in_order((0..count).collect(), jobs, 1, || true, square, |line| told.push(line)).expect("a stack");
        (worked, told)
    }

    #[test]
    fn in_the_order_of_the_pieces() {
        for jobs in [1, 2, 7, 100] {
            let (worked, told) = squares(20, jobs, |_| {});
            assert_eq!(worked, JobsOutcome { results: (0..20).map(|k| k * k).collect(), left: Vec::new() });
            let expected: Vec<String> = (0..20).flat_map(|k| [format!("{k} begins"), format!("{k} ends")]).collect();
            assert_eq!(told, expected, "{jobs} jobs");
        }
        assert_eq!(squares(0, 3, |_| {}).0, JobsOutcome { results: Vec::new(), left: Vec::new() });
    }

    /// The first ends last: each of the three waits for the others.
    #[test]
    fn at_once() {
        let (all, later) = (Barrier::new(3), Barrier::new(2));
        let work = |k| {
            all.wait();
            if k != 1 {
                later.wait();
            }
        };
        let (_, told) = squares(3, 3, work);
        assert_eq!(told, ["0 begins", "0 ends", "1 begins", "1 ends", "2 begins", "2 ends"]);
    }

    #[test]
    fn what_is_not_begun_is_left() {
        let begun = AtomicUsize::new(0);
        let goes_on = || begun.load(Ordering::SeqCst) < 2;
        let work = |name: &'static str, _: Port<()>| {
            begun.fetch_add(1, Ordering::SeqCst);
            name.len()
        };
        let worked = in_order(vec!["a", "bb", "ccc", "dddd"], 1, 1, goes_on, work, drop).expect("a stack");
        assert_eq!(worked, JobsOutcome { results: vec![1, 2], left: vec!["ccc", "dddd"] });
    }

    #[test]
    fn a_panic_waits_for_the_others() {
        let ended = AtomicUsize::new(0);
        let work = |k: usize, port: Port<usize>| {
            assert_ne!(k, 1, "one");
            port.say(k);
            ended.fetch_add(1, Ordering::SeqCst);
        };
        let mut told = Vec::new();
        let all = catch_unwind(AssertUnwindSafe(|| {
            in_order(vec![0, 1, 2, 3], 2, 1, || true, work, |k| told.push(k)).is_ok()
        }));
        assert!(all.is_err());
        assert_eq!((ended.into_inner(), told), (3, vec![0, 2, 3]));
    }
}
