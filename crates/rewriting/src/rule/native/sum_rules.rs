//! Makes sums of folds, and simplifies sums with a one-hot or with another sum inside.

use super::fold_parts::{FoldParts, SUM_INSPECTION, SUM_WAYS, SumParts, is_written_out, without_state, zero};
use super::ring::{Product, is_real, is_zero};
use super::solve_index::{at_number, solved};
use crate::rule::condition::EnclosingMarks;
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, Focus, NativeRule, Reason};
use redexter_language::term::{Head, Prim, Term, TypeView, View};

pub(super) const RULES: &[NativeRule] = &[
    NativeRule {
        name: "sumIntro",
        params: &[],
        group: "Sums",
        law: Words(
            "ifold n (fun a i => a + e(i)) z --> z + ifold n (fun a i => a + e(i)) 0; \
              `if c then a + e else a` counts as `a + (if c then e else 0)`",
        ),
        condition: "the fold isn't such a sum from 0 already; a on either side of `+` and `-`, below lets and choices \
                    that don't use it",
        doc: "Gives a fold that adds up the form that all rules for sums look for. Keep it to the end: ifFloat and \
              ifFloatAdd destroy it.",
        exactness: Exactness::Reassociating,
        inspects: Inspection { heads: HeadFilter::Of(&[Head::Ifold]), ways: &[&[0, 0]], guard: rounds, ..BELOW },
        left_sides: &[
            "ifold n (fun a i => a + e(i)) z",
            "ifold n (fun a i => e(i) + a) z",
            "ifold n (fun a i => a - e(i)) z",
            "ifold n (fun a i => if c(i) then a + e(i) else a) z",
            "ifold n (fun a i => if c(i) then a else a - e(i)) z",
            "ifold n (fun a i => if k : fin m := c(i) then a + e(i, k) else a) z",
            "ifold n (fun a i => let x := g(i); a + e(i, x)) z",
            "ifold n (fun a i => d(i) + (a + e(i))) z",
            "ifold n (fun a i => e(i) + a) 0",
        ],
        examples: &[
            (
                "fun (v : array n real) => ifold n (fun a i => v[i] + a) 3",
                "fun (v : array n real) => 3 + ifold n (fun a i => a + v[i]) 0",
            ),
            (
                "fun (v : array n real) => ifold n (fun a i => if v[i] < 1 then a + v[i] else a) 0",
                "fun (v : array n real) => ifold n (fun a i => a + (if v[i] < 1 then v[i] else 0)) 0",
            ),
            (
                "fun (v w : array n real) => ifold n (fun a i => let x := exp v[i]; v[i] + (a - x) + w[i]) 0",
                "fun (v w : array n real) => ifold n (fun a i => a + (let x := exp v[i]; v[i] + -x + w[i])) 0",
            ),
        ],
        refused: for_tests(&[
            "fun (v : array n real) => ifold n (fun a i => a + v[i]) 0",
            "fun (v : array n real) => ifold n (fun a i => v[i] - a) 0",
            "fun (v : array n real) => ifold n (fun a i => if a < 1 then a + v[i] else a) 0",
        ]),
        function: |focus, _| sum_intro(focus.term).ok_or(Reason::native("no fold that only adds to its state")),
    },
    NativeRule {
        name: "sumOneHot",
        params: &[],
        group: "Sums",
        law: Words(
            "ifold n (fun a i => a + (if c(i) then .. (if i = k then t(i) else 0) .. else 0)) 0 --> \
              let i := k; if c(i) then .. t(i) .. else 0",
        ),
        condition: "k doesn't mention i or a; `i = k` at any depth of the chain and among conditions joined by `&&`, either side \
                    of `=`, also solved for i from sums and differences that hold i once; what may be no index below n is asked by a guard",
        doc: "Only round k adds anything: from n rounds to one. Blocked by factors and sums around the choice \
              (ifFloatMul, ifoldSplitSum) and by lets.",
        exactness: Exactness::RealExact,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::Ifold]),
            ways: SUM_WAYS,
            scope: 3,
            guard: |term| SumParts::of(term).is_some(),
            ..BELOW
        },
        left_sides: &[
            "ifold n (fun a i => a + (if i = k then t(i) else 0)) 0",
            "ifold n (fun a i => a + (if k = i then t(i) else 0)) 0",
            "ifold n (fun a i => a + (if c(i) then (if i = k then t(i) else 0) else 0)) 0",
            "ifold n (fun a i => a + (if c(i) then (if d(i) then (if k = i then t(i) else 0) else 0) else 0)) 0",
            "ifold n (fun a i => a + (if i = k && c(i) then t(i) else 0)) 0",
            "ifold n (fun a i => a + (if c(i) then 0 else if i = k then t(i) else 0)) 0",
            "ifold n (fun a i => a + (if c(i) && i = k && d(i) then t(i) else 0)) 0",
            "ifold n (fun a i => a + (if (k : fin (n + 1)) = i + 1 then t(i) else 0)) 0",
            "ifold n (fun a i => a + (if int i - 2 = k then t(i) else 0)) 0",
            "ifold n (fun a i => a + (if c + int i = k then t(i) else 0)) 0",
            "ifold n (fun a i => a + (if (k : fin n) = (n - 1 - int i : fin n) then t(i) else 0)) 0",
        ],
        examples: &[
            (
                "fun (v : array n real) (k : fin n) => ifold n (fun a i => a + (if i = k then v[i] else 0)) 0",
                "fun (v : array n real) (k : fin n) => v[k]",
            ),
            (
                "fun (v : array n real) (c : int) (k : fin n) => ifold n (fun a i => a + (if c then (if v[i] < 1 then \
             (if k = i then v[i] else 0) else 0) else 0)) 0",
                "fun (v : array n real) (c : int) (k : fin n) => if c then (if v[k] < 1 then v[k] else 0) else 0",
            ),
            (
                "fun (v : array n real) (k l : fin n) => ifold n (fun a i => a + (if i < k then 0 else if i = l then v[i] else 0)) 0",
                "fun (v : array n real) (k l : fin n) => if l < k then 0 else v[l]",
            ),
            (
                "fun (v : array n real) (c : int) (k : fin n) => ifold n (fun a i => a + (if v[i] < 1 && k = i && c then v[i] else 0)) 0",
                "fun (v : array n real) (c : int) (k : fin n) => if v[k] < 1 && c then v[k] else 0",
            ),
            (
                "fun (v : array n real) (k : fin (n + 1)) => ifold n (fun a i => a + (if k = i + 1 then v[i] else 0)) 0",
                "fun (v : array n real) (k : fin (n + 1)) => v[int k - 1 else 0]",
            ),
            (
                "fun (v : array n real) (c k : int) => ifold n (fun a i => a + (if c + int i = k then v[i] else 0)) 0",
                "fun (v : array n real) (c k : int) => v[k - c else 0]",
            ),
            (
                "fun (v : array n real) (k : fin n) => ifold n (fun a i => a + (if (n - 1 - int i : fin n) = k then v[i] \
             else 0)) 0",
                "fun (v : array n real) (k : fin n) => let i := (n - 1 - int k : fin n); v[i]",
            ),
        ],
        refused: for_tests(&[
            "fun (v : array n real) => ifold n (fun a i => a + (if i = i then v[i] else 0)) 0",
            "fun (v : array n real) (k : fin n) => ifold n (fun a i => a + (if i = k then v[i] else 1)) 0",
            "fun (v : array n real) (k : fin m) => ifold n (fun a i => a + (if i + i = k then v[i] else 0)) 0",
        ]),
        function: |focus, _| sum_one_hot(focus).ok_or(Reason::native("no sum over choices, one of which is `i = k`")),
    },
    NativeRule {
        name: "sumReassoc",
        params: &[],
        group: "Sums",
        law: Words(
            "Σ_i (c(i) * Σ_j (g(j) * f(i, j))) --> Σ_j (g(j) * Σ_i (c(i) * f(i, j))), where Σ_i e is \
              ifold n (fun a i => a + e) 0",
        ),
        condition: "c and f together mention fewer enclosing loop variables, i and j included, than g and f together",
        doc: "Multiplies a chain of matrices from its cheaper end: this turns forward order into backward order. Up \
              to the order and grouping of products; strict, so that it ends.",
        exactness: Exactness::Reassociating,
        inspects: SUM_INSPECTION,
        left_sides: &[
            "build m (fun p => ifold n (fun a i => a + c(i) * ifold k (fun b j => b + g(p, j) * f(i, j)) 0) 0)",
            "build m (fun p => ifold n (fun a i => a + ifold k (fun b j => b + f(i, j) * g(p, j)) 0 * c(i)) 0)",
            "build m (fun p => ifold n (fun a i => a + ifold k (fun b j => b + g(p, j) * f(i, j)) 0) 0)",
        ],
        examples: &[(
            "fun (q : array n (array m real)) (c : array n real) (g : array m real) => build k (fun p => ifold n \
             (fun a i => a + c[i] * ifold m (fun b j => b + g[j] * real p * q[i][j]) 0) 0)",
            "fun (q : array n (array m real)) (c : array n real) (g : array m real) => build k (fun p => ifold m \
             (fun b j => b + g[j] * real p * ifold n (fun a i => a + c[i] * q[i][j]) 0) 0)",
        )],
        refused: for_tests(&[
            "fun (q : array n (array m real)) (c : array n real) (g : array m real) => ifold n (fun a i => a + \
             c[i] * ifold m (fun b j => b + g[j] * q[i][j]) 0) 0",
        ]),
        function: |focus, _| {
            sum_reassoc(focus).ok_or(Reason::native("no sum of products with a sum that is cheaper outside"))
        },
    },
];

