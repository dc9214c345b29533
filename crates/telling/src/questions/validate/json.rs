//! Renders the verdict of validating a derivation as JSON.

use serde_json::{Value, json};

use redexter_language::ground::Trouble;
use redexter_language::ground::text::listed;
use redexter_rewriting::validate::{DerivationFault, DifferingCase, StepFlaw, Validation};

/// The verdict as JSON.
pub fn validation(found: &Validation) -> Value {
    json!({
        "valid": found.is_valid(),
        "steps": found.steps,
        "typed": found.typed,
        "compared": found.compared,
        "untold": found.untold,
        "runs": found.runs,
        "wholes": { "runs": found.wholes.0, "under_d": found.wholes.1, "steep": found.steep },
        "exactness": found.exactness.to_string(),
        "slope": found.slope.as_ref().map(|slope| json!({
            "by": slope.by.iter().map(|name| name.as_str()).collect::<Vec<&str>>(),
            "runs": slope.runs,
            "numbers": slope.entries,
            "untold": slope.unfit,
        })),
        "precision": found.precision.as_ref().map(|found| json!({
            "runs": found.runs,
            "losses": found.losses,
            "gains": found.gains,
            "lost": found.lost.as_ref().map(|lost| json!({
                "step": lost.step,
                "rule": lost.rule.to_string(),
                "at": lost.place,
                "inputs": lost.inputs,
                "was": format!("{:?}", lost.was),
                "is": format!("{:?}", lost.is),
                "exactly": format!("{:?}", lost.exactly),
            })),
        })),
        "fault": found.fault.as_deref().map(fault),
        "why": found.trouble.as_ref().map(why),
    })
}

fn why(trouble: &Trouble) -> String {
    match trouble {
        Trouble::Stopped { reason, .. } => reason.to_string(),
        Trouble::Wrong(all) => listed(all.iter().map(|finding| &finding.headline)),
    }
}

fn fault(fault: &DerivationFault) -> Value {
    let (kind, why, case) = match &fault.flaw {
        StepFlaw::Elsewhere => ("elsewhere", None, None),
        StepFlaw::IllTyped(why) => ("ill-typed", Some(why), None),
        StepFlaw::Differs(case) => ("differs", None, Some(case)),
        StepFlaw::Whole(case) => ("whole differs", None, Some(case)),
    };
    json!({
        "step": fault.step,
        "rule": fault.rule.as_ref().map(|rule| rule.to_string()),
        "at": fault.place,
        "kind": kind,
        "why": why,
        "difference": case.map(difference),
    })
}

fn difference(case: &DifferingCase) -> Value {
    let ([before, after], [first, second]) = (case.shown(), case.results());
    json!({
        "exactness": case.exactness.to_string(),
        "before": before,
        "after": after,
        "inputs": case.inputs(),
        "first": first,
        "second": second,
        "under_d": case.difference.under_d,
    })
}
