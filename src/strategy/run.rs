//! The reference interpreter: small, and as close to the definitions of the combinators as running them allows.
//!
//! Only repetitions are loops instead of recursion, and traversals recur on themselves without unfolding a fixed point;
//! [`Strategy::definition`] has the definitions that tests compare them with.

use std::rc::Rc;

use crate::ground::{Budget, StopReason};
use crate::rule::{Frame, Pattern, Reason, Rule, Site, Why};
use crate::term::{Bounds, Path, Program, Term};

use super::data::{Form, Named, Strategy, Unary};
use super::ends::never_fails;
use super::env::Env;
use super::trace::{Step, Trace};

/// The symbolic work of a term, by which `cheaper` judges.
pub type Work = fn(&Term, &Bounds) -> u128;

/// What a strategy came to.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The term that it gives.
    Success(Term),
    /// It failed, and why.
    Failure(Reason),
    /// The term after as many steps as were asked for.
    Paused(Term),
}

/// An outcome with the steps that led to it; a failure has none.
#[derive(Clone, Debug)]
pub struct Run {
    /// What the strategy came to.
    pub outcome: Outcome,
    /// How.
    pub trace: Trace,
}

/// Runs a strategy on a program's term to its end.
pub fn run(strategy: &Strategy, program: &Program, budget: &Budget, work: Work) -> Result<Run, StopReason> {
    run_steps(strategy, program, budget, work, usize::MAX)
}

/// Runs a strategy until `pause` rewrites are settled, such that nothing later can take them back, or to its end.
/// More steps may be settled at once than were asked for.
pub fn run_steps(
    strategy: &Strategy,
    program: &Program,
    budget: &Budget,
    work: Work,
    pause: usize,
) -> Result<Run, StopReason> {
    let mut machine = Machine {
        bounds: &program.bounds,
        budget,
        work,
        pause,
        steps: Vec::new(),
        above: Vec::new(),
        within: Vec::new(),
        names: Rc::from([]),
        nesting: 0,
        doubts: 0,
    };
    let verdict = machine.go(strategy, &Env::default(), &program.term);
    let mut trace = Trace { start: program.term.clone(), steps: machine.steps };
    let outcome = match verdict {
        Ok(Ok(term)) => Outcome::Success(term),
        Ok(Err(reason)) => {
            trace.steps.clear();
            Outcome::Failure(reason)
        }
        Err(Halt::Paused) => Outcome::Paused(trace.terms().last().unwrap_or_else(|| program.term.clone())),
        Err(Halt::Stopped(reason)) => return Err(reason),
    };
    Ok(Run { outcome, trace })
}

/// Why the machine stands still before the strategy's end.
enum Halt {
    Stopped(StopReason),
    Paused,
}

impl From<StopReason> for Halt {
    fn from(reason: StopReason) -> Halt {
        Halt::Stopped(reason)
    }
}

/// The new term, or why the strategy failed.
type Verdict = Result<Term, Reason>;

/// Strategies within strategies may nest so many times deeper than terms; the stack is made for that.
const NESTING: u32 = 4;

struct Machine<'a> {
    bounds: &'a Bounds,
    budget: &'a Budget,
    work: Work,
    pause: usize,
    steps: Vec<Step>,
    above: Vec<Frame>,
    within: Vec<Named>,
    names: Rc<[Rc<str>]>,
    nesting: u32,
    /// How many strategies around this one might still fail, and take back the steps taken within them.
    doubts: u32,
}

