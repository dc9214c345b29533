//! Converts a script's values to strategies, numbers and texts, and says what they are where something else was expected.

use rhai::{Array, Dynamic, FnPtr, ImmutableString, Map};

use super::inline_rules;
use super::models::ModelValue;
use super::schedules::ScheduleValue;
use super::searching::SearchValue;
use super::terms::{TermValue, TraceValue};
use super::walks::WalkValue;
use super::world::{ScriptWorld, UnappliedStrategy};
use redexter_language::ground::{Diagnostic, DiagnosticCode, Trouble, code, text::in_word};
use redexter_language::growth::GrowthTable;
use redexter_rewriting::strategy::Strategy;

/// Says in words what a value is.
pub(crate) fn what(value: &Dynamic) -> String {
    if let Some(unapplied) = value.read_lock::<UnappliedStrategy>() {
        return format!("`{}` without its arguments", unapplied.name);
    }
    if value.is_unit() {
        return "nothing".into();
    }
    if let Ok(n) = value.as_int() {
        return format!("the number {n}");
    }
    if let Ok(x) = value.as_float() {
        return format!("the number {x:?}");
    }
    let kinds: [(bool, &str); 13] = [
        (value.is::<Strategy>(), "a strategy"),
        (value.is::<TermValue>(), "a term"),
        (value.is::<ModelValue>(), "a model"),
        (value.is::<ScheduleValue>(), "a schedule"),
        (value.is::<TraceValue>(), "a trace"),
        (value.is::<WalkValue>(), "a walk"),
        (value.is::<SearchValue>(), "what a search found"),
        (value.is::<GrowthTable>(), "a table of growth"),
        (value.is::<ImmutableString>(), "a string"),
        (value.is::<bool>(), "a truth value"),
        (value.is::<Array>(), "an array"),
        (value.is::<Map>(), "a map"),
        (value.is::<FnPtr>(), "a function"),
    ];
    kinds.iter().find(|(is, _)| *is).map_or_else(|| format!("a {}", value.type_name()), |(_, kind)| (*kind).into())
}

/// The strategy that a value is, or why it is none; `wanted` says where one was expected.
pub(crate) fn strategy(world: &ScriptWorld, value: &Dynamic, wanted: &str) -> Result<Strategy, Trouble> {
    if let Some(strategy) = value.read_lock::<Strategy>() {
        return Ok(strategy.clone());
    }
    if let Some(text) = value.read_lock::<ImmutableString>() {
        let name = !text.is_empty() && text.chars().all(in_word);
        if !name || (world.usage(&text).is_none() && inline_rules::is_written(world, &text)) {
            return inline_rules::strategy(world, &text);
        }
    }
    let finding = not_a_strategy(wanted, value);
    Err(Trouble::from(match value.read_lock::<UnappliedStrategy>() {
        Some(unapplied) => finding.help(format!("write `{}`", unapplied.usage)),
        None if value.is::<TermValue>() => finding.help("a strategy is applied to a term with `term.apply(strategy)`"),
        None if value.is::<ImmutableString>() => finding.help("rules and strategies are names, without quotes"),
        None => finding.help("write a rule such as `beta`, or a combination of rules such as `try(beta)`"),
    }))
}

/// The finding for a combinator without its arguments, if the value is one.
pub(crate) fn unapplied(value: &Dynamic) -> Option<Diagnostic> {
    let unapplied = value.read_lock::<UnappliedStrategy>()?;
    let finding = Diagnostic::error(code::NOT_A_STRATEGY, format!("`{}` needs arguments", unapplied.name));
    Some(finding.help(format!("write `{}`", unapplied.usage)))
}

fn not_a_strategy(wanted: &str, value: &Dynamic) -> Diagnostic {
    Diagnostic::error(code::NOT_A_STRATEGY, format!("{wanted}, but this is {}", what(value)))
}

/// A number of any kind, as far as a script's integers reach.
pub(crate) fn number(n: u64) -> Dynamic {
    Dynamic::from(i64::try_from(n).unwrap_or(i64::MAX))
}

/// The whole number from 0 that a value is.
pub(crate) fn natural(value: &Dynamic, wanted: &str) -> Result<u64, Diagnostic> {
    match value.as_int() {
        Ok(n) if n >= 0 => Ok(n as u64),
        _ => Err(wrong(code::SCRIPT, format!("{wanted}, but this is {}", what(value)))),
    }
}

pub(crate) fn text(value: &Dynamic, wanted: &str) -> Result<String, Diagnostic> {
    match value.read_lock::<ImmutableString>() {
        Some(text) => Ok(text.to_string()),
        None => Err(wrong(code::SCRIPT, format!("{wanted}, but this is {}", what(value)))),
    }
}

fn wrong(code: DiagnosticCode, headline: String) -> Diagnostic {
    Diagnostic::error(code, headline)
}
