//! Implements reverse mode as one local rule, by the type of a tangent (a number, an array or a pair): a body that is affine in
//! it is written as the scalar product of its adjoint with the tangent, and a rest.

use rustc_hash::FxHashSet;

use super::fold_parts::SumParts;
use super::naming::name_of;
use super::ring::is_real;
use super::transpose::{Transposition, leaves};
use crate::rule::condition::EnclosingMarks;
use crate::rule::footprint::{BELOW, ContextUse, HeadFilter, Inspection};
use crate::rule::marks::search;
use crate::rule::reason::FailureCause;
use crate::rule::record::NativeStatement::Text;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, Focus, Frame, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Kind, Prim, Term, Type, TypeView, View};

pub(super) const RULES: &[NativeRule] = &[NativeRule {
    name: "letAdjoint",
    params: &[],
    group: "Sums and products",
    law: Text(&[
        "let t := a; c * t + r --> let c := c; c * a + r",
        "let t := build n (fun i => a(i)); ifold n (fun s i => s + c(i) * t[i]) 0 + r --> \
         let c := build n (fun i => c(i)); ifold n (fun s i => s + c[i] * a(i)) 0 + r",
    ]),
    condition: "t is a tangent: a real that is used at least twice, or arrays and pairs of reals whose elements are written \
                out and hold a fold and another tangent, or one of both where t is used at least twice; the body is real, and \
                adds up numbers of t, each at the own index of a sum or at one that holds no tangent, with factors that hold \
                none; found through `+`, `-`, `*`, `/`, `if`, `let` and sums",
    doc: "Reverse mode: gathers all paths through t, so that their number doesn't grow from layer to layer. The innermost \
          let first.",
    exactness: Exactness::Reassociating,
    inspects: Inspection {
        heads: HeadFilter::Of(&[Head::Let]),
        scope: 1,
        guard: is_used,
        context: ContextUse::Marks,
        ..BELOW
    },
    left_sides: &[
        "build n (fun p => let t := ifold n (fun a j => a + (if p = j then f(j) else 0)) 0; c * t + d * t)",
        "build n (fun p => let t := ifold n (fun a j => a + (if p = j then f(j) else 0)) 0; (if c then t else \
             0) + (g(p) - t / d))",
        "build n (fun p => let t := ifold n (fun a j => a + (if p = j then f(j) else 0)) 0; t * c + ifold m \
             (fun a i => a + g(i) * t) 0)",
        "build n (fun p => let t := ifold n (fun a j => a + (if p = j then f(j) else 0)) 0; let u := c * d; \
             -(u * t) - (t + h(p)))",
        "build n (fun p => let t := build n (fun j => ifold n (fun a k => a + (if p = k then f(j, k) else 0)) 0); ifold n \
             (fun a i => a + (c(i) * t[i] - t[i])) 0)",
        "build n (fun p => let u := ifold n (fun a k => a + (if p = k then f(k) else 0)) 0; let t := build m (fun j => g(j) * \
             u); ifold m (fun a i => a + (t[i] * c(i) - ifold m (fun b k => b + d(i, k) * t[k]) 0)) 0 + h(p))",
        "build n (fun p => let u := ifold n (fun a k => a + (if p = k then f(k) else 0)) 0; let t := build m (fun j => build m \
             (fun k => u / g(j, k))); ifold m (fun a i => a + (if c(i) then t[i][i] / d(i) else ifold m (fun b k => b + \
             t[k][i]) 0)) 0)",
        "build n (fun p => let u := ifold n (fun a k => a + (if p = k then f(k) else 0)) 0; let t := (build m (fun j => u), u \
             * e); ifold m (fun a i => a + (fst t)[i] * c(i)) 0 - snd t * d)",
        "build n (fun p => let u := ifold n (fun a k => a + (if p = k then f(k) else 0)) 0; let t := build m (fun j => (u, u * \
             g(j))); ifold m (fun a i => a + (let x := sin (c(i)); fst t[i] * x + snd t[k])) 0)",
    ],
    examples: &[
        (
            "fun (v : array n real) (w : real) => build n (fun p => let t := ifold n (fun a i => a + (if p = i \
             then v[i] else 0)) 0; t * 2 + w * t + 1)",
            "fun (v : array n real) (w : real) => build n (fun p => let c := 1 * 2 + w * 1; c * ifold n (fun a i \
             => a + (if p = i then v[i] else 0)) 0 + 1)",
        ),
        (
            "fun (v w : array n real) => build n (fun p => let t := ifold n (fun a i => a + (if p = i then v[i] \
             else 0)) 0; ifold n (fun a i => a + w[i] * t) 0 - t)",
            "fun (v w : array n real) => build n (fun p => let c := ifold n (fun a i => a + w[i] * 1) 0 - 1; c * \
             ifold n (fun a i => a + (if p = i then v[i] else 0)) 0)",
        ),
        (
            "fun (w : array n real) (v : array n (array n real)) => build n (fun p => let t := build n (fun j => ifold n (fun s \
             k => s + (if p = k then v[j][k] else 0)) 0); ifold n (fun s i => s + (w[i] * t[i] + t[i])) 0)",
            "fun (w : array n real) (v : array n (array n real)) => build n (fun p => let table := build n (fun i => w[i] * 1 + \
             1); ifold n (fun s i => s + table[i] * (build n (fun j => ifold n (fun s k => s + (if p = k then v[j][k] else \
             0)) 0))[i]) 0)",
        ),
    ],
    refused: for_tests(&[
        "fun (v : array n real) => build n (fun p => let t := v[p] * 2; t * 2 + t)",
        "fun (v : array n real) => build n (fun p => let t := ifold n (fun a i => a + (if p = i then v[i] \
             else 0)) 0; t * t)",
        "fun (v w : array n real) => build n (fun p => let t := build n (fun j => if p = j then v[j] else 0); ifold n (fun a \
             i => a + (w[i] * t[i] + t[i])) 0)",
        "fun (v w : array n real) => build n (fun p => let t := build n (fun j => ifold n (fun s k => s + (if p = k then v[k] \
             else w[j])) 0); ifold n (fun a i => a + t[i] * t[i]) 0)",
        "fun (v w : array n real) => build n (fun p => let t := build n (fun j => ifold n (fun s k => s + (if p = k then v[k] \
             else w[j])) 0); ifold n (fun a i => a + (exp t[i] - t[i])) 0)",
    ]),
    function: |focus, _| adjoint(focus),
}];

