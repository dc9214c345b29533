//! Registers the functions and operators that make strategies from strategies.

use std::any::TypeId;
use std::rc::Rc;

use rhai::{Dynamic, Engine, FnPtr, NativeCallContext};

use super::bounded::MAX_BYTES;
use super::catalogue::Builtin;
use super::definitions::TextFunctions;
use super::errors::{RhaiResult, fail, stop};
use super::meanings;
use super::script_functions::ScriptFunctions;
use super::words;
use super::world::ScriptWorld;
use super::{define, inline_rules, libraries, prelude, read};
use redexter_language::ground::{Diagnostic, code};
use redexter_language::term::Slot;
use redexter_rewriting::rule::Rule;
use redexter_rewriting::strategy::{Strategy, Unary, whole_text};

/// Teaches the engine every operator, every built-in combinator and every rule of the book that takes parameters.
pub(crate) fn register(engine: &mut Engine, world: &Rc<ScriptWorld>) {
    engine.register_type_with_name::<Strategy>("strategy");
    engine.register_type_with_name::<super::world::UnappliedStrategy>("unapplied strategy");
    for (symbol, written) in [(read::CHOICE, "<+"), (read::SEQUENCE, ";;"), (read::THEN, ";")] {
        operator(engine, world, symbol, written);
    }
    for (name, builtin) in Builtin::all().filter(|(name, b)| b.arity() > 0 && meanings::builtin(world, name).is_some())
    {
        callable(engine, world, name, builtin.arity());
    }
    for defined in prelude::all().iter().filter(|defined| prelude::defined(world, &defined.name).is_some()) {
        callable(engine, world, &defined.name, defined.params.len());
    }
    let rules = world.rule_names().names();
    rules.iter().for_each(|(name, arity)| callable(engine, world, name, *arity));
    engine.register_fn("==", |a: Strategy, b: Strategy| a == b);
    engine.register_fn("!=", |a: Strategy, b: Strategy| a != b);
    for name in ["to_string", "to_debug"] {
        let of = world.clone();
        engine.register_fn(name, move |s: &mut Strategy| of.whole(whole_text(s, MAX_BYTES, &mut || of.meter.ask())));
    }
    let reverse = world.clone();
    engine.register_get("reverse", move |s: &mut Strategy| reversed(&reverse, s).map(Dynamic::from));
}

/// Teaches the engine a name that takes arguments; what it stands for is looked up when it is called. Names without
/// arguments need no function.
pub(crate) fn callable(engine: &mut Engine, world: &Rc<ScriptWorld>, name: &str, arity: usize) {
    if arity == 0 {
        return;
    }
    let rhai_name = if name == Unary::Try.text() { read::TRY } else { name };
    let (world, name) = (world.clone(), name.to_owned());
    let types = vec![TypeId::of::<Dynamic>(); arity];
    engine.register_raw_fn(rhai_name, types, move |context, arguments| {
        let mut values: Vec<Dynamic> = arguments.iter_mut().map(|a| a.flatten_clone()).collect();
        if world.imports().named(&name).is_some() {
            values.iter_mut().for_each(|value| hand_over(&world, &context, value));
        }
        let defined = defined(&world, context.engine(), &name, &values);
        defined.unwrap_or_else(|| built_in(&world, Some(&context), &name, &values))
    });
}

fn operator(engine: &mut Engine, world: &Rc<ScriptWorld>, symbol: &str, written: &'static str) {
    // `;;` and `;` bind tighter than `<+`, and all three tighter than Rhai's `==` (90) and `in` (110), but `<` has 130, too. The
    // engine knows no reason to refuse these symbols.
    let precedence = if written == "<+" { 120 } else { 130 };
    if engine.register_custom_operator(symbol, precedence).is_err() {
        return;
    }
    let world = world.clone();
    engine.register_fn(symbol, move |a: Dynamic, b: Dynamic| -> RhaiResult<Dynamic> {
        // In parentheses `;` may stand behind what has no value, as in `(print(x); s)`.
        if written == ";" && a.is_unit() {
            return Ok(b);
        }
        let wanted = |side: &str| format!("`{written}` needs a strategy on its {side}");
        let left = words::strategy(&world, &a, &wanted("left")).map_err(stop)?;
        let right = words::strategy(&world, &b, &wanted("right")).map_err(stop)?;
        Ok(Dynamic::from(if written == "<+" { left.or(&right) } else { left.then(&right) }))
    });
}

