//! Gives access to the tokens of a script, by their numbers. Behind the last one there is nothing: a text of no characters.

use redexter_language::syntax::tokens::{Token, TokenKind};

/// A text and its tokens.
#[derive(Clone, Copy)]
pub(in crate::script) struct ScriptTokens<'a> {
    pub text: &'a str,
    pub all: &'a [Token],
}

impl<'a> ScriptTokens<'a> {
    /// What is written there.
    pub fn text(self, at: usize) -> &'a str {
        self.all.get(at).map_or("", |token| &self.text[token.range()])
    }

    /// Where it begins; for what comes behind the last, the text's end.
    pub fn start(self, at: usize) -> usize {
        self.all.get(at).map_or(self.text.len(), |token| token.start)
    }

    pub fn kind(self, at: usize) -> Option<TokenKind> {
        self.all.get(at).map(|token| token.kind)
    }

    pub fn is(self, at: usize, kind: TokenKind) -> bool {
        self.kind(at) == Some(kind)
    }

    /// The first one from here on that is no space and no comment.
    pub fn counting(self, at: usize) -> usize {
        let rest = self.all.get(at..).unwrap_or_default();
        at + rest.iter().position(|token| token.counts()).unwrap_or(rest.len())
    }

    /// The closing bracket of the same kind.
    pub fn partner(self, at: usize) -> Option<usize> {
        let close = self.all.get(at).filter(|token| token.kind == TokenKind::Open)?.partner?;
        matches!((self.text(at), self.text(close)), ("(", ")") | ("[", "]") | ("{" | "${", "}")).then_some(close)
    }

    /// The tokens from here on that stand in no bracket, up to where one closes that is open here.
    pub fn level(self, at: usize) -> impl Iterator<Item = usize> {
        let mut next = at;
        std::iter::from_fn(move || {
            let this = next;
            let token = self.all.get(this).filter(|token| token.kind != TokenKind::Close || token.partner.is_none())?;
            next = 1 + if token.kind == TokenKind::Open { self.partner(this).unwrap_or(this) } else { this };
            Some(this)
        })
    }

    /// The first of them that begins with this sign.
    pub fn find(self, at: usize, sign: char) -> Option<usize> {
        self.level(at).find(|k| self.is(*k, TokenKind::Sign) && self.text(*k).starts_with(sign))
    }

    /// Where the statement ends that goes on here: its `;`, or the bracket that closes around it, or the text's end.
    pub fn end(self, at: usize) -> usize {
        let mut behind = at;
        for k in self.level(at) {
            if self.text(k) == ";" {
                return k;
            }
            behind = 1 + self.partner(k).unwrap_or(k);
        }
        behind
    }
}
