//! Adds up what stands at known places: scatters with equal keys, and arrays that are written out.

use super::pull::GROUP;
use super::scatter_parts::ScatterParts;
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Kind, Prim, Size, Term, View};

/// Arrays up to this size are written out.
const WRITTEN: u64 = 16;

pub(super) const RULES: &[NativeRule] = &[
    NativeRule {
        name: "plusMerge",
        params: &[],
        group: GROUP,
        law: Words(
            "plus .. (scatter n m (fun e => (k(e), a(e)))) .. (scatter n m (fun e => (k(e), b(e)))) --> plus .. (scatter n m (fun e => (k(e), \
             plus a(e) b(e))))",
        ),
        condition: "both stand in one sum",
        doc: "Scatters to the same places are one, of sums: each place is found once.",
        exactness: Exactness::Reassociating,
        inspects: Inspection { heads: HeadFilter::Of(&[Head::Plus]), holds: &[Head::Scatter], ..BELOW },
        left_sides: &[
            "plus (scatter n m (fun e => (k(e), a(e)))) (scatter n m (fun e => (k(e), b(e))))",
            "plus (plus (scatter n m (fun e => (k(e), a(e)))) v) (scatter n m (fun e => (k(e), b(e))))",
        ],
        examples: &[(
            "fun (k : fin n) (a b : real) (v : array n real) => plus (plus (scatter n 1 (fun e => (int k, a))) v) (scatter n 1 (fun e => (int \
             k, b)))",
            "fun (k : fin n) (a b : real) (v : array n real) => plus (scatter n 1 (fun e => (int k, plus a b))) v",
        )],
        refused: &[
            "fun (k l : fin n) (a b : real) => plus (scatter n 1 (fun e => (int k, a))) (scatter n 1 (fun e => (int l, b)))",
            "fun (v w : array n real) => plus v w",
        ],
        function: |focus, _| merged(focus.term).ok_or(Reason::native("no two scatters with the same keys are added")),
    },
    NativeRule {
        name: "putWritten",
        params: &[],
        group: GROUP,
        law: Words("scatter 3 1 (fun e => (1, v(e))) --> let x := v(0); [0, x, 0], and so with other numbers"),
        condition: "a key that is a number, and at most 16 places",
        doc: "One number among few zeros is written out: what is added to it needn't ask where it stands.",
        exactness: Exactness::RealExact,
        inspects: Inspection { heads: HeadFilter::Of(&[Head::Scatter]), ways: &[&[0, 0]], ..BELOW },
        left_sides: &["scatter 3 1 (fun e => (1, v(e)))", "scatter 2 1 (fun e => (int (0 : fin 2), (a, b)))"],
        examples: &[(
            "fun (v : real) => scatter 3 1 (fun e => (1, exp v))",
            "fun (v : real) => let x := exp v; [0, x, 0]",
        )],
        refused: &[
            "fun (v : real) (k : int) => scatter 3 1 (fun e => (k, v))",
            "fun (v : real) => scatter 3 2 (fun e => (1, v))",
        ],
        function: |focus, _| put_written(focus.term).ok_or(Reason::native("no one-hot of a number in a few places")),
    },
    NativeRule {
        name: "plusWritten",
        params: &[],
        group: GROUP,
        law: Words("plus [a, b] w --> let x := w; [plus a x[0], plus b x[1]], and so for plus w [a, b]"),
        condition: "",
        doc: "An array that is written out is added element by element.",
        exactness: Exactness::Exact,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::Plus]),
            ways: &[&[0], &[1]],
            guard: |term| (0..2).any(|k| matches!(term.kid(k).kind(), Kind::Array(_))),
            ..BELOW
        },
        left_sides: &["plus [a, b] w", "plus w [a, b, c]", "plus [a, b] [c, d]"],
        examples: &[(
            "fun (a b : real) (w : array 2 real) => plus [a, b] w",
            "fun (a b : real) (w : array 2 real) => let x := w; [plus a x[(0 : fin 2)], plus b x[(1 : fin 2)]]",
        )],
        refused: &["fun (v w : array 2 real) => plus v w"],
        function: |focus, _| plus_written(focus.term).ok_or(Reason::native("no array that is written out is added")),
    },
];

/// What a sum of arrays or pairs adds up, from the left to the right.
fn summands(term: &Term, all: &mut Vec<Term>) {
    match term.view() {
        View::Plus(a, b) => {
            summands(&a, all);
            summands(&b, all);
        }
        _ => all.push(term.clone()),
    }
}

fn merged(term: &Term) -> Option<Term> {
    let mut all = Vec::new();
    summands(term, &mut all);
    let entries: Vec<_> = all.iter().map(ScatterParts::of).collect();
    let equal = |one: usize, other: usize| match (&entries[one], &entries[other]) {
        (Some(one), Some(other)) => one.rounds == other.rounds && one.places == other.places && one.key == other.key,
        _ => false,
    };
    let (one, other) = (0..all.len()).find_map(|k| ((k + 1)..all.len()).find(|l| equal(k, *l)).map(|l| (k, l)))?;
    let (a, b) = (entries[one].as_ref()?, entries[other].as_ref()?);
    all[one] = a.with(a.key.clone(), Term::plus(a.value.clone(), b.value.clone()).ok()?)?;
    all.remove(other);
    all.into_iter().map(Some).reduce(|a, b| Term::plus(a?, b?).ok())?
}

fn put_written(term: &Term) -> Option<Term> {
    let ScatterParts { rounds, places, key, value, .. } = ScatterParts::of(term)?;
    let count = places.as_literal().filter(|n| *n <= WRITTEN)?;
    if rounds.as_literal() != Some(1) {
        return None;
    }
    let place = match key.view() {
        View::Int(k) => k,
        View::Prim(Prim::ToInt, operands) => match operands[0].kind() {
            Kind::Fin(k, _) => i64::try_from(*k).ok()?,
            _ => return None,
        },
        _ => return None,
    };
    let value = value.instantiate(&Term::fin(0, rounds).ok()?).ok()?;
    let zero = Term::zero(value.ty())?;
    let element = |k: u64| if i64::try_from(k) == Ok(place) { Term::var(0, value.ty()) } else { zero.clone() };
    let array = Term::array(value.ty(), (0..count).map(element).collect()).ok()?;
    Term::let_in(&Name::new("x"), value, array).ok()
}

fn plus_written(term: &Term) -> Option<Term> {
    let View::Plus(a, b) = term.view() else { return None };
    let elements = |term: &Term| match term.view() {
        View::Array(_, all) => Some(all),
        _ => None,
    };
    let sum = |k: usize, own: &Term, other: &Term, left: bool, count: usize| {
        let index = Term::fin(k as u64, Size::literal(count as u64)).ok()?;
        let read = Term::get(other.clone(), index).ok()?;
        if left { Term::plus(own.shift(1), read).ok() } else { Term::plus(read, own.shift(1)).ok() }
    };
    let (written, other, left) = match (elements(&a), elements(&b)) {
        (Some(written), _) => (written, b, true),
        (None, Some(written)) => (written, a, false),
        (None, None) => return None,
    };
    let named = Term::var(0, other.ty());
    let count = written.len();
    let all: Vec<Term> =
        written.iter().enumerate().map(|(k, own)| sum(k, own, &named, left, count)).collect::<Option<_>>()?;
    let array = Term::array(&all.first()?.ty().clone(), all).ok()?;
    Term::let_in(&Name::new("x"), other, array).ok()
}