fn reversed(world: &ScriptWorld, strategy: &Strategy) -> RhaiResult<Strategy> {
    let Some(rule) = strategy.as_rule() else {
        let headline = "only a rule can be reversed, and this is a combination of strategies";
        return Err(fail(Diagnostic::error(code::UNKNOWN_STRATEGY, headline)));
    };
    let name = format!("{}.reverse", rule.info().name);
    let reverse = match libraries::imported_rule(world, rule.info()) {
        Some((_, reverse)) => reverse,
        None => world.rule_names().get(&name).cloned(),
    };
    match reverse {
        Some(info) => Ok(Strategy::rule(&Rule::new(info, rule.arguments()))),
        None => {
            let headline = format!("the rule `{}` has no reverse", rule.info().name);
            Err(fail(
                Diagnostic::error(code::UNKNOWN_STRATEGY, headline).help("only rules written with `<-->` have one"),
            ))
        }
    }
}

/// Applies a name of this world to arguments, from wherever it is called.
pub(super) fn call(world: &ScriptWorld, engine: &Engine, name: &str, values: &[Dynamic]) -> RhaiResult<Dynamic> {
    defined(world, engine, name, values).unwrap_or_else(|| built_in(world, None, name, values))
}

/// Applies a name that isn't built in to arguments, in the order of shadowing: a definition of the user's, an import, a rule.
fn defined(world: &ScriptWorld, engine: &Engine, name: &str, values: &[Dynamic]) -> Option<RhaiResult<Dynamic>> {
    let defined = world.definitions().get(name).cloned();
    if let Some(defined) = defined.filter(|d| d.arity() == values.len()) {
        return Some(define::call(&defined, engine, world, values).map(Dynamic::from));
    }
    let imported = world.imports().named(name).cloned();
    if let Some(given) = imported.and_then(|imported| imported.call(values)) {
        return Some(given);
    }
    let info = world.rule_names().get(name).cloned().filter(|info| info.params.len() == values.len())?;
    let arguments = values.iter().zip(&info.params).map(|(value, param)| {
        words::natural(value, &format!("the parameter `{param}` of the rule `{name}` is a whole number from 0"))
    });
    let arguments = arguments.collect::<Result<Vec<u64>, Diagnostic>>();
    Some(arguments.map(|arguments| Dynamic::from(Strategy::rule(&Rule::new(info, &arguments)))).map_err(fail))
}

/// Applies a built-in name to arguments, natively or by the prelude.
fn built_in(
    world: &ScriptWorld,
    context: Option<&NativeCallContext>,
    name: &str,
    values: &[Dynamic],
) -> RhaiResult<Dynamic> {
    if let Some(builtin) = meanings::builtin(world, name) {
        return native(world, context, builtin, values).map(Dynamic::from);
    }
    prelude::call(world, name, values).unwrap_or_else(|| {
        let headline = format!("`{name}` is not defined yet");
        Err(fail(Diagnostic::error(code::UNKNOWN_STRATEGY, headline).help("define it above its first use")))
    })
}

