//! Replaces one rule of a strategy by another strategy, wherever the rule is used.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::data::{Strategy, StrategyForm, StrategyNode};
use super::scope::{NamedUse, StrategyArgument, StrategyDefinition};
use crate::rule::Rule;

impl Strategy {
    /// The same with another, closed strategy for each use of a rule, in copies of the definitions that it uses, too.
    pub fn replacing(&self, rule: &Rule, by: &Strategy) -> Strategy {
        RuleReplacer { rule, by, parts: FxHashMap::default(), definitions: FxHashMap::default() }.strategy(self)
    }
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
            StrategyForm::Id
            | StrategyForm::Fail
            | StrategyForm::Rule(_)
            | StrategyForm::Match(_)
            | StrategyForm::Var(_)
            | StrategyForm::Free(_) => s.clone(),
            StrategyForm::Seq(a, b) => self.strategy(a).then(&self.strategy(b)),
            StrategyForm::Choice(a, b) => self.strategy(a).or(&self.strategy(b)),
            StrategyForm::Mu(x, s) => Strategy::new(StrategyForm::Mu(x.clone(), self.strategy(s))),
            StrategyForm::Unary(unary, s) => self.strategy(s).under(*unary),
            StrategyForm::Child(slot, s) => self.strategy(s).child(*slot),
            StrategyForm::At(path, s) => Strategy::new(StrategyForm::At(path.clone(), self.strategy(s))),
            StrategyForm::AtMatch(pattern, s) => self.strategy(s).at_match(pattern),
            StrategyForm::RepeatN(times, s) => self.strategy(s).repeat_n(*times),
            StrategyForm::RepeatUntil(pattern, s) => self.strategy(s).repeat_until(pattern),
            StrategyForm::Named(named) => self.named(named),
        };
        self.parts.insert(Rc::as_ptr(&s.0), new.clone());
        new
    }

    fn named(&mut self, named: &NamedUse) -> Strategy {
        let arguments = named.arguments.iter().map(|argument| match argument {
            StrategyArgument::Strategy(s) => StrategyArgument::Strategy(self.strategy(s)),
            StrategyArgument::Text(text) => StrategyArgument::Text(text.clone()),
        });
        let arguments = arguments.collect();
        Strategy::named(&self.definition(&named.definition), arguments)
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
