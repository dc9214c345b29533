//! Runs operations one after the other: an `Engine` enters each, and hands its success or failure to what waits for it.

use std::mem;

use rustc_hash::FxHashMap;

use crate::rule::{ContextUse, Focus, KidSet, Miss};
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{Kind, Path, Program, SizeBounds, Term};

use super::super::cycle::Cycle;
use super::super::profile::Profiler;
use super::super::run::{WorkTest, WorkTestFactory};
use super::super::run_notes::{DiscardedSteps, RunNotes};
use super::super::trace::Step;
use super::choices::RuleAlternatives;
use super::code::{OpGraph, OpId, StrategyOp};
use super::cursor::Cursor;
use super::failure_bit::FailureBit;
use super::failures::Failures;
use super::footprint::{FEW_OPS, OpFootprint, fails_at_once, never_fails};
use super::names::EnclosingNames;
use super::search::RedexSearch;
use super::stack::{Continuation, ResumeRegion, SavedState, StackFrame};
use super::without_terms::StepEmptier;

/// Where the engine goes on.
pub(super) enum NextAction {
    Run(OpId),
    /// Goes on with a search at the focus.
    Search(Box<RedexSearch>),
    Yes,
    /// A failure; true where its reason may lie anywhere below the focus, so that after any rewrite there it is tried again.
    No(bool),
}

/// How a run has ended, or that it pauses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RunStatus {
    Succeeded,
    Failed,
    /// As many steps are settled as were asked for.
    Paused,
}

/// The reason why a run ends before the strategy does.
pub(super) enum EngineHalt {
    Stopped(StopReason),
    Looping(Box<Cycle>),
}

impl From<StopReason> for EngineHalt {
    fn from(reason: StopReason) -> EngineHalt {
        EngineHalt::Stopped(reason)
    }
}

/// The result of trying rules on a term.
pub(super) enum RewriteResult {
    Rewritten,
    /// None applied; the children below which the reason may lie at any depth.
    Missed(KidSet),
}

/// There is room for as many steps as the term has nodes, up to this, because growing the vector would move all of them.
const PRESIZED_STEPS: u64 = 1 << 19;

/// Gives back the room of steps that weren't taken, but only where that is most of it, since it takes moving the others.
pub(super) fn give_back(steps: &mut Vec<Step>) {
    if steps.len() < steps.capacity() / 4 {
        steps.shrink_to_fit();
    }
}

/// Strategies within strategies may nest so many times deeper than terms, because a traversal that does more than look for
/// a redex waits with several frames at each term on its way: with a choice and with `one`.
pub(super) const NESTING_FACTOR: usize = 4;

/// A run of a strategy: its operations, its place in the term, what waits there, and the steps so far.
pub(super) struct Engine {
    pub(super) bounds: SizeBounds,
    pub(super) budget: Budget,
    pub(super) work: WorkTestFactory,
    /// Made by `work` when `cheaper` asks first, so that other runs don't pay for it.
    pub(super) measure: Option<WorkTest>,
    pub(super) code: OpGraph,
    pub(super) cursor: Cursor,
    pub(super) stack: Vec<StackFrame>,
    pub(super) steps: Vec<Step>,
    pub(super) names: EnclosingNames,
    /// The nodes of the whole term, kept up step by step because the whole isn't put together after each.
    pub(super) nodes: u64,
    /// How many `force`s stand around: what loops there runs until a limit.
    pub(super) forced: u32,
    pub(super) failures: Failures,
    pub(super) footprints: FxHashMap<OpId, OpFootprint>,
    /// Whether an operation surely fails on a term for its constructor, which has this number: a memo, because the answer hangs
    /// on nothing else.
    hopeless: FxHashMap<(OpId, u8), bool>,
    /// Where nobody asks for the terms of its steps.
    pub(super) hollow: Option<StepEmptier>,
    /// It pauses once so many steps are settled.
    pub(super) pause: Option<usize>,
    /// Counts what is tried, where that is wanted.
    pub(super) profiler: Option<Box<Profiler>>,
    /// Notes what steps don't show, where that is wanted.
    pub(super) unseen: Option<Box<RunNotes>>,
}

impl Engine {
    pub(super) fn new(program: &Program, budget: Budget, work: WorkTestFactory) -> Engine {
        Engine {
            bounds: program.bounds.clone(),
            budget,
            work,
            measure: None,
            code: OpGraph::default(),
            cursor: Cursor::new(&program.term),
            stack: Vec::new(),
            steps: Vec::with_capacity(program.term.size().min(PRESIZED_STEPS) as usize),
            names: EnclosingNames::none(),
            nodes: program.term.size(),
            forced: 0,
            failures: Failures::new(program.term.size()),
            footprints: FxHashMap::default(),
            hopeless: FxHashMap::default(),
            hollow: None,
            pause: None,
            profiler: None,
            unseen: None,
        }
    }

