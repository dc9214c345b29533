//! Offers remedies to those who come from elsewhere: a line in words of another language is said in Redexter's.
//!
//! `phrases.txt` lists the phrases, [`phrase`] says a line anew by them. A remedy is offered only where it is accepted: what
//! is said to be right is right. Nothing here looks at a text that isn't wrong.

mod phrase;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Range;
use std::ptr;

use self::phrase::{Phrase, phrases, said_anew};
use super::lesson_response::lesson_word;
use super::state::Session;
use super::statements::GOING_ON;
use super::terms::{dual_type, term};
use super::{help, rule_pages};
use redexter_language::ground::text::{RAISED, begins_name, in_word, is_unseen, line_start, listed, on_one_line, word};
use redexter_language::ground::{Diagnostic, DiagnosticCode, Sources, Trouble, code};
use redexter_telling::command::Command;
use redexter_telling::inputs;

/// The limits on remedies: findings that get any, lines that are tried for one of them, bytes of the texts that are read for all,
/// phrases that are replaced one after another in a line, and bytes of a line.
const MAX_ADVISED: usize = 8;
const MAX_TRIED_LINES: usize = 200;
const MAX_READ_BYTES: usize = 1_000_000;
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
/// words may mean two things. The bytes `marked` of the line are those that the finding marks.
fn remedies(
    line: &str,
    marked: Option<Range<usize>>,
    phrases: &[Phrase],
    right: &mut dyn FnMut(&str) -> bool,
) -> Vec<String> {
    if line.len() > MAX_LINE_BYTES {
        return Vec::new();
    }
    let typed = typed_plainly(line);
    if typed != line && right(&typed) {
        return vec![typed];
    }
    let counted = halves_from_one(&typed);
    if counted != typed {
        return if right(&counted) { vec![counted] } else { Vec::new() };
    }
    let mut waiting = VecDeque::from([(typed.clone(), 0)]);
    let mut seen = vec![typed];
    let mut found: Vec<(String, &str)> = Vec::new();
    while let Some((text, used)) = waiting.pop_front() {
        for (foreign, ours) in phrases {
            // What stands in one row may be meant alike.
            let other = found.first().is_some_and(|(_, first)| !ptr::eq(*first, *foreign));
            let marked = marked.as_ref().filter(|_| text == line);
            for new in said_anew(&text, marked, foreign, ours) {
                if other || seen.contains(&new) || seen.len() > MAX_TRIED_LINES {
                    continue;
                }
                seen.push(new.clone());
                if found.iter().any(|(other, _)| unparenthesised(other).eq(unparenthesised(&new))) {
                    continue;
                }
                if right(&new) {
                    found.push((new, foreign));
                    // The other places may stay as they are.
                    break;
                }
                if used + 1 < MAX_PHRASES {
                    waiting.push_back((new, used + 1));
                }
            }
        }
        if !found.is_empty() {
            break;
        }
    }
    found.truncate(2);
    found.into_iter().map(|(text, _)| text).collect()
}

/// What a line says without its parentheses and blanks.
fn unparenthesised(line: &str) -> impl Iterator<Item = char> {
    line.chars().filter(|c| !matches!(c, '(' | ')' | ' '))
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
    with_powers(&line.chars().filter_map(plain).collect::<String>())
}

/// A line with the halves of pairs that it counts from 0, `p.0` and `p.1`, counted from 1: all of a name at once.
fn halves_from_one(line: &str) -> String {
    let halves: Vec<(usize, &str)> = line
        .match_indices('.')
        .filter_map(|(at, _)| {
            let name = &line[line[..at].trim_end_matches(in_word).len()..at];
            let digits = &line[at + 1..][..line[at + 1..].find(|c: char| !in_word(c)).unwrap_or(line.len() - at - 1)];
            let is_half = begins_name(name) && matches!(digits, "0" | "1");
            is_half.then_some((at, name))
        })
        .collect();
    let from_zero = |name: &str| halves.iter().any(|(at, other)| *other == name && line[at + 1..].starts_with('0'));
    let mut new = line.to_owned();
    for (at, name) in &halves {
        let shown = if new[at + 1..].starts_with('0') { "1" } else { "2" };
        if from_zero(name) {
            new.replace_range(at + 1..at + 2, shown);
        }
    }
    new
}

