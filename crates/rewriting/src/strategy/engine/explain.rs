//! Explains why a strategy fails, after it has: it walks over what the strategy tries, each part once; what can't fail is run
//! again.
//!
//! Of several failures the one that came furthest tells most: [`Reason::or`] and [`Reason::or_below`] say which.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::rule::{ContextUse, FailureCause, Focus, Reason, Rule};
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{Path, Term};

use super::super::data::{Strategy, StrategyForm};
use super::super::unary::Unary;
use super::code::OpId;
use super::machine::{Engine, NESTING_FACTOR};
use super::next_action::{EngineHalt, NextAction, RunStatus};
use super::operations::run_until_done;

/// Why the strategy fails on the focus, with nothing waiting.
pub(super) fn explain(engine: &mut Engine, strategy: &Strategy) -> Result<Reason, StopReason> {
    // Otherwise what is run again could pause, which would look like a failure.
    engine.pause = None;
    let budget = engine.budget.fresh();
    let found = FailureWalk { engine, budget, known: FxHashMap::default(), nesting: 0 }.why(strategy, &[])?;
    Ok(found.unwrap_or_else(|| Reason::native("it did not fail again")))
}

/// A walk over a strategy for the reason of its failure.
struct FailureWalk<'a> {
    engine: &'a mut Engine,
    /// Of the walk alone: what is run again has the budget of a run each time, as it kept within that before.
    budget: Budget,
    /// Failures of strategies that look at nothing but the term.
    known: FxHashMap<(OpId, Term), Reason>,
    nesting: usize,
}

/// The reason, with the focus as it was; or none, with the focus as the strategy makes it.
type FoundReason = Result<Option<Reason>, StopReason>;

fn fails(why: FailureCause) -> FoundReason {
    Ok(Some(Reason::new(why)))
}

