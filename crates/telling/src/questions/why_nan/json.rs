//! Renders where a NaN or an infinity comes from as JSON.

use serde_json::{Value, json};

use super::text::{below, excerpt};
use super::{NonFinite, shown, shown_real};
use redexter_language::eval::{NonFiniteOrigin, NonFiniteReport, TracedOperation};
use redexter_language::ground::TextPlace;

/// What was found as JSON.
pub fn non_finite(found: &NonFinite) -> Value {
    let NonFiniteReport { numbers, nans, infinities, first, origin } = &found.report;
    json!({
        "numbers": numbers,
        "nan": nans,
        "infinite": infinities,
        "first": first.as_ref().map(ToString::to_string),
        "input": match origin {
            Some(NonFiniteOrigin::Input { parameter, place, value, .. }) => json!({
                "parameter": found.parameter(*parameter).to_string(),
                "place": place.to_string(),
                "value": shown_real(*value),
            }),
            _ => Value::Null,
        },
        "operation": found.operation().map(|operation| told(found, operation)),
    })
}

fn place(TextPlace { file, line, column }: &TextPlace) -> Value {
    json!({ "file": file, "line": line, "column": column })
}

fn told(found: &NonFinite, operation: &TracedOperation) -> Value {
    let TracedOperation { path, prim, operands, result, loops } = operation;
    let whole = &found.program.term;
    let dual = found.dual(operation);
    json!({
        "name": prim.text(),
        "text": excerpt(found, path),
        "path": path.display(whole),
        "written": found.written.as_ref().map(|written| json!({
            "at": place(&written.at),
            "used": written.used.as_ref().map(place),
        })),
        "result": shown_real(*result),
        "why": found.reason(operation),
        "half": dual.as_ref().map(|dual| if dual.is_tangent { "tangent" } else { "primal" }),
        "of": dual.as_ref().map(|dual| excerpt(found, &dual.primal)),
        "operands": operands.iter().enumerate().map(|(k, value)| json!({
            "text": excerpt(found, &below(path, k)),
            "value": shown(value),
        })).collect::<Vec<Value>>(),
        "loops": loops.iter().map(|(place, index)| json!({
            "name": found.index_name(place).map(|name| name.to_string()),
            "path": place.display(whole),
            "index": index,
        })).collect::<Vec<Value>>(),
    })
}
