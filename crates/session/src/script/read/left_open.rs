//! Tells where a bracket or quote stands that a text leaves open: Rhai says so at the text's end, or at what follows by chance.

use super::SyntaxOddity;
use super::tokens::ScriptTokens;
use redexter_language::ground::{code, text::line_start};
use redexter_language::syntax::tokens::{Dialect, TokenKind, tokens};
use std::ops::Range;

/// Words that begin a statement, and never stand directly inside parentheses.
const BEGINNINGS: &[&str] = &["let", "const", "fn", "import", "export", "strategy", "rule"];

/// The bracket or quote that is wrong in a text in which one surely is, and how its line is closed where that is plain.
pub(super) fn left_open(tokens: ScriptTokens<'_>) -> Option<SyntaxOddity> {
    let wrong = wrong(tokens)?;
    let text = tokens.text;
    let sign = &text[wrong.at.clone()];
    let headline = match wrong.close {
        Some('`') => "this backtick is never closed".to_owned(),
        Some(_) => format!("this `{sign}` is never closed"),
        None => format!("nothing opened this `{sign}`"),
    };
    let start = line_start(text, wrong.at.start);
    let line = start..text[start..].find('\n').map_or(text.len(), |end| start + end);
    let help = match (wrong.close, mended(text, line, &wrong)) {
        (_, Some(line)) => format!("write `{line}`"),
        (Some('`'), None) => "write a backtick where it ends".to_owned(),
        (Some(close), None) => format!("write `{close}` where it ends"),
        (None, None) => format!("remove `{sign}`, or write the bracket that it closes"),
    };
    Some(SyntaxOddity { at: wrong.at, code: code::SYNTAX, headline, help })
}

/// A bracket or quote that is wrong.
struct WrongMark {
    at: Range<usize>,
    /// What would close it; none where it closes nothing.
    close: Option<char>,
}

fn wrong(tokens: ScriptTokens<'_>) -> Option<WrongMark> {
    let all = tokens.all;
    let opens = |k: usize| tokens.is(k, TokenKind::Open);
    let unclosed = |k: usize| opens(k) && tokens.partner(k).is_none();
    let stray = |k: usize| tokens.is(k, TokenKind::Close) && all[k].partner.is_none();
    // What a comment swallows that is never closed says nothing.
    let comment = all.iter().any(|token| token.open && token.kind == TokenKind::Comment);
    if comment || !(0..all.len()).any(|k| all[k].open || unclosed(k) || stray(k)) {
        return None;
    }
    let quote = (0..all.len()).find(|k| swallows(tokens, *k));
    bracket(tokens, quote.unwrap_or(all.len())).or_else(|| {
        let at = all[quote?].start;
        let close = tokens.text[at..].chars().next()?;
        Some(WrongMark { at: at..at + 1, close: Some(close) })
    })
}

/// Whether what stands in these quotes goes on behind where it was meant to end: to the text's end, into another line, or in
/// backticks into another statement.
fn swallows(tokens: ScriptTokens<'_>, at: usize) -> bool {
    let text = tokens.text(at);
    let mut further = text.split('\n').skip(1);
    match tokens.kind(at) {
        Some(TokenKind::Ticked) if text.starts_with('`') => {
            // Code may stand in them: the last piece is what is open.
            let last =
                (at..tokens.all.len()).find(|k| tokens.is(*k, TokenKind::Ticked) && !tokens.text(*k).ends_with('`'));
            let open =
                tokens.all[at].open || last.is_some_and(|k| k > at && tokens.all[k].open) && !text.ends_with('`');
            open || further.any(begins_statement)
        }
        Some(TokenKind::Quoted) => {
            tokens.all[at].open || text.starts_with('"') && text.contains('\n') && !text.contains("\\\n")
        }
        _ => false,
    }
}

/// Whether a line of what stands in backticks begins like a statement; a law may have `let x := …` there.
fn begins_statement(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next().is_some_and(|first| BEGINNINGS.contains(&first) && (first != "let" || !line.contains(":=")))
        && words.next().is_some()
}

