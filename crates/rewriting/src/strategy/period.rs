//! Sees in the steps of a run whether the same few rules come again and again, each at the place that it had a round before, or
//! at the same distance further in; and whether the laws of these rules, one after another, lead back to what they began with.

use std::ops::Range;

use super::trace::Step;
use crate::overlap::{composed, plain};
use crate::rule::{Pattern, Rule};
use redexter_language::check::Law;
use redexter_language::term::Path;

/// The longest round that is seen.
const MAX_PERIOD: usize = 16;

/// A round must come again so often, and take up so many of the last steps, or three quarters of all.
const ROUNDS: usize = 4;
const SEEN_STEPS: usize = ROUNDS * MAX_PERIOD;

/// The sides of a round's law have so many nodes at most.
const MAX_NODES: u64 = 400;

/// The steps of a round that goes on for ever: the run ended with many of them, their rules ask for nothing but forms, and all of
/// them as one law leave a part that this law rewrites again. None where that isn't so.
pub(super) fn endless_round(steps: &[Step]) -> Option<Range<usize>> {
    let period = period(steps)?;
    let before = steps.len() - 2 * period;
    let last = &steps[before..];
    if !last.iter().all(|step| step.rule().asks_only_for_forms()) {
        return None;
    }
    // A round begins with the step around all others.
    let is_around = |first: &usize| {
        let round = &last[*first..first + period];
        round.iter().all(|step| step.path().0.starts_with(&round[0].path().0))
    };
    let first = (0..period).find(is_around)?;
    let (round, next) = (&last[first..first + period], &last[first + period]);
    let start = round[0].path().0;
    let back = Path(next.path().0.strip_prefix(&*start)?.to_vec());
    let mut whole: Option<Law> = None;
    for step in round {
        let law = step.rule().written_laws().find(|law| left_side(law).matches(&step.redex))?;
        let next = match &whole {
            None => law.clone(),
            Some(whole) => composed(whole, &Path(step.path().0.strip_prefix(&*start)?.to_vec()), law)?,
        };
        let next = plain(&next)?;
        if next.left.size().max(next.right.size()) > MAX_NODES {
            return None;
        }
        whole = Some(next);
    }
    let whole = whole?;
    let goes_on = left_side(&whole).matches(&back.find(&whole.right)?);
    goes_on.then_some(before + first..before + first + period)
}

/// A law's left side as a pattern.
fn left_side(law: &Law) -> Pattern {
    Pattern::new("", &[Law { right: law.left.clone(), ..law.clone() }])
}

/// The number of steps of a round with which the run ended, the shortest; none where it ended otherwise.
pub fn period(steps: &[Step]) -> Option<usize> {
    let places: Vec<(&Rule, Vec<u32>)> =
        steps.iter().rev().take(SEEN_STEPS + MAX_PERIOD).map(|step| (step.rule(), step.path().0)).collect();
    let seen = SEEN_STEPS.min(steps.len() - steps.len() / 4);
    (1..=MAX_PERIOD).find(|period| {
        let window = seen.max(ROUNDS * period);
        window + period <= places.len() && goes_round(&places[..window + period], *period)
    })
}

/// Whether each step has the rule of the one a period before it, further in by one piece of a path that is always the same.
fn goes_round(last: &[(&Rule, Vec<u32>)], period: usize) -> bool {
    // The newest step comes first.
    let pairs = || last.iter().zip(&last[period..]);
    if pairs().any(|(now, before)| now.0 != before.0 || now.1.len() < before.1.len()) {
        return false;
    }
    let Some(by) = pairs().map(|(now, before)| now.1.len() - before.1.len()).next() else { return false };
    // The context of a round begins where the paths first differ, which the shortest of the oldest round tells.
    let depths = 0..=last.iter().map(|(_, path)| path.len()).min().unwrap_or(0);
    depths.into_iter().any(|depth| {
        let Some(piece) = last[0].1.get(depth..depth + by) else { return false };
        let further = |now: &[u32], before: &[u32]| {
            now.len() == before.len() + by
                && now[..depth] == before[..depth]
                && now[depth..depth + by] == *piece
                && now[depth + by..] == before[depth..]
        };
        pairs().all(|(now, before)| further(&now.1, &before.1))
    })
}
