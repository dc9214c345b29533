//! Works off sums of values that aren't numbers, `ifold n (fun s i => plus s a(i)) 0`: by parts, or as scatters.

use super::elements::element_at;
use super::fold_parts::{FoldParts, without_state};
use super::halves::{each, is_cheap};
use super::pull_path::GROUP;
use super::scatter_intro::looped;
use super::scatter_parts::ScatterParts;
use super::solve_index::{at_number, solved};
use super::sum_rules::without_one_hot;
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::{Text, Words};
use crate::rule::record::for_tests;
use crate::rule::{Exactness, Focus, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Kind, Prim, Size, Term, Type, TypeView, View};

const AT_TOTALS: Inspection = Inspection {
    heads: HeadFilter::Of(&[Head::Ifold]),
    holds: &[Head::Plus],
    ways: &[&[0, 0, 0]],
    guard: |term| term.ty().is_of_reals(),
    ..BELOW
};

pub(super) const RULES: &[NativeRule] = &[
    NativeRule {
        name: "totalScatter",
        params: &[],
        group: GROUP,
        law: Words(
            "ifold n (fun s i => plus s (scatter l m (fun e => (k(i, e), v(i, e))))) z --> plus z (scatter l (n, m) (fun i e => (k(i, e), \
             v(i, e)))); where k doesn't mention i --> plus z (scatter l m (fun e => (k(e), ifold n (fun t i => plus t v(i, e)) 0)))",
        ),
        condition: "",
        doc: "A loop around a scatter becomes a loop of the scatter, or, where it moves no key, goes into what is added. A start of 0 goes.",
        exactness: Exactness::Reassociating,
        inspects: Inspection { holds: &[Head::Scatter], ..AT_TOTALS },
        left_sides: &[
            "ifold n (fun s i => plus s (scatter l 1 (fun e => (k(i), v(i))))) z",
            "ifold n (fun s i => plus s (scatter l m (fun e => (k(i, e), v(i, e))))) z",
            "ifold n (fun s i => plus s (scatter l m (fun e => (k(e), v(i, e))))) z",
        ],
        examples: &[
            (
                "fun (k : array m (fin n)) (v : array m real) => ifold m (fun s e => plus s (scatter n 1 (fun i => (int k[e], v[e])))) \
                 (build n (fun i => 0))",
                "fun (k : array m (fin n)) (v : array m real) => scatter n m (fun e => (int k[e], v[e]))",
            ),
            (
                "fun (k : fin n) (v : array m real) (z : array n real) => ifold m (fun s e => plus s (scatter n 1 (fun i => (int k, \
                 v[e])))) z",
                "fun (k : fin n) (v : array m real) (z : array n real) => plus z (scatter n 1 (fun i => (int k, ifold m (fun s e => plus \
                 s v[e]) 0)))",
            ),
        ],
        refused: for_tests(&[
            "fun (v : array m (array n real)) => ifold m (fun s e => plus s v[e]) (build n (fun i => 0))",
            "fun (v : array n real) => ifold m (fun s e => plus s (scatter n 1 (fun i => (0, s[0 else 0])))) v",
        ]),
        function: |focus, _| total_scatter(focus.term).ok_or(Reason::native("no scatter is summed")),
    },
    NativeRule {
        name: "totalParts",
        params: &[],
        group: GROUP,
        law: Words(
            "ifold n (fun s i => plus s a(i)) z --> build m (fun j => ifold n (fun s i => plus s a(i)[j]) z[j]) for arrays; --> (ifold n (fun \
             s i => plus s (fst a(i))) (fst z), ifold n (fun s i => plus s (snd a(i))) (snd z)) for pairs",
        ),
        condition: "a is written by its parts, or is read from a variable",
        doc: "Each number of the sum is a sum of numbers; of what is built the element is computed, as buildAt does.",
        exactness: Exactness::Exact,
        inspects: AT_TOTALS,
        left_sides: &[
            "ifold n (fun s i => plus s (build m (fun j => a(i, j)))) z",
            "ifold n (fun s i => plus s (a(i), b(i))) z",
            "let v := w; ifold n (fun s i => plus s (build m (fun j => (v, a(i, j))))) z",
        ],
        examples: &[
            (
                "fun (v : array m (array n real)) (z : array n real) => ifold m (fun s e => plus s v[e]) z",
                "fun (v : array m (array n real)) (z : array n real) => build n (fun i => ifold m (fun s e => plus s v[e][i]) z[i])",
            ),
            (
                "fun (v : array m real) => ifold m (fun s e => plus s (v[e], (1, 2))) (0, (0, 0))",
                "fun (v : array m real) => (ifold m (fun s e => plus s (fst (v[e], (1, 2)))) (fst (0, (0, 0))), ifold m \
                 (fun s e => plus s (snd (v[e], (1, 2)))) (snd (0, (0, 0))))",
            ),
        ],
        refused: for_tests(&[
            "fun (v : array m real) => ifold m (fun s e => plus s v[e]) 0",
            "fun (v : array m real) (k : array m (fin n)) => ifold m (fun s e => plus s (scatter n 1 (fun i => (int k[e], v[e])))) (build n \
             (fun i => 0))",
        ]),
        function: |focus, _| {
            total_parts(focus.term)
                .ok_or(Reason::native("no arrays or pairs are summed that are taken apart without repeating work"))
        },
    },
    NativeRule {
        name: "totalOneHot",
        params: &[],
        group: GROUP,
        law: Words(
            "ifold n (fun s i => plus s (if c(i) then .. (if i = k then a(i) else 0) .. else 0)) z --> plus z (let i := k; if c(i) then .. a(i) \
             .. else 0)",
        ),
        condition: "as of sumOneHot",
        doc: "Only round k adds anything, of sums of arrays and pairs, too.",
        exactness: Exactness::RealExact,
        inspects: Inspection { holds: &[Head::Plus, Head::If], ..AT_TOTALS },
        left_sides: &[
            "ifold n (fun s i => plus s (if i = k then (a(i), b(i)) else (0, 0))) z",
            "ifold n (fun s i => plus s (if c(i) then (if k = i then (a(i), b(i)) else (0, 0)) else (0, 0))) z",
            "ifold n (fun s i => plus s (if int i + 1 = k then (a(i), b(i)) else (0, 0))) z",
        ],
        examples: &[(
            "fun (v : array n (array m real)) (z : array m real) (k : fin n) => ifold n (fun s i => plus s (if i = k then v[i] else build m \
             (fun j => 0))) z",
            "fun (v : array n (array m real)) (z : array m real) (k : fin n) => plus z v[k]",
        )],
        refused: for_tests(&[
            "fun (v : array n (array m real)) (z : array m real) (k : fin n) => ifold n (fun s i => plus s (if i = k then v[i] else z)) z",
            "fun (v : array n (array m real)) (z : array m real) => ifold n (fun s i => plus s (if i = i then v[i] else build m (fun j => 0))) z",
        ]),
        function: |focus, _| total_one_hot(focus).ok_or(Reason::native("nothing is summed that one round alone adds")),
    },
    NativeRule {
        name: "totalTable",
        params: &[],
        group: GROUP,
        law: Text(&[
            "ifold n (fun s i => plus s a(i)) z --> let t := build n (fun i => a(i)); ifold n (fun s i => plus s t[i]) z",
        ]),
        condition: "a is an array or a pair that isn't written by its parts; it doesn't mention s",
        doc: "The last resort: what can't be summed by its parts is tabulated.",
        exactness: Exactness::Exact,
        inspects: AT_TOTALS,
        left_sides: &[
            "ifold n (fun s i => plus s (scan m (fun t j => (t + a(j), t * b(i))) 0)) (0, build m (fun j => 0))",
            "ifold n (fun s i => plus s (if c(i) then v else w(i))) (z : array m real)",
        ],
        examples: &[(
            "fun (v w : array m (array n real)) (z : array n real) => ifold m (fun s e => plus s (if v[e][0 else 0] < 0 then v[e] else w[e])) z",
            "fun (v w : array m (array n real)) (z : array n real) => let t := build m (fun e => if v[e][0 else 0] < 0 then v[e] else w[e]); \
             ifold m (fun s e => plus s t[e]) z",
        )],
        refused: for_tests(&[
            "fun (v : array m (array n real)) (z : array n real) => ifold m (fun s e => plus s v[e]) z",
        ]),
        function: |focus, _| {
            total_table(focus.term).ok_or(Reason::native("nothing is summed that has to be tabulated"))
        },
    },
    NativeRule {
        name: "scatterAffine",
        params: &[],
        group: GROUP,
        law: Words(
            "scatter n m (fun e => (int e + c, v(e))) --> build n (fun j => if e : fin m := int j - c then v(e) else 0), and so where e stands \
             in sums and differences",
        ),
        condition: "n is m and a constant",
        doc: "Where each place is met at most once the sum there is what is added, or 0: a stencil's gradient is a stencil.",
        exactness: Exactness::RealExact,
        inspects: Inspection { heads: HeadFilter::Of(&[Head::Scatter]), guard: |term| is_as_long(term), ..BELOW },
        left_sides: &[
            "scatter n n (fun e => (int e, v(e)))",
            "scatter (n + 2) n (fun e => (int e + 1, v(e)))",
            "scatter n (n + 1) (fun e => (k - int e, v(e)))",
        ],
        examples: &[
            ("fun (v : array n real) => scatter n n (fun e => (int e, v[e]))", "fun (v : array n real) => v"),
            (
                "fun (v : array n real) => scatter (n + 1) n (fun e => (int e + 1, v[e]))",
                "fun (v : array n real) => build (n + 1) (fun e => if e1 : fin n := int e - 1 then v[e1] else 0)",
            ),
        ],
        refused: for_tests(&[
            "fun (v : array m real) => scatter n m (fun e => (int e, v[e]))",
            "fun (v : array n real) => scatter n n (fun e => (2 * int e, v[e]))",
        ]),
        function: |focus, _| affine(focus.term).ok_or(Reason::native("no key that meets each place at most once")),
    },
];