/// A line in which a raised number is the power of what stands before it: of a word or what stands in brackets.
fn with_powers(line: &str) -> String {
    let digit = |c: char| RAISED.iter().position(|raised| *raised == c);
    let mut new = String::new();
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let Some(first) = digit(c) else {
            new.push(c);
            continue;
        };
        let mut exponent = first.to_string();
        while let Some(more) = chars.next_if(|c| digit(*c).is_some()).and_then(digit) {
            exponent.push_str(&more.to_string());
        }
        let base = new.split_off(operand_before(&new));
        new.push_str(&format!("({base} ^ {exponent})"));
    }
    new
}

/// Where the operand begins with which a text ends: a word, or what stands in brackets with what is directly before them.
fn operand_before(text: &str) -> usize {
    let (mut begin, mut open) = (text.len(), 0_usize);
    for (at, c) in text.char_indices().rev() {
        match c {
            ')' | ']' => open += 1,
            '(' | '[' if open > 0 => open -= 1,
            _ if open > 0 || c.is_alphanumeric() || "_.'".contains(c) => {}
            _ => break,
        }
        begin = at;
    }
    begin
}

/// Adds remedies to a finding.
fn advised(finding: &mut Diagnostic, remedies: &[String]) {
    let known = finding.help.join("\n");
    if !remedies.is_empty() {
        finding.help.retain(|help| help != "write what is expected before it");
    }
    let new = remedies.iter().map(|text| format!("`{}`", text.trim()));
    finding.help.extend(new.filter(|text| !known.contains(text)).map(|text| format!("write {text}")));
}

/// Whether what is wrong may be a matter of words.
fn may_be_said_anew(finding: &Diagnostic) -> bool {
    !NO_REMEDY_CODES.contains(&finding.code)
}

