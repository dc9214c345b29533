//! Puts constraints off until types are known: overloaded operators, numerals, D's types, size equations and bounds.

use super::clash;
use super::operands::{self, Operator};
use super::{ConstraintSolver, Requirement};
use crate::check::advice::FROM_ZERO;
use crate::check::diagnose;
use crate::check::unify::has_unknown;
use crate::ground::{Diagnostic, Name, Span};
use crate::term::{Prim, Size, SizeAtom, Type, TypeView};

/// An operand of an overloaded operator.
#[derive(Clone, Debug)]
pub(in super::super) struct Operand {
    pub(in super::super) ty: Type,
    pub(in super::super) span: Span,
    /// Its value, if it is a numeral without sign or ascription.
    pub(in super::super) bare: Option<u64>,
    /// Whether it is a numeral, or arithmetic of numerals alone.
    pub(in super::super) of_numerals: bool,
}

#[derive(Clone, Debug)]
pub(in super::super) enum DeferredConstraint {
    /// The sizes must be equal.
    Sizes(Size, Size, Requirement),
    /// The second type is D of the first; D was followed so deep to it.
    Dual(Type, Type, Span, u32),
    /// The third type is the first with the second in the place of each real.
    Filled([Type; 3], Span),
    /// The type is made of reals alone.
    Reals(Type, Span),
    /// `+ - * /`
    Arith(Operator, Operand, Operand, Type),
    /// A comparison.
    Compare(Operator, Operand, Operand),
    /// Unary minus.
    Minus(Operator, Operand, Type),
    /// A numeral at this type.
    Number(Type, Span, Name, bool),
    /// The exponent of `pow`, the operand of `real` (an `int` or `fin`) or of `int` (a `fin`).
    Index(Prim, Operand),
    /// The size must be at least so much.
    Bound(Size, u64, Span, String),
}

/// The outcome of an attempt at a pending constraint.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum AttemptOutcome {
    Done,
    Wait,
}

/// The outcome, or what makes it impossible.
pub(in super::super) type AttemptResult = Result<AttemptOutcome, Diagnostic>;

impl ConstraintSolver {
    /// Tries a constraint; with `force` it takes the default where types don't decide.
    pub(in super::super) fn attempt(&mut self, p: &DeferredConstraint, force: bool) -> AttemptResult {
        match p {
            DeferredConstraint::Sizes(a, b, want) => self.attempt_sizes(a, b, want),
            DeferredConstraint::Dual(inner, outer, span, depth) => self.attempt_dual(inner, outer, *span, *depth),
            DeferredConstraint::Filled([p, q, result], span) => self.attempt_filled([p, q, result], *span),
            DeferredConstraint::Reals(ty, span) => self.attempt_reals(ty, *span, force),
            DeferredConstraint::Arith(op, l, r, result) => self.attempt_arith(*op, l, r, result, force),
            DeferredConstraint::Compare(op, l, r) => self.attempt_compare(*op, l, r, force),
            DeferredConstraint::Minus(op, operand, result) => self.attempt_minus(*op, operand, result, force),
            DeferredConstraint::Number(ty, span, text, negative) => {
                self.attempt_number(ty, *span, text, *negative, force)
            }
            DeferredConstraint::Index(op, operand) => self.attempt_index(*op, operand, force),
            DeferredConstraint::Bound(size, lower, span, what) => self.attempt_bound(size, *lower, *span, what, force),
        }
    }

    fn attempt_sizes(&mut self, a: &Size, b: &Size, want: &Requirement) -> AttemptResult {
        let mut waiting = Vec::new();
        match self.unifier.equate(a, b, &mut waiting) {
            Ok(()) if waiting.is_empty() => Ok(AttemptOutcome::Done),
            Ok(()) => Ok(AttemptOutcome::Wait),
            Err(clash) => Err(clash::sizes(&self.unifier, a, b, &clash, want)),
        }
    }

    fn attempt_number(&mut self, ty: &Type, span: Span, text: &Name, negative: bool, force: bool) -> AttemptResult {
        let ty = self.head(ty);
        let whole = text.as_str().parse::<u64>().ok();
        match (ty.view(), whole) {
            (TypeView::Real, _) => Ok(AttemptOutcome::Done),
            (TypeView::Int, Some(c)) if c <= i64::MAX as u64 + u64::from(negative) => Ok(AttemptOutcome::Done),
            (TypeView::Int, Some(_)) => {
                Err(diagnose::bad_number(span, "an `int` has 64 bits", "the largest `int` is 9223372036854775807"))
            }
            (TypeView::Fin(_), Some(_)) if negative => {
                Err(diagnose::bad_number(span, "an index is never negative", FROM_ZERO))
            }
            (TypeView::Fin(n), Some(c)) => {
                let n = self.unifier.size_now(n).map_err(|_| diagnose::too_large(span))?;
                if has_unknown(&n) && !force {
                    return Ok(AttemptOutcome::Wait);
                }
                if has_unknown(&n) {
                    return Err(diagnose::undetermined(span, "the size of this index's type"));
                }
                self.least_above(&n, c, span)
            }
            (TypeView::Unknown(_), None) => {
                self.same(&Type::real(), &ty, &Requirement::at(span)).map(|()| AttemptOutcome::Done)
            }
            (TypeView::Unknown(_), Some(_)) if !force => Ok(AttemptOutcome::Wait),
            (TypeView::Unknown(_), Some(_)) => {
                let default = self.default_number();
                self.same(&default, &ty, &Requirement::at(span)).map(|()| AttemptOutcome::Done)
            }
            _ => {
                if whole.is_none() {
                    let want = Requirement { because: self.reasons.get(&span).cloned(), ..Requirement::at(span) };
                    return self.same(&ty, &Type::real(), &want).map(|()| AttemptOutcome::Done);
                }
                Err(self.no_number(span, &ty))
            }
        }
    }

