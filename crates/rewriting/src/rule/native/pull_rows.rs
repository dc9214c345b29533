//! Begins to transpose a Jacobian: of tangents that are arrays or pairs each number gets a gradient of its own.

use super::halves::each;
use super::parts::half;
use super::pull::not_linear;
use super::pull_path::GROUP;
use super::pull_start::{NO_ONE_HOTS, by_direction, nest};
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Size, Term, Type, TypeView, View};

pub(super) const RULES: &[NativeRule] = &[NativeRule {
    name: "pullRows",
    params: &[],
    group: GROUP,
    law: Words(
        "build n (fun j => c(build n (fun i => if i = j then 1 else 0))) --> let rows := build m (fun k => pull (fun d => c(d)[k]) 1); \
             build n (fun j => build m (fun k => rows[k][j])), and so for arrays of arrays and pairs",
    ),
    condition: "c is linear, gives an array or a pair, and mentions j in one-hots alone",
    doc: "A Jacobian the other way: where there are fewer results than parameters, the gradient of each result, at 1, takes less than \
              the tangent by each parameter.",
    exactness: Exactness::RealExact,
    inspects: Inspection { heads: HeadFilter::Of(&[Head::Build]), guard: |term| term.ty().is_of_reals(), ..BELOW },
    left_sides: &[
        "build n (fun j => build m (fun k => r(k) * (if a(k) = j then 1 else 0)))",
        "build n (fun j => (if k = j then 1 else 0, r * (if j = l then 1 else 0)))",
        "build n (fun j => [ifold m (fun s e => s + r(e) * (if k(e) = j then 1 else 0)) 0])",
    ],
    examples: &[(
        "fun (x : array m real) (a : array m (fin n)) => build n (fun j => build m (fun k => x[k] * (if a[k] = j then 1 else 0)))",
        "fun (x : array m real) (a : array m (fin n)) => let rows := build m (fun k => pull (fun d => x[k] * d[a[k]]) \
             1); build n (fun j => build m (fun k => rows[k][j]))",
    )],
    refused: for_tests(&[
        "fun (v : array n real) => build n (fun j => build m (fun k => v[j]))",
        "fun (k : fin n) => build n (fun j => if k = j then 1 else 0)",
        "fun (v : array n real) (k : fin n) => build n (fun j => (v[j], if k = j then 1 else 0))",
    ]),
    function: |focus, _| rows(focus.term),
}];

/// Tangents that are arrays or pairs, each of their numbers by a gradient of its own.
fn rows(term: &Term) -> Result<Term, Reason> {
    let none = || Reason::native(NO_ONE_HOTS);
    let (mut indices, mut body) = nest(term).ok_or_else(none)?;
    // The outermost of them are the parameter's, as many as there are.
    while !indices.is_empty() {
        let direction = indices.iter().rev().fold(Type::real(), |element, (n, _)| Type::array(n.clone(), element));
        let is_number = matches!(body.ty().view(), TypeView::Real);
        let tangent = if is_number { None } else { by_direction(&body, &direction, indices.len() as u32) };
        if let Some(tangent) = tangent {
            tangent.linear_in(0).map_err(|way| not_linear(&vec![0; 2 * indices.len()], way))?;
            return transposed_rows(&direction, &indices, tangent).ok_or_else(none);
        }
        let (n, index) = indices.pop().ok_or_else(none)?;
        let f = Term::lam(&index, &Type::fin(n.clone()), body).map_err(|_| none())?;
        body = Term::build(n, f).map_err(|_| none())?;
    }
    Err(none())
}

/// The gradients of all numbers of a tangent, named, and the array of them by the numbers of the direction, which is variable 0.
fn transposed_rows(direction: &Type, indices: &[(Size, Name)], tangent: Term) -> Option<Term> {
    let results = tangent.ty().clone();
    let rows = gradients(direction, &tangent)?;
    // Under the name of the rows and the indices of the parameter.
    let depth = indices.len() as u32;
    let table = Term::var(depth, rows.ty());
    let places = indices.iter().enumerate().map(|(k, (n, _))| Term::var(depth - 1 - k as u32, &Type::fin(n.clone())));
    let element = at_place(&table, &results, &places.collect::<Vec<_>>())?;
    let all = indices.iter().rev().try_fold(element, |element, (n, index)| {
        Term::build(n.clone(), Term::lam(index, &Type::fin(n.clone()), element).ok()?).ok()
    })?;
    Term::let_in(&Name::new("rows"), rows, all).ok()
}

/// The gradient of each number of a tangent by the direction, which is variable 0.
fn gradients(direction: &Type, tangent: &Term) -> Option<Term> {
    match tangent.ty().view() {
        TypeView::Array(m, _) if is_written_out(tangent) => {
            let at = |k| element(tangent, &Term::fin(k, m.clone()).ok()?);
            let all = (0..m.as_literal()?).map(|k| gradients(direction, &at(k)?));
            let all = all.collect::<Option<Vec<Term>>>()?;
            Term::array(&all.first()?.ty().clone(), all).ok()
        }
        TypeView::Array(m, _) => each(m, |k| {
            // The index is bound outside of the direction.
            gradients(direction, &element(&tangent.shift_from(1, 1), &k.shift(1))?)
        }),
        TypeView::Pair(..) => {
            let [first, second] = [false, true].map(|second| gradients(direction, &half(tangent, second)?));
            Term::pair(first?, second?).ok()
        }
        _ => Term::pull(Term::lam(&Name::new("d"), direction, tangent.clone()).ok()?, Term::real(1.0)).ok(),
    }
}

/// Whether the elements of an array are written out, each with a term of its own.
fn is_written_out(term: &Term) -> bool {
    match term.view() {
        View::Let(_, _, body) => is_written_out(&body),
        View::Array(_, elements) => !elements.is_empty(),
        _ => false,
    }
}

/// An element of an array, taken inside of lets: what isn't asked for needs not be transposed then.
fn element(term: &Term, k: &Term) -> Option<Term> {
    match term.view() {
        View::Let(x, value, body) => Term::let_in(&x, value, element(&body, &k.shift(1))?).ok(),
        View::Build(_, f) if let View::Lam(_, _, body) = f.view() => body.instantiate(k).ok(),
        View::Array(_, elements) if let View::Fin(k, _) = k.view() => elements.get(usize::try_from(k).ok()?).cloned(),
        _ => Term::get(term.clone(), k.clone()).ok(),
    }
}

/// What the gradients of all numbers of a result have at one place of the parameter.
fn at_place(rows: &Term, results: &Type, places: &[Term]) -> Option<Term> {
    match results.view() {
        TypeView::Array(m, element) => each(m, |k| {
            let places: Vec<Term> = places.iter().map(|place| place.shift(1)).collect();
            at_place(&Term::get(rows.shift(1), k).ok()?, element, &places)
        }),
        TypeView::Pair(a, b) => {
            let (first, second) = (Term::fst(rows.clone()).ok()?, Term::snd(rows.clone()).ok()?);
            Term::pair(at_place(&first, a, places)?, at_place(&second, b, places)?).ok()
        }
        _ => places.iter().try_fold(rows.clone(), |row, place| Term::get(row, place.clone()).ok()),
    }
}
