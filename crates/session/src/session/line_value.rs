//! Evaluates lines, and hints at how other things of the array language are written.
//!
//! A line is a term where it holds what only terms have, or stands between backticks, or can't be a line of the script
//! language; then it has to be one as far as the checker says. Everything else is the script's.

use super::closed_subterm::closed;
use super::current_term;
use super::help;
use super::response::{Response, SessionResult};
use super::state::Session;
use super::terms::{self, NoTerm, between_backticks};
use crate::script::STATEMENTS;
use crate::script::{Host, LineValue};
use redexter_language::check::{self};
use redexter_language::ground::text::{in_word, word};
use redexter_language::ground::{Diagnostic, DiagnosticCode, Trouble, code};
use redexter_language::syntax::only_a_term;
use redexter_language::syntax::print_type;
use redexter_language::term::{Prim, Program};

/// Findings to which a line of the array language leads where it is read as one of the script language.
const MISREAD_CODES: &[DiagnosticCode] = &[code::SYNTAX, code::UNKNOWN_STRATEGY, code::RESERVED_WORD, code::SCRIPT];

/// The value of a line. Where a term is `expected`, a number, a name or a text may be one, too.
pub(super) fn value_of(session: &mut Session, line: &str, expected: bool) -> Result<LineValue, Trouble> {
    match read_and_run(session, line, expected) {
        Err(wrong @ Trouble::Wrong(_)) => Err(current_term::missing(session, line).unwrap_or(wrong)),
        done => done,
    }
}

fn read_and_run(session: &mut Session, line: &str, expected: bool) -> Result<LineValue, Trouble> {
    // `Sources` takes a byte-order mark off: places in the line and in its source have to agree.
    let line = line.trim_start_matches('\u{feff}');
    let within = between_backticks(line);
    let text = within.unwrap_or_else(|| line.strip_suffix(';').unwrap_or(line));
    let certain = only_a_term(text);
    let first = (certain || within.is_some()).then(|| terms::term(session, line, text)).transpose();
    let refused = match first {
        Ok(Some(program)) => return Ok(of(program)),
        Ok(None) => None,
        Err(NoTerm { why: why @ Trouble::Stopped { .. }, .. }) => return Err(why),
        Err(NoTerm { why, .. }) if within.is_some() && certain => return Err(why),
        Err(no_term) => Some(no_term),
    };
    let named = current_term::naming(session, line);
    let done = session.interpreter.read_line(line).map(|read| session.interpreter.run_line(read));
    if named {
        current_term::unnamed(session);
    }
    let wrong = match done {
        Ok(done) => {
            let misread = match &done {
                Ok(value) => expected && matches!(value, LineValue::Other(_)),
                // A function that doesn't take these arguments may be meant as one of the array language.
                Err(trouble) => matches!(trouble, Trouble::Wrong(_)),
            };
            return match misread.then(|| terms::term(session, line, text)) {
                Some(Ok(program)) => Ok(of(program)),
                _ => done.map_err(|trouble| hinted(session, trouble, line)),
            };
        }
        Err(wrong) => wrong,
    };
    let alone = text.chars().all(in_word) && !expected;
    let no_term = match refused {
        Some(no_term) => no_term,
        None if alone => return Err(hinted(session, wrong, line)),
        None => match terms::term(session, line, text) {
            Ok(program) => return Ok(of(program)),
            Err(no_term) => no_term,
        },
    };
    let seems_term = match no_term.reads {
        true => certain || begins_with_a_definition(session, text),
        false => certain && !defines(text),
    };
    Err(if seems_term { no_term.why } else { hinted(session, wrong, line) })
}

/// Whether a text begins with a word that means something in the array language, and something follows.
fn begins_with_a_definition(session: &Session, text: &str) -> bool {
    let inside = text.trim_start_matches(['(', '[', '-']);
    let first = word(inside);
    let known = || {
        let primitive = first == "fst" || first == "snd" || Prim::reserved(first).is_some();
        primitive || terms::definitions(session).defines(first)
    };
    inside[first.len()..].starts_with(' ') && known()
}

