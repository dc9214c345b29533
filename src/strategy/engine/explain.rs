//! Why a strategy fails, asked after it has: a walk over what it tries, in which only what succeeds is run again.
//!
//! Of several failures the one that came furthest tells most: [`Reason::or`] and [`Reason::or_below`] say which.

use rustc_hash::FxHashMap;

use crate::ground::{Budget, StopReason};
use crate::rule::{Focus, Reason, Rule, Why};
use crate::term::{Path, Term};

use super::super::data::{Form, Strategy, Unary};
use super::code::Id;
use super::footprint::OpFootprint;
use super::machine::{Engine, Halt, NESTING, Next, Ran};

impl Engine {
    /// Why the strategy fails on the focus, with nothing waiting.
    pub(super) fn explain(&mut self, strategy: &Strategy) -> Result<Reason, StopReason> {
        self.pause = None;
        let budget = self.budget.fresh();
        Explanation { engine: self, budget, known: FxHashMap::default(), nesting: 0 }.why(strategy, &[])
    }
}

struct Explanation<'a> {
    engine: &'a mut Engine,
    /// Of the walk alone: what is run again has the budget of a run each time, as it kept within that before.
    budget: Budget,
    /// Of traversals that look at nothing but the term.
    known: FxHashMap<(Id, Term), Reason>,
    nesting: usize,
}

type Found = Result<Reason, StopReason>;

/// Of what succeeds after all, which can't be.
fn no_reason() -> Found {
    Ok(Reason::native("it did not fail again"))
}

