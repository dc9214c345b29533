//! Sequences, repetitions and trials: what may take steps back, and when they are settled.

use crate::rule::{Pattern, Reason, Why};
use crate::term::Term;

use super::cycle::{Cycle, Memory};
use super::data::Strategy;
use super::ends::never_fails;
use super::env::Env;
use super::machine::{Halt, Machine, Verdict};

impl Machine<'_> {
    pub(super) fn sequence(&mut self, a: &Strategy, b: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
        match self.doubting(b, |machine| machine.go(a, env, term))? {
            Ok(next) => {
                self.settle_before(b)?;
                self.go(b, env, &next)
            }
            failed => Ok(failed),
        }
    }

    pub(super) fn settle(&self) -> Result<(), Halt> {
        if self.doubts == 0 && self.above.is_empty() && self.steps.len() >= self.pause {
            return Err(Halt::Paused);
        }
        Ok(())
    }

    pub(super) fn repeat(&mut self, s: &Strategy, whole: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
        let mut now = term.clone();
        let mut mark = self.steps.len();
        let mut memory = Memory::new(term, mark);
        while let Ok(next) = self.attempt(s, env, &now)? {
            self.settle()?;
            self.goes_on(whole, &mut memory, &next, mark)?;
            mark = self.steps.len();
            now = next;
        }
        Ok(Ok(now))
    }

    /// After a round of a repetition. Equal terms at one place have equal futures, so that a term that comes back does
    /// so for ever. A round that rewrites nothing counts as an unfolding: nothing goes on for ever uncounted.
    fn goes_on(&mut self, whole: &Strategy, memory: &mut Memory, now: &Term, mark: usize) -> Result<(), Halt> {
        if self.forced == 0
            && let Some(start) = memory.returns(now, self.steps.len())
        {
            let cycle = Cycle::new(whole, now, &self.steps[start..], self.above.len());
            return Err(Halt::Looping(Box::new(cycle)));
        }
        if self.steps.len() == mark {
            self.budget.step()?;
        }
        Ok(())
    }

    pub(super) fn until(
        &mut self,
        pattern: &Pattern,
        s: &Strategy,
        whole: &Strategy,
        env: &Env,
        term: &Term,
    ) -> Result<Verdict, Halt> {
        let mut now = term.clone();
        let mut mark = self.steps.len();
        let mut memory = Memory::new(term, mark);
        self.doubts += 1;
        while !pattern.occurs_in(&now) {
            match self.go(s, env, &now)? {
                Ok(next) => now = next,
                Err(_) => {
                    self.doubts -= 1;
                    return Ok(Err(Reason::new(Why::NotReached(pattern.text().into()))));
                }
            }
            self.goes_on(whole, &mut memory, &now, mark)?;
            mark = self.steps.len();
        }
        self.doubts -= 1;
        Ok(Ok(now))
    }

    /// A round that rewrites nothing is like all that follow, which are left out.
    pub(super) fn exactly(&mut self, times: u64, s: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
        let mut now = term.clone();
        for _ in 0..times {
            let mark = self.steps.len();
            match self.doubting(s, |machine| machine.go(s, env, &now))? {
                Ok(next) => now = next,
                failed => return Ok(failed),
            }
            if self.steps.len() == mark {
                break;
            }
            self.settle_before(s)?;
        }
        Ok(Ok(now))
    }

    /// Settles what was done if what follows, `s`, can't fail.
    fn settle_before(&self, s: &Strategy) -> Result<(), Halt> {
        if self.pause != usize::MAX && never_fails(s) { self.settle() } else { Ok(()) }
    }

    /// Succeeds without change, and without a step, where `s` succeeds (or fails) as `wanted`.
    pub(super) fn test(&mut self, wanted: bool, s: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
        let mark = self.steps.len();
        self.doubts += 1;
        let verdict = self.attempt(s, env, term)?;
        self.doubts -= 1;
        self.steps.truncate(mark);
        match verdict {
            Ok(_) if !wanted => Ok(Err(Reason::new(Why::Succeeded))),
            Err(reason) if wanted => Ok(Err(reason)),
            _ => Ok(Ok(term.clone())),
        }
    }

    pub(super) fn cheaper(&mut self, s: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
        let mark = self.steps.len();
        self.doubts += 1;
        let verdict = self.attempt(s, env, term)?;
        self.doubts -= 1;
        if let Ok(next) = verdict {
            if next == *term || (self.work)(&next, self.bounds) <= (self.work)(term, self.bounds) {
                return Ok(Ok(next));
            }
            self.steps.truncate(mark);
        }
        Ok(Ok(term.clone()))
    }
}
