//! The rules of a lesson alone.

use std::rc::Rc;

use crate::ground::{Budget, Diagnostic, Trouble};
use crate::rule::{Pattern, RuleInfo};
use crate::sound::Templates;
use crate::strategy;
use crate::walk::Owner;

/// An owner of a walk that knows only some of its rules.
pub(super) struct Only<'a> {
    pub(super) owner: &'a dyn Owner,
    pub(super) rules: &'a [Rc<RuleInfo>],
}

impl Owner for Only<'_> {
    fn budget(&self) -> Budget {
        self.owner.budget()
    }

    fn clock(&self) -> strategy::Clock {
        self.owner.clock()
    }

    fn warn(&self, finding: &Diagnostic) {
        self.owner.warn(finding);
    }

    fn pattern(&self, text: &str) -> Result<Pattern, Trouble> {
        self.owner.pattern(text)
    }

    fn rules(&self) -> Vec<Rc<RuleInfo>> {
        let mut rules = self.owner.rules();
        rules.retain(|info| self.rules.iter().any(|own| Rc::ptr_eq(own, info)));
        rules
    }

    fn imported(&self) -> Vec<(String, Rc<RuleInfo>)> {
        self.owner.imported()
    }

    fn templates(&self) -> &Templates {
        self.owner.templates()
    }
}
