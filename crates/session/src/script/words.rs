//! Converts a script's values to strategies, numbers and texts, and says what they are where something else was expected.

use rhai::{Dynamic, ImmutableString};

use super::inline_rules;
use super::meanings;
use super::world::{ScriptWorld, UnappliedStrategy};
use redexter_language::ground::{Diagnostic, DiagnosticCode, Trouble, code, text::in_word};
use redexter_rewriting::strategy::Strategy;

/// The values that are told in words, by the names of their types, since what makes them needs this module.
const KINDS: &[(&str, &str)] = &[
    ("Strategy", "a strategy"),
    ("AmountValue", "an amount"),
    (TERM, "a term"),
    ("ModelValue", "a model"),
    ("ScheduleValue", "a schedule"),
    ("TraceValue", "a trace"),
    ("WalkValue", "a walk"),
    ("SearchValue", "what a search found"),
    ("GrowthTable", "a table of growth"),
    ("string", "a string"),
    ("bool", "a truth value"),
    ("array", "an array"),
    ("map", "a map"),
    ("Fn", "a function"),
];

/// The name of the type of terms.
const TERM: &str = "TermValue";

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
    let ty = value.type_name();
    let name = ty.rsplit("::").next().unwrap_or(ty);
    KINDS.iter().find(|(known, _)| *known == name).map_or_else(|| format!("a {ty}"), |(_, kind)| (*kind).into())
}

/// The strategy that a value is, or why it is none; `wanted` says where one was expected.
pub(crate) fn strategy(world: &ScriptWorld, value: &Dynamic, wanted: &str) -> Result<Strategy, Trouble> {
    if let Some(strategy) = value.read_lock::<Strategy>() {
        return Ok(strategy.clone());
    }
    if let Some(text) = value.read_lock::<ImmutableString>() {
        let name = !text.is_empty() && text.chars().all(in_word);
        if !name || (meanings::usage(world, &text).is_none() && inline_rules::is_written(world, &text)) {
            return inline_rules::strategy(world, &text);
        }
    }
    let finding = not_a_strategy(wanted, value);
    Err(Trouble::from(match value.read_lock::<UnappliedStrategy>() {
        Some(unapplied) => finding.help(format!("write `{}`", unapplied.usage)),
        None if value.type_name().ends_with(TERM) => {
            finding.help("a strategy is applied to a term with `term.apply(strategy)`")
        }
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

#[cfg(test)]
mod tests {
    use std::any::type_name;

    use super::super::amounts::AmountValue;
    use super::super::models::ModelValue;
    use super::super::schedules::ScheduleValue;
    use super::super::searching::SearchValue;
    use super::super::terms::{TermValue, TraceValue};
    use super::super::walks::WalkValue;
    use super::{KINDS, Strategy, what};
    use redexter_language::growth::GrowthTable;
    use rhai::{Array, Dynamic, FnPtr, Map};

    #[test]
    fn values_are_told_by_the_names_of_their_types() {
        let types = [
            type_name::<Strategy>(),
            type_name::<AmountValue>(),
            type_name::<TermValue>(),
            type_name::<ModelValue>(),
            type_name::<ScheduleValue>(),
            type_name::<TraceValue>(),
            type_name::<WalkValue>(),
            type_name::<SearchValue>(),
            type_name::<GrowthTable>(),
        ];
        for (ty, (known, _)) in types.iter().zip(KINDS) {
            assert!(ty.ends_with(&format!("::{known}")), "{ty}");
        }
        let function = Dynamic::from(FnPtr::new("f").expect("a name"));
        let others = [Dynamic::from("a"), true.into(), Array::new().into(), Map::new().into(), function];
        let told: Vec<String> = others.iter().map(what).collect();
        assert_eq!(told, ["a string", "a truth value", "an array", "a map", "a function"]);
    }
}
