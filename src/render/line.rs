//! A line while it is typed: keywords, rules, strings, numbers and comments in their looks.

use super::styled::{Look, Styled};
use crate::ground::text::{begins_name, word};
use crate::syntax::Role;

/// Words of the script language.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "let", "const", "strategy", "rule", "fn", "if", "else", "for", "in", "while", "loop", "return", "where", "true", "false",
    "real_exact", "reassociating", "exact", "unchecked", "load", "term", "print",
];

/// A line in its looks; `is_rule` knows the rules.
pub fn input_line(line: &str, is_rule: &dyn Fn(&str) -> bool) -> Styled {
    let mut text = Styled::default();
    let mut rest = line;
    if line.starts_with(':') {
        let end = line.find(char::is_whitespace).unwrap_or(line.len());
        text.push(Look::Note, &line[..end]);
        rest = &line[end..];
    }
    while let Some(first) = rest.chars().next() {
        let (token, look) = token(rest, first, is_rule);
        text.push(look, token);
        rest = &rest[token.len()..];
    }
    text
}

fn token<'a>(rest: &'a str, first: char, is_rule: &dyn Fn(&str) -> bool) -> (&'a str, Look) {
    let until = |end: Option<usize>| &rest[..end.unwrap_or(rest.len())];
    match first {
        '"' | '`' => {
            let close = rest[1..].find(first).map(|at| at + 2);
            (until(close), Look::Role(Role::Primitive))
        }
        '/' if rest.starts_with("//") => (until(rest.find('\n')), Look::Aside),
        c if c.is_ascii_digit() => {
            (until(rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.')), Look::Role(Role::Number))
        }
        _ if begins_name(rest) => {
            let word = word(rest);
            let look = match word {
                rule if is_rule(rule) => Look::Rule,
                word if KEYWORDS.contains(&word) => Look::Role(Role::Keyword),
                _ => Look::Plain,
            };
            (word, look)
        }
        c => (&rest[..c.len_utf8()], Look::Plain),
    }
}
