//! Unrolls loops of few iterations completely, and takes elements of what was written out.

use crate::rule::footprint::{ANY_KID, HeadFilter, Inspection, SHALLOW};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, Focus, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Kind, Size, Term, Type, TypeView, View};

/// The most iterations that `unroll` writes out.
const MAX_UNROLLED: u64 = 8;

/// The most iterations that any parameter of `unrollUpTo` allows, because what is written out must stay readable at all.
const MAX_UNROLL_PARAMETER: u64 = 4096;

pub(super) const RULES: &[NativeRule] = &[
    NativeRule {
        name: "unroll",
        params: &[],
        group: "Written out",
        law: Words(
            "build k f --> [f 0, .., f (k-1)]; ifold k f z --> f (.. (f z 0) ..) (k-1); scan k f z --> let s := z; \
             let p := f s 0; ..; let q := f (fst p) (k-1); (fst q, [snd p, .., snd q]), and so scanr from k-1 on; \
             [e0, .., ek][j] --> ej",
        ),
        condition: "k is a number, at most 8; j is a number",
        doc: "Writes a loop of few rounds out, so that each round is rewritten by itself; repeats f.",
        exactness: Exactness::Exact,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::Build, Head::Ifold, Head::Scan, Head::Scanr, Head::Get]),
            ways: &[&[ANY_KID]],
            ..SHALLOW
        },
        left_sides: &[
            "build 2 f",
            "build 0 f",
            "build 1 f",
            "build 3 (fun i => e(i))",
            "ifold 3 f z",
            "ifold 0 f z",
            "ifold 1 (fun a i => e(a, i)) z",
            "ifold 2 (fun a i => e(a, i)) z",
            "scan 2 f z",
            "scanr 3 (fun s i => (f(s, i), s)) z",
            "scan 0 f z",
            "[a, b, c][1]",
            "[a, b][0]",
        ],
        examples: &[
            (
                "fun (v : array 2 real) => build 2 (fun i => v[i] * 2)",
                "fun (v : array 2 real) => [(fun (i : fin 2) => v[i] * 2) 0, (fun (i : fin 2) => v[i] * 2) 1]",
            ),
            (
                "fun (v : array 2 real) => ifold 2 (fun a i => a * v[i]) 1",
                "fun (v : array 2 real) => (fun (a : real) (i : fin 2) => a * v[i]) ((fun (a : real) (i : fin 2) => a \
             * v[i]) 1 0) 1",
            ),
            (
                "fun (v : array 2 real) => scanr 2 (fun s i => (s * v[i], s)) 1",
                "fun (v : array 2 real) => let s := 1; let p := (fun (s : real) (i : fin 2) => (s * v[i], s)) s 1; \
                 let q := (fun (s : real) (i : fin 2) => (s * v[i], s)) (fst p) 0; (fst q, [snd q, snd p])",
            ),
            ("fun (v : real) => [v, 2 * v][1]", "fun (v : real) => 2 * v"),
        ],
        refused: for_tests(&[
            "fun (v : array 9 real) => build 9 (fun i => v[i] * 2)",
            "fun (v : array n real) => build n (fun i => v[i] * 2)",
        ]),
        function: |focus, _| unroll_up_to(focus, &[MAX_UNROLLED]),
    },
    NativeRule {
        name: "getArray",
        params: &[],
        group: "Written out",
        law: Words("[e0, .., ek][j] --> ej"),
        condition: "j is a number",
        doc: "Takes an element that is written out, and drops the others.",
        exactness: Exactness::Exact,
        inspects: Inspection { heads: HeadFilter::Of(&[Head::Get]), ways: &[&[ANY_KID]], ..SHALLOW },
        left_sides: &["[a, b, c][1]", "[a, b][0]", "[a][0]", "[a, b, c][2]"],
        examples: &[("fun (v : real) => [v, 2 * v, 3][0]", "fun (v : real) => v")],
        refused: for_tests(&["fun (v : array 2 real) => v[1]"]),
        function: |focus, _| element(focus),
    },
];

