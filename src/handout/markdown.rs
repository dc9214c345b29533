//! A derivation as notes in Markdown: terms stand in fences, names in code, so that neither is ever markup.

use super::Told;
use super::notes::{Note, Notes};
use crate::derivation::{Derivation, Row};
use crate::ground::text::counted;
use crate::ground::{Budget, StopReason};
use crate::render::{Excerpts, Styled, leading, polynomial};
use crate::syntax::{Style, print_term};

/// What notes that redexter wrote begin with.
pub const BEGINNING: &str = "<!-- Written by redexter. -->\n\n";

/// Terms are laid out to this width.
const WIDTH: usize = 96;

/// The whole derivation; of long terms the surroundings of what is rewritten.
pub fn markdown(told: &Told, derivation: &Derivation, budget: &Budget) -> Result<String, StopReason> {
    let notes = Notes { told, derivation, budget };
    let mut out = format!("{BEGINNING}# {}\n\n{}\n\n", plain(&told.title), summary(&notes));
    out.push_str("| stage | steps | work |\n|---|---|---|\n");
    notes.rows()?.iter().for_each(|row| out.push_str(&stage(row)));
    out.push_str("\n## First\n\n");
    let width = &Style { width: WIDTH };
    out.push_str(&fenced("", &print_term(&derivation.term(0), width)));
    out.push_str("\n## Steps\n");
    notes.each(WIDTH, |note, terms| out.push_str(&step(note, terms)))?;
    out.push_str("\n## Last\n\n");
    out.push_str(&fenced("", &print_term(&derivation.term(notes.count()), width)));
    Ok(out)
}

fn summary(notes: &Notes) -> String {
    let (before, after) = (notes.derivation.work(0), notes.derivation.work(notes.count()));
    let work = match before == after {
        true => format!("; its work is {}, as before", leading(&after)),
        false => format!("; its work goes from {} to {}", leading(&before), leading(&after)),
    };
    let Told { schedule, model, title, .. } = notes.told;
    let model = if model.is_empty() { title } else { model };
    format!("{} rewrites {} in {}{}.", code(schedule), code(model), counted(notes.count(), "step"), plain(&work))
}

fn stage(row: &Row) -> String {
    let indent = "&emsp;".repeat(row.depth);
    let place = match row.pieces {
        1 => format!("{}–{}", row.span.start + 1, row.span.end),
        pieces => format!("{} in {pieces} pieces", row.steps),
    };
    let work = row.work.as_ref().map_or_else(String::new, |(before, after)| match before == after {
        true => leading(after),
        false => format!("{} → {}", leading(before), leading(after)),
    });
    format!("| {indent}{} | {place} | {} |\n", code(&row.title).replace('|', "\\|"), plain(&work))
}

fn step(note: &Note, terms: Excerpts) -> String {
    let mut out = format!("\n### {}. {}\n\n", note.number, code(&note.rule));
    let mut facts = Vec::new();
    if !note.law.is_empty() {
        facts.push(code(&note.law));
    }
    if !note.place.is_empty() {
        facts.push(format!("at {}", code(&note.place)));
    }
    if note.work.0 != note.work.1 {
        facts.push(plain(&format!("work {} → {}", polynomial(&note.work.0), polynomial(&note.work.1))));
    }
    if !facts.is_empty() {
        out.push_str(&format!("{}\n\n", facts.join("; ")));
    }
    let mut text = String::new();
    for (sign, lines) in [('-', &terms.before), ('+', &terms.after)] {
        for line in Excerpts::text(lines) {
            text.push_str(&format!("{sign} {line}\n"));
        }
    }
    out.push_str(&fenced("diff", &text));
    out
}

/// Prose: no character of it is markup.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for c in seen(text).chars() {
        if c.is_ascii_punctuation() && !matches!(c, ',' | ';' | ':' | '(' | ')' | '/' | '\'' | '.' | '+') {
            out.push('\\');
        }
        out.push(if c == '\n' { ' ' } else { c });
    }
    out
}

/// Text with its control characters written out.
fn seen(text: &str) -> String {
    Styled::from(text).visible().text().to_owned()
}

/// Code in a line, in as many backticks as it takes.
fn code(text: &str) -> String {
    let text = seen(text).split_whitespace().collect::<Vec<_>>().join(" ");
    let ticks = "`".repeat(longest_run(&text) + 1);
    let gap = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{gap}{text}{gap}{ticks}")
}

fn fenced(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end_matches('\n'))
}

/// The most backticks that stand together.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}