fn is_used(binding: &Term) -> bool {
    // A number that is used once has one factor, so that there is nothing to gather; one use of an array may read many numbers.
    is_real(binding) && binding.kid(1).occurrences(0) > u32::from(is_real(&binding.kid(0)))
}

fn adjoint(focus: &Focus) -> Result<Term, Reason> {
    let none =
        || Reason::native("no let that a number is made of, of a number that it uses twice, or of arrays or pairs");
    let View::Let(_, value, body) = focus.term.view() else { return Err(none()) };
    if !is_used(focus.term) {
        return Err(none());
    }
    // Seen from the body, where the tangent itself is variable 0.
    let frame = Frame { term: focus.term.clone(), kid: 1 };
    let enclosing = EnclosingMarks::at(focus, &[frame]);
    if !enclosing.is_marked(0) {
        return Err(Reason::native("the let's value is no tangent"));
    }
    let further = |words| Reason { progress: 1, ..Reason::native(words) };
    let all = leaves(value.ty()).ok_or(further("the let's value holds what isn't real"))?;
    if !is_derived(&value, &body, &enclosing) {
        return Err(further("the let's value holds no fold or no other tangent, and isn't used often enough"));
    }
    if !is_written_out(&value) {
        return Err(further("the let's value isn't written out element by element"));
    }
    let (coefficients, rest) = Transposition::of(&body, &all, &enclosing).map_err(|(words, way)| {
        // The way begins at the body, which is child 1 of the let.
        let way: Vec<u32> = std::iter::once(1).chain(way).collect();
        Reason { progress: 1, ..Reason::new(FailureCause::Within(words, way.into())) }
    })?;
    let built = || {
        let adjoint = of_type(value.ty(), &mut coefficients.into_iter())?;
        let product = product(&Term::var(0, adjoint.ty()), &value.shift(1))?;
        let whole = match rest {
            Some(rest) => Term::prim(Prim::Add, vec![product, rest]).ok()?,
            None => product,
        };
        Term::let_in(&name_of(&adjoint, "c"), adjoint, whole).ok()
    };
    built().ok_or_else(|| further("a size of the result is too large"))
}

