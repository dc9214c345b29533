//! Says what to try where a strategy failed: where its rules fire, if they fire anywhere.

use super::data::{Strategy, StrategyForm};
use super::engine::run_hollow;
use super::run::Outcome;
use super::unary::Unary;
use super::visit::rules_in;
use redexter_language::cost;
use redexter_language::ground::Budget;
use redexter_language::term::Program;

const TRY_IT: &str = "`try(s)` leaves the term as it is where s fails";

/// Tells the user what to try where a strategy failed on a program; it runs at the focus if it is `at_focus`, which is told
/// elsewhere.
pub fn remedy(strategy: &Strategy, on: &Program, at_focus: bool, budget: &Budget) -> String {
    let spoken = match strategy.form() {
        StrategyForm::At(_, s) if at_focus => s,
        _ => strategy,
    };
    let (inner, is_placed) = (innermost(spoken), !std::ptr::eq(innermost(spoken), spoken));
    if let StrategyForm::Match(pattern) = inner.form()
        && !is_placed
    {
        return format!(
            "a pattern is tried at the root of the term only: `topDown(`{0}`)` tries it at every place, \
             `at(`{0}`, s)` does s at the first where it matches",
            pattern.text()
        );
    }
    let (searched, is_traversal) = match inner.form() {
        StrategyForm::Unary(Unary::TopDown | Unary::BottomUp, s) => (s, true),
        _ => (inner, false),
    };
    if !is_of_rules(searched) {
        return TRY_IT.to_owned();
    }
    let Ok(place) = first_place(&widened(strategy), on, budget) else { return TRY_IT.to_owned() };
    let wide = widened(spoken);
    match (place, inner.form()) {
        (Some(place), StrategyForm::Rule(rule)) if !is_placed => format!(
            "a rule is tried at the root of the term only: `topDown({rule})` fires at {place}, and `normalize({rule})` \
             as long as it fits anywhere"
        ),
        (Some(place), _) => format!("it is tried at one place only: `{wide}` fires at {place}"),
        (None, _) => {
            let there = if is_placed || at_focus { "there or below" } else { "in this term" };
            match &rules_in(searched)[..] {
                [rule] if rule.info().is_in_place() => format!("it fires nowhere {there}; {TRY_IT}"),
                [rule] => format!("{rule} fires nowhere {there}: `:why-not {rule}` says what is in its way"),
                _ if is_traversal => TRY_IT.to_owned(),
                _ => format!("none of its rules fires anywhere {there}; {TRY_IT}"),
            }
        }
    }
}

/// What a strategy does at the place to which `at` and the names of children lead.
fn innermost(strategy: &Strategy) -> &Strategy {
    match strategy.form() {
        StrategyForm::At(_, s) | StrategyForm::Child(_, s) => innermost(s),
        _ => strategy,
    }
}

/// The same, but tried at every place from there down.
fn widened(strategy: &Strategy) -> Strategy {
    match strategy.form() {
        StrategyForm::At(path, s) => widened(s).at(path),
        StrategyForm::Child(slot, s) => widened(s).child(*slot),
        _ => strategy.under(Unary::TopDown),
    }
}

/// Whether it is a rule or a choice of some: to try it at every place takes no longer than a traversal.
fn is_of_rules(strategy: &Strategy) -> bool {
    match strategy.form() {
        StrategyForm::Rule(_) => true,
        StrategyForm::Choice(s, t) => is_of_rules(s) && is_of_rules(t),
        _ => false,
    }
}

/// Where its first step is; an error where a limit is in the way.
fn first_place(strategy: &Strategy, on: &Program, budget: &Budget) -> Result<Option<String>, ()> {
    let run = run_hollow(strategy, on, budget, cost::cheaper_total).map_err(drop)?;
    let Outcome::Success(_) = run.outcome else { return Ok(None) };
    let place = run.trace.steps.first().map(|step| step.path().display(&on.term));
    Ok(place.map(|place| if place.is_empty() { "the root".to_owned() } else { place }))
}
