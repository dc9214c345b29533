//! Writes a derivation as notes in Markdown: terms stand in fences, names in code spans, so that neither is ever markup.

use super::derivation::TitledDerivation;
use super::notes::{DerivationNotes, StageNote, StepNote};
use crate::render::{Excerpts, changed};
use redexter_language::ground::text::{counted, visible};
use redexter_language::ground::{Budget, StopReason};
use redexter_language::syntax::{PrintStyle, print_term};

/// The beginning of all notes that redexter writes.
pub const BEGINNING: &str = "<!-- Written by redexter. -->\n\n";

/// Terms are laid out to this width.
const WIDTH: usize = 96;

/// The whole derivation; of long terms the surroundings of what is rewritten.
pub(super) fn markdown((told, derivation): TitledDerivation, budget: &Budget) -> Result<String, StopReason> {
    let notes = DerivationNotes { told, derivation, budget };
    let mut out = format!("{BEGINNING}# {}\n\n{}\n\n", plain(&told.title), summary(&notes));
    out.push_str("| stage | steps | work |\n|---|---|---|\n");
    notes.stages()?.iter().for_each(|row| out.push_str(&stage(row)));
    out.push_str("\n## First\n\n");
    let width = &PrintStyle { width: WIDTH };
    out.push_str(&fenced("", &print_term(&derivation.term(0), width)));
    out.push_str("\n## Steps\n");
    notes.each(WIDTH, |note, terms| out.push_str(&step(note, terms)))?;
    out.push_str("\n## Last\n\n");
    out.push_str(&fenced("", &print_term(&derivation.term(notes.count()), width)));
    Ok(out)
}

fn summary(notes: &DerivationNotes) -> String {
    let work = match notes.work() {
        (None, after) => format!("; its work is {after}, as before"),
        (Some(before), after) => format!("; its work goes from {before} to {after}"),
    };
    let steps = counted(notes.count(), "step");
    if let Some(told) = notes.told_count() {
        return format!(
            "{told} of the {steps} by {} between the two terms below{}.",
            code(&notes.told.schedule),
            plain(&work)
        );
    }
    format!("{} rewrites {} in {steps}{}.", code(&notes.told.schedule), code(notes.model()), plain(&work))
}

fn stage(stage: &StageNote) -> String {
    let steps = match &stage.steps {
        Ok((first, last)) => format!("{first}–{last}"),
        Err(pieces) => pieces.clone(),
    };
    let work = match &stage.work {
        Some((Some(before), after)) => format!("{before} → {after}"),
        Some((None, after)) => after.clone(),
        None => String::new(),
    };
    let (indent, title) = ("&emsp;".repeat(stage.depth), code(&stage.title).replace('|', "\\|"));
    format!("| {indent}{title} | {steps} | {} |\n", plain(&work))
}

fn step(note: &StepNote, terms: Excerpts) -> String {
    let mut out = note.left_out.as_ref().map_or_else(String::new, |gap| format!("\n*{gap}*\n"));
    out.push_str(&format!("\n### {}. {}\n\n", note.number, code(&note.rule)));
    let mut facts = Vec::new();
    if !note.law.is_empty() {
        facts.push(code(&note.law));
    }
    if !note.place.is_empty() {
        facts.push(format!("at {}", code(&note.place)));
    }
    if let Some(maker) = note.maker {
        facts.push(format!("made by step {maker}"));
    }
    if note.work.0 != note.work.1 {
        facts.push(plain(&format!("work {}", changed(&note.work.0, &note.work.1))));
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
    for c in visible(text).chars() {
        if c.is_ascii_punctuation() && !matches!(c, ',' | ';' | ':' | '(' | ')' | '/' | '\'' | '.' | '+') {
            out.push('\\');
        }
        out.push(if c == '\n' { ' ' } else { c });
    }
    out
}

/// Code in a line, in as many backticks as it takes.
fn code(text: &str) -> String {
    let text = visible(text).split_whitespace().collect::<Vec<_>>().join(" ");
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
