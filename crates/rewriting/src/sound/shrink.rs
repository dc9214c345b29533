//! Shrinks a counterexample: less around it, smaller parts, simpler inputs.

use super::compare::{ComparisonPlan, Difference, compare};
use super::hints::Hints;
use super::inputs::simpler;
use super::runs::again;
use super::smaller::{parts, simplified};
use super::trial::{Firing, anywhere};
use crate::rule::{Exactness, Rule};
use redexter_language::ground::{Budget, StopReason, Trouble};
use redexter_language::term::Program;

/// The most smaller programs that are tried.
const MAX_TRIES: u32 = 600;

/// While one of them runs, its budget's watch may be asked so often.
const MAX_WATCH_CALLS: u64 = 400;

/// A program on which a rule goes wrong.
#[derive(Clone, Debug)]
pub(super) struct FailingCase {
    pub(super) program: Program,
    pub(super) fired: Firing,
    /// Where both sides differ; `None` if the right side is no term at all.
    pub(super) difference: Option<Box<Difference>>,
}

/// What a rule has done to a program, if that is wrong.
fn wrong(
    program: Program,
    fired: Firing,
    test: &ComparisonPlan,
    budget: &Budget,
) -> Result<Option<FailingCase>, StopReason> {
    let after = match &fired.after {
        Ok(after) => after,
        Err(_) => return Ok(Some(FailingCase { program, fired, difference: None })),
    };
    match compare(&program, after, test, budget) {
        Ok(result) => Ok(result.difference.map(|d| FailingCase { program, fired: fired.clone(), difference: Some(d) })),
        Err(Trouble::Wrong(_)) => Ok(None),
        Err(Trouble::Stopped { reason, .. }) => Err(reason),
    }
}

/// The smallest case that was found to be as wrong.
pub(super) fn shrink(rule: &Rule, case: FailingCase, seed: u64, budget: &Budget) -> Result<FailingCase, StopReason> {
    let (exactness, hints) = (rule.info().exactness, Hints::of(rule.info()));
    let mut shrinker = Shrinker { rule, exactness, hints, seed, budget, left: MAX_TRIES };
    let mut best = case;
    while let Some(smaller) = shrinker.step(&best)? {
        best = smaller;
    }
    shrinker.inputs(best)
}

struct Shrinker<'a> {
    rule: &'a Rule,
    exactness: Exactness,
    hints: Hints,
    seed: u64,
    budget: &'a Budget,
    left: u32,
}

impl Shrinker<'_> {
    /// The first candidate that is as wrong.
    fn step(&mut self, case: &FailingCase) -> Result<Option<FailingCase>, StopReason> {
        let bare = parts(&case.program, &case.fired.path);
        for (program, path) in bare.into_iter().chain(simplified(&case.program, &case.fired.path)) {
            if self.left == 0 {
                return Ok(None);
            }
            self.left -= 1;
            let Some(fired) = anywhere(self.rule, &program, &path, self.budget)? else { continue };
            let dual_runs = if case.difference.as_ref().is_some_and(|d| d.under_d) { 3 } else { 0 };
            let sizes = self.sizes(case);
            let hints = Some(&self.hints);
            let test = ComparisonPlan {
                exactness: self.exactness,
                sizes: &sizes,
                dual_runs,
                most: MAX_WATCH_CALLS,
                seed: self.seed,
                hints,
            };
            // It must be wrong in the same way, because a contractum that doesn't fit shows nothing about values that differ.
            if let Some(smaller) = wrong(program, fired, &test, self.budget)?
                && smaller.difference.is_some() == case.difference.is_some()
            {
                return Ok(Some(smaller));
            }
        }
        Ok(None)
    }

    /// Small sizes and, in turn, that of the case.
    fn sizes(&self, case: &FailingCase) -> Vec<u64> {
        let known = case.difference.iter().flat_map(|d| d.sizes.iter().map(|(_, n)| n)).max().unwrap_or(2);
        [0, 1, 2, 3].into_iter().chain((0..14).map(|k| if k % 4 == 3 { k / 2 } else { known })).collect()
    }

    /// The same programs on simpler inputs.
    fn inputs(&mut self, mut case: FailingCase) -> Result<FailingCase, StopReason> {
        let (Ok(after), Some(known)) = (case.fired.after.clone(), case.difference.take()) else { return Ok(case) };
        case.difference = Some(simplest([&case.program, &after], self.exactness, known, self.left, self.budget)?);
        Ok(case)
    }
}

/// Inputs on which two programs differ, made simpler leaf by leaf in at most so many tries.
pub fn simplest(
    [a, b]: [&Program; 2],
    exactness: Exactness,
    mut known: Box<Difference>,
    mut tries: u32,
    budget: &Budget,
) -> Result<Box<Difference>, StopReason> {
    let mut k = 0;
    'next: while k < known.inputs.len() && tries > 0 {
        for value in simpler(known.inputs[k].clone()) {
            // A try is one run of each side, which may be too short to ask.
            budget.ask()?;
            if tries == 0 {
                break 'next;
            }
            tries -= 1;
            let mut inputs = known.inputs.clone();
            inputs[k] = value;
            if let Some(found) = again(a, b, exactness, &known, inputs, budget)? {
                known = found;
                // The same input again, because its other leaves may become simpler, too.
                continue 'next;
            }
        }
        k += 1;
    }
    Ok(known)
}
