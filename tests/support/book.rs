//! The rule book and the prelude, as tests use them.

use std::cell::RefCell;
use std::rc::Rc;

use redexter::check;
use redexter::ground::{Budget, Limits, Sources, Span};
use redexter::rule::{Checker, Functions, Pattern, Rule, RuleBook, define};
use redexter::syntax::parse_rule;

/// What rules and terms are read with.
pub struct World {
    sources: Rc<RefCell<Sources>>,
    checker: Checker,
    pub book: RuleBook,
}

impl World {
    pub fn new() -> World {
        let sources = Rc::new(RefCell::new(Sources::default()));
        let prelude = check::prelude(&sources, &Budget::default()).expect("the prelude checks");
        let checker: Checker = Rc::new({
            let sources = sources.clone();
            move |raw, reverse| check::laws(raw, reverse, &prelude, &sources.borrow(), &Budget::default())
        });
        let book = RuleBook::shipped(&mut sources.borrow_mut(), &Limits::default(), &checker).expect("the book reads");
        World { sources, checker, book }
    }

    /// A pattern, as `repeatUntil` takes it.
    pub fn pattern(&self, text: &str) -> Pattern {
        let rule = format!("pattern = `{text} --> {text}`");
        let id = self.sources.borrow_mut().add("<test>", rule.as_str());
        let raw = parse_rule(&self.sources.borrow(), Span::new(id, 0, rule.len()), &Limits::default());
        let laws = raw.and_then(|raw| (self.checker)(&raw, false));
        Pattern::new(text, &laws.unwrap_or_else(|wrong| panic!("{text}: {wrong:?}")))
    }

    /// A rule as users write them.
    pub fn own(&self, text: &str) -> Rule {
        let id = self.sources.borrow_mut().add("<test>", text);
        let raw = parse_rule(&self.sources.borrow(), Span::new(id, 0, text.len()), &Limits::default());
        let raw = raw.unwrap_or_else(|wrong| panic!("{text}: {wrong:?}"));
        let rules = define(raw, &self.sources.borrow(), &self.checker, Functions::default());
        Rule::new(rules.unwrap_or_else(|wrong| panic!("{text}: {wrong:?}"))[0].clone(), &[])
    }

    /// A rule of the book; one with a parameter at 1.
    pub fn rule(&self, name: &str) -> Rule {
        let info = self.book.iter().find(|info| info.name.as_str() == name).expect("a rule of the book");
        Rule::new(info.clone(), &vec![1; info.params.len()])
    }

    /// Every rule of the book; those with parameters at 1.
    pub fn rules(&self) -> Vec<Rule> {
        let rule = |info: &Rc<redexter::rule::RuleInfo>| Rule::new(info.clone(), &vec![1; info.params.len()]);
        self.book.iter().map(rule).collect()
    }
}
