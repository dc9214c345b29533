//! Collects what there is to read of strategies, imports and libraries, by name.

use std::rc::Rc;

use super::super::catalogue::Builtin;
use super::super::guide::{ImportedLibrary, LibraryGuide, StrategyGuide};
use super::super::imports::ScriptImport;
use super::super::libraries::{PRELUDE, known, shipped};
use super::super::loaded::LoadedScript;
use super::super::outline::DefinitionKind;
use super::super::schedules::{GENERAL, GENERAL_SCRIPT, general_script};
use super::super::{meanings, prelude};
use super::Interpreter;
use redexter_rewriting::rule::RuleInfo;
use redexter_rewriting::strategy::body_text;

fn guide_to(script: &LoadedScript, name: String) -> LibraryGuide {
    let offers = script.offers.iter().map(|offer| StrategyGuide::of(offer, &script.text)).collect();
    LibraryGuide { name, path: script.file.path.clone(), offers }
}

impl Interpreter {
    /// What is imported, with what the uses of its names are made of; the prelude, which is there, needs no statement.
    pub fn imported(&self) -> Vec<ImportedLibrary> {
        let world = &self.world;
        let of = |script: &LoadedScript, statement: String| {
            let (definitions, rules) = script.inside.made();
            let names = script.offers.iter().map(|offer| offer.name.clone()).collect();
            ImportedLibrary { statement, names, definitions, rules }
        };
        let imports = world.imports();
        let imported = imports.libraries().iter();
        let imported =
            imported.map(|ScriptImport { script, .. }| of(script, format!("import \"{}\";", script.file.path)));
        let prelude = known(world, PRELUDE).map(|script| of(&script, String::new()));
        imported.chain(prelude).collect()
    }

    /// The rules that are imported.
    pub(super) fn imported_rules(&self) -> Vec<Rc<RuleInfo>> {
        let imports = self.world.imports();
        let offered = imports.libraries().iter().flat_map(|ScriptImport { script, .. }| {
            let names: Vec<String> = script.offers.iter().map(|offer| offer.name.clone()).collect();
            let rules = script.inside.made().1.into_iter();
            rules.filter(move |info| names.iter().any(|name| *name == info.name.as_str()))
        });
        offered.collect()
    }

    /// The names that imports give, and their aliases.
    pub fn imported_names(&self) -> Vec<String> {
        let imports = self.world.imports();
        let aliases = imports.libraries().iter().filter_map(|library| library.alias.clone());
        imports.shown().map(str::to_owned).chain(aliases).collect()
    }

    /// The aliases with the names behind them.
    pub fn aliases(&self) -> Vec<(String, Vec<String>)> {
        let imports = self.world.imports();
        let members = |library: &ScriptImport| library.script.offers.iter().map(|offer| offer.name.clone()).collect();
        imports.libraries().iter().filter_map(|library| Some((library.alias.clone()?, members(library)))).collect()
    }

    /// The general schedule with its stages.
    pub fn stages(&self) -> Option<(String, Vec<String>)> {
        let general = general_script(&self.world)?;
        let stages = general.offers.iter().map(|offer| offer.name.clone());
        Some((GENERAL.to_owned(), stages.filter(|name| name != GENERAL).collect()))
    }

    /// The libraries: those that are there from the start, then the imports.
    pub fn libraries(&self) -> Vec<LibraryGuide> {
        let world = &self.world;
        let from_the_start =
            if world.host.bare() { &[][..] } else { &[("prelude", PRELUDE), (GENERAL, GENERAL_SCRIPT)] };
        let first = from_the_start
            .iter()
            .filter_map(|(name, path)| Some(guide_to(&*shipped(world, path)?, (*name).to_owned())));
        let imports = world.imports();
        let imported = imports.libraries().iter().map(|library| {
            let stem = library.script.file.path.rsplit('/').next().unwrap_or("").trim_end_matches(".strat");
            guide_to(&library.script, library.alias.clone().unwrap_or_else(|| stem.to_owned()))
        });
        first.chain(imported).collect()
    }

    /// What there is to read of a strategy: of the user's, else an imported one, else one that is built in.
    pub fn guide(&self, name: &str) -> Option<StrategyGuide> {
        let world = &self.world;
        if let Some(own) = world.definitions().get(name) {
            let body = own.body().map(|body| statement(&own.usage(), &body));
            let mut guide = self.written(name).unwrap_or_default();
            guide.usage = own.usage();
            guide.definition = body.or(guide.definition);
            return Some(guide);
        }
        if let Some(imported) = world.imports().named(&name.replacen('.', "_", 1)) {
            let offer = imported.definitions().into_iter().find(|offer| offer.kind != DefinitionKind::Rule)?;
            let guide = StrategyGuide::of(&offer, &imported.script.text);
            let (made, _) = imported.script.inside.made();
            let body = made.iter().find(|made| made.name.as_str() == offer.name).and_then(|made| body_text(made));
            let definition = body.map(|body| statement(&offer.usage(), &body));
            return Some(StrategyGuide {
                usage: imported.usage(),
                definition: definition.or(guide.definition),
                ..guide
            });
        }
        let defined = prelude::all().iter().find(|defined| defined.name == name);
        if let (Some(defined), true) = (defined, meanings::usage(world, name).is_some()) {
            return Some(StrategyGuide::of(defined, prelude::text()));
        }
        if let Some(builtin) = meanings::builtin(world, name) {
            return Some(built_in(builtin));
        }
        let stage = if name == GENERAL { Some(name) } else { name.strip_prefix(GENERAL)?.strip_prefix('.') };
        let (wanted, general) = (stage?, general_script(world)?);
        let offer = general.offers.iter().find(|offer| offer.name == wanted)?;
        let mut guide = StrategyGuide::of(offer, &general.text);
        if guide.about.is_empty() {
            // The stages of a step of the schedule stand in a block under a comment that says what they are for.
            guide.about = offer.comment_of_block(&general.text).join(" ").trim().to_owned();
        }
        Some(StrategyGuide { usage: name.to_owned(), ..guide })
    }

    /// The guide to a name of the user's, from the text that defines it.
    fn written(&self, name: &str) -> Option<StrategyGuide> {
        let (source, defined) = self.own(name)?;
        Some(StrategyGuide::of(&defined, &self.world.sources.borrow().get(source).text))
    }

    /// The built-in strategies with what they do: primitive ones, then those that only the prelude defines.
    pub fn built_in(&self) -> Vec<(String, String)> {
        let world = &self.world;
        let native = Builtin::all().filter(|(name, _)| meanings::builtin(world, name).is_some());
        let native = native.map(|(_, builtin)| (builtin.usage(), prelude::doc(builtin)));
        let derived = prelude::all().iter().filter(|defined| prelude::defined(world, &defined.name).is_some());
        let derived = derived.map(|defined| (defined.usage(), StrategyGuide::of(defined, prelude::text()).about));
        native.chain(derived).collect()
    }
}

/// A definition as it is written.
fn statement(usage: &str, body: &str) -> String {
    format!("strategy {usage} = {body};")
}

fn built_in(builtin: Builtin) -> StrategyGuide {
    StrategyGuide { usage: builtin.usage(), about: prelude::doc(builtin), ..StrategyGuide::default() }
}
