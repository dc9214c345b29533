//! Decides which loops are done in lanes though nobody says so: those whose iterations are independent.

use super::BlockCompiler;
use crate::nest::{Divergence, Iterations, LoopRange, Stmt};

/// A loop with fewer iterations is done in lanes only if no loop is inside, since each instruction of that would work on few
/// lanes.
const MIN_LANE_ITERATIONS: i64 = 16;

impl BlockCompiler<'_> {
    /// What differs between the iterations of a loop, if they may be done side by side.
    pub(super) fn beside(&self, range: &LoopRange, inside: &[Stmt]) -> Option<Divergence> {
        let extent = self.extent(range);
        let is_deep = inside.iter().any(|stmt| matches!(stmt, Stmt::For(..)));
        if self.differing.is_some() || (is_deep && extent.is_some_and(|extent| extent < MIN_LANE_ITERATIONS)) {
            return None;
        }
        Divergence::of(range.cell, inside).filter(|_| Iterations::over(range, inside).are_independent())
    }
}
