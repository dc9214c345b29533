//! Runs operations one after the other: enters each, and hands its success or failure to what waits for it.

use std::mem;

use crate::rule::{ContextUse, Focus, KidSet, Miss};
use redexter_language::ground::StopReason;
use redexter_language::term::{Kind, Path};

use super::children::{all, descend, one, only, some};
use super::code::{OpId, StrategyOp};
use super::cycle_detection::CycleDetector;
use super::failure_bit::FailureBit;
use super::footprint::{FEW_OPS, OpFootprint, fails_at_once};
use super::machine::{Engine, NESTING_FACTOR};
use super::next_action::{EngineHalt, NextAction, RewriteResult, RunStatus};
use super::repetition::Repetition;
use super::resume::resume;
use super::search::{run_search, search};
use super::stack::{Continuation, ResumeRegion, StackFrame};
use super::verdict::{fail, succeed};

/// Goes on with `next`, which is where to go on after a pause, until what waits on the stack is done.
pub(super) fn run_until_done(engine: &mut Engine, next: &mut NextAction) -> Result<RunStatus, EngineHalt> {
    let mut now = mem::replace(next, NextAction::Yes);
    loop {
        let done = match now {
            NextAction::Run(id) => {
                // Every operation asks, so that one that rewrites nothing can be interrupted, too.
                engine.budget.tick()?;
                enter(engine, id)
            }
            // The end comes before a pause, otherwise a run could pause that has nothing left to do.
            NextAction::Yes if engine.stack.is_empty() => return Ok(RunStatus::Succeeded),
            NextAction::No(_) if engine.stack.is_empty() => return Ok(RunStatus::Failed),
            NextAction::Yes | NextAction::Search(_) if engine.is_due() => {
                *next = now;
                return Ok(RunStatus::Paused);
            }
            NextAction::Yes => match engine.region() {
                // Up to the repetition nothing would happen but going up, so that its next round can go on from here.
                ResumeRegion { repeat, kid, .. } if repeat > 0 && kid > 0 => {
                    resume(engine).and_then(|found| found.map_or_else(|| succeed(engine), Ok))
                }
                _ => succeed(engine),
            },
            NextAction::Search(search) => run_search(engine, *search),
            NextAction::No(deep) => fail(engine, deep),
        };
        now = match done {
            Err(EngineHalt::Stopped(reason)) if reason.is_outgrown() => give_up(engine, reason)?,
            done => done?,
        }
    }
}

/// What outgrew a limit inside `cheaper` isn't cheaper: that one goes on with what it was given, and `cheapest` with what its
/// first strategy led to.
#[cold]
fn give_up(engine: &mut Engine, reason: StopReason) -> Result<NextAction, EngineHalt> {
    let compares = |frame: &StackFrame| matches!(frame.waiting, Continuation::Cheaper(..) | Continuation::Cheapest(..));
    if !engine.stack.iter().any(compares) {
        return Err(reason.into());
    }
    while let Some(frame) = engine.stack.pop() {
        match frame.waiting {
            Continuation::Force => engine.forced -= 1,
            Continuation::Cheaper(before, depth, names) => {
                engine.come_back(depth, names);
                engine.discard(before, Some(reason));
                break;
            }
            Continuation::Cheapest(first, depth, names) => {
                engine.come_back(depth, names);
                engine.discard(first.before.clone(), Some(reason));
                engine.take_up(*first);
                break;
            }
            _ => {}
        }
    }
    Ok(NextAction::Yes)
}

