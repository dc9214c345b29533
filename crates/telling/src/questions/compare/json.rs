//! Renders two strategies side by side as JSON.

use serde_json::{Value, json};

use super::super::runs::{AfterSteps, why};
use super::text::sizes;
use redexter_language::eval::value_to_json;
use redexter_language::syntax::{PrintStyle, print_term};
use redexter_rewriting::compare::{AlignedSteps, AttemptEnd, CommonTerm, DivergingStep, SideBySide, SidesVerdict};
use redexter_rewriting::rule::Exactness;
use redexter_rewriting::sound::ProgramComparison;

/// Two strategies side by side.
pub fn sides(AfterSteps { found, on }: &AfterSteps<SideBySide>) -> Value {
    let side = |k: usize| {
        let side = &found.sides[k];
        json!({
            "strategy": side.strategy,
            "end": side.end.as_ref().map_or(json!({ "kind": "unrun" }), end),
            "steps": side.steps,
            "work": side.work.as_ref().map(|work| work.to_string()),
            "order": side.work.as_ref().map(|work| work.order().to_string()),
            "next": found.next[k].as_ref().map(next),
        })
    };
    let point = |point: &CommonTerm| json!({ "after": point.after, "work": point.work.to_string() });
    let piece = |piece: &AlignedSteps| {
        let ends = |k: usize| json!([piece.steps[k].start, piece.steps[k].end]);
        json!({ "together": piece.together, "after": [ends(0), ends(1)] })
    };
    let counts = |(name, counts): (&str, [usize; 2])| json!({ "name": name, "steps": counts });
    json!({
        "work": found.start.to_string(),
        "sides": [side(0), side(1)],
        "verdict": verdict(&found.verdict),
        "cheaper": found.cheaper().map(|k| k + 1),
        "parting": found.parting.as_ref().map(point),
        "meeting": found.meeting.as_ref().map(point),
        "aligned": found.aligned.iter().map(piece).collect::<Vec<Value>>(),
        "rules": found.rules.iter().map(|(name, n)| counts((name, *n))).collect::<Vec<Value>>(),
        "stages": found.stages.iter().map(|(name, n)| counts((name, *n))).collect::<Vec<Value>>(),
        "on": { "after": on.taken, "began": on.began },
        "stopped": found.stopped.as_ref().map(why),
    })
}

fn next(next: &DivergingStep) -> Value {
    json!({
        "number": next.number,
        "rule": next.rule.to_string(),
        "at": next.address,
        "within": next.within.iter().map(|name| &**name).collect::<Vec<&str>>(),
    })
}

fn end(end: &AttemptEnd) -> Value {
    match end {
        AttemptEnd::Done(term) => {
            json!({ "kind": "done", "term": print_term(term, &PrintStyle { width: usize::MAX }) })
        }
        AttemptEnd::Failed(reason) => json!({ "kind": "failed", "why": reason.to_string() }),
        AttemptEnd::Endless(finding) => json!({ "kind": "endless", "why": finding.headline }),
        AttemptEnd::Stopped(reason) => json!({ "kind": "stopped", "why": reason.to_string() }),
    }
}

fn verdict(verdict: &SidesVerdict) -> Value {
    let tested = |kind: &str, exactness: &Exactness, tests: &ProgramComparison| {
        let difference = tests.difference.as_ref().map(|found| {
            json!({ "sizes": sizes(&found.sizes), "first": value_to_json(&found.left), "second": value_to_json(&found.right) })
        });
        json!({
            "kind": kind,
            "exactness": exactness.to_string(),
            "runs": tests.runs.len(),
            "unfit": tests.unfit,
            "steep": tests.steep,
            "difference": difference,
        })
    };
    match verdict {
        SidesVerdict::Steps => json!({ "kind": "same steps" }),
        SidesVerdict::Order => json!({ "kind": "same rewrites" }),
        SidesVerdict::Term => json!({ "kind": "same term" }),
        SidesVerdict::Meaning { exactness, tests } => tested("same meaning", exactness, tests),
        SidesVerdict::Unknown(trouble) => json!({ "kind": "not comparable", "why": why(trouble) }),
        SidesVerdict::Different { exactness, tests } => tested("different", exactness, tests),
        SidesVerdict::Unfinished => json!({ "kind": "unfinished" }),
    }
}
