//! Reverse mode as one local rule: a tangent that is used several times, with its factors collected.

use rustc_hash::FxHashMap;

use super::naming::name_of;
use super::ring::{is_real, is_zero};
use super::sum::Sum;
use crate::rule::condition::Enclosing;
use crate::rule::footprint::{BELOW, ContextUse, Heads, Inspection};
use crate::rule::record::Statement::Text;
use crate::rule::{Exactness, Focus, Frame, NativeRule, Reason};
use crate::term::{Head, Kind, Prim, Term, View};

pub(super) const RULES: &[NativeRule] = &[NativeRule {
    name: "letLinear",
    params: &[],
    group: "Sums and products",
    law: Text(&["let t := a; c * t + r --> let c := c; c * a + r"]),
    condition: "t : real is a tangent that is used at least twice; c holds no tangent; found through `+`, `-`, `*`, \
                `/`, `if` and sums",
    doc: "Gathers all paths through t, so that their number doesn't explode. The innermost let first; blocked by lets \
          and folds that use t.",
    exactness: Exactness::Reassociating,
    inspects: Inspection {
        heads: Heads::Of(&[Head::Let]),
        scope: 1,
        guard: used_twice,
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
    ],
    refused: &[
        "fun (v : array n real) => build n (fun p => let t := v[p] * 2; t * 2 + t)",
        "fun (v : array n real) => build n (fun p => let t := ifold n (fun a i => a + (if p = i then v[i] \
             else 0)) 0; t * t)",
    ],
    function: |focus, _| linear(focus).ok_or(Reason::native("no tangent that the let's body uses twice, and linearly")),
}];

fn used_twice(binding: &Term) -> bool {
    is_real(binding) && is_real(&binding.kid(0)) && binding.kid(1).occurrences(0) > 1
}

fn linear(focus: &Focus) -> Option<Term> {
    let View::Let(_, value, body) = focus.term.view() else { return None };
    if !used_twice(focus.term) {
        return None;
    }
    let frame = Frame { term: focus.term.clone(), kid: 1 };
    let enclosing = Enclosing::at(focus, &[frame]);
    if !enclosing.is_marked(0) {
        return None;
    }
    let mut parts = Parts { enclosing: &enclosing, known: FxHashMap::default() };
    let (c, r) = parts.of(&body, 0)?;
    let product = Term::prim(Prim::Mul, vec![Term::var(0, value.ty()), value.shift(1)]).ok()?;
    let sum = match r {
        Some(r) => Term::prim(Prim::Add, vec![product, r]).ok()?,
        None => product,
    };
    let c = c?.lower(1)?;
    Term::let_in(&name_of(&c, "c"), c, sum).ok()
}

/// What stands before the tangent, and what is added; absent where it is 0.
type Linear = (Option<Term>, Option<Term>);

/// What becomes of a part, if it is there.
fn within(part: Option<Term>, become_of: impl FnOnce(Term) -> Option<Term>) -> Option<Option<Term>> {
    part.map_or(Some(None), |part| become_of(part).map(Some))
}

struct Parts<'a> {
    enclosing: &'a Enclosing<'a>,
    /// The parts of terms that may have the tangent in several parts.
    known: FxHashMap<(Term, u32), Option<Linear>>,
}

impl Parts<'_> {
    /// The parts of a term under `t` more binders than the let's body, in which the tangent is variable `t`.
    fn of(&mut self, term: &Term, t: u32) -> Option<Linear> {
        if term.free_at(t).is_none() {
            return Some((None, Some(term.clone())));
        }
        // Other terms have the tangent in one part.
        if !matches!(term.kind(), Kind::Prim(Prim::Add | Prim::Sub) | Kind::If) {
            return self.taken_apart(term, t);
        }
        let key = (term.clone(), t);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let parts = self.taken_apart(term, t);
        self.known.insert(key, parts.clone());
        parts
    }

    fn taken_apart(&mut self, term: &Term, t: u32) -> Option<Linear> {
        match term.view() {
            View::Var(_) => Some((Some(Term::real(1.0)), None)),
            View::Prim(op, operands) => self.primitive(op, &operands, t),
            View::If(c, a, b) if c.free_at(t).is_none() && !self.is_tangent(&c, t) => {
                let ((a, x), (b, y)) = (self.of(&a, t)?, self.of(&b, t)?);
                let choice = |a: Option<Term>, b: Option<Term>| match (a, b) {
                    (None, None) => Some(None),
                    (a, b) => {
                        let zero = || Term::real(0.0);
                        Some(Some(Term::if_else(c.clone(), a.unwrap_or_else(zero), b.unwrap_or_else(zero)).ok()?))
                    }
                };
                Some((choice(a, b)?, choice(x, y)?))
            }
            _ => {
                let sum = Sum::of(term)?;
                let (c, r) = self.of(&sum.body, t + 1)?;
                let around = |part| within(part, |body| Sum { body, ..sum.clone() }.term());
                Some((around(c)?, around(r)?))
            }
        }
    }

    fn primitive(&mut self, op: Prim, operands: &[Term], t: u32) -> Option<Linear> {
        let apply = |op: Prim, a: Term, b: Term| Term::prim(op, vec![a, b]).ok();
        let negative = |part| within(part, |a| Term::prim(Prim::Neg, vec![a]).ok());
        let join = |a: Option<Term>, b: Option<Term>| match (a, b) {
            (Some(a), Some(b)) if op == Prim::Sub => Some(Some(apply(Prim::Sub, a, b)?)),
            (Some(a), Some(b)) => Some(Some(apply(Prim::Add, a, b)?)),
            (None, Some(b)) if op == Prim::Sub => negative(Some(b)),
            (a, b) => Some(a.or(b)),
        };
        match (op, operands) {
            (Prim::Add | Prim::Sub, [a, b]) => {
                let ((a, x), (b, y)) = (self.of(a, t)?, self.of(b, t)?);
                Some((join(a, b)?, join(x, y)?))
            }
            (Prim::Neg, [a]) => {
                let (c, r) = self.of(a, t)?;
                Some((negative(c)?, negative(r)?))
            }
            (Prim::Mul | Prim::Div, [a, b]) => {
                let left = a.free_at(t).is_some();
                let (inside, factor) = if left { (a, b) } else { (b, a) };
                if factor.free_at(t).is_some() || self.is_tangent(factor, t) || (op == Prim::Div && !left) {
                    return None;
                }
                let scale = |part| {
                    within(part, |a| if left { apply(op, a, factor.clone()) } else { apply(op, factor.clone(), a) })
                };
                let (c, r) = self.of(inside, t)?;
                Some((scale(c)?, scale(r.filter(|r| !is_zero(r)))?))
            }
            _ => None,
        }
    }

    fn is_tangent(&self, term: &Term, t: u32) -> bool {
        term.free().any(|(i, _)| i.checked_sub(t).is_some_and(|i| self.enclosing.is_marked(i)))
    }
}
