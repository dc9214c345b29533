//! The REPL: lines from a terminal or a pipe, answers in order.
//!
//! This is the only room that names rustyline. It knows lines and prompts; what a line means is the session's affair,
//! and how an answer looks is `render`'s.

mod helper;
mod piped;
mod terminal;

use std::io::{self, IsTerminal};
use std::path::Path;

use crate::session::{Response, Session};
use crate::terminal::Out;

/// Reads lines until the end of input or `:quit`.
pub fn run(session: &mut Session, out: Out) {
    if io::stdin().is_terminal() {
        terminal::run(session, out);
    } else {
        piped::run(session, out);
    }
}

/// Loads a file that the user named on the command line, and tells trouble. Whether to go on: at a terminal in any case.
pub fn load(session: &mut Session, file: &Path, out: Out) -> bool {
    let answer = session.during(|session| session.load(file));
    out.answer(&answer, &session.sources());
    answer.is_ok() || io::stdin().is_terminal()
}

/// Takes a line, and answers it once it is complete.
fn take(session: &mut Session, pending: &mut String, line: &str, out: Out) -> bool {
    session.read_line(pending, line, |session, text| answer(session, text, out))
}

/// Answers a line. False when it was the last. Ctrl-C while a long answer is put into words keeps the session, too.
fn answer(session: &mut Session, line: &str, out: Out) -> bool {
    let answer = session.during(|session| {
        let answer = session.submit(line);
        out.answer(&answer, &session.sources());
        answer
    });
    !matches!(answer, Ok(Response::Quit))
}
