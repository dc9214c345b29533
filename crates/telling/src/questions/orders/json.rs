//! Renders strategies in every order as JSON.

use serde_json::{Value, json};

use super::super::runs::{AfterSteps, why};
use redexter_language::syntax::{PrintStyle, print_term};
use redexter_rewriting::compare::{OrderResult, OrderRow, Orders};

/// Strategies in every order.
pub fn orders(AfterSteps { found, on }: &AfterSteps<Orders>) -> Value {
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
        "on": { "after": on.taken, "began": on.began },
        "stopped": found.stopped.as_ref().map(why),
    })
}
