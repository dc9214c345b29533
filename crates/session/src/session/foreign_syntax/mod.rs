//! Offers remedies to those who come from elsewhere: a line in words of another language is said in Redexter's.
//!
//! `phrases.txt` lists the phrases, [`phrase`] says a line anew by them. A remedy is offered only where it is accepted: what
//! is said to be right is right. Nothing here looks at a text that isn't wrong.

mod phrase;

use std::cell::RefCell;
use std::collections::VecDeque;

use self::phrase::{Phrase, phrases, said_anew};
use super::state::Session;
use super::terms::{dual_type, term};
use super::{help, rule_pages};
use redexter_language::ground::{Diagnostic, DiagnosticCode, Sources, Trouble, code, text::is_unseen};
use redexter_telling::command::Command;
use redexter_telling::inputs;

/// The limits on remedies for one error: lines that are tried, bytes of the texts that are read for that, phrases that are
/// replaced one after another in a line, and bytes of a line.
const MAX_TRIED_LINES: usize = 200;
const MAX_READ_BYTES: usize = 4_000_000;
const MAX_PHRASES: usize = 3;
const MAX_LINE_BYTES: usize = 200;

/// Findings about texts that already say what is meant in Redexter's words: no phrase would help.
const NO_REMEDY_CODES: &[DiagnosticCode] = &[
    code::COMMENT_AS_OPERATION,
    code::STRATEGY_FAILED,
    code::LOOP,
    code::NO_TERM,
    code::UNWRITABLE,
    code::FORBIDDEN_PATH,
    code::INPUT_SHAPE,
    code::INPUT_MISSING,
    code::INPUT_SUPERFLUOUS,
    code::INPUT_SIZES,
    code::NOT_DATA,
    code::NOT_EXPORTABLE,
    code::INTERNAL,
    code::IMPORT_CYCLE,
];

/// The lines that say this one anew, fewest phrases first, until one is right; with another that is right where the same
/// words may mean two things.
fn remedies(line: &str, phrases: &[Phrase], right: &mut dyn FnMut(&str) -> bool) -> Vec<String> {
    if line.len() > MAX_LINE_BYTES {
        return Vec::new();
    }
    let typed = typed_plainly(line);
    if typed != line && right(&typed) {
        return vec![typed];
    }
    let mut waiting = VecDeque::from([(typed.clone(), 0)]);
    let mut seen = vec![typed];
    let mut found: Vec<(String, &str)> = Vec::new();
    while let Some((text, used)) = waiting.pop_front() {
        for (foreign, ours) in phrases {
            let other = found.first().is_some_and(|(_, first)| first != foreign);
            let Some(new) = said_anew(&text, foreign, ours).filter(|new| !seen.contains(new) && !other) else {
                continue;
            };
            if seen.len() > MAX_TRIED_LINES {
                break;
            }
            seen.push(new.clone());
            if right(&new) {
                found.push((new, foreign));
            } else if used + 1 < MAX_PHRASES {
                waiting.push_back((new, used + 1));
            }
        }
        if !found.is_empty() {
            break;
        }
    }
    found.truncate(2);
    found.into_iter().map(|(text, _)| text).collect()
}

/// A line with the signs and blanks of a keyboard for those that a word processor or a page puts in their place.
fn typed_plainly(line: &str) -> String {
    let plain = |c: char| match c {
        '\u{2212}' | '\u{2010}'..='\u{2015}' => Some('-'),
        '\u{201c}'..='\u{201f}' => Some('"'),
        '\u{2018}'..='\u{201b}' => Some('\''),
        '×' | '⋅' => Some('*'),
        '÷' => Some('/'),
        c if c.is_whitespace() => Some(' '),
        c if is_unseen(c) => None,
        c => Some(c),
    };
    line.chars().filter_map(plain).collect()
}

/// Adds remedies to the first of what is wrong.
fn advised(trouble: Trouble, remedies: Vec<String>) -> Trouble {
    let Trouble::Wrong(mut all) = trouble else { return trouble };
    let new = remedies.into_iter().map(|text| format!("`{}`", text.trim()));
    if let Some(first) = all.first_mut() {
        let known = first.help.join("\n");
        first.help.extend(new.filter(|text| !known.contains(text)).map(|text| format!("write {text}")));
    }
    Trouble::Wrong(all)
}

/// The first of what is wrong, if it may be a matter of words.
fn first(trouble: &Trouble) -> Option<&Diagnostic> {
    match trouble {
        Trouble::Wrong(all) => all.first().filter(|first| !NO_REMEDY_CODES.contains(&first.code)),
        Trouble::Stopped { .. } => None,
    }
}

