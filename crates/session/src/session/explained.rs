//! Explains a word of a program or a schedule in a line: what a page shows where one points at the word.

use super::state::Session;
use redexter_language::ground::text::word;

/// Words of programs, and what they mean.
const WORDS: &[(&str, &str)] = &[
    ("term", "a program, or a part of one: what rules rewrite"),
    ("real", "a number with decimals"),
    ("array n real", "an array of n numbers"),
    ("{n}", "n may be any size"),
    ("fin n", "a whole number from 0 to n-1: an index of an array of n elements"),
    ("def", "gives a term a name"),
    ("fun", "fun x => e is a function: x goes in, e comes out"),
    ("let", "let x := a; b gives the value of a a name for the rest, b"),
    ("build", "build n f is the array of f 0, f 1, … up to f (n-1)"),
    ("ifold", "ifold n f z begins with z, and makes of each state s the next one, f s i, for i from 0 to n-1"),
    ("fst", "the first half of a pair"),
    ("snd", "the second half of a pair"),
    ("zip", "zip v w is the array of the pairs of v and w"),
    ("grad", "grad f v is the gradient of f at v, by dual numbers"),
    ("oneHot", "oneHot i is the array that is 1 at i and 0 elsewhere"),
    ("D", "D f is f on dual numbers: each with the rate at which it changes"),
];

/// What a word means: of a program, the name of a strategy or rule, or a use of one such as `topDown(s)`.
pub fn explained(session: &Session, text: &str) -> Option<String> {
    if let Some((_, said)) = WORDS.iter().find(|(known, _)| *known == text) {
        return Some((*said).to_owned());
    }
    let name = word(text);
    let behind = &text[name.len()..];
    // A schedule of several words isn't the first of them.
    if name.is_empty() || !(behind.is_empty() || behind.starts_with('(') && behind.find(')') == Some(behind.len() - 1))
    {
        return None;
    }
    let called = |usage: &str| usage.split('(').next() == Some(name);
    if let Some((usage, about)) = session.interpreter.built_in().into_iter().find(|(usage, _)| called(usage)) {
        return Some(format!("{usage}: {about}"));
    }
    let rules = session.known_rules();
    let rule = rules.iter().find(|rule| rule.name.as_str() == name)?;
    Some(rule.laws.first().cloned().unwrap_or_else(|| rule.purpose().to_owned()))
}
