//! Decides whether a `;` in the definition of a strategy goes on with it, or ends it, and whether one behind a line does.
//!
//! It goes on where a strategy follows: a name of one, a pattern or rule in backticks, or a parenthesis that begins with
//! one. What follows and isn't a strategy begins the next statement; so does the last expression of a block, which is the
//! block's value.

use super::parser::ScriptParser;
use super::tokens::ScriptTokens;
use super::{ParsedDefinition, RightSide, STATEMENTS, SyntaxOddity, TextKind, kind_of};
use redexter_language::ground::code;
use redexter_language::syntax::tokens::{Dialect, Token, TokenKind, tokens};

/// The definition of a strategy that is being read.
#[derive(Clone, Copy)]
pub(super) struct OpenDefinition {
    /// Its number in this text.
    pub number: usize,
    /// How many brackets are open around it.
    pub depth: usize,
}

/// Whether a text is a strategy with a `;` behind it: the next line may go on with the sequence. `is_strategy` says which names
/// stand for strategies.
pub(in crate::script) fn ends_in_sequence(text: &str, is_strategy: &dyn Fn(&str) -> bool) -> bool {
    let all = tokens(text, Dialect::Script);
    let tokens = ScriptTokens { text, all: &all };
    let mut first = tokens.counting(0);
    while tokens.text(first) == "(" {
        first = tokens.counting(first + 1);
    }
    let last = all.iter().rposition(Token::counts);
    last.is_some_and(|last| tokens.text(last) == ";")
        && kind_of(text) == TextKind::Parenthesised
        && is_strategy(tokens.text(first))
}

impl ScriptParser<'_> {
    /// Whether this `;` goes on with a definition.
    pub(super) fn goes_on(&mut self, semicolon: usize) -> bool {
        let (tokens, depth) = (self.tokens, self.depth());
        while self.defining.pop_if(|defining| defining.depth > depth).is_some() {}
        let Some(defining) = self.defining.pop_if(|defining| defining.depth == depth) else { return false };
        let next = tokens.counting(semicolon + 1);
        let end = tokens.find(next, ';');
        let value = self.bracket() == "{" && end.is_none();
        let definition = &self.reading.definitions[defining.number];
        if value || !self.begins_strategy(definition, next) {
            let definition = &mut self.reading.definitions[defining.number];
            definition.range.end = tokens.start(semicolon);
            definition.right = RightSide::Strategy { ended: true };
            return false;
        }
        let end = end.unwrap_or(self.ends[next]);
        let mentions = |name: &str| (next..end).any(|k| tokens.text(k) == name);
        if mentions(&definition.name) && !definition.params.iter().any(|param| mentions(param)) {
            let part = tokens.text[tokens.start(next)..tokens.start(end)].trim_end();
            self.reading.oddities.push(SyntaxOddity {
                at: tokens.start(next)..tokens.start(next) + part.len(),
                code: code::SYNTAX,
                headline: "this may go on with the definition before it, or use what that defines".to_owned(),
                help:
                    "write `;;` instead of `;` to go on; or use it in parentheses, on a line of its own at the prompt"
                        .to_owned(),
            });
        }
        self.defining.push(defining);
        true
    }

    /// Whether a strategy begins here, and no method of a value or assignment follows.
    fn begins_strategy(&self, definition: &ParsedDefinition, at: usize) -> bool {
        let tokens = self.tokens;
        let mut first = at;
        while tokens.text(first) == "(" {
            first = tokens.counting(first + 1);
        }
        let name = tokens.text(first);
        let mut after = tokens.counting(first + 1);
        if tokens.is(first, TokenKind::Ticked) {
            return name.ends_with('`') && tokens.text(after) != ".";
        }
        if STATEMENTS.contains(&name) {
            return name == "try" && tokens.text(after) == "(";
        }
        let known = definition.params.iter().any(|param| param == name)
            || self.defined.contains(name)
            || (self.is_strategy)(name);
        if let ("(", Some(close)) = (tokens.text(after), tokens.partner(after)) {
            after = tokens.counting(close + 1);
        }
        let property = tokens.counting(after + 1);
        let method = tokens.text(after) == "."
            && tokens.text(if tokens.is(property, TokenKind::Word) { tokens.counting(property + 1) } else { property })
                == "(";
        known && !method && !tokens.text(after).starts_with('=')
    }
}
