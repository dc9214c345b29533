//! Transposes what is done to each element of an array by itself: that stays so, without a loop over all elements for each.

use super::fold_parts::SumParts;
use super::halves::is_cheap;
use super::pull::{GROUP, not_linear, pulled_parts};
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Kind, Size, Term, Type, TypeView, View};

pub(super) const RULES: &[NativeRule] = &[NativeRule {
    name: "pullMap",
    params: &[],
    group: GROUP,
    law: Words(
        "pull (fun d => build n (fun i => a(d[i], i))) w --> let x := w; build n (fun i => pull (fun e => a(e, i)) x[i]); \
         pull (fun d => ifold n (fun s i => s + a(d[i], i)) 0) w --> let x := w; build n (fun i => pull (fun e => a(e, i)) x)",
    ),
    condition: "d is read at i alone",
    doc: "What is done to each element by itself is transposed so, and what is summed then, too; a weight that costs nothing needs no \
          name.",
    exactness: Exactness::RealExact,
    inspects: Inspection {
        heads: HeadFilter::Of(&[Head::Pull]),
        ways: &[&[0, 0]],
        guard: |term| pulls_a_loop(term),
        ..BELOW
    },
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
            "fun (v : array n real) (w : real) => let w := w * w; build n (fun i => pull (fun (d : real) => v[i] * d) w)",
        ),
    ],
    refused: &[
        "fun (k : array n (fin n)) (w : array n real) => pull (fun (d : array n real) => build n (fun i => d[k[i]])) w",
        "fun (w : array n real) => pull (fun (d : array n real) => build n (fun i => ifold n (fun s j => s + d[j]) 0 + d[i])) w",
        "fun (v : array n real) (w : real) => pull (fun (d : array n real) => ifold n (fun s i => s * v[i] + d[i]) 0) w",
        "fun (w : array n real) => pull (fun (d : array n real) => d) w",
    ],
    function: |focus, _| map(focus.term),
}];

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

fn transposed((d, own): (&Name, &Type), parts: ElementWise, w: Term) -> Option<Term> {
    let alone = of_own_element(&parts.element, 0, own)?;
    let named = !is_cheap(&w);
    // The weight is named around all of it.
    let (weight, out) = if named { (Term::var(0, w.ty()), 1) } else { (w.clone(), 0) };
    let function = Term::lam(d, own, alone.shift_from(2, out)).ok()?;
    let below = Type::fin(parts.n.clone());
    let weight = weight.shift(1);
    let weight = if parts.is_sum { weight } else { Term::get(weight, Term::var(0, &below)).ok()? };
    let element = Term::lam(&parts.index, &below, Term::pull(function, weight).ok()?).ok()?;
    let all = Term::build(parts.n, element).ok()?;
    if named { Term::let_in(&Name::new("w"), w, all).ok() } else { Some(all) }
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
