//! Answers rustyline while a line is typed: how it may go on, and how it looks.

use std::borrow::Cow;
use std::cell::Cell;

use rustyline::completion::Completer;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hint, Hinter};
use rustyline::validate::Validator;
use rustyline::{Context, Helper};

use crate::terminal::painted;
use redexter_language::ground::bug::contained;
use redexter_session::session::{self, CompletionWords, Session};
use redexter_telling::command;
use redexter_telling::render::{Look, Styled, input_line};

/// Holds the session while lines are typed, to ask it.
pub struct Assistant<'a> {
    pub session: &'a mut Session,
    /// Its names, as of the last answer.
    pub words: CompletionWords,
    /// The place of the cursor when a character was typed last, in bytes of the line.
    cursor: Cell<usize>,
}

impl<'a> Assistant<'a> {
    pub fn new(session: &'a mut Session, words: CompletionWords) -> Assistant<'a> {
        Assistant { session, words, cursor: Cell::new(0) }
    }

    /// The bytes of the line that is typed before the cursor.
    pub fn before_cursor(&self) -> usize {
        self.cursor.get()
    }
}

impl Helper for Assistant<'_> {}

/// Each line is taken as it is; what is left open is the REPL's affair.
impl Validator for Assistant<'_> {}

impl Completer for Assistant<'_> {
    type Candidate = String;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        // Whoever types goes on without.
        let found = contained(|| session::complete(self.session, &line[..pos], &self.words));
        Ok(found.map_or((pos, Vec::new()), |found| (found.start, found.candidates)))
    }
}

/// Grey text behind the cursor: what would complete the line, or what a command wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    text: String,
    completes: bool,
}

impl Hint for Suggestion {
    fn display(&self) -> &str {
        &self.text
    }

    fn completion(&self) -> Option<&str> {
        self.completes.then_some(&self.text)
    }
}

impl Hinter for Assistant<'_> {
    type Hint = Suggestion;

    fn hint(&self, line: &str, pos: usize, _: &Context<'_>) -> Option<Suggestion> {
        self.cursor.set(pos);
        if pos < line.len() || line.trim().is_empty() {
            return None;
        }
        usage(line).or_else(|| contained(|| self.only_completion(line)).ok().flatten())
    }
}

impl Assistant<'_> {
    fn only_completion(&self, line: &str) -> Option<Suggestion> {
        let found = session::complete(self.session, line, &self.words);
        let [only] = found.candidates.as_slice() else { return None };
        let rest = only.strip_prefix(&line[found.start..])?;
        (!rest.is_empty()).then(|| Suggestion { text: rest.to_owned(), completes: true })
    }
}

/// The arguments of a command whose name stands there and nothing else.
fn usage(line: &str) -> Option<Suggestion> {
    let name = line.strip_prefix(':')?;
    let info = command::COMMANDS.iter().find(|e| e.name == name.trim_end())?;
    let gap = if name.ends_with(' ') { "" } else { " " };
    (!info.usage.is_empty()).then(|| Suggestion { text: format!("{gap}{}", info.usage), completes: false })
}

impl Highlighter for Assistant<'_> {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        let looks = contained(|| painted(&input_line(line, &|name| self.words.is_rule(name))));
        looks.map_or(Cow::Borrowed(line), Cow::Owned)
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        Cow::Owned(painted(&Styled::of(Look::Strong, prompt)))
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Cow::Owned(painted(&Styled::of(Look::Aside, hint)))
    }

    fn highlight_char(&self, _: &str, _: usize, kind: CmdKind) -> bool {
        kind != CmdKind::MoveCursor
    }
}