/// Adds how the wrong lines of a text are written here, where that brings it further: `again` reads a whole text. Of each line
/// the first finding is looked at. What is wrong behind a line that is mended so is told, too, unless `again` calls the text
/// otherwise.
pub(super) fn advise_text(
    sources: &RefCell<Sources>,
    trouble: Trouble,
    text: &str,
    sections: &[&str],
    again: &mut dyn FnMut(&str) -> Result<(), Trouble>,
) -> Trouble {
    let Trouble::Wrong(mut all) = trouble else { return trouble };
    let lines = |all: &[Diagnostic], text: &str| -> Vec<Option<usize>> {
        all.iter().map(|finding| line_of(&sources.borrow(), finding, text)).collect()
    };
    let (mut text, mut wrong) = (text.to_owned(), lines(&all, text));
    let (mut mended, mut is_mended) = (0, false);
    let mut read = 0;
    let mut searched: Vec<(String, DiagnosticCode)> = Vec::new();
    let mut k = 0;
    while k < all.len().min(MAX_ADVISED) {
        let (line, finding) = (wrong[k].filter(|line| !wrong[..k].contains(&Some(*line))), &mut all[k]);
        k += 1;
        let Some(line) = line else { continue };
        let Some(old) = text.lines().nth(line).filter(|_| may_be_said_anew(finding)) else { continue };
        // A mistake that comes again is told how to mend once.
        if searched.contains(&(old.to_owned(), finding.code)) {
            continue;
        }
        searched.push((old.to_owned(), finding.code));
        let marked = marked(&sources.borrow(), finding, old);
        let hidden = hidden_by(finding, &text, line);
        // Most names have any type in a law, so that another one in it is soon accepted.
        let of_a_law = sections.contains(&"statements") && finding.code.0.starts_with("E02");
        let own: &[&str] = if of_a_law { &[] } else { &[finding.code.0] };
        let mut behind = None;
        let found = remedies(old, marked, &phrases(&[sections, own].concat()), &mut |new| {
            read += text.len();
            if read > MAX_READ_BYTES {
                return false;
            }
            let whole = with_line(&text, line, new);
            let others = match again(&whole) {
                Ok(()) => {
                    behind.get_or_insert((whole, Vec::new()));
                    return true;
                }
                Err(Trouble::Wrong(others)) => others,
                Err(Trouble::Stopped { .. }) => return false,
            };
            // Elsewhere only what was wrong before may stay so.
            let further = !others.is_empty()
                && others.iter().all(|other| match line_of(&sources.borrow(), other, &whole) {
                    Some(at) => hidden.contains(&at) || at != line && wrong.contains(&Some(at)),
                    None => false,
                });
            if further && behind.is_none() {
                behind = Some((whole, others));
            }
            further
        });
        advised(finding, &found);
        let name = |finding: &Diagnostic| finding.place().map(|at| sources.borrow().get(at.source).name.clone());
        let own_name = name(&all[k - 1]);
        let is_unread = all[k - 1].code.0.starts_with("E01") && sections.contains(&"models");
        if behind.is_none() && is_unread && k == all.len() {
            // The other definitions can be read without this one.
            if let Some((broken, whole)) = without_definition(&text, line)
                && let Err(Trouble::Wrong(mut others)) = again(&whole)
                && others.iter().all(|other| !other.code.0.starts_with("E01"))
            {
                others.retain(|other| name(other) == own_name && !other.headline.contains(&broken));
                wrong.extend(lines(&others, &whole));
                all.extend(others);
                text = whole;
            }
        } else if let Some((whole, mut others)) = behind.filter(|_| k == all.len()) {
            let told = |other: &Diagnostic| {
                line_of(&sources.borrow(), other, &whole).is_some_and(|at| wrong.contains(&Some(at)))
            };
            others.retain(|other| name(other) == own_name && !told(other));
            wrong.extend(lines(&others, &whole));
            is_mended = others.is_empty();
            all.extend(others);
            text = whole;
            mended += 1;
        }
    }
    // What takes more than one line is said on one.
    if let (true, Some(Some(line))) = (is_mended && mended > 1, wrong.first())
        && let Some((whole, definition)) = definition_on_one_line(&text, *line)
        && again(&whole).is_ok()
    {
        advised(&mut all[0], &[definition]);
    }
    Trouble::Wrong(all)
}

/// The lines in which a finding in this one may hide others: what can't be read hides all behind it, a name that isn't known what
/// stands behind it in its definition.
fn hidden_by(finding: &Diagnostic, text: &str, line: usize) -> Range<usize> {
    let next = text.lines().skip(line + 1).position(|line| line.starts_with("def "));
    line + 1..match &finding.code.0[..3] {
        "E01" => usize::MAX,
        "E03" => next.map_or(usize::MAX, |next| line + 1 + next),
        _ => line + 1,
    }
}

/// The lines of the definition that has this line.
fn definition_lines(lines: &[&str], line: usize) -> Option<Range<usize>> {
    let begins = |k: &usize| lines.get(*k).is_some_and(|line| line.starts_with("def "));
    let start = (0..=line).rev().find(begins)?;
    Some(start..(start + 1..lines.len()).find(begins).unwrap_or(lines.len()))
}

/// The name between backticks of the definition that has this line, and the text with blank lines for it.
fn without_definition(text: &str, line: usize) -> Option<(String, String)> {
    let mut lines: Vec<&str> = text.lines().collect();
    let range = definition_lines(&lines, line)?;
    let name = word(lines[range.start].strip_prefix("def ")?.trim_start());
    lines[range].fill("");
    Some((format!("`{name}`"), lines.join("\n") + "\n"))
}

