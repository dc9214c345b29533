//! Other scripts as values: `load("strategies/gradient.strat").fastGradient`.
//!
//! A script that is loaded runs by itself: it sees no variables or definitions of the one that loads it, prints nothing
//! and writes nothing. What it gives are its strategies and rules that take no arguments. A schedule that ships is there
//! from the start: of its names one is seen everywhere, and its stages are that one's properties.

use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::{Engine, ImmutableString};

use super::host::Host;
use super::interpreter::Interpreter;
use super::world::{Failing, World, fail};
use crate::ground::{Budget, Diagnostic, Limits, Nesting, Severity, Trouble, code, name::did_you_mean, text::listed};
use crate::strategy::Strategy;

/// The schedules that ship: the name that is seen everywhere, the script, and its text.
const SHIPPED: &[(&str, &str, &str)] =
    &[("fastGradient", "strategies/gradient.strat", include_str!("../../strategies/gradient.strat"))];

/// Scripts may load each other so deep.
const MAX_DEPTH: usize = 16;

/// A script that was loaded.
#[derive(Clone)]
pub(crate) struct ScheduleValue(Rc<Schedule>);

struct Schedule {
    path: String,
    strategies: BTreeMap<String, Strategy>,
    /// Runs the functions of its computed rules.
    _interpreter: Interpreter,
}

/// The world of a script that is loaded: the loading script's, without its voice.
struct Guest {
    host: Rc<dyn Host>,
    /// It ships: what it takes is nobody's.
    ships: bool,
}

impl Host for Guest {
    fn print(&self, _: &str) {}

    fn warn(&self, finding: &Diagnostic) {
        self.host.warn(finding);
    }

    fn read(&self, path: &str) -> Result<String, Diagnostic> {
        self.host.read(path)
    }

    fn find(&self, path: &str, script: &str) -> String {
        self.host.find(path, script)
    }

    fn write(&self, path: &str, _: &str) -> Result<(), Diagnostic> {
        let headline = format!("`{path}` isn't written: a script that is loaded writes nothing");
        self.host.warn(&Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code::UNWRITABLE, headline) });
        Ok(())
    }

    fn budget(&self) -> Budget {
        if self.ships { Budget::new(Limits::default(), None) } else { self.host.budget() }
    }

    fn nesting(&self) -> Nesting {
        self.host.nesting()
    }
}

/// Teaches the engine about loaded scripts; `load` itself is with the models.
pub(crate) fn register(engine: &mut Engine, world: &Rc<World>) {
    engine.register_type_with_name::<ScheduleValue>("schedule");
    engine.register_fn("to_string", |s: &mut ScheduleValue| s.to_string());
    engine.register_fn("to_debug", |s: &mut ScheduleValue| s.to_string());
    engine.register_indexer_get(|s: &mut ScheduleValue, name: ImmutableString| -> Failing<Strategy> {
        s.0.strategies.get(name.as_str()).cloned().ok_or_else(|| fail(s.unknown(&name)))
    });
    let world = world.clone();
    engine.register_indexer_get(move |s: &mut Strategy, name: ImmutableString| -> Failing<Strategy> {
        match world.shipped.get().filter(|schedule| schedule.0.strategies.values().any(|known| known == s)) {
            Some(schedule) => schedule.0.strategies.get(name.as_str()).cloned().ok_or_else(|| fail(schedule.unknown(&name))),
            None => Err(fail(Diagnostic::error(code::UNKNOWN_STRATEGY, format!("`{s}` has no stage `{name}`")).help(
                "only schedules that ship have stages, such as `fastGradient.hoist`; of a script's own strategies write the name",
            ))),
        }
    });
}

/// The names of schedules that ship.
pub(super) fn shipped_names() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|(name, ..)| *name)
}

/// The schedule with this name, if it ships; run when it is first asked for.
pub(super) fn shipped(world: &World, name: &str) -> Option<Strategy> {
    let (_, path, text) = SHIPPED.iter().find(|(known, ..)| *known == name)?;
    if world.shipped.get().is_none() && !world.loading.iter().any(|open| open == path) {
        let schedule = guest(world, path, text, true).ok()?;
        let _ = world.shipped.set(schedule);
    }
    world.shipped.get()?.0.strategies.get(name).cloned()
}

/// Runs a script for what it defines.
pub(crate) fn load(world: &World, path: &str) -> Result<ScheduleValue, Trouble> {
    let text = world.host.read(path)?;
    if world.loading.iter().any(|open| open == path) || world.loading.len() >= MAX_DEPTH {
        let finding = Diagnostic::error(code::IMPORT_CYCLE, format!("`{path}` is loaded while it is being loaded"));
        return Err(finding.help("move what both scripts need into a third one").into());
    }
    guest(world, path, &text, false)
}

fn guest(world: &World, path: &str, text: &str, ships: bool) -> Result<ScheduleValue, Trouble> {
    let mut loading = world.loading.clone();
    loading.push(path.to_owned());
    let mut interpreter = Interpreter::guest(Rc::new(Guest { host: world.host.clone(), ships }), world, loading);
    interpreter.run_script(path, text, &[])?;
    let strategies = interpreter.constants();
    Ok(ScheduleValue(Rc::new(Schedule { path: path.to_owned(), strategies, _interpreter: interpreter })))
}

impl ScheduleValue {
    fn unknown(&self, name: &str) -> Diagnostic {
        let finding = Diagnostic::error(code::UNKNOWN_STRATEGY, format!("{} has no strategy `{name}`", self.0.path));
        let near = did_you_mean(name, self.0.strategies.keys().map(String::as_str));
        let plain = || "only strategies and rules that take no arguments are seen from outside".to_owned();
        finding.help(near.unwrap_or_else(plain))
    }
}

impl std::fmt::Display for ScheduleValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.0.path, listed(self.0.strategies.keys()))
    }
}
