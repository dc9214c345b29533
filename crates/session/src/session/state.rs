//! A [`Session`] holds the current term and its history, what was loaded and defined, and the limits. What a line does with them
//! stands beside its subject, in functions that take the session.

use std::cell::{Ref, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use super::host::{Allowance, SessionHost, Settings, Sink};
use super::pending::PendingLines;
use super::system::System;
use super::watch::ProgressListener;
use crate::script::{Host, Interpreter, InterpreterState};
use redexter_language::check::{self, Model};
use redexter_language::ground::bug::contained;
use redexter_language::ground::writing::within;
use redexter_language::ground::{Budget, Diagnostic, Limits, Name, SourceId, Sources, StopReason, Trouble};
use redexter_language::syntax::{goes_on, only_a_term};
use redexter_language::term::{Program, Term};
use redexter_rewriting::rule::{Checker, RuleBook, RuleInfo};
use redexter_rewriting::strategy::Strategy;
use redexter_telling::command;
use redexter_telling::lesson::{Diagnosis, Lesson, LessonPage, ProgressRecord};
use redexter_telling::walk::{HistoryShape, Walk, WalkOwner};

/// A session.
///
/// ```
/// use std::{path::Path, rc::Rc};
///
/// use redexter_session::session::{self, MemorySystem, Response, Session, Settings};
///
/// # fn main() -> Result<(), redexter_language::ground::Trouble> {
/// let files = MemorySystem::default();
/// files.put(Path::new("m.arr"), b"def twice (x : real) : real := x * 1 + x\n");
/// let mut own = Session::new(Settings::quiet(Rc::new(files)), Rc::default())?;
/// session::submit(&mut own, ":load m.arr")?;
/// session::submit(&mut own, "twice")?;
/// assert!(matches!(session::submit(&mut own, "topDown(mulOne)")?, Response::Walk(_)));
/// assert!(session::submit(&mut own, "topDown(mulOn)").is_err(), "no such rule");
/// # Ok(())
/// # }
/// ```
pub struct Session {
    pub(super) host: Rc<SessionHost>,
    pub(super) sources: Rc<RefCell<Sources>>,
    pub(super) prelude: Rc<Model>,
    /// The rules of the book in its order.
    pub(super) book_order: Vec<Name>,
    pub(super) interpreter: Interpreter,
    pub(super) work: SessionWork,
    /// What was defined, changed and loaded, as it was typed. These only become more, so that nobody copies them to go back.
    pub(super) statements: Vec<String>,
}

/// All else that lines change, but for what scripts define: that is the interpreter's.
#[derive(Clone, Default)]
pub(super) struct SessionWork {
    pub walk: Walk,
    pub loaded: Vec<BoundModel>,
    /// The files that were loaded, each once, the newest last.
    pub files: Vec<LoadedFile>,
    /// The widest limits that there were, once one was set.
    pub widest: Option<Limits>,
    /// How often files were loaded again.
    pub reloads: u64,
    /// The lesson that is open.
    pub course: Option<OpenLesson>,
    /// What was done in lessons.
    pub record: Rc<ProgressRecord>,
}

/// A model that lines may use.
#[derive(Clone)]
pub(super) struct BoundModel {
    pub name: String,
    pub path: PathBuf,
    pub model: Rc<Model>,
    /// Its definitions that stand for terms of their own.
    pub programs: Vec<(Name, Program)>,
    /// The definitions that have their own names in lines; loading the model again binds these anew.
    pub bound: Vec<String>,
}

/// A file that was loaded, and what it defines: names with what tells whether they mean the same.
#[derive(Clone)]
pub(super) struct LoadedFile {
    pub path: PathBuf,
    pub definitions: BTreeMap<String, String>,
}

/// A lesson that is open.
#[derive(Clone)]
pub(super) struct OpenLesson {
    /// Its file.
    pub path: PathBuf,
    /// What it is called in records.
    pub name: String,
    pub page: Rc<LessonPage>,
    pub lesson: Rc<Lesson>,
    /// How many hints were given since it was opened.
    pub hinted: usize,
    /// What was said last.
    pub last: Option<Rc<Diagnosis>>,
    /// The answer that was typed last.
    pub typed: Option<String>,
}

/// A stamp of a session's state: while it is the same, so is what is saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionStamp {
    history: HistoryShape,
    statements: usize,
    reloads: u64,
    allowance: Allowance,
}

