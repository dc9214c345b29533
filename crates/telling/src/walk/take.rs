//! Takes steps, of a strategy or one that was listed: along the line of the history as far as it knows them, then beyond its end.
//! Takes them back, too.

use std::rc::Rc;

use super::answer::{FailedRun, RunRemainder, StoppedRun, WalkAnswer, WalkResult, WalkRun};
use super::control::{StepControl, StepGoal};
use super::history::History;
use super::owner::WalkOwner;
use super::reached::{Arrival, HistoryState};
use super::runs::{ended_with, ended_without_steps};
use super::state::{Walk, placed};
use super::stepping::{CHEAPER_MEASURE, PendingRun, RunEnd, TakenSteps};
use super::subterm::FocusedSubterm;
use super::tracked::TrackedPath;
use redexter_language::ground::{Diagnostic, Trouble, code};
use redexter_language::term::Program;
use redexter_rewriting::strategy::{Stop, Strategy, Trace, remedy};
use redexter_rewriting::why::{self, PastRunEnd};

/// The most runs with more to do that keep their engine, to go on from where they are. An older one begins anew, up to there,
/// when it goes on.
const MAX_AWAKE_RUNS: usize = 8;

/// Takes steps of a strategy on the subterm in focus; what is left of it is pending.
pub fn run(walk: &mut Walk, strategy: &Strategy, goal: StepGoal, owner: &dyn WalkOwner) -> WalkResult {
    let strategy = walk.at_focus(strategy)?;
    begin(walk, &strategy, goal, owner)
}

/// Takes steps of a strategy on the whole term.
pub fn begin(walk: &mut Walk, strategy: &Strategy, goal: StepGoal, owner: &dyn WalkOwner) -> WalkResult {
    let pending = PendingRun::begin(strategy, walk.current()?, owner)?;
    take(walk, pending, goal, false, owner)
}

/// Takes the rewrite with this number in the last list.
pub fn take_possible(walk: &mut Walk, number: usize, owner: &dyn WalkOwner) -> WalkResult {
    let now = &walk.current()?.term;
    let wrong = |text: String| Diagnostic::error(code::COMMAND, text);
    let Some(found) = walk.possible.clone() else {
        let none = wrong("nothing was listed yet".to_owned());
        return Err(none.help("`:possible` lists the rewrites that are possible, with their numbers").into());
    };
    if found.program.term != *now {
        let other = wrong("the last list is of another term than the current one".to_owned());
        return Err(other.help("`:possible` lists what is possible now").into());
    }
    let Some(choice) = number.checked_sub(1).and_then(|k| found.choices.get(k)) else {
        let none = wrong(format!("the last list has no number {number}"));
        return Err(none
            .help(match found.choices.len() {
                0 => "nothing is possible there".to_owned(),
                1 => "its only number is 1".to_owned(),
                count => format!("its numbers are 1..{count}"),
            })
            .into());
    };
    let strategy = placed(&Strategy::rule(&choice.redex.rule), &choice.redex.path, now);
    begin(walk, &strategy, StepGoal::All, owner)
}

/// Goes on with what is pending.
pub fn go_on(walk: &mut Walk, goal: StepGoal, owner: &dyn WalkOwner) -> WalkResult {
    let now = walk.current()?;
    if let Some(pending) = walk.history.going_on() {
        return take(walk, pending, goal, true, owner);
    }
    match &walk.last {
        Some(last) if last.rest == RunRemainder::None && last.after == *now => {
            Ok(WalkAnswer::Finished { strategy: last.strategy.clone(), taken: last.taken() })
        }
        Some(last) if last.rest == RunRemainder::Unknown && last.after == *now => {
            let again = format!("a limit ended `{}`: run it again to go on from here", last.strategy);
            Err(nothing_pending().help(again).into())
        }
        _ => Err(nothing_pending().into()),
    }
}

