//! Whether an order is the best: the cheapest term that some rules reach.

use std::cmp::Ordering;

use super::answer::{Answer, Place};
use super::{Owner, WORK, Walk};
use crate::cost::{self, Poly};
use crate::ground::{Diagnostic, Trouble, code};
use crate::rule::Rule;
use crate::search::{Found, Question, TERMS, search};
use crate::strategy::Strategy;
use crate::term::Path;

/// What a search came to.
#[derive(Clone, Debug)]
pub struct Searched {
    /// See there.
    pub found: Found,
    /// So many terms could be visited.
    pub most: usize,
    /// Where the rules of the derivation were searched with, from its beginning.
    pub derived: Option<Derived>,
    /// The limit that ended it.
    pub trouble: Option<Trouble>,
}

/// The current term, beside what a search found.
#[derive(Clone, Debug)]
pub struct Derived {
    /// Where it stands in its derivation.
    pub place: Place,
    /// Its work.
    pub work: Poly,
    /// How that compares with the work of what was found, as `cheaper` compares.
    pub against_found: Ordering,
}

impl Walk {
    /// The cheapest term that the rules of a strategy reach from the current one, or from the subterm in focus; without
    /// one, that the rules of the derivation reach from where it began.
    pub(super) fn search(
        &self,
        most: Option<usize>,
        strategy: Option<&Strategy>,
        owner: &dyn Owner,
    ) -> Result<Answer, Trouble> {
        let (now, most) = (self.current()?, most.unwrap_or(TERMS));
        let (question, derived) = match strategy {
            Some(strategy) => {
                let (rules, within) = (strategy.rules(), self.history.focus());
                if rules.is_empty() {
                    let wrong = Diagnostic::error(code::COMMAND, format!("there is no rule in `{strategy}`"));
                    return Err(wrong.help("name rules: `:search getBuild <+ beta`").into());
                }
                (Question { start: now.clone(), rules, within, most }, None)
            }
            None => {
                let derivation = self.derivation()?;
                let mut rules: Vec<Rule> = Vec::new();
                for step in derivation.steps() {
                    if !rules.contains(step.rule()) {
                        rules.push(step.rule().clone());
                    }
                }
                if rules.is_empty() {
                    let wrong = Diagnostic::error(code::COMMAND, "no rule fired yet, so that there are none to search with");
                    return Err(wrong.help("name rules: `:search getBuild <+ beta`, or a strategy for its rules").into());
                }
                let question = Question { start: now.with(derivation.term(0)), rules, within: Path::default(), most };
                (question, Some(self.place(&derivation)))
            }
        };
        let found = search(&question, &owner.budget());
        let derived = derived.map(|place| {
            let (own, best) = (WORK(&now.term, &now.bounds), WORK(&found.best.term, &now.bounds));
            Derived { place, work: cost::work(&now.term).total(), against_found: own.cmp(&best) }
        });
        let trouble = found.stopped.clone().map(Trouble::from);
        Ok(Answer::Searched(Box::new(Searched { found, most, derived, trouble })))
    }
}
