//! Builds the Rhai engine: what it may do, its limits, and everything it is taught.

use std::rc::Rc;

use rhai::module_resolvers::DummyModuleResolver;
use rhai::{Array, Dynamic, Engine};

use super::bounded::{MAX_BYTES, MAX_ELEMENTS};
use super::errors::{RhaiResult, fail};
use super::meanings;
use super::trouble;
use super::world::ScriptWorld;
use super::{
    amounts, bounded, checking, combinators, computed, define, models, parts, rules, running, schedules, searching,
    terms, walks,
};
use redexter_language::ground::{Diagnostic, Nesting, Trouble, code};

/// Elements of an array that are measured in the time of one operation.
const MEASURED_PER_OPERATION: u64 = 64;

/// An engine for schedules.
pub(crate) fn engine(world: &Rc<ScriptWorld>) -> Engine {
    let mut engine = Engine::new();
    engine.set_module_resolver(DummyModuleResolver::new());
    engine.disable_symbol("eval");
    engine.disable_symbol("import");
    engine.disable_symbol("export");
    limit(&mut engine, world.host.nesting());
    let progress = world.clone();
    engine.on_progress(move |_| progress.progress().map(|reason| Dynamic::from(Trouble::from(reason))));
    measured(&mut engine, world);
    bounded::register(&mut engine);
    names(&mut engine, world);
    engine.register_fn("to_string", |t: &mut Trouble| trouble::message(t));
    engine.register_fn("to_debug", |t: &mut Trouble| trouble::message(t));
    forbid_clock(&mut engine);
    let printer = world.clone();
    engine.on_print(move |text| printer.print(text));
    let printer = world.clone();
    engine.on_debug(move |text, _, _| printer.print(text));
    combinators::register(&mut engine, world);
    rules::register(&mut engine, world);
    computed::register(&mut engine);
    define::register(&mut engine, world);
    models::register(&mut engine, world);
    schedules::register(&mut engine, world);
    amounts::register(&mut engine);
    terms::register(&mut engine, world);
    parts::register(&mut engine);
    checking::register(&mut engine, world);
    running::register(&mut engine, world);
    searching::register(&mut engine, world);
    walks::register(&mut engine, world);
    engine
}

/// Every limit is set: those that Rhai would choose differ between builds.
fn limit(engine: &mut Engine, nesting: Nesting) {
    engine.set_max_expr_depths(nesting.expressions, nesting.in_functions);
    engine.set_max_call_levels(nesting.calls);
    // No limit of Rhai's own: `ScriptWorld::progress` counts the operations.
    engine.set_max_operations(0);
    engine.set_max_modules(0);
    engine.set_max_functions(100_000);
    engine.set_max_variables(100_000);
    engine.set_max_string_size(MAX_BYTES);
    engine.set_max_array_size(MAX_ELEMENTS);
    engine.set_max_map_size(MAX_ELEMENTS);
}

/// Rhai measures an array whenever it may have grown, which costs more the longer it is: appending counts for as much.
fn measured(engine: &mut Engine, world: &Rc<ScriptWorld>) {
    let of = world.clone();
    let append = move |array: &mut Array, item: Dynamic| -> RhaiResult<()> {
        of.work(array.len() as u64 / MEASURED_PER_OPERATION)?;
        array.push(item);
        Ok(())
    };
    engine.register_fn("push", append.clone());
    // Rhai's fast operators would not look for the `+=` that is registered here.
    engine.set_fast_operators(false);
    engine.register_fn("+=", append);
    let of = world.clone();
    engine.register_fn("+=", move |array: &mut Array, more: Array| -> RhaiResult<()> {
        of.work(array.len() as u64 / MEASURED_PER_OPERATION)?;
        array.extend(more);
        Ok(())
    });
    let of = world.clone();
    engine.register_fn("insert", move |array: &mut Array, at: i64, item: Dynamic| -> RhaiResult<()> {
        of.work(array.len() as u64 / MEASURED_PER_OPERATION)?;
        let end = array.len();
        let at = if at < 0 { end.saturating_sub(at.unsigned_abs() as usize) } else { (at as usize).min(end) };
        array.insert(at, item);
        Ok(())
    });
}

/// Names of rules and strategies are seen everywhere, also inside functions; variables shadow them.
#[allow(deprecated, reason = "Rhai marks what may still change as deprecated")]
fn names(engine: &mut Engine, world: &Rc<ScriptWorld>) {
    let world = world.clone();
    engine.on_var(move |name, index, context| {
        if index > 0 || context.scope().contains(name) {
            return Ok(None);
        }
        Ok(meanings::value_of(&world, name))
    });
}

/// Equal scripts do equal things: none sees the clock, and none waits.
fn forbid_clock(engine: &mut Engine) {
    let no_clock = || fail(Diagnostic::error(code::SCRIPT, "a schedule can't read the clock"));
    engine.register_fn("timestamp", move || -> RhaiResult<()> { Err(no_clock()) });
    engine.register_fn("sleep", move |_: i64| -> RhaiResult<()> { Err(no_clock()) });
    engine.register_fn("sleep", move |_: f64| -> RhaiResult<()> { Err(no_clock()) });
}
