//! Sequences, repetitions and trials: what may take steps back, and when they are settled.

use crate::rule::{Pattern, Reason, Why};
use crate::term::Term;

use super::data::Strategy;
use super::ends::never_fails;
use super::env::Env;
use super::machine::{Halt, Machine, Verdict};

impl Machine<'_> {
    pub(super) fn sequence(&mut self, a: &Strategy, b: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
        let doubtful = u32::from(self.pause != usize::MAX && !never_fails(b));
        self.doubts += doubtful;
        let first = self.go(a, env, term)?;
        self.doubts -= doubtful;
        match first {
            Ok(next) => {
                if doubtful == 0 {
                    self.settle()?;
                }
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

    /// A round that rewrites nothing counts as an unfolding: nothing goes on for ever uncounted.
    pub(super) fn repeat(&mut self, s: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
        let mut now = term.clone();
        let mut mark = self.steps.len();
        while let Ok(next) = self.attempt(s, env, &now)? {
            if self.steps.len() == mark {
                self.budget.step()?;
            }
            mark = self.steps.len();
            now = next;
            self.settle()?;
        }
        Ok(Ok(now))
    }

    pub(super) fn until(&mut self, pattern: &Pattern, s: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
        let mut now = term.clone();
        let mut mark = self.steps.len();
        self.doubts += 1;
        while !pattern.occurs_in(&now) {
            match self.go(s, env, &now)? {
                Ok(next) => now = next,
                Err(_) => {
                    self.doubts -= 1;
                    return Ok(Err(Reason::new(Why::NotReached(pattern.text().into()))));
                }
            }
            if self.steps.len() == mark {
                self.budget.step()?;
            }
            mark = self.steps.len();
        }
        self.doubts -= 1;
        Ok(Ok(now))
    }

    pub(super) fn exactly(&mut self, times: u64, s: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
        let mut now = term.clone();
        self.doubts += 1;
        for _ in 0..times {
            match self.go(s, env, &now)? {
                Ok(next) => now = next,
                failed => {
                    self.doubts -= 1;
                    return Ok(failed);
                }
            }
        }
        self.doubts -= 1;
        Ok(Ok(now))
    }

    /// Succeeds without change, and without a step, where `s` succeeds (or fails) as `wanted`.
    pub(super) fn test(&mut self, wanted: bool, s: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
        let mark = self.steps.len();
        let verdict = self.attempt(s, env, term)?;
        self.steps.truncate(mark);
        match verdict {
            Ok(_) if !wanted => Ok(Err(Reason::new(Why::Succeeded))),
            Err(reason) if wanted => Ok(Err(reason)),
            _ => Ok(Ok(term.clone())),
        }
    }

    pub(super) fn cheaper(&mut self, s: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
        let mark = self.steps.len();
        if let Ok(next) = self.attempt(s, env, term)? {
            if next == *term || (self.work)(&next, self.bounds) <= (self.work)(term, self.bounds) {
                return Ok(Ok(next));
            }
            self.steps.truncate(mark);
        }
        Ok(Ok(term.clone()))
    }
}
