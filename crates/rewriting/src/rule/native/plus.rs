//! Adds up what stands at known places: scatters with equal keys, and arrays that are written out.

use super::halves::{each, is_cheap};
use super::pull_path::GROUP;
use super::scatter_parts::ScatterParts;
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Kind, Prim, Size, Term, Type, TypeView, View};

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
        refused: for_tests(&[
            "fun (k l : fin n) (a b : real) => plus (scatter n 1 (fun e => (int k, a))) (scatter n 1 (fun e => (int l, b)))",
            "fun (v w : array n real) => plus v w",
        ]),
        function: |focus, _| merged(focus.term).ok_or(Reason::native("no two scatters with the same keys are added")),
    },
    NativeRule {
        name: "plusRow",
        params: &[],
        group: GROUP,
        law: Words(
            "plus v (scatter n 1 (fun e => (k, r(e)))) --> let x := v; build n (fun i => if int i = k then plus x[i] r(0) else x[i]), \
             and so for plus (scatter n 1 (fun e => (k, r(e)))) v, and for a sum of such scatters; a choice between elements that cost \
             nothing gets no name",
        ),
        condition: "v is no scatter, and its elements are no numbers",
        doc: "What is added to one row leaves the others as they are, each as a whole.",
        exactness: Exactness::Reassociating,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::Plus]),
            holds: &[Head::Scatter],
            guard: |term| matches!(term.ty().view(), TypeView::Array(_, row) if !matches!(row.view(), TypeView::Real)),
            ..BELOW
        },
        left_sides: &[
            "plus v (scatter n 1 (fun e => (k, build m (fun j => a(j)))))",
            "plus (scatter n 1 (fun e => (int (k : fin n), (x, y)))) (build n (fun i => if i = k then (0, 0) else v[i]))",
            "plus v (plus (scatter n 1 (fun e => (k, (x, y)))) (scatter n 1 (fun e => (l, (y, x)))))",
        ],
        examples: &[
            (
                "fun (v : array n (array m real)) (k : fin n) (w : array m real) => plus v (scatter n 1 (fun e => (int k, w)))",
                "fun (v : array n (array m real)) (k : fin n) (w : array m real) => build n (fun i => if i = k then plus v[i] w else v[i])",
            ),
            (
                "fun (v : array n (array m real)) (k : fin n) (c : int) (w : array m real) => plus (scatter n 1 (fun e => (c, w))) \
                 (build n (fun i => if i = k then build m (fun j => 0) else v[i]))",
                "fun (v : array n (array m real)) (k : fin n) (c : int) (w : array m real) => build n (fun i => if int i = c \
                 then plus (if i = k then build m (fun j => 0) else v[i]) w else if i = k then build m (fun j => 0) else v[i])",
            ),
        ],
        refused: for_tests(&[
            "fun (v : array n real) (k : fin n) => plus v (scatter n 1 (fun e => (int k, 2)))",
            "fun (v : array n (array m real)) (k : array l (fin n)) (w : array m real) => plus v (scatter n l (fun e => (int k[e], w)))",
        ]),
        function: |focus, _| plus_row(focus.term).ok_or(Reason::native("no row of an array is added to another array")),
    },
    NativeRule {
        name: "putWritten",
        params: &[],
        group: GROUP,
        law: Words(
            "scatter 3 1 (fun e => (1, v(e))) --> let x := v(0); [0, x, 0], and so with other numbers; what is a name already gets none",
        ),
        condition: "a key that is a number, and at most 16 places",
        doc: "One number among few zeros is written out: what is added to it needn't ask where it stands.",
        exactness: Exactness::RealExact,
        inspects: Inspection { heads: HeadFilter::Of(&[Head::Scatter]), ways: &[&[0, 0]], ..BELOW },
        left_sides: &["scatter 3 1 (fun e => (1, v(e)))", "scatter 2 1 (fun e => (int (0 : fin 2), (a, b)))"],
        examples: &[(
            "fun (v : real) => scatter 3 1 (fun e => (1, exp v))",
            "fun (v : real) => let x := exp v; [0, x, 0]",
        )],
        refused: for_tests(&[
            "fun (v : real) (k : int) => scatter 3 1 (fun e => (k, v))",
            "fun (v : real) => scatter 3 2 (fun e => (1, v))",
        ]),
        function: |focus, _| put_written(focus.term).ok_or(Reason::native("no one-hot of a number in a few places")),
    },
    NativeRule {
        name: "plusWritten",
        params: &[],
        group: GROUP,
        law: Words(
            "plus [a, b] w --> let x := w; [plus a x[0], plus b x[1]], and so for plus w [a, b]; plus [a, b] [c, d] --> [plus a c, \
             plus b d], without what is 0",
        ),
        condition: "",
        doc: "An array that is written out is added element by element.",
        exactness: Exactness::RealExact,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::Plus]),
            ways: &[&[0], &[1]],
            guard: |term| (0..2).any(|k| matches!(term.kid(k).kind(), Kind::Array(_))),
            ..BELOW
        },
        left_sides: &["plus [a, b] w", "plus w [a, b, c]", "plus [a, b] [c, d]"],
        examples: &[
            (
                "fun (a b : real) (w : array 2 real) => plus [a, b] w",
                "fun (a b : real) (w : array 2 real) => [a + w[(0 : fin 2)], b + w[(1 : fin 2)]]",
            ),
            (
                "fun (v w : array n real) => plus [v, build n (fun i => 0)] [w, v]",
                "fun (v w : array n real) => [plus v w, v]",
            ),
        ],
        refused: for_tests(&["fun (v w : array 2 real) => plus v w"]),
        function: |focus, _| plus_written(focus.term).ok_or(Reason::native("no array that is written out is added")),
    },
    NativeRule {
        name: "plusEach",
        params: &[],
        group: GROUP,
        law: Words(
            "plus v (w : array n a) --> let x := v; let y := w; build n (fun i => plus x[i] y[i]), of numbers their sum; what is a name \
             already gets none",
        ),
        condition: "",
        doc: "Arrays are added by their elements; the last thing to do, as sums of scatters stay sums of scatters.",
        exactness: Exactness::Exact,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::Plus]),
            guard: |term| matches!(term.ty().view(), TypeView::Array(..)),
            ..BELOW
        },
        left_sides: &[
            "plus (build n (fun i => f(i))) (build n (fun i => g(i)))",
            "plus (build n (fun i => (f(i), build m (fun j => g(i, j))))) w",
        ],
        examples: &[
            (
                "fun (v : array n real) => plus v (build n (fun i => exp v[i]))",
                "fun (v : array n real) => let y := build n (fun i => exp v[i]); build n (fun i => v[i] + y[i])",
            ),
            (
                "fun (v w : array n (array m real)) => plus v w",
                "fun (v w : array n (array m real)) => build n (fun i => plus v[i] w[i])",
            ),
        ],
        refused: for_tests(&["fun (v w : real * real) => plus v w"]),
        function: |focus, _| plus_array(focus.term).ok_or(Reason::native("no arrays are added")),
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

