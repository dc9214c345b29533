//! Finds the comments of both languages, and puts blanks of the same length in their place, so that the grammar never sees
//! them and every offset stays.

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
