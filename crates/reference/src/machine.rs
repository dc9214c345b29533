//! Runs one strategy on one term, as the definitions say.

use std::borrow::Cow;
use std::rc::Rc;

use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{Path, SizeBounds, Term};
use redexter_rewriting::rule::{FailureCause, Focus, Frame, Reason, Rule};
use redexter_rewriting::strategy::{Cycle, NamedUse, Step, Strategy, StrategyForm, Unary, WorkTestFactory};

use crate::env::StrategyEnv;

/// The reason for which the machine stands still before the strategy's end.
pub(crate) enum ReferenceHalt {
    Stopped(StopReason),
    Looping(Box<Cycle>),
}

impl From<StopReason> for ReferenceHalt {
    fn from(reason: StopReason) -> ReferenceHalt {
        ReferenceHalt::Stopped(reason)
    }
}

/// The new term, or why the strategy failed.
pub(crate) type StrategyVerdict = Result<Term, Reason>;

/// The verdict, or why there is none.
pub(crate) type ReferenceResult = Result<StrategyVerdict, ReferenceHalt>;

/// Strategies within strategies may nest so many times deeper than terms; the stack is made for that.
const NESTING_FACTOR: u32 = 4;

/// The state of one run.
pub(crate) struct ReferenceMachine<'a> {
    pub(crate) bounds: &'a SizeBounds,
    pub(crate) budget: &'a Budget,
    pub(crate) work: WorkTestFactory,
    pub(crate) steps: Vec<Step>,
    pub(crate) above: Vec<Frame>,
    /// The nodes of the whole term that stand around this one.
    pub(crate) around: u64,
    /// The most nodes of a whole term that is to be compared.
    pub(crate) most_nodes: u64,
    pub(crate) within: Vec<NamedUse>,
    pub(crate) names: Rc<[Rc<str>]>,
    pub(crate) nesting: u32,
    /// How many `force`s stand around this strategy: what loops there runs until a limit.
    pub(crate) forced: u32,
    /// Whether rules that change bits fail, as they do within `exactly`.
    pub(crate) exact: bool,
}

