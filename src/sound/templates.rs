//! Terms for rules that can't be tested by their pattern alone: left sides in the notation of rules, from which instances are grown.
//!
//! A native rule has no pattern, and the pattern of a rule that asks about its place says too little. Under its name, or
//! for a native family under a longer name that begins with it, `templates.strat` has laws whose left sides are worth
//! trying; their right sides say nothing. The rule then is tried everywhere in the instance.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::check::Law;
use crate::ground::{Limits, Sources, Trouble};
use crate::rule::{Body, Checker, Example, RuleInfo, example};
use crate::syntax::parse_rule_book;
use crate::syntax::raw::RawRule;

/// Left sides by the name of the rule.
pub struct Templates {
    rules: Vec<Template>,
    checker: Checker,
}

struct Template {
    raw: RawRule,
    typed: OnceCell<Vec<Law>>,
}

impl Templates {
    /// Reads those that are built in; the text is added to `sources`, which the checker must know.
    pub fn shipped(sources: &mut Sources, limits: &Limits, checker: &Checker) -> Result<Templates, Trouble> {
        let id = sources.add("<templates>", include_str!("templates.strat"));
        let all = parse_rule_book(sources, id, limits)?;
        let rules = all.into_iter().map(|(_, raw)| Template { raw, typed: OnceCell::new() }).collect();
        Ok(Templates { rules, checker: checker.clone() })
    }

    /// The names that they stand under.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.rules.iter().map(|template| template.raw.name.name.as_str())
    }

    /// A rule at work: on an instance of its own laws, or else of the left sides that it is tested on.
    pub fn example(&self, info: &Rc<RuleInfo>) -> Result<Option<Example>, Trouble> {
        let name = info.name.as_str();
        Ok(match &info.body {
            Body::Laws(laws) => example(info, laws.iter()?.chain(self.of(name, false)?)),
            Body::Native(_) | Body::Counted(_) => example(info, self.of(name, true)?),
            Body::Computed(_) => example(info, self.of("", true)?),
        })
    }

    /// Those for a rule of this name, and for a family also those of its members. Typed now if they weren't.
    pub(super) fn of(&self, name: &str, family: bool) -> Result<Vec<&Law>, Trouble> {
        let mut all = Vec::new();
        let fits = |known: &str| known == name || (family && known.starts_with(name));
        for template in self.rules.iter().filter(|t| fits(t.raw.name.name.as_str())) {
            if template.typed.get().is_none() {
                let laws = (self.checker)(&template.raw, false)?;
                template.typed.get_or_init(|| laws);
            }
            all.extend(template.typed.get().into_iter().flatten());
        }
        Ok(all)
    }
}