    /// Gives back all but its steps and what was counted; it began with this term. The budget, the profiler and what was noted
    /// stay, because they are asked for after the end.
    pub(super) fn rest(&mut self, start: &Term) {
        self.measure = None;
        self.code = OpGraph::default();
        self.cursor = Cursor::at_rest(start);
        self.stack = Vec::new();
        give_back(&mut self.steps);
        self.names = EnclosingNames::none();
        self.failures = Failures::new(0);
        self.footprints = FxHashMap::default();
        self.hopeless = FxHashMap::default();
    }

    /// Goes on with `next`, which is where to go on after a pause, until what waits on the stack is done.
    pub(super) fn run(&mut self, next: &mut NextAction) -> Result<RunStatus, EngineHalt> {
        let mut now = mem::replace(next, NextAction::Yes);
        loop {
            now = match now {
                NextAction::Run(id) => {
                    // Every operation asks, so that one that rewrites nothing can be interrupted, too.
                    self.budget.tick()?;
                    self.enter(id)?
                }
                // The end comes before a pause, otherwise a run could pause that has nothing left to do.
                NextAction::Yes if self.stack.is_empty() => return Ok(RunStatus::Succeeded),
                NextAction::No(_) if self.stack.is_empty() => return Ok(RunStatus::Failed),
                NextAction::Yes | NextAction::Search(_) if self.is_due() => {
                    *next = now;
                    return Ok(RunStatus::Paused);
                }
                NextAction::Yes => match self.region() {
                    // Up to the repetition nothing would happen but going up, so that its next round can go on from here.
                    ResumeRegion { repeat, kid, .. } if repeat > 0 && kid > 0 => self.resume()?,
                    _ => self.succeed()?,
                },
                NextAction::Search(search) => self.run_search(*search)?,
                NextAction::No(deep) => self.fail(deep)?,
            }
        }
    }

    /// Whether to pause here: as many steps are settled as were asked for.
    #[inline]
    pub(super) fn is_due(&self) -> bool {
        self.pause.is_some_and(|wanted| self.steps.len() >= wanted) && self.is_settled()
    }

    /// Whether nothing that waits can take steps back.
    pub(super) fn is_settled(&self) -> bool {
        !self.region().doubtful
    }

    pub(super) fn region(&self) -> ResumeRegion {
        self.stack.last().map_or_else(ResumeRegion::default, |entry| entry.region)
    }

    /// Runs an operation while something waits for it.
    pub(super) fn within(&mut self, waiting: Continuation, id: OpId) -> Result<NextAction, EngineHalt> {
        // What waits stands on the engine's own stack, so that this limit, and not the native stack, ends what nests too deep.
        let limit = self.budget.limits.max_depth;
        if self.stack.len() > (limit as usize).saturating_mul(NESTING_FACTOR) {
            return Err(StopReason::Depth(limit).into());
        }
        let below = self.region();
        let mut region = waiting.region(below, self.stack.len() as u32 + 1);
        // Only a run that can pause asks, because the answer takes looking through operations.
        region.doubtful = below.doubtful || self.pause.is_some() && self.may_undo(&waiting, id);
        self.stack.push(StackFrame { waiting, region });
        Ok(NextAction::Run(id))
    }

    /// Whether what waits for this operation may take back the steps that it takes.
    fn may_undo(&mut self, waiting: &Continuation, id: OpId) -> bool {
        match waiting {
            Continuation::Test(..) | Continuation::Until(..) | Continuation::Cheaper(_) => true,
            // A first part that fails has undone its own steps; it is the second whose failure would take them back.
            Continuation::Then(later, _) => !never_fails(&mut self.code, *later),
            Continuation::Undo(_) | Continuation::All(..) | Continuation::Times(..) => !never_fails(&mut self.code, id),
            // These take nothing back, because an operation that fails has restored the focus itself.
            Continuation::Else(_)
            | Continuation::Tried(..)
            | Continuation::One(..)
            | Continuation::Only(..)
            | Continuation::Some(..) => false,
            Continuation::Repeat(_) | Continuation::Force | Continuation::Unfold(_) => false,
        }
    }

    /// The state to go back to. It costs little, since terms are shared and a number says which steps to keep.
    pub(super) fn before(&self) -> SavedState {
        SavedState { term: self.cursor.focus.clone(), steps: self.steps.len(), nodes: self.nodes }
    }

