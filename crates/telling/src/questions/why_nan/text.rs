//! Renders where a NaN or an infinity comes from as text.

use super::{NonFinite, shown, shown_real};
use crate::render::{self, MAX_EXCERPT_NODES};
use crate::styled::{Look, PageLayout, Styled};
use redexter_language::eval::{NonFiniteOrigin, NonFiniteReport, TracedOperation};
use redexter_language::ground::text::{grouped, listed};
use redexter_language::syntax::names_at;
use redexter_language::term::Path;

/// The most characters of a subterm.
const MAX_CHARS: usize = 80;

/// How many numbers of the result are none, and where the first came from.
pub fn non_finite(found: &NonFinite, _: PageLayout) -> Styled {
    let NonFiniteReport { nans, infinities, first, origin, .. } = &found.report;
    let head = Styled::of(if nans + infinities == 0 { Look::Strong } else { Look::Warning }, &head(&found.report));
    let at = first.as_ref().map(ToString::to_string).filter(|place| !place.is_empty());
    let head = head.then(at.map_or_else(String::new, |place| format!(", the first at {place}"))).then("\n");
    match origin {
        None if nans + infinities == 0 => head,
        None => head.then("it stands in the program itself\n"),
        Some(NonFiniteOrigin::Operation(operation)) => {
            let dropped = if nans + infinities == 0 { "a NaN arose on the way to it, and was dropped\n" } else { "" };
            head.and(Look::Aside, dropped).then(told(found, operation, "it arises in"))
        }
        Some(NonFiniteOrigin::Input { parameter, place, value, used }) => {
            let input = found.parameter(*parameter);
            let place = if place.0.is_empty() { String::new() } else { format!(" at {place}") };
            let head = head.then(format!("the input {input} holds {}{place}\n", shown_real(*value)));
            match used {
                None => head.and(Look::Aside, "no operation uses it\n"),
                Some(operation) => head.then(told(found, operation, "it is used first in")),
            }
        }
    }
}

/// `2 of the 3 numbers in the result are NaN`
fn head(report: &NonFiniteReport) -> String {
    let NonFiniteReport { numbers, nans, infinities, .. } = report;
    let (count, kind) = if *nans > 0 { (*nans, "NaN") } else { (*infinities, "infinite") };
    let all = grouped((*numbers).into());
    match (count, numbers) {
        (0, 1) => "the value is finite".to_owned(),
        (0, _) => format!("all {all} values are finite"),
        (_, 1) => format!("the value is {kind}"),
        (1, _) => format!("1 of {all} values is {kind}"),
        (count, _) => format!("{} of {all} values are {kind}", grouped(count.into())),
    }
}

/// An operation, its place, its operands and the loops around it.
fn told(found: &NonFinite, operation: &TracedOperation, lead: &str) -> Styled {
    let TracedOperation { path, operands, result, .. } = operation;
    let whole = &found.program.term;
    let mut out = Styled::from(format!("{lead} ")).and(Look::Redex, &excerpt(found, path)).then(format!(
        " = {}, at {}\n",
        shown_real(*result),
        path.address(whole)
    ));
    if let Some(written) = &found.written {
        let used = written.used.as_ref().map_or_else(String::new, |used| format!(", used at {used}"));
        out = out.then(format!("  written at {}{used}\n", written.at));
    }
    if let Some(dual) = found.dual(operation) {
        let primal = excerpt(found, &dual.primal);
        let half = if dual.is_tangent { "tangent" } else { "primal" };
        out = out.then(format!("  in the {half} of `{primal}`\n"));
    }
    out = out.then(format!("  {}\n", found.reason(operation)));
    let each = operands.iter().enumerate().map(|(k, value)| {
        let operand = excerpt(found, &below(path, k));
        let value = shown(value);
        if operand == value { value } else { format!("{operand} = {value}") }
    });
    out = out.then(format!("  {}: {}\n", if operands.len() == 1 { "operand" } else { "operands" }, listed(each)));
    let loops = loops(found, operation);
    if loops.is_empty() { out } else { out.then(format!("  where {}\n", listed(loops))) }
}

/// `i = 0`; of a loop whose function is computed where it stands.
fn loops(found: &NonFinite, operation: &TracedOperation) -> Vec<String> {
    let each = operation.loops.iter().map(|(place, index)| match found.index_name(place) {
        Some(name) => format!("{name} = {index}"),
        None => format!("{index} is the index of the loop at {}", place.address(&found.program.term)),
    });
    each.collect()
}

pub(super) fn below(path: &Path, k: usize) -> Path {
    Path(path.0.iter().copied().chain([k as u32]).collect())
}

/// The subterm at a path on one line.
pub(super) fn excerpt(found: &NonFinite, path: &Path) -> String {
    let whole = &found.program.term;
    let Some(term) = path.find(whole) else { return String::new() };
    let scope = if term.size() <= MAX_EXCERPT_NODES { names_at(whole, path) } else { None };
    match scope {
        Some(scope) => render::excerpt(&term, &scope, MAX_CHARS),
        None => format!("({} of {} nodes)", term.kind().noun(), term.size()),
    }
}
