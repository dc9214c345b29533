//! The clock and Ctrl-C: the only place that asks for the time.
//!
//! Work is watched through [`Budget`](crate::ground::Budget); this room answers its question, "go on?". The first
//! Ctrl-C asks the work to stop; a second one, or one while nothing runs, ends the process.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::ground::budget::Watch;
use crate::ground::{Budget, StopReason};

static BUSY: AtomicBool = AtomicBool::new(false);
static ASKED: AtomicBool = AtomicBool::new(false);

/// Exit code for Ctrl-C.
pub const INTERRUPTED: u8 = 130;

/// Catches Ctrl-C for the whole process. Call it once.
pub fn catch_interrupts() {
    let caught = ctrlc::set_handler(|| {
        if !BUSY.load(Ordering::SeqCst) || ASKED.swap(true, Ordering::SeqCst) {
            std::process::exit(i32::from(INTERRUPTED));
        }
    });
    // Without a handler Ctrl-C ends the process, which is no worse than refusing to start.
    drop(caught);
}

/// How far work that takes longer than a second has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// The time since it began.
    pub passed: Duration,
    /// Steps so far.
    pub steps: u64,
    /// Nodes of the term at hand.
    pub size: u64,
}

/// Told now and then how far long work has come, and `None` when that work is over.
pub type Progress = Box<dyn Fn(Option<Report>)>;

/// Watches one piece of work after another.
#[derive(Clone, Default)]
pub struct Clock(Rc<Inner>);

#[derive(Default)]
struct Inner {
    timeout: Cell<Option<Duration>>,
    started: Cell<Option<Instant>>,
    shown: Cell<u64>,
    progress: RefCell<Option<Progress>>,
}

/// Tenths of a second between two reports of progress.
const PROGRESS_EVERY: u64 = 5;

/// Tenths of a second before the first report.
const PROGRESS_AFTER: u64 = 10;

impl Clock {
    /// A clock that stops work after `timeout`.
    pub fn new(timeout: Option<Duration>) -> Clock {
        let clock = Clock::default();
        clock.0.timeout.set(timeout);
        clock
    }

    /// The time that a piece of work may take.
    pub fn timeout(&self) -> Option<Duration> {
        self.0.timeout.get()
    }

    /// Changes the time that a piece of work may take.
    pub fn set_timeout(&self, timeout: Option<Duration>) {
        self.0.timeout.set(timeout);
    }

    /// Whom to tell that work goes on.
    pub fn on_progress(&self, tell: Progress) {
        *self.0.progress.borrow_mut() = Some(tell);
    }

    /// Runs a piece of work under the clock. Ctrl-C stops it while it runs, and is forgotten afterwards.
    pub fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        if self.0.started.get().is_some() {
            return work();
        }
        self.0.started.set(Some(Instant::now()));
        self.0.shown.set(0);
        ASKED.store(false, Ordering::SeqCst);
        BUSY.store(true, Ordering::SeqCst);
        let result = work();
        BUSY.store(false, Ordering::SeqCst);
        ASKED.store(false, Ordering::SeqCst);
        self.0.started.set(None);
        if self.0.shown.get() > 0 {
            self.tell(None);
        }
        result
    }

    /// The answer for budgets.
    pub fn watch(&self) -> Watch {
        let clock = self.clone();
        Rc::new(move |used| clock.look(used))
    }

    fn look(&self, used: &Budget) -> Option<StopReason> {
        if ASKED.load(Ordering::SeqCst) {
            return Some(StopReason::Interrupted);
        }
        let passed = self.0.started.get()?.elapsed();
        if let Some(timeout) = self.0.timeout.get()
            && passed >= timeout
        {
            return Some(StopReason::Time(timeout));
        }
        self.report(passed, used);
        None
    }

    fn report(&self, passed: Duration, used: &Budget) {
        let tenths = passed.as_millis() as u64 / 100;
        if tenths < PROGRESS_AFTER || tenths < self.0.shown.get() + PROGRESS_EVERY {
            return;
        }
        self.0.shown.set(tenths);
        self.tell(Some(Report { passed, steps: used.steps(), size: used.size() }));
    }

    fn tell(&self, report: Option<Report>) {
        if let Some(tell) = self.0.progress.borrow().as_ref() {
            tell(report);
        }
    }
}
