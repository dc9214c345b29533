//! A [`Session`] holds the current term and its history, what was loaded and defined, and the limits. Lines go in, responses
//! come out.
//!
//! This module prints nothing; what scripts print goes to a [`Sink`] that its owner gives it. Files, clock and interrupts
//! are those of a [`System`] that its owner gives it, too: [`MemorySystem`] is one without an operating system.

mod closed_subterm;
mod commands;
mod complete;
mod dispatch;
mod file_access;
mod foreign_syntax;
mod handouts;
mod help;
mod host;
mod inputs;
mod lessons;
pub mod manual;
pub mod markdown;
mod memory;
mod overlay;
mod prerequisites;
mod reload;
mod response;
mod restore;
mod rule_pages;
mod save;
mod saved_entry;
mod snapshot;
mod system;
mod tasks;
mod terms;
mod watch;

use std::cell::{Ref, RefCell};
use std::rc::Rc;
use std::time::Duration;

use crate::script::{Host, Interpreter};
pub use commands::SessionStamp;
pub use complete::{Completion, CompletionWords};
pub use handouts::HandoutRequest;
pub use help::{HelpMention, HelpTopic};
pub use host::{Allowance, Settings, SilentSink, Sink};
pub use lessons::{AttemptReport, LessonEntry, LessonGrade, LessonOpening, LessonResponse};
pub use memory::MemorySystem;
pub use overlay::OverlaySystem;
use redexter_language::check;
use redexter_language::ground::writing::within;
use redexter_language::ground::{Budget, Limits, Name, Sources, StopReason, Trouble};
use redexter_language::syntax::{goes_on, only_a_term};
use redexter_language::term::Term;
use redexter_rewriting::rule::{Checker, RuleBook};
use redexter_telling::command::{self, Command};
use redexter_telling::lesson::ProgressRecord;
use redexter_telling::walk::{self, Walk};
pub use response::{LoadedModel, Reloaded, Response, Restored, RulePage};
pub use system::{FileKind, System};
pub use tasks::DerivedProgram;
pub use watch::{ProgressListener, Silence, WorkProgress};

/// A session.
///
/// ```
/// use std::{path::Path, rc::Rc};
///
/// use redexter_session::session::{MemorySystem, Response, Session, Settings};
///
/// # fn main() -> Result<(), redexter_language::ground::Trouble> {
/// let files = MemorySystem::default();
/// files.put(Path::new("m.arr"), b"def twice (x : real) : real := x * 1 + x\n");
/// let mut session = Session::new(Settings::quiet(Rc::new(files)), Rc::default())?;
/// session.submit(":load m.arr")?;
/// session.submit("twice")?;
/// assert!(matches!(session.submit("topDown(mulOne)")?, Response::Walk(_)));
/// assert!(session.submit("topDown(mulOn)").is_err(), "no such rule");
/// # Ok(())
/// # }
/// ```
pub struct Session {
    host: Rc<host::SessionHost>,
    sources: Rc<RefCell<Sources>>,
    prelude: Rc<check::Model>,
    /// The rules of the book in its order.
    book_order: Vec<Name>,
    interpreter: Interpreter,
    walk: Walk,
    loaded: Vec<commands::BoundModel>,
    /// The files that were loaded, each once, the newest last.
    files: Vec<reload::LoadedFile>,
    /// What was defined, changed and loaded, as it was typed.
    statements: Vec<String>,
    /// The widest limits that there were, once one was set.
    widest: Option<Limits>,
    /// How often files were loaded again.
    reloads: u64,
    /// The lesson that is open.
    course: Option<lessons::OpenLesson>,
    /// What was done in lessons.
    record: Rc<ProgressRecord>,
}

impl Session {
    /// A session without a term. `sources` gets every text that is read.
    pub fn new(settings: Settings, sources: Rc<RefCell<Sources>>) -> Result<Session, Trouble> {
        let host = host::SessionHost::new(settings)?;
        let (prelude, book) = shipped(&sources)?;
        let book_order = book.names().map(|(name, _)| name.clone()).collect();
        let interpreter = Interpreter::new(host.clone(), sources.clone(), prelude.clone(), book);
        Ok(Session {
            host,
            sources,
            prelude,
            book_order,
            interpreter,
            walk: Walk::default(),
            loaded: Vec::new(),
            files: Vec::new(),
            statements: Vec::new(),
            widest: None,
            reloads: 0,
            course: None,
            record: Rc::default(),
        })
    }