/// The text in which the definition that has this line is on one line, and that line, unless it is long.
fn definition_on_one_line(text: &str, line: usize) -> Option<(String, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let Range { start, end } = definition_lines(&lines, line)?;
    let definition = on_one_line(&lines[start..end].join("\n"));
    let whole = [&lines[..start], &[definition.as_str()], &lines[end..]].concat().join("\n");
    (definition.len() <= MAX_LINE_BYTES).then_some((whole + "\n", definition))
}

/// A text in which a line was replaced.
fn with_line(text: &str, line: usize, new: &str) -> String {
    let lines = text.lines().enumerate().map(|(k, old)| if k == line { new } else { old });
    lines.collect::<Vec<&str>>().join("\n") + "\n"
}

/// The number, from 0, of the line of this text in which a finding is.
fn line_of(sources: &Sources, finding: &Diagnostic, text: &str) -> Option<usize> {
    let place = finding.place()?;
    if sources.get(place.source).text.trim_end() != text.trim_end() {
        return None;
    }
    sources.position(place).0.checked_sub(1)
}

/// The bytes that a finding marks in its line, unless its place goes on behind it or the line isn't this one.
fn marked(sources: &Sources, finding: &Diagnostic, line: &str) -> Option<Range<usize>> {
    let place = finding.place()?;
    let (text, start) = (&sources.get(place.source).text, place.start as usize);
    let begins = text.get(..start).map(|before| line_start(text, before.len()))?;
    let range = start - begins..(place.end as usize).checked_sub(begins)?;
    (text[begins..].starts_with(line) && range.end <= line.len()).then_some(range)
}

/// Adds how a line of the prompt that went wrong is written here.
pub(super) fn advise_line(session: &mut Session, trouble: Trouble, line: &str) -> Trouble {
    let term = line.starts_with('`') && line.ends_with('`');
    let Trouble::Wrong(mut all) = trouble else { return trouble };
    // In a lesson its own words come first.
    if session.work.course.is_some()
        && let (Some(wrong), Some(word)) = (all.first_mut(), lesson_word(line))
    {
        wrong.help = vec![format!("write `:lesson {word}`")];
        return Trouble::Wrong(all);
    }
    if session.work.course.is_some()
        && GOING_ON.iter().any(|sign| line.starts_with(sign))
        && let Some(wrong) = all.first_mut()
    {
        wrong.help.push(
            "such a line goes on with the answer before it, where that could be read and isn't the goal".to_owned(),
        );
        return Trouble::Wrong(all);
    }
    let is_shipped = |help: &String| help.starts_with("did you mean `fastGradient.");
    if session.work.course.is_some()
        && let Some(wrong) = all.iter_mut().find(|wrong| wrong.help.iter().any(is_shipped))
    {
        // Stages of shipped schedules are no answers: who names one means one of an answer's own.
        wrong.help.retain(|help| !is_shipped(help));
        let name = wrong.headline.split('`').nth(1).unwrap_or("name").to_owned();
        wrong.help.push(format!("a name of your own is defined first: `strategy {name} = …;`"));
        return Trouble::Wrong(all);
    }
    // A command in other letters.
    let letters = line.trim_end_matches(['.', ',', '!']);
    let bare = letters.to_lowercase();
    let is_word = letters.len() > 1 && letters.chars().all(char::is_alphabetic) && line != bare;
    if let (Some(command), Some(wrong)) = (redexter_telling::command::named(&bare).filter(|_| is_word), all.first_mut())
    {
        wrong.help = vec![format!("write `:{}`", command.name)];
        return Trouble::Wrong(all);
    }
    // What is loaded already has a term to take.
    if let Some(wrong) = all.first_mut().filter(|first| first.code == code::NO_TERM)
        && let Some(model) = session.work.loaded.last().filter(|model| !model.bound.is_empty())
    {
        let names = listed(model.bound.iter().take(MAX_PHRASES).map(|name| format!("`{name}`")));
        wrong.help = vec![format!("name a definition of `{}`: {names}", model.path.display())];
    }
    let Some(wrong) = all.first_mut().filter(|first| may_be_said_anew(first)) else { return Trouble::Wrong(all) };
    // What a command says of its own argument is said in its own words.
    let own = wrong.code == code::COMMAND && line.starts_with(':') && Command::parse(line).is_ok();
    if own || line.contains('\n') || term {
        return Trouble::Wrong(all);
    }
    let sections: &[&str] = match line.split_whitespace().next() {
        Some("fun" | "λ") => &["terms", "models"],
        Some("for") => &["terms", "models", "prompt"],
        Some(first) if first.starts_with('\\') => &["terms", "models", "prompt"],
        // A command without its colon is told already.
        _ if wrong.help.first().is_some_and(|help| help.starts_with("commands begin")) => {
            &["prompt", "schedules", "terms"]
        }
        _ => &["prompt", "schedules", "terms", "topics"],
    };
    let sections = [sections, &[wrong.code.0]].concat();
    let marked = marked(&session.sources.borrow(), wrong, line);
    // What defines nothing may end as a statement does, or not.
    let line = if line.contains('=') { line } else { line.trim_end_matches(';') };
    let phrases = phrases(&sections);
    let loaded = session.work.loaded.last().map_or("FILE".to_owned(), |model| model.path.display().to_string());
    let known = |text: &str| text.replace("LOADED", &loaded);
    let mut found = remedies(line, marked, &phrases, &mut |new| would_answer(session, &known(new)));
    // Of two meanings the first is what students of a lesson have been told of.
    found.truncate(if session.work.course.is_some() { 1 } else { found.len() });
    if !found.is_empty() {
        // A word that another language has is no misspelt one.
        wrong.help.retain(|help| !help.starts_with("did you mean"));
    }
    advised(wrong, &found.iter().map(|text| known(text)).collect::<Vec<String>>());
    Trouble::Wrong(all)
}

