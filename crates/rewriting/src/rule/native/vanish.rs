//! Drops folds that start at 0 and stay there.

use redexter_language::ground::Name;
use rustc_hash::FxHashMap;

use super::fold_parts::{FoldParts, zero};
use super::ring::is_zero;
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::term::{Head, Prim, Term, Type, TypeView, View};

pub(super) const RULES: &[NativeRule] = &[NativeRule {
    name: "ifoldFixed",
    params: &[],
    group: "Folds",
    law: Words("ifold n (fun a i => f(a, i)) 0 --> 0, and so by type: arrays and pairs of 0"),
    condition: "f(0, i) is 0 by its products, sums, choices and loops, what they hold being neither infinite nor NaN",
    doc: "A tangent that starts at 0 and is only multiplied stays 0: the part of a nested loop that nothing moves.",
    exactness: Exactness::RealExact,
    inspects: Inspection { heads: HeadFilter::Of(&[Head::Ifold]), ways: &[&[0, 0], &[1]], ..BELOW },
    left_sides: &[
        "ifold n (fun a i => a * f(a, i)) (0 : real)",
        "ifold n (fun a i => f(i) * a - a / g(i) + (if c(i) then -a else 0)) 0",
        "ifold n (fun a i => build m (fun j => a[j] * f(i, j))) (build m (fun j => 0))",
        "ifold n (fun a i => let b := a * f(i); ifold m (fun u j => u + b * g(i, j)) 0) 0",
        "ifold n (fun a i => (fst a * f(i), snd a + fst a)) ((0 : real), (0 : real))",
    ],
    examples: &[
        ("fun (v : array n real) => ifold n (fun a i => a * v[i] + a) 0", "fun (v : array n real) => (0 : real)"),
        (
            "fun (v : array n real) => ifold n (fun a i => build m (fun j => a[j] * v[i])) (build m (fun j => 0))",
            "fun (v : array n real) => build m (fun j => (0 : real))",
        ),
    ],
    refused: for_tests(&[
        "fun (v : array n real) => ifold n (fun a i => a * v[i] + v[i]) 0",
        "fun (v : array n real) => ifold n (fun a i => a * v[i]) 1",
        "fun (v : array n real) => ifold n (fun a i => v[i] / a) 0",
        "fun (v : array n real) => ifold n (fun a i => cos a) 0",
    ]),
    function: |focus, _| fixed(focus.term).ok_or(Reason::native("no fold that starts at 0 and stays there")),
}];

fn fixed(term: &Term) -> Option<Term> {
    let fold = FoldParts::of(term).filter(|fold| vanishes(&fold.start, &[], &mut FxHashMap::default()))?;
    vanishes(&fold.body, &[false, true], &mut FxHashMap::default()).then_some(())?;
    zeros(term.ty())
}

/// The value of this type whose numbers are all 0.
fn zeros(ty: &Type) -> Option<Term> {
    match ty.view() {
        TypeView::Array(n, element) => {
            let element = zeros(element)?;
            Term::build(n.clone(), Term::lam(&Name::new("i"), &Type::fin(n.clone()), element).ok()?).ok()
        }
        TypeView::Pair(a, b) => Term::pair(zeros(a)?, zeros(b)?).ok(),
        _ => zero(ty),
    }
}

/// Whether a term is 0, or holds nothing but 0, where these variables do: of the innermost it is known, of all others not.
fn vanishes(term: &Term, known: &[bool], memo: &mut FxHashMap<(Term, Vec<bool>), bool>) -> bool {
    if is_zero(term) {
        return true;
    }
    let key = (term.clone(), known.to_vec());
    if let Some(found) = memo.get(&key) {
        return *found;
    }
    // Variables are counted from the innermost, which stands first.
    let under = |new: &[bool]| new.iter().chain(known).copied().collect::<Vec<bool>>();
    let mut of = |term: &Term, known: &[bool]| vanishes(term, known, memo);
    let found = match term.view() {
        View::Var(i) => known.get(i as usize).copied().unwrap_or(false),
        View::Prim(Prim::Mul, operands) => operands.iter().any(|operand| of(operand, known)),
        View::Prim(Prim::Add | Prim::Sub | Prim::Neg, operands) => operands.iter().all(|operand| of(operand, known)),
        View::Prim(Prim::Div, operands) => of(&operands[0], known) && !of(&operands[1], known),
        View::Let(_, value, body) => {
            let value = of(&value, known);
            of(&body, &under(&[value]))
        }
        View::If(_, a, b) => of(&a, known) && of(&b, known),
        View::Guard(_, _, _, a, b) => of(&a, &under(&[false])) && of(&b, known),
        View::Build(_, f) => match f.view() {
            View::Lam(_, _, body) => of(&body, &under(&[false])),
            _ => false,
        },
        View::Ifold(..) => {
            FoldParts::of(term).is_some_and(|fold| of(&fold.start, known) && of(&fold.body, &under(&[false, true])))
        }
        View::Array(_, elements) => elements.iter().all(|element| of(element, known)),
        View::Get(array, _) => of(&array, known),
        View::Pair(a, b) => of(&a, known) && of(&b, known),
        View::Fst(p) | View::Snd(p) => match p.view() {
            View::Pair(a, b) => of(if matches!(term.view(), View::Fst(_)) { &a } else { &b }, known),
            _ => of(&p, known),
        },
        _ => false,
    };
    memo.insert(key, found);
    found
}
