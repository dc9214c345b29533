//! Finds the repetitions in a strategy, with the rules that they try, and what may go on without being one.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::data::{Strategy, StrategyDefinition, StrategyForm};
use super::foretold::{always_rewrites, repeated};
use super::unary::Unary;
use super::visit::{VisitedPart, alternatives, lasting_rules, parts};
use crate::rule::{RedexScope, Rule};

/// A repetition of what a strategy tries at places of a term, or a traversal that goes on below what it made.
pub struct RuleRepetition {
    /// The whole, within `exactly` where it stands there.
    pub strategy: Strategy,
    /// The whole without that.
    bare: Strategy,
    /// The alternatives of what it repeats.
    pub parts: Vec<Strategy>,
    /// The rules of the parts that are rules, or strategies that take a step of one wherever they succeed; no rule that only a
    /// test tries, or that `exactly` keeps from being taken.
    pub rules: Vec<Rule>,
    /// The other parts: what these do isn't said by rules.
    pub others: Vec<Strategy>,
    /// Where in the term the rules are tried.
    pub reach: RedexScope,
}

impl RuleRepetition {
    fn new(bare: &Strategy, exact: bool) -> Option<RuleRepetition> {
        let traversed = traversed(bare).map(|inner| (inner, RedexScope::Anywhere));
        // A traversal takes only so many steps without a rule's.
        let steady = traversed.is_some();
        let (inner, mut reach) = traversed.or(repeated(bare))?;
        let (parts, mut rules, mut others) = (alternatives(inner), Vec::new(), Vec::new());
        for part in &parts {
            if part.as_rule().is_none() {
                if !(steady || always_rewrites(part)) || repeats_otherwise(part).is_some() {
                    others.push(part.clone());
                    continue;
                }
                reach = RedexScope::Anywhere;
            }
            for rule in lasting_rules(part, exact) {
                if !rules.contains(&rule) {
                    rules.push(rule);
                }
            }
        }
        let strategy = if exact { bare.under(Unary::Exactly) } else { bare.clone() };
        Some(RuleRepetition { strategy, bare: bare.clone(), parts, rules, others, reach })
    }

    /// Whether it comes to each place once and then goes on below what it made.
    pub fn is_traversal(&self) -> bool {
        traversed(&self.bare).is_some()
    }

    /// Whether it fails where it finds nothing to do.
    pub fn needs_success(&self) -> bool {
        matches!(self.bare.form(), StrategyForm::Unary(Unary::Repeat1, _))
    }

    /// The same repetition of other alternatives; none where there are none.
    pub fn of(&self, parts: &[Strategy]) -> Option<Strategy> {
        let all = parts.iter().cloned().reduce(|all, part| all.or(&part))?;
        let StrategyForm::Unary(outer, inner) = self.bare.form() else { return None };
        let within = match (outer, inner.form()) {
            (Unary::Repeat | Unary::Repeat1, StrategyForm::Unary(way @ (Unary::TopDown | Unary::BottomUp), _)) => {
                all.under(*way)
            }
            _ => all,
        };
        let whole = within.under(*outer);
        Some(if self.bare == self.strategy { whole } else { whole.under(Unary::Exactly) })
    }
}

/// What a traversal does that goes on below what it made.
fn traversed(s: &Strategy) -> Option<&Strategy> {
    match s.form() {
        StrategyForm::Unary(Unary::TryAll | Unary::AllTopDown, inner) => Some(inner),
        _ => None,
    }
}

/// The repetitions in a strategy, and such traversals, each once.
pub fn repetitions(strategy: &Strategy) -> Vec<RuleRepetition> {
    let mut found: Vec<RuleRepetition> = Vec::new();
    for VisitedPart { strategy, exact, .. } in parts(strategy) {
        if let Some(repetition) = RuleRepetition::new(&strategy, exact)
            && found.iter().all(|known| known.strategy != repetition.strategy)
        {
            found.push(repetition);
        }
    }
    found
}

/// Whether what goes on in a strategy for so many steps may come to an end nevertheless: `cheaper` and `cheapest` give up what
/// outgrows a limit, and `repeatN` counts.
pub(crate) fn may_give_up(strategy: &Strategy, steps: u64) -> bool {
    let mut counted = 1_u64;
    for VisitedPart { strategy, .. } in parts(strategy) {
        match strategy.form() {
            StrategyForm::Unary(Unary::Cheaper, _) | StrategyForm::Cheapest(..)
                if !repetitions(&strategy).is_empty() =>
            {
                return true;
            }
            StrategyForm::RepeatN(n, _) => counted = counted.saturating_mul((*n).max(1)),
            _ => {}
        }
    }
    // Half of the steps may be others.
    2 * counted.min(steps) > steps
}

/// So deep definitions are followed.
const MAX_NESTING: usize = 64;

/// A part of a strategy that may go on though the repetitions in it end; none where all surely ends with them.
pub fn repeats_otherwise(strategy: &Strategy) -> Option<Strategy> {
    if strategy.is_vast() {
        return Some(strategy.clone());
    }
    let mut walk = DefinitionWalk { fuel: MAX_UNFOLDED, ..DefinitionWalk::default() };
    let other = walk.goes_on(strategy);
    if walk.fuel > 0 { other } else { Some(strategy.clone()) }
}

/// So many parts are looked at.
const MAX_UNFOLDED: usize = 10_000;

/// Looks at all that a strategy consists of, definitions unfolded.
#[derive(Default)]
struct DefinitionWalk {
    /// The uses of definitions that what is looked at stands in, of which it must not be one again.
    within: Vec<Strategy>,
    /// Those without arguments that were seen to end.
    done: FxHashSet<*const StrategyDefinition>,
    fuel: usize,
}

impl DefinitionWalk {
    fn goes_on(&mut self, s: &Strategy) -> Option<Strategy> {
        use Unary::{
            All, AllBottomUp, AllTopDown, BottomUp, Cheaper, Exactly, Force, InReals, Not, One, Some, TopDown,
        };
        use Unary::{Try, TryAll, Where};
        let Option::Some(fuel) = self.fuel.checked_sub(1) else { return Option::Some(s.clone()) };
        self.fuel = fuel;
        match s.form() {
            StrategyForm::Named(named) => {
                let definition = Rc::as_ptr(&named.definition);
                if self.done.contains(&definition) {
                    return None;
                }
                if s.is_vast() || self.within.contains(s) || self.within.len() >= MAX_NESTING {
                    return Option::Some(s.clone());
                }
                let Option::Some(body) = s.definition() else { return Option::Some(s.clone()) };
                self.within.push(s.clone());
                let other = self.goes_on(&body);
                self.within.pop();
                if other.is_none() && named.strategies().next().is_none() {
                    self.done.insert(definition);
                }
                return other;
            }
            StrategyForm::Unary(unary, _) if unary.repeats() => {}
            StrategyForm::Unary(One | All | Some | Not | Cheaper | Exactly | InReals | Force | Try | Where, _) => {}
            StrategyForm::Unary(TopDown | BottomUp | AllTopDown | AllBottomUp | TryAll, _) => {}
            StrategyForm::Unary(..) | StrategyForm::Mu(..) | StrategyForm::Var(_) | StrategyForm::Free(_) => {
                return Option::Some(s.clone());
            }
            StrategyForm::RepeatUntil(..) => return Option::Some(s.clone()),
            _ => {}
        }
        s.form().parts().into_iter().find_map(|part| self.goes_on(part))
    }
}