fn native(
    world: &ScriptWorld,
    context: Option<&NativeCallContext>,
    builtin: Builtin,
    values: &[Dynamic],
) -> RhaiResult<Strategy> {
    let usage = builtin.usage();
    let strategy = |k: usize| words::strategy(world, &values[k], &format!("`{usage}` needs a strategy")).map_err(stop);
    let number = |k: usize| words::natural(&values[k], &format!("`{usage}` needs a whole number from 0")).map_err(fail);
    let text = |k: usize| words::text(&values[k], &format!("`{usage}` needs a text")).map_err(fail);
    let place = |k: u64| u32::try_from(k).unwrap_or(u32::MAX);
    Ok(match builtin {
        Builtin::Id => Strategy::id(),
        Builtin::Fail => Strategy::fail(),
        Builtin::Seq => strategy(0)?.then(&strategy(1)?),
        Builtin::Choice => strategy(0)?.or(&strategy(1)?),
        Builtin::Cheapest => strategy(0)?.or_cheaper(&strategy(1)?),
        Builtin::Mu => fixed_point(world, context, &values[0])?,
        Builtin::Unary(unary) => strategy(0)?.under(unary),
        Builtin::Child(slot) => strategy(0)?.child(slot),
        Builtin::Operand => strategy(1)?.child(Slot::Operand(place(number(0)?))),
        Builtin::Element => strategy(1)?.child(Slot::Element(place(number(0)?))),
        Builtin::RepeatN => strategy(1)?.repeat_n(number(0)?),
        Builtin::At => match text(0)? {
            path if inline_rules::is_path(&path) => strategy(1)?.at(&path),
            pattern => strategy(1)?.at_match(&inline_rules::pattern(world, &pattern).map_err(stop)?),
        },
        Builtin::RepeatUntil => strategy(1)?.repeat_until(&inline_rules::pattern(world, &text(0)?).map_err(stop)?),
    })
}

/// `mu(|x| s)`: the closure is called once, with a name that is bound in what it gives.
fn fixed_point(world: &ScriptWorld, context: Option<&NativeCallContext>, closure: &Dynamic) -> RhaiResult<Strategy> {
    let function = closure.read_lock::<FnPtr>().map(|f| f.clone());
    let (Some(closure), Some(context)) = (function, context) else {
        let headline = format!("`mu` needs a function, but this is {}", words::what(closure));
        return Err(fail(Diagnostic::error(code::NOT_A_STRATEGY, headline).help("write `mu(|x| (s ; x) <+ id)`")));
    };
    let serial = world.meter.serial();
    let body = closure.call_within_context::<Dynamic>(context, (Strategy::free(serial),))?;
    let body = words::strategy(world, &body, "the function of `mu` needs to give a strategy").map_err(stop)?;
    Ok(Strategy::mu("x", serial, &body))
}

/// Wraps a function that goes to another script, so that it runs where it comes from, whatever that script's names mean.
#[allow(deprecated, reason = "Rhai marks what may still change as deprecated")]
fn hand_over(world: &Rc<ScriptWorld>, context: &NativeCallContext, value: &mut Dynamic) {
    let Some(function) = value.read_lock::<FnPtr>().map(|function| function.clone()) else { return };
    let home =
        ScriptFunctions::new(world, TextFunctions::new(world.source_of(context), context.namespaces().last().cloned()));
    let called = FnPtr::from_fn("handed_over", move |_, arguments| {
        let arguments = arguments.iter_mut().map(|argument| argument.flatten_clone()).collect();
        home.call_back(&function, arguments).map_err(stop)
    });
    if let Ok(called) = called {
        *value = Dynamic::from(called);
    }
}

/// Teaches an engine an imported name; functions may take no arguments.
pub(super) fn teach(engine: &mut Engine, world: &Rc<ScriptWorld>, name: &str, arity: usize) {
    match arity {
        0 => {
            let (world, name) = (world.clone(), name.to_owned());
            engine.register_fn(name.clone(), move || -> RhaiResult<Dynamic> {
                let imported = world.imports().named(&name).cloned();
                imported.and_then(|imported| imported.call(&[])).unwrap_or(Ok(Dynamic::UNIT))
            });
        }
        _ => callable(engine, world, name, arity),
    }
}
