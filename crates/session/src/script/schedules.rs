//! Makes values of other scripts, `load("strategies/gradient.strat").fastGradient`, and gives the general schedule, which is
//! there from the start.
//!
//! What a script gives as a value are its strategies and rules that take no arguments. Of the general schedule's names one
//! is seen everywhere, and its stages are that one's properties.

use std::rc::Rc;

use rhai::{Engine, ImmutableString};

use super::errors::{RhaiResult, fail};
use super::libraries::{self, shipped};
use super::loaded::LoadedScript;
use super::world::ScriptWorld;
use redexter_language::ground::{Diagnostic, Trouble, code, name::did_you_mean, text::listed};
use redexter_rewriting::strategy::Strategy;

/// The general schedule.
pub(crate) const GENERAL: &str = "fastGradient";

/// The script that it stands in.
pub(crate) const GENERAL_SCRIPT: &str = "strategies/gradient.strat";

/// A script that was loaded.
#[derive(Clone)]
pub(crate) struct ScheduleValue(Rc<LoadedScript>);

/// Teaches the engine about loaded scripts; `load` itself is with the models.
pub(crate) fn register(engine: &mut Engine, world: &Rc<ScriptWorld>) {
    engine.register_type_with_name::<ScheduleValue>("schedule");
    engine.register_fn("to_string", |s: &mut ScheduleValue| s.to_string());
    engine.register_fn("to_debug", |s: &mut ScheduleValue| s.to_string());
    engine.register_indexer_get(|s: &mut ScheduleValue, name: ImmutableString| s.strategy(&name));
    let world = world.clone();
    engine.register_indexer_get(move |s: &mut Strategy, name: ImmutableString| -> RhaiResult<Strategy> {
        match general_script(&world).filter(|schedule| schedule.inside.constants().values().any(|known| known == s)) {
            Some(schedule) => ScheduleValue(schedule).strategy(&name),
            None => Err(fail(Diagnostic::error(code::UNKNOWN_STRATEGY, format!("`{s}` has no stage `{name}`")).help(
                "only schedules that ship have stages, such as `fastGradient.hoist`; of a script's own strategies write the name",
            ))),
        }
    });
}

/// The general schedule, if this is its name.
pub(super) fn general(world: &ScriptWorld, name: &str) -> Option<Strategy> {
    (name == GENERAL).then(|| general_script(world)?.inside.constants().get(name).cloned()).flatten()
}

/// The script of the general schedule, unless only primitives are there.
pub(super) fn general_script(world: &ScriptWorld) -> Option<Rc<LoadedScript>> {
    (!world.host.bare()).then(|| shipped(world, GENERAL_SCRIPT)).flatten()
}

/// Runs a script for what it defines.
pub(crate) fn load(world: &ScriptWorld, path: &str) -> Result<ScheduleValue, Trouble> {
    libraries::load(world, path).map(ScheduleValue)
}

impl ScheduleValue {
    /// The strategies and rules that are seen from outside.
    pub(super) fn names(&self) -> Vec<String> {
        self.0.inside.constants().keys().cloned().collect()
    }

    fn strategy(&self, name: &str) -> RhaiResult<Strategy> {
        let strategies = self.0.inside.constants();
        strategies.get(name).cloned().ok_or_else(|| {
            let headline = format!("{} has no strategy `{name}`", self.0.file.path);
            let near = did_you_mean(name, strategies.keys().map(String::as_str));
            let plain = || "only strategies and rules that take no arguments are seen from outside".to_owned();
            fail(Diagnostic::error(code::UNKNOWN_STRATEGY, headline).help(near.unwrap_or_else(plain)))
        })
    }
}

impl std::fmt::Display for ScheduleValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.0.file.path, listed(self.0.inside.constants().keys()))
    }
}
