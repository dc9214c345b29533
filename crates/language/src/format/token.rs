//! Splits a text into words, signs and comments, each with the line breaks and blanks before it.

use crate::syntax::tokens::{Kind as Lexed, tokens as lexed};

pub(super) use crate::syntax::tokens::Dialect;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Word,
    Number,
    /// What stands in quotes.
    Text,
    Sign,
    Comment,
}

#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    /// The line breaks before it.
    pub breaks: usize,
    /// The blanks before it on its line.
    pub blanks: usize,
}

pub fn tokens(text: &str, dialect: Dialect) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut gap = "";
    for token in lexed(text, dialect) {
        let written = &text[token.range()];
        let kind = match token.kind {
            Lexed::Space => {
                gap = written;
                continue;
            }
            Lexed::Comment => Kind::Comment,
            Lexed::Word => Kind::Word,
            Lexed::Number => Kind::Number,
            Lexed::Quoted | Lexed::Ticked => Kind::Text,
            Lexed::Sign | Lexed::Open | Lexed::Close => Kind::Sign,
        };
        let blanks = gap.rsplit('\n').next().unwrap_or("").chars().count();
        found.push(Token { kind, text: written.trim_end(), breaks: gap.matches('\n').count(), blanks });
        gap = "";
    }
    found
}
