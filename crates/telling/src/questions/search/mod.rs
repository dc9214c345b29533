//! Searches for the cheapest term that some rules reach, which says whether an order is the best.

mod json;
mod text;

use std::cmp::Ordering;
use std::rc::Rc;

use super::arguments::{AskedQuestion, QuestionArguments, maybe_strategy, number};
use crate::arguments::CommandInfo;
use crate::walk::{Arrival, StepPosition, Walk, WalkAnswer, WalkResult};
use redexter_language::cost::{self, Poly};
use redexter_language::ground::{Diagnostic, Trouble, code};
use redexter_language::term::{Path, Program};
use redexter_rewriting::derivation::Derivation;
use redexter_rewriting::rule::{Rule, RuleInfo};
use redexter_rewriting::search::{DEFAULT_MAX_TERMS, SearchQuestion, SearchResult, search};
use redexter_rewriting::strategy::{choices_in, rules_in};

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchAnswer {
    /// The cheapest term that was found, the schedule to it, and how much was visited.
    pub found: SearchResult,
    /// The number of terms that could be visited at most.
    pub most: usize,
    /// The end of the derivation; where the search was with its rules, from its beginning.
    pub derived: Option<DerivationEnd>,
    /// The imported rules in the schedule, which prints their own names, and the names by which they are typed.
    pub imported: Vec<(String, String)>,
}

/// The end of the derivation, beside what a search found.
#[derive(Clone, Debug)]
pub struct DerivationEnd {
    /// The position of the current term in it.
    pub place: StepPosition,
    /// Whether its last run isn't done.
    pub unfinished: bool,
    /// The work at its end.
    pub work: Poly,
    /// The comparison of that work with the work of what was found, at typical sizes.
    pub against_found: Ordering,
}

presented!(SearchAnswer, "walk", text::search, json::search);

pub(super) fn read(info: &CommandInfo, rest: &str) -> Result<QuestionArguments, Diagnostic> {
    let (number, rest) = number(info, rest)?;
    Ok(QuestionArguments { number, ..QuestionArguments::of_strategies(maybe_strategy(rest)) })
}

/// The cheapest term that the rules of a strategy reach from the current one, or from the subterm in focus; without
/// one, that the rules of the derivation reach from where it began.
pub(super) fn answer(AskedQuestion { arguments, strategies, walk, owner }: AskedQuestion) -> WalkResult {
    let (now, most) = (walk.current()?, arguments.number.unwrap_or(DEFAULT_MAX_TERMS));
    let (question, derived) = match strategies.first() {
        Some(strategy) => {
            let question = SearchQuestion { within: walk.history().focus(), ..SearchQuestion::of(strategy, now, most) };
            if question.rules.is_empty() {
                let wrong = Diagnostic::error(code::COMMAND, format!("there is no rule in {}", strategy.quoted()));
                return Err(wrong.help("name rules: `:search getBuild <+ beta`").into());
            }
            (question, None)
        }
        None => {
            let (derivation, place) = walk.told()?;
            // A run that isn't on the line left the current term where it was, before the run's first step.
            let place = if walk.stray_run().is_some() { StepPosition { step: 0, ..place } } else { place };
            let question = again(walk, &derivation, now, most);
            if question.rules.is_empty() {
                let wrong = Diagnostic::error(code::COMMAND, "no rule fired yet: there are none to search with");
                return Err(wrong.help("name rules, or a strategy for its rules: `:search getBuild <+ beta`").into());
            }
            (question, Some((derivation, place)))
        }
    };
    let found = search(&question, &owner.budget());
    let derived = derived.map(|(derivation, place)| {
        let end = derivation.term(derivation.steps().len());
        let pending = walk.history().derived().last().is_some_and(|state| state.pending().is_some());
        let unfinished = pending || walk.stray_run().is_some();
        let [own, best] = [&end, &found.best.term].map(|term| cost::work(term).total());
        let [typically, at_best] = [&own, &best].map(|work| cost::typical(work, &now.bounds));
        DerivationEnd { place, unfinished, work: own, against_found: typically.cmp(&at_best) }
    });
    let rules = rules_in(&found.schedule);
    let is_used = |info: &RuleInfo| rules.iter().any(|rule| std::ptr::eq(rule.info(), info));
    let named = |(written, info): (String, Rc<RuleInfo>)| {
        let own = info.name.to_string();
        (own != written && is_used(&info)).then_some((own, written))
    };
    let imported = owner.imported().into_iter().filter_map(named).collect();
    let trouble = found.stopped.clone().map(Trouble::from);
    Ok(WalkAnswer::Finding(Rc::new(SearchAnswer { found, most, derived, imported }), trouble))
}

/// The rules that fired in a derivation, from where it began; what its strategies try together belongs together.
fn again(walk: &Walk, derivation: &Derivation, now: &Program, most: usize) -> SearchQuestion {
    let mut rules: Vec<Rule> = Vec::new();
    for step in derivation.steps() {
        if !rules.contains(step.rule()) {
            rules.push(step.rule().clone());
        }
    }
    let past = walk.history().past().into_iter().filter_map(|state| match &state.how {
        Arrival::Taken { strategy, .. } => Some(strategy),
        _ => None,
    });
    let stray = walk.stray_run().map(|ran| &ran.strategy);
    let choices = past.chain(stray).flat_map(choices_in);
    let fired = |choice: Vec<Rule>| choice.into_iter().filter(|rule| rules.contains(rule)).collect::<Vec<Rule>>();
    let mut together: Vec<Vec<Rule>> = Vec::new();
    for choice in choices.map(fired) {
        if choice.len() > 1 && !together.contains(&choice) {
            together.push(choice);
        }
    }
    SearchQuestion { start: now.with(derivation.term(0)), rules, together, within: Path::default(), most }
}
