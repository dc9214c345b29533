//! Transposes what is done to each element of an array by itself: that stays so, without a loop over all elements for each.

use super::fold_parts::SumParts;
use super::pull::not_linear;
use super::pull_path::{GROUP, needs_no_name, pulled, pulled_parts};
use super::total::total;
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Kind, Size, Term, Type, TypeView, View};

pub(super) const RULES: &[NativeRule] = &[MAP, EACH];

const AT_LOOPS: Inspection =
    Inspection { heads: HeadFilter::Of(&[Head::Pull]), ways: &[&[0, 0]], guard: pulls_a_loop, ..BELOW };

const MAP: NativeRule = NativeRule {
    name: "pullMap",
    params: &[],
    group: GROUP,
    law: Words(
        "pull (fun d => build n (fun i => a(d[i], i))) w --> let x := w; build n (fun i => pull (fun e => a(e, i)) x[i]); \
         pull (fun d => ifold n (fun s i => s + a(d[i], i)) 0) w --> let x := w; build n (fun i => pull (fun e => a(e, i)) x)",
    ),
    condition: "d is read at i alone",
    doc: "What is done to each element by itself is transposed so, and what is summed then, too; a weight that costs nothing needs no \
          name, and what pullPath, pullMap or pullEach would do to each round is done.",
    exactness: Exactness::Reassociating,
    inspects: AT_LOOPS,
    left_sides: &[
        "pull (fun d => build n (fun i => d[i] * a(i))) w",
        "pull (fun d => build n (fun i => build m (fun j => d[i] * a(i, j)))) w",
        "pull (fun d => ifold n (fun s i => s + d[i] * a(i)) 0) w",
    ],
    examples: &[
        (
            "fun (v w : array n real) => pull (fun (d : array n real) => build n (fun i => v[i] * d[i] + d[i])) w",
            "fun (v w : array n real) => build n (fun i => pull (fun (d : real) => v[i] * d + d) w[i])",
        ),
        (
            "fun (v : array n real) (w : real) => pull (fun (d : array n real) => ifold n (fun s i => s + v[i] * d[i]) 0) (w * w)",
            "fun (v : array n real) (w : real) => let w := w * w; build n (fun i => v[i] * w)",
        ),
    ],
    refused: for_tests(&[
        "fun (k : array n (fin n)) (w : array n real) => pull (fun (d : array n real) => build n (fun i => d[k[i]])) w",
        "fun (w : array n real) => pull (fun (d : array n real) => build n (fun i => ifold n (fun s j => s + d[j]) 0 + d[i])) w",
        "fun (v : array n real) (w : real) => pull (fun (d : array n real) => ifold n (fun s i => s * v[i] + d[i]) 0) w",
        "fun (w : array n real) => pull (fun (d : array n real) => d) w",
    ]),
    function: |focus, _| map(focus.term),
};

const EACH: NativeRule = NativeRule {
    name: "pullEach",
    params: &[],
    group: GROUP,
    law: Words(
        "pull (fun d => build n (fun i => a(d, i))) w --> let x := w; ifold n (fun s i => plus s (pull (fun d => a(d, i)) x[i])) 0; \
         pull (fun d => ifold n (fun s i => s + a(d, i)) 0) w --> let x := w; ifold n (fun s i => plus s (pull (fun d => a(d, i)) x)) 0",
    ),
    condition: "",
    doc: "What pullBuild and pullSum do, with the 0 written out; a weight that costs nothing needs no name, and what pullPath, \
          pullMap or pullEach would do to each round is done.",
    exactness: Exactness::Reassociating,
    inspects: AT_LOOPS,
    left_sides: &[
        "pull (fun d => build n (fun i => d[k(i)] * a(i))) w",
        "pull (fun d => build n (fun i => d * a(i) + d)) w",
        "pull (fun d => ifold n (fun s i => s + d[k(i)] * a(i)) 0) w",
    ],
    examples: &[
        (
            "fun (k : array n (fin m)) (w : array n real) => pull (fun (d : array m real) => build n (fun i => d[k[i]])) w",
            "fun (k : array n (fin m)) (w : array n real) => ifold n (fun s i => plus s (scatter m 1 (fun e => (int k[i], w[i])))) \
             (build m (fun i => 0))",
        ),
        (
            "fun (v : array n real) (w : real) => pull (fun (d : real) => ifold n (fun s i => s + (v[i] * d + d)) 0) (w * w)",
            "fun (v : array n real) (w : real) => let w := w * w; ifold n (fun s i => plus s (pull (fun (d : real) => v[i] * d + d) w)) 0",
        ),
    ],
    refused: for_tests(&[
        "fun (w : array n real) => pull (fun (d : array n real) => d) w",
        "fun (v : array n real) (w : real) => pull (fun (d : array n real) => ifold n (fun s i => s * v[i] + d[i]) 0) w",
    ]),
    function: |focus, _| {
        each_round(focus.term).ok_or(Reason::native("no array is built, and nothing summed, of the direction"))
    },
};

