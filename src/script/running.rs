//! Running a script's terms: `t.evaluate(…)`, `t.counts(…)`, `equivalent(t, u)`.

use std::rc::Rc;

use rhai::{Array, Dynamic, Engine, ImmutableString, Map};
use serde_json::{Number, Value as Json};

use super::subject::Subject;
use super::words;
use super::world::{World, fail, stop};
use crate::eval::{Counts, Value, evaluate, inputs_from_json};
use crate::ground::{Diagnostic, Trouble, code};
use crate::rule::Exactness;
use crate::sound;
use crate::term::Program;

/// Teaches the engine how terms run.
pub(crate) fn register(engine: &mut Engine, world: &Rc<World>) {
    let of = world.clone();
    engine.register_fn("evaluate", move |t: &mut Subject, inputs: Map| {
        of.before_work()?;
        run(&of, t.closed().map_err(fail)?, &inputs).map(|(value, _)| dynamic(&value)).map_err(stop)
    });
    let of = world.clone();
    engine.register_fn("counts", move |t: &mut Subject, inputs: Map| {
        of.before_work()?;
        run(&of, t.closed().map_err(fail)?, &inputs).map(|(_, counts)| map(&counts)).map_err(stop)
    });
    let of = world.clone();
    engine.register_fn("equivalent", move |t: Subject, u: Subject| {
        of.before_work()?;
        equivalent(&of, t.closed().map_err(fail)?, u.closed().map_err(fail)?).map_err(stop)
    });
}

fn run(world: &World, program: &Program, inputs: &Map) -> Result<(Value, Counts), Trouble> {
    let object = object(inputs, MAX_NESTING)?;
    let (values, sizes) = inputs_from_json(program, &object.to_string(), &[])?;
    evaluate(program, &values, &sizes, &world.host.budget())
}

/// Inputs may nest so deep.
const MAX_NESTING: u32 = 100;

fn object(map: &Map, depth: u32) -> Result<Json, Diagnostic> {
    let fields = map.iter().map(|(key, value)| Ok((key.to_string(), json(value, depth)?)));
    fields.collect::<Result<serde_json::Map<String, Json>, Diagnostic>>().map(Json::Object)
}

/// A script's value as an input.
fn json(value: &Dynamic, depth: u32) -> Result<Json, Diagnostic> {
    if let Ok(n) = value.as_int() {
        return Ok(n.into());
    }
    if let Ok(x) = value.as_float() {
        return Ok(Number::from_f64(x).map_or_else(|| Json::from(not_finite(x)), Json::Number));
    }
    if let Some(text) = value.read_lock::<ImmutableString>() {
        return Ok(Json::from(text.as_str()));
    }
    if let (Some(all), true) = (value.read_lock::<Array>(), depth > 0) {
        return all.iter().map(|v| json(v, depth - 1)).collect();
    }
    let headline = format!("an input is a number or an array, but this is {}", words::what(value));
    Err(Diagnostic::error(code::INPUT_SHAPE, headline))
}

fn not_finite(x: f64) -> &'static str {
    match (x.is_nan(), x > 0.0) {
        (true, _) => "NaN",
        (_, true) => "inf",
        _ => "-inf",
    }
}

/// What a term came to, as a script's value: pairs as arrays of two.
fn dynamic(value: &Value) -> Dynamic {
    match value {
        Value::Real(x) => Dynamic::from(*x),
        Value::Int(n) => Dynamic::from(*n),
        Value::Index(k) => Dynamic::from(i64::try_from(*k).unwrap_or(i64::MAX)),
        Value::Array(array) => Dynamic::from(array.items().iter().map(dynamic).collect::<Array>()),
        Value::Pair(pair) => Dynamic::from(vec![dynamic(&pair.0), dynamic(&pair.1)]),
        Value::Function(_) => Dynamic::UNIT,
    }
}

fn map(counts: &Counts) -> Map {
    let Counts { flops, compares, reads, writes, iterations } = *counts;
    let all =
        [("flops", flops), ("compares", compares), ("reads", reads), ("writes", writes), ("iterations", iterations)];
    all.into_iter().map(|(key, n)| (key.into(), Dynamic::from(i64::try_from(n).unwrap_or(i64::MAX)))).collect()
}

/// Whether two programs of one type agree, up to rounding, on random inputs of several sizes.
fn equivalent(world: &World, a: &Program, b: &Program) -> Result<bool, Trouble> {
    if a.term.ty() != b.term.ty() {
        return Ok(false);
    }
    let compared = sound::equivalent(a, b, Exactness::RealExact, 1, &world.host.budget())?;
    Ok(compared.agrees())
}
