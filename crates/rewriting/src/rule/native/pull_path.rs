//! Transposes in one step what reads one number or part of the direction, and multiplies it: the laws of products, quotients,
//! elements and halves, one after the other.

use super::halves::is_cheap;
use super::parts::half;
use crate::rule::footprint::{BELOW, HeadFilter, Inspection};
use crate::rule::record::NativeStatement::Words;
use crate::rule::record::for_tests;
use crate::rule::{Exactness, NativeRule, Reason};
use redexter_language::ground::Name;
use redexter_language::term::{Head, Kind, Prim, Size, Term, Type, TypeView, View};

pub(super) const GROUP: &str = "Transposition";

pub(super) const RULES: &[NativeRule] = &[NativeRule {
    name: "pullPath",
    params: &[],
    group: GROUP,
    law: Words(
        "pull (fun d => c * d[i]) w --> let x := c * w; scatter n 1 (fun e => (int i, x)), and so by all of pullMul, pullDiv, pullNeg, \
         pullGet and pullHalf, as often as they stand there, to pullVar, and by pullPair where a half is 0; what is a name or a number \
         gets none",
    ),
    condition: "the direction is read at one place, under nothing but these",
    doc: "Where one part of the direction counts alone, what it is worth is written at once.",
    exactness: Exactness::Reassociating,
    inspects: Inspection { heads: HeadFilter::Of(&[Head::Pull]), ways: &[&[0, 0]], guard: pulls_a_path, ..BELOW },
    left_sides: &[
        "pull (fun d => a * d * b) w",
        "pull (fun d => c * d[i]) w",
        "pull (fun d => -(fst d[i] / c)) w",
        "pull (fun d => a * (b * (snd d)[i][j])) w",
        "pull (fun d => (0, (a * d, 0))) w",
    ],
    examples: &[
        (
            "fun (v : array n real) (i : fin n) => pull (fun d => v[i] * d[i]) 1",
            "fun (v : array n real) (i : fin n) => let x := v[i] * 1; scatter n 1 (fun e => (int i, x))",
        ),
        (
            "fun (a b w : real) => pull (fun (d : real * real) => -(fst d * a) / b) w",
            "fun (a b w : real) => (-(w / b) * a, 0)",
        ),
        (
            "fun (w : real) (i : fin n) (j : fin m) => pull (fun d => d[i][j]) w",
            "fun (w : real) (i : fin n) (j : fin m) => let x := scatter m 1 (fun e => (int j, w)); scatter n 1 (fun e => (int i, x))",
        ),
    ],
    refused: for_tests(&[
        "fun (w : real) => pull (fun (d : real) => d) w",
        "fun (a w : real) => pull (fun (d : real * real) => a * fst d + snd d) w",
    ]),
    function: |focus, _| {
        path(focus.term).ok_or(Reason::native("more than one part of the direction counts, or nothing else does"))
    },
}];

/// The direction with its type, what is transposed, and the weight.
pub(super) fn pulled_parts(term: &Term) -> Option<(Name, Type, Term, Term)> {
    let View::Pull(f, w) = term.view() else { return None };
    let View::Lam(d, ty, body) = f.view() else { return None };
    Some((d, ty, body, w))
}

fn pulls_a_path(term: &Term) -> bool {
    let View::Lam(_, _, body) = term.kid(0).view() else { return false };
    matches!(
        body.kind(),
        Kind::Fst | Kind::Snd | Kind::Get | Kind::Pair | Kind::Prim(Prim::Mul | Prim::Div | Prim::Neg)
    )
}

/// The weight so far, under names of what it was before.
struct PathWeight {
    names: Vec<Term>,
    weight: Term,
}

impl PathWeight {
    /// A term that stands under the direction and doesn't mention it, under these names instead.
    fn moved(&self, term: &Term) -> Option<Term> {
        Some(term.lower(1)?.shift(self.names.len() as u32))
    }

    /// The weight of an array that has this one at an index.
    fn put(&mut self, n: &Size, index: &Term) -> Option<()> {
        if !needs_no_name(&self.weight) {
            let name = Term::var(0, self.weight.ty());
            self.names.push(std::mem::replace(&mut self.weight, name));
        }
        let key = Term::unary(Prim::ToInt, self.moved(index)?).ok()?;
        let entry = Term::pair(key, self.weight.clone()).ok()?.shift(1);
        let one = Size::literal(1);
        let entries = Term::lam(&Name::new("e"), &Type::fin(one.clone()), entry).ok()?;
        self.weight = Term::scatter(n.clone(), one, entries).ok()?;
        Some(())
    }

    /// One construct further in: what it has of the direction.
    fn inwards(&mut self, body: &Term) -> Option<Term> {
        let weight = self.weight.clone();
        match body.view() {
            View::Fst(of) | View::Snd(of) => {
                let TypeView::Pair(a, b) = of.ty().view() else { return None };
                self.weight = match body.kind() {
                    Kind::Fst => Term::pair(weight, Term::zero(b)?).ok()?,
                    _ => Term::pair(Term::zero(a)?, weight).ok()?,
                };
                Some(of.clone())
            }
            // The other half counts for nothing.
            View::Pair(a, zero) if zero.is_zero() => {
                self.weight = half(&weight, false)?;
                Some(a)
            }
            View::Pair(zero, b) if zero.is_zero() => {
                self.weight = half(&weight, true)?;
                Some(b)
            }
            View::Get(array, index) => {
                let TypeView::Array(n, _) = array.ty().view() else { return None };
                self.put(n, &index)?;
                Some(array.clone())
            }
            View::Prim(prim, operands) => {
                let (inner, weight) = match (prim, &operands[..]) {
                    (Prim::Neg, [a]) => (a, Term::unary(Prim::Neg, weight)),
                    (Prim::Div, [a, c]) => (a, Term::binary(Prim::Div, weight, self.moved(c)?)),
                    (Prim::Mul, [a, c]) if c.free_at(0).is_none() => {
                        (a, Term::binary(Prim::Mul, weight, self.moved(c)?))
                    }
                    (Prim::Mul, [c, a]) => (a, Term::binary(Prim::Mul, self.moved(c)?, weight)),
                    _ => return None,
                };
                self.weight = weight.ok()?;
                Some(inner.clone())
            }
            _ => None,
        }
    }
}

fn path(term: &Term) -> Option<Term> {
    let (_, _, body, weight) = pulled_parts(term)?;
    if matches!(body.kind(), Kind::Var) { None } else { along(body, weight) }
}

/// `pull (fun d => body) weight`, or what that is where the direction is read at one place alone.
pub(super) fn pulled(d: &Name, ty: &Type, body: Term, weight: Term) -> Option<Term> {
    along(body.clone(), weight.clone()).or_else(|| Term::pull(Term::lam(d, ty, body).ok()?, weight).ok())
}

/// Whether a weight needs no name: a name already, a part of one, or a number.
pub(super) fn needs_no_name(weight: &Term) -> bool {
    is_cheap(weight) || matches!(weight.kind(), Kind::Real(_))
}

fn along(mut body: Term, weight: Term) -> Option<Term> {
    let mut walk = PathWeight { names: Vec::new(), weight };
    while !matches!(body.view(), View::Var(0)) {
        body = walk.inwards(&body)?;
    }
    let PathWeight { names, weight } = walk;
    names.into_iter().rev().try_fold(weight, |body, value| Term::let_in(&Name::new("x"), value, body).ok())
}
