//! Visits every part of a strategy once, definitions unfolded, for the analyses before a run.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::rule::Rule;

use super::data::{NamedUse, Strategy, StrategyForm, StrategyNode};
use super::unary::Unary;

/// So many uses of one definition are looked into, because one that uses itself with ever new arguments has no end of them.
const MAX_USES: usize = 8;

/// So many parts are gathered.
const MAX_PARTS: usize = 10_000;

/// A part and whether it stands under `force`.
pub(super) struct VisitedPart {
    pub(super) strategy: Strategy,
    pub(super) forced: bool,
}

/// The rules that occur in a strategy, definitions unfolded: each once, in the order in which they are written.
pub fn rules_in(strategy: &Strategy) -> Vec<Rule> {
    let mut found: Vec<Rule> = Vec::new();
    for rule in parts(strategy).iter().filter_map(|part| part.strategy.as_rule()) {
        if !found.contains(&rule) {
            found.push(rule);
        }
    }
    found
}

/// The rules that a strategy tries together, definitions unfolded: of each choice the alternatives that are rules, in their
/// order, where there are two or more.
pub fn choices_in(strategy: &Strategy) -> Vec<Vec<Rule>> {
    let mut found: Vec<Vec<Rule>> = Vec::new();
    for part in parts(strategy) {
        let rules: Vec<Rule> = alternatives(&part.strategy).iter().filter_map(Strategy::as_rule).collect();
        if rules.len() > 1 && !found.contains(&rules) {
            found.push(rules);
        }
    }
    found
}

/// Every part, outermost first, each object once; a definition's body once for each choice of arguments.
pub(super) fn parts(strategy: &Strategy) -> Vec<VisitedPart> {
    visited(strategy, true)
}

/// Every part that a user wrote, outermost first: of what a library defines the arguments alone.
pub(super) fn own_parts(strategy: &Strategy) -> Vec<VisitedPart> {
    visited(strategy, false)
}

fn visited(strategy: &Strategy, libraries: bool) -> Vec<VisitedPart> {
    let mut visit = PartVisitor { libraries, uses: Vec::new(), parts: Vec::new(), seen: FxHashSet::default() };
    visit.go(strategy, false);
    visit.parts
}

struct PartVisitor {
    /// Whether the definitions of libraries are unfolded.
    libraries: bool,
    uses: Vec<Strategy>,
    parts: Vec<VisitedPart>,
    /// The objects among them, and whether they stood under `force`. `parts` keeps all of them alive, so that no other object
    /// comes to have the address of one.
    seen: FxHashSet<(*const StrategyNode, bool)>,
}

impl PartVisitor {
    fn go(&mut self, s: &Strategy, forced: bool) {
        if self.parts.len() >= MAX_PARTS || !self.seen.insert((Rc::as_ptr(&s.0), forced)) {
            return;
        }
        self.parts.push(VisitedPart { strategy: s.clone(), forced });
        if let StrategyForm::Named(named) = s.form() {
            return self.unfold(s, named, forced);
        }
        let forced = forced || matches!(s.form(), StrategyForm::Unary(Unary::Force, _));
        s.form().parts().into_iter().for_each(|part| self.go(part, forced));
    }

    fn unfold(&mut self, s: &Strategy, named: &NamedUse, forced: bool) {
        let of_same =
            |u: &&Strategy| matches!(u.form(), StrategyForm::Named(n) if Rc::ptr_eq(&n.definition, &named.definition));
        // The same use again has the same body, so that it shows nothing new.
        if self.uses.contains(s) || self.uses.iter().filter(of_same).count() >= MAX_USES {
            return;
        }
        self.uses.push(s.clone());
        if named.definition.imported && !self.libraries {
            return named.strategies().for_each(|argument| self.go(argument, forced));
        }
        if let Some(body) = s.definition() {
            self.go(&body, forced);
        }
    }
}

/// The alternatives of a choice, from left to right; of a use of a definition, those of its body.
pub(super) fn alternatives(s: &Strategy) -> Vec<Strategy> {
    let mut found = Vec::new();
    gather(s, MAX_USES, &mut found);
    found
}

fn gather(s: &Strategy, fuel: usize, found: &mut Vec<Strategy>) {
    match (s.form(), fuel.checked_sub(1)) {
        _ if s.is_vast() || found.len() >= MAX_PARTS => found.push(s.clone()),
        (StrategyForm::Choice(a, b), _) => {
            gather(a, fuel, found);
            gather(b, fuel, found);
        }
        (StrategyForm::Named(_), Some(fuel)) => match s.definition() {
            Some(body) => gather(&body, fuel, found),
            None => found.push(s.clone()),
        },
        _ => found.push(s.clone()),
    }
}
