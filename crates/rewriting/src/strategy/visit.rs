//! Visits every part of a strategy once, definitions unfolded, for the analyses before a run.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::rule::Rule;
use redexter_language::ground::Name;

use super::data::{NamedUse, Strategy, StrategyDefinition, StrategyForm, StrategyNode};
use super::unary::Unary;

/// So many uses of one definition are looked into, because one that uses itself with ever new arguments has no end of them.
const MAX_USES: usize = 8;

/// So many parts are gathered.
const MAX_PARTS: usize = 10_000;

/// A part and what it stands under.
pub(super) struct VisitedPart {
    pub(super) strategy: Strategy,
    /// `force`
    pub(super) forced: bool,
    /// `exactly`: rules that change bits fail.
    pub(super) exact: bool,
}

impl VisitedPart {
    /// The rule that it is, if it is one that is tried.
    fn tried(&self) -> Option<Rule> {
        self.strategy.as_rule().filter(|rule| !self.exact || rule.refusal_of_bits().is_none())
    }
}

/// The rules that occur in a strategy, definitions unfolded: each once, in the order in which they are written.
pub fn rules_in(strategy: &Strategy) -> Vec<Rule> {
    each_tried(&parts(strategy))
}

/// Those of which it may leave a step behind, as it stands within `exactly` or not: what is only tested changes nothing.
pub(super) fn lasting_rules(strategy: &Strategy, exact: bool) -> Vec<Rule> {
    let mut visit = PartVisitor { lasting: true, ..PartVisitor::new(|_| true) };
    visit.go(strategy, (false, exact));
    each_tried(&visit.parts)
}

fn each_tried(parts: &[VisitedPart]) -> Vec<Rule> {
    let mut found: Vec<Rule> = Vec::new();
    for rule in parts.iter().filter_map(VisitedPart::tried) {
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
    visited(strategy, |_| true).parts
}

/// The same without the bodies of definitions that were found to end; and whether these are all.
pub(super) fn parts_that_may_not_end(strategy: &Strategy) -> (Vec<VisitedPart>, bool) {
    let visit = visited(strategy, |definition| !definition.ends());
    let all = visit.parts.len() < MAX_PARTS;
    (visit.parts, all)
}

/// Every part that a user wrote, outermost first: of what a library defines the arguments alone.
pub(super) fn own_parts(strategy: &Strategy) -> Vec<VisitedPart> {
    visited(strategy, |definition| !definition.imported).parts
}

fn visited(strategy: &Strategy, unfolds: fn(&StrategyDefinition) -> bool) -> PartVisitor {
    let mut visit = PartVisitor::new(unfolds);
    visit.go(strategy, (false, false));
    visit
}

struct PartVisitor {
    /// Whether a definition is unfolded.
    unfolds: fn(&StrategyDefinition) -> bool,
    /// Whether what is only tested is left out.
    lasting: bool,
    /// The uses that were unfolded, by the names of their definitions: equal ones have the same.
    uses: FxHashMap<Name, Vec<Strategy>>,
    parts: Vec<VisitedPart>,
    /// The objects among them, and whether they stood under `force` and `exactly`. `parts` keeps all of them alive, so that
    /// no other object comes to have the address of one.
    seen: FxHashSet<(*const StrategyNode, (bool, bool))>,
}

impl PartVisitor {
    fn new(unfolds: fn(&StrategyDefinition) -> bool) -> PartVisitor {
        let (uses, parts, seen) = (FxHashMap::default(), Vec::new(), FxHashSet::default());
        PartVisitor { unfolds, lasting: false, uses, parts, seen }
    }

    /// `under` says whether `force` and `exactly` stand around it.
    fn go(&mut self, s: &Strategy, under: (bool, bool)) {
        if self.parts.len() >= MAX_PARTS || !self.seen.insert((Rc::as_ptr(&s.0), under)) {
            return;
        }
        let (forced, exact) = under;
        self.parts.push(VisitedPart { strategy: s.clone(), forced, exact });
        let inner = match s.form() {
            StrategyForm::Named(named) => return self.unfold(s, named, under),
            StrategyForm::Unary(Unary::Where | Unary::Not, _) | StrategyForm::RepeatN(0, _) if self.lasting => return,
            StrategyForm::Unary(Unary::Force, _) => (true, exact),
            StrategyForm::Unary(Unary::Exactly, _) => (forced, true),
            StrategyForm::Unary(Unary::InReals, _) => (forced, false),
            _ => under,
        };
        s.form().parts().into_iter().for_each(|part| self.go(part, inner));
    }

    fn unfold(&mut self, s: &Strategy, named: &NamedUse, under: (bool, bool)) {
        let of_same =
            |u: &&Strategy| matches!(u.form(), StrategyForm::Named(n) if Rc::ptr_eq(&n.definition, &named.definition));
        // The same use again has the same body, so that it shows nothing new.
        let uses = self.uses.entry(named.definition.name.clone()).or_default();
        if uses.contains(s) || uses.iter().filter(of_same).count() >= MAX_USES {
            return;
        }
        uses.push(s.clone());
        if !(self.unfolds)(&named.definition) {
            return named.strategies().for_each(|argument| self.go(argument, under));
        }
        if let Some(body) = s.definition() {
            self.go(&body, under);
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
