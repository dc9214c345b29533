//! A line while it is typed: keywords, rules, strings, numbers and comments in their colours.

use super::theme::{Look, paint};
use crate::syntax::Role;

/// Words of the script language.
const KEYWORDS: &[&str] = &[
    "let",
    "const",
    "strategy",
    "rule",
    "fn",
    "if",
    "else",
    "for",
    "in",
    "while",
    "loop",
    "return",
    "where",
    "true",
    "false",
    "real_exact",
    "reassociating",
    "exact",
    "unchecked",
    "load",
    "term",
    "print",
];

/// A line in colour; `is_rule` knows the rules.
pub fn input_line(line: &str, is_rule: &dyn Fn(&str) -> bool) -> String {
    let mut text = String::new();
    let mut rest = line;
    if line.starts_with(':') {
        let end = line.find(char::is_whitespace).unwrap_or(line.len());
        text.push_str(&paint(Look::Note, &line[..end], true));
        rest = &line[end..];
    }
    while let Some(first) = rest.chars().next() {
        let (token, look) = token(rest, first, is_rule);
        text.push_str(&look.map_or_else(|| token.to_owned(), |look| paint(look, token, true)));
        rest = &rest[token.len()..];
    }
    text
}

fn token<'a>(rest: &'a str, first: char, is_rule: &dyn Fn(&str) -> bool) -> (&'a str, Option<Look>) {
    let until = |end: Option<usize>| &rest[..end.unwrap_or(rest.len())];
    match first {
        '"' | '`' => {
            let close = rest[1..].find(first).map(|at| at + 2);
            (until(close), Some(Look::Role(Role::Primitive)))
        }
        '/' if rest.starts_with("//") => (until(rest.find('\n')), Some(Look::Aside)),
        c if c.is_ascii_digit() => {
            (until(rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.')), Some(Look::Role(Role::Number)))
        }
        c if c.is_alphabetic() || c == '_' => {
            let word = until(rest.find(|c: char| !c.is_alphanumeric() && c != '_'));
            let look = if is_rule(word) {
                Some(Look::Rule)
            } else {
                KEYWORDS.contains(&word).then_some(Look::Role(Role::Keyword))
            };
            (word, look)
        }
        c => (&rest[..c.len_utf8()], None),
    }
}

/// The prompt.
pub fn prompt(text: &str) -> String {
    paint(Look::Strong, text, true)
}

/// Text that only hints.
pub fn faint(text: &str) -> String {
    paint(Look::Aside, text, true)
}
