//! Contains panics: a session is as it was before a piece of work that panics.

use std::path::PathBuf;
use std::rc::Rc;

use super::Session;
use super::commands::BoundModel;
use super::host::Allowance;
use super::lessons::OpenLesson;
use super::reload::LoadedFile;
use crate::script::InterpreterState;
use redexter_language::ground::bug::contained;
use redexter_language::ground::{Limits, Trouble};
use redexter_telling::lesson::ProgressRecord;
use redexter_telling::walk::Walk;

/// A snapshot of all that work may change, except the texts that were read.
struct SessionSnapshot {
    interpreter: InterpreterState,
    walk: Walk,
    loaded: Vec<BoundModel>,
    files: Vec<LoadedFile>,
    statements: Vec<String>,
    widest: Option<Limits>,
    reloads: u64,
    course: Option<OpenLesson>,
    record: Rc<ProgressRecord>,
    allowance: Allowance,
    writing: bool,
    named: Vec<PathBuf>,
}

impl Session {
    /// Does what `doing` names. Where that panics, the session is as it was before, and the error says what to report.
    pub(super) fn contained<T>(&mut self, doing: &str, work: impl FnOnce(&mut Session) -> T) -> Result<T, Trouble> {
        let before = self.as_it_is();
        contained(|| work(self)).map_err(|bug| {
            self.go_back(before);
            bug.told(doing).into()
        })
    }

    fn as_it_is(&self) -> SessionSnapshot {
        SessionSnapshot {
            interpreter: self.interpreter.state(),
            walk: self.walk.clone(),
            loaded: self.loaded.clone(),
            files: self.files.clone(),
            statements: self.statements.clone(),
            widest: self.widest,
            reloads: self.reloads,
            course: self.course.clone(),
            record: self.record.clone(),
            allowance: self.host.allowance(),
            writing: self.host.files.writing.get(),
            named: self.host.files.named.borrow().clone(),
        }
    }

    fn go_back(&mut self, before: SessionSnapshot) {
        self.interpreter.go_back(before.interpreter);
        self.interpreter.settle();
        self.walk = before.walk;
        self.loaded = before.loaded;
        self.files = before.files;
        self.statements = before.statements;
        self.widest = before.widest;
        self.reloads = before.reloads;
        self.course = before.course;
        self.record = before.record;
        self.host.allow(before.allowance);
        self.host.files.writing.set(before.writing);
        *self.host.files.named.borrow_mut() = before.named;
    }
}
