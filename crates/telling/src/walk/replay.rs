//! Replays a schedule from an earlier term: that grows a branch, which is compared with what was there.

use super::answer::{ReplayOutcome, ReplayedRun, WalkAnswer, WalkResult, WalkRun};
use super::control::StepGoal;
use super::history::{History, no_term};
use super::navigation::go_to;
use super::owner::WalkOwner;
use super::reached::Arrival;
use super::state::Walk;
use super::take::{begin, run};
use redexter_language::cost;
use redexter_language::ground::{Diagnostic, Trouble, code};
use redexter_rewriting::derivation::Address;
use redexter_rewriting::strategy::Strategy;

/// The strategy that ran last on the way to the current term, or else first behind it.
pub fn last_strategy(walk: &Walk) -> Result<&Strategy, Trouble> {
    let found = last_run(&walk.history).map(|(_, strategy)| strategy);
    found.ok_or_else(|| nothing_ran().into())
}

/// Runs a strategy from an earlier term: from where the last run began, unless another place is named. `whole`: on the
/// whole term, whatever is in focus there. Where it takes no step, nothing changes.
pub fn replay(
    walk: &mut Walk,
    from: Option<&Address>,
    strategy: &Strategy,
    whole: bool,
    owner: &dyn WalkOwner,
) -> WalkResult {
    let (now, end) = walk.history.here().ok_or_else(no_term)?;
    let kept = walk.clone();
    if let Some(address) = from {
        go_to(walk, address, owner)?;
    } else {
        let (first, _) = last_run(&walk.history).ok_or_else(nothing_ran)?;
        walk.history.go_to(first);
    }
    let start = walk.history.here().map_or(now, |(at, _)| at);
    let old = [now, end].into_iter().find(|at| *at != start && walk.history.way_to(*at).contains(&start));
    // The run leaves this end of the line: without a tag nothing would lead there again.
    walk.history.tag_end(old);
    let answer =
        if whole { begin(walk, strategy, StepGoal::All, owner) } else { run(walk, strategy, StepGoal::All, owner) };
    let has_arrived = match &answer {
        Ok(WalkAnswer::Run(run)) => !run.trace.steps.is_empty(),
        Ok(WalkAnswer::Stopped(stopped)) => stopped.run.is_some(),
        _ => false,
    };
    if !has_arrived {
        *walk = kept;
        return Ok(match answer? {
            WalkAnswer::Run(run) => {
                WalkAnswer::Run(WalkRun { after: walk.current()?.clone(), focus: walk.focus()?, ..run })
            }
            other => other,
        });
    }
    let new = walk.history.here().map_or(start, |(at, _)| at);
    let old = old.and_then(|old| outcome(&walk.history, start, old));
    let Some(new) = outcome(&walk.history, start, new) else { return answer };
    Ok(WalkAnswer::Replayed(ReplayedRun { from: new.from, answer: Box::new(answer?), old, new }))
}

/// The number of steps that were taken before the last run on the way to the current term, or else before the first one
/// behind it; and that run's strategy.
fn last_run(history: &History) -> Option<(usize, &Strategy)> {
    let mut taken = history.taken();
    for at in history.line[..history.current].iter().rev() {
        let state = &history.states[*at];
        let Arrival::Taken { strategy, first, .. } = &state.how else { break };
        taken -= state.steps();
        if *first {
            return Some((taken, strategy));
        }
    }
    match &history.states[*history.line.get(history.current)?].how {
        Arrival::Taken { strategy, .. } => Some((history.taken(), strategy)),
        Arrival::Given(_) => None,
    }
}

/// The outcome of the steps from one state to a later one of its derivation.
fn outcome(history: &History, start: usize, end: usize) -> Option<ReplayOutcome> {
    let way = history.way_to(end);
    let given = way.iter().rposition(|at| history.states[*at].is_given())?;
    let from = way.iter().position(|at| *at == start).filter(|from| *from >= given)?;
    let steps = |range: &[usize]| range.iter().map(|at| history.states[*at].steps()).sum();
    let program = &history.states[end].program;
    Some(ReplayOutcome {
        from: steps(&way[given..=from]),
        steps: steps(&way[from + 1..]),
        work: cost::work(&program.term).total(),
        tag: history.tags.iter().find(|(_, tagged)| **tagged == end).map(|(name, _)| name.clone()),
    })
}

fn nothing_ran() -> Diagnostic {
    Diagnostic::error(code::COMMAND, "no step was taken yet")
        .help("a line that is a strategy runs on the current term, for example `normalize(beta)`")
}