impl ReferenceMachine<'_> {
    pub(crate) fn go(&mut self, s: &Strategy, env: &StrategyEnv, term: &Term) -> ReferenceResult {
        self.nesting += 1;
        if self.nesting > self.budget.limits.max_depth.saturating_mul(NESTING_FACTOR) {
            return Err(StopReason::Depth(self.budget.limits.max_depth).into());
        }
        self.budget.tick()?;
        let verdict = self.form(s, env, term)?;
        self.nesting -= 1;
        Ok(verdict)
    }

    pub(crate) fn form(&mut self, s: &Strategy, env: &StrategyEnv, term: &Term) -> ReferenceResult {
        match s.form() {
            StrategyForm::Id => Ok(Ok(term.clone())),
            StrategyForm::Fail | StrategyForm::Free(_) => Ok(Err(Reason::new(FailureCause::Fail))),
            StrategyForm::Rule(rule) => match rule.refusal_of_bits().filter(|_| self.exact) {
                Some(refusal) => Ok(Err(refusal)),
                None => self.rewrite(rule, term),
            },
            StrategyForm::Match(pattern) => {
                let focus = Focus::new(term, &self.above, self.bounds);
                Ok(pattern.test(&focus).map(|()| term.clone()))
            }
            StrategyForm::Seq(a, b) => self.sequence(a, b, env, term),
            StrategyForm::Choice(a, b) => match self.attempt(a, env, term)? {
                Ok(done) => Ok(Ok(done)),
                Err(first) => Ok(self.go(b, env, term)?.map_err(|second| first.or(second))),
            },
            StrategyForm::Cheapest(a, b) => self.cheapest(a, b, env, term),
            StrategyForm::Mu(_, body) => self.go(body, &env.fixed(body), term),
            StrategyForm::Var(i) => {
                self.budget.step()?;
                match env.find(*i) {
                    Some((bound, its)) => self.go(&bound, &its, term),
                    None => Ok(Err(Reason::new(FailureCause::Fail))),
                }
            }
            StrategyForm::Unary(unary, inner) => self.unary(*unary, inner, s, env, term),
            StrategyForm::Child(slot, inner) => match term.kind().kid_at(*slot, term.kid_count()) {
                Some(k) => self.within_kid(inner, env, term, k),
                None => Ok(Err(Reason::new(FailureCause::NoSlot(*slot)))),
            },
            StrategyForm::At(text, inner) => match Path::parse(text, term) {
                Ok(path) => self.at(&path.0, inner, env, term),
                Err(stop) => Ok(Err(Reason::new(FailureCause::NoPath(text.clone(), stop.into())))),
            },
            StrategyForm::AtMatch(..) => match s.definition() {
                Some(meaning) => self.go(&meaning, env, term),
                None => Ok(Err(Reason::new(FailureCause::Fail))),
            },
            StrategyForm::RepeatN(n, inner) => self.exactly(*n, inner, env, term),
            StrategyForm::RepeatUntil(pattern, inner) => self.until(pattern, inner, s, env, term),
            StrategyForm::Named(named) => self.unfold(named, env, term),
        }
    }

    pub(crate) fn unary(
        &mut self,
        unary: Unary,
        s: &Strategy,
        whole: &Strategy,
        env: &StrategyEnv,
        term: &Term,
    ) -> ReferenceResult {
        match unary {
            Unary::One => self.one(s, env, term),
            Unary::All => self.all(s, env, term),
            Unary::Some => self.some(s, env, term),
            Unary::Repeat => self.repeat(s, whole, env, term),
            Unary::Try => self.attempt_or_stay(s, env, term),
            Unary::Not | Unary::Where => self.test(unary == Unary::Where, s, env, term),
            Unary::Repeat1 => self.sequence(s, &s.under(Unary::Repeat), env, term),
            Unary::TopDown => match self.attempt(s, env, term)? {
                Ok(done) => Ok(Ok(done)),
                Err(here) => Ok(self.one(whole, env, term)?.map_err(|below| here.or_below(below))),
            },
            Unary::BottomUp => match self.one(whole, env, term)? {
                Ok(done) => Ok(Ok(done)),
                Err(below) => Ok(self.go(s, env, term)?.map_err(|here| here.or_below(below))),
            },
            Unary::AllTopDown => match self.go(s, env, term)? {
                Ok(next) => self.all(whole, env, &next),
                failed => Ok(failed),
            },
            Unary::AllBottomUp => match self.all(whole, env, term)? {
                Ok(next) => self.go(s, env, &next),
                failed => Ok(failed),
            },
            Unary::TryAll => match self.attempt_or_stay(s, env, term)? {
                Ok(next) => self.all(whole, env, &next),
                failed => Ok(failed),
            },
            Unary::Normalize | Unary::Outermost => self.repeat(&s.under(Unary::TopDown), whole, env, term),
            Unary::Innermost => self.repeat(&s.under(Unary::BottomUp), whole, env, term),
            Unary::Cheaper => self.cheaper(s, env, term),
            Unary::Exactly | Unary::InReals => {
                let before = std::mem::replace(&mut self.exact, unary == Unary::Exactly);
                let verdict = self.go(s, env, term)?;
                self.exact = before;
                Ok(verdict)
            }
            Unary::Force => {
                self.forced += 1;
                let verdict = self.go(s, env, term)?;
                self.forced -= 1;
                Ok(verdict)
            }
        }
    }

    /// The frames around a term as they are now: the terms above with all that was rewritten below them.
    fn context(&self, term: &Term) -> Cow<'_, [Frame]> {
        let holds = |frame: &Frame, kid: &Term| frame.term.kid(frame.kid).same(kid);
        let kids = self.above.iter().skip(1).map(|frame| &frame.term).chain([term]);
        if self.above.iter().zip(kids).all(|(frame, kid)| holds(frame, kid)) {
            return Cow::Borrowed(&self.above);
        }
        let (mut now, mut kid) = (self.above.clone(), term.clone());
        for frame in now.iter_mut().rev() {
            frame.term = frame.term.with_kid(frame.kid, kid).expect("a rewritten child has the type of the old one");
            kid = frame.term.clone();
        }
        Cow::Owned(now)
    }

    /// Tries a rule, and records the step.
    pub(crate) fn rewrite(&mut self, rule: &Rule, term: &Term) -> ReferenceResult {
        let contractum = match rule.apply(&Focus::new(term, &self.context(term), self.bounds)) {
            Ok(contractum) => contractum,
            Err(reason) => return reason.stopped().cloned().map_or(Ok(Err(reason)), |stop| Err(stop.into())),
        };
        debug_assert_eq!(contractum.ty(), term.ty(), "{rule} changed a type");
        self.budget.step()?;
        self.measure(&contractum)?;
        let way = self.above.iter().map(|frame| frame.kid as u32);
        self.steps.push(Step::new(rule, way, (term.clone(), contractum.clone()), &self.names));
        Ok(Ok(contractum))
    }

    pub(crate) fn measure(&self, term: &Term) -> Result<(), StopReason> {
        let nodes = term.size().saturating_add(self.around);
        self.budget.measure(nodes, term.depth().saturating_add(self.above.len() as u32))?;
        if nodes > self.most_nodes { Err(StopReason::Growth(self.most_nodes)) } else { Ok(()) }
    }

    /// Like `go`, but a failure leaves no step behind and is somebody's business.
    pub(crate) fn attempt(&mut self, s: &Strategy, env: &StrategyEnv, term: &Term) -> ReferenceResult {
        let mark = self.steps.len();
        let verdict = self.go(s, env, term)?;
        if verdict.is_err() {
            self.steps.truncate(mark);
        }
        Ok(verdict)
    }

    pub(crate) fn attempt_or_stay(&mut self, s: &Strategy, env: &StrategyEnv, term: &Term) -> ReferenceResult {
        Ok(Ok(self.attempt(s, env, term)?.unwrap_or_else(|_| term.clone())))
    }

    /// Runs a definition's body where its parameters stand for the arguments.
    pub(crate) fn unfold(&mut self, named: &NamedUse, env: &StrategyEnv, term: &Term) -> ReferenceResult {
        self.budget.step()?;
        let Some(body) = named.definition.body() else { return Ok(Err(Reason::new(FailureCause::Fail))) };
        let inner = named.strategies().fold(StrategyEnv::default(), |inner, s| inner.bind(s, env));
        // A definition directly within itself isn't named again.
        let again = self.within.last().is_some_and(|last| Rc::ptr_eq(&last.definition, &named.definition));
        if again {
            return self.go(body, &inner, term);
        }
        let names = self.names.clone();
        let own: Rc<str> = Strategy::new(StrategyForm::Named(named.clone())).to_string().into();
        self.names = names.iter().cloned().chain([own]).collect();
        self.within.push(named.clone());
        let verdict = self.go(body, &inner, term)?;
        self.within.pop();
        self.names = names;
        Ok(verdict)
    }
}
