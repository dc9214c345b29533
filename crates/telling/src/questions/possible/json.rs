//! Renders the rewrites that are possible in a term as JSON.

use std::cmp::Ordering;

use serde_json::{Value, json};

use super::{AskedTerm, Possibilities};
use crate::render::stopped_json;
use redexter_language::term::Path;
use redexter_rewriting::choice::RewriteChoice;
use redexter_rewriting::rule::Rule;

/// The rewrites that are possible as JSON, also those that the text leaves out.
pub fn possible(possible: &Possibilities) -> Value {
    let found = &*possible.found;
    let path = |path: &Path| path.address(&found.program.term);
    let choice = |(k, choice): (usize, &RewriteChoice)| {
        let enables = choice.enables.as_ref().map(|all| {
            all.iter()
                .map(|one| json!({ "rule": one.rule.to_string(), "path": one.path.address(&choice.after) }))
                .collect::<Vec<Value>>()
        });
        json!({
            "number": k + 1,
            "rule": choice.redex.rule.to_string(),
            "also": choice.also.iter().map(Rule::to_string).collect::<Vec<String>>(),
            "path": path(&choice.redex.path),
            "others": choice.others.iter().map(path).collect::<Vec<String>>(),
            "work": choice.work.to_string(),
            "effect": super::text::effect(found, choice).into_text(),
            "change": match choice.change {
                Ordering::Less => "cheaper",
                Ordering::Equal => "same",
                Ordering::Greater => "dearer",
            },
            "order": found.reorders(choice),
            "enables": enables,
            "taken": choice.taken.as_ref().map(Rule::to_string),
        })
    };
    json!({
        "term": match &possible.then {
            AskedTerm::Now => Value::Null,
            AskedTerm::After(step) => json!({ "step": step }),
            AskedTerm::Tagged(tag) => json!({ "tag": tag }),
        },
        "within": path(&found.within),
        "rule": possible.rule.as_ref().map(ToString::to_string),
        "work": found.work.to_string(),
        "count": found.count,
        "all": found.all,
        "stopped": stopped_json(found.stopped.as_ref()),
        "choices": found.choices.iter().enumerate().map(choice).collect::<Vec<Value>>(),
    })
}