/// Whether a line can be answered, as far as can be said without doing so.
pub(super) fn would_answer(session: &mut Session, line: &str) -> bool {
    if !line.starts_with(':') {
        // What `apply` gives isn't known beforehand, and so not whether there is one.
        if line.contains(".apply(") && !session.interpreter.is_of_terms(word(line)) {
            return false;
        }
        return session.interpreter.accepts_line(line) || term(session, line, line).is_ok();
    }
    match Command::parse(line) {
        Ok(Command::Rule(name)) => rule_pages::rule(session, &name).is_ok(),
        Ok(Command::Type(Some(text))) if dual_type(session, &text).is_some_and(|ty| ty.is_ok()) => true,
        Ok(Command::Type(Some(text)) | Command::StepInto(text)) => session.interpreter.accepts_line(&text),
        Ok(Command::Show(Some(text)) | Command::Cost(Some(text))) => {
            session.interpreter.accepts_line(&text) || term(session, &text, &text).is_ok()
        }
        Ok(Command::Eval(text)) => {
            let is_json = |json: String| serde_json::from_str::<serde_json::Value>(&json).is_ok();
            inputs::object(&text).is_ok_and(is_json)
        }
        Ok(Command::Ask(_, asked)) => asked.strategies.iter().all(|text| session.interpreter.accepts_line(text)),
        Ok(Command::Help(Some(word))) => help::help_on(session, &word).is_ok(),
        Ok(Command::Load(path)) => session.host.files.read(&path).is_ok(),
        command => command.is_ok(),
    }
}

/// The same for a script. A rule that is unsound was written as it is meant, and what a method of a walk says of its argument is
/// said in its own words.
pub(super) fn advise_script(session: &mut Session, trouble: Trouble, text: &str) -> Trouble {
    let as_meant = |finding: &Diagnostic| [code::UNSOUND_RULE, code::COMMAND].contains(&finding.code);
    if matches!(&trouble, Trouble::Wrong(all) if all.iter().any(as_meant)) {
        return trouble;
    }
    let check = &mut |whole: &str| session.interpreter.accepts_script(whole);
    advise_text(&session.sources, trouble, text, &["statements", "schedules", "terms"], check)
}
