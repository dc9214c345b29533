//! Renders a strategy without each of its parts as JSON.

use serde_json::{Value, json};

use super::super::runs::{AfterSteps, why};
use redexter_rewriting::compare::{Ablation, AblationEffect, AblationParts, AblationRow, CUT};

/// A strategy without each of its parts.
pub fn ablation(AfterSteps { found, on }: &AfterSteps<Ablation>) -> Value {
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
        "on": { "after": on.taken, "began": on.began },
        "stopped": found.stopped.as_ref().map(why),
    })
}
