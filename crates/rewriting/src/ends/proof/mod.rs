//! Proves that no order of some rules goes on for ever, from their laws alone: conditions are left out, since what fewer steps
//! do ends all the more, except that they may say of a variable that it is a number, or none.
//!
//! `encoded` writes laws as terms of the first order, `counts` takes away those that lower a count which no other raises, and
//! `path_order` orders what is left.

mod counts;
mod encoded;
mod path_order;

use crate::rule::{Rule, RuleBody};
use counts::{Weights, counted};
use encoded::{EncodedLaw, Symbols, encoded};
use path_order::{ChildOrder, path_order};
use redexter_language::ground::{Budget, StopReason};

/// A proof that the laws of some rules end, or as much of one as was found.
#[derive(Clone, Debug, Default)]
pub struct LawProof {
    /// What takes the laws, one after another.
    pub steps: Vec<ProofStep>,
    /// The rules whose right sides put terms into a body, as substitutions do: they aren't looked at.
    pub set_aside: Vec<String>,
    /// The rules with a law that no count and no path order takes.
    pub open: Vec<String>,
}

/// A part of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofStep {
    /// These rules lower a count, and none of the rules that weren't taken before raises it.
    Count {
        /// What is counted: constructors with their weights; all nodes where there are none.
        of: Vec<(String, u64)>,
        /// The rules.
        rules: Vec<String>,
    },
    /// The left sides of these rules are above their right sides in a path order.
    PathOrder {
        /// Which constructors stand above which.
        above: Vec<(String, String)>,
        /// Which constructors stand on one level.
        level: Vec<(String, String)>,
        /// The constructors whose children are compared from the right.
        from_right: Vec<String>,
        /// Those of which the last child is compared first, then the others from the left.
        last_first: Vec<String>,
        /// The rules.
        rules: Vec<String>,
    },
}

impl LawProof {
    /// Whether it takes every law.
    pub fn is_whole(&self) -> bool {
        self.open.is_empty() && self.set_aside.is_empty()
    }

    /// Whether there is something that it takes, and it takes all laws but those of substitutions.
    pub fn takes_the_rest(&self) -> bool {
        self.open.is_empty() && !self.steps.is_empty()
    }
}

/// What is proved of rules that are written as laws; others are left out.
pub fn proof(rules: &[Rule], budget: &Budget) -> Result<LawProof, StopReason> {
    let ProofAttempt { proof, open } = attempt(rules, budget)?;
    Ok(LawProof { open: open.to_blame(rules, budget)?, ..proof })
}

/// A proof that says of all laws that are left where no order takes them all that they are in the way.
pub(super) struct ProofAttempt {
    pub(super) proof: LawProof,
    pub(super) open: OpenLaws,
}

/// The laws that no order takes together.
pub(super) struct OpenLaws {
    laws: Vec<EncodedLaw>,
    symbols: usize,
}

pub(super) fn attempt(rules: &[Rule], budget: &Budget) -> Result<ProofAttempt, StopReason> {
    let (mut found, mut symbols, mut laws) = (LawProof::default(), Symbols::default(), Vec::new());
    for (k, rule) in rules.iter().enumerate() {
        budget.tick()?;
        let RuleBody::Laws(own) = &rule.info().body else { continue };
        let own = own.typed().unwrap_or_default();
        let all: Option<Vec<EncodedLaw>> = own.iter().map(|law| encoded(law, k, &mut symbols)).collect();
        match all {
            Some(all) => laws.extend(all),
            None => found.set_aside.push(rule.to_string()),
        }
    }
    let (steps, mut rest) = counted(laws, symbols.count());
    for (weights, taken) in steps {
        let of = match weights {
            Weights::Nodes => Vec::new(),
            Weights::Of(all) => {
                all.iter().map(|(symbol, weight)| (symbols.name(*symbol), weight.unsigned_abs())).collect()
            }
        };
        found.steps.push(ProofStep::Count { of, rules: names(taken.iter(), rules) });
    }
    let all: Vec<&EncodedLaw> = rest.iter().collect();
    let order = if rest.is_empty() { None } else { path_order(&all, symbols.count(), budget)? };
    if let Some(order) = order {
        let name = |symbol: usize| symbols.name(symbol);
        let named = |pairs: Vec<(usize, usize)>| pairs.into_iter().map(|(f, g)| (name(f), name(g))).collect();
        found.steps.push(ProofStep::PathOrder {
            above: named(order.pairs()),
            level: named(order.levels()),
            from_right: order.compared(ChildOrder::FromRight).map(name).collect(),
            last_first: order.compared(ChildOrder::LastFirst).map(name).collect(),
            rules: names(rest.iter(), rules),
        });
        rest.clear();
    }
    found.open = names(rest.iter(), rules);
    Ok(ProofAttempt { proof: found, open: OpenLaws { laws: rest, symbols: symbols.count() } })
}

impl OpenLaws {
    /// The rules in the way: those that no order takes together with what stands before them and isn't in the way.
    pub(super) fn to_blame(&self, rules: &[Rule], budget: &Budget) -> Result<Vec<String>, StopReason> {
        let (mut taken, mut open): (Vec<&EncodedLaw>, Vec<&EncodedLaw>) = (Vec::new(), Vec::new());
        for law in &self.laws {
            taken.push(law);
            if path_order(&taken, self.symbols, budget)?.is_none() {
                taken.pop();
                open.push(law);
            }
        }
        Ok(names(open.into_iter(), rules))
    }
}

/// The rules of these laws, each once.
fn names<'a>(laws: impl Iterator<Item = &'a EncodedLaw>, rules: &[Rule]) -> Vec<String> {
    let mut numbers: Vec<usize> = laws.map(|law| law.rule).collect();
    numbers.dedup();
    numbers.into_iter().map(|k| rules[k].to_string()).collect()
}
