//! Reads a schedule's text: finds its definitions, and makes of it text that Rhai reads, with the same lines and columns.
//!
//! Rhai knows no `;` between strategies, no `<+`, no function `try` and no statements `strategy` and `rule`. `parser` goes
//! over the tokens of a text once, finds what is ours, and says what stands in its place, character for character, so
//! that every position Rhai reports is a position of the user's text: `head` has the heads of definitions, `sequence` the
//! `;`, `rules` what is known of laws, `left_open` brackets and quotes without an end, `write` the exchange. It
//! knows no engine and no strategies.

mod definition;
mod head;
mod left_open;
mod parser;
mod rules;
mod sequence;
#[cfg(test)]
mod tests;
mod tokens;
mod write;

pub(crate) use self::definition::{ParsedDefinition, RightSide};
pub(crate) use self::head::unreadable;
use self::parser::ScriptParser;
pub(super) use self::sequence::ends_in_sequence;
pub(super) use self::tokens::ScriptTokens;
#[cfg(test)]
pub(super) use self::tokens::passed;
use self::write::written;
use redexter_language::ground::DiagnosticCode;
use redexter_language::syntax::tokens::{Dialect, Token, TokenKind, tokens};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// The operator that Rhai gets for `<+`.
pub(crate) const CHOICE: &str = "<|";
/// The operator that Rhai gets for `;;`.
pub(crate) const SEQUENCE: &str = "|>";
/// The operator that Rhai gets for `;` between parentheses, or where a definition goes on.
pub(crate) const THEN: &str = "~";
/// The function that Rhai calls for a rule of laws, with its number and the functions that stand in its conditions.
pub(crate) const LAWS: &str = "Rule";
/// The word that Rhai gets for the head of any other definition, with the definition's number behind it.
pub(crate) const DEFINE: &str = "_D";
/// The name that Rhai gets for `try` before a parenthesis.
pub(crate) const TRY: &str = "Try";
/// Words that Rhai gets in the place of others: a text that had them itself would mean these.
const REPLACEMENT_WORDS: &[&str] = &[LAWS, DEFINE, TRY];

/// Words that begin a statement. `strategy` and `rule` are the parser's, the others Rhai's.
pub(crate) const STATEMENTS: &[&str] = &[
    "let", "const", "strategy", "rule", "fn", "private", "if", "for", "while", "loop", "do", "switch", "return",
    "throw", "try", "import", "export",
];

/// The grammar by which a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextKind {
    /// As statements.
    Script,
    /// As if it stood in parentheses.
    Parenthesised,
}

/// A finding of the reader: something that only looks like the language, and what to say of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SyntaxOddity {
    /// Where, in bytes of the user's text.
    pub at: Range<usize>,
    pub code: DiagnosticCode,
    pub headline: String,
    pub help: String,
}

/// A text made ready for Rhai.
#[derive(Clone, Debug, Default)]
pub(crate) struct PreparedText {
    /// What Rhai gets.
    pub text: String,
    /// Strategies and rules that are defined.
    pub definitions: Vec<ParsedDefinition>,
    /// Functions of the text do a rule's work, or may.
    pub computes: bool,
    /// Findings: a text that has one must not be run.
    pub oddities: Vec<SyntaxOddity>,
    /// Nothing is left open: no bracket, string or comment, no operator without its right side.
    pub complete: bool,
    tokens: Vec<Token>,
    /// Where the `;` stand that end statements.
    ends: Vec<usize>,
    /// Where the last block ends.
    last_block: Option<usize>,
}

/// Reads a text. Its definitions count from `first`; `is_strategy` says which names stand for strategies besides those
/// that it defines.
pub(crate) fn read(text: &str, kind: TextKind, first: usize, is_strategy: &dyn Fn(&str) -> bool) -> PreparedText {
    let all = tokens(text, Dialect::Script);
    let (mut reading, edits) = ScriptParser::new(ScriptTokens { text, all: &all }, kind, first, is_strategy).parsed();
    reading.text = written(text, &edits);
    let closes = |token: &&Token| token.kind == TokenKind::Close && &text[token.range()] == "}";
    reading.last_block = all.iter().rfind(closes).map(|token| token.end);
    reading.tokens = all;
    reading
}

/// How a line of the REPL is read: as statements where it begins like one, otherwise as a strategy or a value.
pub(crate) fn kind_of(line: &str) -> TextKind {
    let all = tokens(line, Dialect::Script);
    let tokens = ScriptTokens { text: line, all: &all };
    let first = tokens.counting(0);
    let (word, next) = (tokens.text(first), tokens.text(tokens.counting(first + 1)));
    let statement = STATEMENTS.contains(&word) && next != "(";
    let assigned = if matches!(tokens.kind(first), Some(TokenKind::Word | TokenKind::Number)) { next } else { word };
    let assignment = assigned.starts_with('=') && assigned != "==";
    if statement || assignment || word == "{" { TextKind::Script } else { TextKind::Parenthesised }
}

/// The functions that a text defines, from `fn` to the brace that ends them; the first of each name.
pub(crate) fn functions(text: &str) -> Vec<(&str, &str)> {
    let all = tokens(text, Dialect::Script);
    let tokens = ScriptTokens { text, all: &all };
    let (mut found, mut names) = (Vec::new(), FxHashSet::default());
    for (k, token) in all.iter().enumerate().filter(|(k, _)| tokens.text(*k) == "fn") {
        let name = tokens.counting(k + 1);
        let params = tokens.counting(name + 1);
        let body =
            tokens.partner(params).map(|close| tokens.counting(close + 1)).filter(|_| tokens.text(params) == "(");
        if let Some(end) = body.filter(|body| tokens.text(*body) == "{").and_then(|body| tokens.partner(body))
            && names.insert(&text[all[name].range()])
        {
            found.push((&text[all[name].range()], &text[token.start..all[end].end]));
        }
    }
    found
}

impl PreparedText {
    /// The token that stands there.
    fn token(&self, at: usize) -> usize {
        self.tokens.partition_point(|token| token.end <= at)
    }

    /// The texts in backticks, without these, where no code stands in them.
    pub fn texts(&self, text: &str) -> impl Iterator<Item = Range<usize>> {
        let ticked = self.tokens.iter().filter(|token| token.kind == TokenKind::Ticked && !token.open);
        let whole = ticked.filter(|token| {
            let written = &text[token.range()];
            written.len() > 1 && written.starts_with('`') && written.ends_with('`')
        });
        whole.map(|token| token.start + 1..token.end - 1)
    }

    /// Whether a `;` ends the statement that has this place, outside the brackets within it.
    pub fn is_ended(&self, at: usize, text: &str) -> bool {
        let tokens = ScriptTokens { text, all: &self.tokens };
        let ends = |k: usize| self.ends.binary_search(&self.tokens[k].start).is_ok();
        tokens.level(self.token(at)).any(ends)
    }

    /// Whether a block ends behind a place.
    pub fn block_ends_behind(&self, at: usize) -> bool {
        self.last_block.is_some_and(|end| at < end)
    }

    /// Whether the parameters of a function stand before a place, parentheses apart.
    pub fn is_behind_parameters(&self, at: usize, text: &str) -> bool {
        let before = self.tokens[..self.token(at)].iter().rev().filter(|token| token.counts());
        before.map(|token| &text[token.range()]).find(|token| *token != "(").is_some_and(|token| token.ends_with('|'))
    }
}
