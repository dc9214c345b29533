//! What native rules work on: left sides in the notation of rules, from which instances are grown.
//!
//! A native rule has no pattern. Under its name, or a longer name that begins with it, `templates.strat` has laws whose
//! left sides are worth trying; their right sides say nothing. The rule then is tried everywhere in the instance.

use std::cell::OnceCell;

use crate::ground::{Limits, Sources, Trouble};
use crate::rule::{Checker, CompiledLaw};
use crate::syntax::parse_rule_book;
use crate::syntax::raw::RawRule;

/// Left sides by the name of the rule.
pub struct Templates {
    rules: Vec<Template>,
    checker: Checker,
}

struct Template {
    raw: RawRule,
    typed: OnceCell<Vec<CompiledLaw>>,
}

impl Templates {
    /// Reads those that are built in; the text is added to `sources`, which the checker must know.
    pub fn shipped(sources: &mut Sources, limits: &Limits, checker: &Checker) -> Result<Templates, Trouble> {
        let id = sources.add("<templates>", include_str!("templates.strat"));
        let all = parse_rule_book(sources, id, limits)?;
        let rules = all.into_iter().map(|(_, raw)| Template { raw, typed: OnceCell::new() }).collect();
        Ok(Templates { rules, checker: checker.clone() })
    }

    /// Those for a rule of this name, typed now if they weren't.
    pub(super) fn of(&self, name: &str) -> Result<Vec<&CompiledLaw>, Trouble> {
        let mut all = Vec::new();
        for template in self.rules.iter().filter(|t| t.raw.name.name.as_str().starts_with(name)) {
            if template.typed.get().is_none() {
                let laws = (self.checker)(&template.raw, false)?;
                let compiled = laws.iter().map(|law| CompiledLaw::new(law, Vec::new())).collect();
                template.typed.get_or_init(|| compiled);
            }
            all.extend(template.typed.get().into_iter().flatten());
        }
        Ok(all)
    }
}
