//! The rule book and the prelude, as tests use them.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use redexter::check::{self, Model};
use redexter::ground::{Budget, Limits, Sources, Span, Trouble};
use redexter::rule::{Checker, ConditionFunctions, Pattern, Rule, RuleBook, RuleInfo, define};
use redexter::sound::Templates;
use redexter::syntax::raw::{RawInPlace, RawRule};
use redexter::syntax::{parse_in_place, parse_rule, parse_term};
use redexter::term::Program;

/// What rules and terms are read with.
pub struct World {
    pub sources: Rc<RefCell<Sources>>,
    pub prelude: Rc<Model>,
    pub checker: Checker,
    pub book: RuleBook,
    templates: OnceCell<Templates>,
}

impl World {
    pub fn new() -> World {
        let sources = Rc::new(RefCell::new(Sources::default()));
        let prelude = check::prelude(&sources);
        let checker: Checker = Rc::new({
            let (sources, prelude) = (sources.clone(), prelude.clone());
            move |raw, reverse| check::laws(raw, reverse, &prelude, &sources.borrow(), &Budget::default())
        });
        let book = RuleBook::shipped(&mut sources.borrow_mut(), &checker);
        World { sources, prelude, checker, book, templates: OnceCell::new() }
    }

    /// What rules are tested on that have no pattern.
    pub fn templates(&self) -> &Templates {
        self.templates.get_or_init(|| {
            let mut sources = self.sources.borrow_mut();
            Templates::new(&self.book, &mut sources, Limits::default(), &self.checker)
        })
    }

    fn region(&self, text: &str) -> Span {
        let id = self.sources.borrow_mut().add("<test>", text);
        Span::new(id, 0, text.len())
    }

    pub fn term(&self, text: &str) -> Program {
        let region = self.region(text);
        let raw = parse_term(&self.sources.borrow(), region, &Budget::default());
        let checked = raw.and_then(|raw| check::term(&raw, &self.prelude, &Budget::default()));
        checked.unwrap_or_else(|wrong| panic!("{text}: {wrong:?}"))
    }

    /// A pattern, as strategies take it.
    pub fn pattern(&self, text: &str) -> Pattern {
        let region = self.region(text);
        let raw = parse_in_place(&self.sources.borrow(), region, &Budget::default());
        let Ok(RawInPlace::Pattern(pattern)) = raw else { panic!("{text}: {raw:?}") };
        let laws = (self.checker)(&RawRule::of_pattern(&pattern), false);
        Pattern::new(text, &laws.unwrap_or_else(|wrong| panic!("{text}: {wrong:?}")))
    }

    /// The rules that a statement of a user defines; its conditions may ask these functions.
    pub fn define(&self, text: &str, functions: ConditionFunctions) -> Result<Vec<Rc<RuleInfo>>, Trouble> {
        let region = self.region(text);
        let raw = parse_rule(&self.sources.borrow().get(region.source).text, region, &Budget::default())?;
        define(raw, &self.sources.borrow().get(region.source).text, &self.checker, functions)
    }

    /// A rule as users write them.
    pub fn own(&self, text: &str) -> Rc<RuleInfo> {
        let rules = self.define(text, ConditionFunctions::default());
        rules.unwrap_or_else(|wrong| panic!("{text}: {wrong:?}"))[0].clone()
    }

    /// A rule of the book; one with a parameter at 1.
    pub fn rule(&self, name: &str) -> Rule {
        at_one(self.book.iter().find(|info| info.name.as_str() == name).expect("a rule of the book"))
    }

    /// Every rule of the book; those with parameters at 1.
    pub fn rules(&self) -> Vec<Rule> {
        self.book.iter().map(at_one).collect()
    }
}

/// The rule with every parameter at 1.
pub fn at_one(info: &Rc<RuleInfo>) -> Rule {
    Rule::new(info.clone(), &vec![1; info.params.len()])
}