fn enter(engine: &mut Engine, id: OpId) -> Result<NextAction, EngineHalt> {
    match engine.code.op(id) {
        StrategyOp::Succeed => Ok(NextAction::Yes),
        // `OpGraph::op` compiles what is `Later`, so that none is met here.
        StrategyOp::Fail | StrategyOp::Later(_) => Ok(NextAction::No(false)),
        StrategyOp::Match(row) => {
            let (term, context) = engine.cursor.site();
            let focus = Focus::new(term, context, &engine.bounds);
            match engine.code.patterns[row].attempt(&focus) {
                Ok(()) => Ok(NextAction::Yes),
                Err(Miss::Near) => Ok(NextAction::No(false)),
                Err(Miss::Deep(below)) => Ok(NextAction::No(below != KidSet::NONE)),
                Err(Miss::Stopped(reason)) => Err(reason.into()),
            }
        }
        StrategyOp::Rules(row) => {
            // Its own `Rc`, because `rewrite` borrows the whole engine.
            let choices = engine.code.choices[row].clone();
            Ok(match engine.rewrite(&choices)? {
                RewriteResult::Rewritten => NextAction::Yes,
                RewriteResult::Missed(deep) => NextAction::No(deep != KidSet::NONE),
            })
        }
        StrategyOp::Search(row, outermost) => search(engine, id, row, outermost),
        // Counted, so that a recursion that rewrites nothing comes to the limit of steps.
        StrategyOp::Call(s) => {
            engine.budget.step()?;
            Ok(NextAction::Run(s))
        }
        StrategyOp::Seq(a, b) => engine.within(Continuation::Then(b, engine.before()), a),
        StrategyOp::Choice(a, b) => match is_hopeless(engine, a) {
            // False, since `a` fails for the constructor of the focus, which no rewrite below it changes.
            true => engine.within(Continuation::Tried(id, false), b),
            false => engine.within(Continuation::Else(id), a),
        },
        StrategyOp::One(s) => one(engine, s, 0),
        StrategyOp::All(s) => all(engine, s, 0, engine.before()),
        StrategyOp::Some(s) => some(engine, s, 0, false),
        StrategyOp::Test(wanted, s) => engine.within(Continuation::Test(wanted, engine.before()), s),
        StrategyOp::Repeat(s, whole) => {
            let repeat = repetition(engine, s, whole);
            engine.within(Continuation::Repeat(repeat), s)
        }
        StrategyOp::Times(0, _) => Ok(NextAction::Yes),
        StrategyOp::Times(n, s) => engine.within(Continuation::Times(s, n - 1, engine.before(), engine.steps.len()), s),
        StrategyOp::Until(row, whole, s) => until(engine, row, whole, s),
        StrategyOp::Cheaper(s) => {
            let waiting = Continuation::Cheaper(engine.before(), engine.cursor.depth(), engine.names.clone());
            engine.bound_growth();
            engine.within(waiting, s)
        }
        StrategyOp::Cheapest(s, t) => engine.within(Continuation::Other(t, engine.before()), s),
        StrategyOp::Force(s) => {
            engine.forced += 1;
            engine.within(Continuation::Force, s)
        }
        StrategyOp::Child(slot, s) => match engine.cursor.focus.kind().kid_at(slot, engine.cursor.focus.kid_count()) {
            Some(k) => only(engine, s, k),
            None => Ok(NextAction::No(false)),
        },
        StrategyOp::At(row, s) => match Path::parse(&engine.code.paths[row], &engine.cursor.focus) {
            Ok(path) => {
                // No bit, because `s` is tried at the end of the path only: its failure says nothing of the terms on the way.
                path.0.into_iter().try_for_each(|k| descend(engine, k as usize, s, FailureBit::NONE).map(|_| ()))?;
                Ok(NextAction::Run(s))
            }
            // The terms along a path decide whether it leads anywhere, so that a change below may make it.
            Err(_) => Ok(NextAction::No(true)),
        },
        StrategyOp::Unfold(row, s) => {
            engine.budget.step()?;
            // Where it is noted which definitions begin, this one must begin, even if it fails at once.
            if engine.unseen.is_none() && is_hopeless(engine, s) {
                return Ok(NextAction::No(false));
            }
            let inside = engine.names.inside(&engine.code.unfoldings[row]);
            let outside = mem::replace(&mut engine.names, inside);
            if let Some(unseen) = &mut engine.unseen {
                unseen.begins(engine.names.list(), engine.steps.len());
            }
            engine.within(Continuation::Unfold(outside), s)
        }
    }
}

/// Whether an operation surely fails on the focus for the constructor of that, before it uses a definition: then there is
/// no need to run it, where the stack has room for what it would have waited for.
#[inline]
fn is_hopeless(engine: &mut Engine, id: OpId) -> bool {
    let Engine { cursor, code, stack, hopeless, budget, .. } = engine;
    let term = &cursor.focus;
    // Each operation that is looked at would push one frame at most, and at most `FEW_OPS` are: with less room than that,
    // running them might end at the limit of depth instead, and must.
    let most = (budget.limits.max_depth as usize).saturating_mul(NESTING_FACTOR);
    // The memo is by constructor, which doesn't say how many children an array literal has, on which `element(k, s)` hangs.
    if stack.len() + FEW_OPS > most || matches!(term.kind(), Kind::Array(_)) {
        return false;
    }
    let fails = || fails_at_once(code, id, term, &mut { FEW_OPS });
    *hopeless.entry((id, term.number() as u8)).or_insert_with(fails)
}

fn repetition(engine: &mut Engine, body: OpId, whole: Option<usize>) -> Box<Repetition> {
    let OpFootprint { context, longest, uses, .. } = engine.footprint(body);
    // Before `turns` is read below, because nothing is counted until marks are followed.
    if context == ContextUse::Marks {
        engine.cursor.follow_marks();
    }
    Box::new(Repetition {
        body,
        // Under `force` a repetition runs until a limit, so that no loops are looked for.
        whole: whole.filter(|_| engine.forced == 0),
        rounds: CycleDetector::new(engine.cursor.shape(), engine.steps.len()),
        depth: engine.cursor.depth(),
        // Rules that see everything may answer otherwise after any change, so that each round must begin anew.
        reach: (context != ContextUse::Everything).then_some(longest),
        uses,
        turns: (context == ContextUse::Marks).then_some(engine.cursor.turns()),
    })
}

fn until(engine: &mut Engine, row: usize, whole: usize, body: OpId) -> Result<NextAction, EngineHalt> {
    if engine.code.patterns[row].occurs_in(&engine.cursor.focus) {
        return Ok(NextAction::Yes);
    }
    let repeat = repetition(engine, body, Some(whole));
    engine.within(Continuation::Until(row, engine.before(), repeat), body)
}