fn pulls_a_loop(term: &Term) -> bool {
    matches!(term.kid(0).view(), View::Lam(_, _, body) if matches!(body.kind(), Kind::Build(_) | Kind::Ifold(_)))
}

/// What is done to each element: the size, the index, and the term under the index.
struct ElementWise {
    n: Size,
    index: Name,
    element: Term,
    /// Whether the results are added up.
    is_sum: bool,
}

fn element_wise(body: &Term) -> Option<ElementWise> {
    if let View::Build(n, f) = body.view() {
        let View::Lam(index, _, element) = f.view() else { return None };
        return Some(ElementWise { n, index, element, is_sum: false });
    }
    let SumParts { n, index, body: element, .. } = SumParts::of(body)?;
    Some(ElementWise { n, index, element, is_sum: true })
}

fn map(term: &Term) -> Result<Term, Reason> {
    let none = || Reason::native("no loop of which each round reads its own element of the direction, and no other");
    let (d, ty, body, w) = pulled_parts(term).ok_or_else(none)?;
    let parts = element_wise(&body).ok_or_else(none)?;
    let own = match ty.view() {
        TypeView::Array(size, own) if *size == parts.n => own,
        _ => return Err(none()),
    };
    body.linear_in(0).map_err(|way| not_linear(&[0, 0], way))?;
    transposed((&d, own), parts, w).ok_or_else(none)
}

/// `pull (fun d => body) weight`, or what comes of that where the body is a loop in its turn, or reads the direction once.
fn pulled_on(d: &Name, ty: &Type, body: Term, weight: Term) -> Option<Term> {
    let term = pulled(d, ty, body, weight)?;
    if !matches!(term.kind(), Kind::Pull) || !pulls_a_loop(&term) {
        return Some(term);
    }
    map(&term).ok().or_else(|| each_round(&term)).or(Some(term))
}

fn transposed((d, own): (&Name, &Type), parts: ElementWise, w: Term) -> Option<Term> {
    let alone = of_own_element(&parts.element, 0, own)?;
    let named = !needs_no_name(&w);
    // The weight is named around all of it.
    let (weight, out) = if named { (Term::var(0, w.ty()), 1) } else { (w.clone(), 0) };
    let below = Type::fin(parts.n.clone());
    let weight = weight.shift(1);
    let weight = if parts.is_sum { weight } else { Term::get(weight, Term::var(0, &below)).ok()? };
    let element = pulled_on(d, own, alone.shift_from(2, out), weight)?;
    let element = Term::lam(&parts.index, &below, element).ok()?;
    let all = Term::build(parts.n, element).ok()?;
    if named { Term::let_in(&Name::new("w"), w, all).ok() } else { Some(all) }
}

/// The sum of what all rounds give to the direction.
fn each_round(term: &Term) -> Option<Term> {
    let (d, ty, body, w) = pulled_parts(term)?;
    let parts = element_wise(&body)?;
    parts.element.free_at(1)?;
    let named = !needs_no_name(&w);
    let out = u32::from(named);
    // Under the weight's name, the sum, the index and the direction; before, the direction stood outside of the index.
    let element = parts.element.rename(|place| if place < 2 { 1 - place } else { place + 1 + out });
    let weight = if named { Term::var(2, w.ty()) } else { w.shift(2) };
    let own = Term::var(0, &Type::fin(parts.n.clone()));
    let weight = if parts.is_sum { weight } else { Term::get(weight, own).ok()? };
    let sum = total((&parts.n, &parts.index), pulled_on(&d, &ty, element, weight)?, Term::zero(&ty)?)?;
    if named { Term::let_in(&Name::new("w"), w, sum).ok() } else { Some(sum) }
}

/// A term under so many binders, the index and the direction, with the direction's element at that index in place of both: in
/// the new scope the element stands within the index.
fn of_own_element(term: &Term, under: u32, own: &Type) -> Option<Term> {
    let (index, direction) = (under, under + 1);
    if term.free_at(direction).is_none() {
        return Some(term.rename(|place| if place == index { direction } else { place }));
    }
    match term.view() {
        View::Var(_) => return None,
        View::Get(array, at) if matches!(array.view(), View::Var(_)) && array.free_at(direction).is_some() => {
            return matches!(at.view(), View::Var(place) if place == index).then(|| Term::var(under, own));
        }
        _ => {}
    }
    let kids = (0..term.kid_count()).map(|k| of_own_element(&term.kid(k), under + term.binders(k), own));
    Term::of(term.kind(), kids.collect::<Option<_>>()?).ok()
}
