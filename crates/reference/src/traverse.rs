//! Goes from a term to its children and back.

use redexter_language::term::Term;
use redexter_rewriting::rule::{FailureCause, Frame, Reason};
use redexter_rewriting::strategy::Strategy;

use crate::env::StrategyEnv;
use crate::machine::{ReferenceMachine, ReferenceResult};

impl ReferenceMachine<'_> {
    /// On child `k`, and the term around the result.
    pub(crate) fn within_kid(&mut self, s: &Strategy, env: &StrategyEnv, term: &Term, k: usize) -> ReferenceResult {
        self.below(term, k, |machine, kid| machine.go(s, env, kid))
    }

    pub(crate) fn below(
        &mut self,
        term: &Term,
        k: usize,
        work: impl FnOnce(&mut Self, &Term) -> ReferenceResult,
    ) -> ReferenceResult {
        let kid = term.kid(k);
        self.above.push(Frame { term: term.clone(), kid: k });
        let around = self.around;
        self.around = around.saturating_add(term.size().saturating_sub(kid.size()));
        let verdict = work(self, &kid)?;
        self.above.pop();
        self.around = around;
        match verdict {
            Ok(new) => {
                let whole = term.with_kid(k, new).expect("a rewritten child has the type of the old one");
                self.measure(&whole)?;
                Ok(Ok(whole))
            }
            failed => Ok(failed),
        }
    }

    pub(crate) fn at(&mut self, path: &[u32], s: &Strategy, env: &StrategyEnv, term: &Term) -> ReferenceResult {
        let Some((k, rest)) = path.split_first() else { return self.go(s, env, term) };
        self.below(term, *k as usize, |machine, kid| machine.at(rest, s, env, kid))
    }

    pub(crate) fn one(&mut self, s: &Strategy, env: &StrategyEnv, term: &Term) -> ReferenceResult {
        let mut why: Option<Reason> = None;
        for k in 0..term.kid_count() {
            let mark = self.steps.len();
            match self.within_kid(s, env, term, k)? {
                Ok(whole) => return Ok(Ok(whole)),
                Err(reason) => {
                    self.steps.truncate(mark);
                    why = Some(match why {
                        Some(earlier) => earlier.or(reason),
                        None => reason,
                    });
                }
            }
        }
        Ok(Err(why.unwrap_or_else(|| Reason::new(FailureCause::NoChild("one")))))
    }

    pub(crate) fn all(&mut self, s: &Strategy, env: &StrategyEnv, term: &Term) -> ReferenceResult {
        let mut whole = term.clone();
        for k in 0..term.kid_count() {
            match self.within_kid(s, env, &whole, k)? {
                Ok(next) => whole = next,
                failed => return Ok(failed),
            }
        }
        Ok(Ok(whole))
    }

    pub(crate) fn some(&mut self, s: &Strategy, env: &StrategyEnv, term: &Term) -> ReferenceResult {
        let mut whole = term.clone();
        let (mut any, mut why) = (false, Reason::new(FailureCause::NoChild("some")));
        for k in 0..term.kid_count() {
            let mark = self.steps.len();
            match self.within_kid(s, env, &whole, k)? {
                Ok(next) => {
                    whole = next;
                    any = true;
                }
                Err(reason) => {
                    self.steps.truncate(mark);
                    why = why.or(reason);
                }
            }
        }
        Ok(if any { Ok(whole) } else { Err(why) })
    }
}
