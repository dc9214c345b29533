//! Keeps the state of a run in an [`Engine`], with what every operation does: wait for another, go back, rewrite, remember a
//! failure.

use rustc_hash::FxHashMap;

use crate::rule::{ContextUse, Focus, KidSet, Miss};
use redexter_language::ground::{Budget, StopReason, comparable_size};
use redexter_language::term::{Kind, Path, Program, SizeBounds, Term};

use super::super::period::endless_round;
use super::super::profile::Profiler;
use super::super::run::{WorkTest, WorkTestFactory};
use super::super::run_notes::{DiscardedSteps, RefusedDerivative, RunNotes};
use super::super::trace::Step;
use super::choices::RuleAlternatives;
use super::code::{OpGraph, OpId};
use super::cursor::Cursor;
use super::failure_bit::FailureBit;
use super::failures::{FailureMemory, Failures};
use super::footprint::{OpFootprint, footprint, is_silent, meant, never_fails, recurs};
use super::names::EnclosingNames;
use super::next_action::{EngineHalt, NextAction, RewriteResult};
use super::stack::{Continuation, FirstOutcome, ResumeRegion, SavedState, StackFrame};
use super::without_terms::StepEmptier;

/// There is room for as many steps as the term has nodes, up to this, because growing the vector would move all of them.
const PRESIZED_STEPS: u64 = 1 << 19;

