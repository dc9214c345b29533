//! Solves the constraints of overloaded operators, by the types of their operands or of their result.

use super::clash::MismatchReason;
use super::operands::{self, Operator};
use super::pending::{AttemptOutcome, AttemptResult, Operand};
use super::{CheckMode, ConstraintSolver, Requirement};
use crate::check::diagnose;
use crate::check::unify::has_unknown;
use crate::ground::Span;
use crate::term::{MetaType, Prim, Size, Type, TypeView};

impl ConstraintSolver {
    /// Gives all operands, and the result, this type.
    fn all(&mut self, ty: Type, operands: &[&Operand], result: Option<(&Type, Span)>) -> AttemptResult {
        for o in operands {
            let decides = operands.iter().find(|other| other.span != o.span && self.head(&other.ty) == ty);
            let want = match decides {
                Some(other) => {
                    Requirement::at(o.span).because(other.span, MismatchReason::Typed("has type", ty.clone()))
                }
                None => Requirement::at(o.span),
            };
            self.same(&ty, &o.ty, &want)?;
        }
        if let Some((result, span)) = result {
            self.same(result, &ty, &Requirement::at(span))?;
        }
        Ok(AttemptOutcome::Done)
    }

    pub(super) fn attempt_arith(
        &mut self,
        op: Operator,
        l: &Operand,
        r: &Operand,
        result: &Type,
        force: bool,
    ) -> AttemptResult {
        let (tl, tr, to) = (self.head(&l.ty), self.head(&r.ty), self.head(result));
        let heads = [tl.view(), tr.view(), to.view()];
        if let Some(bad) = [(l, &tl), (r, &tr)].into_iter().find(|(_, t)| !is_number_type(t)) {
            return Err(operands::operand(op, bad.0.span, &self.shown(bad.1)));
        }
        if self.mixes_indices(op.prim, [l, r], [&tl, &tr], &to) {
            return self.whole(&[(l, &tl), (r, &tr)], Some((result, op.span)));
        }
        if heads[..2].iter().any(|h| matches!(h, TypeView::Fin(_))) || (force && matches!(heads[2], TypeView::Fin(_))) {
            return self.attempt_fin_sum(op, [l, r], [&tl, &tr], result, force);
        }
        if let Some(only) = self.only_number(op.prim, &heads) {
            let is_taken = |ty: &Type| matches!(ty.view(), TypeView::Unknown(_)) || takes(op.prim, ty);
            if let Some((operand, ty)) = [(l, &tl), (r, &tr)].into_iter().find(|(_, ty)| !is_taken(ty)) {
                return Err(operands::other_number(op, operand.span, &self.shown(ty)));
            }
            return self.all(only, &[l, r], Some((result, op.span)));
        }
        if !matches!(heads[2], TypeView::Unknown(_) | TypeView::Fin(_)) {
            return Err(self.no_number(op.span, &to));
        }
        if !force {
            return Ok(AttemptOutcome::Wait);
        }
        let default = self.default_number();
        self.all(default, &[l, r], Some((result, op.span)))
    }

    /// Whether these are indices, or an index and a whole number, that are computed with as whole numbers are: sums of indices,
    /// and of an index and a constant, are indices themselves.
    fn mixes_indices(&self, prim: Prim, operands: [&Operand; 2], types: [&Type; 2], result: &Type) -> bool {
        let is_fin = |ty: &Type| matches!(ty.view(), TypeView::Fin(_));
        let is_whole = |k: usize| match types[k].view() {
            TypeView::Fin(_) | TypeView::Int => true,
            TypeView::Unknown(_) => operands[k].of_numerals && (operands[k].bare.is_none() || !prim.takes_fin()),
            _ => false,
        };
        let is_sum = prim.takes_fin() && types.into_iter().all(is_fin);
        let wanted = matches!(result.view(), TypeView::Unknown(_) | TypeView::Int);
        let one = types.into_iter().any(is_fin) && is_whole(0) && is_whole(1);
        one && !is_sum && wanted && self.computes_indices(prim)
    }

