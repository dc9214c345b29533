//! Evaluates a script's terms (`t.evaluate(…)`, `t.counts(…)`), asks whether a strategy ends (`ends(s)`), compares terms
//! (`equivalent(t, u)`), measures how they grow (`growth(primal, derivative, #{ n: [10, 20] })`), and exports
//! them (`t.futhark()`, `t.write_futhark("file.fut")`, `t.jax()`, `t.write_jax("file.py")`).

use std::collections::BTreeSet;
use std::rc::Rc;

use rhai::{Array, Dynamic, Engine, ImmutableString, Map};
use serde_json::{Number, Value as Json};

use super::bounded::MAX_ELEMENTS;
use super::errors::{RhaiResult, fail, stop};
use super::terms::TermValue;
use super::words;
use super::world::ScriptWorld;
use redexter_language::eval::{Counts, Value, evaluate, inputs_from_json, no_size, open_sizes};
use redexter_language::ground::writing::within;
use redexter_language::ground::{Diagnostic, Name, StopReason, Trouble, code};
use redexter_language::growth::{GrowthTable, SizeRanges, growth};
use redexter_language::term::Program;
use redexter_loops::export::{FutharkOptions, JaxEntry, JaxOptions, futhark, jax};
use redexter_rewriting::ends::{SearchBounds, endings};
use redexter_rewriting::rule::Exactness;
use redexter_rewriting::sound;

/// The name of a program that comes from no definition.
const NAMELESS: &str = "main";

pub(crate) fn register(engine: &mut Engine, world: &Rc<ScriptWorld>) {
    evaluation(engine, world);
    growing(engine, world);
    exporting(engine, world);
}

fn evaluation(engine: &mut Engine, world: &Rc<ScriptWorld>) {
    let of = world.clone();
    engine.register_fn("evaluate", move |t: &mut TermValue, inputs: Map| {
        of.before_work()?;
        let (value, _) = run(&of, t.closed().map_err(fail)?, &inputs).map_err(stop)?;
        dynamic(&value, &mut (MAX_ELEMENTS + 1)).map_err(|reason| stop(reason.into()))
    });
    let of = world.clone();
    engine.register_fn("counts", move |t: &mut TermValue, inputs: Map| {
        of.before_work()?;
        run(&of, t.closed().map_err(fail)?, &inputs).map(|(_, counts)| counts_map(&counts)).map_err(stop)
    });
    let of = world.clone();
    engine.register_fn("ends", move |s: Dynamic| {
        of.before_work()?;
        let strategy = words::strategy(&of, &s, "a strategy is needed here").map_err(stop)?;
        let found = endings(&strategy, &|_| true, SearchBounds::default(), &of.host.budget());
        found.stopped.map_or(Ok(found.ending.text()), |reason| Err(stop(reason.into())))
    });
    let of = world.clone();
    engine.register_fn("equivalent", move |t: TermValue, u: TermValue| {
        of.before_work()?;
        equivalent(&of, t.closed().map_err(fail)?, u.closed().map_err(fail)?).map_err(stop)
    });
}

fn growing(engine: &mut Engine, world: &Rc<ScriptWorld>) {
    engine.register_type_with_name::<GrowthTable>("growth");
    engine.register_fn("to_string", |g: &mut GrowthTable| g.to_string());
    engine.register_fn("to_debug", |g: &mut GrowthTable| g.to_string());
    engine.register_get("ratio", |g: &mut GrowthTable| g.ratio());
    engine.register_get("iterations", |g: &mut GrowthTable| g.iterations());
    engine.register_get("excess", |g: &mut GrowthTable| g.excess());
    engine.register_get("order", |g: &mut GrowthTable| g.order());
    engine.register_get("ofPlain", |g: &mut GrowthTable| g.of_plain());
    engine.register_get("perEntry", |g: &mut GrowthTable| g.per_entry());
    let of = world.clone();
    engine.register_fn("growth", move |primal: TermValue, derivative: TermValue, sizes: Map| {
        measure(&of, &[("primal", &primal), ("derivative", &derivative)], Some(&sizes))
    });
    let of = world.clone();
    engine.register_fn("growth", move |primal: TermValue, derivative: TermValue| {
        measure(&of, &[("primal", &primal), ("derivative", &derivative)], None)
    });
    let of = world.clone();
    engine.register_fn("growth", move |primal: TermValue, plain: TermValue, scheduled: TermValue, sizes: Map| {
        measure(&of, &[("primal", &primal), ("plain", &plain), ("scheduled", &scheduled)], Some(&sizes))
    });
    let of = world.clone();
    engine.register_fn("growth", move |primal: TermValue, plain: TermValue, scheduled: TermValue| {
        measure(&of, &[("primal", &primal), ("plain", &plain), ("scheduled", &scheduled)], None)
    });
}

fn exporting(engine: &mut Engine, world: &Rc<ScriptWorld>) {
    let of = world.clone();
    engine.register_fn("jax", move |t: &mut TermValue| jax_text(&of, t));
    let to = world.clone();
    engine.register_fn("write_jax", move |t: &mut TermValue, path: ImmutableString| {
        jax_text(&to, t).and_then(|text| to.host.write(&path, &text).map_err(fail))
    });
    let of = world.clone();
    engine.register_fn("futhark", move |t: &mut TermValue| futhark_text(&of, t, &Map::new()));
    let of = world.clone();
    engine.register_fn("futhark", move |t: &mut TermValue, options: Map| futhark_text(&of, t, &options));
    let to = world.clone();
    engine.register_fn("write_futhark", move |t: &mut TermValue, path: ImmutableString| {
        futhark_text(&to, t, &Map::new()).and_then(|text| to.host.write(&path, &text).map_err(fail))
    });
    let to = world.clone();
    engine.register_fn("write_futhark", move |t: &mut TermValue, path: ImmutableString, options: Map| {
        futhark_text(&to, t, &options).and_then(|text| to.host.write(&path, &text).map_err(fail))
    });
}

