//! Judges a line before it is parsed: whether only a term can be meant, and whether a term goes on.
//!
//! Lines of the REPL may be of two languages. This module knows the words of one of them.

use super::parse::{parse_term, without_comments};
use super::tokens::{Dialect, TokenKind, tokens};
use super::words::{in_word, word};
use crate::ground::{Budget, Limits, Sources};

/// Characters that no term holds: quotes, braces, and the signs around a law.
const NEVER_IN_TERMS: [char; 4] = ['"', '`', '{', '}'];

/// Signs and words with which no term ends: something has to follow.
const UNFINISHED_ENDS: [&str; 26] = [
    "=>", ":=", ":", ",", ".", "+", "-", "*", "/", "%", "^", "<", ">", "=", "&&", "||", "->", "→", "×", "λ", "fun",
    "let", "if", "then", "else", "not",
];

/// Whether a text holds what only terms have: `fun x => …`, `λ`, `:=`, `build n …`, `ifold n …`, `if c then …`.
pub fn only_a_term(text: &str) -> bool {
    if text.contains(NEVER_IN_TERMS) {
        return false;
    }
    let sized = |rest: &str| {
        let size = rest.trim_start();
        size.len() < rest.len() && size.starts_with(|c| in_word(c) || c == '(')
    };
    text.contains('λ')
        || text.contains(":=")
        || words(text).any(|(word, rest)| match word {
            "fun" => rest.contains("=>") || are_parameters(rest),
            "build" | "ifold" => sized(rest),
            "if" => words(rest).any(|(word, _)| word == "then"),
            _ => false,
        })
}

/// Whether a term that begins like this text surely goes on: something in it is left open.
pub fn goes_on(text: &str, limits: &Limits) -> bool {
    let Ok(code) = without_comments(text) else { return true };
    let code = code.trim_end();
    let open = code.chars().filter(|c| "([".contains(*c)).count() > code.chars().filter(|c| ")]".contains(*c)).count();
    let count = |wanted: &str| words(code).filter(|(word, _)| *word == wanted).count();
    let head = words(code).filter(|(word, _)| *word == "fun").last().is_some_and(|(_, rest)| are_parameters(rest));
    if open || head || count("if") > count("else") || UNFINISHED_ENDS.iter().any(|end| ends_in(code, end)) {
        return true;
    }
    // The `;` of a `let`, unless it only ends the line.
    code.strip_suffix(';').is_some_and(|before| !is_term(before, limits))
}

/// Whether a text that stands behind `fun` is nothing but parameters, in parentheses or not.
fn are_parameters(text: &str) -> bool {
    let mut rest = text.trim();
    if rest.is_empty() || !text.starts_with(char::is_whitespace) {
        return false;
    }
    while !rest.is_empty() {
        let length = match rest.strip_prefix('(') {
            Some(_) => closing(rest).map(|k| k + 1),
            None => Some(word(rest).len()).filter(|length| *length > 0),
        };
        let Some(length) = length else { return false };
        rest = rest[length..].trim_start();
    }
    true
}

/// Where the parenthesis closes with which a text begins.
fn closing(text: &str) -> Option<usize> {
    let mut open = 0_u32;
    for (k, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' if open == 1 => return Some(k),
            ')' => open -= 1,
            _ => {}
        }
    }
    None
}

/// Whether a text is a term as far as the grammar says.
fn is_term(text: &str, limits: &Limits) -> bool {
    let mut sources = Sources::default();
    let id = sources.add("<line>", text);
    parse_term(&sources, sources.whole(id), &Budget::new(*limits, None)).is_ok()
}

fn ends_in(text: &str, end: &str) -> bool {
    let is_word = end.starts_with(in_word);
    text.strip_suffix(end).is_some_and(|before| !(is_word && before.ends_with(in_word)))
}

/// The words of a text, and what follows each.
fn words(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c| !in_word(c));
        let word = word(rest);
        rest = &rest[word.len()..];
        (!word.is_empty()).then_some((word, rest))
    })
}

/// The parts of a script's text between those `|` that are in no brackets and in no quotes.
pub fn alternatives(text: &str) -> Vec<&str> {
    let (mut found, mut from, mut depth) = (Vec::new(), 0, 0usize);
    for token in tokens(text, Dialect::Script) {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            TokenKind::Sign if depth == 0 && &text[token.range()] == "|" => {
                found.push(text[from..token.start].trim());
                from = token.end;
            }
            _ => {}
        }
    }
    found.push(text[from..].trim());
    found
}

#[cfg(test)]
mod tests {
    use super::{goes_on, only_a_term};
    use crate::ground::Limits;

    #[test]
    fn what_only_terms_hold() {
        for text in ["fun x => x", "λ x. x", "let x := 1; x", "build n f", "ifold (n + 1) f z", "if c then a else b"] {
            assert!(only_a_term(text), "{text}");
        }
        for text in [
            "fun(x)",
            "fun (x) { 1 }",
            "switch x { 1 => 2 }",
            "build + 1",
            "let then = 1; then",
            "term(\"fun x => x\")",
            "rule f = `λ x. x --> 1`",
        ] {
            assert!(!only_a_term(text), "{text}");
        }
    }

    #[test]
    fn what_goes_on() {
        for text in [
            "fun (x : array n (array d real)) (m : int)",
            "1 + fun x y",
            "fun x =>",
            "fun x => (x",
            "let x := 1;",
            "fun x => x +",
            "if c then a",
            "fun x => x /- no",
        ] {
            assert!(goes_on(text, &Limits::default()), "{text}");
        }
        for text in ["fun x => x", "fun x => x;", "fun x' => x'", "let x := 1", "fun x => notelse", "λ x. x -- ("] {
            assert!(!goes_on(text, &Limits::default()), "{text}");
        }
    }
}