/// `unrollUpTo(k)`, which takes a parameter.
pub(super) const UP_TO_RULES: &[NativeRule] = &[NativeRule {
    name: "unrollUpTo",
    params: &[("k", 2)],
    group: "Written out",
    law: Words(
        "build m f --> [f 0, .., f (m-1)]; ifold m f z --> f (.. (f z 0) ..) (m-1), and so scan and scanr; [e0, .., em][j] --> ej",
    ),
    condition: "m is a number, at most k; j is a number",
    doc: "Writes a loop of at most k rounds out; see unroll.",
    exactness: Exactness::Exact,
    inspects: Inspection {
        heads: HeadFilter::Of(&[Head::Build, Head::Ifold, Head::Scan, Head::Scanr, Head::Get]),
        ways: &[&[ANY_KID]],
        ..SHALLOW
    },
    left_sides: &["build 2 f", "ifold 2 f z", "ifold 0 f z", "scan 2 f z"],
    examples: &[(
        "fun (v : real) => build 2 (fun i => v)",
        "fun (v : real) => [(fun (i : fin 2) => v) 0, (fun (i : fin 2) => v) 1]",
    )],
    refused: for_tests(&["fun (v : array 3 real) => build 3 (fun i => v[i] * 2)"]),
    function: unroll_up_to,
}];

fn unroll_up_to(focus: &Focus, arguments: &[u64]) -> Result<Term, Reason> {
    let most = arguments.first().copied().unwrap_or(MAX_UNROLLED).min(MAX_UNROLL_PARAMETER);
    let refuse = || Reason::native("no loop of so few rounds, and no element that is written out");
    match focus.term.view() {
        View::Build(n, f) => rounds(&n, most).and_then(|k| written_out(focus.term, &f, k)),
        View::Ifold(n, f, z) => rounds(&n, most).and_then(|k| {
            (0..k).try_fold(z, |state, i| Term::app(Term::app(f.clone(), state).ok()?, index(i, &n)?).ok())
        }),
        View::Scan(n, f, z) => rounds(&n, most).and_then(|k| steps(focus.term, &f, &z, 0..k)),
        View::Scanr(n, f, z) => rounds(&n, most).and_then(|k| steps(focus.term, &f, &z, (0..k).rev())),
        _ => return element(focus),
    }
    .ok_or_else(refuse)
}

/// A scan of these steps, one after the other: each has a name, since both its halves are used.
fn steps(scan: &Term, f: &Term, z: &Term, order: impl DoubleEndedIterator<Item = u64> + Clone) -> Option<Term> {
    let TypeView::Pair(_, kept) = scan.ty().view() else { return None };
    let TypeView::Array(n, element) = kept.view() else { return None };
    let count = order.clone().count() as u32;
    let both = Type::pair(z.ty().clone(), element.clone());
    // Under all names the start is variable `count`, and the step that was taken as number j is variable count - 1 - j.
    let state = |j: u32, under: u32| match j {
        0 => Some(Term::var(under - 1, z.ty())),
        _ => Term::fst(Term::var(under - 1 - j, &both)).ok(),
    };
    let mut kept: Vec<(u64, Term)> = (0..)
        .zip(order.clone())
        .map(|(j, i)| Some((i, Term::snd(Term::var(count - 1 - j, &both)).ok()?)))
        .collect::<Option<_>>()?;
    kept.sort_by_key(|(i, _)| *i);
    let kept = Term::array(element, kept.into_iter().map(|(_, own)| own).collect()).ok()?;
    let result = Term::pair(state(count, count + 1)?, kept).ok()?;
    let mut all = (0..count).zip(order).collect::<Vec<_>>();
    all.reverse();
    let inner = all.into_iter().try_fold(result, |inner, (j, i)| {
        let step = Term::app(Term::app(f.shift(j + 1), state(j, j + 1)?).ok()?, index(i, n)?).ok()?;
        Term::let_in(&Name::new("p"), step, inner).ok()
    })?;
    Term::let_in(&Name::new("s"), z.clone(), inner).ok()
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
