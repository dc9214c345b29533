//! Keeps threads that wait for parts of loops: a loop is a function of the part's number, and it has ended when it has for all
//! of them.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle, Thread};

// SAFETY: called with the frame that came with it, and with numbers from 0 on below the count that did.
pub(crate) type LoopPart = unsafe extern "C" fn(*mut c_void, i64) -> c_int;

/// How often a thread looks for what it waits for before it sleeps: some tens of microseconds, as long as waking it takes.
const MAX_SPINS: u32 = 2_000;

/// Parts that are to be done: each is for who takes its number.
struct Job {
    part: LoopPart,
    frame: *mut c_void,
    count: i64,
    /// The first number that nobody has taken.
    next: AtomicI64,
    /// How many parts haven't ended.
    left: AtomicI64,
    stopped: AtomicBool,
    caller: Thread,
}

// SAFETY: a frame is used by many threads as C allows: they read what was written before the job was given, and each writes
// places of its own, which are read when all have ended.
unsafe impl Send for Job {}
// SAFETY: as above; all else is atomic or stays as it is.
unsafe impl Sync for Job {}

impl Job {
    /// Does parts until none is left that nobody has taken.
    fn help(&self) {
        loop {
            // Numbers only have to be distinct, so that no order is asked for. Who comes late takes none, and so never uses a
            // frame that is gone.
            let own = self.next.fetch_add(1, Ordering::Relaxed);
            if own >= self.count {
                return;
            }
            // SAFETY: who gave the job vouches for the function, and waits until all parts have ended.
            if unsafe { (self.part)(self.frame, own) } != 0 {
                self.stopped.store(true, Ordering::Relaxed);
            }
            // Ordered, so that who sees that none is left sees what all parts wrote. The last one wakes the caller.
            if self.left.fetch_sub(1, Ordering::AcqRel) == 1 {
                self.caller.unpark();
            }
        }
    }
}

#[derive(Default)]
struct JobBoard {
    /// How many jobs there were.
    number: AtomicU64,
    /// The last one.
    job: Mutex<Option<Arc<Job>>>,
    closed: AtomicBool,
}

/// Threads beside the one that calls. They start with the first loop that needs them, and end with the team.
pub struct Team {
    threads: u32,
    spins: u32,
    board: Arc<JobBoard>,
    workers: Vec<JoinHandle<()>>,
    jobs: u64,
}

impl Team {
    /// So many threads, the caller among them.
    pub fn of(threads: u32) -> Team {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        // Who looks takes the place of another where there are more threads than cores.
        let spins = if threads as usize <= cores { MAX_SPINS } else { 0 };
        Team { threads, spins, board: Arc::default(), workers: Vec::new(), jobs: 0 }
    }

    /// How many loops were shared out.
    pub fn jobs(&self) -> u64 {
        self.jobs
    }

    /// Does all parts, here what no other thread takes; whether none was stopped.
    ///
    /// # Safety
    /// The function may be called with this frame, in any threads at once, with each number below the count.
    pub(crate) unsafe fn run(&mut self, part: LoopPart, frame: *mut c_void, count: i64) -> bool {
        self.start();
        self.jobs += 1;
        let (next, left, caller) = (AtomicI64::new(0), AtomicI64::new(count), std::thread::current());
        let job = Arc::new(Job { part, frame, count, next, left, stopped: AtomicBool::new(false), caller });
        *self.board.job.lock().unwrap_or_else(PoisonError::into_inner) = Some(job.clone());
        // The job is there before its number is, otherwise a worker could see the number and find the job before.
        self.board.number.store(self.jobs, Ordering::Release);
        self.workers.iter().for_each(|worker| worker.thread().unpark());
        job.help();
        wait(self.spins, || job.left.load(Ordering::Acquire) == 0);
        // Parts told it before they ended, and all have, so that no order is asked for.
        !job.stopped.load(Ordering::Relaxed)
    }

    /// Starts threads that aren't there yet, as many as the system gives.
    fn start(&mut self) {
        if !self.workers.is_empty() {
            return;
        }
        for _ in 1..self.threads {
            let (board, spins) = (self.board.clone(), self.spins);
            match Builder::new().spawn(move || work(&board, spins)) {
                Ok(worker) => self.workers.push(worker),
                // With fewer threads each does more parts, so that this is no error.
                Err(_) => return,
            }
        }
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        // It is told before they are woken, otherwise they would look and sleep again.
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

/// What a worker does: it helps with each job that it sees.
fn work(board: &JobBoard, spins: u32) {
    let mut seen = 0;
    let is_closed = || board.closed.load(Ordering::Acquire);
    loop {
        wait(spins, || board.number.load(Ordering::Acquire) != seen || is_closed());
        if is_closed() {
            return;
        }
        seen = board.number.load(Ordering::Acquire);
        // It may be a later job than the number said: helping it twice does no harm, since its parts are taken once each.
        let job = board.job.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(job) = job {
            job.help();
        }
    }
}

/// What loaded code calls: its first argument is the team that it was given.
pub(crate) unsafe extern "C" fn run(team: *mut c_void, part: LoopPart, frame: *mut c_void, count: i64) -> c_int {
    // SAFETY: `Code::run` gave this pointer to a team that nobody else has meanwhile.
    let team = unsafe { &mut *team.cast::<Team>() };
    // SAFETY: the C that Redexter writes gives its own parts and frames.
    c_int::from(!unsafe { team.run(part, frame, count) })
}