/// A sum with its start, and what is added under the index alone.
pub(super) struct TotalParts {
    pub(super) n: Size,
    pub(super) index: Name,
    pub(super) start: Term,
    pub(super) added: Term,
}

impl TotalParts {
    pub(super) fn of(term: &Term) -> Option<TotalParts> {
        let FoldParts { n, index, body, start, .. } = FoldParts::of(term)?;
        let View::Plus(state, added) = body.view() else { return None };
        let (View::Var(1), None) = (state.view(), added.free_at(1)) else { return None };
        Some(TotalParts { n, index, start, added: without_state(&added) })
    }

    /// The same sum of something else under the index.
    pub(super) fn sum(&self, added: &Term, start: Term) -> Option<Term> {
        total((&self.n, &self.index), added.shift_from(1, 1), start)
    }

    /// What all rounds add, and the start where that isn't 0.
    fn beside_start(self, all: Term) -> Option<Term> {
        if self.start.is_zero() { Some(all) } else { Term::plus(self.start, all).ok() }
    }

    fn is_written(&self) -> bool {
        let is_build =
            |term: &Term| matches!(term.kind(), Kind::Build(_)) && matches!(term.kid(0).kind(), Kind::Lam(..));
        is_cheap(&self.added) || is_build(&self.added) || matches!(self.added.kind(), Kind::Pair)
    }
}