/// The first bracket before a token that is never closed, or closes none.
fn bracket(tokens: ScriptTokens<'_>, end: usize) -> Option<WrongMark> {
    let mut open: Vec<usize> = Vec::new();
    // A brace that is closed further left than its line begins may have been meant to be closed before.
    let mut suspected = None;
    let never_closed = |at: usize| {
        let close = closing(tokens.text(at));
        Some(WrongMark { at: tokens.all[at].range(), close: Some(close) })
    };
    for k in 0..end {
        let (text, last) = (tokens.text(k), open.last().copied());
        let inside = last.map_or("", |last| tokens.text(last));
        match tokens.kind(k) {
            Some(TokenKind::Open) => open.push(k),
            Some(TokenKind::Close) => match last {
                Some(last) if text.starts_with(closing(inside)) => {
                    if inside == "{" && indentation(tokens, k) < indentation(tokens, last) && first_in_line(tokens, k) {
                        suspected = suspected.or(Some(last));
                    }
                    open.pop();
                }
                Some(last) if open.iter().any(|k| text.starts_with(closing(tokens.text(*k)))) || inside != "{" => {
                    return never_closed(last);
                }
                _ => return Some(WrongMark { at: tokens.all[k].range(), close: None }),
            },
            Some(TokenKind::Word) if BEGINNINGS.contains(&text) && is_statement(tokens, k) => match inside {
                "(" | "[" => return never_closed(last?),
                // Functions are defined at the top only.
                "{" if text == "fn" => return never_closed(suspected.or(last)?),
                _ => {}
            },
            _ => {}
        }
    }
    if end < tokens.all.len() {
        None
    } else {
        never_closed(suspected.filter(|_| !open.is_empty()).or(open.last().copied())?)
    }
}

fn closing(open: &str) -> char {
    match open {
        "(" => ')',
        "[" => ']',
        _ => '}',
    }
}

/// Whether such a word begins a statement: `strategy` and `rule` may be names, and fields may be called so.
fn is_statement(tokens: ScriptTokens<'_>, at: usize) -> bool {
    let next = tokens.is(tokens.counting(at + 1), TokenKind::Word);
    let before = tokens.all[..at].iter().rfind(|token| token.counts()).map_or("", |token| &tokens.text[token.range()]);
    before != "." && (next || tokens.text(at) == "import")
}

/// How far the line is indented in which a token stands.
fn indentation(tokens: ScriptTokens<'_>, at: usize) -> usize {
    let line = &tokens.text[line_start(tokens.text, tokens.start(at))..];
    line.len() - line.trim_start_matches(' ').len()
}

fn first_in_line(tokens: ScriptTokens<'_>, at: usize) -> bool {
    let start = tokens.start(at);
    tokens.text[line_start(tokens.text, start)..start].trim().is_empty()
}

/// A line with what it leaves open closed before its `;`, or without the bracket that closes nothing; none where something is
/// still wrong in it then.
fn mended(text: &str, line: Range<usize>, wrong: &WrongMark) -> Option<String> {
    let written = &text[line.clone()];
    let own = wrong.at.start - line.start..wrong.at.end - line.start;
    let new = match wrong.close {
        None => [&written[..own.start], &written[own.end..]].concat(),
        Some('}') => return None,
        Some(close) => {
            let inside = written.trim_end().trim_end_matches(';');
            let quoted = matches!(close, '`' | '"' | '\'');
            // Brackets that stand open before the quote are closed behind it.
            let opened = |part: &str, open: char, close: char| {
                part.matches(close).count().saturating_sub(part.matches(open).count())
            };
            let behind = if quoted { opened(&inside[own.end..], '(', ')') } else { 0 };
            let kept = inside.trim_end_matches(')');
            let end = inside.len().min(kept.len().max(inside.len() - behind));
            let end = written[..end].find(" where ").filter(|at| quoted && *at > own.end).unwrap_or(end);
            let last = written[own.end..end].trim_end();
            // What an operator misses stands there, too.
            if last.is_empty() || !quoted && last.ends_with(['+', ';', '*', '=', ',', '|', '&', '-']) {
                return None;
            }
            format!("{}{close}{}", &written[..end], written[end..].trim_end())
        }
    };
    if new.trim().is_empty() {
        return None;
    }
    let whole = [&text[..line.start], &new, &text[line.end..]].concat();
    let all = tokens(&whole, Dialect::Script);
    let behind = line.start + new.len();
    let still = self::wrong(ScriptTokens { text: &whole, all: &all });
    still.is_none_or(|still| still.at.start >= behind).then(|| new.trim().to_owned())
}
