//! Foretells from a strategy's form what holds of it on every term: that it can't fail, always fails, changes nothing, or takes a
//! step where it succeeds.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::data::{NamedUse, Strategy, StrategyDefinition, StrategyForm};
use super::unary::Unary;
use crate::rule::RedexScope;

/// The strategy that a repetition repeats, and where in the term it does; `None` for other strategies.
pub(super) fn repeated(s: &Strategy) -> Option<(&Strategy, RedexScope)> {
    let StrategyForm::Unary(unary, inner) = s.form() else { return None };
    match (unary, inner.form()) {
        (Unary::Normalize | Unary::Outermost | Unary::Innermost, _) => Some((inner, RedexScope::Anywhere)),
        (Unary::Repeat | Unary::Repeat1, StrategyForm::Unary(Unary::TopDown | Unary::BottomUp, within)) => {
            Some((within, RedexScope::Anywhere))
        }
        (Unary::Repeat | Unary::Repeat1, _) => Some((inner, RedexScope::Root)),
        _ => None,
    }
}

/// Whether it fails on every term, as far as its form tells.
pub(super) fn always_fails(s: &Strategy) -> bool {
    match s.form() {
        _ if s.is_vast() => false,
        StrategyForm::Fail => true,
        StrategyForm::Seq(a, b) => always_fails(a) || always_fails(b),
        StrategyForm::Choice(a, b) => always_fails(a) && always_fails(b),
        StrategyForm::Child(_, s) | StrategyForm::At(_, s) | StrategyForm::AtMatch(_, s) => always_fails(s),
        StrategyForm::RepeatN(n, s) => *n > 0 && always_fails(s),
        StrategyForm::Unary(Unary::Not, s) => never_fails(s),
        StrategyForm::Unary(unary, s) => can_only_fail(*unary) && always_fails(s),
        _ => false,
    }
}

/// Whether it fails where its strategy fails everywhere.
fn can_only_fail(unary: Unary) -> bool {
    use Unary::{AllBottomUp, AllTopDown, BottomUp, Force, One, Repeat1, Some, TopDown, Where};
    matches!(unary, One | Some | Where | Repeat1 | TopDown | BottomUp | AllTopDown | AllBottomUp | Force)
}

/// Whether a closed strategy succeeds, or runs for ever, on every term.
pub(super) fn never_fails(strategy: &Strategy) -> bool {
    !strategy.is_vast() && TotalityAnalysis::default().never_fails(strategy, &[])
}

/// Whether a closed strategy leaves the term as it is wherever it succeeds.
pub(super) fn changes_nothing(strategy: &Strategy) -> bool {
    !strategy.is_vast() && StillnessAnalysis::default().is_still(strategy, &[])
}

/// A definition, and of which of its arguments something holds.
pub(super) type UseFacts = (*const StrategyDefinition, Vec<bool>);

/// A memo of whether something holds of uses of definitions. Of those that are being looked at it is assumed.
#[derive(Default)]
struct UseMemo {
    known: FxHashMap<UseFacts, bool>,
    assumed: Vec<UseFacts>,
    /// The outermost of those assumed that the answers since were found with.
    relied_on: Option<usize>,
}

impl UseMemo {
    /// Gives what is known or assumed of a use; where nothing is, it is looked at from now on, until [`UseMemo::leave`].
    fn enter(&mut self, own: &UseFacts) -> Result<bool, Option<usize>> {
        if let Some(known) = self.known.get(own) {
            return Ok(*known);
        }
        if let Some(at) = self.assumed.iter().position(|assumed| assumed == own) {
            self.relied_on = Some(self.relied_on.map_or(at, |before| before.min(at)));
            return Ok(true);
        }
        self.assumed.push(own.clone());
        Err(self.relied_on.take())
    }

    /// Keeps what was found of the use that was entered last; `before` is what entering it gave.
    fn leave(&mut self, own: UseFacts, before: Option<usize>, holds: bool) -> bool {
        self.assumed.pop();
        self.relied_on = self.relied_on.filter(|at| *at < self.assumed.len());
        // What doesn't hold though all is assumed that could be, doesn't with less.
        if !holds || self.relied_on.is_none() {
            self.known.insert(own, holds);
        }
        self.relied_on = [self.relied_on, before].into_iter().flatten().min();
        holds
    }
}

/// Whether something holds of a use of a definition: whether it does of its body, where it holds of these of the arguments.
fn of_use<A>(
    analysis: &mut A,
    named: &NamedUse,
    arguments: Vec<bool>,
    memo: fn(&mut A) -> &mut UseMemo,
    holds: fn(&mut A, &Strategy, &[bool]) -> bool,
) -> bool {
    let Some(body) = body(named) else { return false };
    let own = (Rc::as_ptr(&named.definition), arguments);
    match memo(analysis).enter(&own) {
        Ok(known) => known,
        Err(before) => {
            let found = holds(analysis, body, &own.1);
            memo(analysis).leave(own, before, found)
        }
    }
}

/// Whether strategies never fail.
#[derive(Default)]
pub(super) struct TotalityAnalysis(UseMemo);

