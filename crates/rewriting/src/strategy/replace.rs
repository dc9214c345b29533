//! Replaces one rule of a strategy by another strategy, wherever the rule is used.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::data::{Form, Node, Strategy};
use super::scope::{Argument, Definition, Named};
use crate::rule::Rule;

impl Strategy {
    /// The same with another, closed strategy for each use of a rule, in copies of the definitions that it uses, too.
    pub fn replacing(&self, rule: &Rule, by: &Strategy) -> Strategy {
        Replacing { rule, by, parts: FxHashMap::default(), definitions: FxHashMap::default() }.strategy(self)
    }
}

struct Replacing<'a> {
    rule: &'a Rule,
    by: &'a Strategy,
    /// What became of parts, because these may be shared: each is gone through once.
    parts: FxHashMap<*const Node, Strategy>,
    definitions: FxHashMap<*const Definition, Rc<Definition>>,
}

impl Replacing<'_> {
    fn strategy(&mut self, s: &Strategy) -> Strategy {
        if let Some(known) = self.parts.get(&Rc::as_ptr(&s.0)) {
            return known.clone();
        }
        let new = match s.form() {
            Form::Rule(rule) if rule == self.rule => self.by.clone(),
            Form::Id | Form::Fail | Form::Rule(_) | Form::Match(_) | Form::Var(_) | Form::Free(_) => s.clone(),
            Form::Seq(a, b) => self.strategy(a).then(&self.strategy(b)),
            Form::Choice(a, b) => self.strategy(a).or(&self.strategy(b)),
            Form::Mu(x, s) => Strategy::new(Form::Mu(x.clone(), self.strategy(s))),
            Form::Unary(unary, s) => self.strategy(s).under(*unary),
            Form::Child(slot, s) => self.strategy(s).child(*slot),
            Form::At(path, s) => Strategy::new(Form::At(path.clone(), self.strategy(s))),
            Form::AtMatch(pattern, s) => self.strategy(s).at_match(pattern),
            Form::RepeatN(times, s) => self.strategy(s).repeat_n(*times),
            Form::RepeatUntil(pattern, s) => self.strategy(s).repeat_until(pattern),
            Form::Named(named) => self.named(named),
        };
        self.parts.insert(Rc::as_ptr(&s.0), new.clone());
        new
    }

    fn named(&mut self, named: &Named) -> Strategy {
        let arguments = named.arguments.iter().map(|argument| match argument {
            Argument::Strategy(s) => Argument::Strategy(self.strategy(s)),
            Argument::Text(text) => Argument::Text(text.clone()),
        });
        let arguments = arguments.collect();
        Strategy::named(&self.definition(&named.definition), arguments)
    }

    fn definition(&mut self, definition: &Rc<Definition>) -> Rc<Definition> {
        if let Some(known) = self.definitions.get(&Rc::as_ptr(definition)) {
            return known.clone();
        }
        let params: Vec<&str> = definition.params.iter().map(|name| name.as_str()).collect();
        let copy = Definition::within(definition.name.as_str(), &params, definition.imported);
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
