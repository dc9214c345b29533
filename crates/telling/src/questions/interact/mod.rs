//! Examines how rules interact: those that are named, or those of the strategies that ran.

mod json;
mod text;

use std::cmp::Reverse;
use std::rc::Rc;

use super::arguments::{AskedQuestion, QuestionArguments, QuestionMatter};
use crate::arguments::CommandInfo;
use crate::walk::{Arrival, Walk, WalkAnswer, WalkOwner, WalkResult, family};
use redexter_language::ground::order::InOrder;
use redexter_language::ground::{Diagnostic, StopReason, Trouble, code};
use redexter_rewriting::derivation::Address;
use redexter_rewriting::interact::{InteractionEffort, Interactions, here, interactions};
use redexter_rewriting::redex::RuleFamily;
use redexter_rewriting::rule::Rule;
use redexter_rewriting::strategy::{fired, rules_in};

/// The most rules that are looked at where none are named: those that fired most often.
const MAX_RULES: usize = 12;

pub(super) fn read(_: &CommandInfo, rest: &str) -> Result<QuestionArguments, Diagnostic> {
    let rules: Vec<String> = Address::split(rest).into_iter().map(str::to_owned).collect();
    let about = if rules.is_empty() { QuestionMatter::Steps } else { QuestionMatter::Rules };
    Ok(QuestionArguments { about, rules, ..QuestionArguments::default() })
}

pub(super) fn answer(AskedQuestion { arguments, walk, owner, .. }: AskedQuestion) -> WalkResult {
    let rules = &arguments.rules;
    let families = if rules.is_empty() { tried(walk)? } else { of_names(rules, owner)? };
    let mut found = interactions(&families, owner.templates(), InteractionEffort::QUICK, &owner.budget())?;
    if let (Ok(program), None) = (walk.current(), &found.stopped) {
        match here(program, &families, &owner.budget()) {
            Ok(all) => found.here = Some(all),
            Err(reason) => found.stopped = Some(reason),
        }
    }
    let done = found.pairs.len();
    let trouble = found.stopped.clone().map(|reason| {
        let all = families.len() * (families.len() + 1) / 2;
        let help = format!("the table has {done} of {all} pairs; name fewer rules");
        match reason {
            StopReason::Interrupted => Trouble::from(reason),
            reason => Trouble::from(reason).help(help),
        }
    });
    Ok(WalkAnswer::Finding(Rc::new(found), trouble))
}

presented!(Interactions, "interact", text::interactions, json::interactions);

/// The rules that fired most often, in the order in which each fired first; then others of the strategies that ran.
fn tried(walk: &Walk) -> Result<Vec<RuleFamily>, Trouble> {
    let (derivation, _) = walk.told()?;
    let mut counts: Vec<(Rule, usize)> =
        fired(derivation.steps()).into_iter().map(|(rule, count)| (rule.clone(), count)).collect();
    for state in walk.history().derived() {
        let Arrival::Taken { strategy, first: true, .. } = &state.how else { continue };
        for rule in rules_in(strategy) {
            if !counts.iter().any(|(known, _)| *known == rule) {
                counts.push((rule, 0));
            }
        }
    }
    if counts.is_empty() {
        let wrong = Diagnostic::error(code::COMMAND, "no strategy ran yet, so there are no rules to look at");
        return Err(wrong.help("name some, as in `:interact getBuild letSubstN(1)`, or run a strategy first").into());
    }
    // The most frequent ones are chosen, and then stand in the order in which they fired first.
    let mut often: Vec<usize> = (0..counts.len()).collect();
    often.order_by_key(|k| Reverse(counts[*k].1));
    often.truncate(MAX_RULES);
    often.sort_unstable();
    Ok(often.into_iter().map(|k| RuleFamily::from(&counts[k].0)).collect())
}

/// The rules with these names, each once.
fn of_names(written: &[String], owner: &dyn WalkOwner) -> Result<Vec<RuleFamily>, Trouble> {
    let mut all: Vec<RuleFamily> = Vec::new();
    for text in written {
        let family = family(text, owner)?;
        if !all.iter().any(|known| known.rules() == family.rules()) {
            all.push(family);
        }
    }
    Ok(all)
}
