//! When work is to end, and how far it has come.
//!
//! Work is watched through [`Budget`](crate::ground::Budget); this room answers its question, "go on?", with what the
//! machine says of time and interrupts.

use std::cell::{Cell, RefCell};
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
#[derive(Clone)]
pub struct Clock(Rc<Inner>);

struct Inner {
    system: Rc<dyn System>,
    timeout: Cell<Option<Duration>>,
    started: Cell<Option<Duration>>,
    shown: Cell<u64>,
    progress: RefCell<Option<Progress>>,
}

/// Tenths of a second between two reports of progress.
const PROGRESS_EVERY: u64 = 5;

/// Tenths of a second before the first report.
const PROGRESS_AFTER: u64 = 10;

impl Clock {
    /// A clock that stops work after `timeout`.
    pub fn new(system: Rc<dyn System>, timeout: Option<Duration>) -> Clock {
        Clock(Rc::new(Inner {
            system,
            timeout: Cell::new(timeout),
            started: Cell::default(),
            shown: Cell::default(),
            progress: RefCell::default(),
        }))
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

    /// Runs a piece of work under the clock.
    pub fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        if self.0.started.get().is_some() {
            return work();
        }
        self.0.started.set(Some(self.0.system.now()));
        self.0.shown.set(0);
        self.0.system.working(true);
        let result = work();
        self.0.system.working(false);
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
        if self.0.system.interrupted() {
            return Some(StopReason::Interrupted);
        }
        let passed = self.0.system.now().saturating_sub(self.0.started.get()?);
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
