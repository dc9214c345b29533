//! Converts what a lesson says to JSON: pages in blocks, lines in pieces. Whatever shows it reads no Markdown.

use redexter::ground::Sources;
use redexter::lesson::Diagnosis;
use redexter::render::{self, Language, Look, Styled, code};
use redexter::reply::{self, Block, Span};
use redexter::session::{Lecture, Listed, Opening, Response, Tried};
use redexter::walk::Answer;
use serde_json::{Value, json};

use super::said::pieces;

/// An answer of a lesson, as JSON.
pub fn lecture(lecture: &Lecture, width: usize, is_rule: &dyn Fn(&str) -> bool) -> Value {
    let prose = |text: &str| prose(text, is_rule);
    match lecture {
        Lecture::List(all) => all.iter().map(row).collect(),
        Lecture::Opened(opening) => opened(opening, width, &prose),
        Lecture::Hint { number, of, text } => json!({ "hint": { "number": number, "of": of, "prose": prose(text) } }),
        Lecture::Tried(tried) => self::tried(tried, width, &prose),
        Lecture::More(diagnosis) => json!({ "more": said(diagnosis), "prose": rest(lecture, diagnosis, width) }),
        Lecture::Closed(_) => json!({ "closed": true }),
    }
}

fn row(lesson: &Listed) -> Value {
    let reached = lesson.taken.as_ref().is_some_and(|taken| taken.is_reached());
    json!({ "name": lesson.name, "title": line(&lesson.title), "reached": reached })
}

fn opened(opening: &Opening, width: usize, prose: &dyn Fn(&str) -> Value) -> Value {
    let Opening { name, title, work, goal, rules, hints, .. } = opening;
    let rules: Vec<Value> = rules.iter().map(|(usage, law)| json!([usage, quoted(law)])).collect();
    json!({ "opened": {
        "name": name,
        "title": line(title),
        "prose": prose(&opening.prose),
        "work": render::polynomial(work),
        "goal": pieces(&reply::wanted(goal, width.into()).trim_end()),
        "rules": rules,
        "hints": hints,
    }})
}

fn tried(tried: &Tried, width: usize, prose: &dyn Fn(&str) -> Value) -> Value {
    let Tried { ran, diagnosis, picked, attempts, hints, next } = tried;
    let taken = |answer: &Answer| matches!(answer, Answer::Run(run) if run.taken() > 0);
    let kind = diagnosis.kind();
    json!({
        "reached": kind.is_reached(),
        "next": next,
        "tried": {
            "kind": kind.word(),
            "said": said(diagnosis),
            "remark": diagnosis.remark.as_deref().map(prose),
            "picked": picked,
            "back": !kind.is_reached() && ran.as_deref().is_some_and(taken),
            "ran": ran.as_deref().map(|answer| pieces(&render::walk(answer, width.into()).trim_end())),
            "attempts": attempts,
            "hints": hints,
        },
    })
}

/// The head of a diagnosis, in pieces.
fn said(diagnosis: &Diagnosis) -> Value {
    let text = reply::said(diagnosis);
    let run = |(look, text): (Look, &str)| match look {
        Look::Plain => quoted(text),
        _ => json!([["strong", text]]),
    };
    text.runs().map(run).flat_map(|all| all.as_array().cloned().unwrap_or_default()).collect()
}

/// The text that the answer for more has behind the head.
fn rest(lecture: &Lecture, diagnosis: &Diagnosis, width: usize) -> Value {
    let answer = Response::Lesson(Box::new(lecture.clone()));
    let (whole, _) = reply::reply(&Ok(answer), width, &Sources::default());
    let head = reply::said(diagnosis).folded(width).lines().len();
    let mut out = Styled::default();
    whole.lines().iter().skip(head).for_each(|line| out.append(&line.clone().then("\n")));
    pieces(&out.trim_end())
}

/// A page in blocks: `{kind, text}` or `{kind, rows}`.
fn prose(text: &str, is_rule: &dyn Fn(&str) -> bool) -> Value {
    let shown = |block: Block| match block {
        Block::Blank => None,
        Block::Code(language, text) => {
            let text = text.trim_end();
            let text = match &*language {
                "arr" => code(text, Language::Model, is_rule),
                "strat" => code(text, Language::Script, is_rule),
                _ => text.into(),
            };
            Some(json!({ "kind": "code", "text": pieces(&text) }))
        }
        Block::Table(rows) => {
            let rows = rows.iter().map(|row| row.iter().map(|cell| line(cell)).collect::<Vec<_>>());
            Some(json!({ "kind": "table", "rows": rows.collect::<Vec<_>>() }))
        }
        Block::Heading(depth, text) => Some(json!({ "kind": "heading", "depth": depth, "text": line(&text) })),
        Block::Item(sign, text) => {
            let kind = if sign.contains('.') { "numbered" } else { "item" };
            Some(json!({ "kind": kind, "text": line(&text) }))
        }
        Block::Paragraph(text) => Some(json!({ "kind": "text", "text": line(&text) })),
    };
    reply::blocks(text).into_iter().filter_map(shown).collect()
}

/// A line of Markdown in pieces.
fn line(text: &str) -> Value {
    let name = |span: Span| match span {
        Span::Plain => "",
        Span::Code => "code",
        Span::Strong => "strong",
        Span::Emphasis => "emphasis",
    };
    reply::spans(text).iter().map(|(span, text)| json!([name(*span), text])).collect()
}

/// Text in which ticks stand around code, and nothing else is markup.
fn quoted(text: &str) -> Value {
    let parts = text.split('`').enumerate().filter(|(_, part)| !part.is_empty());
    parts.map(|(k, part)| json!([if k % 2 == 1 { "code" } else { "" }, part])).collect()
}
