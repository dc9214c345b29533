//! From a stream of text, possible breaks and groups to lines. Linear in the stream, without recursion.
//!
//! A group is either flat, all its breaks a space, or broken, each of them a new line. It is broken if, laid flat, it
//! and the text up to the next possible break don't fit on the line (compare Oppen, "Prettyprinting", 1980).

use std::borrow::Cow;

use super::{Piece, Role};

/// An element of the stream.
pub(super) enum Token {
    /// Text without line breaks.
    Text(Piece),
    /// A space, or a new line where the group around it is broken. The flag: inside the marked subterm.
    Break(bool),
    /// Starts a group.
    Open(Indent),
    /// Ends the innermost group.
    Close,
}

/// Where the lines of a broken group start.
#[derive(Clone, Copy)]
pub(super) enum Indent {
    /// This far right of those around it.
    Nest(usize),
    /// Where the group itself starts.
    Align,
}

/// The lines, as pieces with line breaks among them. Indentation stops at half the width, so that deep nesting doesn't
/// make the text quadratic.
pub(super) fn layout(tokens: Vec<Token>, width: usize) -> Vec<Piece> {
    let needs = needs(&tokens);
    let most = width / 2;
    let mut out = Vec::with_capacity(tokens.len());
    let mut groups: Vec<(usize, bool)> = Vec::new();
    let mut column = 0;
    for (k, token) in tokens.into_iter().enumerate() {
        let (indent, broken) = groups.last().copied().unwrap_or((0, true));
        match token {
            Token::Open(by) => {
                let start = match by {
                    Indent::Nest(by) => indent + by,
                    Indent::Align => column,
                };
                groups.push((start.min(most), broken && needs[k] > width.saturating_sub(column)));
            }
            Token::Close => {
                groups.pop();
            }
            Token::Text(piece) => {
                column += piece.text.chars().count();
                out.push(piece);
            }
            Token::Break(marked) => {
                let text = if broken {
                    column = indent;
                    Cow::Owned(format!("\n{:indent$}", ""))
                } else {
                    column += 1;
                    Cow::Borrowed(" ")
                };
                out.push(Piece { text, role: Role::Plain, marked });
            }
        }
    }
    out
}

/// For the start of each group the space that it takes when flat, with the text up to the next possible break.
fn needs(tokens: &[Token]) -> Vec<usize> {
    let mut needs = vec![0; tokens.len()];
    // From the right: the width of everything seen, and its value just after the next break.
    let (mut seen, mut after_break) = (0, 0);
    let mut ends = Vec::new();
    for (k, token) in tokens.iter().enumerate().rev() {
        match token {
            Token::Text(piece) => seen += piece.text.chars().count(),
            Token::Break(_) => {
                after_break = seen;
                seen += 1;
            }
            Token::Close => ends.push(after_break),
            Token::Open(_) => needs[k] = seen - ends.pop().unwrap_or(0),
        }
    }
    needs
}
