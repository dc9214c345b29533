//! Takes choices between sums of arrays or pairs apart, so that each part of a sum finds its own way.

use super::fold_parts::{FoldParts, without_state};
use super::lets::front_lets;
use super::pull_path::GROUP;
use super::scatter_parts::ScatterParts;
use super::total::TotalParts;
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Kind, Prim, Term, Type, TypeView, View};

pub(super) const RULES: &[NativeRule] = &[
    NativeRule {
        name: "ifPlus",
        params: &[],
        group: GROUP,
        law: Words(
            "if c then plus a b else 0 --> plus (if c then a else 0) (if c then b else 0); if c then ifold n (fun s i => plus s a(i)) 0 \
             else 0 --> ifold n (fun s i => plus s (if c then a(i) else 0)) 0; if c then scatter n m (fun e => (k(e), v(e))) else 0 --> \
             scatter n m (fun e => (k(e), if c then v(e) else 0)), and so for a guard, and where 0 comes first; in a guard v gets \
             the lets around a scatter of one entry whose key doesn't use them",
        ),
        condition: "",
        doc: "A condition goes into what is added up, where sums and scatters from outside can reach it.",
        exactness: Exactness::RealExact,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::If, Head::Guard]),
            guard: |term| term.ty().is_of_reals(),
            ..BELOW
        },
        left_sides: &[
            "if c then plus a b else (0, 0)",
            "if c then build n (fun i => 0) else plus v w",
            "if c then ifold m (fun s i => plus s (a(i), b(i))) (0, 0) else (0, 0)",
            "if c then scatter n m (fun e => (k(e), v(e))) else build n (fun i => 0)",
            "if i : fin n := c then plus (a(i), b(i)) d else (0, 0)",
            "if i : fin n := c then (let x := a(i); scatter m 1 (fun e => (k, v(x)))) else build m (fun i => 0)",
        ],
        examples: &[
            (
                "fun (v w : array n real) (c : int) => if c then plus v w else build n (fun i => 0)",
                "fun (v w : array n real) (c : int) => plus (if c then v else build n (fun i => 0)) (if c then w else build n (fun i => 0))",
            ),
            (
                "fun (v : array n real) (c : int) => if i : fin n := c then (let x := exp v[i]; scatter n 1 (fun e => (int i, x * x))) \
                 else build n (fun i => 0)",
                "fun (v : array n real) (c : int) => scatter n 1 (fun e => (c, if i : fin n := c \
                 then (let x := exp v[i]; x * x) else 0))",
            ),
        ],
        refused: for_tests(&["fun (v w : array n real) (c : int) => if c then plus v w else v"]),
        function: |focus, _| if_plus(focus.term).ok_or(Reason::native("no sum of arrays or pairs stands beside a 0")),
    },
    NativeRule {
        name: "ifApart",
        params: &[],
        group: GROUP,
        law: Words("if c then a else b --> plus (if c then a else 0) (if c then 0 else b), and so for a guard"),
        condition: "a or b is a sum of arrays or pairs or a scatter, neither is 0",
        doc: "A choice between two sums becomes a sum of choices beside 0, which ifPlus takes further.",
        exactness: Exactness::RealExact,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::If, Head::Guard]),
            guard: |term| term.ty().is_of_reals() && !matches!(term.ty().view(), TypeView::Real),
            ..BELOW
        },
        left_sides: &[
            "if c then plus (a, b) d else (x, y)",
            "if c then w else scatter n m (fun e => (k(e), v(e)))",
            "if i : fin n := c then plus (a(i), b(i)) d else (x, y)",
        ],
        examples: &[(
            "fun (u v w : array n real) (c : int) => if c then plus v w else u",
            "fun (u v w : array n real) (c : int) => plus (if c then plus v w else build n (fun i => 0)) (if c then build n (fun i => 0) else u)",
        )],
        refused: for_tests(&[
            "fun (v w : array n real) (c : int) => if c then plus v w else build n (fun i => 0)",
            "fun (v w : array n real) (c : int) => if c then v else w",
        ]),
        function: |focus, _| {
            if_apart(focus.term).ok_or(Reason::native("no choice between two sums of arrays or pairs"))
        },
    },
    NativeRule {
        name: "guardLets",
        params: &[],
        group: GROUP,
        law: Words(
            "if k : fin n := c then (let x := a(k); let y := b(k, x); e(k, x, y)) else z --> let p := if k : fin n := c then (let x := \
             a(k); let y := b(k, x); (x, y)) else (0, 0); if k : fin n := c then e(k, fst p, snd p) else z, and so for any number of lets",
        ),
        condition: "e is a sum of arrays or pairs; what it uses of the lets is made of reals",
        doc: "Computes what the parts of a guarded sum share before they are taken apart, where the guard holds.",
        exactness: Exactness::Exact,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::Guard]),
            ways: &[&[1]],
            guard: |term| matches!(term.kid(1).kind(), Kind::Let(_)),
            ..BELOW
        },
        left_sides: &[
            "if k : fin n := c then (let x := a(k); plus (x, d) (e, x)) else (0, 0)",
            "if k : fin n := c then (let x := a(k); let y := b(k, x); ifold m (fun s i => plus s (y, x)) (0, 0)) else w",
            "if k : fin n := c then (let x := a(k); let y := b(x); plus (y, y) (x, d)) else w",
        ],
        examples: &[
            (
                "fun (v w : array n real) (c : int) => if k : fin n := c then (let x := exp v[k]; plus (build n (fun i => x)) \
                 (build n (fun i => x * v[k]))) else w",
                "fun (v w : array n real) (c : int) => let x := if k : fin n := c then (let x := exp v[k]; x) else 0; \
                 if k : fin n := c then plus (build n (fun i => x)) (build n (fun i => x * v[k])) else w",
            ),
            (
                "fun (v w : array n real) (c : int) => if k : fin n := c then (let x := exp v[k]; let y := x * x; plus (build n (fun i => x)) \
                 (build n (fun i => y))) else w",
                "fun (v w : array n real) (c : int) => let p := if k : fin n := c then (let x := exp v[k]; let y := x * x; (x, y)) else (0, 0); \
                 if k : fin n := c then plus (build n (fun i => fst p)) (build n (fun i => snd p)) else w",
            ),
        ],
        refused: for_tests(&[
            "fun (v w : array n real) (c : int) => if k : fin n := c then (let x := exp v[k]; build n (fun i => x)) else w",
            "fun (v w : array n real) (c : int) => if k : fin n := c then (let j := c + k; plus (build n (fun i => real j)) v) else w",
        ]),
        function: |focus, _| guard_lets(focus.term).ok_or(Reason::native("no guarded sum with lets around it")),
    },
];

