//! Settles, at the end of an inference, what was put off: by what has become known or by default.

use super::Solver;
use super::pending::{Fate, Pending};
use crate::check::diagnose;
use crate::ground::{Budget, Span, Trouble};
use crate::term::TypeView;

impl Solver {
    /// Settles what was put off: by what has become known, then by defaults, then by saying what can't be inferred.
    pub(in super::super) fn settle(&mut self, budget: &Budget) -> Result<(), Trouble> {
        self.passes(budget)?;
        self.settle_indices()?;
        self.passes(budget)?;
        // Defaults are taken one by one, since each may decide what others wait for.
        let all = std::mem::take(&mut self.pending);
        for p in all {
            budget.tick()?;
            if self.attempt(&p, false)? == Fate::Done {
                continue;
            }
            let default = match &p {
                Pending::Number(ty, ..) => matches!(self.head(ty).view(), TypeView::Unknown(_)),
                Pending::Arith(..) | Pending::Compare(..) | Pending::Minus(..) => true,
                _ => false,
            };
            if !default || self.attempt(&p, true)? == Fate::Wait {
                self.pending.push(p);
            }
        }
        self.passes(budget)?;
        for p in std::mem::take(&mut self.pending) {
            if self.attempt(&p, true)? == Fate::Wait {
                return Err(diagnose::undetermined(pending_span(&p), "a type or size").into());
            }
        }
        Ok(())
    }

    /// What stands where only an `int` or a `fin` can, such as the exponent of `pow x 2`, is no `real` by default.
    fn settle_indices(&mut self) -> Result<(), Trouble> {
        for p in std::mem::take(&mut self.pending) {
            let force = matches!(p, Pending::Index(..));
            if self.attempt(&p, force)? == Fate::Wait {
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
                if self.attempt(p, false)? == Fate::Wait {
                    self.pending.push(p.clone());
                }
            }
            all = std::mem::take(&mut self.pending);
            all.reverse();
            for p in all {
                if self.attempt(&p, false)? == Fate::Wait {
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

fn pending_span(p: &Pending) -> Span {
    match p {
        Pending::Sizes(_, _, want) => want.span,
        Pending::Dual(_, _, span, _) | Pending::Number(_, span, ..) | Pending::Bound(_, _, span, _) => *span,
        Pending::Arith(op, ..) | Pending::Compare(op, ..) | Pending::Minus(op, ..) => op.span,
        Pending::Index(_, operand) => operand.span,
    }
}
