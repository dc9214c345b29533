//! Profiles what trying rules costs: strategies are run again while attempts are counted and timed.

use super::answer::{FailedRun, WalkAnswer, WalkResult};
use super::history::{History, TakenRun, taken_runs};
use super::owner::WalkOwner;
use super::state::Walk;
use super::stepping::CHEAPER_MEASURE;
use redexter_language::ground::{StopReason, Trouble};
use redexter_language::term::Program;
use redexter_rewriting::strategy::{self, Execution, Outcome, Profiler, Stop, Strategy, remedy};

/// A run that is to be taken again.
struct RepeatedRun {
    strategy: Strategy,
    start: Program,
    /// The number of its steps that were taken.
    steps: usize,
    /// Whether those were all.
    is_whole: bool,
}

/// The profile of a strategy on the subterm in focus, or of the runs that led to the current term. Nothing changes.
pub fn profile(walk: &Walk, strategy: Option<&Strategy>, owner: &dyn WalkOwner) -> WalkResult {
    let start = walk.current()?.clone();
    let runs = match strategy {
        None => runs_again(walk.history()),
        Some(strategy) => {
            let strategy = walk.at_focus(strategy)?;
            strategy::check_ends(&strategy)?;
            strategy::lint(&strategy, Some(&start)).iter().for_each(|finding| owner.warn(finding));
            vec![RepeatedRun { strategy, start, steps: usize::MAX, is_whole: true }]
        }
    };
    if runs.is_empty() {
        return Ok(WalkAnswer::NoTrace);
    }
    let mut profiler = Profiler::new(owner.clock());
    for run in &runs {
        let mut execution = Execution::new(&run.strategy, &run.start, CHEAPER_MEASURE);
        profiler.begin(&run.strategy.to_string());
        execution.watch(profiler);
        let wanted = if run.is_whole { usize::MAX } else { run.steps };
        let stop = execution.advance(wanted, &owner.budget()).err();
        let steps = match (&stop, execution.outcome()) {
            (Some(stop), _) if !run.was_stopped_by(stop) => return Err(Trouble::from(&**stop)),
            (Some(stop), _) => &stop.trace.steps,
            (None, Some(Outcome::Looping(cycle))) if run.is_whole => return Err(cycle.diagnostic().into()),
            (None, Some(Outcome::Failure(reason))) => {
                let remedy = remedy(&run.strategy, &run.start, false, &owner.budget());
                return Ok(WalkAnswer::Failed(FailedRun::of(&run.strategy, reason, remedy, 0)));
            }
            _ => execution.steps(),
        };
        let steps = steps[..steps.len().min(run.steps)].to_vec();
        profiler = execution.profiler().unwrap_or_else(|| Profiler::new(owner.clock()));
        profiler.end(&steps);
    }
    Ok(WalkAnswer::Profile(profiler.found()))
}

/// The runs that led from the term that was given to the current one.
fn runs_again(history: &History) -> Vec<RepeatedRun> {
    let past = history.past();
    let given = past.iter().rposition(|state| state.is_given()).unwrap_or(0);
    let again = |run: TakenRun| RepeatedRun {
        strategy: run.strategy.clone(),
        start: run.start.clone(),
        steps: run.states.iter().map(|state| state.steps()).sum(),
        is_whole: run.states.last().is_some_and(|last| last.is_end_of_run()),
    };
    taken_runs(past.into_iter().skip(given)).into_iter().map(again).collect()
}

impl RepeatedRun {
    /// Whether a limit ended it, though not before the steps that it had taken: such a run is profiled up to there.
    fn was_stopped_by(&self, stop: &Stop) -> bool {
        !self.is_whole && stop.reason != StopReason::Interrupted && stop.trace.steps.len() >= self.steps
    }
}
