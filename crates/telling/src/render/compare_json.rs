//! Renders comparisons of strategies as JSON: two side by side, one without each of its parts, several in every order.

use serde_json::{Value, json};

use super::compare::{sizes, why};
use redexter_language::eval::value_to_json;
use redexter_language::syntax::{PrintStyle, print_term};
use redexter_rewriting::compare::{
    Ablation, AblationEffect, AblationParts, AblationRow, AlignedSteps, AttemptEnd, CUT, CommonTerm, DivergingStep,
    OrderResult, OrderRow, Orders, SideBySide, SidesVerdict,
};
use redexter_rewriting::rule::Exactness;
use redexter_rewriting::sound::ProgramComparison;

/// Two strategies side by side.
pub fn sides_json(found: &SideBySide) -> Value {
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
        "verdict": verdict_json(&found.verdict),
        "cheaper": found.cheaper().map(|k| k + 1),
        "parting": found.parting.as_ref().map(point),
        "meeting": found.meeting.as_ref().map(point),
        "aligned": found.aligned.iter().map(piece).collect::<Vec<Value>>(),
        "rules": found.rules.iter().map(|(name, n)| counts((name, *n))).collect::<Vec<Value>>(),
        "stages": found.stages.iter().map(|(name, n)| counts((name, *n))).collect::<Vec<Value>>(),
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

fn verdict_json(verdict: &SidesVerdict) -> Value {
    let tested = |kind: &str, exactness: &Exactness, tests: &ProgramComparison| {
        let difference = tests.difference.as_ref().map(|found| {
            json!({ "sizes": sizes(&found.sizes), "first": value_to_json(&found.left), "second": value_to_json(&found.right) })
        });
        json!({
            "kind": kind,
            "exactness": exactness.to_string(),
            "runs": tests.runs.len(),
            "unfit": tests.unfit,
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

/// A strategy without each of its parts.
pub fn ablation_json(found: &Ablation) -> Value {
    let row = |row: &AblationRow| {
        let (kind, why) = match &row.effect {
            AblationEffect::Same => ("same", None),
            AblationEffect::Term => ("same work", None),
            AblationEffect::Factor => ("same order", None),
            AblationEffect::Lost => ("order lost", None),
            AblationEffect::Gained => ("order gained", None),
            AblationEffect::Failed(reason) => ("failed", Some(reason.to_string())),
            AblationEffect::Endless(finding) => ("endless", Some(finding.headline.clone())),
            AblationEffect::Long(limit) => {
                ("cut", Some(format!("more than {CUT} times the steps of the whole: {limit}")))
            }
            AblationEffect::Hopeless => ("cut", Some("tries rewrites, or grows, far beyond the whole".to_owned())),
            AblationEffect::Stopped(reason) => ("stopped", Some(reason.to_string())),
        };
        json!({
            "without": row.name,
            "fires": row.fires,
            "steps": row.steps,
            "work": row.work.as_ref().map(|work| work.to_string()),
            "order": row.work.as_ref().map(|work| work.order().to_string()),
            "effect": kind,
            "why": why,
        })
    };
    json!({
        "strategy": found.strategy,
        "parts": if found.parts == AblationParts::Stages { "stages" } else { "rules" },
        "steps": found.steps,
        "work": { "before": found.start.to_string(), "after": found.work.to_string() },
        "order": found.work.order().to_string(),
        "rows": found.rows.iter().map(row).collect::<Vec<Value>>(),
        "all": found.all,
        "used": { "whole": found.used.steps, "all": found.used_in_all.steps },
        "stopped": found.stopped.as_ref().map(why),
    })
}

/// Strategies in every order.
pub fn orders_json(found: &Orders) -> Value {
    let row = |row: &OrderRow| {
        let mut all = json!({ "order": row.order, "steps": row.steps, "failed": row.failed });
        match &row.result {
            OrderResult::Term { term, work, number, is_best } => {
                all["term"] = print_term(term, &PrintStyle { width: usize::MAX }).into();
                all["work"] = work.to_string().into();
                all["grows"] = work.order().to_string().into();
                all["result"] = (number + 1).into();
                all["best"] = (*is_best).into();
            }
            OrderResult::Endless(k, finding) => all["endless"] = json!({ "strategy": k, "why": finding.headline }),
            OrderResult::Stopped(k, reason) => all["stopped"] = json!({ "strategy": k, "why": reason.to_string() }),
        }
        all
    };
    json!({
        "strategies": found.strategies,
        "work": found.start.to_string(),
        "rows": found.rows.iter().map(row).collect::<Vec<Value>>(),
        "orders": found.all,
        "runs": found.runs,
        "stopped": found.stopped.as_ref().map(why),
    })
}
