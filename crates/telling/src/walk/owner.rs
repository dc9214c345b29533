//! Asks the owner of a walk for what a walk doesn't have: limits, a clock, patterns and rules.

use std::rc::Rc;

use redexter_language::ground::{Budget, Diagnostic, Span, TextPlace, Trouble};
use redexter_rewriting::redex::{RuleFamily, named};
use redexter_rewriting::rule::{Pattern, RuleInfo};
use redexter_rewriting::sound::Templates;
use redexter_rewriting::strategy::ProfileClock;

/// The owner of a walk, which gives it limits, a clock, patterns and rules.
pub trait WalkOwner {
    /// A fresh budget with the current limits, for one run.
    fn budget(&self) -> Budget;

    /// The clock by which times are taken.
    fn clock(&self) -> ProfileClock;

    /// A finding that ends nothing.
    fn warn(&self, finding: &Diagnostic);

    /// What a place in a text is called.
    fn place(&self, span: Span) -> TextPlace;

    /// A pattern from its text, without its backticks.
    fn pattern(&self, text: &str) -> Result<Pattern, Trouble>;

    /// The rules that there are: the book's, users' and imported ones.
    fn rules(&self) -> Vec<Rc<RuleInfo>>;

    /// The names by which strategies are typed, with those of stages behind a dot.
    fn strategies(&self) -> Vec<String>;

    /// The imported ones, with the names by which they are typed, such as `lib.squash`.
    fn imported(&self) -> Vec<(String, Rc<RuleInfo>)>;

    /// The templates of terms that rules are tested on.
    fn templates(&self) -> &Templates;
}

/// The rule that is written so, maybe an imported one.
pub(crate) fn family(written: &str, owner: &dyn WalkOwner) -> Result<RuleFamily, Diagnostic> {
    let bare = written.split('(').next().unwrap_or(written).trim();
    match owner.imported().into_iter().find(|(name, _)| name == bare) {
        Some((_, info)) => named(&written.replacen(bare, info.name.as_str(), 1), &[info]),
        None => named(written, &owner.rules()),
    }
}
