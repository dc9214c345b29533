//! Uses in each branch of an `if` what its condition says, and simplifies comparisons of shifted indices.

use crate::rule::footprint::{ANY_KID, BELOW, HeadFilter, Inspection, SHALLOW};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::replace::{TermReplacement, replace};
use crate::rule::{Exactness, Focus, NativeRule, Reason};
use redexter_language::term::{Head, Kind, Prim, PrimClass, Size, Term, TypeView, View};

pub(super) const RULES: &[NativeRule] = &[NativeRule {
    name: "ifKnown",
    params: &[],
    group: "Conditionals",
    law: Words("if c then a else b --> if c then a[c := 1] else b[c := 0]"),
    condition: "c is a comparison, `&&`, `||`, `not`, a variable or an element, and occurs in a branch, an equality also \
                    with its sides exchanged; a variable or an element in a only where it is asked",
    doc: "Uses in each branch what its condition says; an occurrence where one of c's variables is bound again is \
              another condition. A variable or an element may be any number but 0 in a: it is 1 there as the condition of an \
              if, and under `&&`, `||` and `not`.",
    exactness: Exactness::Exact,
    inspects: Inspection { heads: HeadFilter::Of(&[Head::If]), ways: &[&[0]], guard: asks, ..BELOW },
    left_sides: &[
        "if x < y then (if x < y then a else b) else (if x < y then b else a)",
        "if x = y then (if x = y then a else b) else c",
        "if x = y then (if y = x then a else b) else (if y = x then b else a)",
        "if x != y then (y != x) + c else (y != x)",
        "if c && d then a else (if c && d then a else b)",
        "if c || d then real (c || d) else b",
        "if not c then b else (if not c then a else b)",
        "if x != y then (x != y) + c else (x != y)",
        "if c then c + d else c * d",
        "if c then (if c then a else b) else (if not c then b else real c)",
        "if c then (if not c && d then a else real c) else a",
        "if v[k] then (if v[k] && d then a else b) else real v[k]",
        "if x <= y then build n (fun i => if x <= y then f(i) else z) else w",
        "if x < y then (let x := y; if x < y then a else b) else b",
    ],
    examples: &[
        (
            "fun (v : real) => if v < 1 then (if v < 1 then v else 2) else (if v < 1 then 3 else v)",
            "fun (v : real) => if v < 1 then (if 1 then v else 2) else (if 0 then 3 else v)",
        ),
        (
            "fun (v : real) (c : int) => if not c then v * real c else (if c then v * real c else 2)",
            "fun (v : real) (c : int) => if not c then v * real 0 else (if 1 then v * real c else 2)",
        ),
        (
            "fun (v : array n int) (k : fin n) => if v[k] then (if v[k] then 2 else v[k]) else v[k]",
            "fun (v : array n int) (k : fin n) => if v[k] then (if 1 then 2 else v[k]) else 0",
        ),
    ],
    refused: for_tests(&[
        "fun (v : array n real) => if 0 < 1 then v else build n (fun i => v[i])",
        "fun (i : fin n) => if i = i then build n (fun j => j = j) else build n (fun j => 2)",
        "fun (c : int) => if c then c else 1",
    ]),
    function: |focus, _| if_known(focus),
}];

/// `eqOffset`, which stands apart in the book.
pub(super) const OFFSET_RULES: &[NativeRule] = &[NativeRule {
    name: "eqOffset",
    params: &[],
    group: "Conditionals",
    law: Words("i + c = k + d --> i + (c - m) = k + (d - m)"),
    condition: "m is the smaller of the literals c and d, and above 0; the same for every comparison",
    doc: "Frees a comparison of shifted indices for ifoldOneHot; blocked where only one side is shifted and the \
              other is no constant.",
    exactness: Exactness::Exact,
    inspects: Inspection { heads: HeadFilter::Prims(&[PrimClass::Comparison]), ways: &[&[ANY_KID]], ..SHALLOW },
    left_sides: &[
        "(i : fin n) + 1 = (k : fin m) + 2",
        "(i : fin n) + 2 = (k : fin m) + 1",
        "(i : fin n) + 1 = (k : fin m) + 1",
        "(i : fin n) + 1 < (k : fin m) + 2",
        "(i : fin n) + 2 < (k : fin m) + 1",
        "(i : fin n) + 1 < (k : fin m) + 1",
        "(i : fin n) + 1 >= (k : fin m) + 2",
        "(i : fin n) + 2 >= (k : fin m) + 1",
        "(i : fin n) + 1 >= (k : fin m) + 1",
        "(i : fin n) + 1 != (k : fin m) + 2",
        "(i : fin n) + 2 != (k : fin m) + 1",
        "(i : fin n) + 1 != (k : fin m) + 1",
        "if (i : fin n) + 1 = 2 then a else b",
        "if (i : fin n) + 1 < 2 then a else b",
        "if (i : fin n) + 1 >= 2 then a else b",
        "if (i : fin n) + 1 != 2 then a else b",
        "if 2 = (i : fin n) + 1 then a else b",
        "if 2 < (i : fin n) + 1 then a else b",
        "if 2 >= (i : fin n) + 1 then a else b",
        "if 2 != (i : fin n) + 1 then a else b",
        "build n (fun i => i + 2 = 3)",
    ],
    examples: &[("fun (i k : fin n) => i + 2 = k + 3", "fun (i k : fin n) => i = k + 1")],
    refused: for_tests(&["fun (i : fin n) (k : fin (n + 1)) => i + 1 = k"]),
    function: |focus, _| compare_offsets(focus),
}];

