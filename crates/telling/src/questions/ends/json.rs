//! Renders what was found of strategies' ends as JSON.

use serde_json::{Value, json};

use super::StrategyEndings;
use redexter_language::syntax::{PrintStyle, print_term};
use redexter_language::term::Term;
use redexter_rewriting::ends::{Cure, EndingAnswer, Endings, LawProof, ProofStep, WayRound};
use redexter_rewriting::rule::Rule;

/// What was found of some strategies.
pub fn endings(StrategyEndings(all): &StrategyEndings) -> Value {
    json!({ "strategies": all.iter().map(one).collect::<Vec<Value>>() })
}

/// What was found of a strategy: an answer for it, and one for each of its repetitions.
fn one(found: &Endings) -> Value {
    json!({
        "name": found.strategy.to_string(),
        "answer": found.ending.text(),
        "repetitions": found.answers.iter().map(repetition).collect::<Vec<Value>>(),
        "other": found.other.as_ref().map(ToString::to_string),
        "stopped": found.stopped.as_ref().map(ToString::to_string),
    })
}

fn repetition(answer: &EndingAnswer) -> Value {
    json!({
        "strategy": answer.strategy.to_string(),
        "answer": answer.ending.text(),
        "way": answer.way.as_ref().map(way),
        "growth": answer.way.as_ref().map(|way| way.growth),
        "savedBy": answer.way.as_ref().and_then(|way| way.saved_by.as_ref()).map(Rule::to_string),
        "cures": answer.cures.iter().map(cure).collect::<Vec<Value>>(),
        "proof": proof(&answer.proof),
        "unshown": answer.unshown,
        "chains": answer.chains,
        "laws": answer.laws,
        "all": answer.all,
        "unread": answer.unread,
    })
}

fn cure(cure: &Cure) -> Value {
    match cure {
        Cure::Stages { stages, proved } => {
            json!({ "kind": "stages", "strategy": stages.to_string(), "proved": proved })
        }
        Cure::Condition { rule, condition, proved } => {
            json!({ "kind": "condition", "rule": rule.to_string(), "condition": condition, "proved": proved })
        }
        Cure::Order(order) => json!({ "kind": "order", "strategy": order.to_string(), "proved": false }),
    }
}

/// What takes the laws, and what of them is left.
fn proof(proof: &LawProof) -> Value {
    let step = |step: &ProofStep| match step {
        ProofStep::Count { of, rules } => {
            let of: Vec<Value> =
                of.iter().map(|(name, weight)| json!({ "constructor": name, "weight": weight })).collect();
            json!({ "kind": "count", "of": of, "rules": rules })
        }
        ProofStep::PathOrder { above, level, from_right, last_first, rules } => {
            json!({
                "kind": "path order", "above": above, "sameLevel": level, "fromRight": from_right, "lastFirst": last_first,
                "rules": rules,
            })
        }
    };
    let steps: Vec<Value> = proof.steps.iter().map(step).collect();
    json!({ "whole": proof.is_whole(), "steps": steps, "setAside": proof.set_aside, "open": proof.open })
}

/// The steps, each with the term that it leaves.
fn way(way: &WayRound) -> Value {
    let steps = way.steps.iter().zip(way.terms.windows(2)).map(|((rule, path), terms)| {
        json!({ "rule": rule.to_string(), "path": path.address(&terms[0]), "term": on_one_line(&terms[1]) })
    });
    json!({ "term": way.terms.first().map(on_one_line), "steps": steps.collect::<Vec<Value>>() })
}

fn on_one_line(term: &Term) -> String {
    print_term(term, &PrintStyle { width: usize::MAX })
}
