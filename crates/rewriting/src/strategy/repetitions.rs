//! Finds the repetitions in a strategy, with the rules that they try, and what may go on without being one.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::data::{Strategy, StrategyDefinition, StrategyForm};
use super::foretold::{always_rewrites, repeated};
use super::unary::Unary;
use super::visit::{VisitedPart, alternatives, parts, rules_in};
use crate::rule::{RedexScope, Rule};

/// A repetition of what a strategy tries at places of a term, or a traversal that goes on below what it made.
pub struct RuleRepetition {
    /// The whole.
    pub strategy: Strategy,
    /// The alternatives of what it repeats.
    pub parts: Vec<Strategy>,
    /// The rules of the parts that are rules, or strategies that take a step of one wherever they succeed.
    pub rules: Vec<Rule>,
    /// The other parts: what these do isn't said by rules.
    pub others: Vec<Strategy>,
    /// Where in the term the rules are tried.
    pub reach: RedexScope,
}

impl RuleRepetition {
    fn new(strategy: &Strategy) -> Option<RuleRepetition> {
        let traversed = traversed(strategy).map(|inner| (inner, RedexScope::Anywhere));
        // A traversal takes only so many steps without a rule's.
        let steady = traversed.is_some();
        let (inner, mut reach) = traversed.or(repeated(strategy))?;
        let (parts, mut rules, mut others) = (alternatives(inner), Vec::new(), Vec::new());
        for part in &parts {
            let own = match part.as_rule() {
                Some(rule) => vec![rule],
                None if (steady || always_rewrites(part)) && repeats_otherwise(part).is_none() => {
                    reach = RedexScope::Anywhere;
                    rules_in(part)
                }
                None => {
                    others.push(part.clone());
                    continue;
                }
            };
            own.into_iter().for_each(|rule| {
                if !rules.contains(&rule) {
                    rules.push(rule);
                }
            });
        }
        Some(RuleRepetition { strategy: strategy.clone(), parts, rules, others, reach })
    }

    /// Whether it comes to each place once and then goes on below what it made.
    pub fn is_traversal(&self) -> bool {
        traversed(&self.strategy).is_some()
    }

    /// The same repetition of other alternatives; none where there are none.
    pub fn of(&self, parts: &[Strategy]) -> Option<Strategy> {
        let all = parts.iter().cloned().reduce(|all, part| all.or(&part))?;
        let StrategyForm::Unary(outer, inner) = self.strategy.form() else { return None };
        let within = match (outer, inner.form()) {
            (Unary::Repeat | Unary::Repeat1, StrategyForm::Unary(way @ (Unary::TopDown | Unary::BottomUp), _)) => {
                all.under(*way)
            }
            _ => all,
        };
        Some(within.under(*outer))
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
    for VisitedPart { strategy, .. } in parts(strategy) {
        if found.iter().all(|known| known.strategy != strategy) {
            found.extend(RuleRepetition::new(&strategy));
        }
    }
    found
}

/// So deep definitions are followed.
const MAX_NESTING: usize = 64;

/// A part of a strategy that may go on though the repetitions in it end; none where all surely ends with them.
pub fn repeats_otherwise(strategy: &Strategy) -> Option<Strategy> {
    if strategy.is_vast() {
        return Some(strategy.clone());
    }
    goes_on(strategy, &mut Vec::new(), &mut FxHashSet::default())
}

/// `within`: the definitions that it stands in, which it must not use again. `done`: those that were seen to end.
fn goes_on(
    s: &Strategy,
    within: &mut Vec<*const StrategyDefinition>,
    done: &mut FxHashSet<*const StrategyDefinition>,
) -> Option<Strategy> {
    use Unary::{All, AllBottomUp, AllTopDown, BottomUp, Cheaper, Exactly, Force, InReals, Not, One, Some, TopDown};
    use Unary::{Try, TryAll, Where};
    match s.form() {
        StrategyForm::Named(named) => {
            let definition = Rc::as_ptr(&named.definition);
            if done.contains(&definition) {
                return None;
            }
            if named.strategies().next().is_some() || within.contains(&definition) || within.len() >= MAX_NESTING {
                return Option::Some(s.clone());
            }
            let Option::Some(body) = s.definition() else { return Option::Some(s.clone()) };
            within.push(definition);
            let other = goes_on(&body, within, done);
            within.pop();
            if other.is_none() {
                done.insert(definition);
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
    s.form().parts().into_iter().find_map(|part| goes_on(part, within, done))
}