/// Whether the value is worth gathering. A number always is. An array or a pair that is used several times is, if it holds
/// another tangent, or a fold, which would be repeated; one that is used once is, if it holds both. `enclosing` is that of
/// the let's body.
fn is_derived(value: &Term, body: &Term, enclosing: &EnclosingMarks) -> bool {
    if is_real(value) {
        return true;
    }
    // The value stands outside of the let's binder, hence the next index; a parameter index itself is no tangent.
    let is_tangent = |i: u32| enclosing.is_marked(i + 1) && !enclosing.counts(i + 1);
    let is_fold = |term: &Term, _: u32| matches!(term.kind(), Kind::Ifold(_) | Kind::Scan(_) | Kind::Scanr(_));
    let holds_tangent = value.free().any(|(i, _)| is_tangent(i));
    let holds_fold = || search(value, 0, &mut FxHashSet::default(), &|_, _| true, &is_fold);
    if body.occurrences(0) > 1 { holds_tangent || holds_fold() } else { holds_tangent && holds_fold() }
}

/// Whether each number of the value is written out, so that it can be computed at the cost of itself alone.
fn is_written_out(value: &Term) -> bool {
    match value.view() {
        View::Build(_, f) => match f.view() {
            View::Lam(_, _, element) => is_written_out(&element),
            _ => false,
        },
        View::Pair(a, b) => is_written_out(&a) && is_written_out(&b),
        View::If(_, a, b) => is_written_out(&a) && is_written_out(&b),
        _ => is_real(value) || matches!(value.kind(), Kind::Var),
    }
}

/// A value of the type whose numbers are these, each of which stands under the indices of the arrays around it.
fn of_type(ty: &Type, all: &mut impl Iterator<Item = Term>) -> Option<Term> {
    match ty.view() {
        TypeView::Array(n, element) => {
            let element = of_type(element, all)?;
            let function = Term::lam(&Name::new("i"), &Type::fin(n.clone()), element).ok()?;
            Term::build(n.clone(), function).ok()
        }
        TypeView::Pair(a, b) => {
            let a = of_type(a, all)?;
            Term::pair(a, of_type(b, all)?).ok()
        }
        _ => all.next(),
    }
}

/// The scalar product of two values of one type.
fn product(a: &Term, b: &Term) -> Option<Term> {
    match a.ty().view() {
        TypeView::Array(n, _) => {
            let index = Term::var(0, &Type::fin(n.clone()));
            let element = |array: &Term| Term::get(array.shift(1), index.clone()).ok();
            let body = product(&element(a)?, &element(b)?)?;
            SumParts { n: n.clone(), state: Name::new("s"), index: Name::new("i"), body }.term()
        }
        TypeView::Pair(..) => {
            let halves = |pair: &Term| Some((Term::fst(pair.clone()).ok()?, Term::snd(pair.clone()).ok()?));
            let ((a, c), (b, d)) = (halves(a)?, halves(b)?);
            Term::prim(Prim::Add, vec![product(&a, &b)?, product(&c, &d)?]).ok()
        }
        _ => Term::prim(Prim::Mul, vec![a.clone(), b.clone()]).ok(),
    }
}
