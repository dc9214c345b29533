//! Writes a derivation as JSON for other programs: its first and last term whole, its stages, and each step that is told.

use serde_json::{Value, json};

use super::derivation::TitledDerivation;
use super::notes::{DerivationNotes, StageNote, StepNote};
use redexter_language::ground::{Budget, StopReason};
use redexter_language::syntax::{PrintStyle, print_term};
use redexter_language::term::Term;

/// The beginning of all of them: the name is in no other JSON that redexter writes.
pub const BEGINNING: &str = "{\n  \"redexter derivation\": 1";

/// The whole derivation, indented, a term on a line of its own.
pub(super) fn json((told, derivation): TitledDerivation, budget: &Budget) -> Result<String, StopReason> {
    let notes = DerivationNotes { told, derivation, budget };
    let mut steps = Vec::new();
    notes.notes(|note| steps.push(step(note)))?;
    let work = |after: usize| derivation.work(after).to_string();
    let all = json!({
        "redexter derivation": 1,
        "title": told.title,
        "model": notes.model(),
        "schedule": told.schedule,
        "stopped": told.stopped,
        "steps": notes.count(),
        "work": { "before": work(0), "after": work(notes.count()) },
        "first": text(&derivation.term(0)),
        "last": text(&derivation.term(notes.count())),
        "stages": notes.stages()?.iter().map(stage).collect::<Vec<Value>>(),
        "trace": steps,
    });
    Ok(format!("{all:#}\n"))
}

fn text(term: &Term) -> String {
    print_term(term, &PrintStyle { width: usize::MAX })
}

fn stage(stage: &StageNote) -> Value {
    let span = stage.steps.as_ref().ok().map(|(first, last)| json!([first, last]));
    json!({ "title": stage.title, "depth": stage.depth, "span": span })
}

fn step(note: &StepNote) -> Value {
    json!({
        "number": note.number,
        "rule": note.rule,
        "law": note.law,
        "path": note.place,
        "madeBy": note.maker,
        "term": text(&note.terms[1]),
        "work": note.work.1.to_string(),
    })
}
