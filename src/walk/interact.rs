//! What rules do to each other: those that are named, or those that fired.

use std::cmp::Reverse;

use super::{Answer, Owner, Walk};
use crate::ground::{Diagnostic, StopReason, Trouble, code};
use crate::interact::{Effort, interactions};
use crate::redex::Family;
use crate::rule::Rule;

/// So many of the rules that fired are told apart at most: those that fired most often.
const MOST: usize = 12;

impl Walk {
    /// The interactions of these rules, or of those that fired in the derivation of the current term.
    pub(super) fn interact(&self, rules: &[String], owner: &dyn Owner) -> Result<Answer, Trouble> {
        let families = if rules.is_empty() { self.fired()? } else { of_names(rules, owner)? };
        let found = interactions(&families, owner.templates()?, Effort::QUICK, &owner.budget())?;
        let done = found.pairs.len();
        let trouble = found.stopped.clone().map(|reason| {
            let all = families.len() * (families.len() + 1) / 2;
            let help = format!("the table has {done} of {all} pairs; name fewer rules");
            match reason {
                StopReason::Interrupted => Trouble::from(reason),
                reason => Trouble::from(reason).help(help),
            }
        });
        Ok(Answer::Interactions(Box::new(found), trouble))
    }

    /// The rules that fired most often, in the order in which each fired first.
    fn fired(&self) -> Result<Vec<Family>, Trouble> {
        let (derivation, _) = self.told()?;
        let mut counts: Vec<(&Rule, usize)> = Vec::new();
        for step in derivation.steps() {
            match counts.iter_mut().find(|(rule, _)| *rule == step.rule()) {
                Some((_, count)) => *count += 1,
                None => counts.push((step.rule(), 1)),
            }
        }
        if counts.is_empty() {
            let wrong = Diagnostic::error(code::COMMAND, "no rule fired yet, so there are none to look at");
            return Err(wrong
                .help("name some, as in `:interact getBuild letSubstN(1)`, or run a strategy first")
                .into());
        }
        let mut often: Vec<usize> = counts.iter().map(|(_, count)| *count).collect();
        often.sort_by_key(|count| Reverse(*count));
        let least = often.get(MOST - 1).copied().unwrap_or(0);
        let frequent = counts.iter().filter(|(_, count)| *count >= least).take(MOST);
        Ok(frequent.map(|(rule, _)| Family::from(*rule)).collect())
    }
}

/// The rules with these names, each once.
fn of_names(written: &[String], owner: &dyn Owner) -> Result<Vec<Family>, Trouble> {
    let mut all: Vec<Family> = Vec::new();
    for text in written {
        let family = super::family(text, owner)?;
        if !all.iter().any(|known| known.rules() == family.rules()) {
            all.push(family);
        }
    }
    Ok(all)
}
