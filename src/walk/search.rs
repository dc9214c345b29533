//! Whether an order is the best: the cheapest term that some rules reach.

use std::cmp::Ordering;

use super::answer::{Answer, Place};
use super::state::How;
use super::{Owner, WORK, Walk};
use crate::cost::{self, Poly};
use crate::derivation::Derivation;
use crate::ground::{Diagnostic, Trouble, code};
use crate::rule::Rule;
use crate::search::{Found, Question, TERMS, search};
use crate::strategy::Strategy;
use crate::term::{Path, Program};

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
                let question = Question { within: self.history.focus(), ..Question::of(strategy, now, most) };
                if question.rules.is_empty() {
                    let wrong = Diagnostic::error(code::COMMAND, format!("there is no rule in {}", strategy.quoted()));
                    return Err(wrong.help("name rules: `:search getBuild <+ beta`").into());
                }
                (question, None)
            }
            None => {
                let (derivation, place) = self.told()?;
                // What left the line left the current term before its first step.
                let place = if self.stray.is_some() { Place { step: 0, ..place } } else { place };
                let question = self.again(&derivation, now, most);
                if question.rules.is_empty() {
                    let wrong = Diagnostic::error(code::COMMAND, "no rule fired yet: there are none to search with");
                    return Err(wrong
                        .help("name rules, or a strategy for its rules: `:search getBuild <+ beta`")
                        .into());
                }
                (question, Some(place))
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

    /// The rules that fired in a derivation, from where it began; what its strategies try together belongs together.
    fn again(&self, derivation: &Derivation, now: &Program, most: usize) -> Question {
        let mut rules: Vec<Rule> = Vec::new();
        for step in derivation.steps() {
            if !rules.contains(step.rule()) {
                rules.push(step.rule().clone());
            }
        }
        let past = self.history.past().into_iter().filter_map(|state| match &state.how {
            How::Taken { strategy, .. } => Some(strategy),
            _ => None,
        });
        let stray = self.ended.iter().filter(|_| self.stray.is_some()).map(|(ran, _)| &ran.strategy);
        let choices = past.chain(stray).flat_map(Strategy::choices);
        let fired = |choice: Vec<Rule>| choice.into_iter().filter(|rule| rules.contains(rule)).collect::<Vec<Rule>>();
        let mut together: Vec<Vec<Rule>> = Vec::new();
        for choice in choices.map(fired) {
            if choice.len() > 1 && !together.contains(&choice) {
                together.push(choice);
            }
        }
        Question { start: now.with(derivation.term(0)), rules, together, within: Path::default(), most }
    }
}