    /// The constant c of type `fin n` must be below n for every n.
    fn least_above(&mut self, n: &Size, c: u64, span: Span) -> AttemptResult {
        if c < n.least(&self.bounds) {
            return Ok(AttemptOutcome::Done);
        }
        if self.raise(n, c.saturating_add(1)) {
            return Ok(AttemptOutcome::Done);
        }
        let d = diagnose::fin_too_large(span, c, n);
        Err(self.with_reason(d, span))
    }

    /// A number where none can stand.
    pub(in super::super) fn no_number(&self, span: Span, expected: &Type) -> Diagnostic {
        self.with_reason(operands::no_number(span, &self.shown(expected)), span)
    }

    fn with_reason(&self, d: Diagnostic, span: Span) -> Diagnostic {
        match self.reasons.get(&span) {
            Some((at, reason)) => d.because(*at, reason.text(&self.unifier)),
            None => d,
        }
    }

    fn attempt_index(&mut self, op: Prim, operand: &Operand, force: bool) -> AttemptResult {
        let ty = self.head(&operand.ty);
        match (ty.view(), op) {
            (TypeView::Fin(_), _) => Ok(AttemptOutcome::Done),
            (TypeView::Int, _) if op.takes_int() => Ok(AttemptOutcome::Done),
            (TypeView::Unknown(_), _) if !force => Ok(AttemptOutcome::Wait),
            (TypeView::Unknown(_), _) if !op.takes_int() => {
                let below = operand.bare.map_or_else(|| self.fresh_size(), |c| Size::literal(c.saturating_add(1)));
                self.same(&Type::fin(below), &operand.ty, &Requirement::at(operand.span)).map(|()| AttemptOutcome::Done)
            }
            (TypeView::Unknown(_), _) => {
                self.same(&Type::int(), &operand.ty, &Requirement::at(operand.span)).map(|()| AttemptOutcome::Done)
            }
            _ => Err(operands::not_an_index(op, operand.span, &self.shown(&ty))),
        }
    }

    fn attempt_bound(&mut self, size: &Size, lower: u64, span: Span, what: &str, force: bool) -> AttemptResult {
        let n = self.unifier.size_now(size).map_err(|_| diagnose::too_large(span))?;
        if n.least(&self.bounds) >= lower {
            return Ok(AttemptOutcome::Done);
        }
        if has_unknown(&n) {
            return if force { Err(diagnose::undetermined(span, "a size")) } else { Ok(AttemptOutcome::Wait) };
        }
        if self.raise(&n, lower) { Ok(AttemptOutcome::Done) } else { Err(diagnose::below_bound(span, &n, lower, what)) }
    }

    /// Where sizes are open, raises lower bounds until `n` is at least `least`: those of all the variables of a product
    /// to 1, then that of its first. Where several choices would do, this is one of them.
    pub(in super::super) fn raise(&mut self, n: &Size, least: u64) -> bool {
        let Some((product, _)) = n.terms().find(|(m, _)| !m.is_empty()).filter(|_| self.mode.sizes_are_open()) else {
            return false;
        };
        let names: Vec<&Name> = product
            .iter()
            .filter_map(|(a, _)| match a {
                SizeAtom::Var(name) => Some(name),
                SizeAtom::Unknown(_) => None,
            })
            .collect();
        names.iter().for_each(|name| self.bounds.require(name, 1));
        let enough = |lower: u64| {
            n.value(|a| match a {
                SizeAtom::Var(name) if *name == *names[0] => lower,
                SizeAtom::Var(name) => self.bounds.lower(name),
                SizeAtom::Unknown(_) => 0,
            }) >= least
        };
        let (mut low, mut high) = (self.bounds.lower(names[0]), least.max(1));
        while low < high {
            let middle = low + (high - low) / 2;
            if enough(middle) { high = middle } else { low = middle + 1 }
        }
        self.bounds.require(names[0], low);
        true
    }
}
