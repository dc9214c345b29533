//! A text as words, signs and comments, each with what stands before it.

use crate::syntax::comments::{model_comment, script_comment};

/// Whose words they are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// A model's.
    Model,
    /// A law's: the same, but `-->` is a sign.
    Law,
    /// A script's: backticks are quotes.
    Script,
}

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

/// Signs of several characters, a longer one before what it begins with.
const SIGNS: &[&str] = &["<-->", "-->", ":=", "=>", "->", "<=", ">=", "!=", "==", "&&", "||", "<+", ";;"];

pub fn tokens(text: &str, dialect: Dialect) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        let inside = rest.trim_start();
        let gap = &rest[..rest.len() - inside.len()];
        let Some((kind, length)) = first(inside, dialect) else { return found };
        let blanks = gap.rsplit('\n').next().unwrap_or("").chars().count();
        let text = inside[..length].trim_end();
        found.push(Token { kind, text, breaks: gap.matches('\n').count(), blanks });
        rest = &inside[length..];
    }
}

fn first(text: &str, dialect: Dialect) -> Option<(Kind, usize)> {
    let c = text.chars().next()?;
    let script = dialect == Dialect::Script;
    let comment = if script { script_comment(text) } else { model_comment(text, dialect == Dialect::Law) };
    let comment = comment.map(|length| length.unwrap_or(text.len()));
    let word = |c: char| c != 'λ' && (c.is_alphanumeric() || c == '_' || c == '\'' && !script);
    Some(match c {
        _ if comment.is_some() => (Kind::Comment, comment?),
        '"' => (Kind::Text, quoted(text, c, script)),
        '`' | '\'' if script => (Kind::Text, quoted(text, c, true)),
        c if c.is_ascii_digit() => (Kind::Number, number(text)),
        c if word(c) => (Kind::Word, text.find(|c| !word(c)).unwrap_or(text.len())),
        c => (Kind::Sign, SIGNS.iter().find(|sign| text.starts_with(**sign)).map_or(c.len_utf8(), |sign| sign.len())),
    })
}

/// The length of what stands in quotes; `escapes` says whether `\` takes the meaning of what follows.
fn quoted(text: &str, quote: char, escapes: bool) -> usize {
    let mut escaped = true;
    for (k, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = escapes && quote != '`',
            c if c == quote => return k + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of digits, perhaps with a fraction and an exponent.
fn number(text: &str) -> usize {
    let digits = |from: usize| text[from..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |k| from + k);
    let mut end = digits(0);
    if text[end..].starts_with('.') && digits(end + 1) > end + 1 {
        end = digits(end + 1);
    }
    if text[end..].starts_with(['e', 'E']) {
        let sign = end + 1 + usize::from(text[end + 1..].starts_with(['+', '-']));
        end = if digits(sign) > sign { digits(sign) } else { end };
    }
    end
}
