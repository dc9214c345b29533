//! Gives scripts, models and runs what they need of the session: files, limits, and a place for what they print.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use super::file_access::FileAccess;
use super::system::System;
use super::watch::WorkClock;
use crate::script::Host;
use redexter_language::ground::{Budget, Diagnostic, Limits, Nesting, Severity};
use redexter_rewriting::strategy;

/// Takes what a script prints, and the findings that don't stop it.
pub trait Sink {
    /// A line that was printed.
    fn line(&self, text: &str);

    /// A finding.
    fn finding(&self, finding: &Diagnostic);
}

/// The limits of each run, and the time and memory that a piece of work may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// The limits of each run.
    pub limits: Limits,
    /// The time that a piece of work may take.
    pub timeout: Option<Duration>,
    /// The bytes that may be held; `None` for half of what the machine has.
    pub memory: Option<u64>,
}

/// The settings that a session starts with.
pub struct Settings {
    /// The limits of each run.
    pub limits: Limits,
    /// How deep the stack lets things nest: `:set max-depth` goes no further.
    pub nesting: Nesting,
    /// The machine.
    pub system: Rc<dyn System>,
    /// Folders that scripts may use besides the current one.
    pub allowed: Vec<PathBuf>,
    /// Whether scripts may write.
    pub writing: bool,
    /// Whether scripts do without the derived combinators and the general schedule.
    pub bare: bool,
    /// The time that a piece of work may take.
    pub timeout: Option<Duration>,
    /// The bytes that may be held; `None` for half of what the machine has.
    pub memory: Option<u64>,
    /// Where scripts print.
    pub sink: Box<dyn Sink>,
}

impl Settings {
    /// The usual limits over this machine; what scripts print is dropped, and so are the findings that don't stop them.
    pub fn quiet(system: Rc<dyn System>) -> Settings {
        Settings {
            limits: Limits::default(),
            nesting: Nesting::default(),
            system,
            allowed: Vec::new(),
            writing: true,
            bare: false,
            timeout: None,
            memory: None,
            sink: Box::new(SilentSink),
        }
    }
}

/// A sink that drops everything.
pub struct SilentSink;

impl Sink for SilentSink {
    fn line(&self, _: &str) {}

    fn finding(&self, _: &Diagnostic) {}
}

/// The session's side of [`Host`].
pub struct SessionHost {
    pub(super) limits: Cell<Limits>,
    pub(super) nesting: Nesting,
    pub(super) bare: bool,
    pub(super) files: FileAccess,
    pub(super) clock: Rc<WorkClock>,
    /// Whether a terminal shows what is longer than its screen in a pager.
    pub(super) paged: Cell<bool>,
    sink: RefCell<Box<dyn Sink>>,
    /// The findings that were shown.
    shown: RefCell<Vec<Diagnostic>>,
    /// Whether findings that stop nothing aren't shown: they would be about what a lesson keeps to itself.
    pub(super) hushed: Cell<bool>,
}

impl SessionHost {
    pub(super) fn new(settings: Settings) -> Result<Rc<SessionHost>, Diagnostic> {
        let Settings { limits, nesting, system, allowed, writing, bare, timeout, memory, sink } = settings;
        Ok(Rc::new(SessionHost {
            limits: Cell::new(limits),
            nesting,
            bare,
            files: FileAccess::new(system.clone(), &allowed, writing)?,
            clock: WorkClock::new(system, timeout, memory),
            paged: Cell::new(true),
            sink: RefCell::new(sink),
            shown: RefCell::default(),
            hushed: Cell::default(),
        }))
    }
}

impl SessionHost {
    /// What a piece of work may take.
    pub(super) fn allowance(&self) -> Allowance {
        let WorkClock { timeout, memory, .. } = &*self.clock;
        Allowance { limits: self.limits.get(), timeout: timeout.get(), memory: memory.get() }
    }

    /// Sets what a piece of work may take from now on.
    pub(super) fn allow(&self, allowance: Allowance) {
        let Allowance { limits, timeout, memory } = allowance;
        self.limits.set(limits);
        self.clock.timeout.set(timeout);
        self.clock.memory.set(memory);
    }
}

impl SessionHost {
    /// Shows a finding about one result, each time.
    pub(super) fn tell(&self, finding: &Diagnostic) {
        self.sink.borrow().finding(finding);
    }
}

impl Host for SessionHost {
    fn print(&self, text: &str) {
        self.sink.borrow().line(text);
    }

    /// Each finding is shown once.
    fn warn(&self, finding: &Diagnostic) {
        if !self.hushed.get() && !self.shown.borrow().contains(finding) {
            self.shown.borrow_mut().push(finding.clone());
            self.sink.borrow().finding(finding);
        }
    }

    fn read(&self, path: &str) -> Result<String, Diagnostic> {
        self.files.read(Path::new(path))
    }

    fn find(&self, path: &str, script: &str) -> String {
        self.files.find(Path::new(path), Path::new(script)).to_string_lossy().into_owned()
    }

    /// A script that is used for its strategies goes on where it may not write: most schedules end by writing.
    fn write(&self, path: &str, text: &str) -> Result<(), Diagnostic> {
        match self.files.write(Path::new(path), text) {
            Err(refused) if !self.files.writing.get() => {
                self.warn(&Diagnostic { severity: Severity::Warning, ..refused });
                Ok(())
            }
            done => done,
        }
    }

    fn bare(&self) -> bool {
        self.bare
    }

    fn budget(&self) -> Budget {
        Budget::new(self.limits.get(), Some(self.clock.watch()))
    }

    fn held(&self) -> Option<u64> {
        self.files.system.held()
    }

    fn clock(&self) -> strategy::ProfileClock {
        let system = self.files.system.clone();
        Rc::new(move || system.now())
    }

    fn nesting(&self) -> Nesting {
        self.nesting
    }
}
