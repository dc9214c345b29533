//! Gives a script its terms: `load(path)`, `model.name` and `term("…")`.

use std::path::Path;
use std::rc::Rc;

use rhai::{Dynamic, Engine, ImmutableString, NativeCallContext};

use super::errors::{RhaiResult, fail, stop};
use super::schedules;
use super::terms::TermValue;
use super::world::ScriptWorld;
use redexter_language::check::{self, Loader, Model};
use redexter_language::ground::{Span, Trouble, text::listed};
use redexter_language::syntax::{parse_alone, parse_term};

/// A model of a script.
#[derive(Clone)]
pub(crate) struct ModelValue(pub Rc<Model>);

pub(crate) fn register(engine: &mut Engine, world: &Rc<ScriptWorld>) {
    engine.register_type_with_name::<ModelValue>("model");
    engine.register_fn("to_string", |m: &mut ModelValue| m.to_string());
    engine.register_fn("to_debug", |m: &mut ModelValue| m.to_string());
    engine.register_fn("==", |a: ModelValue, b: ModelValue| Rc::ptr_eq(&a.0, &b.0));
    let of = world.clone();
    engine.register_fn("load", move |context: NativeCallContext, path: ImmutableString| {
        let script = of.sources.borrow().get(of.source_of(&context)).name.clone();
        let path = of.host.find(&path, &script);
        if path.ends_with(".strat") {
            of.host.read(&path).map_err(fail)?;
            of.before_work()?;
            return schedules::load(&of, &path).map(Dynamic::from).map_err(stop);
        }
        load(&of, &path).map(|model| Dynamic::from(ModelValue(model))).map_err(stop)
    });
    let of = world.clone();
    engine.register_indexer_get(move |model: &mut ModelValue, name: ImmutableString| -> RhaiResult<TermValue> {
        let program = model.0.program(&name, &of.host.budget()).map_err(stop)?;
        Ok(TermValue::new(program, Some(name.to_string())))
    });
    let of = world.clone();
    engine.register_fn("term", move |context: NativeCallContext, text: ImmutableString| {
        term(&of, &context, &text).map_err(stop)
    });
}

fn load(world: &ScriptWorld, path: &str) -> Result<Rc<Model>, Trouble> {
    let budget = world.host.budget();
    let read = |path: &Path| world.host.read(&path.to_string_lossy());
    Loader::new(&world.sources, &read, &budget, world.prelude.clone()).load(Path::new(path))
}

fn term(world: &ScriptWorld, context: &NativeCallContext, text: &str) -> Result<TermValue, Trouble> {
    let region = literal(world, context, text).unwrap_or_else(|| {
        let id = world.sources.borrow_mut().add("<term>", text);
        world.sources.borrow().whole(id)
    });
    let budget = world.host.budget();
    let raw = parse_term(&world.sources.borrow(), region, &budget)?;
    let (program, warnings) = check::term_and_warnings(&raw, &world.prelude, &budget)?;
    let held = world.sources.borrow().get(region.source).text.clone();
    let text = &held[region.start as usize..region.end as usize];
    check::no_division_in_comments(
        text,
        region,
        &budget,
        |name| world.prelude.defines(name),
        |divided| check::term(&parse_alone(divided, &budget)?, &world.prelude, &budget).map(drop),
    )?;
    warnings.iter().for_each(|finding| world.warn(finding));
    Ok(TermValue::new(program, None))
}

/// The place of the text in the script, if it is written out behind the call: then what is wrong with it is placed there.
fn literal(world: &ScriptWorld, context: &NativeCallContext, text: &str) -> Option<Span> {
    let source = world.source_of(context);
    let call = world.span(source, context.call_position())?;
    let sources = world.sources.borrow();
    let rest = &sources.get(source).text[call.end as usize..];
    let inside = rest.trim_start().strip_prefix('(')?.trim_start().strip_prefix(['"', '`'])?;
    let start = call.end as usize + (rest.len() - inside.len());
    let whole = inside.strip_prefix(text)?.starts_with(['"', '`']);
    whole.then(|| Span::new(source, start, start + text.len()))
}

impl std::fmt::Display for ModelValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.0.path, listed(self.0.names()))
    }
}
