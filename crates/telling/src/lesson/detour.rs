//! Finds detours: where a derivation that reaches the goal takes more steps than a solution.

use std::ops::Range;

use super::{Lesson, Solution};
use redexter_language::ground::{Budget, StopReason};
use redexter_rewriting::compare::align;
use redexter_rewriting::strategy::{Strategy, Trace};

/// Steps that a solution does with fewer.
#[derive(Clone, Debug)]
pub struct Detour {
    /// The solution that is nearest.
    pub solution: Strategy,
    /// So many steps more than it takes.
    pub extra: usize,
    /// The steps of the widest detour, counted from 0: both derivations have the term before and the term after it.
    pub steps: Range<usize>,
    /// The steps that the solution has in its place.
    pub instead: usize,
}

impl Detour {
    /// The detour by the solution that leads through the goal's term in the fewest steps more; none where a solution takes
    /// as many steps or more, or where none comes to the same term.
    pub(super) fn of(lesson: &Lesson, trace: &Trace, budget: &Budget) -> Result<Option<Detour>, StopReason> {
        let mut nearest: Option<Detour> = None;
        for Solution { strategy, trace: other } in &lesson.solutions {
            let Some(extra) = trace.steps.len().checked_sub(other.steps.len()) else { return Ok(None) };
            let pieces = align(trace, other, budget)?;
            if pieces.last().is_some_and(|piece| !piece.together) {
                continue;
            }
            if extra == 0 {
                return Ok(None);
            }
            let longer = |piece: &&redexter_rewriting::compare::AlignedSteps| {
                piece.steps[0].len().saturating_sub(piece.steps[1].len())
            };
            let widest = pieces.iter().max_by_key(longer);
            if let Some(piece) = widest.filter(|_| nearest.as_ref().is_none_or(|known| extra < known.extra)) {
                let [own, its] = &piece.steps;
                let solution = strategy.clone();
                nearest = Some(Detour { solution, extra, steps: own.clone(), instead: its.len() });
            }
        }
        Ok(nearest)
    }
}
