//! Renders what a search found as JSON.

use serde_json::{Value, json};

use super::SearchAnswer;
use redexter_language::syntax::{PrintStyle, print_term};
use redexter_rewriting::search::ScheduleStage;

/// The result of a search as JSON.
pub fn search(searched: &SearchAnswer) -> Value {
    let SearchAnswer { found, most, derived, imported } = searched;
    let one_line = PrintStyle { width: usize::MAX };
    let visited = &found.visited;
    let stage = |stage: &ScheduleStage| json!({ "strategy": stage.strategy.to_string(), "steps": stage.steps, "work": stage.work.to_string() });
    json!({
        "start": print_term(&found.start.term, &one_line),
        "term": print_term(&found.best.term, &one_line),
        "work": { "before": found.before.to_string(), "after": found.work.to_string() },
        "schedule": found.schedule.to_string(),
        "stages": found.stages.iter().map(stage).collect::<Vec<Value>>(),
        "way": found.way.iter().map(|by| by.strategy().to_string()).collect::<Vec<String>>(),
        "visited": {
            "terms": visited.terms, "most": most, "open": visited.open, "rewrites": visited.rewrites,
            "tried": visited.tried, "measured": visited.measured,
        },
        "complete": found.complete,
        "stopped": found.stopped.as_ref().map(ToString::to_string),
        "imported": imported.iter().map(|(own, written)| json!({ "rule": own, "written": written })).collect::<Vec<Value>>(),
        "derivation": derived.as_ref().map(|derived| json!({
            "step": derived.place.step, "of": derived.place.of, "unfinished": derived.unfinished,
            "work": derived.work.to_string(),
        })),
    })
}
