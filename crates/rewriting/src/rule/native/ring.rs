//! Flattens sums and products of reals, and sorts the operands of what commutes, so that terms compare up to order and grouping.

use rustc_hash::FxHashMap;

use super::fold_parts::SumParts;
use crate::rule::footprint::HeadFilter;
use redexter_language::term::{Head, Kind, Prim, PrimClass, Term, TypeView, View};

/// The most operands that are taken apart: more stay grouped, since a shared term may stand there exponentially often.
pub(super) const MAX_OPERANDS: usize = 2_000;

/// The operands of nested `+`, `-` and unary `-`, left to right; the flag says that one is subtracted.
pub(super) fn addends(term: &Term) -> Vec<(bool, Term)> {
    let mut all = Vec::new();
    let mut waiting = vec![(false, term.clone())];
    while let Some((minus, next)) = waiting.pop() {
        match next.kind() {
            _ if all.len() + waiting.len() >= MAX_OPERANDS => all.push((minus, next)),
            Kind::Prim(Prim::Add) if is_number(&next) => {
                waiting.push((minus, next.kid(1)));
                waiting.push((minus, next.kid(0)));
            }
            Kind::Prim(Prim::Sub) => {
                waiting.push((!minus, next.kid(1)));
                waiting.push((minus, next.kid(0)));
            }
            Kind::Prim(Prim::Neg) => waiting.push((!minus, next.kid(0))),
            _ => all.push((minus, next)),
        }
    }
    all
}

pub(super) fn is_real(term: &Term) -> bool {
    *term.ty().view() == TypeView::Real
}

pub(super) fn is_sum(term: &Term) -> bool {
    matches!(term.kind(), Kind::Prim(Prim::Add | Prim::Sub))
}

/// The constructors that add or subtract.
pub(super) const SUM_HEADS: HeadFilter = HeadFilter::Of(&[Head::Prim(Prim::Add), Head::Prim(Prim::Sub)]);

/// Real or integer: an index plus an index is another matter.
fn is_number(term: &Term) -> bool {
    matches!(term.ty().view(), TypeView::Real | TypeView::Int)
}

/// The sum of these, from the left.
pub(super) fn total(addends: Vec<(bool, Term)>) -> Option<Term> {
    let mut sum: Option<Term> = None;
    for (minus, next) in addends {
        sum = Some(match (sum, minus) {
            (None, false) => next,
            (None, true) => negated(next)?,
            (Some(sum), false) => Term::prim(Prim::Add, vec![sum, next]).ok()?,
            (Some(sum), true) => Term::prim(Prim::Sub, vec![sum, next]).ok()?,
        });
    }
    sum
}

/// The term with the other sign: of a number the number, so that what folds constants finds nothing left to do.
fn negated(term: Term) -> Option<Term> {
    match term.kind() {
        Kind::Real(x) => Some(Term::real(-x)),
        Kind::Int(x) => Some(Term::int(x.wrapping_neg())),
        _ => Term::prim(Prim::Neg, vec![term]).ok(),
    }
}

/// These from the left, if there is one.
fn joined(prim: Prim, terms: impl IntoIterator<Item = Term>) -> Option<Option<Term>> {
    terms.into_iter().map(Some).reduce(|a, b| Term::prim(prim, vec![a?, b?]).ok())
}

/// A product of reals: a number, factors and divisors.
#[derive(Clone)]
pub(super) struct Product {
    pub(super) number: f64,
    pub(super) factors: Vec<Term>,
    pub(super) divisors: Vec<Term>,
}

impl Product {
    /// The product 1.
    pub(super) fn one() -> Product {
        Product { number: 1.0, factors: Vec::new(), divisors: Vec::new() }
    }

    /// A real term as a product, whatever its grouping.
    pub(super) fn of(term: &Term) -> Product {
        let mut all = Product::one();
        let mut waiting = vec![(false, term.clone())];
        while let Some((below, next)) = waiting.pop() {
            match next.kind() {
                Kind::Prim(Prim::Mul | Prim::Div | Prim::Neg)
                    if all.factors.len() + all.divisors.len() + waiting.len() >= MAX_OPERANDS =>
                {
                    if below { &mut all.divisors } else { &mut all.factors }.push(next);
                }
                Kind::Prim(Prim::Mul) => {
                    waiting.push((below, next.kid(1)));
                    waiting.push((below, next.kid(0)));
                }
                Kind::Prim(Prim::Div) => {
                    waiting.push((!below, next.kid(1)));
                    waiting.push((below, next.kid(0)));
                }
                Kind::Prim(Prim::Neg) => {
                    all.number = -all.number;
                    waiting.push((below, next.kid(0)));
                }
                Kind::Real(x) if below && *x != 0.0 => all.number /= x,
                Kind::Real(x) if !below => all.number *= x,
                _ if below => all.divisors.push(next),
                _ => all.factors.push(next),
            }
        }
        all
    }

