//! Replaces one rule of a strategy by another strategy, wherever the rule is used.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::data::{NamedUse, Strategy, StrategyDefinition, StrategyForm, StrategyNode};
use crate::rule::Rule;

/// A strategy with another, closed one for each use of a rule, in copies of the definitions that it uses, too.
pub fn replacing(strategy: &Strategy, rule: &Rule, by: &Strategy) -> Strategy {
    RuleReplacer { rule, by, parts: FxHashMap::default(), definitions: FxHashMap::default() }.strategy(strategy)
}

struct RuleReplacer<'a> {
    rule: &'a Rule,
    by: &'a Strategy,
    /// What became of parts, because these may be shared: each is gone through once.
    parts: FxHashMap<*const StrategyNode, Strategy>,
    definitions: FxHashMap<*const StrategyDefinition, Rc<StrategyDefinition>>,
}

impl RuleReplacer<'_> {
    fn strategy(&mut self, s: &Strategy) -> Strategy {
        if let Some(known) = self.parts.get(&Rc::as_ptr(&s.0)) {
            return known.clone();
        }
        let new = match s.form() {
            StrategyForm::Rule(rule) if rule == self.rule => self.by.clone(),
            StrategyForm::Named(named) => {
                let definition = self.definition(&named.definition);
                let named = NamedUse { definition, ..named.clone() };
                Strategy::new(StrategyForm::Named(named).with_parts(&mut |part, _| self.strategy(part)))
            }
            leaf if leaf.parts().is_empty() => s.clone(),
            form => Strategy::new(form.with_parts(&mut |part, _| self.strategy(part))),
        };
        self.parts.insert(Rc::as_ptr(&s.0), new.clone());
        new
    }

    fn definition(&mut self, definition: &Rc<StrategyDefinition>) -> Rc<StrategyDefinition> {
        if let Some(known) = self.definitions.get(&Rc::as_ptr(definition)) {
            return known.clone();
        }
        let params: Vec<&str> = definition.params.iter().map(|name| name.as_str()).collect();
        let copy = StrategyDefinition::within(definition.name.as_str(), &params, definition.imported);
        // Known before its body is, because the body may use it.
        self.definitions.insert(Rc::as_ptr(definition), copy.clone());
        if let Some(body) = definition.body() {
            let body = self.strategy(body);
            // No serial numbers, since the parameters are bound in a body that was set already.
            copy.set(&[], &body);
        }
        copy
    }
}
