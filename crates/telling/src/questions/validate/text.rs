//! Renders the verdict of validating a derivation as text. The diagnostic of a step that is wrong isn't rendered here.

use super::super::runs::steep;
use crate::styled::{Look, PageLayout, Styled};
use redexter_language::ground::Trouble;
use redexter_language::ground::text::{counted, listed};
use redexter_rewriting::precision::PrecisionFinding;
use redexter_rewriting::validate::{Slope, Validation};

/// The verdict, and how much was checked.
pub fn validation(found: &Validation, _: PageLayout) -> Styled {
    let head = match (&found.trouble, found.steps) {
        (None, 0) => Styled::of(Look::Strong, "valid").then(": no step was taken\n"),
        (None, _) => Styled::of(Look::Strong, "valid").then(format!(": {}\n", effort(found))),
        (Some(Trouble::Wrong(_)), _) => Styled::of(Look::Error, "NOT VALID").then(format!(": {}\n", effort(found))),
        (Some(_), _) => Styled::of(Look::Warning, "not all is validated").then(format!(": {}\n", effort(found))),
    };
    let lines = whole(found).into_iter().chain(found.slope.as_ref().map(slope));
    let lines = lines.chain(found.precision.as_ref().map(precision));
    lines.fold(head, |out, line| out.and(Look::Aside, &format!("   ({line})\n")))
}

fn effort(found: &Validation) -> String {
    let steps = match found.typed == found.steps {
        true => counted(found.steps, "step"),
        false => format!("{} of {}", found.typed, counted(found.steps, "step")),
    };
    let gone_through = match (found.untold, found.compared == found.typed) {
        (0, true) => format!("{steps}, each typed anew and compared in its rule's class"),
        (0, false) => format!("{steps} typed anew, {} of them compared in their rules' classes", found.compared),
        (untold, _) => format!(
            "{steps} typed anew, {} of them compared in their rules' classes, {untold} more told nothing",
            found.compared
        ),
    };
    format!("{gone_through}, on {} in all", counted(found.runs, "random input"))
}

fn whole(found: &Validation) -> Option<String> {
    let (runs, dual_runs) = found.wholes;
    (runs > 0 || found.steep > 0).then(|| {
        let under_d = if dual_runs > 0 { ", and under D" } else { "" };
        let steep = steep(found.steep, "more ");
        format!(
            "whole terms and the first one on {}{under_d}{steep}; {}",
            counted(runs, "random input"),
            found.exactness
        )
    })
}

fn precision(found: &PrecisionFinding) -> String {
    let PrecisionFinding { runs, losses, gains, .. } = found;
    format!(
        "as doubles and in twice the digits on {}: digits are lost in {losses} of them, gained in {gains}",
        counted(*runs, "random input")
    )
}

fn slope(slope: &Slope) -> String {
    let Slope { by, runs, entries, unfit } = slope;
    let unfit = if *unfit > 0 { format!(", {unfit} more told nothing") } else { String::new() };
    let by = listed(by.iter().map(|name| format!("`{name}`")));
    format!(
        "{} as finite differences by {by} have them, on {}{unfit}",
        counted(*entries, "number"),
        counted(*runs, "random input")
    )
}
