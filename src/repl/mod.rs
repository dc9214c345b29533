//! Runs the REPL: lines come from a terminal or a pipe, and answers follow in order.
//!
//! This is the only module that names rustyline. It knows lines and prompts; what a line means is the session's affair,
//! and how an answer looks is `render`'s.

mod autosave;
mod helper;
mod piped;
mod progress;
mod terminal;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use crate::terminal::{Out, ending, read_file};
use autosave::{Autosave, LeftoverSession};
pub use progress::{LessonProgress, reset};
use redexter_language::ground::bug::contained;
use redexter_language::ground::{Diagnostic, code};
use redexter_session::session::{self, PendingLines, Response, Session};
use redexter_telling::render;

/// Answers lines, and saves the session after each of them.
pub struct Responder {
    out: Out,
    autosave: Option<Autosave>,
    progress: Option<LessonProgress>,
}

impl Responder {
    /// The session and what is done in lessons are saved by themselves at a terminal, and where that is asked for.
    pub fn new(out: Out, saves: bool, session: &mut Session) -> Responder {
        let saves = saves || io::stdin().is_terminal();
        let autosave = state_folder().filter(|_| saves).and_then(|state| Autosave::begin(&state));
        let progress = if saves { LessonProgress::begin(session, &out) } else { None };
        Responder { out, autosave, progress }
    }

    /// Answers the first line, if there is one, and then those that are read until the end of input or `:quit`. `is_new`:
    /// nothing was loaded, so that somebody may not know how to begin.
    pub fn run(mut self, session: &mut Session, first: Option<&str>, is_new: bool) {
        if io::stdin().is_terminal() {
            self.tell_of_left(session);
            terminal::run(session, &mut self, first, is_new);
        } else if first.is_none_or(|line| self.answer(session, line)) {
            piped::run(session, &mut self);
        }
        // What a signal ended is left behind, to be taken up.
        if let Some(autosave) = self.autosave.filter(|_| ending().is_none()) {
            autosave.end();
        }
    }

    /// Loads a file that the user named on the command line, and tells trouble. True if the REPL goes on, at a terminal
    /// in any case.
    pub fn load(&mut self, session: &mut Session, file: &Path) -> bool {
        let doing = format!(":load {}", file.display());
        let answer = session.doing(&doing, |session| session::load(session, file));
        self.out.answer(&answer, session);
        self.keep(session);
        ending().is_none() && (answer.is_ok() || io::stdin().is_terminal())
    }

    /// Takes up the session that ended irregularly in this folder, the newest unless one is named. True if the REPL goes on: at a
    /// terminal in any case.
    pub fn resume(&mut self, session: &mut Session, name: &str) -> bool {
        let all = state_folder().map_or(Vec::new(), |state| LeftoverSession::all(&state));
        let here = std::env::current_dir().unwrap_or_default();
        let (own, others): (Vec<LeftoverSession>, Vec<LeftoverSession>) =
            all.into_iter().partition(|left| left.folder == here);
        let chosen = own.iter().position(|left| name.is_empty() || left.name == name);
        let Some(left) = chosen.map(|k| &own[k]) else {
            self.nothing_to_resume(name, &own, &others);
            return io::stdin().is_terminal();
        };
        let answer = session.doing("--resume", |session| session::resume(session, &left.file, &left.text));
        self.out.answer(&answer, session);
        let more = own.iter().filter(|other| other.name != left.name);
        let more: String = more.map(|other| format!("  redexter --resume={}\n", other.name)).collect();
        if !more.is_empty() {
            self.out.note(format!("other sessions ended irregularly in this folder, too:\n{more}"));
        }
        match &answer {
            Ok(Response::Restored(restored)) if restored.trouble.is_none() => {
                // The new file has to be there before the old one goes.
                match self.keep(session) {
                    true => left.remove(),
                    false if self.autosave.is_some() => self.stays(left),
                    false => {}
                }
            }
            _ => self.stays(left),
        }
        answer.is_ok() || io::stdin().is_terminal()
    }

    fn stays(&self, left: &LeftoverSession) {
        self.out.note(format!("the saved session stays in {}\n", left.file.display()));
    }

    /// Tells of sessions that could be taken up, unless one was.
    fn tell_of_left(&self, session: &Session) {
        let here = std::env::current_dir().unwrap_or_default();
        let all = state_folder().map_or(Vec::new(), |state| LeftoverSession::all(&state));
        if session.current_term().is_none() && all.iter().any(|left| left.folder == here) {
            self.out.note("a session ended irregularly in this folder: `redexter --resume` takes it up\n");
        }
    }

    fn nothing_to_resume(&self, name: &str, own: &[LeftoverSession], others: &[LeftoverSession]) {
        let mut text = match name {
            "" => "error: no session ended irregularly in this folder\n".to_owned(),
            name => format!("error: no session `{name}` ended irregularly in this folder\n"),
        };
        for left in own {
            text.push_str(&format!("  = help: redexter --resume={}\n", left.name));
        }
        for left in others {
            text.push_str(&format!("  = help: one did in {}: start redexter there\n", left.folder.display()));
        }
        self.out.note(text);
    }

    /// Takes a line, and answers it once it is complete.
    fn take(&mut self, session: &mut Session, pending: &mut PendingLines, line: &str) -> bool {
        session.read_line(pending, line, |session, text| self.answer(session, text))
    }

    /// Answers a line. False when it was the last. Ctrl-C while a long answer is put into words keeps the session, too.
    fn answer(&mut self, session: &mut Session, line: &str) -> bool {
        let answer = session.during(|session| {
            let answer = session::submit(session, line);
            let told = contained(|| {
                self.keep(session);
                self.out.answer(&answer, session);
            });
            if let Err(bug) = told {
                self.out.note(render::finding(&bug.told(line), &session.sources_handle()));
            }
            answer
        });
        !matches!(answer, Ok(Response::Quit)) && ending().is_none()
    }

    /// Tells that a line isn't UTF-8: from this byte on, counted from 1, in this line of the input where it has lines.
    fn not_utf8(&self, session: &Session, byte: usize, line: Option<usize>) {
        let place = line.map_or_else(String::new, |line| format!(" in line {line}"));
        let wrong = Diagnostic::error(code::NOT_UTF8, format!("the input isn't UTF-8: byte {byte}{place}"))
            .help("nothing of that line is taken; type it as UTF-8");
        self.out.note(render::finding(&wrong, &session.sources_handle()));
    }

    /// Tells that lines are answered though something in them is left open: from this line of the input on, up to something.
    fn left_open(&self, began: usize, until: &str) {
        self.out.note(format!("note: what begins in line {began} of the input is left open up to {until}\n"));
    }

    /// Saves the session; true if it is saved.
    fn keep(&mut self, session: &Session) -> bool {
        if let Some(progress) = &mut self.progress {
            progress.keep(session);
        }
        self.autosave.as_mut().is_some_and(|autosave| autosave.keep(session))
    }
}

/// The folder of what is known between sessions.
fn state_folder() -> Option<PathBuf> {
    own_folder("XDG_STATE_HOME", ".local/state")
}

/// The program's folder in the one that a variable names, else in one below the home. None without a home.
fn own_folder(variable: &str, below_home: &str) -> Option<PathBuf> {
    let absolute = |variable| std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = absolute(variable).or_else(|| Some(absolute("HOME")?.join(below_home)))?;
    Some(folder.join("redexter"))
}

/// The text of a file of the program's, where it can be read.
fn text(file: &Path) -> Option<String> {
    String::from_utf8(read_file(file).ok()?).ok()
}
