//! Lets lines call the current term `it`, where nothing else is called so.

use std::iter;

use super::save::written_out;
use super::state::Session;
use redexter_language::ground::text::in_word;
use redexter_language::ground::{Diagnostic, Trouble, code, text::word};
use redexter_language::syntax::tokens::{Dialect, TokenKind, tokens};
use redexter_language::syntax::{PrintStyle, print_term};
use redexter_language::term::Program;

/// The name of the current term.
const NAME: &str = "it";

/// Whether a text has the name, and nothing else is called so.
fn is_mentioned(session: &Session, text: &str) -> bool {
    text.split(|c: char| !in_word(c)).any(|word| word == NAME) && session.interpreter.is_free(NAME)
}

/// The current term, if a text calls it so.
fn named_in(session: &Session, text: &str) -> Option<Program> {
    session.current().ok().filter(|_| is_mentioned(session, text)).cloned()
}

/// Whether a text calls the current term by its name.
pub(super) fn is_named_in(session: &Session, text: &str) -> bool {
    named_in(session, text).is_some()
}

/// Gives the current term its name for a line of the script language, and says whether it did. Behind the line [`unnamed`] takes
/// it away: another line may have another current term.
pub(super) fn naming(session: &mut Session, line: &str) -> bool {
    let own = line.trim_start().strip_prefix("let ").is_some_and(|rest| word(rest.trim_start()) == NAME);
    let current = named_in(session, line).filter(|_| !own);
    current.is_some_and(|current| session.interpreter.bind_program(NAME, current))
}

/// Takes the name away again.
pub(super) fn unnamed(session: &mut Session) {
    session.interpreter.unbind(NAME);
}

/// Whether what is wrong is that nothing has this name.
pub(super) fn is_unknown(finding: &Diagnostic) -> bool {
    finding.code == code::UNKNOWN_NAME && finding.headline.contains(&format!("`{NAME}`"))
}

/// A text of the array language in which the current term stands where it is named, if it is, and the text binds nothing of
/// this name.
pub(super) fn written_in(session: &Session, text: &str) -> Result<Option<String>, Trouble> {
    let Some(program) = named_in(session, text).filter(|_| !binds(text)) else { return Ok(None) };
    let term = session.writing(|| print_term(&program.term, &PrintStyle { width: usize::MAX }))?;
    Ok(Some(with_current(text, Dialect::Model, &format!("({term})"))))
}

/// Whether a text of the array language binds the name: it stands behind a binder's word, or before a type, a value or an arrow.
fn binds(text: &str) -> bool {
    let all: Vec<&str> =
        tokens(text, Dialect::Model).iter().filter(|token| token.counts()).map(|token| &text[token.range()]).collect();
    let behind = |sign: &str| matches!(sign, ":" | ":=" | "=>");
    all.windows(2).any(|pair| match pair {
        ["fun" | "λ" | "let", NAME] => true,
        [NAME, sign] => behind(sign),
        _ => false,
    }) || all.windows(3).any(|row| matches!(row, [NAME, _, sign] if behind(sign)))
}

/// The error for a line that names the current term where there is none.
pub(super) fn missing(session: &Session, line: &str) -> Option<Trouble> {
    session.current().err().filter(|_| is_mentioned(session, line) && !binds(line))
}

/// A text with another one wherever it names the current term.
fn with_current(text: &str, dialect: Dialect, current: &str) -> String {
    let all = tokens(text, dialect);
    let before = iter::once(None).chain(all.iter().map(Some));
    let pieces = all.iter().zip(before).map(|(token, before)| match &text[token.range()] {
        NAME if token.kind == TokenKind::Word && before.is_none_or(|b| &text[b.range()] != ".") => current,
        text => text,
    });
    pieces.collect()
}

/// A statement that means the same where another term is the current one: this one is written out in it. A function's
/// parameter may be called so, too: a statement with functions in it stays as it is.
pub(super) fn spelled_out(session: &Session, statement: &str) -> String {
    let functions = statement.contains('|') || statement.starts_with("fn ");
    let Some(current) = named_in(session, statement).filter(|_| !functions) else { return statement.to_owned() };
    with_current(statement, Dialect::Script, &written_out(&current))
}
