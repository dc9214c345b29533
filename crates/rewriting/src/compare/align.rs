//! Aligns two derivations: finds where they have the same terms.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::term_hash::{TermHash, TermHashes};
use crate::strategy::Trace;
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::Term;

/// Steps of two derivations beside one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlignedSteps {
    /// They lead through the same terms; else they have none in common before the next such steps, which begin with one.
    pub together: bool,
    /// The steps of both, less one. Both may be empty where they are together: derivations that meet may part at once.
    pub steps: [Range<usize>; 2],
}

/// The terms of a derivation, by their prints.
pub(super) struct HashedTerms<'a> {
    trace: &'a Trace,
    /// Of the term after so many steps.
    prints: Vec<TermHash>,
    /// Terms that are known, after so many steps: the one that was asked for last, and the end.
    last: (usize, Term),
    end: Option<Term>,
    /// How many steps were taken to find terms.
    replayed: usize,
}

impl HashedTerms<'_> {
    pub(super) fn of<'a>(
        trace: &'a Trace,
        end: Option<&Term>,
        known: &mut TermHashes,
        budget: &Budget,
    ) -> Result<HashedTerms<'a>, StopReason> {
        let mut prints = vec![known.of(&trace.start)];
        for step in &trace.steps {
            budget.tick()?;
            prints.push(known.after(step, prints[prints.len() - 1]));
        }
        Ok(HashedTerms { trace, prints, last: (0, trace.start.clone()), end: end.cloned(), replayed: 0 })
    }

    /// The number of steps.
    pub(super) fn steps(&self) -> usize {
        self.prints.len() - 1
    }

    /// The whole term after so many steps; cheapest if asked for in their order, or near the end.
    pub(super) fn term(&mut self, after: usize) -> Term {
        let left = &self.trace.steps[after..];
        if let Some(end) = self.end.as_ref().filter(|_| after < self.last.0 || left.len() < after - self.last.0) {
            self.replayed += left.len();
            return left.iter().rev().fold(end.clone(), |term, step| step.undo(0, &term).unwrap_or(term));
        }
        if after < self.last.0 {
            self.last = (0, self.trace.start.clone());
        }
        let steps = &self.trace.steps[self.last.0..after];
        self.replayed += steps.len();
        let term = steps.iter().fold(self.last.1.clone(), |term, step| step.redo(&term).unwrap_or(term));
        self.last = (after, term.clone());
        term
    }

    pub(super) fn replayed(&self) -> usize {
        self.replayed
    }
}

/// Two derivations that begin with the same term, aligned: together as long as their terms are the same; where they part,
/// up to the next term that both have, which is the one that takes them the fewest steps in all, and of several the first
/// one of the first derivation; and so on to their ends.
pub fn align(first: &Trace, second: &Trace, budget: &Budget) -> Result<Vec<AlignedSteps>, StopReason> {
    let mut known = TermHashes::default();
    pieces(
        &HashedTerms::of(first, None, &mut known, budget)?,
        &HashedTerms::of(second, None, &mut known, budget)?,
        budget,
    )
}

pub(super) fn pieces(
    first: &HashedTerms,
    second: &HashedTerms,
    budget: &Budget,
) -> Result<Vec<AlignedSteps>, StopReason> {
    let (a, b) = (&first.prints, &second.prints);
    let mut positions: FxHashMap<TermHash, Vec<usize>> = FxHashMap::default();
    for (j, print) in b.iter().enumerate() {
        positions.entry(*print).or_default().push(j);
    }
    let in_both = |(i, print)| positions.get(print).map(|found| (i, found));
    let shared: Vec<(usize, &Vec<usize>)> = a.iter().enumerate().filter_map(in_both).collect();
    let (mut all, mut here) = (Vec::new(), [0, 0]);
    loop {
        let [i, j] = here;
        let common = a[i..].iter().zip(&b[j..]).take_while(|(a, b)| a == b).count();
        let parting = [i + common.max(1) - 1, j + common.max(1) - 1];
        all.push(AlignedSteps { together: true, steps: [i..parting[0], j..parting[1]] });
        let ends = [a.len() - 1, b.len() - 1];
        if parting == ends {
            return Ok(all);
        }
        here = meeting(&shared, parting, budget)?.unwrap_or(ends);
        all.push(AlignedSteps { together: false, steps: [parting[0]..here[0], parting[1]..here[1]] });
        if a[here[0]] != b[here[1]] {
            return Ok(all);
        }
    }
}

/// The next terms that are the same, after so many steps of both.
fn meeting(
    shared: &[(usize, &Vec<usize>)],
    [i, j]: [usize; 2],
    budget: &Budget,
) -> Result<Option<[usize; 2]>, StopReason> {
    let mut best: Option<(usize, [usize; 2])> = None;
    for (k, found) in &shared[shared.partition_point(|(k, _)| *k < i)..] {
        budget.tick()?;
        // From here on the first derivation alone takes as many steps, so that no term is nearer.
        if best.is_some_and(|(steps, _)| k - i >= steps) {
            break;
        }
        // They are at one term now, so that at least one of them must go on from it.
        let least = if *k == i { j + 1 } else { j };
        let Some(other) = found.get(found.partition_point(|other| *other < least)) else { continue };
        let steps = k - i + other - j;
        if best.is_none_or(|(least, _)| steps < least) {
            best = Some((steps, [*k, *other]));
        }
    }
    Ok(best.map(|(_, found)| found))
}