/// Adds how the first wrong line of a text is written here, where that brings it further: `again` reads a whole text.
pub(super) fn advise_text(
    sources: &RefCell<Sources>,
    trouble: Trouble,
    text: &str,
    sections: &[&str],
    again: &mut dyn FnMut(&str) -> Result<(), Trouble>,
) -> Trouble {
    let Some((line, old)) = wrong_line(&sources.borrow(), &trouble, text) else { return trouble };
    let mut read = 0;
    let found = remedies(&old, &phrases(sections), &mut |new| {
        read += text.len();
        if read > MAX_READ_BYTES {
            return false;
        }
        let whole = with_line(text, line, new);
        match again(&whole) {
            Ok(()) => true,
            Err(other) => wrong_line(&sources.borrow(), &other, &whole).is_some_and(|(k, _)| k > line),
        }
    });
    advised(trouble, found)
}

/// A text in which a line was replaced.
fn with_line(text: &str, line: usize, new: &str) -> String {
    let lines = text.lines().enumerate().map(|(k, old)| if k == line { new } else { old });
    lines.collect::<Vec<&str>>().join("\n") + "\n"
}

/// The first wrong line of this text: its number, from 0, and the line.
fn wrong_line(sources: &Sources, trouble: &Trouble, text: &str) -> Option<(usize, String)> {
    let place = first(trouble)?.place()?;
    if sources.get(place.source).text.trim_end() != text.trim_end() {
        return None;
    }
    let (line, _) = sources.position(place);
    let line = line.checked_sub(1)?;
    text.lines().nth(line).map(|old| (line, old.to_owned()))
}

/// Adds how a line of the prompt that went wrong is written here.
pub(super) fn advise_line(session: &mut Session, trouble: Trouble, line: &str) -> Trouble {
    let term = line.starts_with('`') && line.ends_with('`');
    let Some(wrong) = first(&trouble) else { return trouble };
    // What a command says of its own argument is said in its own words.
    let own = wrong.code == code::COMMAND && line.starts_with(':') && Command::parse(line).is_ok();
    if own || line.contains('\n') || term {
        return trouble;
    }
    let sections: &[&str] = match line.split_whitespace().next() {
        Some("fun" | "λ" | "for") => &["terms", "models"],
        Some(first) if first.starts_with('\\') => &["terms", "models", "prompt"],
        _ => &["prompt", "schedules", "terms", "topics"],
    };
    let phrases = phrases(sections);
    let loaded = session.work.loaded.last().map_or("FILE".to_owned(), |model| model.path.display().to_string());
    let known = |text: &str| text.replace("LOADED", &loaded);
    let found = remedies(line, &phrases, &mut |new| would_answer(session, &known(new)));
    advised(trouble, found.iter().map(|text| known(text)).collect())
}

/// Whether a line can be answered, as far as can be said without doing so.
fn would_answer(session: &mut Session, line: &str) -> bool {
    if !line.starts_with(':') {
        return session.interpreter.accepts_line(line) || term(session, line, line).is_ok();
    }
    match Command::parse(line) {
        Ok(Command::Rule(name)) => rule_pages::rule(session, &name).is_ok(),
        Ok(Command::Type(Some(text))) if dual_type(session, &text).is_some_and(|ty| ty.is_ok()) => true,
        Ok(Command::Type(Some(text)) | Command::StepInto(text)) => session.interpreter.accepts_line(&text),
        Ok(Command::Eval(text)) => {
            let is_json = |json: String| serde_json::from_str::<serde_json::Value>(&json).is_ok();
            inputs::object(&text).is_ok_and(is_json)
        }
        Ok(Command::Help(Some(word))) => help::help_on(session, &word).is_ok(),
        Ok(Command::Load(path)) => session.host.files.read(&path).is_ok(),
        command => command.is_ok(),
    }
}

/// The same for a script. A rule that is unsound was written as it is meant.
pub(super) fn advise_script(session: &mut Session, trouble: Trouble, text: &str) -> Trouble {
    if matches!(&trouble, Trouble::Wrong(all) if all.iter().any(|finding| finding.code == code::UNSOUND_RULE)) {
        return trouble;
    }
    let check = &mut |whole: &str| session.interpreter.accepts_script(whole);
    advise_text(&session.sources, trouble, text, &["statements", "schedules", "terms"], check)
}
