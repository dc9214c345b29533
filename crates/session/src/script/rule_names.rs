//! Looks up the rules that a text may name: the user's, and those of the book that they don't shadow.

use std::collections::BTreeMap;
use std::rc::Rc;

use redexter_rewriting::rule::{RuleBook, RuleInfo};

/// Rules by name. A rule of the book is read when it is asked for. Cheap enough to clone.
#[derive(Clone)]
pub(crate) struct RuleNames {
    book: RuleBook,
    own: BTreeMap<String, Rc<RuleInfo>>,
}

impl RuleNames {
    pub fn new(book: &RuleBook) -> RuleNames {
        RuleNames { book: book.clone(), own: BTreeMap::new() }
    }

    pub fn get(&self, name: &str) -> Option<&Rc<RuleInfo>> {
        self.own.get(name).or_else(|| self.book.get(name))
    }

    pub fn contains(&self, name: &str) -> bool {
        self.params(name).is_some()
    }

    /// The number of parameters of the rule with this name.
    pub fn params(&self, name: &str) -> Option<usize> {
        self.own.get(name).map(|info| info.params.len()).or_else(|| self.book.params(name))
    }

    /// Every name with its number of parameters, in order.
    pub fn names(&self) -> BTreeMap<String, usize> {
        let book = self.book.names().map(|(name, params)| (name.to_string(), params));
        book.chain(self.own.iter().map(|(name, info)| (name.clone(), info.params.len()))).collect()
    }

    /// Every rule, in the order of the names.
    pub fn all(&self) -> Vec<Rc<RuleInfo>> {
        self.names().keys().filter_map(|name| self.get(name).cloned()).collect()
    }

    /// The user's, in the order of their names.
    pub fn own(&self) -> impl Iterator<Item = (&String, &Rc<RuleInfo>)> {
        self.own.iter()
    }

    pub fn insert(&mut self, info: Rc<RuleInfo>) {
        self.own.insert(info.name.to_string(), info);
    }

    /// Forgets a rule of the user's; one of the book that it shadowed is there again.
    pub fn remove(&mut self, name: &str) {
        self.own.remove(name);
    }
}