/// `ifold n (fun s index => plus s added) start`, what is added under s and the index.
pub(super) fn total((n, index): (&Size, &Name), added: Term, start: Term) -> Option<Term> {
    let ty = added.ty().clone();
    let sum = Term::plus(Term::var(1, &ty), added).ok()?;
    let rounds = Term::lam(index, &Type::fin(n.clone()), sum).ok()?;
    Term::ifold(n.clone(), Term::lam(&Name::new("s"), &ty, rounds).ok()?, start).ok()
}

fn total_scatter(term: &Term) -> Option<Term> {
    let total = TotalParts::of(term)?;
    let parts = ScatterParts::of(&total.added)?;
    let ScatterParts { rounds, places, index: e, key, value } = parts.clone();
    let scatter = if key.free_at(1).is_some() {
        let outer = (total.n.clone(), total.index.clone());
        if rounds.as_literal() == Some(1) {
            looped(&places, &[outer], Term::pair(key, value).ok()?.instantiate(&Term::fin(0, rounds).ok()?).ok()?)?
        } else {
            // The scatter's own index stands around those of both loops.
            looped(&places, &[outer, (rounds, e)], Term::pair(key, value).ok()?.shift_from(2, 1))?
        }
    } else {
        // Under the entry's index first, then under the loop's.
        let swapped = |index: u32| match index {
            0 => 1,
            1 => 0,
            index => index,
        };
        let value = total.sum(&value.rename(swapped), Term::zero(value.ty())?)?;
        let key = key.rename(|index| index.saturating_sub(u32::from(index > 0)));
        parts.with(key, value)?
    };
    total.beside_start(scatter)
}

