//! A script's terms as programs of other languages: `t.futhark()`, `t.write_futhark("file.fut")`.

use std::rc::Rc;

use rhai::{Engine, ImmutableString, Map};

use super::subject::Subject;
use super::words;
use super::world::{Failing, World, fail, stop};
use crate::export::{FutharkOptions, futhark};
use crate::ground::{Diagnostic, Name, Trouble, code};

/// The name of a program that comes from no definition.
const NAMELESS: &str = "main";

/// Teaches the engine how terms are exported.
pub(crate) fn register(engine: &mut Engine, world: &Rc<World>) {
    let of = world.clone();
    engine.register_fn("futhark", move |t: &mut Subject| text(&of, t, &Map::new()));
    let of = world.clone();
    engine.register_fn("futhark", move |t: &mut Subject, options: Map| text(&of, t, &options));
    let to = world.clone();
    engine.register_fn("write_futhark", move |t: &mut Subject, path: ImmutableString| {
        text(&to, t, &Map::new()).and_then(|text| to.host.write(&path, &text).map_err(fail))
    });
    let to = world.clone();
    engine.register_fn("write_futhark", move |t: &mut Subject, path: ImmutableString, options: Map| {
        text(&to, t, &options).and_then(|text| to.host.write(&path, &text).map_err(fail))
    });
}

fn text(world: &World, subject: &Subject, options: &Map) -> Failing<String> {
    world.before_work()?;
    subject.closed().map_err(fail)?;
    exported(subject, options).map_err(stop)
}

fn exported(subject: &Subject, wanted: &Map) -> Result<String, Trouble> {
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
    futhark(&[(name, subject.program.clone())], &options)
}