    /// Answers a line: a command, if it begins with a colon, else a line of the script language.
    pub fn submit(&mut self, line: &str) -> Result<Response, Trouble> {
        let line = line.trim();
        self.doing(line, |session| session.answer(line))
    }

    fn answer(&mut self, line: &str) -> Result<Response, Trouble> {
        let answer = match line.strip_prefix(':') {
            Some(_) => Command::parse(line).map_err(Trouble::from).and_then(|command| self.command(command)),
            None if line.is_empty() => Ok(Response::Silent),
            None => self.line(line),
        };
        answer.map_err(|trouble| self.advise_line(trouble, line))
    }

    /// Whether a line can be answered as it is: nothing in it is left open.
    pub fn is_complete(&self, line: &str) -> bool {
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
        pending: &mut String,
        line: &str,
        mut answer: impl FnMut(&mut Session, &str) -> bool,
    ) -> bool {
        let line = line.trim_start_matches('\u{feff}');
        if line.starts_with(':') && !pending.is_empty() {
            answer(self, &std::mem::take(pending));
        }
        if !pending.is_empty() {
            pending.push('\n');
        }
        pending.push_str(line);
        !self.is_complete(pending) || answer(self, &std::mem::take(pending))
    }

    /// The texts that diagnostics point into.
    pub fn sources(&self) -> Ref<'_, Sources> {
        self.sources.borrow()
    }

    /// The same, for those who outlive a borrow.
    pub fn sources_handle(&self) -> Rc<RefCell<Sources>> {
        self.sources.clone()
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

    /// The same, for work that is a part of what began at `began`, by the system's time.
    pub fn since<T>(&mut self, began: Duration, work: impl FnOnce(&mut Session) -> T) -> T {
        let clock = self.host.clock.clone();
        clock.since(began, || work(self))
    }

    /// Does what `doing` names under the clock; after a bug in that the session is as it was before.
    pub fn doing<T>(
        &mut self,
        doing: &str,
        work: impl FnOnce(&mut Session) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        self.during(|session| session.contained(doing, work)?)
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

    /// The address of what is in focus, unless that is the whole term.
    pub fn focus(&self) -> Option<String> {
        self.walk.focus_address()
    }

    /// The current term, if there is one.
    pub fn current_term(&self) -> Option<&Term> {
        self.walk.current().ok().map(|program| &program.term)
    }

    /// The derivation that one walks in this session.
    pub fn walk(&self) -> &Walk {
        &self.walk
    }

    /// Completes `before`, the text from the beginning of a line to the cursor.
    pub fn complete(&self, before: &str, words: &CompletionWords) -> Completion {
        complete::complete(before, words, &*self.host.files.system, &|typed| walk::addresses(&self.walk, typed))
    }

    /// The names that may stand in a line.
    pub fn words(&self) -> CompletionWords {
        let rules: Vec<String> = self.interpreter.rules().iter().map(|info| info.name.to_string()).collect();
        let models = self.loaded.iter().map(|model| (model.name.clone(), model.names()));
        let models = models.chain(self.interpreter.aliases()).chain(self.interpreter.stages()).collect();
        let mut names = self.interpreter.names();
        names.retain(|name| !rules.contains(name));
        CompletionWords { rules, names, models, topics: self.topics() }
    }
}

/// The prelude and the rules that ship. Their laws are typed when they are first asked for.
fn shipped(sources: &Rc<RefCell<Sources>>) -> Result<(Rc<check::Model>, RuleBook), Trouble> {
    // What ships is redexter's own: a user's limits are for the user's work.
    let budget = Budget::default();
    let prelude = check::prelude(sources);
    let (texts, within) = (sources.clone(), prelude.clone());
    let checker: Checker = Rc::new(move |raw, reverse| check::laws(raw, reverse, &within, &texts.borrow(), &budget));
    let book = RuleBook::shipped(&mut sources.borrow_mut(), &checker);
    Ok((prelude, book))
}
