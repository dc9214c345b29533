//! Tells of the runs that led to the current term, and of the one that ended last without leading anywhere.

use std::rc::Rc;

use super::history::{History, TakenRun, taken_runs};
use super::owner::WalkOwner;
use super::state::Walk;
use super::stepping::PendingRun;
use redexter_language::ground::Trouble;
use redexter_language::term::Program;
use redexter_rewriting::derivation::Derivation;
use redexter_rewriting::strategy::{Strategy, Trace};
use redexter_rewriting::why::{self, DiscardReport, PastRun, PastRunEnd};

/// A derivation that is asked about, the runs that it is by, and the number of its steps that lead to the current term.
pub(crate) struct AskedDerivation {
    pub(crate) derivation: Rc<Derivation>,
    pub(crate) runs: Vec<PastRun>,
    pub(crate) now: usize,
}

/// The derivation that is asked about: the one on which the current term lies, or that of a run that left it.
pub(crate) fn known(walk: &Walk) -> Result<AskedDerivation, Trouble> {
    let ended = walk.ended.as_ref().filter(|(_, state)| *state == walk.history.number()).map(|(ran, _)| ran);
    let (derivation, place) = walk.told()?;
    if walk.stray.is_some() {
        let span = 0..derivation.steps().len();
        let runs = ended.map(|ran| PastRun { span, ..ran.clone() }).into_iter().collect();
        return Ok(AskedDerivation { derivation, runs, now: 0 });
    }
    let now = place.step;
    let mut runs = runs(&walk.history);
    if let Some(ran) = ended {
        match runs
            .last_mut()
            .filter(|last| last.span.end == now && last.strategy == ran.strategy && last.start == ran.start)
        {
            Some(last) => last.end = ran.end.clone(),
            None => runs.push(PastRun { span: now..now, ..ran.clone() }),
        }
    }
    Ok(AskedDerivation { derivation, runs, now })
}

/// The term that the current one was derived from, with the strategy and the steps that led from it to the current one.
pub fn led(walk: &Walk) -> Result<(Program, Strategy, Trace), Trouble> {
    let (derivation, place) = walk.told()?;
    let runs = runs(&walk.history);
    let first = runs.first().map_or_else(|| walk.current().cloned(), |run| Ok(run.start.clone()))?;
    let taken = runs.iter().filter(|run| run.span.start < place.step).map(|run| run.strategy.clone());
    let strategy = taken.reduce(|all, next| all.then(&next)).unwrap_or_else(Strategy::id);
    Ok((first, strategy, derivation.trace(0..place.step)))
}

/// The runs on the line, in order.
fn runs(history: &History) -> Vec<PastRun> {
    let mut taken = 0;
    let run = |run: TakenRun| {
        let from = taken;
        taken += run.states.iter().map(|state| state.steps()).sum::<usize>();
        let is_pending = run.states.last().is_some_and(|last| !last.is_end_of_run() && last.pending().is_some());
        let end = if is_pending { PastRunEnd::Pending } else { PastRunEnd::Done };
        PastRun { strategy: run.strategy.clone(), start: run.start.clone(), span: from..taken, end }
    };
    taken_runs(history.derived()).into_iter().map(run).collect()
}

/// A run that ended without a step: it is remembered, and so is what `cheaper` threw away first in it.
pub fn ended_without_steps(
    walk: &mut Walk,
    pending: &PendingRun,
    owner: &dyn WalkOwner,
) -> Option<Box<(DiscardReport, usize)>> {
    let (strategy, start) = (pending.strategy(), pending.program());
    let discarded = why::without_steps(&strategy, &start, &owner.budget());
    walk.ended = Some((PastRun { strategy, start, span: 0..0, end: PastRunEnd::Done }, walk.history.number()));
    discarded.map(Box::new)
}

/// A limit ended a run, or it failed: that is remembered.
pub fn ended_with(walk: &mut Walk, pending: &PendingRun, end: PastRunEnd) {
    let ran = PastRun { strategy: pending.strategy(), start: pending.program(), span: 0..0, end };
    walk.ended = Some((ran, walk.history.number()));
}