    /// Whether an operator of whole numbers takes indices as such; in laws they must be written `int i`.
    fn computes_indices(&self, prim: Prim) -> bool {
        takes(prim, &Type::int()) && !matches!(self.mode, CheckMode::Rule { .. })
    }

    /// Gives all operands that aren't indices, and the result, the type of whole numbers.
    fn whole(&mut self, operands: &[(&Operand, &Type)], result: Option<(&Type, Span)>) -> AttemptResult {
        let others: Vec<&Operand> =
            operands.iter().filter(|(_, ty)| !matches!(ty.view(), TypeView::Fin(_))).map(|(o, _)| *o).collect();
        self.all(Type::int(), &others, result)
    }

    /// The type that operands and result must have, if it is known: the only one that the operator takes, or that of one of
    /// them. In laws `/` is that of reals where nothing says otherwise, since most that hold of it don't hold of integers.
    fn only_number(&self, prim: Prim, heads: &[&TypeView]) -> Option<Type> {
        match (takes(prim, &Type::real()), takes(prim, &Type::int())) {
            (true, false) => Some(Type::real()),
            (false, true) => Some(Type::int()),
            _ if heads.contains(&&TypeView::Real) => Some(Type::real()),
            _ if heads.contains(&&TypeView::Int) => Some(Type::int()),
            _ if prim == Prim::Div && matches!(self.mode, CheckMode::Rule { .. }) => Some(Type::real()),
            _ => None,
        }
    }

    /// `i + k` and `i + c` on indices.
    fn attempt_fin_sum(
        &mut self,
        op: Operator,
        operands: [&Operand; 2],
        types: [&Type; 2],
        result: &Type,
        force: bool,
    ) -> AttemptResult {
        if !op.prim.takes_fin() {
            let k = usize::from(!matches!(types[0].view(), TypeView::Fin(_)));
            return Err(operands::index_operand(op, operands[k].span, &self.shown(types[k])));
        }
        let fin = |t: &Type| match t.view() {
            TypeView::Fin(n) => Some(n.clone()),
            _ => None,
        };
        let offset = |k: usize| operands[k].bare.filter(|_| matches!(types[k].view(), TypeView::Unknown(_)));
        let (index, amount) = match (fin(types[0]), fin(types[1])) {
            (Some(n), Some(m)) => {
                let sum = n.plus(&m).ok_or_else(|| diagnose::too_large(op.span))?;
                return self.same(result, &Type::fin(sum), &Requirement::at(op.span)).map(|()| AttemptOutcome::Done);
            }
            (Some(n), None) if offset(1).is_some() => (n, 1),
            (None, Some(n)) if offset(0).is_some() => (n, 0),
            (None, None) if force && (offset(0).is_some() || offset(1).is_some()) => {
                let amount = usize::from(offset(1).is_some());
                let n = self.fresh_size();
                self.same(
                    &Type::fin(n.clone()),
                    &operands[1 - amount].ty,
                    &Requirement::at(operands[1 - amount].span),
                )?;
                (n, amount)
            }
            (Some(n), None) | (None, Some(n)) if !force => {
                let _ = n;
                return Ok(AttemptOutcome::Wait);
            }
            _ => {
                let other = usize::from(fin(types[0]).is_some());
                return Err(operands::fin_with(
                    op,
                    operands[other].span,
                    &self.shown(types[other]),
                    operands[1 - other].span,
                ));
            }
        };
        // The literal of an offset is no index; it gets the least index type that has it, since each numeral needs a type.
        let c = operands[amount].bare.unwrap_or(0);
        let dummy = Size::literal(c.saturating_add(1));
        self.same(&operands[amount].ty, &Type::fin(dummy), &Requirement::at(operands[amount].span))?;
        let sum = index.plus(&Size::literal(c)).ok_or_else(|| diagnose::too_large(op.span))?;
        self.same(result, &Type::fin(sum), &Requirement::at(op.span)).map(|()| AttemptOutcome::Done)
    }