    /// Goes back to a state in which the focus stood at the same place.
    pub(super) fn restore(&mut self, before: SavedState) {
        self.steps.truncate(before.steps);
        if let Some(hollow) = &mut self.hollow {
            hollow.keep(before.steps);
        }
        self.nodes = before.nodes;
        // To put back the same object would have the term around it put together again for nothing.
        if !self.cursor.focus.same(&before.term) {
            self.cursor.put_back(before.term);
        }
    }

    /// Takes back what `cheaper` threw away, and notes it.
    #[cold]
    pub(super) fn discard(&mut self, before: SavedState) {
        if let Some(unseen) = &mut self.unseen {
            // Noted first, because `restore` drops the steps and the term that they led to.
            let (reached, above) = self.cursor.site();
            unseen.discards_this(|| DiscardedSteps {
                within: self.names.list().clone(),
                way: above.iter().map(|frame| frame.term.kind().slot(frame.kid)).collect(),
                after: before.steps,
                before: before.term.clone(),
                steps: self.steps[before.steps..].to_vec(),
                reached: reached.clone(),
            });
        }
        self.restore(before);
    }

    fn enter(&mut self, id: OpId) -> Result<NextAction, EngineHalt> {
        match self.code.op(id) {
            StrategyOp::Succeed => Ok(NextAction::Yes),
            // `OpGraph::op` compiles what is `Later`, so that none is met here.
            StrategyOp::Fail | StrategyOp::Later(_) => Ok(NextAction::No(false)),
            StrategyOp::Match(row) => {
                let (term, context) = self.cursor.site();
                let focus = Focus::new(term, context, &self.bounds);
                match self.code.patterns[row].attempt(&focus) {
                    Ok(()) => Ok(NextAction::Yes),
                    Err(Miss::Near) => Ok(NextAction::No(false)),
                    Err(Miss::Deep(below)) => Ok(NextAction::No(below != KidSet::NONE)),
                    Err(Miss::Stopped(reason)) => Err(reason.into()),
                }
            }
            StrategyOp::Rules(row) => {
                // Its own `Rc`, because `rewrite` borrows the whole engine.
                let choices = self.code.choices[row].clone();
                Ok(match self.rewrite(&choices)? {
                    RewriteResult::Rewritten => NextAction::Yes,
                    RewriteResult::Missed(deep) => NextAction::No(deep != KidSet::NONE),
                })
            }
            StrategyOp::Search(row, outermost) => self.search(id, row, outermost),
            // Counted, so that a recursion that rewrites nothing comes to the limit of steps.
            StrategyOp::Call(s) => {
                self.budget.step()?;
                Ok(NextAction::Run(s))
            }
            StrategyOp::Seq(a, b) => self.within(Continuation::Then(b, self.before()), a),
            StrategyOp::Choice(a, b) => match self.fails_at_once(a) {
                // False, since `a` fails for the constructor of the focus, which no rewrite below it changes.
                true => self.within(Continuation::Tried(id, false), b),
                false => self.within(Continuation::Else(id), a),
            },
            StrategyOp::One(s) => self.one(s, 0),
            StrategyOp::All(s) => self.all(s, 0, self.before()),
            StrategyOp::Some(s) => self.some(s, 0, false),
            StrategyOp::Test(wanted, s) => self.within(Continuation::Test(wanted, self.before()), s),
            StrategyOp::Repeat(s, whole) => {
                let repeat = self.repetition(s, whole);
                self.within(Continuation::Repeat(repeat), s)
            }
            StrategyOp::Times(0, _) => Ok(NextAction::Yes),
            StrategyOp::Times(n, s) => self.within(Continuation::Times(s, n - 1, self.before(), self.steps.len()), s),
            StrategyOp::Until(row, whole, s) => self.until(row, whole, s),
            StrategyOp::Cheaper(s) => self.within(Continuation::Cheaper(self.before()), s),
            StrategyOp::Force(s) => {
                self.forced += 1;
                self.within(Continuation::Force, s)
            }
            StrategyOp::Child(slot, s) => match self.cursor.focus.kind().kid_at(slot, self.cursor.focus.kid_count()) {
                Some(k) => self.only(s, k),
                None => Ok(NextAction::No(false)),
            },
            StrategyOp::At(row, s) => match Path::parse(&self.code.paths[row], &self.cursor.focus) {
                Ok(path) => {
                    // No bit, because `s` is tried at the end of the path only: its failure says nothing of the terms on the way.
                    path.0.into_iter().try_for_each(|k| self.descend(k as usize, s, FailureBit::NONE).map(|_| ()))?;
                    Ok(NextAction::Run(s))
                }
                // The terms along a path decide whether it leads anywhere, so that a change below may make it.
                Err(_) => Ok(NextAction::No(true)),
            },
            StrategyOp::Unfold(row, s) => {
                self.budget.step()?;
                // Where it is noted which definitions begin, this one must begin, even if it fails at once.
                if self.unseen.is_none() && self.fails_at_once(s) {
                    return Ok(NextAction::No(false));
                }
                let inside = self.names.inside(&self.code.unfoldings[row]);
                let outside = mem::replace(&mut self.names, inside);
                if let Some(unseen) = &mut self.unseen {
                    unseen.begins(self.names.list(), self.steps.len());
                }
                self.within(Continuation::Unfold(outside), s)
            }
        }
    }

