//! What scripts, models and runs get from the session: files, limits, and a place for what they print.

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::rc::Rc;

use super::files::Files;
use super::watch::Clock;
use crate::ground::{Budget, Diagnostic, Limits, Severity};
use crate::script::Host;

/// Takes what a script prints, and the findings that don't stop it.
pub trait Sink {
    /// A line that was printed.
    fn line(&self, text: &str);

    /// A finding.
    fn finding(&self, finding: &Diagnostic);
}

/// What a session starts with.
pub struct Settings {
    /// The limits of each run.
    pub limits: Limits,
    /// The nesting that the stack is made for: `:set max-depth` goes no further.
    pub deepest: u32,
    /// The files.
    pub files: Files,
    /// The clock.
    pub clock: Clock,
    /// Where scripts print.
    pub sink: Box<dyn Sink>,
}

/// The session's side of [`Host`].
pub struct Desk {
    limits: Cell<Limits>,
    pub(super) deepest: u32,
    pub(super) files: Files,
    pub(super) clock: Clock,
    sink: RefCell<Box<dyn Sink>>,
    /// The findings that were shown.
    shown: RefCell<Vec<Diagnostic>>,
}

impl Desk {
    pub(super) fn new(settings: Settings) -> Rc<Desk> {
        Rc::new(Desk {
            limits: Cell::new(settings.limits),
            deepest: settings.deepest,
            files: settings.files,
            clock: settings.clock,
            sink: RefCell::new(settings.sink),
            shown: RefCell::default(),
        })
    }

    pub(super) fn limits(&self) -> Limits {
        self.limits.get()
    }

    pub(super) fn set_limits(&self, limits: Limits) {
        self.limits.set(limits);
    }
}

impl Host for Desk {
    fn print(&self, text: &str) {
        self.sink.borrow().line(text);
    }

    /// Each finding is shown once.
    fn warn(&self, finding: &Diagnostic) {
        if !self.shown.borrow().contains(finding) {
            self.shown.borrow_mut().push(finding.clone());
            self.sink.borrow().finding(finding);
        }
    }

    fn read(&self, path: &str) -> Result<String, Diagnostic> {
        self.files.read(Path::new(path))
    }

    /// A script that is used for its strategies goes on where it may not write: most schedules end by writing.
    fn write(&self, path: &str, text: &str) -> Result<(), Diagnostic> {
        match self.files.write(Path::new(path), text) {
            Err(refused) if !self.files.writing() => {
                self.warn(&Diagnostic { severity: Severity::Warning, ..refused });
                Ok(())
            }
            done => done,
        }
    }

    fn budget(&self) -> Budget {
        Budget::new(self.limits.get(), Some(self.clock.watch()))
    }
}
