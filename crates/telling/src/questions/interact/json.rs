//! Renders how rules interact as JSON: for each pair what was found, with terms, steps and costs.

use serde_json::{Value, json};

use redexter_language::syntax::{PrintStyle, print_term};
use redexter_language::term::Term;
use redexter_rewriting::interact::{
    InteractionFinding, InteractionHere, InteractionOutcome, Interactions, RulePair, RuleRelation,
};

/// All of it: rules, and for each pair what was found, with terms, steps and costs.
pub fn interactions(found: &Interactions) -> Value {
    let names: Vec<String> = found.rules.iter().map(ToString::to_string).collect();
    let pair = |pair: &RulePair| {
        let findings: Vec<Value> = pair.findings.iter().map(|finding| finding_json(finding, &names)).collect();
        json!({
            "rules": [names[pair.rules.0], names[pair.rules.1]],
            "terms": pair.terms,
            "findings": findings,
        })
    };
    let here = found.here.as_ref().map(|all| all.iter().map(here_json).collect::<Vec<Value>>());
    json!({
        "rules": names,
        "here": here,
        "pairs": found.pairs.iter().map(pair).collect::<Vec<Value>>(),
        "stopped": found.stopped.as_ref().map(ToString::to_string),
    })
}

fn here_json(one: &InteractionHere) -> Value {
    json!({
        "relation": if one.relation == RuleRelation::Enables { "enables" } else { "disables" },
        "by": one.by.to_string(),
        "at": one.at,
        "to": one.to.to_string(),
        "place": one.place,
    })
}

fn finding_json(finding: &InteractionFinding, names: &[String]) -> Value {
    let relation = match finding.relation {
        RuleRelation::Enables => "enables",
        RuleRelation::Disables => "disables",
        RuleRelation::Competes | RuleRelation::Joins => "competes",
        RuleRelation::Undoes => "undoes",
        RuleRelation::Commutes => "commutes",
    };
    let mut all = json!({
        "relation": relation,
        "by": names[finding.by],
        "to": names[finding.to],
        "term": on_one_line(&finding.program.term),
        "work": finding.work.to_string(),
        "outcomes": finding.outcomes.iter().map(|o| outcome_json(o, &finding.program.term)).collect::<Vec<Value>>(),
    });
    if relation == "competes" {
        all["joined"] = json!(finding.relation == RuleRelation::Joins);
    }
    all
}

fn outcome_json(outcome: &InteractionOutcome, start: &Term) -> Value {
    let mut now = start.clone();
    let mut steps = Vec::new();
    for step in &outcome.steps {
        steps.push(json!({ "rule": step.rule.to_string(), "path": step.path.address(&now) }));
        now = step.rewrite(&now).unwrap_or(now);
    }
    json!({ "steps": steps, "term": on_one_line(&outcome.term), "work": outcome.work.to_string() })
}

fn on_one_line(term: &Term) -> String {
    print_term(term, &PrintStyle { width: usize::MAX })
}