impl FailureWalk<'_> {
    /// Why a strategy, whose variables stand for these operations, fails on the focus.
    fn why(&mut self, s: &Strategy, env: &[OpId]) -> FoundReason {
        // The walk recurs natively, so that its depth must have a limit.
        let limit = self.budget.limits.max_depth;
        if self.nesting > (limit as usize).saturating_mul(NESTING_FACTOR) {
            return Err(StopReason::Depth(limit));
        }
        self.budget.tick()?;
        let key = self.key(s, env);
        if let Some(known) = key.as_ref().and_then(|key| self.known.get(key)) {
            return Ok(Some(known.clone()));
        }
        self.nesting += 1;
        let found = self.form(s, env)?;
        self.nesting -= 1;
        if let (Some(key), Some(reason)) = (key, &found) {
            self.known.insert(key, reason.clone());
        }
        Ok(found)
    }

    /// Under what a failure on the focus is remembered.
    fn key(&mut self, s: &Strategy, env: &[OpId]) -> Option<(OpId, Term)> {
        if matches!(
            s.form(),
            StrategyForm::Id
                | StrategyForm::Fail
                | StrategyForm::Free(_)
                | StrategyForm::Rule(_)
                | StrategyForm::Match(_)
                | StrategyForm::Seq(..)
                | StrategyForm::Choice(..)
        ) {
            return None;
        }
        let id = self.engine.code.id(s, env);
        // What sees more than the term may fail for another reason elsewhere, so that its failure isn't remembered.
        let alone = self.engine.footprint(id).context == ContextUse::Nothing;
        alone.then(|| (id, self.engine.cursor.focus.clone()))
    }

    fn form(&mut self, s: &Strategy, env: &[OpId]) -> FoundReason {
        match s.form() {
            StrategyForm::Id => Ok(None),
            StrategyForm::Fail | StrategyForm::Free(_) => fails(FailureCause::Fail),
            StrategyForm::Rule(rule) => self.rule(rule, s, env),
            StrategyForm::Match(pattern) => {
                let (term, context) = self.engine.cursor.site();
                Ok(pattern.test(&Focus::new(term, context, &self.engine.bounds)).err())
            }
            StrategyForm::Seq(..) => self.sequence(s, env),
            StrategyForm::Choice(a, b) => {
                let Some(first) = self.why(a, env)? else { return Ok(None) };
                Ok(self.why(b, env)?.map(|second| first.or(second)))
            }
            StrategyForm::Cheapest(..) => self.rerun(s, env),
            StrategyForm::Mu(_, body) => {
                let own = self.engine.code.id(s, env);
                let inner: Vec<OpId> = [own].iter().chain(env).copied().collect();
                self.why(body, &inner)
            }
            StrategyForm::Var(i) => {
                self.budget.step()?;
                let bound = env.get(*i as usize).and_then(|id| self.engine.code.source(*id));
                bound.map_or_else(|| fails(FailureCause::Fail), |(s, env)| self.why(&s, &env))
            }
            StrategyForm::Unary(unary, inner) => self.unary(*unary, inner, s, env),
            StrategyForm::Child(slot, inner) => {
                let focus = &self.engine.cursor.focus;
                match focus.kind().kid_at(*slot, focus.kid_count()) {
                    Some(k) => self.below(k, |e| e.why(inner, env)),
                    None => fails(FailureCause::NoSlot(*slot)),
                }
            }
            StrategyForm::At(text, inner) => match Path::parse(text, &self.engine.cursor.focus) {
                Ok(path) => self.at(&path.0, inner, env),
                Err(stop) => fails(FailureCause::NoPath(text.clone(), stop.into())),
            },
            StrategyForm::AtMatch(..) => s.definition().map_or(Ok(None), |meaning| self.why(&meaning, env)),
            StrategyForm::RepeatN(n, inner) => self.restoring(|e| e.each(0..*n, |e, _| e.why(inner, env))),
            StrategyForm::RepeatUntil(pattern, _) => match self.succeeds(s, env)? {
                true => Ok(None),
                false => fails(FailureCause::NotReached(pattern.text().into())),
            },
            StrategyForm::Named(named) => {
                self.budget.step()?;
                match self.engine.code.body(named, env) {
                    Some((body, inner)) => self.why(&body, &inner),
                    None => fails(FailureCause::Fail),
                }
            }
        }
    }

    fn unary(&mut self, unary: Unary, s: &Strategy, whole: &Strategy, env: &[OpId]) -> FoundReason {
        match unary {
            Unary::One => self.one(unary, s, env),
            // One success tells that it can't fail, but it must rewrite all children that it can: that one is taken back.
            Unary::Some => match self.undone(|e| e.one(unary, s, env))? {
                None => self.rerun(whole, env),
                failed => Ok(failed),
            },
            Unary::All => self.restoring(|e| e.all(s, env)),
            Unary::Not => match self.undone(|e| e.succeeds(s, env))? {
                true => fails(FailureCause::Succeeded),
                false => Ok(None),
            },
            Unary::Where => self.undone(|e| e.why(s, env)),
            Unary::Repeat1 => match self.why(s, env)? {
                None => self.rerun(&s.under(Unary::Repeat), env),
                failed => Ok(failed),
            },
            Unary::TopDown => {
                let Some(here) = self.why(s, env)? else { return Ok(None) };
                Ok(self.one(Unary::One, whole, env)?.map(|below| here.or_below(below)))
            }
            Unary::BottomUp => {
                let Some(below) = self.one(Unary::One, whole, env)? else { return Ok(None) };
                Ok(self.why(s, env)?.map(|here| here.or_below(below)))
            }
            Unary::AllTopDown => self.restoring(|e| match e.why(s, env)? {
                None => e.all(whole, env),
                failed => Ok(failed),
            }),
            Unary::AllBottomUp => self.restoring(|e| match e.all(whole, env)? {
                None => e.why(s, env),
                failed => Ok(failed),
            }),
            Unary::Force => {
                self.engine.forced += 1;
                let found = self.why(s, env);
                self.engine.forced -= 1;
                found
            }
            Unary::Exactly | Unary::InReals => {
                let before = std::mem::replace(&mut self.engine.code.exact, unary == Unary::Exactly);
                let found = self.why(s, env);
                self.engine.code.exact = before;
                found
            }
            Unary::Repeat | Unary::Try | Unary::TryAll | Unary::Cheaper => self.rerun(whole, env),
            Unary::Normalize | Unary::Outermost | Unary::Innermost => self.rerun(whole, env),
        }
    }

    fn rule(&mut self, rule: &Rule, s: &Strategy, env: &[OpId]) -> FoundReason {
        if let Some(refusal) = rule.refusal_of_bits().filter(|_| self.engine.code.exact) {
            return Ok(Some(refusal));
        }
        // The rule sees all that stands around, so that this must be current.
        self.engine.cursor.mend();
        let (term, above) = self.engine.cursor.site();
        let focus = Focus { budget: Some(&self.engine.budget), ..Focus::new(term, above, &self.engine.bounds) };
        match rule.apply(&focus) {
            // Taken by the engine, so that the focus becomes what the rest of the strategy was tried on.
            Ok(_) => self.rerun(s, env),
            Err(reason) => reason.stopped().cloned().map_or(Ok(Some(reason)), Err),
        }
    }

    /// `a ; b ; c`, however it is grouped.
    fn sequence(&mut self, s: &Strategy, env: &[OpId]) -> FoundReason {
        self.restoring(|e| {
            let start = e.engine.cursor.focus.clone();
            let mut waiting = vec![s];
            while let Some(next) = waiting.pop() {
                match next.form() {
                    StrategyForm::Seq(a, b) => waiting.extend([b, a]),
                    _ => match e.why(next, env)? {
                        None => {}
                        Some(reason) if e.engine.cursor.focus == start => return Ok(Some(reason)),
                        Some(reason) => return Ok(Some(reason.behind())),
                    },
                }
            }
            Ok(None)
        })
    }

    /// The first child on which a strategy succeeds, or why it fails on all.
    fn one(&mut self, combinator: Unary, s: &Strategy, env: &[OpId]) -> FoundReason {
        let mut found = Reason::new(FailureCause::NoChild(combinator.text()));
        for k in 0..self.engine.cursor.focus.kid_count() {
            let Some(reason) = self.below(k, |e| e.why(s, env))? else { return Ok(None) };
            found = found.or(reason);
        }
        Ok(Some(found))
    }

    /// Every child; the first failure.
    fn all(&mut self, s: &Strategy, env: &[OpId]) -> FoundReason {
        let count = self.engine.cursor.focus.kid_count();
        self.each(0..count as u64, |e, k| e.below(k as usize, |e| e.why(s, env)))
    }

    fn each(&mut self, all: Range<u64>, why: impl Fn(&mut Self, u64) -> FoundReason) -> FoundReason {
        for k in all {
            match why(self, k)? {
                None => {}
                failed => return Ok(failed),
            }
        }
        Ok(None)
    }

    fn at(&mut self, path: &[u32], s: &Strategy, env: &[OpId]) -> FoundReason {
        match path.split_first() {
            Some((k, rest)) => self.below(*k as usize, |e| e.at(rest, s, env)),
            None => self.why(s, env),
        }
    }

    /// Runs what succeeds; the only reason for its failure is that a repetition came back to a term that it had.
    fn rerun(&mut self, s: &Strategy, env: &[OpId]) -> FoundReason {
        Ok(if self.succeeds(s, env)? { None } else { Some(Reason::native("it did not fail again")) })
    }

    /// Runs a strategy on the focus; whether it succeeds.
    fn succeeds(&mut self, s: &Strategy, env: &[OpId]) -> Result<bool, StopReason> {
        let id = self.engine.code.id(s, env);
        self.engine.budget = self.budget.fresh();
        match run_until_done(self.engine, &mut NextAction::Run(id)) {
            Ok(ran) => Ok(ran == RunStatus::Succeeded),
            Err(EngineHalt::Looping(_)) => Ok(false),
            Err(EngineHalt::Stopped(reason)) => Err(reason),
        }
    }

    fn below<T>(&mut self, k: usize, work: impl FnOnce(&mut Self) -> Result<T, StopReason>) -> Result<T, StopReason> {
        // No place of the stack is meant, because nothing waits there: the walk knows its own way back.
        self.engine.cursor.down(k, 0);
        let found = work(self)?;
        self.engine.cursor.up();
        Ok(found)
    }

    /// Does work after whose failure the focus is as it was.
    fn restoring(&mut self, work: impl FnOnce(&mut Self) -> FoundReason) -> FoundReason {
        let before = self.engine.before();
        let found = work(self)?;
        if found.is_some() {
            self.engine.restore(before);
        }
        Ok(found)
    }

    /// Does work after which the focus is as it was.
    fn undone<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, StopReason>) -> Result<T, StopReason> {
        let before = self.engine.before();
        let found = work(self)?;
        self.engine.restore(before);
        Ok(found)
    }
}
