//! Splits a text of several lines into what the prompt would answer one by one. In a lesson the strategies that follow one
//! another are one attempt, whatever lines they stand on.

use std::ops::Range;

use super::state::Session;
use redexter_language::ground::text::word;
use redexter_language::syntax::tokens::{Dialect, TokenKind, tokens};

/// The most bytes that are read for one statement, which is read anew for each of its lines. A longer one goes on to the end.
const MAX_BYTES_READ: usize = 4 << 20;

/// Signs with which a line goes on with the strategy before it.
pub(super) const GOING_ON: [&str; 3] = ["<+", ";", ")"];

/// A statement of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextStatement {
    /// Where it stands, in bytes.
    pub range: Range<usize>,
    /// What is to be answered: as long as what stands there, so that places in it are places there.
    pub line: String,
}

/// The statements of a text, in order.
pub fn statements(session: &Session, text: &str) -> Vec<TextStatement> {
    let plain = |range: Range<usize>| TextStatement { line: text[range.clone()].to_owned(), range };
    let (mut all, mut defined): (Vec<TextStatement>, Vec<String>) = (Vec::new(), Vec::new());
    for next in split(session, text).into_iter().map(plain) {
        // What the text defines isn't known before it runs.
        let is_strategy = |line: &str| session.is_strategy(line) || defined.iter().any(|name| name == word(line));
        let joins = session.work.course.is_some()
            && is_strategy(&next.line)
            && all.last().is_some_and(|last| is_strategy(&last.line));
        defined.extend(next.line.strip_prefix("strategy ").map(|rest| word(rest.trim_start()).to_owned()));
        match all.pop_if(|_| joins) {
            Some(before) => all.push(joined(text, before, &next)),
            None => all.push(next),
        }
    }
    all
}

/// Two strategies as one: a `;` stands in the place of what is between them.
fn joined(text: &str, before: TextStatement, next: &TextStatement) -> TextStatement {
    let between = blank(&text[before.range.end..next.range.start]);
    let first = without_comments(&before.line);
    let is_open = first.trim_end().ends_with([';', '+']) || next.line.starts_with(';');
    let sign = if is_open { between } else { format!(";{}", between.get(1..).unwrap_or("")) };
    TextStatement {
        range: before.range.start..next.range.end,
        line: [first, sign, without_comments(&next.line)].concat(),
    }
}

/// A script with as many bytes of nothing for its comments.
fn without_comments(script: &str) -> String {
    let all = tokens(script, Dialect::Script);
    let bare = all.iter().map(|token| match token.kind {
        TokenKind::Comment => blank(&script[token.range()]),
        _ => script[token.range()].to_owned(),
    });
    bare.collect()
}

/// As many bytes of nothing.
fn blank(text: &str) -> String {
    text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect()
}

fn is_indented(line: &str) -> bool {
    line.starts_with([' ', '\t']) && !line.trim().is_empty()
}

fn split(session: &Session, text: &str) -> Vec<Range<usize>> {
    let (mut ranges, mut start): (Vec<Range<usize>>, Option<usize>) = (Vec::new(), None);
    let (mut at, mut read) = (0, 0);
    for line in text.split_inclusive('\n') {
        let (from, end) = (at, at + line.trim_end().len());
        at += line.len();
        let (is_command, bare) = (line.starts_with(':'), line.trim_start());
        if let Some(open) = start.filter(|_| is_command) {
            ranges.push(open..from);
            start = None;
        }
        if start.is_none() && (bare.is_empty() || bare.starts_with("//")) {
            continue;
        }
        if start.is_none() && GOING_ON.iter().any(|sign| bare.starts_with(sign)) {
            start = ranges.pop_if(|last| session.is_strategy(&text[last.clone()])).map(|last| last.start);
        }
        let begin = *start.get_or_insert_with(|| {
            read = 0;
            from
        });
        read += end.saturating_sub(begin);
        if read > MAX_BYTES_READ {
            break;
        }
        // What a definition is goes on in lines that are indented, also behind a `;`.
        let goes_on = word(&text[begin..]) == "strategy" && text[at..].lines().next().is_some_and(is_indented);
        if !goes_on && session.is_complete(&text[begin..end.max(begin)]) {
            ranges.push(begin..end);
            start = None;
        }
    }
    ranges.extend(start.map(|open| open..text.len()));
    ranges
}