/// Whether a value is added up from parts.
fn is_sum(term: &Term) -> bool {
    match term.view() {
        View::Plus(..) | View::Scatter(..) => true,
        View::Ifold(..) => matches!(FoldParts::of(term), Some(fold) if matches!(fold.body.kind(), Kind::Plus)),
        _ => false,
    }
}

fn if_apart(term: &Term) -> Option<Term> {
    if !matches!(term.kind(), Kind::If | Kind::Guard(..)) || matches!(term.ty().view(), TypeView::Real) {
        return None;
    }
    let (a, b) = (term.kid(1), term.kid(2));
    if a.is_zero() || b.is_zero() || !(is_sum(&a) || is_sum(&b)) {
        return None;
    }
    let zero = Term::zero(term.ty())?;
    Term::plus(term.with_kid(2, zero.clone()).ok()?, term.with_kid(1, zero).ok()?).ok()
}

fn guard_lets(term: &Term) -> Option<Term> {
    let View::Guard(name, n, number, inside, other) = term.view() else { return None };
    let (lets, sum) = front_lets(inside);
    let count = lets.len() as u32;
    let mut used: Vec<(u32, Type)> =
        sum.free().filter(|(v, _)| *v < count).map(|(v, free)| (v, free.ty.clone())).collect();
    used.sort_by_key(|(v, _)| std::cmp::Reverse(*v));
    let (last, front) = used.split_last().filter(|_| is_sum(&sum))?;
    let all = front
        .iter()
        .rev()
        .try_fold(Term::var(last.0, &last.1), |rest, (v, ty)| Term::pair(Term::var(*v, ty), rest).ok())?;
    let zero = Term::zero(all.ty())?;
    let p = if front.is_empty() { lets[lets.len() - 1 - last.0 as usize].0.clone() } else { Name::new("p") };
    let values = lets.into_iter().rev().try_fold(all, |body, (x, value)| Term::let_in(&x, value, body).ok())?;
    let value = Term::guard(&name, n.clone(), number.clone(), values, zero).ok()?;
    // Under the lets' values and the guard's index, from under the guard's index and the lets.
    let part = |at: usize| {
        let whole = Term::var(1, value.ty());
        let rest = (0..at).try_fold(whole, |rest, _| Term::snd(rest).ok())?;
        if at == front.len() { Some(rest) } else { Term::fst(rest).ok() }
    };
    let parts: Vec<Term> = (0..used.len()).map(part).collect::<Option<_>>()?;
    let moved = |v: u32| match used.iter().position(|(own, _)| *own == v) {
        Some(at) => parts[at].clone(),
        None => {
            let index = if v == count { 0 } else { v + 1 - count };
            Term::var(index, &sum.free_at(v).map_or_else(Type::int, |free| free.ty.clone()))
        }
    };
    let sum = sum.substitute(&moved).ok()?;
    let guarded = Term::guard(&name, n, number.shift(1), sum, other.shift(1)).ok()?;
    Term::let_in(&p, value, guarded).ok()
}

