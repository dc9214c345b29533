//! When work is to end, and how far it has come.
//!
//! Work is watched through [`Budget`](crate::ground::Budget); this room answers its question, "go on?", with what the
//! machine says of time and interrupts.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use super::system::System;
use crate::ground::budget::Watch;
use crate::ground::{Budget, StopReason};

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
pub struct Clock {
    system: Rc<dyn System>,
    /// The time that a piece of work may take.
    pub timeout: Cell<Option<Duration>>,
    /// The bytes that may be held; `None` for half of what the machine has.
    pub memory: Cell<Option<u64>>,
    /// Half of what the machine has, once it was asked.
    half: OnceCell<u64>,
    started: Cell<Option<Duration>>,
    shown: Cell<u64>,
    progress: RefCell<Option<Progress>>,
}

/// Tenths of a second between two reports of progress.
const PROGRESS_EVERY: u64 = 5;

/// Tenths of a second before the first report.
const PROGRESS_AFTER: u64 = 10;

impl Clock {
    /// A clock that stops work after `timeout`, or where more bytes than `memory` are held.
    pub fn new(system: Rc<dyn System>, timeout: Option<Duration>, memory: Option<u64>) -> Rc<Clock> {
        Rc::new(Clock {
            system,
            half: OnceCell::default(),
            timeout: Cell::new(timeout),
            memory: Cell::new(memory),
            started: Cell::default(),
            shown: Cell::default(),
            progress: RefCell::default(),
        })
    }

    /// Whom to tell that work goes on.
    pub fn on_progress(&self, tell: Progress) {
        *self.progress.borrow_mut() = Some(tell);
    }

    /// Runs a piece of work under the clock.
    pub fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        self.since(self.system.now(), work)
    }

    /// The same, for work that is a part of what began then.
    pub fn since<T>(&self, began: Duration, work: impl FnOnce() -> T) -> T {
        if self.started.get().is_some() {
            return work();
        }
        self.started.set(Some(began));
        self.shown.set(0);
        self.system.working(true);
        let result = work();
        self.system.working(false);
        self.started.set(None);
        if self.shown.get() > 0 {
            self.tell(None);
        }
        result
    }

    /// The answer for budgets.
    pub fn watch(self: &Rc<Clock>) -> Watch {
        let clock = self.clone();
        Rc::new(move |used| clock.look(used))
    }

    fn look(&self, used: &Budget) -> Option<StopReason> {
        if self.system.interrupted() {
            return Some(StopReason::Interrupted);
        }
        let passed = self.system.now().saturating_sub(self.started.get()?);
        if let Some(timeout) = self.timeout.get()
            && passed >= timeout
        {
            return Some(StopReason::Time(timeout));
        }
        let half = || *self.half.get_or_init(|| self.system.memory().map_or(u64::MAX, |all| all / 2));
        let most = self.memory.get().unwrap_or_else(half);
        if self.system.held().is_some_and(|held| held > most) {
            return Some(StopReason::Memory(most));
        }
        self.report(passed, used);
        None
    }

    fn report(&self, passed: Duration, used: &Budget) {
        let tenths = passed.as_millis() as u64 / 100;
        if tenths < PROGRESS_AFTER || tenths < self.shown.get() + PROGRESS_EVERY {
            return;
        }
        self.shown.set(tenths);
        self.tell(Some(Report { passed, steps: used.steps(), size: used.size() }));
    }

    fn tell(&self, report: Option<Report>) {
        if let Some(tell) = self.progress.borrow().as_ref() {
            tell(report);
        }
    }
}