/// Takes steps and makes the term after them current. Where that fails, nothing changes.
fn take(walk: &mut Walk, mut pending: PendingRun, goal: StepGoal, goes_on: bool, owner: &dyn WalkOwner) -> WalkResult {
    let before = walk.current()?.clone();
    let (strategy, earlier) = (pending.strategy(), pending.taken);
    let (name, last, at) = (strategy.to_string(), pending.last(), walk.history.taken());
    (walk.ended, walk.stray) = (None, None);
    let mut control = StepControl::new(goal, &walk.breakpoints, &name, last.as_ref(), (&before.term, at), goes_on);
    let taken = match pending.take(&mut control, &before, owner) {
        Ok(taken) => taken,
        Err(RunEnd::Looping(finding)) => return Err(finding.into()),
        Err(RunEnd::Unknown(reason)) => {
            let trouble = Trouble::Stopped { reason, help: Vec::new() };
            return Ok(WalkAnswer::Stopped(StoppedRun { trouble: trouble.help("the term is as it was"), run: None }));
        }
        Err(RunEnd::Stopped(stop)) => {
            let answer = stopped(walk, &stop, &pending, before);
            let within = stop.within.clone();
            ended_with(walk, &pending, PastRunEnd::Stopped { reason: stop.reason.clone(), within });
            return Ok(answer);
        }
        Err(RunEnd::Failed(reason)) => {
            if earlier == 0 {
                ended_with(walk, &pending, PastRunEnd::Failed);
            }
            let at_focus = !walk.history.focus().0.is_empty();
            let remedy = remedy(&strategy, &before, at_focus, &owner.budget());
            return Ok(WalkAnswer::Failed(FailedRun::of(&strategy, &reason, remedy, earlier)));
        }
    };
    let rest = if taken.more { RunRemainder::Pending } else { RunRemainder::None };
    let halt = control.halt;
    keep_awake(&mut walk.awake, &pending);
    let mut run = WalkRun { halt, ..run_of(&walk.history, &strategy, before, &taken, earlier, rest) };
    if !taken.trace.steps.is_empty() {
        if earlier == 0 && rest == RunRemainder::None {
            let (by, start) = (pending.strategy(), pending.program());
            run.transposition =
                why::transposition(&by, &start, &run.after, &taken.trace.steps, &owner.budget()).map(Box::new);
        }
        run.focus = arrive(walk, taken, (&pending, earlier), Some(pending.clone()), true)?;
    } else {
        run.focus = walk.focus()?;
        if !taken.more && goes_on {
            walk.history.drop_pending();
        } else if earlier == 0 {
            if !taken.more {
                run.discarded = ended_without_steps(walk, &pending, owner);
            }
            walk.history.begin(pending);
        }
    }
    walk.last = Some(run.clone());
    Ok(WalkAnswer::Run(run))
}

/// A limit ended a strategy: the term so far becomes the current one, unless that makes it worse.
fn stopped(walk: &mut Walk, stop: &Stop, pending: &PendingRun, before: Program) -> WalkAnswer {
    let (strategy, earlier) = (pending.strategy(), pending.taken);
    let trouble = Trouble::from(stop);
    let Some(taken) = pending.beyond(stop, &before) else {
        return WalkAnswer::Stopped(StoppedRun { trouble: trouble.help("the term is as it was"), run: None });
    };
    let mut run = run_of(&walk.history, &strategy, before.clone(), &taken, earlier, RunRemainder::Unknown);
    walk.last = Some(run.clone());
    walk.stray = Some(run.clone());
    // The measure says whether the second term costs more.
    if CHEAPER_MEASURE()(&before.term, &taken.after.term, &before.bounds).is_rise() {
        let kept = "the term is as it was: the term so far takes more work; `:trace` shows the steps to it";
        return WalkAnswer::Stopped(StoppedRun { trouble: trouble.help(kept), run: None });
    }
    let is_settled = pending.is_settled(earlier + taken.trace.steps.len());
    match arrive(walk, taken, (pending, earlier), None, is_settled) {
        Ok(focus) => run.focus = focus,
        Err(trouble) => return WalkAnswer::Stopped(StoppedRun { trouble, run: None }),
    }
    let so_far = "the current term is the one so far, not in normal form; `:undo` takes it back";
    WalkAnswer::Stopped(StoppedRun { trouble: trouble.help(so_far), run: Some(run) })
}