    /// The same with the numbers pulled out of sums and choices.
    pub(super) fn pulled(term: &Term) -> Product {
        let mut all = Product::of(term);
        for factor in &mut all.factors {
            if let Some((number, rest)) = without_number(factor) {
                all.number *= number;
                *factor = rest;
            }
        }
        all
    }

    /// As a term: the number first, what is divided by last.
    pub(super) fn term(self) -> Option<Term> {
        let Product { number, factors, divisors } = self;
        // Without its sign, which the whole is given in the end; 1 is left out unless nothing else stands above the divisors.
        let shown = (number != 1.0 && number != -1.0 || factors.is_empty()).then(|| Term::real(number.abs()));
        let above = joined(Prim::Mul, shown.into_iter().chain(factors))??;
        let product = match joined(Prim::Mul, divisors) {
            Some(below) => Term::prim(Prim::Div, vec![above, below?]).ok()?,
            None => above,
        };
        if number.is_sign_negative() { negated(product) } else { Some(product) }
    }
}

/// A sum or a choice with 0 whose inner product has a number: that, and the rest.
fn without_number(term: &Term) -> Option<(f64, Term)> {
    let split = |inner: &Term| {
        let mut product = Product::pulled(inner);
        let number = std::mem::replace(&mut product.number, 1.0);
        // Where a number is all there is it stays inside, because there would be no factor left to add up.
        (number != 1.0 && !product.factors.is_empty()).then(|| Some((number, product.term()?)))?
    };
    if let Some(sum) = SumParts::of(term).filter(|_| *term.ty().view() == TypeView::Real) {
        let (number, body) = split(&sum.body)?;
        return Some((number, SumParts { body, ..sum }.term()?));
    }
    match term.view() {
        View::If(c, then, other) if is_zero(&other) => {
            let (number, then) = split(&then)?;
            Some((number, Term::if_else(c, then, other).ok()?))
        }
        _ => None,
    }
}

/// Where a term stands among the operands of what commutes, much the same wherever it is bound.
pub(super) fn rank(term: &Term) -> (u64, u128, Vec<u32>) {
    (term.size(), term.fingerprint(), term.free().map(|(i, _)| i).collect())
}

/// The constant 0 that sums start from.
pub(super) fn is_zero(term: &Term) -> bool {
    match term.kind() {
        // By bits, because -0 is another start: a sum of -0 from there stays -0.
        Kind::Real(x) => x.to_bits() == 0,
        Kind::Int(0) => true,
        _ => false,
    }
}

/// Terms with the operands of `+`, `*`, `=`, `!=`, `&&` and `||` in an order of their own: equal, if they are equal up
/// to that order and grouping.
#[derive(Default)]
pub(super) struct OperandSorter {
    memo: FxHashMap<Term, Term>,
}

impl OperandSorter {
    pub(super) fn term(&mut self, term: &Term) -> Term {
        if term.kid_count() == 0 {
            return term.clone();
        }
        if let Some(done) = self.memo.get(term) {
            return done.clone();
        }
        let done = match term.kind() {
            Kind::Prim(prim @ (Prim::Add | Prim::Mul | Prim::And | Prim::Or | Prim::Eq | Prim::Ne)) => {
                self.operands(*prim, term)
            }
            _ => term.with_kids(term.kids().iter().map(|kid| self.term(kid)).collect()).ok(),
        }
        .unwrap_or_else(|| term.clone());
        self.memo.insert(term.clone(), done.clone());
        done
    }

    fn operands(&mut self, prim: Prim, term: &Term) -> Option<Term> {
        // Only `+` and `*` of numbers are regrouped: `(a = b) = c` compares a truth with c.
        let nests = is_number(term) && prim.class() == PrimClass::Arithmetic;
        let mut flat = Vec::new();
        let mut waiting = vec![term.kid(1), term.kid(0)];
        while let Some(next) = waiting.pop() {
            match next.kind() {
                _ if flat.len() + waiting.len() >= MAX_OPERANDS => flat.push(self.term(&next)),
                Kind::Prim(p) if nests && *p == prim => waiting.extend([next.kid(1), next.kid(0)]),
                _ => flat.push(self.term(&next)),
            }
        }
        flat.sort_by_cached_key(|t| (t.fingerprint(), t.free().map(|(i, _)| i).collect::<Vec<u32>>()));
        joined(prim, flat)?
    }
}
