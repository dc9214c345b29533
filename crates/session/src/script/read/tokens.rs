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
            #[cfg(test)]
            passed::count();
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

    /// Where the statement ends that goes on at each token: at its `;`, or the bracket that closes around it, or the text's end.
    pub fn ends(self) -> Vec<usize> {
        self.next(|at, closes| (closes || self.text(at) == ";").then_some(at))
    }

    /// Where the first `,` stands from each token on that is in no bracket there; the text's end where there is none.
    pub fn commas(self) -> Vec<usize> {
        let comma = |at| self.is(at, TokenKind::Sign) && self.text(at).starts_with(',');
        self.next(|at, closes| if closes { Some(self.all.len()) } else { comma(at).then_some(at) })
    }

    /// What is found at each token, told whether a bracket closes there, or else at the next one in no bracket: so one walk from
    /// the end finds all.
    fn next(self, found: impl Fn(usize, bool) -> Option<usize>) -> Vec<usize> {
        let mut all = vec![self.all.len(); self.all.len() + 1];
        for (at, token) in self.all.iter().enumerate().rev() {
            let closes = token.kind == TokenKind::Close && token.partner.is_some();
            all[at] = found(at, closes).unwrap_or_else(|| all[1 + self.partner(at).unwrap_or(at)]);
        }
        all
    }
}

/// Counts the tokens that were passed one by one, which shows in tests how work grows with a text.
#[cfg(test)]
pub(in crate::script) mod passed {
    use std::cell::Cell;

    thread_local! {
        static COUNT: Cell<usize> = const { Cell::new(0) };
    }

    pub fn count() {
        COUNT.set(COUNT.get() + 1);
    }

    /// How many a piece of work passes.
    pub fn by(work: impl FnOnce()) -> usize {
        let before = COUNT.get();
        work();
        COUNT.get() - before
    }
}
