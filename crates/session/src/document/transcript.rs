//! Reads transcripts of the REPL, replays them and compares their answers with those that are given now. A line that begins with
//! `> ` is typed, one with `| ` continues it, and what follows is the answer; text above the first `> ` is commentary.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use crate::reply;
use crate::session::{self, PendingLines, Response, Session, Sink, System};
use redexter_language::ground::fence::FencedLine;
use redexter_language::ground::{Diagnostic, SourceId, Sources, Span, StopReason, Trouble, code};
use redexter_telling::render;

/// The width that answers are laid out to: a pipe's.
const WIDTH: usize = 100;

/// A transcript.
pub struct Transcript<'a> {
    commentary: Vec<FencedLine<'a>>,
    exchanges: Vec<PromptExchange<'a>>,
}

/// Lines that are typed, and the answer to them.
struct PromptExchange<'a> {
    typed: Vec<FencedLine<'a>>,
    answer: Vec<FencedLine<'a>>,
}

/// Reads a transcript's lines.
pub fn read<'a>(lines: &[FencedLine<'a>]) -> Transcript<'a> {
    let mut read = Transcript { commentary: Vec::new(), exchanges: Vec::new() };
    for line in lines {
        let continues = line.text.starts_with("| ");
        match read.exchanges.last_mut() {
            _ if line.text.starts_with("> ") => {
                read.exchanges.push(PromptExchange { typed: vec![*line], answer: Vec::new() });
            }
            Some(last) if continues => last.typed.push(*line),
            Some(last) => last.answer.push(*line),
            None => read.commentary.push(*line),
        }
    }
    read
}

/// A transcript with the answers that are given now, in a session of its own like `session`.
pub fn replay(session: &Session, transcript: &str) -> Result<String, Trouble> {
    let lines: Vec<FencedLine> = transcript.split_inclusive('\n').map(|text| FencedLine { at: 0, text }).collect();
    let told = read(&lines);
    Ok(written(&told, &answers(session, session.system(), &told)?))
}

/// The answers to what is typed. What stays unfinished is answered at the end.
pub fn answers(session: &Session, system: Rc<dyn System>, told: &Transcript<'_>) -> Result<Vec<String>, Trouble> {
    let said = TranscriptSink { text: Rc::default(), sources: session.sources_handle() };
    let text = said.text.clone();
    let mut replayed = session.apart(system, Box::new(said))?;
    let (mut pending, mut more, mut interrupted) = (PendingLines::default(), true, None);
    let mut answer = |session: &mut Session, line: &str| {
        let answer = session::submit(session, line);
        let (result, trouble) = reply::reply(&answer, WIDTH, &session.sources());
        text.borrow_mut().extend([result.text(), trouble.text()]);
        interrupted = interrupted.take().or(interruption(&answer));
        interrupted.is_none() && !matches!(answer, Ok(Response::Quit))
    };
    let mut answers = Vec::new();
    for (k, exchange) in told.exchanges.iter().enumerate() {
        for line in &exchange.typed {
            more = more && replayed.read_line(&mut pending, line.text[2..].trim_end(), &mut answer);
        }
        if more && k + 1 == told.exchanges.len() && !pending.is_empty() {
            answer(&mut replayed, pending.text());
        }
        answers.push(text.take());
    }
    interrupted.map_or(Ok(answers), Err)
}

/// The trouble, where it is the user's Ctrl-C.
fn interruption(answer: &Result<Response, Trouble>) -> Option<Trouble> {
    let trouble = answer.as_ref().map_or_else(Some, Response::trouble)?;
    matches!(trouble, Trouble::Stopped { reason: StopReason::Interrupted, .. }).then(|| trouble.clone())
}

/// The transcript with other answers.
pub fn written(told: &Transcript<'_>, answers: &[String]) -> String {
    let mut out: String = told.commentary.iter().map(|line| line.text).collect();
    for (exchange, answer) in told.exchanges.iter().zip(answers) {
        for line in &exchange.typed {
            out.extend([line.text.trim_end(), "\n"]);
        }
        out.push_str(answer);
    }
    out
}

/// A finding for each answer of a transcript that isn't the one that is given now.
pub fn differences<'a>(
    page: SourceId,
    told: &'a Transcript<'_>,
    answers: &'a [String],
) -> impl Iterator<Item = Diagnostic> + 'a {
    let exchanges = told.exchanges.iter().zip(answers);
    exchanges.filter_map(move |(exchange, answer)| difference(page, exchange, answer))
}

fn difference(page: SourceId, exchange: &PromptExchange<'_>, answer: &str) -> Option<Diagnostic> {
    let before: Vec<&str> = exchange.answer.iter().map(|line| line.text.trim_end_matches('\n')).collect();
    let now: Vec<&str> = answer.lines().collect();
    if before == now {
        return None;
    }
    let (gone, new) = changed(&before, &now);
    let typed = exchange.typed[0];
    let place = |line: &FencedLine| Span::new(page, line.at, line.at + line.text.trim_end().len());
    let headline = format!("`{}` has another answer", typed.text[2..].trim_end());
    let found = Diagnostic::error(code::DIFFERENT_ANSWER, headline);
    let found = match &exchange.answer[gone] {
        [] => found.at(place(&typed), "is answered by more than what stands here"),
        [only] => found.at(place(only), "isn't said"),
        [first, .., last] => found.at(place(first).to(place(last)), "isn't said"),
    };
    let said = match now[new].join("\n") {
        nothing if nothing.is_empty() => "nothing is said there".to_owned(),
        said => format!("what is said there:\n{said}"),
    };
    Some(found.help(said).help("`--update` writes down the answers that are given now"))
}

/// The ranges of two lists that are left without the lines that both begin with, and those that both end with.
fn changed(before: &[&str], now: &[&str]) -> (Range<usize>, Range<usize>) {
    let least = before.len().min(now.len());
    let first = (0..least).find(|k| before[*k] != now[*k]).unwrap_or(least);
    let same = |k: &usize| before[before.len() - 1 - k] == now[now.len() - 1 - k];
    let behind = (0..least - first).take_while(same).count();
    (first..before.len() - behind, first..now.len() - behind)
}

/// Gathers what scripts print.
struct TranscriptSink {
    text: Rc<RefCell<String>>,
    sources: Rc<RefCell<Sources>>,
}

impl Sink for TranscriptSink {
    fn line(&self, text: &str) {
        self.text.borrow_mut().extend([text, "\n"]);
    }

    fn finding(&self, finding: &Diagnostic) {
        self.text.borrow_mut().push_str(render::finding(finding, &self.sources).text());
    }
}

#[cfg(test)]
mod tests {
    use super::changed;

    #[test]
    fn what_differs_is_told_from_what_stays() {
        assert_eq!(changed(&["a", "b", "c"], &["a", "x", "y", "c"]), (1..2, 1..3));
        assert_eq!(changed(&["a", "a"], &["a"]), (1..2, 1..1));
        assert_eq!(changed(&[], &["a"]), (0..0, 0..1));
    }
}
