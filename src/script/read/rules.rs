//! `rule` statements: calls at the same place, with the functions that stand in their conditions.

use std::ops::Range;

use super::super::scan::{code_of, end};
use super::{LAWS, Oddity, Reader};
use crate::ground::code;
use crate::ground::text::{begins_name, word};

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
    let mut found: Vec<Range<usize>> = Vec::new();
    for (k, _) in code_of(body) {
        let inside = body[k..].strip_prefix("holds").map(str::trim_start).and_then(|rest| rest.strip_prefix('('));
        let function = inside.map(str::trim_start).filter(|inside| inside.starts_with('|'));
        let known = found.last().is_some_and(|last| k < last.end);
        if let (Some(function), false) = (function, known)
            && let Some(params) = function[1..].find('|').map(|k| k + 2)
            && let Some(length) = end(&function[params..], ',')
        {
            let start = body.len() - function.len();
            found.push(start..start + params + length);
        }
    }
    found
}

/// Whether a rule, from its name on, is no text in backticks but a function: `name(k) = |t| …`, or a call.
pub(super) fn is_computed(text: &str) -> bool {
    let after = text[word(text).len()..].trim_start();
    let after = match after.strip_prefix('(') {
        Some(params) => params.split_once(')').map_or("", |(_, rest)| rest).trim_start(),
        None => after,
    };
    after.strip_prefix('=').is_some_and(|body| {
        let body = body.trim_start();
        body.starts_with('|') || begins_name(body)
    })
}

/// The length of a rule up to its semicolon: the first outside the braces of its functions.
fn rule_end(text: &str) -> usize {
    let mut braces = 0_u32;
    for (k, c) in code_of(text) {
        match c {
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            ';' if braces == 0 => return k,
            _ => {}
        }
    }
    text.len()
}
