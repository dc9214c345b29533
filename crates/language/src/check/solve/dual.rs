//! Solves the equations of D's types: D⟦α⟧ = τ determines α from τ as well as τ from α, part by part.

use super::pending::{AttemptOutcome, AttemptResult, DeferredConstraint};
use super::{ConstraintSolver, Requirement};
use crate::check::diagnose;
use crate::ground::{Diagnostic, Span, code};
use crate::term::{Type, TypeView};

/// How deep D is followed into one type of which only a part is known: a type that contains D of itself has no end.
const MAX_DEPTH: u32 = 256;

/// How often it is in all, in one inference: a type that contains D of itself twice doubles at each step.
const MAX_FOLLOWED: u32 = 5_000;

impl ConstraintSolver {
    pub(super) fn attempt_dual(&mut self, inner: &Type, outer: &Type, span: Span, depth: u32) -> AttemptResult {
        let known = self.unifier.now(inner).map_err(|_| diagnose::too_large(span))?;
        if !known.has_unknown() {
            let dual = self.duals.of(&known).map_err(|e| diagnose::ad(span, &e))?;
            return self.same(outer, &dual, &Requirement::at(span)).map(|()| AttemptOutcome::Done);
        }
        if depth > MAX_DEPTH || self.followed > MAX_FOLLOWED {
            let finding = Diagnostic::error(code::INFINITE_TYPE, "this type would have to contain itself");
            return Err(finding.at(span, "D of a type holds that type").help("write the types of the parameters"));
        }
        let target = self.head(outer);
        let shape = match (known.view(), target.view()) {
            (TypeView::Unknown(_), TypeView::Pair(x, y)) => match (self.head(x).view(), self.head(y).view()) {
                (TypeView::Unknown(_), TypeView::Unknown(_)) => return Ok(AttemptOutcome::Wait),
                (TypeView::Real, _) | (_, TypeView::Real) => Type::real(),
                _ => Type::pair(self.fresh(), self.fresh()),
            },
            (TypeView::Unknown(_), TypeView::Array(n, _)) => Type::array(n.clone(), self.fresh()),
            (TypeView::Unknown(_), TypeView::Fun(..)) => Type::fun(self.fresh(), self.fresh()),
            (TypeView::Unknown(_), TypeView::Int | TypeView::Fin(_)) => target.clone(),
            (TypeView::Unknown(_), _) => return Ok(AttemptOutcome::Wait),
            _ => known.clone(),
        };
        self.same(inner, &shape, &Requirement::at(span))?;
        self.followed += 1;
        self.dual_parts(&shape, outer, span, depth + 1)?;
        Ok(AttemptOutcome::Done)
    }

    /// D goes through the constructor of a type that is known in part.
    fn dual_parts(&mut self, shape: &Type, outer: &Type, span: Span, depth: u32) -> Result<(), Diagnostic> {
        let part = |solver: &mut Self, inner: &Type| {
            let dual = solver.fresh();
            solver.pending.push(DeferredConstraint::Dual(inner.clone(), dual.clone(), span, depth));
            dual
        };
        let dual = match shape.view() {
            TypeView::Array(n, a) => Type::array(n.clone(), part(self, a)),
            TypeView::Pair(a, b) => Type::pair(part(self, a), part(self, b)),
            TypeView::Fun(a, b) => Type::fun(part(self, a), part(self, b)),
            TypeView::Fin(_) => shape.clone(),
            _ => self.duals.of(shape).map_err(|e| diagnose::ad(span, &e))?,
        };
        self.same(outer, &dual, &Requirement::at(span))
    }
}
