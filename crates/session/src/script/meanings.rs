//! Says what names mean, in the order of shadowing: what the user defined, what is imported, rules, and what is there from the
//! start.

use std::rc::Rc;

use rhai::Dynamic;

use super::catalogue::Builtin;
use super::world::{ScriptWorld, UnappliedStrategy};
use super::{prelude, schedules};
use redexter_language::ground::name;
use redexter_rewriting::rule::{Rule, RuleInfo};
use redexter_rewriting::strategy::Strategy;

/// The value of a bare name that isn't a variable's.
pub(crate) fn value_of(world: &ScriptWorld, name: &str) -> Option<Dynamic> {
    if name == "args" {
        let all: rhai::Array = world.arguments.borrow().iter().map(|a| Dynamic::from(a.clone())).collect();
        return Some(Dynamic::from(all));
    }
    let (constant, usage) = meaning(world, name)?;
    let written = usage.split('(').next().unwrap_or(name).to_owned();
    let unapplied = || Dynamic::from(UnappliedStrategy { name: written, usage });
    Some(constant.map_or_else(unapplied, Dynamic::from))
}

/// How a name that takes arguments is used.
pub(crate) fn usage(world: &ScriptWorld, name: &str) -> Option<String> {
    meaning(world, name).map(|(_, usage)| usage)
}

/// The strategy that a name stands for, where it takes no arguments, and how it is used.
fn meaning(world: &ScriptWorld, name: &str) -> Option<(Option<Strategy>, String)> {
    // In the order of shadowing: what the user defined comes first, what is there from the start last.
    if let Some(defined) = world.definitions().get(name) {
        return Some((defined.constant(), defined.usage()));
    }
    if let Some(imported) = world.imports().named(name).filter(|imported| imported.is_strategy()) {
        return Some((imported.constant(), imported.usage()));
    }
    if let Some(info) = world.rule_names().get(name) {
        let constant = info.params.is_empty().then(|| Strategy::rule(&Rule::new(info.clone(), &[])));
        return Some((constant, info.usage()));
    }
    if let Some(builtin) = builtin(world, name) {
        return Some((builtin.constant(), builtin.usage()));
    }
    if let Some(defined) = prelude::defined(world, name) {
        return Some((prelude::constant(world, name), defined.usage()));
    }
    schedules::general(world, name).map(|strategy| (Some(strategy), name.to_owned()))
}

/// What is built in under a name; `--bare` leaves out what the prelude derives.
pub(crate) fn builtin(world: &ScriptWorld, name: &str) -> Option<Builtin> {
    Builtin::named(name).filter(|_| !world.host.bare() || !prelude::derives(name))
}

/// Every name that stands for a strategy, in order.
pub(crate) fn names(world: &ScriptWorld) -> Vec<String> {
    let mut names: Vec<String> = world.definitions().keys().cloned().collect();
    names.extend(world.rule_names().names().into_keys());
    names.extend(world.imports().shown().map(str::to_owned));
    names.extend(Builtin::all().filter(|(name, _)| builtin(world, name).is_some()).map(|(name, _)| name.to_owned()));
    if !world.host.bare() {
        names.extend(prelude::names().map(str::to_owned));
        names.push(schedules::GENERAL.to_owned());
    }
    names.sort();
    names.dedup();
    names
}

/// The names that stand behind a dot, with what stands before it: stages of the general schedule, and imports.
pub(crate) fn members(world: &ScriptWorld) -> Vec<String> {
    let offers = schedules::general_script(world).map_or(Vec::new(), |script| script.offers.clone());
    let stages = offers.iter().map(|offer| &offer.name).filter(|name| *name != schedules::GENERAL);
    let mut all: Vec<String> = stages.map(|name| format!("{}.{name}", schedules::GENERAL)).collect();
    all.extend(world.imports().shown().filter(|name| name.contains('.')).map(str::to_owned));
    all
}

/// A hint at the name nearest to one that isn't known.
pub(crate) fn did_you_mean(world: &ScriptWorld, wanted: &str, more: &[String]) -> Option<String> {
    let names = names(world);
    let near = name::nearest_of_words(wanted, names.iter().chain(more).map(String::as_str));
    near.map(|near| format!("did you mean `{near}`?"))
}

/// The rules that imports give, with the names by which they are typed, such as `lib.squash`.
pub(super) fn imported_rules(world: &ScriptWorld) -> Vec<(String, Rc<RuleInfo>)> {
    let imports = world.imports();
    let rule = |shown: &str| {
        let own = shown.rsplit('.').next()?;
        let imported = imports.named(&shown.replacen('.', "_", 1))?;
        let info = imported.script.inside.made().1.into_iter().find(|info| info.name.as_str() == own)?;
        Some((shown.to_owned(), info))
    };
    imports.shown().filter_map(rule).collect()
}