impl Explanation<'_> {
    /// Why a strategy, whose variables stand for these operations, fails on the focus.
    fn why(&mut self, s: &Strategy, env: &[Id]) -> Found {
        let limit = self.budget.limits.max_depth;
        if self.nesting > (limit as usize).saturating_mul(NESTING) {
            return Err(StopReason::Depth(limit));
        }
        self.budget.tick()?;
        self.nesting += 1;
        let found = self.form(s, env);
        self.nesting -= 1;
        found
    }

    fn form(&mut self, s: &Strategy, env: &[Id]) -> Found {
        match s.form() {
            Form::Id => no_reason(),
            Form::Fail | Form::Free(_) => Ok(Reason::new(Why::Fail)),
            Form::Rule(rule) => self.rule(rule),
            Form::Seq(..) => self.sequence(s, env),
            Form::Choice(a, b) => Ok(self.why(a, env)?.or(self.why(b, env)?)),
            Form::Mu(_, body) => {
                let own = self.engine.code.id(s, env);
                let inner: Vec<Id> = [own].iter().chain(env).copied().collect();
                self.why(body, &inner)
            }
            Form::Var(i) => {
                self.budget.step()?;
                let bound = env.get(*i as usize).and_then(|id| self.engine.code.source(*id));
                bound.map_or_else(|| Ok(Reason::new(Why::Fail)), |(s, env)| self.why(&s, &env))
            }
            Form::Unary(unary, inner) => self.unary(*unary, inner, s, env),
            Form::Child(slot, inner) => {
                let focus = &self.engine.cursor.focus;
                match focus.kind().kid_at(*slot, focus.kid_count()) {
                    Some(k) => self.below(k, |e| e.why(inner, env)),
                    None => Ok(Reason::new(Why::NoSlot(*slot))),
                }
            }
            Form::At(text, inner) => match Path::parse(text, &self.engine.cursor.focus) {
                Ok(path) => self.at(&path.0, inner, env),
                Err(_) => Ok(Reason::new(Why::NoPath(text.clone()))),
            },
            Form::RepeatN(n, inner) => self.restoring(|e| {
                for _ in 0..*n {
                    if !e.succeeds(inner, env)? {
                        return e.why(inner, env);
                    }
                }
                no_reason()
            }),
            Form::RepeatUntil(pattern, _) => Ok(Reason::new(Why::NotReached(pattern.text().into()))),
            Form::Named(named) => {
                self.budget.step()?;
                match self.engine.code.body(named, env) {
                    Some((body, inner)) => self.why(&body, &inner),
                    None => Ok(Reason::new(Why::Fail)),
                }
            }
        }
    }

    fn unary(&mut self, unary: Unary, s: &Strategy, whole: &Strategy, env: &[Id]) -> Found {
        match unary {
            Unary::One | Unary::Some => self.children(unary, s, env),
            Unary::All => self.restoring(|e| e.all(s, env)),
            Unary::Not => Ok(Reason::new(Why::Succeeded)),
            Unary::Where | Unary::Repeat1 => self.why(s, env),
            Unary::TopDown | Unary::BottomUp => self.traversal(s, whole, env),
            Unary::AllTopDown => self.restoring(|e| match e.succeeds(s, env)? {
                true => e.all(whole, env),
                false => e.why(s, env),
            }),
            Unary::AllBottomUp => self.restoring(|e| {
                for k in 0..e.engine.cursor.focus.kid_count() {
                    if !e.below(k, |e| e.succeeds(whole, env))? {
                        return e.below(k, |e| e.why(whole, env));
                    }
                }
                e.why(s, env)
            }),
            Unary::Force => {
                self.engine.forced += 1;
                let found = self.why(s, env);
                self.engine.forced -= 1;
                found
            }
            Unary::Repeat | Unary::Try | Unary::TryAll | Unary::Cheaper => no_reason(),
            Unary::Normalize | Unary::Outermost | Unary::Innermost => no_reason(),
        }
    }

    fn rule(&mut self, rule: &Rule) -> Found {
        self.engine.cursor.mend();
        let (term, above) = self.engine.cursor.site();
        match rule.apply(&Focus { term, context: above, bounds: &self.engine.bounds }) {
            Ok(_) => no_reason(),
            Err(reason) => reason.stopped().cloned().map_or(Ok(reason), Err),
        }
    }

    /// `a ; b ; c`, however it is grouped: what comes before the failure is run.
    fn sequence(&mut self, s: &Strategy, env: &[Id]) -> Found {
        self.restoring(|e| {
            let mut waiting = vec![s];
            while let Some(next) = waiting.pop() {
                if let Form::Seq(a, b) = next.form() {
                    waiting.extend([b, a]);
                } else if waiting.is_empty() || !e.succeeds(next, env)? {
                    return e.why(next, env);
                }
            }
            no_reason()
        })
    }

    /// Where a traversal in search of one success fails: here, or further down.
    fn traversal(&mut self, s: &Strategy, whole: &Strategy, env: &[Id]) -> Found {
        let id = self.engine.code.id(whole, env);
        let key = match self.engine.footprint(id) {
            OpFootprint::Term { .. } => Some((id, self.engine.cursor.focus.clone())),
            OpFootprint::Context => None,
        };
        if let Some(known) = key.as_ref().and_then(|key| self.known.get(key)) {
            return Ok(known.clone());
        }
        let here = self.why(s, env)?;
        let found = here.or_below(self.children(Unary::One, whole, env)?);
        if let Some(key) = key {
            self.known.insert(key, found.clone());
        }
        Ok(found)
    }

    /// Where a strategy fails on all children.
    fn children(&mut self, combinator: Unary, s: &Strategy, env: &[Id]) -> Found {
        let mut found = Reason::new(Why::NoChild(combinator.text()));
        for k in 0..self.engine.cursor.focus.kid_count() {
            found = found.or(self.below(k, |e| e.why(s, env))?);
        }
        Ok(found)
    }

    /// Rewrites children until one fails.
    fn all(&mut self, s: &Strategy, env: &[Id]) -> Found {
        for k in 0..self.engine.cursor.focus.kid_count() {
            if !self.below(k, |e| e.succeeds(s, env))? {
                return self.below(k, |e| e.why(s, env));
            }
        }
        no_reason()
    }

    fn at(&mut self, path: &[u32], s: &Strategy, env: &[Id]) -> Found {
        match path.split_first() {
            Some((k, rest)) => self.below(*k as usize, |e| e.at(rest, s, env)),
            None => self.why(s, env),
        }
    }

    /// Runs a strategy on the focus; whether it succeeds.
    fn succeeds(&mut self, s: &Strategy, env: &[Id]) -> Result<bool, StopReason> {
        let id = self.engine.code.id(s, env);
        self.engine.budget = self.budget.fresh();
        match self.engine.run(&mut Next::Run(id)) {
            Ok(ran) => Ok(ran == Ran::Succeeded),
            Err(Halt::Looping(_)) => Ok(false),
            Err(Halt::Stopped(reason)) => Err(reason),
        }
    }

    fn below<T>(&mut self, k: usize, work: impl FnOnce(&mut Self) -> Result<T, StopReason>) -> Result<T, StopReason> {
        self.engine.cursor.down(k, 0);
        let found = work(self)?;
        self.engine.cursor.up();
        Ok(found)
    }

    /// Does work that rewrites the focus, which is put back.
    fn restoring(&mut self, work: impl FnOnce(&mut Self) -> Found) -> Found {
        let before = self.engine.before();
        let found = work(self)?;
        self.engine.restore(before);
        Ok(found)
    }
}
