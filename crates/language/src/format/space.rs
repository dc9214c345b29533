//! Decides whether there is a blank between two words or signs of one line. Where a blank has a meaning it stays as it was.

use super::token::{FormatToken, FormatTokenKind};

/// Words of the array language that no operand ends with.
const PREFIXES: &[&str] = &["fun", "let", "if", "then", "else", "D", "not", "def", "import"];

/// Whether a `-` behind it is the one between two operands.
fn ends_operand(token: &FormatToken<'_>) -> bool {
    match token.kind {
        FormatTokenKind::Word => !PREFIXES.contains(&token.text),
        FormatTokenKind::Sign => matches!(token.text, ")" | "]" | "}"),
        FormatTokenKind::Number | FormatTokenKind::Text => true,
        FormatTokenKind::Comment => false,
    }
}

/// Whether there is a blank before `next`, behind the tokens `before` it.
pub fn apart(before: &[FormatToken<'_>], next: &FormatToken<'_>) -> bool {
    let Some((last, earlier)) = before.split_last() else { return false };
    if last.kind == FormatTokenKind::Comment || next.kind == FormatTokenKind::Comment {
        return true;
    }
    let written = next.blanks > 0 || next.breaks > 0;
    let negates =
        last.text == "-" && !earlier.iter().rfind(|t| t.kind != FormatTokenKind::Comment).is_some_and(ends_operand);
    match (last.text, next.text) {
        (_, "," | ";" | ")" | "]" | "}") | ("(" | "[" | "{", _) => false,
        (_, "[") if ends_operand(last) => written,
        (_, "(") if last.kind == FormatTokenKind::Word && ends_operand(last) => written,
        (_, ".") | (".", _) => written,
        _ => !negates || written,
    }
}
