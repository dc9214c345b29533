//! How a script's terms grow: `growth(primal, derivative, #{ n: [10, 20] })`.

use std::rc::Rc;

use rhai::{Array, Engine, Map};

use super::subject::Subject;
use super::words;
use super::world::{Failing, World, fail, stop};
use crate::ground::{Diagnostic, Name, code};
use crate::growth::{Growth, Ranges, growth};

/// Teaches the engine how growth is measured.
pub(crate) fn register(engine: &mut Engine, world: &Rc<World>) {
    engine.register_type_with_name::<Growth>("growth");
    engine.register_fn("to_string", |g: &mut Growth| g.to_string());
    engine.register_fn("to_debug", |g: &mut Growth| g.to_string());
    engine.register_get("ratio", |g: &mut Growth| g.ratio());
    engine.register_get("iterations", |g: &mut Growth| g.iterations());
    engine.register_get("excess", |g: &mut Growth| g.excess());
    engine.register_get("ofPlain", |g: &mut Growth| g.of_plain());
    engine.register_get("perEntry", |g: &mut Growth| g.per_entry());
    let of = world.clone();
    engine.register_fn("growth", move |primal: Subject, derivative: Subject, sizes: Map| {
        measure(&of, &[("primal", &primal), ("derivative", &derivative)], &sizes)
    });
    let of = world.clone();
    engine.register_fn("growth", move |primal: Subject, plain: Subject, scheduled: Subject, sizes: Map| {
        measure(&of, &[("primal", &primal), ("plain", &plain), ("scheduled", &scheduled)], &sizes)
    });
}

fn measure(world: &World, subjects: &[(&str, &Subject)], sizes: &Map) -> Failing<Growth> {
    world.before_work()?;
    let mut programs = Vec::new();
    for (label, subject) in subjects {
        programs.push((*label, subject.closed().map_err(fail)?));
    }
    growth(&programs, &ranges(sizes).map_err(fail)?, &world.host.budget()).map_err(stop)
}

/// Sizes from a map of names to numbers or arrays of numbers.
fn ranges(sizes: &Map) -> Result<Ranges, Diagnostic> {
    let mut ranges = Ranges::default();
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