impl TotalityAnalysis {
    pub(super) fn never_fails(&mut self, s: &Strategy, facts: &[bool]) -> bool {
        match s.form() {
            StrategyForm::Id | StrategyForm::Cheapest(..) => true,
            StrategyForm::Fail | StrategyForm::Rule(_) | StrategyForm::Match(_) | StrategyForm::Free(_) => false,
            StrategyForm::Child(..) | StrategyForm::AtMatch(..) | StrategyForm::RepeatUntil(..) => false,
            StrategyForm::Seq(a, b) => self.never_fails(a, facts) && self.never_fails(b, facts),
            StrategyForm::Choice(a, b) => self.never_fails(a, facts) || self.never_fails(b, facts),
            // Assumed of the variable: a recursion that comes back to itself without a failure would run for ever.
            StrategyForm::Mu(_, body) => self.never_fails(body, &extended(facts, true)),
            StrategyForm::Var(i) => facts.iter().rev().nth(*i as usize).copied().unwrap_or(false),
            StrategyForm::Unary(unary, s) => self.unary(*unary, s, facts),
            StrategyForm::At(path, s) => path.is_empty() && self.never_fails(s, facts),
            StrategyForm::RepeatN(n, s) => *n == 0 || self.never_fails(s, facts),
            StrategyForm::Named(named) => {
                let inner = self.arguments(named, facts);
                of_use(self, named, inner, |analysis| &mut analysis.0, Self::never_fails)
            }
        }
    }

    fn unary(&mut self, unary: Unary, s: &Strategy, facts: &[bool]) -> bool {
        match unary {
            Unary::Repeat | Unary::Try | Unary::TryAll | Unary::Cheaper => true,
            Unary::Normalize | Unary::Outermost | Unary::Innermost => true,
            Unary::One | Unary::Some => false,
            Unary::Not => matches!(s.form(), StrategyForm::Fail),
            Unary::All | Unary::Where | Unary::Repeat1 | Unary::Force | Unary::Exactly | Unary::InReals => {
                self.never_fails(s, facts)
            }
            Unary::TopDown | Unary::BottomUp | Unary::AllTopDown | Unary::AllBottomUp => self.never_fails(s, facts),
        }
    }

    pub(super) fn arguments(&mut self, named: &NamedUse, facts: &[bool]) -> Vec<bool> {
        named.strategies().map(|s| self.never_fails(s, facts)).collect()
    }
}

/// What a use of a definition stands for, unless that has too many parts.
pub(super) fn body(named: &NamedUse) -> Option<&Strategy> {
    named.definition.body().filter(|body| !body.is_vast())
}

/// Whether strategies change nothing.
#[derive(Default)]
struct StillnessAnalysis(UseMemo);

impl StillnessAnalysis {
    fn is_still(&mut self, s: &Strategy, facts: &[bool]) -> bool {
        match s.form() {
            StrategyForm::Rule(_) | StrategyForm::Free(_) => false,
            StrategyForm::Unary(Unary::Where | Unary::Not, _) => true,
            StrategyForm::Mu(_, body) => self.is_still(body, &extended(facts, true)),
            StrategyForm::Var(i) => facts.iter().rev().nth(*i as usize).copied().unwrap_or(false),
            StrategyForm::Named(named) => {
                let inner = named.strategies().map(|s| self.is_still(s, facts)).collect();
                of_use(self, named, inner, |analysis| &mut analysis.0, Self::is_still)
            }
            form => form.parts().into_iter().all(|part| self.is_still(part, facts)),
        }
    }
}

/// Whether a closed strategy has taken a rule's step wherever it succeeds.
pub(super) fn always_rewrites(strategy: &Strategy) -> bool {
    !strategy.is_vast() && ProgressAnalysis::default().rewrites(strategy, &[])
}

/// Whether strategies take a rule's step wherever they succeed.
#[derive(Default)]
struct ProgressAnalysis(UseMemo);

impl ProgressAnalysis {
    fn rewrites(&mut self, s: &Strategy, facts: &[bool]) -> bool {
        use Unary::{BottomUp, Exactly, Force, InReals, One, Repeat1, Some, TopDown};
        match s.form() {
            StrategyForm::Rule(_) | StrategyForm::Fail => true,
            StrategyForm::Seq(a, b) => self.rewrites(a, facts) || self.rewrites(b, facts),
            StrategyForm::Choice(a, b) => self.rewrites(a, facts) && self.rewrites(b, facts),
            StrategyForm::Child(_, s) | StrategyForm::At(_, s) | StrategyForm::AtMatch(_, s) => self.rewrites(s, facts),
            StrategyForm::RepeatN(n, s) => *n > 0 && self.rewrites(s, facts),
            StrategyForm::Unary(One | Some | TopDown | BottomUp | Repeat1 | Force | Exactly | InReals, s) => {
                self.rewrites(s, facts)
            }
            // Assumed of the variable: what succeeds came to an end.
            StrategyForm::Mu(_, body) => self.rewrites(body, &extended(facts, true)),
            StrategyForm::Var(i) => facts.iter().rev().nth(*i as usize).copied().unwrap_or(false),
            StrategyForm::Named(named) => {
                let inner = named.strategies().map(|s| self.rewrites(s, facts)).collect();
                of_use(self, named, inner, |analysis| &mut analysis.0, Self::rewrites)
            }
            _ => false,
        }
    }
}

pub(super) fn extended(facts: &[bool], fact: bool) -> Vec<bool> {
    facts.iter().copied().chain([fact]).collect()
}
