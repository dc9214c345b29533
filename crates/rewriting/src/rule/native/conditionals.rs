//! Uses in each branch of an `if` what its condition says, takes a branch of an `if` or a guard that is decided, and simplifies
//! comparisons of shifted indices.

use super::solve_index::{at_index, index_below};
use crate::rule::footprint::{ANY_KID, BELOW, HeadFilter, Inspection, SHALLOW};
use crate::rule::record::NativeStatement::{Text, Words};
use crate::rule::replace::{TermReplacement, replace};
use crate::rule::{Exactness, Focus, NativeRule, Reason};
use redexter_language::term::{Head, Kind, Prim, PrimClass, RangeProver, Size, Term, TypeView, View};

pub(super) const RULES: &[NativeRule] = &[
    NativeRule {
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
        refused: &[
            "fun (v : array n real) => if 0 < 1 then v else build n (fun i => v[i])",
            "fun (i : fin n) => if i = i then build n (fun j => j = j) else build n (fun j => 2)",
            "fun (c : int) => if c then c else 1",
        ],
        function: |focus, _| if_known(focus),
    },
    NativeRule {
        name: "guardHolds",
        params: &[],
        group: "Conditionals",
        law: Words("if k : fin n := c then a(k) else b --> let k := c; a(k)"),
        condition: "c is shown to be from 0 and below n, wherever its variables are what their types say",
        doc: "Drops a guard that always holds, such as one in a round where a neighbour exists. The index is named unless it is \
              a variable or a number.",
        exactness: Exactness::Exact,
        inspects: Inspection { heads: HeadFilter::Of(&[Head::Guard]), ..BELOW },
        left_sides: &[
            "if k : fin n := int (i : fin n) then a(k) else b",
            "if k : fin (n + 1) := int (i : fin n) + 1 then a(k) else b",
            "if k : fin n := n - 1 - int (i : fin n) then a(k) else b",
            "if k : fin (n * m) := int (i : fin n) * m + int (j : fin m) then a(k) else b",
            "if k : fin n := int (i : fin (n * 2)) / 2 then a(k) else b",
            "if k : fin 3 := 2 then a(k) else b",
        ],
        examples: &[
            (
                "fun (v : array (n + 1) real) (i : fin n) => v[int i + 1 else 0]",
                "fun (v : array (n + 1) real) (i : fin n) => let k := (int i + 1 : fin (n + 1)); v[k]",
            ),
            ("fun (v : array n real) (i : fin n) => v[int i else 0]", "fun (v : array n real) (i : fin n) => v[i]"),
            ("fun (v : array (n + 3) real) => v[2 else 0]", "fun (v : array (n + 3) real) => v[2]"),
        ],
        refused: &[
            "fun (v : array n real) (i : fin n) => v[int i - 1 else 0]",
            "fun (v : array n real) (i : fin n) => v[int i + 1 else 0]",
            "fun (v : array n real) => v[0 else 1]",
        ],
        function: |focus, _| guard_holds(focus),
    },
    NativeRule {
        name: "guardFails",
        params: &[],
        group: "Conditionals",
        law: Text(&["if k : fin n := c then a(k) else b --> b"]),
        condition: "c is shown to be negative or at least n, wherever its variables are what their types say",
        doc: "Takes the other branch of a guard that never holds, such as one in a round where no neighbour exists.",
        exactness: Exactness::Exact,
        inspects: Inspection { heads: HeadFilter::Of(&[Head::Guard]), ..BELOW },
        left_sides: &[
            "if k : fin n := -1 then a(k) else b",
            "if k : fin n := n then a(k) else b",
            "if k : fin n := n + int (i : fin m) then a(k) else b",
            "if k : fin n := int (i : fin n) - n then a(k) else b",
            "if k : fin 3 := 7 then a(k) else b",
        ],
        examples: &[
            ("fun (v : array n real) => v[n else 2]", "fun (v : array n real) => (2 : real)"),
            (
                "fun (v : array n real) (i : fin m) => v[-1 - i else 2]",
                "fun (v : array n real) (i : fin m) => (2 : real)",
            ),
            (
                "fun (v : array n real) (i : fin m) => v[n + i else 2]",
                "fun (v : array n real) (i : fin m) => (2 : real)",
            ),
        ],
        refused: &[
            "fun (v : array n real) (i : fin n) => v[int i - 1 else 2]",
            "fun (v : array (n + 1) real) => v[n else 2]",
            // Four sizes can come to so much that they wrap.
            "fun (v : array n real) (i : fin n) => v[4 * n + i else 2]",
        ],
        function: |focus, _| guard_fails(focus),
    },
];

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
    refused: &["fun (i : fin n) (k : fin (n + 1)) => i + 1 = k"],
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

/// `if k : fin n := c then a(k) else b --> a(c)` where c is an index below n.
fn guard_holds(focus: &Focus) -> Result<Term, Reason> {
    let View::Guard(name, n, number, inside, _) = focus.term.view() else {
        return Err(Reason::native("the term is no guard"));
    };
    index_below(&number, &n, focus.bounds)
        .and_then(|index| at_index(&name, index, &inside))
        .ok_or(Reason { progress: 1, ..Reason::native("the number isn't shown to be in range") })
}

/// `if k : fin n := c then a(k) else b --> b` where c is no index below n.
fn guard_fails(focus: &Focus) -> Result<Term, Reason> {
    let View::Guard(_, n, number, _, other) = focus.term.view() else {
        return Err(Reason::native("the term is no guard"));
    };
    match RangeProver::new(focus.bounds, &[]).is_no_index(&number, &n) {
        true => Ok(other),
        false => Err(Reason { progress: 1, ..Reason::native("the number isn't shown to be out of range") }),
    }
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