fn asks(choice: &Term) -> bool {
    is_truth(&choice.kid(0))
}

fn is_truth(condition: &Term) -> bool {
    match condition.kind() {
        Kind::Prim(prim) => prim.class().is_truth(),
        kind => is_open(kind),
    }
}

/// Whether it may be any number but 0 where it holds: a variable, or what an array holds.
fn is_open(condition: &Kind) -> bool {
    matches!(condition, Kind::Var | Kind::Get)
}

/// `if c then a else b`, with c replaced by 1 in a and by 0 in b; the other way round for what `not` stands before.
fn if_known(focus: &Focus) -> Result<Term, Reason> {
    let View::If(condition, a, b) = focus.term.view() else {
        return Err(Reason::native("the term is no if"));
    };
    if !asks(focus.term) {
        return Err(Reason::native("the condition is no comparison, `&&`, `||`, `not`, variable or element"));
    }
    let (mut base, mut holds) = (condition.clone(), true);
    while let Kind::Prim(Prim::Not) = base.kind()
        && is_truth(&base.kid(0))
    {
        (base, holds) = (base.kid(0), !holds);
    }
    let is_open = is_open(base.kind());
    let known: Vec<Term> = [Some(base.clone()), exchanged(&base)].into_iter().flatten().collect();
    let put = |branch: &Term, holds: bool| {
        let to = Term::int(holds.into());
        let put = |from: &Term| TermReplacement { from: from.clone(), to: to.clone(), asked: is_open && holds };
        replace(branch, &known.iter().map(put).collect::<Vec<_>>())
    };
    let (then, other) = (put(&a, holds), put(&b, !holds));
    if then == a && other == b {
        return Err(Reason { progress: 1, ..Reason::native("the condition does not occur in a branch") });
    }
    Term::if_else(condition, then, other).map_err(|_| Reason::native("the branches differ in type"))
}

/// `b = a` for `a = b`, and so for `!=`.
fn exchanged(comparison: &Term) -> Option<Term> {
    let Kind::Prim(prim @ (Prim::Eq | Prim::Ne)) = comparison.kind() else { return None };
    Term::prim(*prim, vec![comparison.kid(1), comparison.kid(0)]).ok()
}

/// `i + c = k + d`, for any comparison of indices, with the smaller of c and d gone from both sides.
fn compare_offsets(focus: &Focus) -> Result<Term, Reason> {
    let refuse = || Reason::native("no comparison of two indices with something added to both");
    let Kind::Prim(op) = focus.term.kind() else { return Err(refuse()) };
    if op.class() != PrimClass::Comparison {
        return Err(refuse());
    }
    let (left, right) = (focus.term.kid(0), focus.term.kid(1));
    let ((i, c), (k, d)) = (offset(&left), offset(&right));
    let common = c.min(d);
    let sides = if common > 0 {
        Some((plus(i, c - common), plus(k, d - common)))
    } else if c > 0 {
        below(&right, &i, c, focus).map(|k| (i, k))
    } else {
        below(&left, &k, d, focus).map(|i| (i, k))
    };
    let (i, k) = sides.ok_or_else(refuse)?;
    Term::prim(*op, vec![i, k]).map_err(|_| refuse())
}

/// An index without what is added to it, and that.
fn offset(index: &Term) -> (Term, u64) {
    match index.kind() {
        Kind::Prim(Prim::Offset(c)) => (index.kid(0), *c),
        _ => (index.clone(), 0),
    }
}

fn plus(index: Term, c: u64) -> Term {
    if c == 0 { index } else { Term::prim(Prim::Offset(c), vec![index.clone()]).unwrap_or(index) }
}

/// A constant less `c`, if it then is an index as `like` is one for every value of the sizes.
fn below(constant: &Term, like: &Term, c: u64, focus: &Focus) -> Option<Term> {
    let (Kind::Fin(k, _), TypeView::Fin(n)) = (constant.kind(), like.ty().view()) else { return None };
    let rest = k.checked_sub(c).filter(|rest| c > 0 && Size::least(n, focus.bounds) > *rest)?;
    Term::fin(rest, n.clone()).ok()
}
