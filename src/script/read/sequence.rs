//! Whether a `;` in the definition of a strategy goes on with it, or ends it.
//!
//! It goes on where a strategy follows: a name of one, or a parenthesis that begins with one. What follows and isn't a
//! strategy begins the next statement; so does the last expression of a block, which is the block's value.

use super::super::scan::end;
use super::{Oddity, Reader};
use crate::ground::code;
use crate::ground::text::{in_word, word};
use crate::syntax::comments::script_comment;

/// Words that begin a statement.
pub(crate) const STATEMENTS: &[&str] = &[
    "let", "const", "strategy", "rule", "fn", "private", "if", "for", "while", "loop", "do", "switch", "return",
    "throw", "try",
];

/// The definition of a strategy that is being read.
#[derive(Clone, Debug)]
pub(super) struct Defining {
    pub(super) name: String,
    pub(super) params: Vec<String>,
    /// Where its `strategy` stands.
    pub(super) start: usize,
    /// How many brackets are open around it.
    pub(super) depth: usize,
}

impl Reader<'_> {
    /// Whether the `;` that comes next goes on with a definition.
    pub(super) fn goes_on(&mut self) -> bool {
        let depth = self.open.len();
        while self.defining.pop_if(|defining| defining.depth > depth).is_some() {}
        let Some(defining) = self.defining.pop_if(|defining| defining.depth == depth) else { return false };
        let behind = self.rest()[1..].len() - past_space(&self.rest()[1..]).len() + 1;
        let rest = &self.rest()[behind..];
        let next = end(rest, ';');
        let value = self.open.last() == Some(&'{') && next.is_none();
        if value || !self.begins_strategy(&defining, rest) {
            self.reading.strategies.push(defining.start..self.at);
            return false;
        }
        let part = &rest[..next.unwrap_or(rest.len())];
        if mentions(part, &defining.name) && !defining.params.iter().any(|param| mentions(part, param)) {
            let start = self.at + behind;
            self.reading.oddities.push(Oddity {
                at: start..start + part.trim_end().len(),
                code: code::SYNTAX,
                headline: "this may go on with the definition before it, or use what that defines",
                help: "write `;;` instead of `;` to go on; or use it in parentheses, on a line of its own at the prompt",
            });
        }
        self.defining.push(defining);
        true
    }

    /// Whether a text begins with a strategy, and no method of a value or assignment follows.
    fn begins_strategy(&self, defining: &Defining, text: &str) -> bool {
        let inside = text.trim_start_matches(|c: char| c == '(' || c.is_whitespace());
        let name = word(inside);
        let after = past_space(&inside[name.len()..]);
        if STATEMENTS.contains(&name) {
            return name == "try" && after.starts_with('(');
        }
        let known = defining.params.iter().any(|param| param == name)
            || self.reading.definitions.iter().any(|(known, _)| known == name)
            || (self.is_strategy)(name);
        let after = match after.strip_prefix('(').map(|arguments| (arguments, end(arguments, ')'))) {
            Some((arguments, Some(close))) => past_space(&arguments[close + 1..]),
            _ => after,
        };
        let property = after.strip_prefix('.').map(past_space);
        let method = property.is_some_and(|name| past_space(&name[word(name).len()..]).starts_with('('));
        known && !method && !after.starts_with('=')
    }
}

/// Whether a name stands in a text as a word.
fn mentions(text: &str, name: &str) -> bool {
    let ends = |k: usize| !text[..k].ends_with(in_word) && word(&text[k..]) == name;
    text.match_indices(name).any(|(k, _)| ends(k))
}

/// A text from its first character that is no space and in no comment.
pub(super) fn past_space(text: &str) -> &str {
    let mut rest = text.trim_start();
    while let Some(comment) = script_comment(rest) {
        rest = comment.map_or("", |length| rest[length..].trim_start());
    }
    rest
}
