//! Gathers choices between rules into one operation, so that a node is looked at once for all of them.

use std::rc::Rc;

use crate::rule::{Focus, Miss, Rule, RuleChoice};
use redexter_language::term::Term;

use super::super::data::{NamedUse, Strategy, StrategyDefinition, StrategyForm};
use super::super::profile::Profiler;
use super::super::trace::StepPathTrie;
use super::names::{EnclosingNames, RuleCauses, Unfolding};

/// Rules that are tried in order, each with what its steps have in common.
pub(super) struct RuleAlternatives {
    pub(super) rules: RuleChoice,
    pub(super) causes: Vec<RuleCauses>,
}

impl RuleAlternatives {
    /// Tries the rules as [`RuleChoice::attempt`] does, within these names, and counts that.
    #[cold]
    pub(super) fn attempt(
        &self,
        focus: &Focus,
        (names, trie): (&EnclosingNames, &StepPathTrie),
        profiler: &mut Profiler,
    ) -> Result<(usize, Term), Miss> {
        let (mut from, mut last) = (profiler.now(), None);
        self.rules.attempt_each(focus, |number| {
            let cause = self.causes[number].cause(names, trie);
            profiler.tried(&cause.rule, &cause.within, last == Some(number), from);
            (from, last) = (profiler.now(), Some(number));
        })
    }
}

/// So many alternatives are put into one list.
const MAX_ALTERNATIVES: usize = 4_096;

/// The alternatives of a choice, from left to right: lists of rules, and other strategies between them. If asked for, without the
/// rules that change bits.
pub(super) fn choices(s: &Strategy, exact: bool) -> Vec<Result<RuleAlternatives, Strategy>> {
    let mut flat = FlatChoice { exact, ..FlatChoice::default() };
    match s.form() {
        // Taken apart by one level only, because its alternatives, counted as a tree, may be more than there is room for.
        StrategyForm::Choice(a, b) if s.is_vast() => flat.all.extend([Err(a.clone()), Err(b.clone())]),
        _ => flat.gather(s, &Rc::from([])),
    }
    let mut parts = Vec::new();
    let (mut rules, mut causes) = (Vec::new(), Vec::new());
    for one in flat.all {
        match one {
            Ok((rule, around)) => {
                causes.push(RuleCauses::new(&rule, around));
                rules.push(rule);
            }
            Err(other) => {
                close(&mut rules, &mut causes, &mut parts);
                parts.push(Err(other));
            }
        }
    }
    close(&mut rules, &mut causes, &mut parts);
    parts
}

fn close(rules: &mut Vec<Rule>, causes: &mut Vec<RuleCauses>, parts: &mut Vec<Result<RuleAlternatives, Strategy>>) {
    if !rules.is_empty() {
        let rules = RuleChoice::new(std::mem::take(rules));
        parts.push(Ok(RuleAlternatives { rules, causes: std::mem::take(causes) }));
    }
}

/// A rule and the definitions around it, or a strategy that is more than a choice of rules.
type Alternative = Result<(Rule, Rc<[Unfolding]>), Strategy>;

/// The alternatives of a choice in a row.
#[derive(Default)]
struct FlatChoice {
    /// Whether rules that change bits are left out.
    exact: bool,
    all: Vec<Alternative>,
    /// Definitions that are being looked into.
    open: Vec<*const StrategyDefinition>,
    /// Definitions that are more than choices of rules.
    mixed: Vec<*const StrategyDefinition>,
}

impl FlatChoice {
    /// Uses of definitions without parameters that are nothing but choices of rules count as these.
    fn gather(&mut self, s: &Strategy, around: &Rc<[Unfolding]>) {
        match s.form() {
            StrategyForm::Rule(rule) if self.exact && rule.refusal_of_bits().is_some() => {}
            StrategyForm::Rule(rule) => self.all.push(Ok((rule.clone(), around.clone()))),
            StrategyForm::Choice(a, b) if self.all.len() < MAX_ALTERNATIVES => {
                self.gather(a, around);
                self.gather(b, around);
            }
            StrategyForm::Named(named) if !self.look_into(named, around) => self.all.push(Err(s.clone())),
            StrategyForm::Named(_) => {}
            _ => self.all.push(Err(s.clone())),
        }
    }

    fn look_into(&mut self, named: &NamedUse, around: &Rc<[Unfolding]>) -> bool {
        let (before, own) = (self.all.len(), Rc::as_ptr(&named.definition));
        let Some(body) = named.definition.body() else { return false };
        // Without parameters, otherwise what it tries would hang on the use.
        let plain = named.definition.params.is_empty() && !body.is_vast() && before < MAX_ALTERNATIVES;
        // One that uses itself would have no end, and one that is known to be mixed need not be looked into again.
        if !plain || self.open.contains(&own) || self.mixed.contains(&own) {
            return false;
        }
        // The uses go along with each rule, so that its steps name the definitions that it was gathered out of.
        let inner = around.iter().cloned().chain([Unfolding::new(named)]).collect();
        self.open.push(own);
        self.gather(body, &inner);
        self.open.pop();
        if self.all[before..].iter().any(Result::is_err) {
            // It is run as a whole instead, so that what was gathered of it must go.
            self.all.truncate(before);
            self.mixed.push(own);
            return false;
        }
        true
    }
}
