//! Names operands that are operations themselves, as D does with those that it differentiates: what one derivative takes apart
//! and another leaves whole is equal only then.

use crate::rule::condition::EnclosingMarks;
use crate::rule::footprint::{BELOW, ContextUse, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, Focus, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Kind, Term, View};

use super::ring::is_real;

pub(super) const RULES: &[NativeRule] = &[
    NativeRule {
        name: "letOperand",
        params: &[],
        group: "Let outwards",
        law: Words("f(e) --> let r := e; f(r), where f and e are operations on reals, or e is a choice"),
        condition: "e mentions a variable and depends on no parameter index; the first such operand, whose lets may stand around it",
        doc: "Names an operand that is an operation itself, so that it can be computed where it is shared. What D differentiates \
              is named already; of what is constant to one parameter, and no other, only this shows that both compute the same.",
        exactness: Exactness::Exact,
        inspects: Inspection { heads: HeadFilter::AnyPrim, guard: is_real, context: ContextUse::Marks, ..BELOW },
        left_sides: &["x * exp y", "exp (x * y)", "x - y * z", "x * y / z", "-(x * y)", "exp (if c then x else y)"],
        examples: &[
            ("fun (v w : real) => v * sqrt w", "fun (v w : real) => let r := sqrt w; v * r"),
            ("fun (v w : real) => v * w + w / v", "fun (v w : real) => let r := v * w; r + w / v"),
            (
                "fun (v w : real) => exp (if v < w then v else w)",
                "fun (v w : real) => let r := if v < w then v else w; exp r",
            ),
        ],
        refused: for_tests(&[
            "fun (v w : real) => v * w",
            "fun (v : array n real) => build n (fun i => v[i] * real i)",
            "fun (v : real) => v * (1 / 2)",
            "fun (v w : real) => if v < 1 then v * w else w",
            "fun (v w : real) => v * keep w",
        ]),
        function: |focus, _| operand(focus).ok_or(Reason::native("no operand that is an operation on reals")),
    },
    NativeRule {
        name: "letIndex",
        params: &[],
        group: "Let outwards",
        law: Words("v[e] --> let i := e; v[i], where e costs something"),
        condition: "e mentions a variable and depends on no parameter index",
        doc: "Names an index that is computed, as letOperand does with operands: the position of an array's maximum, say.",
        exactness: Exactness::Exact,
        inspects: Inspection {
            heads: HeadFilter::Of(&[Head::Get]),
            ways: &[&[1]],
            guard: |term| !matches!(term.kid(1).kind(), Kind::Var),
            context: ContextUse::Marks,
            ..BELOW
        },
        left_sides: &["v[ifold n (fun b i => if x < c(b, i) then i else b) j]"],
        examples: &[(
            "fun (v : array n real) (k : fin n) => v[ifold n (fun b i => if v[b] < v[i] then i else b) k]",
            "fun (v : array n real) (k : fin n) => let i := ifold n (fun b i => if v[b] < v[i] then i else b) k; v[i]",
        )],
        refused: for_tests(&["fun (v : array n real) (c : array n (fin n)) (k : fin n) => v[c[k]]"]),
        function: |focus, _| index(focus).ok_or(Reason::native("no index that is computed")),
    },
];

fn operand(focus: &Focus) -> Option<Term> {
    let term = focus.term;
    if !matches!(term.kind(), Kind::Prim(_)) || !is_real(term) {
        return None;
    }
    let enclosing = EnclosingMarks::at(focus, &[]);
    let is_named = |operand: &Term| is_operation(operand) && !enclosing.marks(operand);
    let k = (0..term.kid_count()).find(|k| is_named(&term.kid(*k)))?;
    named("r", term, k)
}

fn index(focus: &Focus) -> Option<Term> {
    let index = matches!(focus.term.kind(), Kind::Get).then(|| focus.term.kid(1))?;
    let is_computed = index.costs() && !index.places().is_empty() && !EnclosingMarks::at(focus, &[]).marks(&index);
    is_computed.then(|| named("i", focus.term, 1))?
}

/// The term with a name for one of its children.
fn named(name: &str, term: &Term, k: usize) -> Option<Term> {
    let body = term.shift(1).with_kid(k, Term::var(0, term.kid(k).ty())).ok()?;
    Term::let_in(&Name::new(name), term.kid(k), body).ok()
}

/// Whether it is a primitive of reals or a choice between them that costs something and whose value isn't known yet: what costs
/// nothing would be put back. Lets may stand around it.
fn is_operation(term: &Term) -> bool {
    if let View::Let(_, _, body) = term.view() {
        return is_operation(&body);
    }
    let computes = match term.kind() {
        Kind::Prim(_) => (0..term.kid_count()).any(|k| is_real(&term.kid(k))),
        Kind::If | Kind::Guard(..) => true,
        _ => false,
    };
    computes && is_real(term) && term.costs() && !term.places().is_empty()
}
