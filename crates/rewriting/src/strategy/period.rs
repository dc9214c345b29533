//! Sees in the steps of a run that ended at a limit whether the same few rules come again and again, each at the place that it
//! had a round before, or at the same distance further in. While a run goes on it is asked each time that the steps have doubled.

use super::trace::Step;
use crate::rule::Rule;
use redexter_language::ground::text::{counted, listed};

/// The longest round that is seen.
const MAX_PERIOD: usize = 16;

/// So many steps of a round are named.
const MAX_NAMED_STEPS: usize = 8;

/// A round must come again so often, and take up so many of the last steps, or three quarters of all.
const ROUNDS: usize = 4;
const SEEN_STEPS: usize = ROUNDS * MAX_PERIOD;

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

/// The steps of a round with which a run ended, and by how many nodes the term is larger after each.
pub(super) fn round(steps: &[Step]) -> Option<(&[Step], i64)> {
    let round = &steps[steps.len() - period(steps)?..];
    let grows = |step: &Step| step.contractum.size() as i64 - step.redex.size() as i64;
    Some((round, round.iter().map(grows).sum()))
}

/// A round with which a run ended that may go on for ever, in words: one that leaves no fewer nodes.
pub(super) fn endless_round(steps: &[Step]) -> Option<String> {
    round(steps).filter(|(_, growth)| *growth >= 0).map(in_words)
}

/// The rules of a round, and what it leaves.
pub(super) fn in_words((round, growth): (&[Step], i64)) -> String {
    let rules = listed(round.iter().take(MAX_NAMED_STEPS).map(Step::rule));
    let more = if round.len() > MAX_NAMED_STEPS { ", …" } else { "" };
    let change = match growth {
        0 => "each round leaves as many nodes".to_owned(),
        more => {
            let (nodes, than) =
                (counted(more.unsigned_abs() as usize, "node"), if more < 0 { "fewer" } else { "more" });
            format!("each round leaves {nodes} {than}")
        }
    };
    format!("{rules}{more}; {change}")
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