fn run(world: &ScriptWorld, program: &Program, inputs: &Map) -> Result<(Value, Counts), Trouble> {
    let object = object(inputs, MAX_NESTING)?;
    let budget = world.host.budget();
    let (values, sizes) = inputs_from_json(program, &object.to_string(), &[], &budget)?;
    evaluate(program, &values, &sizes, &budget)
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

/// The value of a term as one of the script, of no more than so many elements: pairs are arrays of two.
fn dynamic(value: &Value, left: &mut usize) -> Result<Dynamic, StopReason> {
    *left = left.checked_sub(1).ok_or(StopReason::Elements(MAX_ELEMENTS as u64))?;
    Ok(match value {
        Value::Real(x) => Dynamic::from(*x),
        Value::Int(n) => Dynamic::from(*n),
        Value::Index(k) => words::number(*k),
        Value::Array(array) => {
            let items: Result<Array, StopReason> = array.items().map(|item| dynamic(&item, left)).collect();
            Dynamic::from(items?)
        }
        Value::Pair(pair) => Dynamic::from(vec![dynamic(&pair.0, left)?, dynamic(&pair.1, left)?]),
        Value::Function(_) => Dynamic::UNIT,
    })
}

fn counts_map(counts: &Counts) -> Map {
    counts.named().into_iter().map(|(name, n)| (name.into(), words::number(n))).collect()
}

/// Whether two programs of one type agree, up to rounding, on random inputs of several sizes.
fn equivalent(world: &ScriptWorld, a: &Program, b: &Program) -> Result<bool, Trouble> {
    if a.term.ty() != b.term.ty() {
        return Ok(false);
    }
    let compared = sound::equivalent(a, b, Exactness::Reassociating, 1, &world.host.budget())?;
    Ok(compared.agrees())
}

/// The values of each size where none are given.
const USUAL_SIZES: [u64; 3] = [10, 20, 40];

fn measure(world: &ScriptWorld, subjects: &[(&str, &TermValue)], sizes: Option<&Map>) -> RhaiResult<GrowthTable> {
    world.before_work()?;
    let mut programs = Vec::new();
    for (label, subject) in subjects {
        programs.push((*label, subject.closed().map_err(fail)?));
    }
    let known: BTreeSet<Name> = programs.iter().flat_map(|(_, program)| open_sizes(&program.term)).collect();
    let names: Vec<&str> = known.iter().map(Name::as_str).collect();
    let Some(sizes) = sizes else {
        let mut ranges = SizeRanges::default();
        known.iter().for_each(|name| ranges.add(name, USUAL_SIZES.to_vec()));
        return growth(&programs, &ranges, &world.host.budget()).map_err(stop);
    };
    if let Some(other) = sizes.keys().map(|name| Name::new(name)).find(|name| !known.contains(name)) {
        return Err(fail(no_size(&other, &names)));
    }
    growth(&programs, &ranges(sizes).map_err(fail)?, &world.host.budget()).map_err(stop)
}

/// Sizes from a map of names to numbers or arrays of numbers.
fn ranges(sizes: &Map) -> Result<SizeRanges, Diagnostic> {
    let mut ranges = SizeRanges::default();
    for (name, value) in sizes {
        let wanted = format!("the size `{name}` is a number from 0, or an array of such numbers");
        let values: Vec<u64> = match value.read_lock::<Array>() {
            Some(all) => all.iter().map(|one| words::natural(one, &wanted)).collect::<Result<_, _>>()?,
            None => vec![words::natural(value, &wanted)?],
        };
        if values.is_empty() {
            let headline = format!("the size `{name}` has no value");
            return Err(Diagnostic::error(code::SCRIPT, headline).help("write `#{ n: [10, 20, 40, 80] }`"));
        }
        ranges.add(&Name::new(name), values);
    }
    Ok(ranges)
}

fn jax_text(world: &ScriptWorld, subject: &TermValue) -> RhaiResult<String> {
    world.before_work()?;
    subject.closed().map_err(fail)?;
    let name = Name::new(subject.name.as_deref().unwrap_or(NAMELESS));
    let entry = JaxEntry { what: name.to_string(), name, program: subject.program.clone(), derivative: None };
    let text = within(world.host.budget(), || jax(&[entry], &JaxOptions::default()));
    text.map_err(Trouble::from).and_then(|text| text).map_err(stop)
}

fn futhark_text(world: &ScriptWorld, subject: &TermValue, options: &Map) -> RhaiResult<String> {
    world.before_work()?;
    subject.closed().map_err(fail)?;
    exported(world, subject, options).map_err(stop)
}

fn exported(world: &ScriptWorld, subject: &TermValue, wanted: &Map) -> Result<String, Trouble> {
    let mut options = FutharkOptions::default();
    for (key, value) in wanted {
        match (key.as_str(), value.as_bool()) {
            ("sequential", Ok(sequential)) => options.sequential = sequential,
            ("sequential", Err(_)) => {
                let headline = format!("`sequential` is true or false, but this is {}", words::what(value));
                return Err(Diagnostic::error(code::SCRIPT, headline).into());
            }
            _ => {
                let headline = format!("the export has no option `{key}`");
                return Err(Diagnostic::error(code::SCRIPT, headline).help("write `#{ sequential: true }`").into());
            }
        }
    }
    let name = Name::new(subject.name.as_deref().unwrap_or(NAMELESS));
    within(world.host.budget(), || futhark(&[(name, subject.program.clone())], &options))?
}
