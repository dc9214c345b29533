//! Loops of few rounds written out, and elements of what was written out.

use super::{Exactness, Row};
use crate::rule::{Focus, Reason};
use crate::term::{Kind, Size, Term, TypeView, View};

/// The rounds that `unroll` writes out at most.
const FEW: u64 = 8;

/// The rounds that any parameter of `unrollUpTo` allows: what is written out must stay readable at all.
const MOST: u64 = 4096;

pub(super) const ROWS: &[Row] = &[
    Row {
        name: "unroll",
        group: "Written out",
        law: "build k f --> [f 0, .., f (k-1)]; ifold k f z --> f (.. (f z 0) ..) (k-1); [e0, .., ek][j] --> ej",
        condition: "k is a number, at most 8; j is a number",
        doc: "Writes a loop of few rounds out, so that each round is rewritten by itself; repeats f.",
        exactness: Exactness::Exact,
        function: |focus| unroll_up_to(focus, &[FEW]),
    },
    Row {
        name: "getArray",
        group: "Written out",
        law: "[e0, .., ek][j] --> ej",
        condition: "j is a number",
        doc: "Takes an element that is written out, and drops the others.",
        exactness: Exactness::Exact,
        function: element,
    },
];

/// `unrollUpTo(k)`, which takes a parameter.
pub(super) const UP_TO: Row = Row {
    name: "unrollUpTo",
    group: "Written out",
    law: "build m f --> [f 0, .., f (m-1)]; ifold m f z --> f (.. (f z 0) ..) (m-1); [e0, .., em][j] --> ej",
    condition: "m is a number, at most k; j is a number",
    doc: "Writes a loop of at most k rounds out; see unroll.",
    exactness: Exactness::Exact,
    function: |focus| unroll_up_to(focus, &[FEW]),
};

/// The rule with its parameter.
pub(super) fn unroll_up_to(focus: &Focus, arguments: &[u64]) -> Result<Term, Reason> {
    let most = arguments.first().copied().unwrap_or(FEW).min(MOST);
    let refuse = || Reason::native("no build or ifold of so few rounds, and no element that is written out");
    match focus.term.view() {
        View::Build(n, f) => rounds(&n, most).and_then(|k| written_out(focus.term, &f, k)),
        View::Ifold(n, f, z) => rounds(&n, most).and_then(|k| {
            (0..k).try_fold(z, |state, i| Term::app(Term::app(f.clone(), state).ok()?, index(i, &n)?).ok())
        }),
        _ => return element(focus),
    }
    .ok_or_else(refuse)
}

fn rounds(n: &Size, most: u64) -> Option<u64> {
    n.as_literal().filter(|k| *k <= most)
}

fn index(i: u64, n: &Size) -> Option<Term> {
    Term::fin(i, n.clone()).ok()
}

fn written_out(build: &Term, f: &Term, k: u64) -> Option<Term> {
    let TypeView::Array(n, element) = build.ty().view() else { return None };
    let elements: Option<Vec<Term>> = (0..k).map(|i| Term::app(f.clone(), index(i, n)?).ok()).collect();
    Term::array(element, elements?).ok()
}

fn element(focus: &Focus) -> Result<Term, Reason> {
    let refuse = || Reason::native("no element of an array that is written out, at a place that is a number");
    let View::Get(array, index) = focus.term.view() else { return Err(refuse()) };
    match (array.kind(), index.kind()) {
        (Kind::Array(_), Kind::Fin(j, _)) if (*j as usize) < array.kid_count() => Ok(array.kid(*j as usize)),
        _ => Err(refuse()),
    }
}