fn if_plus(term: &Term) -> Option<Term> {
    let (kid, other) = match term.kind() {
        Kind::If | Kind::Guard(..) if term.kid(2).is_zero() => (1, 2),
        Kind::If | Kind::Guard(..) if term.kid(1).is_zero() => (2, 1),
        _ => return None,
    };
    let inside = term.kid(kid);
    let binders = term.binders(kid);
    // The same choice around a part of what stands inside, which stands under so many binders more.
    let chosen_or = |part: Term, otherwise: Term, under: u32| {
        let choice = term.shift(under);
        let mut kids = choice.kids();
        (kids[kid], kids[other]) = (part, otherwise);
        Term::of(choice.kind(), kids).ok()
    };
    let chosen = |part: Term, under: u32| {
        let zero = Term::zero(part.ty())?;
        chosen_or(part, zero, under)
    };
    // A part's variables: those of the choice stay innermost.
    let moved = |part: &Term, under: u32| {
        part.rename(|index| match index {
            index if index < under => index + binders,
            index if index < under + binders => index - under,
            index => index,
        })
    };
    match inside.view() {
        View::Plus(a, b) => Term::plus(chosen(a, 0)?, chosen(b, 0)?).ok(),
        View::Ifold(..) => {
            let total = TotalParts::of(&inside).filter(|total| total.start.is_zero())?;
            let added = chosen(moved(&total.added, 1), 1)?;
            let start = Term::zero(added.ty())?;
            total.sum(&added, start)
        }
        View::Scatter(..) | View::Let(..) => {
            // An if's lets can leave it; what needs a guard's index can't.
            let parts = if binders > 0 { with_lets(&inside)? } else { ScatterParts::of(&inside)? };
            let key = moved(&parts.key, 1);
            let key = match (key.lower(binders), term.view()) {
                (Some(key), _) => key,
                // Where the guard fails 0 is added, wherever its number points to.
                (None, View::Guard(_, _, number, ..)) if is_number_of(&key, 0) => number.shift(1),
                // A key that needs the guard's index is none where the guard fails.
                (None, _) => chosen_or(key, Term::int(-1), 1)?,
            };
            parts.with(key, chosen(moved(&parts.value, 1), 1)?)
        }
        _ => None,
    }
}

/// A scatter whose value has the lets that stood around it; those are computed once for each entry, so only around a single one.
fn with_lets(term: &Term) -> Option<ScatterParts> {
    let View::Let(x, bound, body) = term.view() else { return ScatterParts::of(term) };
    let parts = with_lets(&body).filter(|parts| parts.rounds.as_literal() == Some(1))?;
    let key = parts.key.free_at(1).is_none().then(|| without_state(&parts.key))?;
    // The entry's index stood under the let's variable, which now stands under the index.
    let swapped = parts.value.rename(|index| if index < 2 { 1 - index } else { index });
    let value = Term::let_in(&x, bound.shift(1), swapped).ok()?;
    Some(ScatterParts { key, value, ..parts })
}

/// Whether a term is the number of this variable, an index.
fn is_number_of(term: &Term, index: u32) -> bool {
    matches!(term.view(), View::Prim(Prim::ToInt, of) if matches!(of[0].view(), View::Var(i) if i == index))
}
