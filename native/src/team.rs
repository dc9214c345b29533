//! Threads that wait for parts of loops: a loop is a function of the part's number, and it has ended when it has for all of them.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle, Thread};

// SAFETY: called with the frame that came with it, and with numbers from 0 on below the count that did.
pub(crate) type Part = unsafe extern "C" fn(*mut c_void, i64) -> c_int;

/// How often a thread looks for what it waits for before it sleeps: some tens of microseconds, as long as waking it takes.
const LOOKS: u32 = 2_000;

/// Parts that are to be done.
#[derive(Clone)]
struct Job {
    /// Each has another number than the last.
    number: u64,
    part: Part,
    frame: *mut c_void,
    count: i64,
    caller: Thread,
}

// SAFETY: a frame is used by many threads as C allows: they read what was written before the job was given, and each writes
// places of its own, which are read when all have ended.
unsafe impl Send for Job {}

#[derive(Default)]
struct Board {
    /// The number of the last job.
    number: AtomicU64,
    job: Mutex<Option<Job>>,
    /// How many workers still do the last job.
    busy: AtomicI64,
    ended: AtomicBool,
    closed: AtomicBool,
}

/// Threads beside the one that calls. They start with the first loop that needs them, and end with the team.
pub struct Team {
    threads: u32,
    board: Arc<Board>,
    workers: Vec<JoinHandle<()>>,
    jobs: u64,
}

impl Team {
    /// So many threads, the caller among them.
    pub fn of(threads: u32) -> Team {
        Team { threads: threads.max(1), board: Arc::default(), workers: Vec::new(), jobs: 0 }
    }

    /// How many loops were shared out.
    pub fn jobs(&self) -> u64 {
        self.jobs
    }

    /// Does all parts, the first here, and those for which there is no thread; whether none was ended.
    ///
    /// # Safety
    /// The function may be called with this frame, in any threads at once, with each number below the count.
    pub(crate) unsafe fn run(&mut self, part: Part, frame: *mut c_void, count: i64) -> bool {
        self.start();
        let helped = (self.workers.len() as i64).min(count - 1).max(0);
        self.jobs += 1;
        let job = Job { number: self.jobs, part, frame, count: helped + 1, caller: std::thread::current() };
        let board = &*self.board;
        board.ended.store(false, Ordering::Relaxed);
        board.busy.store(helped, Ordering::Relaxed);
        *board.job.lock().unwrap_or_else(PoisonError::into_inner) = Some(job);
        board.number.store(self.jobs, Ordering::Release);
        self.workers.iter().take(helped as usize).for_each(|worker| worker.thread().unpark());
        // SAFETY: by the caller's word; no worker has one of these numbers.
        let own = std::iter::once(0).chain(helped + 1..count).all(|k| unsafe { part(frame, k) } == 0);
        wait(self.spins(), || board.busy.load(Ordering::Acquire) == 0);
        own && !board.ended.load(Ordering::Relaxed)
    }

    /// Looking for something takes the place of another thread where there are more of them than cores.
    fn spins(&self) -> u32 {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        if self.threads as usize <= cores { LOOKS } else { 0 }
    }

    /// Starts threads that aren't there yet, as many as the system gives.
    fn start(&mut self) {
        if !self.workers.is_empty() {
            return;
        }
        let spins = self.spins();
        for own in 1..i64::from(self.threads) {
            let board = self.board.clone();
            match Builder::new().spawn(move || work(&board, own, spins)) {
                Ok(worker) => self.workers.push(worker),
                Err(_) => return,
            }
        }
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        self.board.closed.store(true, Ordering::Release);
        for worker in self.workers.drain(..) {
            worker.thread().unpark();
            let _ = worker.join();
        }
    }
}

/// Looks so often, and then sleeps between looks.
fn wait(spins: u32, mut is_there: impl FnMut() -> bool) {
    for _ in 0..spins {
        if is_there() {
            return;
        }
        std::hint::spin_loop();
    }
    while !is_there() {
        std::thread::park();
    }
}

/// What a worker does: its part of each job that has one.
fn work(board: &Board, own: i64, spins: u32) {
    let mut seen = 0;
    loop {
        let is_closed = || board.closed.load(Ordering::Acquire);
        wait(spins, || board.number.load(Ordering::Acquire) != seen || is_closed());
        if is_closed() {
            return;
        }
        let job = board.job.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(job) = job else { continue };
        // The job may be a later one than the number said.
        if std::mem::replace(&mut seen, job.number) == job.number || own >= job.count {
            continue;
        }
        // SAFETY: who gave the job vouches for the function, and waits until all workers have done it.
        if unsafe { (job.part)(job.frame, own) } != 0 {
            board.ended.store(true, Ordering::Relaxed);
        }
        if board.busy.fetch_sub(1, Ordering::AcqRel) == 1 {
            job.caller.unpark();
        }
    }
}

/// What loaded code calls: its first argument is the team that it was given.
pub(crate) unsafe extern "C" fn run(team: *mut c_void, part: Part, frame: *mut c_void, count: i64) -> c_int {
    // SAFETY: `Code::run` gave this pointer to a team that nobody else has meanwhile.
    let team = unsafe { &mut *team.cast::<Team>() };
    // SAFETY: the C that Redexter writes gives its own parts and frames.
    c_int::from(!unsafe { team.run(part, frame, count) })
}