    pub(super) fn attempt_compare(&mut self, op: Operator, l: &Operand, r: &Operand, force: bool) -> AttemptResult {
        let (tl, tr) = (self.head(&l.ty), self.head(&r.ty));
        if let Some(bad) = [(l, &tl), (r, &tr)].into_iter().find(|(_, t)| !is_number_type(t)) {
            return Err(operands::operand(op, bad.0.span, &self.shown(bad.1)));
        }
        match (tl.view(), tr.view()) {
            (TypeView::Fin(_), TypeView::Fin(_)) => Ok(AttemptOutcome::Done),
            (TypeView::Fin(n), TypeView::Unknown(_)) => self.compare_fin(n, r, force),
            (TypeView::Unknown(_), TypeView::Fin(n)) => self.compare_fin(n, l, force),
            (TypeView::Fin(_), TypeView::Int) | (TypeView::Int, TypeView::Fin(_)) if self.computes_indices(op.prim) => {
                Ok(AttemptOutcome::Done)
            }
            (TypeView::Fin(_), _) => Err(operands::fin_with(op, r.span, &self.shown(&tr), l.span)),
            (_, TypeView::Fin(_)) => Err(operands::fin_with(op, l.span, &self.shown(&tl), r.span)),
            (TypeView::Real, _) | (_, TypeView::Real) => self.all(Type::real(), &[l, r], None),
            (TypeView::Int, _) | (_, TypeView::Int) => self.all(Type::int(), &[l, r], None),
            _ if force => {
                let default = self.default_number();
                self.all(default, &[l, r], None)
            }
            _ => Ok(AttemptOutcome::Wait),
        }
    }

    /// The other side of a comparison is a `fin n`: a bare literal below n for every n is one, too.
    fn compare_fin(&mut self, n: &Size, other: &Operand, force: bool) -> AttemptResult {
        let n = self.unifier.size_now(n).map_err(|_| diagnose::too_large(other.span))?;
        if !force && (has_unknown(&n) || other.bare.is_none()) {
            return Ok(AttemptOutcome::Wait);
        }
        let size = match other.bare {
            Some(c) if has_unknown(&n) || c >= n.least(&self.bounds) => Size::literal(c.saturating_add(1)),
            _ => n,
        };
        self.same(&Type::fin(size), &other.ty, &Requirement::at(other.span)).map(|()| AttemptOutcome::Done)
    }

    pub(super) fn attempt_minus(
        &mut self,
        op: Operator,
        operand: &Operand,
        result: &Type,
        force: bool,
    ) -> AttemptResult {
        let (inner, to) = (self.head(&operand.ty), self.head(result));
        match (inner.view(), to.view()) {
            (TypeView::Real | TypeView::Int | TypeView::Unknown(_), _) if op.prim.is_rounded() => {
                self.all(Type::real(), &[operand], Some((result, op.span)))
            }
            (TypeView::Real | TypeView::Int, _) => {
                self.same(result, &inner, &Requirement::at(op.span)).map(|()| AttemptOutcome::Done)
            }
            (TypeView::Unknown(_), TypeView::Real | TypeView::Int) => {
                self.same(&to, &operand.ty, &Requirement::at(operand.span)).map(|()| AttemptOutcome::Done)
            }
            (TypeView::Unknown(_), _) if !force => Ok(AttemptOutcome::Wait),
            (TypeView::Unknown(_), _) => {
                let default = self.default_number();
                self.all(default, &[operand], Some((result, op.span)))
            }
            (TypeView::Fin(_), TypeView::Unknown(_) | TypeView::Int) if self.computes_indices(op.prim) => {
                self.whole(&[(operand, &inner)], Some((result, op.span)))
            }
            (TypeView::Fin(_), _) => Err(operands::index_operand(op, operand.span, &self.shown(&inner))),
            _ => Err(operands::operand(op, operand.span, &self.shown(&inner))),
        }
    }
}

/// Whether an operator takes these numbers.
fn takes(op: Prim, ty: &Type) -> bool {
    match ty.view() {
        TypeView::Real => op.takes(0).any(|ty| *ty == MetaType::Real),
        _ => op.on_integers().takes_int(),
    }
}

fn is_number_type(ty: &Type) -> bool {
    matches!(ty.view(), TypeView::Real | TypeView::Int | TypeView::Fin(_) | TypeView::Unknown(_))
}