    /// Whether an operation surely fails on the focus for the constructor of that, before it uses a definition: then there is
    /// no need to run it, where the stack has room for what it would have waited for.
    #[inline]
    fn fails_at_once(&mut self, id: OpId) -> bool {
        let Engine { cursor, code, stack, hopeless, budget, .. } = self;
        let term = &cursor.focus;
        // Each operation that is looked at would push one frame at most, and at most `FEW_OPS` are: with less room than that, running
        // them might end at the limit of depth instead, and must.
        let most = (budget.limits.max_depth as usize).saturating_mul(NESTING_FACTOR);
        // The memo is by constructor, which doesn't say how many children an array literal has, on which `element(k, s)` hangs.
        if stack.len() + FEW_OPS > most || matches!(term.kind(), Kind::Array(_)) {
            return false;
        }
        let fails = || fails_at_once(code, id, term, &mut { FEW_OPS });
        *hopeless.entry((id, term.number() as u8)).or_insert_with(fails)
    }

    /// Tries rules, and records the step. The constructor is asked first, because `attempt` may have to put together what
    /// stands around.
    #[inline]
    pub(super) fn rewrite(&mut self, choices: &RuleAlternatives) -> Result<RewriteResult, EngineHalt> {
        match choices.rules.footprint().may_apply_to(&self.cursor.focus) {
            true => self.attempt(choices),
            false => Ok(RewriteResult::Missed(KidSet::NONE)),
        }
    }

    #[inline(always)]
    pub(super) fn attempt(&mut self, choices: &RuleAlternatives) -> Result<RewriteResult, EngineHalt> {
        // Terms around may lack what was rewritten below them. Only rules that look at all of the context mind that: what it says
        // of variables is kept up apart, so that those that ask for no more need no term put together.
        match choices.rules.footprint().context {
            ContextUse::Nothing => {}
            ContextUse::Marks => self.cursor.follow_marks(),
            ContextUse::Everything => self.cursor.mend(),
        }
        let (term, above) = self.cursor.site();
        let focus = Focus { marks: self.cursor.marks(), ..Focus::new(term, above, &self.bounds) };
        let found = match &mut self.profiler {
            None => choices.rules.attempt(&focus),
            Some(profiler) => choices.attempt(&focus, (&self.names, self.cursor.trie()), profiler),
        };
        let (rule, contractum) = match found {
            Ok(found) => found,
            Err(Miss::Near) => return Ok(RewriteResult::Missed(KidSet::NONE)),
            Err(Miss::Deep(below)) => return Ok(RewriteResult::Missed(below)),
            Err(Miss::Stopped(reason)) => return Err(reason.into()),
        };
        debug_assert_eq!(contractum.ty(), term.ty(), "{:?} changed a type", choices.rules.rules()[rule]);
        // Sizes saturate, so that this may wrap around; then the contractum's own size, asked for below, meets the limit.
        let nodes = self.nodes.wrapping_sub(term.size()).wrapping_add(contractum.size());
        let depth = contractum.depth().saturating_add(above.len() as u32);
        if let Err(reason) = self.budget.step_to(nodes.max(contractum.size()), depth) {
            // The choice may have been gathered out of definitions: the stop must name these, too.
            self.names = self.names.inside_all(&choices.causes[rule].unfoldings);
            return Err(reason.into());
        }
        self.nodes = nodes;
        let turn = self.cursor.turn();
        let cause = choices.causes[rule].cause(&self.names, self.cursor.trie());
        let redex = self.cursor.set(contractum.clone());
        self.steps.push(Step { cause, turn, redex, contractum });
        if let Some(hollow) = &mut self.hollow {
            hollow.follow(&mut self.steps, &self.stack);
        }
        Ok(RewriteResult::Rewritten)
    }
}
