//! Looks up the derived combinators, which `strategies/prelude.strat` defines, a library that is there from the start.
//!
//! Those that the engine runs natively have their sentences, laws and definitions there, and nothing else; the others are
//! what the text says, and it is run when one of them is first used.

use std::sync::LazyLock;

use rhai::Dynamic;

use super::catalogue::Builtin;
use super::errors::RhaiResult;
use super::guide::StrategyGuide;
use super::libraries::{PRELUDE, built_in, shipped};
use super::outline::{OutlineDefinition, outline};
use super::world::ScriptWorld;
use redexter_language::ground::text::word;
use redexter_rewriting::strategy::Strategy;

/// What the text defines.
static ALL: LazyLock<Vec<OutlineDefinition>> = LazyLock::new(|| outline(text()).definitions);

pub(super) fn text() -> &'static str {
    built_in(PRELUDE).map_or("", |(_, text)| text)
}

/// Every derived combinator, in the order of the text.
pub(super) fn all() -> &'static [OutlineDefinition] {
    &ALL
}

/// Whether a name is defined there.
pub(super) fn derives(name: &str) -> bool {
    ALL.iter().any(|defined| defined.name == name)
}

/// Whether a name that is defined there is run natively.
pub(super) fn is_native(name: &str) -> bool {
    Builtin::named(name).is_some()
}

/// What a built-in strategy is for, in a sentence: of what is derived here, the sentence here.
pub(super) fn doc(builtin: Builtin) -> String {
    let usage = builtin.usage();
    let derived = ALL.iter().find(|defined| defined.name == word(&usage));
    derived.map_or_else(|| builtin.doc(), |defined| StrategyGuide::of(defined, text()).about)
}

/// The names that aren't native.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|defined| defined.name.as_str()).filter(|name| !is_native(name))
}

/// A combinator that isn't native, where this world has the prelude.
pub(super) fn defined(world: &ScriptWorld, name: &str) -> Option<&'static OutlineDefinition> {
    let defined = ALL.iter().find(|defined| defined.name == name)?;
    // In the prelude itself its names are definitions as any script's.
    (!world.host.bare() && !is_native(name) && !is_open(world)).then_some(defined)
}

/// Whether this world is the prelude's own.
pub(super) fn is_open(world: &ScriptWorld) -> bool {
    world.loading.last().is_some_and(|open| open.file.ships && open.file.path == PRELUDE)
}

/// A combinator without arguments that isn't native.
pub(super) fn constant(world: &ScriptWorld, name: &str) -> Option<Strategy> {
    let defined = defined(world, name).filter(|defined| defined.params.is_empty())?;
    shipped(world, PRELUDE)?.inside.constant(&defined.name)
}

/// Applies a combinator that isn't native to arguments.
pub(super) fn call(world: &ScriptWorld, name: &str, values: &[Dynamic]) -> Option<RhaiResult<Dynamic>> {
    let defined = defined(world, name).filter(|defined| defined.params.len() == values.len())?;
    Some(shipped(world, PRELUDE)?.inside.call(defined, values.to_vec()))
}
