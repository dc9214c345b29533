//! Settles, at the end of an inference, what was put off: by what has become known or by default.

use super::ConstraintSolver;
use super::pending::{AttemptOutcome, DeferredConstraint};
use crate::check::diagnose;
use crate::ground::{Budget, Span, Trouble};
use crate::term::TypeView;

impl ConstraintSolver {
    /// Settles what was put off: by what has become known, then by defaults, then by saying what can't be inferred.
    pub(in super::super) fn settle(&mut self, budget: &Budget) -> Result<(), Trouble> {
        self.passes(budget)?;
        self.settle_indices()?;
        self.passes(budget)?;
        // Defaults are taken one by one, since each may decide what others wait for.
        let all = std::mem::take(&mut self.pending);
        for p in all {
            budget.tick()?;
            if self.attempt(&p, false)? == AttemptOutcome::Done {
                continue;
            }
            let default = match &p {
                DeferredConstraint::Number(ty, ..) => matches!(self.head(ty).view(), TypeView::Unknown(_)),
                DeferredConstraint::Arith(..) | DeferredConstraint::Compare(..) | DeferredConstraint::Minus(..) => true,
                _ => false,
            };
            if !default || self.attempt(&p, true)? == AttemptOutcome::Wait {
                self.pending.push(p);
            }
        }
        self.passes(budget)?;
        for p in std::mem::take(&mut self.pending) {
            if self.attempt(&p, true)? == AttemptOutcome::Wait {
                let found = match &p {
                    DeferredConstraint::Sizes(..) => diagnose::undetermined_sizes(pending_span(&p)),
                    _ => diagnose::undetermined(pending_span(&p), "a type or size"),
                };
                return Err(found.into());
            }
        }
        Ok(())
    }

    /// What stands where only an `int` or a `fin` can, such as the exponent of `pow x 2`, is no `real` by default.
    fn settle_indices(&mut self) -> Result<(), Trouble> {
        for p in std::mem::take(&mut self.pending) {
            let force = matches!(p, DeferredConstraint::Index(..));
            if self.attempt(&p, force)? == AttemptOutcome::Wait {
                self.pending.push(p);
            }
        }
        Ok(())
    }

    /// Goes over what is pending, forwards and backwards in turn, until a pass changes nothing.
    fn passes(&mut self, budget: &Budget) -> Result<(), Trouble> {
        loop {
            let before = (self.unifier.progress, self.pending.len());
            let mut all = std::mem::take(&mut self.pending);
            for p in &all {
                budget.tick()?;
                if self.attempt(p, false)? == AttemptOutcome::Wait {
                    self.pending.push(p.clone());
                }
            }
            all = std::mem::take(&mut self.pending);
            all.reverse();
            for p in all {
                if self.attempt(&p, false)? == AttemptOutcome::Wait {
                    self.pending.push(p);
                }
            }
            self.pending.reverse();
            if before == (self.unifier.progress, self.pending.len()) {
                return Ok(());
            }
        }
    }
}

fn pending_span(p: &DeferredConstraint) -> Span {
    match p {
        DeferredConstraint::Sizes(_, _, want) => want.span,
        DeferredConstraint::Dual(_, _, span, _)
        | DeferredConstraint::Filled(_, span)
        | DeferredConstraint::Reals(_, span)
        | DeferredConstraint::Number(_, span, ..)
        | DeferredConstraint::Bound(_, _, span, _) => *span,
        DeferredConstraint::Arith(op, ..) | DeferredConstraint::Compare(op, ..) | DeferredConstraint::Minus(op, ..) => {
            op.span
        }
        DeferredConstraint::Index(_, operand) => operand.span,
    }
}
