//! Renders results as one line of JSON, for other programs.

use serde_json::{Value, json};

use crate::walk::WalkAnswer;
use redexter_language::cost::{self, WorkMeter};
use redexter_language::eval::Counts;
use redexter_language::ground::Trouble;
use redexter_language::ground::text::listed;
use redexter_language::syntax::{PrintStyle, print_term, print_type};
use redexter_language::term::{Program, Term};
use redexter_rewriting::strategy::{Step, Stop, Trace};

/// An answer of a walk; None for answers that are for people alone.
pub fn answer_json(answer: &WalkAnswer) -> Option<Value> {
    match answer {
        WalkAnswer::Finding(found, _) => Some(found.json()),
        _ => None,
    }
}

/// The limit that ended something.
pub(crate) fn stopped_json(limit: Option<&Trouble>) -> Value {
    match limit {
        Some(Trouble::Stopped { reason, .. }) => Value::String(reason.to_string()),
        _ => Value::Null,
    }
}

/// The operations that were executed.
pub fn counts(counts: &Counts) -> String {
    format!("{{{}}}", listed(counts.named().map(|(name, count)| format!("\"{name}\": {count}"))))
}

/// The result of a strategy: term, type, work before and after, number of steps, the limit that ended it and, if wanted,
/// the steps.
pub fn derivation(program: &Program, trace: &Trace, stop: Option<&Stop>, with_steps: bool) -> String {
    let one_line = PrintStyle { width: usize::MAX };
    let mut all = json!({
        "term": print_term(&program.term, &one_line),
        "type": print_type(program.term.ty()),
        "work": { "before": total(&trace.start), "after": total(&program.term) },
        "steps": trace.steps.len(),
    });
    if let Some(stop) = stop {
        all["stopped"] = json!({
            "message": stop.reason.to_string(),
            "within": stop.within.iter().map(|name| &**name).collect::<Vec<&str>>(),
            "round": stop.round().map(|(round, growth)| {
                let rules: Vec<String> = round.iter().map(|step| step.rule().to_string()).collect();
                json!({ "rules": rules, "growth": growth })
            }),
            "rule": stop.busiest().map(|(rule, _)| rule.to_string()),
        });
    }
    if with_steps {
        all["trace"] = Value::Array(steps(trace).collect());
    }
    all.to_string()
}

/// The steps of a derivation, each as a line of JSON.
pub fn json_steps(trace: &Trace) -> impl Iterator<Item = String> {
    steps(trace).map(|step| step.to_string())
}

fn steps(trace: &Trace) -> impl Iterator<Item = Value> {
    let mut meter = WorkMeter::default();
    trace.rewrites().map(move |rewrite| step(rewrite, &mut meter))
}

fn step((step, before, after): (&Step, Term, Term), meter: &mut WorkMeter) -> Value {
    json!({
        "rule": step.rule().to_string(),
        "state": step.rule().info().standing(),
        "path": step.path().display(&before),
        "term": print_term(&after, &PrintStyle { width: usize::MAX }),
        "work": meter.total(&after).to_string(),
    })
}

fn total(term: &Term) -> String {
    cost::work(term).total().to_string()
}