/// An array with what is added to some of its rows.
fn plus_row(term: &Term) -> Option<Term> {
    let View::Plus(a, b) = term.view() else { return None };
    let (array, rows) = match (rows_of(&a), rows_of(&b)) {
        (None, Some(rows)) => (a, rows),
        (Some(rows), None) => (b, rows),
        _ => return None,
    };
    with_rows(&array, &rows)
}

/// An array with these rows added, which has a name where its elements cost something.
fn with_rows(array: &Term, rows: &[ScatterParts]) -> Option<Term> {
    let Some((row, rest)) = rows.split_first() else { return Some(array.clone()) };
    if is_passed_on(array) || matches!(array.kind(), Kind::Var) {
        return with_rows(&with_row(array, row)?, rest);
    }
    let moved: Vec<ScatterParts> = rows.iter().map(ScatterParts::moved).collect();
    Term::let_in(&Name::new("x"), array.clone(), with_rows(&Term::var(0, array.ty()), &moved)?).ok()
}

/// The scatters of one entry whose sum this is, with entries that mention no index.
fn rows_of(term: &Term) -> Option<Vec<ScatterParts>> {
    if let View::Plus(a, b) = term.view() {
        return Some(rows_of(&a)?.into_iter().chain(rows_of(&b)?).collect());
    }
    let parts = ScatterParts::of(term).filter(|parts| parts.rounds.as_literal() == Some(1))?;
    let zero = Term::fin(0, parts.rounds.clone()).ok()?;
    let (key, value) = (parts.key.instantiate(&zero).ok()?, parts.value.instantiate(&zero).ok()?);
    Some(vec![ScatterParts { key, value, ..parts }])
}

/// Whether it is an array whose elements are chosen between what costs nothing.
fn is_passed_on(term: &Term) -> bool {
    fn costs_nothing(element: &Term) -> bool {
        match element.view() {
            View::If(_, a, b) => costs_nothing(&a) && costs_nothing(&b),
            _ => is_cheap(element) || element.is_zero(),
        }
    }
    let View::Build(_, f) = term.view() else { return false };
    matches!(f.view(), View::Lam(_, _, element) if costs_nothing(&element))
}

