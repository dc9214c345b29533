//! Solves the equations of types that follow another type: p with q in the place of each real, as the rates have of what goes
//! from p to q.

use rustc_hash::FxHashMap;

use super::pending::{AttemptOutcome, AttemptResult};
use super::{CheckMode, ConstraintSolver, Requirement};
use crate::ad::AdError;
use crate::check::diagnose;
use crate::ground::Span;
use crate::term::{Type, TypeView};

impl ConstraintSolver {
    pub(super) fn attempt_filled(&mut self, [p, q, result]: [&Type; 3], span: Span) -> AttemptResult {
        let known = self.unifier.now(p).map_err(|_| diagnose::too_large(span))?;
        if known.has_unknown() {
            return Ok(AttemptOutcome::Wait);
        }
        let filled = filled(&known, q, &mut FxHashMap::default()).map_err(|part| match part.view() {
            TypeView::Var(_) => diagnose::ad(span, &AdError::TypeVariable(part)),
            _ => diagnose::no_slope(span, &part),
        })?;
        self.same(result, &filled, &Requirement::at(span)).map(|()| AttemptOutcome::Done)
    }

    /// What a type variable of a definition stands for may be anything; that of a rule is what a term has there.
    pub(super) fn attempt_reals(&mut self, ty: &Type, span: Span, force: bool) -> AttemptResult {
        let known = self.unifier.now(ty).map_err(|_| diagnose::too_large(span))?;
        let part = filled(&known, &Type::real(), &mut FxHashMap::default()).err();
        match part.as_ref().map(Type::view) {
            None => Ok(AttemptOutcome::Done),
            Some(TypeView::Unknown(_)) if force => Ok(AttemptOutcome::Done),
            Some(TypeView::Unknown(_)) => Ok(AttemptOutcome::Wait),
            Some(TypeView::Var(_)) if !matches!(self.mode, CheckMode::Definition) => Ok(AttemptOutcome::Done),
            Some(_) => Err(diagnose::no_sum(span, &known)),
        }
    }
}

/// The type with `by` in the place of each real, or a part of it that isn't made of reals. Types share their parts: each is made
/// once.
fn filled(ty: &Type, by: &Type, done: &mut FxHashMap<u128, Type>) -> Result<Type, Type> {
    if let Some(known) = done.get(&ty.fingerprint()) {
        return Ok(known.clone());
    }
    let made = match ty.view() {
        TypeView::Real => by.clone(),
        TypeView::Array(n, a) => Type::array(n.clone(), filled(a, by, done)?),
        TypeView::Pair(a, b) => Type::pair(filled(a, by, done)?, filled(b, by, done)?),
        _ => return Err(ty.clone()),
    };
    done.insert(ty.fingerprint(), made.clone());
    Ok(made)
}
