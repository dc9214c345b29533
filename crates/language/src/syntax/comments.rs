//! Finds the comments of both languages, and puts blanks of the same length in their place, so that the grammar never sees
//! them and every offset stays.

use std::ops::Range;

use crate::ground::text::in_word;
use crate::ground::{Diagnostic, Span, Trouble, code};

/// The language whose comments a text has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommentDialect {
    /// See [`model_comment`].
    Model,
    /// See [`script_comment`]; between backticks those of laws.
    Rules,
}

/// The text with its comments blanked. `span` turns offsets in `text` into a place.
pub(super) fn blank(
    text: &str,
    dialect: CommentDialect,
    span: impl Fn(usize, usize) -> Span,
) -> Result<String, Trouble> {
    let mut out = String::with_capacity(text.len());
    let mut in_law = false;
    let mut at = 0;
    loop {
        // What no comment, string or law can begin with is copied as it stands.
        let plain = text[at..].bytes().take_while(|b| !matches!(b, b'-' | b'/' | b'"' | b'`')).count();
        out.push_str(&text[at..at + plain]);
        at += plain;
        let rest = &text[at..];
        let Some(c) = rest.chars().next() else { return Ok(out) };
        let script = dialect == CommentDialect::Rules && !in_law;
        let length = if script { script_comment(rest) } else { model_comment(rest, in_law) };
        match length {
            Some(Ok(_)) if is_glued(text, at) => return Err(glued(span(at, at + 2)).into()),
            Some(Ok(length)) => {
                out.extend(rest[..length].bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
                at += length;
            }
            Some(Err(close)) => return Err(unterminated(span(at, at + 2), close).into()),
            None => {
                in_law ^= dialect == CommentDialect::Rules && c == '`';
                let length = if c == '"' && !script { string(rest) } else { c.len_utf8() };
                out.push_str(&rest[..length]);
                at += length;
            }
        }
    }
}

/// The length of the comment of a model or law that `rest` starts with, or what would have closed it: `-- …` and `// …`, up
/// to the end of the line or law, and `/- … -/`. In a law `-->` is no comment.
pub(crate) fn model_comment(rest: &str, in_law: bool) -> Option<Result<usize, &'static str>> {
    if rest.starts_with("/-") {
        return Some(block(rest, "/-", "-/"));
    }
    let begins = rest.starts_with("//") || rest.starts_with("--") && !(in_law && rest.starts_with("-->"));
    if !begins {
        return None;
    }
    Some(Ok(rest.find(|c| c == '\n' || in_law && c == '`').unwrap_or(rest.len())))
}

/// The same for a script: `-- …` and `// …`, up to the end of the line, and `/* … */`. The arrow of a law is no comment.
pub(crate) fn script_comment(rest: &str) -> Option<Result<usize, &'static str>> {
    if rest.starts_with("/*") {
        return Some(block(rest, "/*", "*/"));
    }
    let begins = rest.starts_with("//") || rest.starts_with("--") && !rest.starts_with("-->");
    begins.then(|| Ok(rest.find('\n').unwrap_or(rest.len())))
}

/// Whether the comment that begins there is `--` with no blank on either side, as in `x--1`.
pub fn is_glued(text: &str, at: usize) -> bool {
    let is_close = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace());
    let behind = text[at..].strip_prefix("--").map(|rest| rest.chars().next());
    behind.is_some_and(is_close) && is_close(text[..at].chars().next_back())
}

/// The words of a line such as `--precision`, behind a blank and outside strings and other comments: each begins a comment where
/// an option may be meant.
pub fn option_words(line: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut at, mut in_law, mut behind_blank) = (0, false, true);
    while let Some(c) = line[at..].chars().next() {
        let rest = &line[at..];
        let word = rest.strip_prefix("--").filter(|word| behind_blank && word.starts_with(char::is_alphabetic));
        let comment = if in_law { model_comment(rest, true) } else { script_comment(rest) };
        let length = match (word, comment) {
            (Some(word), _) => 2 + word.find(|c| !in_word(c) && c != '-').unwrap_or(word.len()),
            (None, Some(comment)) => comment.unwrap_or(rest.len()),
            (None, None) if c == '"' => string(rest),
            (None, None) => c.len_utf8(),
        };
        if word.is_some() {
            found.push(at..at + length);
        }
        in_law ^= c == '`';
        behind_blank = c.is_whitespace();
        at += length;
    }
    found
}

/// How the two that may be meant by such a `--` are written.
pub const GLUED_HELP: &str = "write ` -- ` for a comment, `- -` for two signs";

/// What is wrong with such a `--`.
pub const GLUED: &str = "this `--` begins a comment, where two signs may be meant";

fn glued(span: Span) -> Diagnostic {
    Diagnostic::error(code::COMMENT_AS_OPERATION, GLUED).at(span, "has no blank on either side").help(GLUED_HELP)
}

/// The length of a comment that nests.
fn block(rest: &str, open: &str, close: &'static str) -> Result<usize, &'static str> {
    let bytes = rest.as_bytes();
    let mut depth = 0_usize;
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at..].starts_with(open.as_bytes()) {
            depth += 1;
            at += 2;
        } else if bytes[at..].starts_with(close.as_bytes()) {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Ok(at);
            }
        } else {
            at += 1;
        }
    }
    Err(close)
}

/// The length of a string, or of its quote if it isn't closed on its line.
fn string(rest: &str) -> usize {
    match rest[1..].find(['"', '\n']) {
        Some(end) if rest[1 + end..].starts_with('"') => end + 2,
        _ => 1,
    }
}

fn unterminated(span: Span, close: &str) -> Diagnostic {
    Diagnostic::error(code::UNTERMINATED_COMMENT, "this comment is never closed")
        .at(span, "opened here")
        .help(format!("write `{close}` where it ends; comments nest, so each opening needs its own"))
}
