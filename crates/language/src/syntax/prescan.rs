//! Judges a text before it is parsed: whether only a term can be meant, whether a term goes on, which comments may be meant as
//! divisions.
//!
//! Lines of the REPL may be of two languages. This module knows the words of one of them.

use rustc_hash::FxHashSet;

use super::parse::{parse_term, without_comments};
use super::tokens::{Dialect, Token, TokenKind, tokens};
use super::words::{in_word, word};
use crate::ground::text::begins_name;
use crate::ground::{Budget, Limits, Sources};

/// Characters that no term holds: quotes, braces, and the signs around a law.
const NEVER_IN_TERMS: [char; 4] = ['"', '`', '{', '}'];

/// Signs and words with which no term ends: something has to follow.
const UNFINISHED_ENDS: [&str; 30] = [
    "=>", ":=", ":", ",", ".", "+", "-", "*", "/", "%", "^", "⊕", "⊖", "⊗", "⊘", "<", ">", "=", "&&", "||", "->", "→",
    "×", "λ", "fun", "let", "if", "then", "else", "not",
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

/// Where comments begin that may be meant as divisions: each is a `//` behind an operand, and the rest of its line is one
/// operand, as in `i // 2`, that begins with no word but one that is known or stands in the text, too. Whether a division is
/// meant depends on what it would give.
pub fn may_be_divisions(text: &str, knows: impl Fn(&str) -> bool) -> Vec<usize> {
    let all = tokens(text, Dialect::Model);
    let own: FxHashSet<&str> =
        all.iter().filter(|token| token.kind == TokenKind::Word).map(|token| &text[token.range()]).collect();
    let mut found = Vec::new();
    for (k, token) in all.iter().enumerate() {
        let comment = &text[token.range()];
        let Some(rest) = comment.strip_prefix("//").filter(|_| token.kind == TokenKind::Comment) else { continue };
        let before =
            all[..k].iter().rev().find(|token| token.kind != TokenKind::Space || text[token.range()].contains('\n'));
        let first = word(rest.trim_start());
        let is_known = !begins_name(first) || own.contains(first) || knows(first);
        if is_known && before.is_some_and(|before| ends_operand(*before, &text[before.range()])) && is_operand(rest) {
            found.push(token.start);
        }
    }
    found
}

fn ends_operand(token: Token, text: &str) -> bool {
    match token.kind {
        TokenKind::Word => !KEYWORDS.contains(&text),
        TokenKind::Number | TokenKind::Close => true,
        _ => false,
    }
}

/// Words behind which an operand begins and ends none.
const KEYWORDS: [&str; 8] = ["let", "fun", "λ", "if", "then", "else", "not", "import"];

/// Whether a text is a name, a number or something in parentheses, with indices and projections behind it, and nothing else.
fn is_operand(text: &str) -> bool {
    let mut rest: Vec<Token> = tokens(text, Dialect::Model).into_iter().filter(Token::counts).collect();
    let Some(first) = rest.first().copied() else { return false };
    let is_first = match first.kind {
        TokenKind::Word => !KEYWORDS.contains(&&text[first.range()]),
        TokenKind::Number => true,
        TokenKind::Open => text[first.range()] == *"(",
        _ => false,
    };
    if !is_first {
        return false;
    }
    let mut depth = 0_usize;
    rest.remove(0);
    if first.kind == TokenKind::Open {
        depth = 1;
    }
    for token in rest {
        let sign = &text[token.range()];
        match token.kind {
            TokenKind::Open if depth > 0 || sign == "[" => depth += 1,
            TokenKind::Close if depth > 0 => depth -= 1,
            _ if depth > 0 || sign == "." || token.kind == TokenKind::Number && text[..token.start].ends_with('.') => {}
            _ => return false,
        }
    }
    depth == 0
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
