//! `rule` statements: calls at the same place, with the functions that stand in their conditions.

use std::ops::Range;

use super::{LAWS, Oddity, Reader, leading_word, starts_name};
use crate::ground::code;

impl Reader<'_> {
    /// Writes `new`, then spaces, for what stands up to `end`; whether there was room, and nothing reached over the end.
    fn write(&mut self, new: &str, end: usize) -> bool {
        let mut new = new.chars();
        let Some(rest) = self.text.get(self.at..end) else { return false };
        for c in rest.chars() {
            self.reading.text.push(if c == '\n' { c } else { new.next().unwrap_or(' ') });
        }
        self.at = end;
        new.next().is_none()
    }

    /// Turns the rest of a rule, up to `end`, into a list of its functions, each at its place.
    fn functions(&mut self, all: &[Range<usize>], end: usize) -> bool {
        let mut before = "([";
        for function in all {
            let room = self.write(before, function.start);
            self.open.push('[');
            while self.at < function.end {
                self.item();
            }
            self.open.pop();
            if !room {
                return false;
            }
            before = ",";
        }
        self.write(" ])", end)
    }

    /// Turns a rule, up to its semicolon, into a call at the same place, and remembers where it stands.
    pub(super) fn rule(&mut self) {
        self.definition("rule".len());
        let end = self.at + rule_end(self.rest());
        let start = self.at;
        self.reading.rules.push(start..end);
        self.reading.text.push_str(LAWS);
        self.at += LAWS.len();
        let body = &self.text[self.at..end];
        let functions: Vec<Range<usize>> =
            functions(body).into_iter().map(|f| self.at + f.start..self.at + f.end).collect();
        self.reading.computes |= body.contains("where");
        let whole = match functions.is_empty() {
            true => self.write("()", end),
            false => self.functions(&functions, end),
        };
        if !whole {
            let help = "write rule name = `left --> right`;";
            self.reading.oddities.push(Oddity {
                at: start..end,
                code: code::SYNTAX,
                headline: "this rule has no law",
                help,
            });
        }
        if body.matches('`').count() % 2 == 1 {
            self.unclosed = true;
        }
        let last = body.trim_end();
        let item = if last.ends_with("where") {
            "where"
        } else {
            &last[last.len() - usize::from(last.ends_with([',', '=']))..]
        };
        self.note(item);
        self.before = Some('`');
    }
}

/// The functions in a rule's conditions: what stands between `holds(` and the comma behind it.
fn functions(body: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut law = false;
    let mut at = 0;
    while let Some(c) = body[at..].chars().next() {
        let rest = &body[at..];
        let inside = rest.strip_prefix("holds").map(str::trim_start).and_then(|rest| rest.strip_prefix('('));
        let start = inside.map(|inside| body.len() - inside.trim_start().len()).filter(|_| !law);
        law ^= c == '`';
        at += match start.filter(|start| body[*start..].starts_with('|')) {
            Some(start) => match argument_end(&body[start..]) {
                Some(length) => {
                    found.push(start..start + length);
                    start + length - at
                }
                None => c.len_utf8(),
            },
            None if !law && rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            None => c.len_utf8(),
        };
    }
    found
}

/// The length of a function that is an argument: up to the comma outside all brackets, if there is one.
fn argument_end(text: &str) -> Option<usize> {
    let mut open = 0_u32;
    let mut string = None;
    let params = 1 + text[1..].find('|')? + 1;
    let mut escaped = false;
    for (k, c) in text[params..].char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if string.is_some() => escaped = true,
            '"' | '`' if string.is_none() => string = Some(c),
            _ if string == Some(c) => string = None,
            _ if string.is_some() => {}
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open = open.checked_sub(1)?,
            ',' if open == 0 => return Some(params + k),
            _ => {}
        }
    }
    None
}

/// Whether a rule, from its name on, is no text in backticks but a function: `name(k) = |t| …`, or a call.
pub(super) fn is_computed(text: &str) -> bool {
    let after = text[leading_word(text).len()..].trim_start();
    let after = match after.strip_prefix('(') {
        Some(params) => params.split_once(')').map_or("", |(_, rest)| rest).trim_start(),
        None => after,
    };
    after.strip_prefix('=').is_some_and(|body| {
        let body = body.trim_start();
        body.starts_with('|') || starts_name(body)
    })
}

/// The length of a rule up to its semicolon: the first that stands neither between backticks nor in a comment, a string
/// or the braces of a function.
fn rule_end(text: &str) -> usize {
    let (mut law, mut comment, mut string) = (false, false, false);
    let mut braces = 0_u32;
    for (k, c) in text.char_indices() {
        match c {
            '\n' => comment = false,
            _ if comment => {}
            '"' if !law => string = !string,
            _ if string => {}
            '`' => law = !law,
            '{' if !law => braces += 1,
            '}' if !law => braces = braces.saturating_sub(1),
            '/' if !law && text[k..].starts_with("//") => comment = true,
            ';' if !law && braces == 0 => return k,
            _ => {}
        }
    }
    text.len()
}