/// Whether a fold adds up numbers, perhaps.
fn rounds(fold: &Term) -> bool {
    matches!(fold.ty().view(), TypeView::Real | TypeView::Int) && is_written_out(fold)
}

fn sum_intro(term: &Term) -> Option<Term> {
    // Such a sum must be refused, otherwise the rule would apply to its own result.
    if SumParts::of(term).is_some() {
        return None;
    }
    zero(term.ty())?;
    let FoldParts { n, state, index, body, start } = FoldParts::of(term)?;
    let body = without_state(&addend(&body, 1)?);
    let sum = SumParts { n, state, index, body }.term()?;
    if is_zero(&start) { Some(sum) } else { Term::prim(Prim::Add, vec![start, sum]).ok() }
}

/// The e for which the term is `a + e`, where a is this variable.
fn addend(term: &Term, a: u32) -> Option<Term> {
    let free = |t: &Term| t.free_at(a).is_none();
    match term.view() {
        View::Prim(op @ (Prim::Add | Prim::Sub), operands) => {
            let (x, y) = (&operands[0], &operands[1]);
            match (free(x), free(y)) {
                (false, true) if is_variable(x, a) && op == Prim::Add => Some(y.clone()),
                (false, true) if is_variable(x, a) => Term::prim(Prim::Neg, vec![y.clone()]).ok(),
                (false, true) => Term::prim(op, vec![addend(x, a)?, y.clone()]).ok(),
                // On the right of `-` the state would change its sign in each iteration, which no sum does.
                (true, false) if op == Prim::Add && is_variable(y, a) => Some(x.clone()),
                (true, false) if op == Prim::Add => Term::prim(op, vec![x.clone(), addend(y, a)?]).ok(),
                _ => None,
            }
        }
        View::If(c, x, y) if free(&c) => {
            let side = |t: &Term| if is_variable(t, a) { zero(t.ty()) } else { addend(t, a) };
            Term::if_else(c, side(&x)?, side(&y)?).ok()
        }
        View::Guard(k, n, number, x, y) if free(&number) => {
            let side = |t: &Term, a: u32| if is_variable(t, a) { zero(t.ty()) } else { addend(t, a) };
            Term::guard(&k, n, number, side(&x, a + 1)?, side(&y, a)?).ok()
        }
        View::Let(x, value, body) if free(&value) => Term::let_in(&x, value, addend(&body, a + 1)?).ok(),
        _ => None,
    }
}

