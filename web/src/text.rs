//! Analyses what is typed: its looks, its statements, what could follow, and what is wrong with it. Offsets are in UTF-16 units.

use std::path::Path;

use redexter::command::Command;
use redexter::ground::{Trouble, code as codes};
use redexter::render::{Language, Look, Styled, code, input_line};
use redexter::session::{self, CompletionWords, Session};
use redexter::syntax::only_a_term;
use serde_json::{Value, json};

use super::PageState;
use super::said::{findings, pieces, units};

/// The text in the looks of its language: a `model`, or else lines of a schedule.
pub fn tokens(page: &mut PageState, text: &str, language: &str) -> Result<Value, Trouble> {
    if language == "model" {
        return Ok(json!({ "pieces": pieces(&code(text, Language::Model, &|_| false)) }));
    }
    let words: CompletionWords = session::words(page.session()?);
    let mut all = Styled::default();
    // A command is a line; what stands between two commands may go over several.
    let mut rest = text;
    while !rest.is_empty() {
        let end = match rest.starts_with(':') {
            true => rest.find('\n').map_or(rest.len(), |end| end + 1),
            false => rest.find("\n:").map_or(rest.len(), |end| end + 1),
        };
        all.append(&input_line(&rest[..end], &|name| words.is_rule(name)));
        rest = &rest[end..];
    }
    Ok(json!({ "pieces": pieces(&all) }))
}

/// The range of each statement of a schedule, and the line that is to be sent for it.
pub fn statements(page: &mut PageState, text: &str) -> Result<Value, Trouble> {
    let all = session::statements(page.session()?, text);
    let ranges: Vec<[usize; 2]> =
        all.iter().map(|one| [units(text, one.range.start), units(text, one.range.end)]).collect();
    Ok(json!({ "ranges": ranges, "lines": all.into_iter().map(|one| one.line).collect::<Vec<_>>() }))
}

/// The completions of the text from the beginning of a line to the cursor.
pub fn complete(page: &mut PageState, before: &str) -> Result<Value, Trouble> {
    let session = page.session()?;
    let found = session::complete(session, before, &session::words(session));
    Ok(json!({ "start": units(before, found.start), "candidates": found.candidates }))
}

/// Checks a text that is being typed. A schedule that loads something isn't looked at before it runs: its
/// names are known then.
pub fn check(page: &mut PageState, text: &str, language: &str, name: &str) -> Result<Value, Trouble> {
    let path = if name.is_empty() { Path::new("<editor>") } else { Path::new(name) };
    // Nobody points into this text later.
    let before = page.sources.borrow().clone();
    let session = page.session()?;
    let done = match language {
        "model" => session.doing("the check", |session| session::check_model(session, path, text)),
        "script" => session.doing("the check", |session| session::check_script(session, path, text)),
        _ => schedule(session, text),
    };
    let wrong = match done {
        Ok(()) => Vec::new(),
        Err(trouble) => findings(&trouble, &page.sources.borrow()),
    };
    page.sources.replace(before);
    Ok(json!({ "findings": wrong }))
}

fn schedule(session: &mut Session, text: &str) -> Result<(), Trouble> {
    let mut script = String::new();
    for session::TextStatement { range, line } in session::statements(session, text) {
        let statement = &line[..];
        script.push_str(&blank(&text[script.len()..range.start]));
        if statement.starts_with(':') {
            let command = Command::parse(statement)?;
            if matches!(command, Command::Load(_) | Command::Lesson(_) | Command::Reload) {
                return Ok(());
            }
        }
        let is_script = !statement.starts_with(':') && !only_a_term(statement) && session.is_closed(statement);
        if !is_script {
            script.push_str(&blank(statement));
            continue;
        }
        let bare = without_comments(statement);
        let (written, rest) = bare.split_at(bare.trim_end().len());
        script.push_str(written);
        // The next statement is one of its own: a `;` stands where nothing is behind this one.
        let behind = rest.bytes().chain(text[range.end..].bytes()).next();
        let ends =
            written.is_empty() || written.ends_with([';', '}']) || !behind.is_some_and(|b| b.is_ascii_whitespace());
        if !ends {
            script.push(';');
        }
        script.push_str(rest.get(usize::from(!ends)..).unwrap_or(""));
    }
    let path = Path::new("<editor>");
    let done = session.doing("the check", |session| session::check_script(session, path, &script));
    match done {
        // A line that is a strategy is run.
        Err(Trouble::Wrong(mut all)) => {
            all.retain(|finding| finding.code != codes::UNUSED_STRATEGY);
            if all.is_empty() { Ok(()) } else { Err(Trouble::Wrong(all)) }
        }
        done => done,
    }
}

/// A script with as many bytes of nothing for its comments.
fn without_comments(script: &str) -> String {
    let styled = code(script, Language::Script, &|_| false);
    styled.runs().map(|(look, text)| if look == Look::Aside { blank(text) } else { text.to_owned() }).collect()
}

/// As many bytes of nothing, so that places stay where they are.
fn blank(text: &str) -> String {
    text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect()
}
