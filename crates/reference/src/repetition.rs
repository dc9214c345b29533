//! Runs sequences, repetitions and trials.

use redexter_language::ground::comparable_size;
use redexter_language::term::Term;
use redexter_rewriting::rule::{FailureCause, Pattern, Reason};
use redexter_rewriting::strategy::{Cycle, Step, Strategy, StrategyForm, Trace};

use crate::env::StrategyEnv;
use crate::loop_detector::LoopDetector;
use crate::machine::{ReferenceHalt, ReferenceMachine, ReferenceResult};

impl ReferenceMachine<'_> {
    pub(crate) fn sequence(&mut self, a: &Strategy, b: &Strategy, env: &StrategyEnv, term: &Term) -> ReferenceResult {
        let (mut waiting, mut now) = (vec![b.clone(), a.clone()], term.clone());
        while let Some(next) = waiting.pop() {
            if let StrategyForm::Seq(a, b) = next.form() {
                waiting.extend([b.clone(), a.clone()]);
                continue;
            }
            match self.go(&next, env, &now)? {
                Ok(done) => now = done,
                Err(reason) => return Ok(Err(if now == *term { reason } else { reason.behind() })),
            }
        }
        Ok(Ok(now))
    }

    pub(crate) fn repeat(&mut self, s: &Strategy, whole: &Strategy, env: &StrategyEnv, term: &Term) -> ReferenceResult {
        let mut now = term.clone();
        let mut mark = self.steps.len();
        let mut memory = LoopDetector::new(term, mark);
        while let Ok(next) = self.attempt(s, env, &now)? {
            self.goes_on(whole, &mut memory, &next, mark)?;
            mark = self.steps.len();
            now = next;
        }
        Ok(Ok(now))
    }

    /// After an iteration of a repetition. Equal terms at one place have equal futures, so that a term that comes back does
    /// so for ever. An iteration that rewrites nothing counts as an unfolding: nothing goes on for ever uncounted.
    fn goes_on(
        &mut self,
        whole: &Strategy,
        memory: &mut LoopDetector,
        now: &Term,
        mark: usize,
    ) -> Result<(), ReferenceHalt> {
        if self.forced == 0
            && let Some(start) = memory.returns(now, self.steps.len())
        {
            let depth = self.above.len();
            let inside = |step: &Step| {
                let ends = (step.redex.clone(), step.contractum.clone());
                Step::new(step.rule(), step.path().0[depth..].iter().copied(), ends, step.within())
            };
            let trace = Trace { start: now.clone(), steps: self.steps[start..].iter().map(inside).collect() };
            return Err(ReferenceHalt::Looping(Box::new(Cycle { strategy: whole.clone(), trace })));
        }
        if self.steps.len() == mark {
            self.budget.step()?;
        }
        Ok(())
    }

    pub(crate) fn until(
        &mut self,
        pattern: &Pattern,
        s: &Strategy,
        whole: &Strategy,
        env: &StrategyEnv,
        term: &Term,
    ) -> ReferenceResult {
        let mut now = term.clone();
        let mut mark = self.steps.len();
        let mut memory = LoopDetector::new(term, mark);
        while !pattern.occurs_in(&now) {
            match self.go(s, env, &now)? {
                Ok(next) => now = next,
                Err(_) => {
                    return Ok(Err(Reason::new(FailureCause::NotReached(pattern.text().into()))));
                }
            }
            self.goes_on(whole, &mut memory, &now, mark)?;
            mark = self.steps.len();
        }
        Ok(Ok(now))
    }

    /// An iteration that rewrites nothing is like all that follow, which are left out.
    pub(crate) fn exactly(&mut self, times: u64, s: &Strategy, env: &StrategyEnv, term: &Term) -> ReferenceResult {
        let mut now = term.clone();
        for _ in 0..times {
            let mark = self.steps.len();
            match self.go(s, env, &now)? {
                Ok(next) => now = next,
                failed => return Ok(failed),
            }
            if self.steps.len() == mark {
                break;
            }
        }
        Ok(Ok(now))
    }

    /// Succeeds without change, and without a step, where `s` succeeds (or fails) as `wanted`.
    pub(crate) fn test(&mut self, wanted: bool, s: &Strategy, env: &StrategyEnv, term: &Term) -> ReferenceResult {
        let mark = self.steps.len();
        let verdict = self.attempt(s, env, term)?;
        self.steps.truncate(mark);
        match verdict {
            Ok(_) if !wanted => Ok(Err(Reason::new(FailureCause::Succeeded))),
            Err(reason) if wanted => Ok(Err(reason)),
            _ => Ok(Ok(term.clone())),
        }
    }

    pub(crate) fn cheaper(&mut self, s: &Strategy, env: &StrategyEnv, term: &Term) -> ReferenceResult {
        let mark = self.steps.len();
        match self.within_limits(s, env, term)? {
            Some(next) if next == *term || !(self.work)()(term, &next, self.bounds).is_rise() => Ok(Ok(next)),
            _ => {
                self.steps.truncate(mark);
                Ok(Ok(term.clone()))
            }
        }
    }

    /// What the first strategy leads to, under `cheaper`, or the other, where that is better.
    pub(crate) fn cheapest(&mut self, s: &Strategy, t: &Strategy, env: &StrategyEnv, term: &Term) -> ReferenceResult {
        let mark = self.steps.len();
        let first = self.cheaper(s, env, term)?;
        let steps = self.steps.split_off(mark);
        let second = self.within_limits(t, env, term)?;
        let taken = (steps.len(), self.steps.len() - mark);
        let is_better =
            |first: &Term, second: &Term| (self.work)()(first, second, self.bounds).is_better(taken.0, taken.1);
        match (first, second) {
            (Ok(first), Some(second)) if is_better(&first, &second) => Ok(Ok(second)),
            (first, _) => {
                self.steps.truncate(mark);
                self.steps.extend(steps);
                Ok(first)
            }
        }
    }

    /// What a strategy leads to; none where it fails or outgrows a limit.
    fn within_limits(&mut self, s: &Strategy, env: &StrategyEnv, term: &Term) -> Result<Option<Term>, ReferenceHalt> {
        let here =
            (self.above.clone(), self.around, self.within.clone(), self.names.clone(), self.nesting, self.forced);
        let bound = comparable_size(term.size().saturating_add(self.around));
        let outside = self.most_nodes;
        self.most_nodes = outside.min(bound);
        let done = self.attempt(s, env, term);
        self.most_nodes = outside;
        match done {
            Err(ReferenceHalt::Stopped(reason)) if reason.is_outgrown() => {
                (self.above, self.around, self.within, self.names, self.nesting, self.forced) = here;
                Ok(None)
            }
            done => Ok(done?.ok()),
        }
    }
}