/// Makes the term after these steps of a run current: along the line as far as they are on it, then behind it. `left`
/// is what remains of the run, of which `earlier` were taken before. The focus follows its subterm; where it is then.
fn arrive(
    walk: &mut Walk,
    taken: TakenSteps,
    (run, earlier): (&PendingRun, usize),
    left: Option<PendingRun>,
    is_settled: bool,
) -> Result<Option<Box<FocusedSubterm>>, Trouble> {
    walk.stray = None;
    let count = taken.trace.steps.len();
    let focus = TrackedPath::at(&walk.history.focus()).after(&taken.trace.steps);
    let known = walk.history.follow(run, count);
    if known < count {
        let trace = match known {
            0 => taken.trace,
            _ => Rc::new(Trace { start: walk.current()?.term.clone(), steps: taken.trace.steps[known..].to_vec() }),
        };
        // A run that a limit ended leaves nothing to go on with, and yet its steps aren't its last ones.
        let (first, last) = (earlier + known == 0, left.is_some() && !taken.more);
        let how = Arrival::Taken { strategy: run.strategy(), first, last };
        walk.history.push(HistoryState { is_settled, ..HistoryState::new(taken.after, how, Some(trace), left) });
    }
    walk.history.set_focus(focus.path);
    Ok(walk.focus()?.map(|now| Box::new(FocusedSubterm { lost: focus.lost, ..*now })))
}

/// A run that goes on keeps its engine; of the runs that were gone on with before only some do.
fn keep_awake(awake: &mut Vec<PendingRun>, run: &PendingRun) {
    awake.retain(|other| !other.is_of(run));
    if !run.is_done() {
        awake.push(run.clone());
    }
    if awake.len() > MAX_AWAKE_RUNS {
        awake.remove(0).rest();
    }
}

fn run_of(
    history: &History,
    strategy: &Strategy,
    before: Program,
    taken: &TakenSteps,
    earlier: usize,
    rest: RunRemainder,
) -> WalkRun {
    let (strategy, trace, after) = (strategy.to_string(), taken.trace.clone(), taken.after.clone());
    WalkRun {
        strategy,
        before,
        trace,
        first: history.taken() + 1,
        earlier,
        rest,
        after,
        discarded: None,
        transposition: None,
        halt: None,
        focus: None,
    }
}

/// Drops the pending rewrites.
pub fn stop(history: &mut History) -> WalkResult {
    let pending = history.drop_pending().ok_or_else(nothing_pending)?;
    Ok(WalkAnswer::Dropped { strategy: pending.strategy().to_string(), taken: pending.taken })
}

/// Takes back so many changes, or does them again.
pub fn travel(walk: &mut Walk, count: usize, back: bool) -> WalkResult {
    let before = walk.history.taken();
    let count = if back { walk.history.undo(count) } else { walk.history.redo(count) };
    let steps = before.abs_diff(walk.history.taken());
    if count > 0 {
        walk.stray = None;
    }
    match (count, walk.history.current()) {
        (0, _) | (_, None) => Ok(WalkAnswer::NowhereToMove { back }),
        (count, Some(state)) => {
            let (now, pending) = (state.program.clone(), state.pending().is_some());
            Ok(WalkAnswer::Moved { count, steps, back, now, focus: walk.focus()?, pending })
        }
    }
}

fn nothing_pending() -> Diagnostic {
    Diagnostic::error(code::COMMAND, "no strategy is pending")
        .help("begin with `:step STRATEGY`, for example `:step normalize(getBuild <+ letSubstN(1))`")
}