impl Session {
    /// A session without a term. `sources` gets every text that is read.
    pub fn new(settings: Settings, sources: Rc<RefCell<Sources>>) -> Result<Session, Trouble> {
        let host = SessionHost::new(settings)?;
        let (prelude, book) = shipped(&sources)?;
        let book_order = book.names().map(|(name, _)| name.clone()).collect();
        let interpreter = Interpreter::new(host.clone(), sources.clone(), prelude.clone(), book);
        Ok(Session {
            host,
            sources,
            prelude,
            book_order,
            interpreter,
            work: SessionWork::default(),
            statements: Vec::new(),
        })
    }

    /// Shows a finding that stops nothing, once.
    pub(crate) fn warn(&self, finding: &Diagnostic) {
        self.host.warn(finding);
    }

    /// A new session under this one's limits. Its scripts may write, as far as `system` does; its texts go where those of
    /// this one go.
    pub fn apart(&self, system: Rc<dyn System>, sink: Box<dyn Sink>) -> Result<Session, Trouble> {
        let Allowance { limits, timeout, memory } = self.host.allowance();
        let settings = Settings {
            limits,
            nesting: self.host.nesting,
            system,
            allowed: self.host.files.allowed.clone(),
            writing: true,
            bare: self.host.bare,
            timeout,
            memory,
            sink,
        };
        Session::new(settings, self.sources.clone())
    }

    /// Whether a line can be answered as it is: nothing in it is left open, and it is no strategy with a `;` behind it, which
    /// goes on in the next line.
    pub fn is_complete(&self, line: &str) -> bool {
        self.is_closed(line) && (line.trim_start().starts_with(':') || !self.interpreter.ends_in_sequence(line))
    }

    /// Whether a line is a strategy, and no statement, command or term.
    pub fn is_strategy(&self, line: &str) -> bool {
        !line.trim_start().starts_with(':') && !only_a_term(line) && self.interpreter.begins_strategy(line)
    }

    /// Whether nothing in a line is left open.
    pub fn is_closed(&self, line: &str) -> bool {
        let text = if line.trim_start().starts_with(':') { command::expression(line) } else { Some(line) };
        text.is_none_or(|text| match only_a_term(text) {
            true => !goes_on(text, &self.host.limits.get()),
            false => self.interpreter.is_complete(text),
        })
    }

    /// Takes a line, and answers what is pending once it is complete; a byte-order mark before a line is dropped. A command
    /// never continues a line: what came before it is answered as it is. The result is what `dispatch` gives for the complete
    /// line, false where no more lines are wanted; true while the line is incomplete.
    pub fn read_line(
        &mut self,
        pending: &mut PendingLines,
        line: &str,
        mut answer: impl FnMut(&mut Session, &str) -> bool,
    ) -> bool {
        let line = line.trim_start_matches('\u{feff}');
        if !pending.is_empty() && begins_a_command(line) {
            answer(self, &pending.take());
        }
        if pending.stay_open_with(line) {
            return true;
        }
        if !self.is_complete(pending.text()) {
            pending.look();
            return true;
        }
        answer(self, &pending.take())
    }

    /// Whether a terminal shows what is longer than its screen in a pager.
    pub fn is_paged(&self) -> bool {
        self.host.paged.get()
    }

