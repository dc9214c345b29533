//! Takes answers apart: what is wrong, where, and the texts that follow from a help line.

use std::collections::BTreeSet;

/// A finding as it is printed.
pub struct Finding {
    /// Its code and headline.
    pub title: String,
    /// The file, the line and the column, from 0, and how many carets mark it.
    pub place: Option<(String, usize, usize, usize)>,
    pub helps: Vec<String>,
}

/// The findings of an answer.
pub fn findings(answer: &str) -> Vec<Finding> {
    let mut all: Vec<Finding> = Vec::new();
    for line in answer.lines() {
        if let Some(title) = ["error[", "warning["].into_iter().find_map(|sign| line.strip_prefix(sign)) {
            all.push(Finding { title: title.to_owned(), place: None, helps: Vec::new() });
        }
        if all.is_empty() && line.trim_start().starts_with("= help: ") {
            all.push(Finding { title: String::new(), place: None, helps: Vec::new() });
        }
        let Some(finding) = all.last_mut() else { continue };
        if let (Some(at), None) = (line.trim_start().strip_prefix("--> "), &finding.place) {
            finding.place = place(at);
        }
        if let (Some((_, marks)), Some((.., carets @ 0))) = (line.split_once('|'), &mut finding.place)
            && marks.trim_start().starts_with(['^', '-'])
        {
            *carets = marks.chars().skip_while(|c| *c != '^').take_while(|c| *c == '^').count();
        }
        finding.helps.extend(line.trim_start().strip_prefix("= help: ").map(str::to_owned));
    }
    all
}

fn place(at: &str) -> Option<(String, usize, usize, usize)> {
    let mut parts = at.rsplitn(3, ':');
    let (column, line) = (parts.next()?.parse::<usize>().ok()?, parts.next()?.parse::<usize>().ok()?);
    Some((parts.next()?.to_owned(), line.checked_sub(1)?, column.checked_sub(1)?, 0))
}

/// What stands between backticks in a help line: all from the first to the last, and each piece.
pub fn pieces(help: &str) -> Vec<&str> {
    let outer = help.split_once('`').and_then(|(_, rest)| rest.rsplit_once('`')).map(|(inside, _)| inside);
    outer.into_iter().chain(help.split('`').skip(1).step_by(2)).collect()
}

/// The texts that may be meant by a help line: each piece instead of what was typed, instead of its line, and instead of what the
/// carets are at.
pub fn replaced(help: &str, typed: &str, place: Option<(usize, usize, usize)>) -> Vec<String> {
    let mut found = Vec::new();
    for text in pieces(help) {
        found.push(text.to_owned());
        let Some((line, column, carets)) = place else { continue };
        let Some((before, _, behind)) = around(typed, line, column, carets) else { continue };
        found.push(with_line(typed, line, text));
        found.push(with_line(typed, line, &format!("{before}{text}{behind}")));
    }
    found
}

/// The texts that come of doing what a help line says in other ways than [`replaced`]: one for each of the verbs that help lines
/// have, where it has that one.
pub fn edited(help: &str, typed: &str, place: (usize, usize, usize)) -> Vec<String> {
    let (line, column, carets) = place;
    let Some((before, marked, behind)) = around(typed, line, column, carets) else { return Vec::new() };
    let old = format!("{before}{marked}{behind}");
    let mut found = Vec::new();
    let mut say = |new: String| found.push(with_line(typed, line, &new));
    let inner: Vec<&str> = help.split('`').skip(1).step_by(2).collect();
    if help.starts_with("remove") || help.starts_with("leave") || help.contains(" or remove ") {
        say(format!("{before}{behind}"));
        say(String::new());
    }
    for (foreign, ours) in inner.iter().zip(inner.iter().skip(1)) {
        say(old.replace(ours, foreign));
        say(old.replace(foreign, ours));
        say(old.replace(&format!("({foreign})"), ours));
        say(old.replace(&format!("{{{foreign} {ours}}}"), &format!("{{{foreign}}}")).replace(ours, foreign));
    }
    for text in inner {
        if help.starts_with("choose another name") {
            say(old.replace(&marked, text));
        }
        if help.contains("behind it") {
            say(format!("{} {text};", old.trim_end_matches(';')));
        }
        say(format!("{before}{marked} {text}{behind}"));
        say(format!("{before}{text} {marked}{behind}"));
        // What the text is around: `topDown(beta)` for `beta`.
        if let Some((_, inside)) = text.split_once('(').filter(|(_, inside)| inside.ends_with(')')) {
            let inside = &inside[..inside.len() - 1];
            say(old.replace(inside, text));
            say(old.replace(&format!("({inside})"), &format!("({text})")));
        }
        // The element or part that the carets are in.
        if let (Some(open), Some(close)) = (before.rfind('['), behind.find(']')) {
            let array = before[..open].trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
            say(format!("{array}{text}{}", &behind[close + 1..]));
        }
    }
    found.extend(in_definitions(help, typed, line));
    found.extend(pieces(help).iter().map(|text| format!("{}\n{text}\n", typed.trim_end())));
    found
}

/// The same where something is said of a whole definition: its sizes, or where it stands.
fn in_definitions(help: &str, typed: &str, line: usize) -> Vec<String> {
    let lines: Vec<&str> = typed.lines().collect();
    let mut found = Vec::new();
    let heads: Vec<usize> = (0..lines.len()).filter(|k| lines[*k].starts_with("def ")).collect();
    let Some(own) = heads.iter().rev().copied().find(|k| *k <= line) else { return found };
    for text in pieces(help) {
        let mut words = lines[own].splitn(3, ' ');
        let (Some(def), Some(name), Some(rest)) = (words.next(), words.next(), words.next()) else { continue };
        if text.starts_with('{') {
            found.push(with_line(typed, own, &format!("{def} {name} {text} {rest}")));
            let (_, behind) = rest.split_once("} ").unwrap_or(("", rest));
            found.push(with_line(typed, own, &format!("{def} {name} {text} {behind}")));
        }
        let other = heads.iter().copied().find(|k| lines[*k].starts_with(&format!("def {text} ")));
        if let (true, Some(from)) = (help.starts_with("move"), other) {
            let end = heads.iter().copied().find(|k| *k > from).unwrap_or(lines.len());
            let (moved, mut rest) = (lines[from..end].to_vec(), lines.clone());
            rest.drain(from..end);
            rest.splice(own..own, moved);
            found.push(rest.join("\n"));
        }
    }
    found
}

/// What stands in a line before the carets, at them, and behind.
fn around(typed: &str, line: usize, column: usize, carets: usize) -> Option<(String, String, String)> {
    let wrong: Vec<char> = typed.lines().nth(line)?.chars().collect();
    let column = column.min(wrong.len());
    let end = (column + carets).min(wrong.len());
    let text = |part: &[char]| part.iter().collect::<String>();
    Some((text(&wrong[..column]), text(&wrong[column..end]), text(&wrong[end..])))
}

fn with_line(typed: &str, line: usize, new: &str) -> String {
    let lines = typed.lines().enumerate().map(|(k, old)| if k == line { new } else { old });
    lines.collect::<Vec<&str>>().join("\n")
}

/// The words of a text.
pub fn words(text: &str) -> BTreeSet<&str> {
    let all = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '\'');
    all.filter(|word| word.starts_with(char::is_alphabetic)).collect()
}