fn is_variable(term: &Term, index: u32) -> bool {
    matches!(term.view(), View::Var(i) if i == index)
}

fn sum_one_hot(focus: &Focus) -> Option<Term> {
    let sum = SumParts::of(focus.term)?;
    let (body, value) = without_one_hot(&sum.body)?;
    at_number((&sum.index, &sum.n), &value, &body, zero(body.ty()), focus.bounds)
}

/// A chain of choices without the one that asks for a certain value of variable 0, and that value.
pub(super) fn without_one_hot(chain: &Term) -> Option<(Term, Term)> {
    let View::If(c, then, other) = chain.view() else { return None };
    if !other.is_zero() {
        let (rest, k) = then.is_zero().then(|| without_one_hot(&other))??;
        return Some((Term::if_else(c, then, rest).ok()?, k));
    }
    match without_question(&c) {
        Some((None, value)) => Some((then, value)),
        Some((Some(c), value)) => Some((Term::if_else(c, then, other).ok()?, value)),
        None => {
            let (rest, k) = without_one_hot(&then)?;
            Some((Term::if_else(c, rest, other).ok()?, k))
        }
    }
}

/// What is left of a condition that asks for a certain value of variable 0 and perhaps for more, and that value.
fn without_question(c: &Term) -> Option<(Option<Term>, Term)> {
    match c.view() {
        View::Prim(Prim::Eq, sides) => Some((None, solved(&sides[0], &sides[1])?)),
        View::Prim(Prim::And, sides) => {
            let ((rest, value), other, first) = match without_question(&sides[0]) {
                Some(found) => (found, &sides[1], true),
                None => (without_question(&sides[1])?, &sides[0], false),
            };
            let both = |rest: Term| {
                let sides = if first { vec![rest, other.clone()] } else { vec![other.clone(), rest] };
                Term::prim(Prim::And, sides).ok()
            };
            Some((Some(rest.map_or(Some(other.clone()), both)?), value))
        }
        _ => None,
    }
}

