//! Groups a rule with the arguments that it is tried with where none are given (`RuleFamily`), and finds rules by their names.

use std::fmt;
use std::rc::Rc;

use crate::rule::{ContextUse, Focus, Miss, Rule, RuleInfo};
use redexter_language::ground::text::listed;
use redexter_language::ground::{Diagnostic, StopReason, code, name::did_you_mean};
use redexter_language::term::Term;

/// Parameters of rules count occurrences or steps: those from 1 to this are tried.
const MAX_ARGUMENT: u64 = 8;

/// A rule with each choice of arguments that it is tried with, the least first.
#[derive(Clone, Debug)]
pub struct RuleFamily(Vec<Rule>);

impl RuleFamily {
    /// A rule with arguments of small numbers, the same for all of its parameters.
    pub fn of(info: &Rc<RuleInfo>) -> RuleFamily {
        let count = info.params.len();
        let largest = if count == 0 { 1 } else { MAX_ARGUMENT };
        RuleFamily((1..=largest).map(|k| Rule::new(info.clone(), &vec![k; count])).collect())
    }

    /// The rule with each choice.
    pub fn rules(&self) -> &[Rule] {
        &self.0
    }

    /// The first rule that makes another term of this one, and that; each attempt is counted.
    pub fn first(&self, focus: &Focus, tried: &mut u64) -> Result<Option<(Rule, Term)>, StopReason> {
        for rule in self.0.iter().filter(|rule| rule.footprint().may_apply_to(focus.term)) {
            *tried += 1;
            match rule.attempt(focus) {
                // A rewrite to the same term leads nowhere, so that it counts as none.
                Ok(contractum) if contractum != *focus.term => return Ok(Some((rule.clone(), contractum))),
                Err(Miss::Stopped(reason)) => return Err(reason),
                Ok(_) | Err(_) => {}
            }
        }
        Ok(None)
    }

    /// What is known about the rule.
    pub fn info(&self) -> &RuleInfo {
        self.0[0].info()
    }

    /// Whether it looks at where a term stands, or its variables are bound, so that a node doesn't show whether it applies.
    pub fn is_placed(&self) -> bool {
        let footprint = self.0[0].footprint();
        footprint.context != ContextUse::Nothing || footprint.ordered
    }
}

impl fmt::Display for RuleFamily {
    /// As users write it: `getBuild`, `letSubstN(1)`, or `letSubstN(k)` for each choice.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0[..] {
            [only] => only.fmt(f),
            _ => f.write_str(&self.info().usage()),
        }
    }
}

impl From<&Rule> for RuleFamily {
    fn from(rule: &Rule) -> RuleFamily {
        RuleFamily(vec![rule.clone()])
    }
}

/// Each rule with the arguments that it is tried with.
pub fn families<'a>(rules: impl IntoIterator<Item = &'a Rc<RuleInfo>>) -> Vec<RuleFamily> {
    rules.into_iter().map(RuleFamily::of).collect()
}

/// The rule that is written so, such as `getBuild` or `letSubstN(1)`; without its arguments, all of its family.
pub fn named(written: &str, rules: &[Rc<RuleInfo>]) -> Result<RuleFamily, Diagnostic> {
    let (name, arguments) = match written.trim().split_once('(') {
        Some((name, rest)) => (name.trim(), Some(rest.trim_end().strip_suffix(')').unwrap_or(rest))),
        None => (written.trim(), None),
    };
    let Some(info) = rules.iter().find(|info| info.name.as_str() == name) else {
        let near = did_you_mean(name, rules.iter().map(|info| info.name.as_str()));
        let wrong = Diagnostic::error(code::UNKNOWN_STRATEGY, format!("there is no rule `{name}`"));
        return Err(wrong.help(near.unwrap_or_else(|| "`:rules` lists the rules".to_owned())));
    };
    let Some(arguments) = arguments else { return Ok(RuleFamily::of(info)) };
    let values: Option<Vec<u64>> =
        arguments.split(',').map(str::trim).filter(|value| !value.is_empty()).map(|value| value.parse().ok()).collect();
    match values.filter(|values| values.len() == info.params.len()) {
        Some(values) => Ok(RuleFamily::from(&Rule::new(info.clone(), &values))),
        None => {
            let wrong = format!("`{written}` has other arguments than {}", listed([info.usage()]));
            Err(Diagnostic::error(code::RULE_PARAMETERS, wrong).help(format!("write `{}`, with numbers", info.usage())))
        }
    }
}
