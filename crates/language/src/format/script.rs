//! Formats the statements `rule` and `strategy` of a script; all other text stays as it is, and so does a statement that holds
//! code of the script language.

use std::ops::Range;

use crate::ground::{Budget, Sources};
use crate::syntax::parse_in_place;

use super::space::apart;
use super::token::{Dialect, FormatToken, FormatTokenKind, tokens};

/// The place of a statement, from its first word up to its `;`.
#[derive(Clone, Debug)]
pub enum ScriptStatement {
    /// `rule name = …` with laws.
    Rule(Range<usize>),
    /// `strategy name = …`.
    Strategy(Range<usize>),
}

impl ScriptStatement {
    /// Where it stands.
    pub fn range(&self) -> Range<usize> {
        let (ScriptStatement::Rule(range) | ScriptStatement::Strategy(range)) = self;
        range.clone()
    }
}

/// Words of the script language: a statement that holds one is code, and stays as it is.
const CODE_WORDS: &[&str] =
    &["if", "else", "switch", "let", "const", "fn", "for", "while", "loop", "do", "return", "throw"];

/// A script whose statements, in order, are in their layout.
pub fn script(text: &str, statements: &[ScriptStatement]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for statement in statements {
        let range = statement.range();
        let Some(between) = text.get(copied..range.start) else { continue };
        out.push_str(between);
        let line = out.rsplit('\n').next().unwrap_or("");
        let (column, margin) = (line.chars().count(), line.len() - line.trim_start().len());
        let written = &text[range.clone()];
        let laid = match statement {
            ScriptStatement::Rule(_) => rule(written, column, margin),
            ScriptStatement::Strategy(_) => strategy(written, margin),
        };
        out.push_str(laid.as_deref().unwrap_or(written));
        copied = range.end;
    }
    out + &text[copied..]
}

fn blanks(out: &mut String, count: usize) {
    out.extend(std::iter::repeat_n(' ', count));
}

/// The blanks before a token on its line. Those before a statement's `=` and before a comment stay, since they align.
fn space(out: &mut String, before: &[FormatToken<'_>], token: &FormatToken<'_>, aligned: bool) {
    if apart(before, token) {
        blanks(out, if aligned || token.kind == FormatTokenKind::Comment { token.blanks.max(1) } else { 1 });
    }
}

/// A rule that begins at `column` of a line with this margin: each law on a line, below the first.
fn rule(text: &str, column: usize, margin: usize) -> Option<String> {
    let all = tokens(text, Dialect::Script);
    if all.iter().any(|t| matches!(t.text, "|" | "||" | "{")) {
        return None;
    }
    let mut out = String::new();
    let mut laws = None;
    let (mut defined, mut conditions) = (false, false);
    for (k, token) in all.iter().enumerate() {
        let in_backticks = token.kind == FormatTokenKind::Text && token.text.starts_with('`');
        let is_law = in_backticks && !conditions;
        let behind_comment = k > 0 && all[k - 1].kind == FormatTokenKind::Comment && !all[k - 1].text.starts_with("/*");
        let next_law = is_law && laws.is_some();
        if k > 0 && (next_law || behind_comment || token.breaks > 0) {
            out.push('\n');
            blanks(&mut out, laws.unwrap_or(margin + 4));
        } else {
            space(&mut out, &all[..k], token, token.text == "=" && !defined);
        }
        defined |= token.text == "=";
        conditions |= token.text == "where";
        if is_law {
            let first = if out.contains('\n') { 0 } else { column };
            let at = laws.unwrap_or_else(|| first + last_width(&out));
            laws = Some(at);
            law(&mut out, token.text, at + 1);
        } else if in_backticks {
            let at = last_width(&out);
            law(&mut out, token.text, at + 1);
        } else {
            out.push_str(token.text);
        }
    }
    Some(out)
}

/// The characters of the last line.
fn last_width(text: &str) -> usize {
    text.rsplit('\n').next().unwrap_or("").chars().count()
}

/// A law or a pattern between its backticks. Lines that go on with it begin at `column`.
fn law(out: &mut String, text: &str, column: usize) {
    let inside = text.trim_matches('`');
    let all = tokens(inside, Dialect::Law);
    out.push('`');
    for (k, token) in all.iter().enumerate() {
        if k > 0 && token.breaks > 0 {
            out.push('\n');
            blanks(out, column);
        } else if apart(&all[..k], token) {
            out.push(' ');
        }
        out.push_str(token.text);
    }
    out.push('`');
}

/// A strategy that begins on a line with this margin. Lines that go on with it lie four further right, and four more for
/// each bracket that they are in.
fn strategy(text: &str, margin: usize) -> Option<String> {
    let all = tokens(text, Dialect::Script);
    let plain = |t: &FormatToken<'_>| match t.kind {
        FormatTokenKind::Sign => matches!(t.text, "(" | ")" | "," | "." | "=" | "<+" | ";" | ";;"),
        FormatTokenKind::Word => !CODE_WORDS.contains(&t.text),
        FormatTokenKind::Number | FormatTokenKind::Text | FormatTokenKind::Comment => true,
    };
    if !all.iter().all(plain) {
        return None;
    }
    let (mut out, mut open, mut defined) = (String::new(), 0_usize, false);
    for (k, token) in all.iter().enumerate() {
        open = open.saturating_sub(usize::from(token.text == ")"));
        if k > 0 && token.breaks > 0 {
            out.push('\n');
            blanks(&mut out, margin + 4 + 4 * open.min(12));
        } else if token.text == ";" {
            out.push(' ');
        } else if token.text != "(" || all[..k].last().is_none_or(|last| last.kind != FormatTokenKind::Word) {
            space(&mut out, &all[..k], token, token.text == "=" && !defined);
        }
        defined |= token.text == "=";
        open += usize::from(token.text == "(");
        if token.kind == FormatTokenKind::Text && is_pattern(token.text) {
            let at = last_width(&out);
            law(&mut out, token.text, at + 1);
        } else {
            out.push_str(token.text);
        }
    }
    Some(out)
}

/// Whether a text with its quotes is a pattern, or a rule in place, and no code stands in it.
fn is_pattern(text: &str) -> bool {
    let Some(inside) = text.strip_prefix('`').and_then(|text| text.strip_suffix('`')) else { return false };
    let mut sources = Sources::default();
    let id = sources.add("<text>", inside);
    parse_in_place(&sources, sources.whole(id), &Budget::default()).is_ok()
}
