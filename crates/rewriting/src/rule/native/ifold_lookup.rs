//! Reads what a fold looks up: of its rounds only the one that an index from outside chooses does anything.

use super::fold_parts::{FoldParts, is_written_out};
use super::solve_index::{at_number, solved};
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, Focus, NativeRule, Reason};
use redexter_language::term::{Head, Prim, Term, View};

pub(super) const RULES: &[NativeRule] = &[NativeRule {
    name: "ifoldLookup",
    params: &[],
    group: "Folds",
    law: Words(
        "ifold n (fun a i => if c(i, a) then .. (if i = k then e(a, i) else a) .. else a) z --> \
         let a := z; let i := k; if c(i, a) then .. e(a, i) .. else a",
    ),
    condition: "as of sumOneHot; also with `!=` or `not` and the branches exchanged",
    doc: "Only round k changes the state, as where a fold looks up what an array holds at k: from n rounds to one.",
    exactness: Exactness::Exact,
    inspects: Inspection {
        heads: HeadFilter::Of(&[Head::Ifold]),
        ways: &[&[0, 0, 0]],
        scope: 3,
        guard: is_written_out,
        ..BELOW
    },
    left_sides: &[
        "ifold n (fun a i => if i = k then e(a, i) else a) z",
        "ifold n (fun a i => if k != i then a else e(a, i)) z",
        "ifold n (fun a i => if not (i = k) then a else e(a, i)) z",
        "ifold n (fun a i => if int i = k then e(a, i) else a) z",
        "ifold n (fun a i => if c(i) then (if int i - 1 = k then e(a, i) else a) else a) z",
        "ifold n (fun a i => if (k : fin (n + 1)) = i + 1 then e(a, i) else a) z",
    ],
    examples: &[
        (
            "fun (v : array n real) (k : int) => ifold n (fun a i => if int i = k then v[i] else a) 0",
            "fun (v : array n real) (k : int) => let a := 0; if i : fin n := k then v[i] else a",
        ),
        (
            "fun (v : array n real) (k : fin n) (x : real) => ifold n (fun a i => if i != k then a else a * v[i]) x",
            "fun (v : array n real) (k : fin n) (x : real) => let a := x; a * v[k]",
        ),
        (
            "fun (v : array n real) (k : int) => ifold n (fun a i => if v[i] < a then (if k = int i + 2 then v[i] else a) else a) 1",
            "fun (v : array n real) (k : int) => let a := 1; if i : fin n := k - 2 then (if v[i] < a then v[i] else a) else a",
        ),
    ],
    refused: for_tests(&[
        "fun (v : array n real) => ifold n (fun a i => if v[i] > a then v[i] else a) 0",
        "fun (v : array n real) (k : int) => ifold n (fun a i => if int i = k then v[i] else 0) 1",
        "fun (v : array n int) => ifold n (fun a i => if int i = a then v[i] else a) 0",
    ]),
    function: |focus, _| looked_up(focus).ok_or(Reason::native("no fold that only one round, `i = k`, changes")),
}];

fn looked_up(focus: &Focus) -> Option<Term> {
    let FoldParts { n, state, index, body, start } = FoldParts::of(focus.term)?;
    let (changed, value) = at_one_round(&body)?;
    // It was found under the state.
    if value.free_at(0).is_some() {
        return None;
    }
    let kept = Term::var(0, start.ty());
    let read = at_number((&index, &n), &value, &changed, Some(kept), focus.bounds)?;
    Term::let_in(&state, start, read).ok()
}

/// A chain of choices that all but one index leave the state, without the one that asks for that index; and the index.
fn at_one_round(chain: &Term) -> Option<(Term, Term)> {
    let View::If(c, then, other) = chain.view() else { return None };
    let is_state = |term: &Term| matches!(term.view(), View::Var(1));
    let changed = match (is_state(&then), is_state(&other)) {
        (false, true) => &then,
        (true, false) => &other,
        _ => return None,
    };
    let holds = if is_state(&other) { Prim::Eq } else { Prim::Ne };
    if let Some(value) = chosen(&c, holds) {
        return Some((changed.clone(), value));
    }
    let (rest, value) = at_one_round(changed)?;
    let (then, other) = if is_state(&other) { (rest, other) } else { (then, rest) };
    Some((Term::if_else(c, then, other).ok()?, value))
}

/// The index at which a condition holds alone; with `!=`, doesn't hold alone.
fn chosen(condition: &Term, holds: Prim) -> Option<Term> {
    match condition.view() {
        View::Prim(op, sides) if op == holds => solved(&sides[0], &sides[1]),
        View::Prim(Prim::Not, operands) => chosen(&operands[0], if holds == Prim::Eq { Prim::Ne } else { Prim::Eq }),
        _ => None,
    }
}
