//! Summarises a run in a line. It gets steps and terms, and knows no session.

use super::styled::Styled;
use super::why::thrown;
use super::work::leading;
use redexter_language::cost::{Poly, work};
use redexter_language::ground::text::counted;
use redexter_language::term::Term;
use redexter_rewriting::derivation::Stages;
use redexter_rewriting::strategy::Trace;
use redexter_rewriting::why::DiscardReport;

/// `12019 rewrites in 9 stages: n²·d → n·d`; where there are none, why.
pub fn summary(strategy: &str, trace: &Trace, after: &Term, discarded: Option<&(DiscardReport, usize)>) -> Styled {
    if trace.steps.is_empty() {
        let state = idle(discarded).unwrap_or_else(|| "there is nothing to rewrite".to_owned());
        return Styled::aside(&state).then("\n");
    }
    let count = counted(trace.steps.len(), "rewrite");
    Styled::aside(&[count, way(strategy, trace, after)].concat()).then("\n")
}

/// ` in 9 stages: n²·d → n·d`
pub(super) fn way(strategy: &str, trace: &Trace, after: &Term) -> String {
    let found = Stages::of_run(strategy, &trace.steps);
    let mut parts = found.tops();
    // A stage that stands alone is the whole run: the stages in it are counted.
    while let [only] = parts {
        parts = &found.stage(*only).parts;
    }
    let stages = if parts.is_empty() { String::new() } else { format!(" in {} stages", parts.len()) };
    let [before, after] = [&trace.start, after].map(|term| work(term).total());
    format!("{stages}: {}", became(&before, &after))
}

/// The orders of growth before and after; where they are the same, the leading terms of the works.
fn became(before: &Poly, after: &Poly) -> String {
    let orders = [before, after].map(|work| leading(&work.order()));
    let [before, after] = if orders[0] == orders[1] { [before, after].map(leading) } else { orders };
    format!("{before} → {after}")
}

/// Why a run has no steps, if it is `cheaper` that threw them away.
pub(super) fn idle(discarded: Option<&(DiscardReport, usize)>) -> Option<String> {
    discarded.map(|(first, count)| match count {
        1 => format!("no step is left: `cheaper` threw away {}", thrown(first)),
        count => format!("no step is left: `cheaper` threw steps away {count} times, first {}", thrown(first)),
    })
}