fn sum_reassoc(focus: &Focus) -> Option<Term> {
    let outer = SumParts::of(focus.term).filter(|_| is_real(focus.term))?;
    let product = Product::of(&outer.body);
    let enclosing = EnclosingMarks::at(focus, &[]);
    let exchanged = |at: usize| {
        let inner = SumParts::of(&product.factors[at])?;
        let mut c = product.clone();
        c.factors.remove(at);
        exchange(&outer, &inner, &c, &enclosing)
    };
    (0..product.factors.len()).find_map(exchanged)
}

/// `c` is what stands beside the inner sum, under the outer index; the inner body stands under both.
fn exchange(outer: &SumParts, inner: &SumParts, c: &Product, enclosing: &EnclosingMarks) -> Option<Term> {
    let body = Product::of(&inner.body);
    let (mut f, mut g) = (Product::one(), Product { number: body.number, ..Product::one() });
    for (from, to_f, to_g) in
        [(body.factors, &mut f.factors, &mut g.factors), (body.divisors, &mut f.divisors, &mut g.divisors)]
    {
        let (mentions, free): (Vec<Term>, Vec<Term>) = from.into_iter().partition(|t| t.free_at(1).is_some());
        to_f.extend(mentions);
        to_g.extend(free);
    }
    // c stands beside the inner sum, under the outer index alone, and is to stand under both.
    let shifted = |terms: &[Term]| terms.iter().map(|t| t.shift(1)).collect();
    let mut c = Product { number: c.number, factors: shifted(&c.factors), divisors: shifted(&c.divisors) };
    // Strictly fewer loops than before, otherwise the rule would turn its own result back.
    if f.factors.is_empty() || g.factors.is_empty() || loops(&[&c, &f], enclosing) >= loops(&[&g, &f], enclosing) {
        return None;
    }
    c.factors.extend(f.factors);
    c.divisors.extend(f.divisors);
    // What stood under (i, j) now stands under (j, i).
    let swapped = c.term()?.rename(|i| if i < 2 { 1 - i } else { i });
    let new_inner = SumParts { body: swapped, ..outer.clone() }.term()?;
    let mut beside = Product::of(&g.term()?.rename(|i| if i == 0 { 0 } else { i - 1 }));
    beside.factors.push(new_inner);
    SumParts { body: beside.term()?, ..inner.clone() }.term()
}

/// How many loop variables the products mention together, the two innermost variables among them.
fn loops(all: &[&Product], enclosing: &EnclosingMarks) -> usize {
    let terms = all.iter().flat_map(|product| product.factors.iter().chain(&product.divisors));
    let mut mentioned: Vec<u32> = terms.flat_map(|t| t.free().map(|(i, _)| i).collect::<Vec<u32>>()).collect();
    mentioned.sort_unstable();
    mentioned.dedup();
    mentioned.into_iter().filter(|i| *i < 2 || enclosing.counts(*i - 2)).count()
}
