//! Converts what a lesson says to JSON: pages in blocks, lines in pieces. Whatever shows it reads no Markdown.

use redexter::ground::Sources;
use redexter::lesson::Diagnosis;
use redexter::render::{self, Language, Look, Styled, code};
use redexter::reply::{self, InlineStyle, MarkdownBlock};
use redexter::session::{AttemptReport, LessonEntry, LessonOpening, LessonResponse, Response};
use redexter::walk::WalkAnswer;
use serde_json::{Value, json};

use super::said::pieces;

/// An answer of a lesson, as JSON.
pub fn lecture(
    lecture: &LessonResponse,
    width: usize,
    is_rule: &dyn Fn(&str) -> bool,
    explained: &dyn Fn(&str) -> Option<String>,
) -> Value {
    let line = |text: &str| line(text, explained);
    let prose = |text: &str| prose(text, is_rule, &line);
    match lecture {
        LessonResponse::List(all) => all.iter().map(|lesson| row(lesson, &line)).collect(),
        LessonResponse::Opened(opening) => opened(opening, width, &line, &prose),
        LessonResponse::Hint { number, of, text } => {
            json!({ "hint": { "number": number, "of": of, "prose": prose(text) } })
        }
        LessonResponse::Tried(tried) => self::tried(tried, width, &prose),
        LessonResponse::More(diagnosis) => json!({ "more": said(diagnosis), "prose": rest(lecture, diagnosis, width) }),
        LessonResponse::Report(text) => json!({ "report": text }),
        LessonResponse::TypedGoal(_) => json!({ "typed": quoted(&reply::typed_goal().into_text()) }),
        LessonResponse::Closed(_) => json!({ "closed": true }),
    }
}

fn row(lesson: &LessonEntry, line: &dyn Fn(&str) -> Value) -> Value {
    let reached = lesson.taken.as_ref().is_some_and(|taken| taken.is_reached());
    json!({ "number": lesson.number, "name": lesson.name, "title": line(&lesson.title), "reached": reached })
}

fn opened(opening: &LessonOpening, width: usize, line: &dyn Fn(&str) -> Value, prose: &dyn Fn(&str) -> Value) -> Value {
    let LessonOpening { name, title, work, goal, rules, hints, .. } = opening;
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

fn tried(tried: &AttemptReport, width: usize, prose: &dyn Fn(&str) -> Value) -> Value {
    let AttemptReport { ran, diagnosis, picked, attempts, hints, next } = tried;
    let taken = |answer: &WalkAnswer| matches!(answer, WalkAnswer::Run(run) if run.taken() > 0);
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
fn rest(lecture: &LessonResponse, diagnosis: &Diagnosis, width: usize) -> Value {
    let answer = Response::Lesson(Box::new(lecture.clone()));
    let (whole, _) = reply::reply(&Ok(answer), width, &Sources::default());
    let head = reply::said(diagnosis).folded(width).lines().len();
    let mut out = Styled::default();
    whole.lines().iter().skip(head).for_each(|line| out.append(&line.clone().then("\n")));
    pieces(&out.trim_end())
}

/// A page in blocks: `{kind, text}` or `{kind, rows}`.
fn prose(text: &str, is_rule: &dyn Fn(&str) -> bool, line: &dyn Fn(&str) -> Value) -> Value {
    let shown = |block: MarkdownBlock| match block {
        MarkdownBlock::Blank => None,
        MarkdownBlock::Code(language, text) => {
            let text = text.trim_end();
            let text = match &*language {
                "arr" => code(text, Language::Model, is_rule),
                "strat" => code(text, Language::Script, is_rule),
                _ => text.into(),
            };
            Some(json!({ "kind": "code", "text": pieces(&text) }))
        }
        MarkdownBlock::Table(rows) => {
            let rows = rows.iter().map(|row| row.iter().map(|cell| line(cell)).collect::<Vec<_>>());
            Some(json!({ "kind": "table", "rows": rows.collect::<Vec<_>>() }))
        }
        MarkdownBlock::Heading(depth, text) => Some(json!({ "kind": "heading", "depth": depth, "text": line(&text) })),
        MarkdownBlock::Item(sign, text) => {
            let kind = if sign.contains('.') { "numbered" } else { "item" };
            Some(json!({ "kind": kind, "text": line(&text) }))
        }
        MarkdownBlock::Paragraph(text) => Some(json!({ "kind": "text", "text": line(&text) })),
    };
    reply::blocks(text).into_iter().filter_map(shown).collect()
}

/// A line of Markdown in pieces; code that is a word with what it means.
fn line(text: &str, explained: &dyn Fn(&str) -> Option<String>) -> Value {
    let name = |span: InlineStyle| match span {
        InlineStyle::Plain => "",
        InlineStyle::Code => "code",
        InlineStyle::Strong => "strong",
        InlineStyle::Emphasis => "emphasis",
    };
    let piece = |(span, text): &(InlineStyle, String)| match explained(text).filter(|_| *span == InlineStyle::Code) {
        Some(means) => json!([name(*span), text, means]),
        None => json!([name(*span), text]),
    };
    reply::spans(text).iter().map(piece).collect()
}

/// Text in which ticks stand around code, and nothing else is markup.
fn quoted(text: &str) -> Value {
    let parts = text.split('`').enumerate().filter(|(_, part)| !part.is_empty());
    parts.map(|(k, part)| json!([if k % 2 == 1 { "code" } else { "" }, part])).collect()
}
