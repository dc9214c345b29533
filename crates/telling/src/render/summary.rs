//! Summarises a run in a line. It gets steps and terms, and knows no session.

use super::focus::excerpt;
use super::work::{leading, polynomial};
use crate::styled::Styled;
use redexter_language::cost::{Poly, WorkComparison, work};
use redexter_language::ground::StopReason;
use redexter_language::ground::text::{counted, listed, shortened};
use redexter_language::syntax::names_at;
use redexter_language::term::Term;
use redexter_rewriting::derivation::Stages;
use redexter_rewriting::strategy::Trace;
use redexter_rewriting::why::{DiscardCause, DiscardReport, TranspositionObstacle, TranspositionReport, Untransposed};

/// The most characters of a strategy within a sentence.
pub(crate) const MAX_STRATEGY_CHARS: usize = 80;

/// The most names that are listed.
const MAX_NAMES: usize = 6;

/// `12019 rewrites in 9 stages: n²·d → n·d`; where there are none, why.
pub fn summary(
    strategy: &str,
    trace: &Trace,
    after: &Term,
    discarded: Option<&(DiscardReport, usize)>,
    transposition: Option<&TranspositionReport>,
) -> Styled {
    if trace.steps.is_empty() {
        let state = idle(discarded).unwrap_or_else(|| "there is nothing to rewrite".to_owned());
        return Styled::aside(&[state, transposed(transposition)].concat()).then("\n");
    }
    let count = counted(trace.steps.len(), "rewrite");
    Styled::aside(&[count, way(strategy, trace, after), transposed(transposition)].concat()).then("\n")
}

/// `; not transposed: `f (s * s)` isn't linear in the direction of the derivative`, where a derivative kept its order; of a
/// Jacobian `; not transposed: it would take 26m² + …` or `; transposed: else it would take 15n² + …`.
pub(super) fn transposed(found: Option<&TranspositionReport>) -> String {
    found
        .and_then(|found| match found {
            TranspositionReport::Refused(left) => not_transposed(left),
            TranspositionReport::Jacobian { by_rows, other } => Some(side(*by_rows, other)),
        })
        .unwrap_or_default()
}

fn not_transposed(left: &Untransposed) -> Option<String> {
    let scope = names_at(&left.whole, &left.at)?;
    let found = excerpt(&left.at.find(&left.whole)?, &scope, MAX_STRATEGY_CHARS);
    let cause = match left.obstacle {
        TranspositionObstacle::CarriesFunction => "carries functions",
        TranspositionObstacle::HoldsBoth => "holds values and tangents together",
        TranspositionObstacle::NotLinear => "isn't linear in the direction of the derivative",
    };
    Some(format!("; not transposed: `{found}` {cause}"))
}

fn side(by_rows: bool, other: &Result<Poly, StopReason>) -> String {
    let cause = match other {
        Ok(work) => format!("it would take {}", leading(work)),
        Err(reason) => format!("it would come to a limit ({reason})"),
    };
    if by_rows { format!("; transposed: else {cause}") } else { format!("; not transposed: {cause}") }
}

/// ` in 9 stages: n²·d → n·d`; the stage that they all are in has its name, if it isn't the strategy.
pub(super) fn way(strategy: &str, trace: &Trace, after: &Term) -> String {
    let found = Stages::of_run(strategy, &trace.steps);
    let mut parts = found.tops();
    // A stage that stands alone is the whole run: the stages in it are counted.
    let mut of = String::new();
    while let [only] = parts {
        let stage = found.stage(*only);
        if !stage.parts.is_empty() && *stage.name != *strategy {
            of = format!(" of {}", quoted(&stage.name));
        }
        parts = &stage.parts;
    }
    let stages = if parts.is_empty() { String::new() } else { format!(" in {} stages{of}", parts.len()) };
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

/// `12 steps in `write` (sumOneHot 4, …), from work 3n² to 4n² (at n = 100: from 30000 to 40000)`
pub(crate) fn thrown(discard: &DiscardReport) -> String {
    let DiscardReport { within, steps, rules: by, cause, .. } = discard;
    let within = if within.is_empty() { String::new() } else { format!(" in {}", quoted(within)) };
    let cause = match cause {
        DiscardCause::Work((before, after), compared) => raised([before, after], compared),
        DiscardCause::Limit(reason) => format!("which came to a limit ({reason})"),
    };
    format!("{}{within} ({}), {cause}", counted(*steps, "step"), rule_counts(by))
}

/// `from work 3n² to 4n², at n = 100 from 30000 to 40000`
fn raised(work: [&Poly; 2], compared: &WorkComparison) -> String {
    let WorkComparison { sizes, before, after, .. } = compared;
    let from = |from: String, to: String| format!("from {from} to {to}");
    let at = listed(sizes.iter().map(|(name, size)| format!("{name} = {size}")));
    let is_known = !work[0].is_unknown() && !work[1].is_unknown();
    let numbers = match is_known && !sizes.is_empty() {
        false => String::new(),
        true => format!(", at {at} {}", from(before.to_string(), after.to_string())),
    };
    let [before, after] = work.map(polynomial);
    format!("{}{numbers}", from(format!("work {before}"), after))
}

/// A strategy within a sentence.
pub(crate) fn quoted(strategy: &str) -> String {
    format!("`{}`", shortened(strategy, MAX_STRATEGY_CHARS))
}

/// `sumOneHot 4, beta 2, and 3 more`
pub(crate) fn rule_counts(all: &[(String, usize)]) -> String {
    let more = all.len().saturating_sub(MAX_NAMES);
    let shown = listed(all.iter().take(MAX_NAMES).map(|(rule, count)| format!("{rule} {count}")));
    if more > 0 { format!("{shown}, and {more} more") } else { shown }
}