/// Whether a run goes round is asked after so many steps, and each time that these have doubled.
const ROUNDS_AFTER: usize = 256;

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
    /// The most nodes of the whole term: fewer than a run's limit while what is made is to be compared.
    pub(super) most_nodes: u64,
    /// How many `force`s stand around: what loops there runs until a limit.
    pub(super) forced: u32,
    pub(super) failures: Failures,
    pub(super) footprints: FxHashMap<OpId, OpFootprint>,
    /// Whether an operation surely fails on a term for its constructor, which has this number: a memo, because the answer hangs
    /// on nothing else.
    pub(super) hopeless: FxHashMap<(OpId, u8), bool>,
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
            most_nodes: u64::MAX,
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
            Continuation::Test(..) | Continuation::Until(..) | Continuation::Cheaper(..) => true,
            Continuation::Other(..) | Continuation::Cheapest(..) => true,
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
        SavedState {
            term: self.cursor.focus.clone(),
            steps: self.steps.len(),
            nodes: self.nodes,
            most_nodes: self.most_nodes,
        }
    }

    /// Goes back to a state in which the focus stood at the same place.
    pub(super) fn restore(&mut self, before: SavedState) {
        self.steps.truncate(before.steps);
        if let Some(hollow) = &mut self.hollow {
            hollow.keep(before.steps);
        }
        self.nodes = before.nodes;
        self.most_nodes = before.most_nodes;
        // To put back the same object would have the term around it put together again for nothing.
        if !self.cursor.focus.same(&before.term) {
            self.cursor.put_back(before.term);
        }
    }

    /// What is made from here on is compared, and given up where it grows too large for that.
    pub(super) fn bound_growth(&mut self) {
        self.most_nodes = self.most_nodes.min(comparable_size(self.nodes));
    }

    /// Goes up to the focus that stood at this depth, since a search may have been left anywhere below, among these names.
    pub(super) fn come_back(&mut self, depth: usize, names: EnclosingNames) {
        while self.cursor.depth() > depth {
            self.cursor.up();
        }
        self.names = names;
    }

    /// Puts aside what the first strategy of `cheapest` led to from this state, and goes back to that.
    pub(super) fn put_aside(&mut self, before: SavedState) -> Box<FirstOutcome> {
        let (reached, steps) = (self.before(), self.steps.split_off(before.steps));
        self.restore(before.clone());
        self.bound_growth();
        // What comes next is another schedule, of other strategies: it may have all the bits.
        self.failures.begin_anew();
        Box::new(FirstOutcome { before, reached, steps })
    }

    /// Goes on with what was put aside; the focus is the term that it began with.
    pub(super) fn take_up(&mut self, first: FirstOutcome) {
        self.steps.truncate(first.before.steps);
        self.steps.extend(first.steps);
        self.restore(first.reached);
    }

    /// Keeps the focus if it is better than what was put aside, else that, and notes the other as thrown away.
    pub(super) fn keep_cheaper(&mut self, first: FirstOutcome) {
        // One measure for the whole run, so that it can remember what it has measured.
        let change = self.measure.get_or_insert_with(self.work);
        let change = change(&first.reached.term, &self.cursor.focus, &self.bounds);
        if change.is_better(first.steps.len(), self.steps.len() - first.before.steps) {
            let after = first.before.steps;
            self.most_nodes = first.before.most_nodes;
            self.note_discard((after, &self.cursor.focus.clone()), &first.steps, &first.reached.term, None);
        } else {
            let steps = self.steps.split_off(first.before.steps);
            let reached = self.cursor.focus.clone();
            self.note_discard((first.before.steps, &first.reached.term), &steps, &reached, None);
            self.take_up(first);
        }
    }

    /// Takes back what `cheaper` threw away, and notes it; with the limit, where one ended that.
    #[cold]
    pub(super) fn discard(&mut self, before: SavedState, limit: Option<StopReason>) {
        let steps = self.steps.split_off(before.steps);
        let reached = self.cursor.focus.clone();
        self.note_discard((before.steps, &before.term), &steps, &reached, limit);
        self.restore(before);
    }

    /// Notes steps that are thrown away: after how many others they began, what they were compared with, and what they led to.
    fn note_discard(
        &mut self,
        (after, rival): (usize, &Term),
        steps: &[Step],
        reached: &Term,
        limit: Option<StopReason>,
    ) {
        let Some(unseen) = &mut self.unseen else { return };
        let (_, above) = self.cursor.site();
        unseen.discards_this(|| DiscardedSteps {
            within: self.names.list().clone(),
            way: above.iter().map(|frame| frame.term.kind().slot(frame.kid)).collect(),
            after,
            rival: rival.clone(),
            steps: steps.to_vec(),
            reached: reached.clone(),
            limit,
        });
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
        let focus =
            Focus { marks: self.cursor.marks(), budget: Some(&self.budget), ..Focus::new(term, above, &self.bounds) };
        let found = match &mut self.profiler {
            None => choices.rules.attempt(&focus),
            Some(profiler) => choices.attempt(&focus, (&self.names, self.cursor.trie()), profiler),
        };
        let (rule, contractum) = match found {
            Ok(found) => found,
            Err(Miss::Stopped(reason)) => return Err(reason.into()),
            Err(miss) => {
                if self.unseen.is_some() {
                    self.note_refusals(choices);
                }
                return Ok(RewriteResult::Missed(if let Miss::Deep(below) = miss { below } else { KidSet::NONE }));
            }
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
        if nodes > self.most_nodes {
            return Err(StopReason::Growth(self.most_nodes).into());
        }
        self.nodes = nodes;
        let turn = self.cursor.turn();
        let cause = choices.causes[rule].cause(&self.names, self.cursor.trie());
        let redex = self.cursor.set(contractum.clone());
        self.steps.push(Step { cause, turn, redex, contractum });
        let taken = self.steps.len();
        if let Some(hollow) = &mut self.hollow {
            hollow.follow(&mut self.steps, &self.stack);
        } else if taken >= ROUNDS_AFTER && taken.is_power_of_two() {
            self.budget.note_round(endless_round(&self.steps));
        }
        Ok(RewriteResult::Rewritten)
    }

    /// Notes tangents at the focus that one of these rules would transpose if they were linear.
    #[cold]
    fn note_refusals(&mut self, choices: &RuleAlternatives) {
        let Some(unseen) = self.unseen.as_mut().filter(|_| matches!(self.cursor.focus.kind(), Kind::Build(_))) else {
            return;
        };
        let focus = Focus::root(&self.cursor.focus, &self.bounds);
        let Some(within) = choices.rules.rules().iter().find_map(|rule| rule.not_linear(&focus)) else { return };
        self.cursor.mend();
        let (term, above) = self.cursor.site();
        unseen.refuses(|| RefusedDerivative {
            whole: above.first().map_or(term, |frame| &frame.term).clone(),
            at: Path(above.iter().map(|frame| frame.kid as u32).collect()),
            within,
        });
    }

    pub(super) fn footprint(&mut self, id: OpId) -> OpFootprint {
        if let Some(known) = self.footprints.get(&id) {
            return *known;
        }
        let found = footprint(&mut self.code, id);
        self.footprints.insert(id, found);
        found
    }

    /// The bit by which nodes remember this of an operation.
    #[inline]
    pub(super) fn bit(&mut self, id: OpId, memory: FailureMemory) -> FailureBit {
        self.failures.bit(id, memory).unwrap_or_else(|| self.new_bit(id, memory))
    }

    /// There are few bits: what runs on a certain child and doesn't run itself again isn't run often.
    #[cold]
    fn new_bit(&mut self, id: OpId, memory: FailureMemory) -> FailureBit {
        let meant = meant(&mut self.code, id);
        let bit = match memory {
            // A use of a definition fails where its body does, so that both share one of the few bits.
            FailureMemory::Failure if meant != id => self.bit(meant, memory),
            FailureMemory::Failure => self.give_bit(id),
            FailureMemory::Below if recurs(&mut self.code, meant) => self.bit(id, FailureMemory::Failure),
            // Uses of definitions are counted and named, so that only what has none may be passed over.
            FailureMemory::Idle if recurs(&mut self.code, id) && is_silent(&mut self.code, id) => self.give_bit(id),
            FailureMemory::Below | FailureMemory::Idle => FailureBit::NONE,
        };
        self.failures.keep(id, memory, bit)
    }

    fn give_bit(&mut self, id: OpId) -> FailureBit {
        let footprint = self.footprint(id);
        if footprint.context == ContextUse::Marks {
            // Notes about it need the signatures of places, which the marks give.
            self.cursor.follow_marks();
        }
        self.failures.give(footprint)
    }

    /// Notes that what has this bit comes to nothing on the focus.
    #[inline]
    pub(super) fn note(&mut self, bit: FailureBit) {
        let Engine { failures, cursor, .. } = self;
        failures.note(bit, cursor.focus.held(), |ordered| cursor.signature(ordered));
    }
}