impl Machine<'_> {
    fn go(&mut self, s: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
        self.nesting += 1;
        if self.nesting > self.budget.limits.max_depth.saturating_mul(NESTING) {
            return Err(StopReason::Depth(self.budget.limits.max_depth).into());
        }
        self.budget.tick()?;
        let verdict = self.form(s, env, term)?;
        self.nesting -= 1;
        Ok(verdict)
    }

    fn form(&mut self, s: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
        match s.form() {
            Form::Id => Ok(Ok(term.clone())),
            Form::Fail | Form::Free(_) => Ok(Err(Reason::new(Why::Fail))),
            Form::Rule(rule) => self.rewrite(rule, term),
            Form::Seq(a, b) => self.sequence(a, b, env, term),
            Form::Choice(a, b) => match self.attempt(a, env, term)? {
                Ok(done) => Ok(Ok(done)),
                Err(first) => Ok(self.go(b, env, term)?.map_err(|second| first.or(second))),
            },
            Form::Mu(_, body) => self.go(body, &env.fixed(body), term),
            Form::Var(i) => {
                self.budget.step()?;
                match env.find(*i) {
                    Some((bound, its)) => self.go(&bound, &its, term),
                    None => Ok(Err(Reason::new(Why::Fail))),
                }
            }
            Form::Unary(unary, inner) => self.unary(*unary, inner, s, env, term),
            Form::Child(slot, inner) => match term.kind().kid_at(*slot, term.kid_count()) {
                Some(k) => self.within_kid(inner, env, term, k),
                None => Ok(Err(Reason::new(Why::NoSlot(*slot)))),
            },
            Form::At(text, inner) => match Path::parse(text, term) {
                Ok(path) => self.at(&path.0, inner, env, term),
                Err(_) => Ok(Err(Reason::new(Why::NoPath(text.clone())))),
            },
            Form::RepeatN(n, inner) => self.exactly(*n, inner, env, term),
            Form::RepeatUntil(pattern, inner) => self.until(pattern, inner, env, term),
            Form::Named(named) => self.unfold(named, env, term),
        }
    }

    fn unary(&mut self, unary: Unary, s: &Strategy, whole: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
        match unary {
            Unary::One => self.one(s, env, term),
            Unary::All => self.all(s, env, term),
            Unary::Some => self.some(s, env, term),
            Unary::Repeat => self.repeat(s, env, term),
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
            Unary::Normalize | Unary::Outermost => self.repeat(&s.under(Unary::TopDown), env, term),
            Unary::Innermost => self.repeat(&s.under(Unary::BottomUp), env, term),
            Unary::Cheaper => self.cheaper(s, env, term),
            Unary::Force => self.go(s, env, term),
        }
    }

    /// Tries a rule, and records the step.
    fn rewrite(&mut self, rule: &Rule, term: &Term) -> Result<Verdict, Halt> {
        let contractum = match rule.apply(&Site { term, above: &self.above, bounds: self.bounds }) {
            Ok(contractum) => contractum,
            Err(reason) => return Ok(Err(reason)),
        };
        debug_assert_eq!(contractum.ty(), term.ty(), "{rule} changed a type");
        self.budget.step()?;
        self.measure(&contractum)?;
        self.steps.push(Step {
            rule: rule.clone(),
            path: Path(self.above.iter().map(|frame| frame.kid as u32).collect()),
            redex: term.clone(),
            contractum: contractum.clone(),
            within: self.names.clone(),
        });
        Ok(Ok(contractum))
    }

    fn measure(&self, term: &Term) -> Result<(), StopReason> {
        self.budget.measure(term.size(), term.depth().saturating_add(self.above.len() as u32))
    }

    /// Like `go`, but a failure leaves no step behind and is somebody's business: until it is known to succeed, nothing
    /// is settled.
    fn attempt(&mut self, s: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
        let mark = self.steps.len();
        self.doubts += 1;
        let verdict = self.go(s, env, term)?;
        self.doubts -= 1;
        if verdict.is_err() {
            self.steps.truncate(mark);
        }
        Ok(verdict)
    }

    fn attempt_or_stay(&mut self, s: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
        Ok(Ok(self.attempt(s, env, term)?.unwrap_or_else(|_| term.clone())))
    }

    fn sequence(&mut self, a: &Strategy, b: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
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

    fn settle(&self) -> Result<(), Halt> {
        if self.doubts == 0 && self.above.is_empty() && self.steps.len() >= self.pause {
            return Err(Halt::Paused);
        }
        Ok(())
    }

    /// A round that rewrites nothing counts as an unfolding: nothing goes on for ever uncounted.
    fn repeat(&mut self, s: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
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

    fn until(&mut self, pattern: &Pattern, s: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
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

    fn exactly(&mut self, times: u64, s: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
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
    fn test(&mut self, wanted: bool, s: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
        let mark = self.steps.len();
        let verdict = self.attempt(s, env, term)?;
        self.steps.truncate(mark);
        match verdict {
            Ok(_) if !wanted => Ok(Err(Reason::new(Why::Succeeded))),
            Err(reason) if wanted => Ok(Err(reason)),
            _ => Ok(Ok(term.clone())),
        }
    }

    fn cheaper(&mut self, s: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
        let mark = self.steps.len();
        if let Ok(next) = self.attempt(s, env, term)? {
            if next == *term || (self.work)(&next, self.bounds) <= (self.work)(term, self.bounds) {
                return Ok(Ok(next));
            }
            self.steps.truncate(mark);
        }
        Ok(Ok(term.clone()))
    }

    /// On child `k`, and the term around the result.
    fn within_kid(&mut self, s: &Strategy, env: &Env, term: &Term, k: usize) -> Result<Verdict, Halt> {
        self.below(term, k, |machine, kid| machine.go(s, env, kid))
    }

    fn below(
        &mut self,
        term: &Term,
        k: usize,
        work: impl FnOnce(&mut Self, &Term) -> Result<Verdict, Halt>,
    ) -> Result<Verdict, Halt> {
        let kid = term.kid(k);
        self.above.push(Frame { term: term.clone(), kid: k });
        let verdict = work(self, &kid)?;
        self.above.pop();
        match verdict {
            Ok(new) => {
                let whole = term.with_kid(k, new).expect("a rewritten child has the type of the old one");
                self.measure(&whole)?;
                Ok(Ok(whole))
            }
            failed => Ok(failed),
        }
    }

    fn at(&mut self, path: &[u32], s: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
        let Some((k, rest)) = path.split_first() else { return self.go(s, env, term) };
        self.below(term, *k as usize, |machine, kid| machine.at(rest, s, env, kid))
    }

    fn one(&mut self, s: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
        let mut why: Option<Reason> = None;
        for k in 0..term.kid_count() {
            let mark = self.steps.len();
            self.doubts += 1;
            let verdict = self.within_kid(s, env, term, k)?;
            self.doubts -= 1;
            match verdict {
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
        Ok(Err(why.unwrap_or_else(|| Reason::new(Why::NoChild("one")))))
    }

    fn all(&mut self, s: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
        let mut whole = term.clone();
        for k in 0..term.kid_count() {
            match self.within_kid(s, env, &whole, k)? {
                Ok(next) => whole = next,
                failed => return Ok(failed),
            }
        }
        Ok(Ok(whole))
    }

    fn some(&mut self, s: &Strategy, env: &Env, term: &Term) -> Result<Verdict, Halt> {
        let mut whole = term.clone();
        let (mut any, mut why) = (false, Reason::new(Why::NoChild("some")));
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

    /// Runs a definition's body where its parameters stand for the arguments.
    fn unfold(&mut self, named: &Named, env: &Env, term: &Term) -> Result<Verdict, Halt> {
        self.budget.step()?;
        let Some(body) = named.definition.body() else { return Ok(Err(Reason::new(Why::Fail))) };
        let inner = named.strategies().fold(Env::default(), |inner, s| inner.bind(s, env));
        let again = self.within.last().is_some_and(|last| Rc::ptr_eq(&last.definition, &named.definition));
        if again {
            return self.go(body, &inner, term);
        }
        let names = self.names.clone();
        let own: Rc<str> = Strategy::new(Form::Named(named.clone())).to_string().into();
        self.names = names.iter().cloned().chain([own]).collect();
        self.within.push(named.clone());
        let verdict = self.go(body, &inner, term)?;
        self.within.pop();
        self.names = names;
        Ok(verdict)
    }
}