    /// The texts that diagnostics point into.
    pub fn sources(&self) -> Ref<'_, Sources> {
        self.sources.borrow()
    }

    /// The same, for those who outlive a borrow.
    pub fn sources_handle(&self) -> Rc<RefCell<Sources>> {
        self.sources.clone()
    }

    /// Adds a text that diagnostics are to point into.
    pub fn add_source(&self, path: &Path, text: &str) -> SourceId {
        self.sources.borrow_mut().add(path.display().to_string(), text)
    }

    /// The machine.
    pub fn system(&self) -> Rc<dyn System> {
        self.host.files.system.clone()
    }

    /// The text of a file that the user named.
    pub fn read_named(&self, path: &Path) -> Result<String, Diagnostic> {
        self.host.files.name(path);
        self.host.files.read(path)
    }

    /// The same as it is, text or not.
    pub fn bytes_named(&self, path: &Path) -> Result<Vec<u8>, Diagnostic> {
        self.host.files.name(path);
        self.host.files.bytes(path)
    }

    /// Checks, before long work, that a file that the user named can be written where it is to be, and begins so if it is there.
    pub fn check_place(&self, path: &Path, beginning: &str) -> Result<(), Diagnostic> {
        self.host.files.check_place(path, beginning.as_bytes())
    }

    /// Writes a file that the user named so that it is changed in its place.
    pub fn rewrite_named(&self, path: &Path, text: &str) -> Result<(), Diagnostic> {
        self.host.files.rewrite_named(path, text.as_bytes())
    }

    /// Lets files be written over that were read, or that are of another kind.
    pub fn force(&self) {
        self.host.files.forced.set(true);
    }

    /// Writes what was done in lessons to a file that the user named, unless one stands there that tells of anything else: it is
    /// somebody else's.
    pub fn write_report(&self, path: &Path) -> Result<(), Diagnostic> {
        let is_older = |old: &[u8]| {
            let old = std::str::from_utf8(old).ok().and_then(|old| ProgressRecord::read(old).ok());
            old.is_some_and(|old| self.record().goes_on(&old))
        };
        self.host.files.write_over(path, self.record().text().as_bytes(), is_older)
    }

    /// Writes a file that the user named.
    pub fn write_named(&self, path: &Path, text: impl AsRef<[u8]>) -> Result<(), Diagnostic> {
        self.host.files.write_named(path, text.as_ref())
    }

    /// Sets whom to tell how far long work has come.
    pub fn on_progress(&self, tell: ProgressListener) {
        self.host.clock.on_progress(tell);
    }

    /// Runs `write`, which puts something into words, under the limits; or says which of them ended it.
    pub fn writing<T>(&self, write: impl FnOnce() -> T) -> Result<T, StopReason> {
        self.host.clock.during(|| within(self.host.budget(), write))
    }

    /// A budget under the session's limits.
    pub fn budget(&self) -> Budget {
        self.host.budget()
    }

    /// Runs a piece of work under the clock.
    pub fn during<T>(&mut self, work: impl FnOnce(&mut Session) -> T) -> T {
        let clock = self.host.clock.clone();
        clock.during(|| work(self))
    }

    /// The same for what is owed after work was stopped, such as to write what it has come to: with a time of its own.
    pub fn afterwards<T>(&mut self, work: impl FnOnce(&mut Session) -> T) -> T {
        let clock = self.host.clock.clone();
        clock.afterwards(|| work(self))
    }

    /// The same, for work that is a part of what began at `began`, by the system's time.
    pub fn since<T>(&mut self, began: Duration, work: impl FnOnce(&mut Session) -> T) -> T {
        let clock = self.host.clock.clone();
        clock.since(began, || work(self))
    }

    /// Does what `doing` names under the clock. Where that fails, names mean what they meant before; after a bug in it all of the
    /// session is as it was.
    pub fn doing<T>(
        &mut self,
        doing: &str,
        work: impl FnOnce(&mut Session) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        self.during(|session| session.contained(doing, session.interpreter.state(), work))
    }

    /// The same for a line of the script language.
    pub(super) fn answering<T>(
        &mut self,
        line: &str,
        work: impl FnOnce(&mut Session) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        self.during(|session| session.contained(line, session.interpreter.state_before(line), work))
    }

    /// Runs `tell`, which puts something into words and asks a budget for other work, too; both are under the session's limits.
    pub fn telling<T>(
        &mut self,
        doing: &str,
        tell: impl FnOnce(&Session, &Budget) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        self.doing(doing, |session| {
            let budget = session.host.budget();
            within(budget.fresh(), || tell(session, &budget))?
        })
    }

    /// Does what `doing` names. Where that fails, names mean what they meant before: what a line changed up to where it went
    /// wrong isn't seen. Where it panics, the session is as it was before, but for the texts that were read, and the error says
    /// what to report.
    pub(super) fn contained<T>(
        &mut self,
        doing: &str,
        defined: InterpreterState,
        work: impl FnOnce(&mut Session) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let (done, allowance) = (self.work.clone(), self.host.allowance());
        let (stated, files) = (self.statements.len(), &self.host.files);
        let (writing, named) = (files.writing.get(), files.named.borrow().clone());
        let failed = match contained(|| work(self)) {
            Ok(Ok(value)) => return Ok(value),
            Ok(Err(trouble)) => trouble,
            Err(bug) => {
                self.interpreter.settle();
                self.work = done;
                self.statements.truncate(stated);
                self.host.allow(allowance);
                self.host.files.writing.set(writing);
                *self.host.files.named.borrow_mut() = named;
                bug.told(doing).into()
            }
        };
        self.interpreter.go_back(defined);
        Err(failed)
    }

    /// A strategy from its text.
    pub fn strategy(&mut self, text: &str) -> Result<Strategy, Trouble> {
        self.interpreter.strategy(text)
    }

    /// The rules that there are.
    pub fn known_rules(&self) -> Vec<Rc<RuleInfo>> {
        self.interpreter.rules()
    }

    /// The address of what is in focus, unless that is the whole term.
    pub fn focus(&self) -> Option<String> {
        self.work.walk.focus_address()
    }

    pub(super) fn current(&self) -> Result<&Program, Trouble> {
        self.work.walk.current()
    }

    /// The current term, if there is one.
    pub fn current_term(&self) -> Option<&Term> {
        self.current().ok().map(|program| &program.term)
    }

    /// The derivation that one walks in this session.
    pub fn walk(&self) -> &Walk {
        &self.work.walk
    }

    /// What a walk needs that isn't the session's own: who keeps derivations asks questions about them so.
    pub fn owner(&self) -> &dyn WalkOwner {
        self.interpreter.owner()
    }

    /// What was done in lessons.
    pub fn record(&self) -> &ProgressRecord {
        &self.work.record
    }

    /// Goes on from what was done in lessons before.
    pub fn set_record(&mut self, record: ProgressRecord) {
        self.work.record = Rc::new(record);
    }

    /// The stamp of the session's state: while it is the same, so is what is saved.
    pub fn edits(&self) -> SessionStamp {
        SessionStamp {
            history: HistoryShape::of(self.work.walk.history()),
            statements: self.statements.len(),
            reloads: self.work.reloads,
            allowance: self.host.allowance(),
        }
    }
}

/// The prelude and the rules that ship. Their laws are typed when they are first asked for.
fn shipped(sources: &Rc<RefCell<Sources>>) -> Result<(Rc<Model>, RuleBook), Trouble> {
    // What ships is redexter's own: a user's limits are for the user's work.
    let budget = Budget::default();
    let prelude = check::prelude(sources);
    let (texts, within) = (sources.clone(), prelude.clone());
    let checker: Checker = Rc::new(move |raw, reverse| check::laws(raw, reverse, &within, &texts.borrow(), &budget));
    let book = RuleBook::shipped(&mut sources.borrow_mut(), &checker);
    Ok((prelude, book))
}

/// Whether a line begins a command though something before it was left open. A type may stand behind a colon, too.
pub fn begins_a_command(line: &str) -> bool {
    let bare = line.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    line.starts_with(':') || command::is_command(bare)
}