/// Adds how a term, or a definition, is written here, if the line is one.
fn hinted(session: &Session, trouble: Trouble, line: &str) -> Trouble {
    let Trouble::Wrong(mut all) = trouble else { return trouble };
    if let Some(first) = all.first_mut().filter(|first| MISREAD_CODES.contains(&first.code))
        && let Some(hint) = hint(session, first, line)
    {
        first.help = vec![hint];
    }
    Trouble::Wrong(all)
}

fn hint(session: &Session, finding: &Diagnostic, line: &str) -> Option<String> {
    if line.starts_with("def ") {
        return Some("definitions stand in model files: write them to `my.arr`, then `:load my.arr`".to_owned());
    }
    let guessed = finding.help.iter().any(|help| help.starts_with("did you mean"));
    let rest = line.trim_start_matches(in_word);
    if guessed || rest.is_empty() || rest.starts_with('(') || line.ends_with(';') {
        return None;
    }
    let id = session.sources.borrow_mut().add("<line>", line);
    let region = session.sources.borrow().whole(id);
    let Ok(raw) = terms::parsed(session, region) else {
        let binds = line.starts_with("let ") && line.contains(":=");
        return binds.then(|| "in a schedule write `let name = …`; terms stand in `term(\"…\")`".to_owned());
    };
    if let Some(closed) = closed(session, line) {
        return Some(format!("for this part of the current term write `{}`", closed.text));
    }
    let open = check::term(&raw, &session.prelude, &session.host.budget()).is_ok();
    // In `term("…")` the current term has no name.
    let open = open && !current_term::is_named_in(session, line);
    open.then(|| format!("for a term of the array language write `term({})`", serde_json::Value::from(line)))
}

/// Whether a text begins as something that gives a name a meaning, in one of the two languages.
fn defines(text: &str) -> bool {
    let first = word(text);
    first == "def" || STATEMENTS.contains(&first) || text[first.len()..].trim_start().starts_with(":=")
}

fn of(program: Program) -> LineValue {
    LineValue::Program { program, name: None }
}

/// The type of a term, or what D makes of a type, as in `D (array n real -> real)`. What may be both is a type.
pub(super) fn type_of(session: &mut Session, text: &str) -> SessionResult {
    let dual = terms::dual_type(session, text);
    if let Some(Ok(ty)) = dual {
        return Ok(Response::Value(print_type(&ty)));
    }
    let value = match value_of(session, text, true) {
        Err(wrong) => {
            if let Some(part) = closed(session, text) {
                return Ok(Response::Value(print_type(&part.ty())));
            }
            if let Some(usage) = help::usage(session, text) {
                return Ok(Response::Value(usage));
            }
            let ty = dual.unwrap_or(Err(wrong))?;
            return Ok(Response::Value(print_type(&ty)));
        }
        Ok(value) => value,
    };
    match value {
        LineValue::Program { program, .. } => Ok(Response::Type(program)),
        LineValue::Strategy(_) => Ok(Response::Value("strategy".to_owned())),
        _ => Err(no_term(text, about_current("type"))),
    }
}

/// The term that a text behind a command means.
pub(super) fn program_of(session: &mut Session, text: &str, command: &str) -> Result<Program, Trouble> {
    match value_of(session, text, true)? {
        LineValue::Program { program, .. } => Ok(program),
        LineValue::Strategy(_) => Err(no_term(
            text,
            match text.chars().all(in_word) {
                true => format!("write `:help {text}`"),
                false => format!("`{text}` alone runs on the current term"),
            },
        )),
        _ => Err(no_term(text, about_current(command))),
    }
}

fn no_term(text: &str, help: String) -> Trouble {
    Diagnostic::error(code::COMMAND, format!("`{text}` is no term")).help(help).into()
}

fn about_current(command: &str) -> String {
    format!("`:{command}` alone is about the current term")
}