fn with_row(array: &Term, row: &ScatterParts) -> Option<Term> {
    let (n, key, value) = (row.places.clone(), row.key.shift(1), row.value.shift(1));
    let below = Type::fin(n.clone());
    let i = Term::var(0, &below);
    let asked = match key.view() {
        View::Prim(Prim::ToInt, of) if *of[0].ty() == below => Term::binary(Prim::Eq, i.clone(), of[0].clone()),
        _ => Term::binary(Prim::Eq, Term::unary(Prim::ToInt, i.clone()).ok()?, key),
    };
    let (name, element) = match array.view() {
        View::Build(_, f) if let View::Lam(name, _, element) = f.view() => (name, element),
        _ => (Name::new("i"), Term::get(array.shift(1), i).ok()?),
    };
    let element = Term::if_else(asked.ok()?, Term::plus(element.clone(), value).ok()?, element).ok()?;
    Term::build(n, Term::lam(&name, &below, element).ok()?).ok()
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
    let count = usize::try_from(count).ok()?;
    let named = Naming::of(&[&value]);
    let own = named.term(0, &value);
    let all = (0..count).map(|k| if i64::try_from(k) == Ok(place) { own.clone() } else { zero.clone() });
    named.around(&[("x", value.clone())], Term::array(value.ty(), all.collect()).ok()?)
}

/// Which of some terms get names around what uses them: those that are no name, nor a part of one.
struct Naming(Vec<bool>);

impl Naming {
    fn of(terms: &[&Term]) -> Naming {
        Naming(terms.iter().map(|term| !is_cheap(term)).collect())
    }

    /// How many names come behind the first k terms.
    fn behind(&self, k: usize) -> u32 {
        self.0[k..].iter().filter(|named| **named).count() as u32
    }

    /// One of the terms under all names.
    fn term(&self, k: usize, term: &Term) -> Term {
        if self.0[k] { Term::var(self.behind(k + 1), term.ty()) } else { term.shift(self.behind(0)) }
    }

    /// What stands under all names, with these around it.
    fn around(&self, terms: &[(&str, Term)], body: Term) -> Option<Term> {
        let named = terms.iter().enumerate().rev().filter(|(k, _)| self.0[*k]);
        named
            .map(|(k, (x, value))| (x, value.shift(self.behind(0) - self.behind(k))))
            .try_fold(body, |body, (x, value)| Term::let_in(&Name::new(x), value, body).ok())
    }
}

/// The sum of two elements: of numbers as such, without what is 0.
fn sum(a: Term, b: Term) -> Option<Term> {
    match a.ty().view() {
        _ if a.is_zero() => Some(b),
        _ if b.is_zero() => Some(a),
        TypeView::Real => Term::binary(Prim::Add, a, b).ok(),
        _ => Term::plus(a, b).ok(),
    }
}

fn plus_array(term: &Term) -> Option<Term> {
    let View::Plus(v, w) = term.view() else { return None };
    let TypeView::Array(n, _) = term.ty().view() else { return None };
    let named = Naming::of(&[&v, &w]);
    let (x, y) = (named.term(0, &v).shift(1), named.term(1, &w).shift(1));
    let all = each(n, |i| sum(Term::get(x, i.clone()).ok()?, Term::get(y, i).ok()?))?;
    named.around(&[("x", v), ("y", w)], all)
}

fn plus_written(term: &Term) -> Option<Term> {
    let View::Plus(a, b) = term.view() else { return None };
    let elements = |term: &Term| match term.view() {
        View::Array(_, all) => Some(all),
        _ => None,
    };
    let array = |all: Vec<Term>| Term::array(&all.first()?.ty().clone(), all).ok();
    let (written, other, left) = match (elements(&a), elements(&b)) {
        (Some(one), Some(other)) => {
            return array(one.into_iter().zip(other).map(|(a, b)| sum(a, b)).collect::<Option<_>>()?);
        }
        (Some(written), None) => (written, b, true),
        (None, Some(written)) => (written, a, false),
        (None, None) => return None,
    };
    let named = Naming::of(&[&other]);
    let (out, size) = (named.behind(0), Size::literal(written.len() as u64));
    let all = written.iter().zip(0..).map(|(own, k)| {
        let read = Term::get(named.term(0, &other), Term::fin(k, size.clone()).ok()?).ok()?;
        if left { sum(own.shift(out), read) } else { sum(read, own.shift(out)) }
    });
    named.around(&[("x", other.clone())], array(all.collect::<Option<_>>()?)?)
}
