//! Samples how the work went from step to step, in so many points.

use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

use super::Derivation;
use redexter_language::cost::Poly;
use redexter_language::ground::{Budget, StopReason};

/// Work over steps.
#[derive(Clone, Debug)]
pub struct WorkCurve {
    /// The work after so many steps, in order.
    pub points: Vec<(usize, Rc<Poly>)>,
    /// The stages on the way, in order, with their steps, less one: the outermost between which there is a difference.
    pub stages: Vec<(String, Range<usize>)>,
}

impl Derivation {
    /// The work before and after these steps, at the ends of the stages among them, and between these after as many steps
    /// as there are to be points, evenly. Each point counts as a step.
    pub fn curve(&self, span: &Range<usize>, points: usize, budget: &Budget) -> Result<WorkCurve, StopReason> {
        let stages = self.stages_along(span);
        let even = (0..=points).map(|k| span.start + span.len() * k / points.max(1));
        let ends = stages.iter().flat_map(|(_, steps)| [steps.start, steps.end]);
        let wanted: BTreeSet<usize> = even.chain(ends).collect();
        let point = |step: usize| {
            budget.step()?;
            Ok((step, self.work(step)))
        };
        let points = wanted.into_iter().map(point).collect::<Result<_, StopReason>>()?;
        Ok(WorkCurve { points, stages })
    }

    /// The stages in one piece among these steps: those in the innermost stage that holds all of the steps.
    fn stages_along(&self, span: &Range<usize>) -> Vec<(String, Range<usize>)> {
        let stages = self.stages();
        let holds =
            |number: &&usize| stages.stage(**number).pieces.iter().any(|p| p.start <= span.start && span.end <= p.end);
        let mut level = stages.tops();
        while let Some(inner) = level.iter().find(holds).map(|number| &stages.stage(*number).parts)
            && !inner.is_empty()
        {
            level = inner;
        }
        let within = level.iter().filter_map(|number| {
            let [piece] = &stages.stage(*number).pieces[..] else { return None };
            let steps = piece.start.max(span.start)..piece.end.min(span.end);
            (!steps.is_empty()).then(|| (stages.title(*number), steps))
        });
        within.collect()
    }
}
