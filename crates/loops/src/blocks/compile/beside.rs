//! Decides which loops are done in lanes though nobody says so: those whose iterations are independent.

use super::Compiler;
use crate::nest::{Differing, Iterations, Range, Stmt};

/// A loop with fewer iterations is done in lanes only if no loop is inside, since each instruction of that would work on few
/// lanes.
const FEW: i64 = 16;

impl Compiler<'_> {
    /// What differs between the iterations of a loop, if they may be done side by side.
    pub(super) fn beside(&self, range: &Range, inside: &[Stmt]) -> Option<Differing> {
        let extent = self.extent(range);
        let is_deep = inside.iter().any(|stmt| matches!(stmt, Stmt::For(..)));
        if self.differing.is_some() || (is_deep && extent.is_some_and(|extent| extent < FEW)) {
            return None;
        }
        Differing::of(range.cell, inside).filter(|_| Iterations::over(range, inside).are_independent())
    }
}
