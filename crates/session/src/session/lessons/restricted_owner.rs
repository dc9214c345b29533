//! Restricts questions in a lesson to its rules: `:possible` lists no others, `:why-not` of one of them proposes no others.

use std::rc::Rc;

use redexter_language::ground::{Budget, Diagnostic, Span, TextPlace, Trouble};
use redexter_rewriting::rule::{Pattern, RuleInfo};
use redexter_rewriting::sound::Templates;
use redexter_rewriting::strategy;
use redexter_telling::walk::WalkOwner;

/// An owner of a walk that knows only some of its rules.
pub(super) struct RestrictedOwner<'a> {
    pub(super) owner: &'a dyn WalkOwner,
    pub(super) rules: &'a [Rc<RuleInfo>],
}

impl WalkOwner for RestrictedOwner<'_> {
    fn budget(&self) -> Budget {
        self.owner.budget()
    }

    fn clock(&self) -> strategy::ProfileClock {
        self.owner.clock()
    }

    fn warn(&self, finding: &Diagnostic) {
        self.owner.warn(finding);
    }

    fn place(&self, span: Span) -> TextPlace {
        self.owner.place(span)
    }

    fn pattern(&self, text: &str) -> Result<Pattern, Trouble> {
        self.owner.pattern(text)
    }

    fn rules(&self) -> Vec<Rc<RuleInfo>> {
        let mut rules = self.owner.rules();
        rules.retain(|info| self.rules.iter().any(|own| Rc::ptr_eq(own, info)));
        rules
    }

    fn strategies(&self) -> Vec<String> {
        self.owner.strategies()
    }

    fn imported(&self) -> Vec<(String, Rc<RuleInfo>)> {
        self.owner.imported()
    }

    fn templates(&self) -> &Templates {
        self.owner.templates()
    }
}
