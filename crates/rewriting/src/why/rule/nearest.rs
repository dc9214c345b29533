//! Finds the places where a rule nearly applies, and what is in the way there.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{MAX_NEAREST, NearMatch, applying};
use crate::redex::{RuleFamily, site};
use crate::rule::{Focus, Frame, Rule, RuleExplanation, RuleMismatch};
use redexter_language::ground::order::InOrder;
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{Path, Program, Term};

/// How near the rule comes at a place.
type Nearness = (u64, usize, usize);

/// Looks at places one after another.
pub(super) struct NearMatchSurvey<'a> {
    family: &'a RuleFamily,
    program: &'a Program,
    budget: &'a Budget,
    named: Vec<NearMatch>,
    /// The nearest places, the best first.
    best: Vec<(Nearness, NearMatch)>,
    /// What is in the way at a node, wherever it stands.
    known: FxHashMap<u128, String>,
    counts: BTreeMap<String, usize>,
    apart: usize,
    tried: u64,
}

impl<'a> NearMatchSurvey<'a> {
    pub(super) fn new(family: &'a RuleFamily, program: &'a Program, budget: &'a Budget) -> NearMatchSurvey<'a> {
        NearMatchSurvey {
            family,
            program,
            budget,
            named: Vec::new(),
            best: Vec::new(),
            known: FxHashMap::default(),
            counts: BTreeMap::new(),
            apart: 0,
            tried: 0,
        }
    }

    pub(super) fn tried(&self) -> u64 {
        self.tried
    }

    /// The nearest places, what is in the way at the others, and how many have another constructor.
    pub(super) fn done(self) -> (Vec<NearMatch>, Vec<(String, usize)>, usize) {
        let mut counts = self.counts;
        // The nearest places are told in full, so that they mustn't count among the others.
        for (_, near) in &self.best {
            if let Some(count) = counts.get_mut(&near.explanation.mismatch.brief()) {
                *count = count.saturating_sub(1);
            }
        }
        let mut others: Vec<(String, usize)> = counts.into_iter().filter(|(_, count)| *count > 0).collect();
        others.order_by_key(|(_, count)| Reverse(*count));
        let best = self.best.into_iter().map(|(_, near)| near);
        let nearest = self.named.into_iter().chain(best).take(MAX_NEAREST).collect();
        (nearest, others, self.apart)
    }

    /// Looks at one place, whatever stands there.
    pub(super) fn place(&mut self, path: &Path) -> Result<(), StopReason> {
        let Some((context, term)) = site(&self.program.term, path) else { return Ok(()) };
        let focus = Focus::new(&term, &context, &self.program.bounds);
        let near = self.near(&focus, path)?;
        self.named.extend(near);
        Ok(())
    }

    /// Looks at all places there and below.
    pub(super) fn below(&mut self, path: &Path) -> Result<(), StopReason> {
        let Some((mut context, term)) = site(&self.program.term, path) else { return Ok(()) };
        self.go(&term, &mut context, &mut path.clone())
    }

    fn go(&mut self, term: &Term, context: &mut Vec<Frame>, path: &mut Path) -> Result<(), StopReason> {
        self.budget.tick()?;
        self.look(&Focus::new(term, context, &self.program.bounds), path)?;
        for (kid, below) in term.kids().into_iter().enumerate() {
            context.push(Frame { term: term.clone(), kid });
            path.0.push(kid as u32);
            let looked = self.go(&below, context, path);
            path.0.pop();
            context.pop();
            looked?;
        }
        Ok(())
    }

    fn look(&mut self, focus: &Focus, path: &Path) -> Result<(), StopReason> {
        if self.named.iter().any(|near| near.path == *path) {
            return Ok(());
        }
        if !self.rule().footprint().may_apply_to(focus.term) {
            self.apart += 1;
            return Ok(());
        }
        let key = focus.term.fingerprint();
        if let Some(brief) = self.known.get(&key) {
            *self.counts.entry(brief.clone()).or_default() += 1;
            return Ok(());
        }
        self.tried += 1;
        let Some(explanation) = self.rule().explain(focus)? else { return Ok(()) };
        let (nearness, brief) = (explanation.nearness(), explanation.mismatch.brief());
        *self.counts.entry(brief.clone()).or_default() += 1;
        // What a form is behind hangs on what stands around, so that such a mismatch isn't remembered for equal nodes.
        if !self.family.is_placed() && !matches!(explanation.mismatch, RuleMismatch::Form(_)) {
            self.known.insert(key, brief);
        }
        let told = |(other, near): &(Nearness, NearMatch)| *other == nearness && near.term.fingerprint() == key;
        let at = self.best.partition_point(|(other, _)| *other >= nearness);
        if at < MAX_NEAREST && !self.best.iter().any(told) {
            let near = self.told(explanation, focus, path)?;
            self.best.insert(at, (nearness, near));
            self.best.truncate(MAX_NEAREST);
        }
        Ok(())
    }

    /// The rule; of several choices of arguments, that with the largest.
    fn rule(&self) -> Rule {
        let rules = self.family.rules();
        rules[rules.len() - 1].clone()
    }

    fn near(&mut self, focus: &Focus, path: &Path) -> Result<Option<NearMatch>, StopReason> {
        self.tried += 1;
        let Some(explanation) = self.rule().explain(focus)? else { return Ok(None) };
        self.told(explanation, focus, path).map(Some)
    }

    fn told(&mut self, explanation: RuleExplanation, focus: &Focus, path: &Path) -> Result<NearMatch, StopReason> {
        let other = self.with_other_arguments(&explanation, focus)?;
        Ok(NearMatch { rule: self.rule(), path: path.clone(), term: focus.term.clone(), explanation, other })
    }

    /// The rule with other arguments, small ones first, or with a number that a condition has seen.
    fn with_other_arguments(
        &mut self,
        explanation: &RuleExplanation,
        focus: &Focus,
    ) -> Result<Option<Rule>, StopReason> {
        let rule = self.rule();
        if rule.arguments().is_empty() {
            return Ok(None);
        }
        let info = rule.shared();
        let all = RuleFamily::of(&info);
        self.tried += all.rules().len() as u64;
        if let Some(small) = applying(&all, focus)? {
            return Ok(Some(small));
        }
        let RuleMismatch::Condition(facts) = &explanation.mismatch else { return Ok(None) };
        for number in facts.literals() {
            self.tried += 1;
            let other = Rule::new(info.clone(), &vec![number; rule.arguments().len()]);
            if let Some(fitting) = applying(&RuleFamily::from(&other), focus)? {
                return Ok(Some(fitting));
            }
        }
        Ok(None)
    }
}
