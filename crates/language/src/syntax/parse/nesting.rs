//! Measures how deep a text nests, without recursion: what pest would have to recurse through, and what is still open at
//! a place where it gave up.

use crate::ground::{Budget, StopReason};
use crate::syntax::comments::CommentDialect;
use crate::syntax::words::{in_word, word};

/// A bracket or a form that waits for its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OpenForm {
    /// What was opened.
    pub kind: OpenKind,
    /// Where, in bytes.
    pub at: usize,
}

/// The kinds of brackets and forms that can be open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OpenKind {
    /// An opening bracket, with the character that closes it.
    Bracket(char),
    /// A `let` before its `;`.
    Let,
    /// An `if` before its `else`.
    If,
}

/// A definition, a term or a rule of more words and signs isn't parsed: pest takes half a second for these, and can't be stopped.
const MAX_TOKENS: u64 = 1 << 20;

/// What is open at the end of `text`, outermost first. Stops where more are open at once than things may nest, and where a
/// part of the text that is parsed at once is too long.
///
/// A `let` after its `;` and an `if` after its `else` count no more: the grammar reads chains of them as flat lists.
/// Where a definition of a model begins nothing is open: what still is, is never closed.
pub(super) fn open_forms(text: &str, dialect: CommentDialect, budget: &Budget) -> Result<Vec<OpenForm>, StopReason> {
    let limit = budget.limits.max_depth;
    let mut tokens = 0;
    let mut frames: Vec<OpenForm> = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        budget.tick()?;
        tokens += u64::from(!c.is_whitespace());
        let word = if in_word(c) { word(&text[at..]) } else { "" };
        let length = if word.is_empty() { c.len_utf8() } else { word.len() };
        match (word, c) {
            ("let", _) => frames.push(OpenForm { kind: OpenKind::Let, at }),
            ("if", _) => frames.push(OpenForm { kind: OpenKind::If, at }),
            ("else", _) => close_form(&mut frames, OpenKind::If),
            ("def" | "import", _) if dialect == CommentDialect::Model => {
                frames.clear();
                tokens = 0;
            }
            (_, '(') => frames.push(OpenForm { kind: OpenKind::Bracket(')'), at }),
            (_, '[') => frames.push(OpenForm { kind: OpenKind::Bracket(']'), at }),
            (_, '{') => frames.push(OpenForm { kind: OpenKind::Bracket('}'), at }),
            (_, ';') => close_form(&mut frames, OpenKind::Let),
            (_, ',') => back_to_bracket(&mut frames),
            (_, ')' | ']' | '}') => {
                back_to_bracket(&mut frames);
                frames.pop();
            }
            _ => {}
        }
        if frames.len() as u64 > u64::from(limit) {
            return Err(StopReason::Depth(limit));
        }
        if tokens > MAX_TOKENS {
            return Err(StopReason::Text(MAX_TOKENS));
        }
        at += length;
    }
    Ok(frames)
}

/// Ends the innermost form of this kind, and what is open inside it. Where there is none before the next bracket, the text
/// is wrong and nothing behind this place is read: dropping all of them keeps the scan linear.
fn close_form(frames: &mut Vec<OpenForm>, kind: OpenKind) {
    while let Some(frame) = frames.pop_if(|frame| !matches!(frame.kind, OpenKind::Bracket(_))) {
        if frame.kind == kind {
            return;
        }
    }
}

/// Drops the forms that are open inside the innermost bracket.
fn back_to_bracket(frames: &mut Vec<OpenForm>) {
    while frames.pop_if(|frame| !matches!(frame.kind, OpenKind::Bracket(_))).is_some() {}
}
