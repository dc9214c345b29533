//! Renders answers to why as JSON: why a step was taken, a stage did nothing, a rule didn't fire; where work comes from.

use serde_json::{Value, json};

use super::rule_json::why_rule;
use super::text::sentence;
use redexter_language::cost::Poly;
use redexter_rewriting::why::{
    AskedMoment, DiscardCause, DiscardReport, FiredSteps, LoopShape, MakingStep, RedexOrigin, RuleStatement, WaitCause,
    WhyAnswer,
};

/// An answer to why as JSON.
pub fn why(answer: &WhyAnswer) -> Value {
    let stopped = answer.stopped().map(|reason| reason.to_string());
    let mut value = match answer {
        WhyAnswer::Step(why) => json!({
            "why": "step",
            "step": why.number,
            "rule": why.rule,
            "law": why.law,
            "purpose": why.purpose,
            "path": why.path.address(&why.before.term),
            "within": why.within,
            "traversal": why.traversal.as_ref().map(|(strategy, _)| strategy),
            "choice": why.choice,
            "failed": why.failed.0.iter().map(|(rule, reason)| {
                json!({ "rule": rule, "reason": reason.why.to_string() })
            }).collect::<Vec<Value>>(),
            "later": why.later,
            "origin": match &why.origin {
                RedexOrigin::First => json!("first term"),
                RedexOrigin::Earlier => Value::Null,
                RedexOrigin::Step(made) => maker_json(made),
            },
            "enables": why.enables.as_ref().map(maker_json),
            "work": work_json(&why.work),
        }),
        WhyAnswer::Stage(why) => json!({
            "why": "stage",
            "stage": why.stage,
            "strategy": why.strategy,
            "steps": why.steps,
            "rules": rules_json(&why.rules),
            "work": why.work.as_ref().map(work_json),
            "began": why.began.map(|(first, times)| json!({ "after": first, "times": times })),
            "discarded": why.discarded.0.iter().map(discard_json).collect::<Vec<Value>>(),
            "discards": why.discarded.1,
            "nearest": why.nearest.iter().map(why_rule).collect::<Vec<Value>>(),
            "cut": why.cut.as_ref().map(|reason| reason.to_string()),
        }),
        WhyAnswer::Not(why) => json!({
            "why": "not",
            "rule": why.rule,
            "at": match &why.moment {
                AskedMoment::Now => json!("now"),
                AskedMoment::Step(number) => json!({ "step": number }),
                AskedMoment::Stage(stage, after) => json!({ "stage": stage, "after": after }),
                AskedMoment::Tag(tag) => json!({ "tag": tag }),
            },
            "there": why_rule(&why.there),
            "said": why.said.iter().map(|said| {
                let mut value = said_json(said);
                value["text"] = json!(sentence(said, &why.rule).text());
                value
            }).collect::<Vec<Value>>(),
        }),
        WhyAnswer::Growth(why) => json!({
            "why": "work",
            "path": why.at.address(&why.program.term),
            "work": why.work.to_string(),
            "order": why.order.to_string(),
            "loops": why.loops.iter().map(|found| json!({
                "path": found.path.address(&why.program.term),
                "work": found.work.to_string(),
                "called": found.called.as_ref().map(|function| function.address(&why.program.term)),
                "makes": match found.shape {
                    LoopShape::Build => "build",
                    LoopShape::Sum => "sum",
                    LoopShape::Fold(_) => "fold",
                },
                "result": found.is_result,
                "nest": found.nest.iter().map(|(path, word, size)| json!({
                    "path": path.address(&why.program.term), "loop": word, "size": size.to_string(),
                })).collect::<Vec<Value>>(),
            })).collect::<Vec<Value>>(),
            "standing": why.standing.iter().map(|standing| json!({
                "there": why_rule(&standing.there),
                "after": standing.after.as_ref().map(Poly::to_string),
                "in_strategy": standing.in_strategy,
                "fired": standing.fired,
            })).collect::<Vec<Value>>(),
        }),
    };
    value["stopped"] = json!(stopped);
    value
}

fn maker_json(made: &MakingStep) -> Value {
    json!({ "step": made.number, "rule": made.rule, "path": made.address })
}

fn work_json((before, after): &(Poly, Poly)) -> Value {
    json!({ "before": before.to_string(), "after": after.to_string() })
}

fn rules_json(all: &[(String, usize)]) -> Value {
    all.iter().map(|(rule, count)| json!({ "rule": rule, "steps": count })).collect()
}

fn discard_json(discard: &DiscardReport) -> Value {
    let mut found = json!({
        "within": discard.within,
        "after": discard.after,
        "path": discard.address,
        "steps": discard.steps,
        "rules": rules_json(&discard.rules),
    });
    match &discard.cause {
        DiscardCause::Work(work, _) => found["work"] = work_json(work),
        DiscardCause::Limit(reason) => found["limit"] = reason.to_string().into(),
    }
    found
}

fn fired_json(said: &str, FiredSteps { count, first, last, stages }: &FiredSteps) -> Value {
    json!({ "said": said, "steps": count, "first": maker_json(first), "last": maker_json(last), "stages": stages })
}

fn said_json(said: &RuleStatement) -> Value {
    match said {
        RuleStatement::Fired(fired) => fired_json("fired", fired),
        RuleStatement::Fires(fired) => fired_json("fires", fired),
        RuleStatement::Absent { strategy, others } => {
            json!({ "said": "absent", "strategy": strategy, "others": others })
        }
        RuleStatement::Taken(taken) => json!({
            "said": "taken",
            "by": { "step": taken.number, "rule": taken.rule, "path": taken.address },
            "rule": taken.wanted,
            "path": taken.place,
            "cause": match &taken.cause {
                WaitCause::Absent { .. } => "absent",
                WaitCause::Alternative { .. } => "alternative",
                WaitCause::Traversal { .. } => "traversal",
                WaitCause::Later { .. } => "later",
                WaitCause::Earlier { .. } => "earlier",
                WaitCause::Left { .. } => "left",
                WaitCause::Open => "open",
                WaitCause::Other { .. } => "other",
            },
        }),
        RuleStatement::Never { within, looked, of } => {
            json!({ "said": "never", "within": within, "looked": looked, "of": of })
        }
        RuleStatement::Cut { strategy, running, own, after, .. } => {
            json!({ "said": "cut", "strategy": strategy, "running": running, "own": own, "after": after })
        }
        RuleStatement::Normal { strategy } => json!({ "said": "normal", "strategy": strategy }),
        RuleStatement::MadeLater { maker, running, own } => {
            json!({ "said": "made later", "by": maker_json(maker), "running": running, "own": own })
        }
        RuleStatement::Discarded(discard, count) => {
            json!({ "said": "discarded", "first": discard_json(discard), "times": count })
        }
        RuleStatement::Failed { strategy } => json!({ "said": "failed", "strategy": strategy }),
        RuleStatement::Pending { strategy, taken } => {
            json!({ "said": "pending", "strategy": strategy, "taken": taken })
        }
    }
}