fn total_one_hot(focus: &Focus) -> Option<Term> {
    let total = TotalParts::of(focus.term)?;
    let (body, value) = without_one_hot(&total.added)?;
    let only = at_number((&total.index, &total.n), &value, &body, Term::zero(body.ty()), focus.bounds)?;
    total.beside_start(only)
}

fn total_parts(term: &Term) -> Option<Term> {
    let total = TotalParts::of(term).filter(TotalParts::is_written)?;
    let named = !is_cheap(&total.start) && !total.start.is_zero();
    // The start is named where it would be repeated.
    let out = u32::from(named);
    let start = if named { Term::var(0, total.start.ty()) } else { total.start.clone() };
    let added = total.added.shift_from(1, out);
    let sum = match total.start.ty().view() {
        TypeView::Array(n, _) => each(n, |j| {
            let read = element_at(&added.shift_from(1, 1), j.shift(1))?;
            total.sum(&read, element_at(&start.shift(1), j)?)
        }),
        TypeView::Pair(..) => {
            let half = |first: bool, of: Term| if first { Term::fst(of).ok() } else { Term::snd(of).ok() };
            let part = |first: bool| total.sum(&half(first, added.clone())?, half(first, start.clone())?);
            Term::pair(part(true)?, part(false)?).ok()
        }
        _ => None,
    }?;
    if named { Term::let_in(&Name::new("z"), total.start, sum).ok() } else { Some(sum) }
}

fn total_table(term: &Term) -> Option<Term> {
    let total = TotalParts::of(term).filter(|total| !total.is_written())?;
    if let TypeView::Real = total.start.ty().view() {
        return None;
    }
    let below = Type::fin(total.n.clone());
    let table = Term::build(total.n.clone(), Term::lam(&total.index, &below, total.added.clone()).ok()?).ok()?;
    let read = Term::get(Term::var(1, table.ty()), Term::var(0, &below)).ok()?;
    let sum = total.sum(&read, total.start.shift(1))?;
    Term::let_in(&Name::new("t"), table, sum).ok()
}

/// Whether a scatter has as many rounds as places, up to a constant.
fn is_as_long(term: &Term) -> bool {
    let Kind::Scatter(rounds, places) = term.kind() else { return false };
    let terms = |size: &Size| {
        size.terms().filter(|(monomial, _)| !monomial.is_empty()).map(|(m, c)| (m.clone(), c)).collect::<Vec<_>>()
    };
    terms(rounds) == terms(places)
}

fn affine(term: &Term) -> Option<Term> {
    let ScatterParts { rounds, places, index: e, key, value } = ScatterParts::of(term)?;
    let (place, fin) = (Type::fin(places.clone()), Type::fin(rounds.clone()));
    // Under the index of the array, and the entry's index, which is to be found.
    let own = Term::prim(Prim::ToInt, vec![Term::var(1, &place)]).ok()?;
    let number = solved(&key.shift_from(1, 1), &own)?;
    let value = value.shift_from(1, 1);
    let is_same = matches!(number.view(), View::Prim(Prim::ToInt, operands) if *operands[0].ty() == fin);
    let element = match is_same {
        true => value.instantiate(&Term::var(0, &fin)).ok()?,
        false => {
            let zero = Term::zero(value.ty())?;
            Term::guard(&e, rounds, number, value, zero).ok()?
        }
    };
    // What copies an array is that array.
    if let View::Get(array, at) = element.view()
        && let (View::Var(0), None) = (at.view(), array.free_at(0))
    {
        return array.lower(1);
    }
    Term::build(places, Term::lam(&e, &place, element).ok()?).ok()
}
