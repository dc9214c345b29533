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
use path_order::path_order;
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
        /// The constructors whose children are compared from the right.
        from_right: Vec<String>,
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
    attempt(rules, true, budget)
}

/// The same; where no order takes all laws that are left, and it isn't asked which are to blame, these are all in the way.
pub(super) fn attempt(rules: &[Rule], blame: bool, budget: &Budget) -> Result<LawProof, StopReason> {
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
    let (steps, rest) = counted(laws, symbols.count());
    for (weights, taken) in steps {
        let of = match weights {
            Weights::Nodes => Vec::new(),
            Weights::Of(all) => {
                all.iter().map(|(symbol, weight)| (symbols.name(*symbol), weight.unsigned_abs())).collect()
            }
        };
        found.steps.push(ProofStep::Count { of, rules: names(taken.iter(), rules) });
    }
    if rest.is_empty() {
        return Ok(found);
    }
    let all: Vec<&EncodedLaw> = rest.iter().collect();
    if let Some(order) = path_order(&all, symbols.count(), budget)? {
        let name = |symbol: usize| symbols.name(symbol);
        found.steps.push(ProofStep::PathOrder {
            above: order.pairs().into_iter().map(|(f, g)| (name(f), name(g))).collect(),
            from_right: order.reversed().map(name).collect(),
            rules: names(rest.iter(), rules),
        });
        return Ok(found);
    }
    if !blame {
        found.open = names(rest.iter(), rules);
        return Ok(found);
    }
    // Those are in the way that no order takes together with what stands before them and isn't in the way.
    let (mut taken, mut open): (Vec<&EncodedLaw>, Vec<&EncodedLaw>) = (Vec::new(), Vec::new());
    for law in &rest {
        taken.push(law);
        if path_order(&taken, symbols.count(), budget)?.is_none() {
            taken.pop();
            open.push(law);
        }
    }
    found.open = names(open.into_iter(), rules);
    Ok(found)
}

/// The rules of these laws, each once.
fn names<'a>(laws: impl Iterator<Item = &'a EncodedLaw>, rules: &[Rule]) -> Vec<String> {
    let mut numbers: Vec<usize> = laws.map(|law| law.rule).collect();
    numbers.dedup();
    numbers.into_iter().map(|k| rules[k].to_string()).collect()
}
