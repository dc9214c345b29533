//! Collects the rules and strategies of the user that a strategy needs, as statements that define them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::script::ImportedLibrary;
use redexter_language::ground::text::{call, in_word, listed};
use redexter_rewriting::rule::{Exactness, Rule, RuleBody, RuleInfo, RuleOrigin};
use redexter_rewriting::strategy::{
    NamedUse, Strategy, StrategyArgument, StrategyDefinition, StrategyForm, whole_text,
};

/// The definitions of a session that the functions in rules may mention.
pub struct DefinitionContext {
    /// The user's functions with their definitions.
    pub functions: BTreeMap<String, String>,
    /// Names of the user's whose meaning isn't written down: variables, strategies and rules.
    pub open: BTreeSet<String>,
    /// What is imported.
    pub imported: Vec<ImportedLibrary>,
}

/// Definitions in an order in which they can be read.
pub struct Prerequisites<'a> {
    /// Names and what defines them: nothing, where they are there from the start.
    pub found: Vec<(String, String)>,
    seen: Vec<(Rc<StrategyDefinition>, String)>,
    around: &'a DefinitionContext,
}

impl<'a> Prerequisites<'a> {
    pub fn new(around: &'a DefinitionContext) -> Prerequisites<'a> {
        Prerequisites { found: Vec::new(), seen: Vec::new(), around }
    }

    /// Gathers what a strategy needs. None where that can't be written down.
    pub fn strategy(&mut self, strategy: &Strategy) -> Option<()> {
        strategy.distinct().iter().try_for_each(|part| match part.form() {
            StrategyForm::Rule(rule) => self.rule(rule),
            StrategyForm::Named(named) => self.named(named),
            _ => Some(()),
        })
    }

    /// Gathers what a rule needs: itself, if it is the user's.
    pub fn rule(&mut self, rule: &Rule) -> Option<()> {
        let info = rule.info();
        if info.is_in_place() {
            return Some(());
        }
        let name = info.name.as_str();
        let both_ways = name.strip_suffix(".reverse").unwrap_or(name);
        let own = |library: &ImportedLibrary| library.rules.iter().any(|rule| std::ptr::eq(&**rule, info));
        if let Some(library) = self.library(both_ways, own) {
            return self.import(library);
        }
        if info.origin != RuleOrigin::User {
            return self.add(both_ways, String::new());
        }
        let computed = matches!(info.body, RuleBody::Computed(_)).then_some(&info.laws);
        for code in computed.into_iter().flatten() {
            self.code(code, both_ways, true)?;
        }
        for condition in &info.conditions {
            self.code(condition, both_ways, condition.contains('|'))?;
        }
        self.add(both_ways, rule_statement(both_ways, info))
    }

    /// Gathers the functions that a part of a script mentions. None where it mentions what can't be written down, if its
    /// names are the script's and not a law's.
    fn code(&mut self, code: &str, within: &str, own: bool) -> Option<()> {
        for word in code.split(|c| !in_word(c)).filter(|word| *word != within) {
            if own && self.around.open.contains(word) {
                return None;
            }
            if let Some(definition) = self.around.functions.get(word)
                && !self.found.iter().any(|(name, _)| name == word)
            {
                self.add(word, definition.clone())?;
                self.code(definition, word, true)?;
            }
        }
        Some(())
    }

    fn named(&mut self, named: &NamedUse) -> Option<()> {
        let definition = &named.definition;
        let own = |library: &ImportedLibrary| library.definitions.iter().any(|known| Rc::ptr_eq(known, definition));
        if let Some(library) = self.library(definition.name.as_str(), own) {
            return self.import(library);
        }
        if named.arguments.iter().any(|a| matches!(a, StrategyArgument::Text(_))) {
            return None;
        }
        if self.seen.iter().any(|(d, _)| Rc::ptr_eq(d, definition)) {
            return Some(());
        }
        let name = definition.name.to_string();
        if self.seen.iter().any(|(_, n)| *n == name) {
            return None;
        }
        self.seen.push((definition.clone(), name.clone()));
        self.strategy(definition.body()?)?;
        self.add(&name, strategy_statement(definition)?)
    }

    /// The library that gives this name and owns what it stands for.
    fn library(&self, name: &str, own: impl Fn(&ImportedLibrary) -> bool) -> Option<&'a ImportedLibrary> {
        let all = &self.around.imported;
        all.iter().find(|library| library.names.iter().any(|given| given == name) && own(library))
    }

    /// Imports a library, which takes all of its names.
    fn import(&mut self, library: &ImportedLibrary) -> Option<()> {
        library.names.iter().try_for_each(|name| self.add(name, library.statement.clone()))
    }

    /// None if the name stands for something else already.
    fn add(&mut self, name: &str, statement: String) -> Option<()> {
        match self.found.iter().find(|(n, _)| n == name) {
            Some((_, known)) if *known != statement => return None,
            Some(_) => {}
            None => self.found.push((name.to_owned(), statement)),
        }
        Some(())
    }
}

/// A strategy of more characters isn't written down.
const MAX_CHARACTERS: usize = 1_000_000;

/// A strategy as it can be read again, if it isn't too long.
pub fn written(strategy: &Strategy) -> Option<String> {
    whole_text(strategy, MAX_CHARACTERS, &mut || Ok(())).ok()
}

/// `strategy name(a, b) = body;`, with a use of a definition without arguments in the place of each parameter.
fn strategy_statement(definition: &Rc<StrategyDefinition>) -> Option<String> {
    let stand_in =
        |p: &redexter_language::ground::Name| Strategy::named(&StrategyDefinition::new(p.as_str(), &[]), Vec::new());
    let arguments = definition.params.iter().map(|p| StrategyArgument::Strategy(stand_in(p))).collect();
    let body = Strategy::named(definition, arguments).definition()?;
    Some(format!("strategy {} = {};", call(&definition.name, &definition.params), written(&body)?))
}

fn rule_statement(name: &str, info: &RuleInfo) -> String {
    let head = call(name, &info.params);
    if let RuleBody::Computed(_) = info.body {
        let unchecked = if info.unchecked { " unchecked" } else { "" };
        return format!("rule {head} = {}{unchecked};", info.laws.join(", "));
    }
    let mut statement = format!("rule {head} = {}", listed(info.laws.iter().map(|law| format!("`{law}`"))));
    if !info.conditions.is_empty() {
        statement.push_str(&format!(" where {}", info.conditions.join(", ")));
    }
    if info.exactness != Exactness::Exact {
        statement.push_str(&format!(" {}", info.exactness));
    }
    if info.unchecked {
        statement.push_str(" unchecked");
    }
    statement.push(';');
    statement
}
