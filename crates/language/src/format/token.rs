//! Splits a text into words, signs and comments, each with the line breaks and blanks before it.

use crate::syntax::tokens::{TokenKind as Lexed, tokens as lexed};

pub(super) use crate::syntax::tokens::Dialect;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatTokenKind {
    Word,
    Number,
    /// What stands in quotes.
    Text,
    Sign,
    Comment,
}

#[derive(Clone, Copy, Debug)]
pub struct FormatToken<'a> {
    pub kind: FormatTokenKind,
    pub text: &'a str,
    /// The line breaks before it.
    pub breaks: usize,
    /// The blanks before it on its line.
    pub blanks: usize,
}

pub fn tokens(text: &str, dialect: Dialect) -> Vec<FormatToken<'_>> {
    let mut found = Vec::new();
    let mut gap = "";
    for token in lexed(text, dialect) {
        let written = &text[token.range()];
        let kind = match token.kind {
            Lexed::Space => {
                gap = written;
                continue;
            }
            Lexed::Comment => FormatTokenKind::Comment,
            Lexed::Word => FormatTokenKind::Word,
            Lexed::Number => FormatTokenKind::Number,
            Lexed::Quoted | Lexed::Ticked => FormatTokenKind::Text,
            Lexed::Sign | Lexed::Open | Lexed::Close => FormatTokenKind::Sign,
        };
        let blanks = gap.rsplit('\n').next().unwrap_or("").chars().count();
        found.push(FormatToken { kind, text: written.trim_end(), breaks: gap.matches('\n').count(), blanks });
        gap = "";
    }
    found
}
