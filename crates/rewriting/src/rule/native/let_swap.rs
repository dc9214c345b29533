//! Moves lets of primal values before the lets of tangents that stand before them.

use crate::rule::condition::EnclosingMarks;
use crate::rule::footprint::{BELOW, ContextUse, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, Focus, Frame, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Kind, Term, View};

pub(super) const RULES: &[NativeRule] = &[NativeRule {
    name: "letSwapPrimal",
    params: &[],
    group: "Functions and let",
    law: Words("let x := a; ..; let y := b; c(x, y) --> let y := b; let x := a; ..; c(x, y), with all such y at once"),
    condition: "x is a tangent, y is none, and only lets stand in between",
    doc: "Takes primal values past the tangents that stand before them, where only lets stand in between: all of them in one step.",
    exactness: Exactness::Exact,
    inspects: Inspection {
        heads: HeadFilter::Of(&[Head::Let]),
        holds: &[Head::Let],
        ways: &[&[1]],
        scope: 1,
        guard: |term| term.nodes().get(1).is_some_and(|body| matches!(body.kind(), Kind::Let(_))),
        context: ContextUse::Marks,
        ..BELOW
    },
    left_sides: &[
        "build n (fun p => let x := build n (fun j => (if p = j then f(j) else 0)); let y := g; c(p, x, y))",
        "build n (fun p => let x := ifold n (fun a j => a + (if p = j then f(j) else 0)) 0; let y := g; c(p, x, y))",
        "build n (fun p => let x := ifold n (fun a j => a + (if p = j then f(j) else 0)) 0; let y := g; let t := x * h; \
             let z := e(y); c(p, x, y, t, z))",
    ],
    examples: &[
        (
            "fun (v : array n real) => build n (fun p => let x := ifold n (fun a i => a + (if p = i then v[i] else 0)) \
             0; let y := v[p] * 2; let z := exp 3; x + y + z)",
            "fun (v : array n real) => build n (fun p => let z := exp 3; let x := ifold n (fun a i => a + (if p = i then \
             v[i] else 0)) 0; let y := v[p] * 2; x + y + z)",
        ),
        (
            "fun (v : array n real) => build n (fun p => let x := ifold n (fun a i => a + (if p = i then v[i] else 0)) \
             0; let y := exp 3; let t := x * y; let z := y * 2; x + y + t + z)",
            "fun (v : array n real) => build n (fun p => let y := exp 3; let z := y * 2; let x := ifold n (fun a i => a + \
             (if p = i then v[i] else 0)) 0; let t := x * y; x + y + t + z)",
        ),
    ],
    refused: for_tests(&[
        "fun (v : array n real) => build n (fun p => let y := exp 3; let x := ifold n (fun a i => a + (if p = i then v[i] \
             else 0)) 0; x + y)",
        "fun (v : array n real) => build n (fun p => let x := ifold n (fun a i => a + (if p = i then v[i] else 0)) 0; let \
             y := ifold n (fun a i => a * (if p = i then v[i] else 1)) 1; x + y)",
        "fun (v : array n real) => build n (fun p => let x := ifold n (fun a i => a + (if p = i then v[i] else 0)) 0; -(let \
             y := exp 3; x + y))",
    ]),
    function: |focus, _| primal_first(focus).ok_or(Reason::native("no tangent before a let of what is none")),
}];

/// One of the lets that follow each other.
struct LetBinding {
    name: Name,
    /// In the scope of those before it.
    value: Term,
    is_tangent: bool,
}

/// The lets from here on, those of tangents last, both kinds in the order in which they are: what isn't a tangent mentions none.
fn primal_first(focus: &Focus) -> Option<Term> {
    let mut enclosing = EnclosingMarks::at(focus, &[]);
    let (mut lets, mut body): (Vec<LetBinding>, Term) = (Vec::new(), focus.term.clone());
    while let View::Let(name, value, next) = body.view() {
        let is_tangent = enclosing.marks(&value);
        // A primal let at the front stays where it is, so that the redex begins at the first tangent behind it.
        if lets.is_empty() && !is_tangent {
            return None;
        }
        lets.push(LetBinding { name, value, is_tangent });
        enclosing.enter(&Frame { term: body, kid: 1 });
        body = next;
    }
    let order: Vec<usize> = [false, true].into_iter().flat_map(|tangent| only(&lets, tangent)).collect();
    let mut places = vec![0; lets.len()];
    order.iter().zip(0..).for_each(|(then, now)| places[*then] = now);
    if places.iter().zip(0..).all(|(now, then)| *now == then) {
        return None;
    }
    let count = lets.len() as u32;
    let bind = |body: Term, then: &usize| {
        let value = moved(&lets[*then].value, *then as u32, places[*then], &places);
        Term::let_in(&lets[*then].name, value, body).ok()
    };
    order.iter().rev().try_fold(moved(&body, count, count, &places), bind)
}

/// Where those are that are tangents, or aren't.
fn only(lets: &[LetBinding], tangent: bool) -> impl Iterator<Item = usize> {
    (0..lets.len()).filter(move |k| lets[*k].is_tangent == tangent)
}

/// A term in the scope of the first `then` lets, where it stands in that of the first `now` of the new order.
fn moved(term: &Term, then: u32, now: u32, places: &[u32]) -> Term {
    term.rename(|i| match then.checked_sub(i + 1) {
        Some(place) => now - 1 - places[place as usize],
        None => i - then + now,
    })
}
