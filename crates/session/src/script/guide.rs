//! Collects what there is to read of strategies by name: how each is used, its definition, and the comment above it.
//!
//! A comment's lines that begin with `law` or `example` say what holds for every strategy, and one use: `law try(try(s)) ==
//! try(s)`, ``example try(beta): `before` --> `after` ``.

use std::rc::Rc;

use super::catalogue::Builtin;
use super::imports::ScriptImport;
use super::interpreter::Interpreter;
use super::libraries::{LoadedScript, PRELUDE, known, shipped};
use super::outline::{DefinitionKind, OutlineDefinition};
use super::prelude;
use super::schedules::{GENERAL, GENERAL_SCRIPT, general_script};
use redexter_language::ground::text::on_one_line;
use redexter_rewriting::rule::RuleInfo;
use redexter_rewriting::strategy::{StrategyDefinition, body_text};

/// What there is to read of a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StrategyGuide {
    /// How it is used.
    pub usage: String,
    /// What it does.
    pub about: String,
    /// The statement that defines it.
    pub definition: Option<String>,
    /// What holds of it.
    pub laws: Vec<String>,
    /// Uses of it.
    pub examples: Vec<String>,
}

/// A script whose names are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryGuide {
    /// What it is called: its alias, else its file's name.
    pub name: String,
    /// Its file.
    pub path: String,
    /// What it offers, in the order of its text.
    pub offers: Vec<StrategyGuide>,
}

/// An import, as `:save` writes it.
#[derive(Clone)]
pub struct ImportedLibrary {
    /// The statement; empty for the prelude, which needs none.
    pub statement: String,
    /// The names that it gives.
    pub names: Vec<String>,
    /// The definitions that uses of its strategies refer to.
    pub definitions: Vec<Rc<StrategyDefinition>>,
    /// Its rules.
    pub rules: Vec<Rc<RuleInfo>>,
}

impl StrategyGuide {
    /// What a definition and its comment say.
    pub(super) fn of(defined: &OutlineDefinition, text: &str) -> StrategyGuide {
        let written = text.get(defined.statement.clone()).map(on_one_line);
        let mut guide = StrategyGuide { usage: defined.usage(), definition: written, ..StrategyGuide::default() };
        let mut about: Vec<&str> = Vec::new();
        for line in defined.comment(text) {
            let line = line.trim();
            match line.split_once(' ') {
                Some(("law", law)) => guide.laws.push(law.trim().to_owned()),
                Some(("example", example)) => guide.examples.push(example.trim().to_owned()),
                _ => about.push(line),
            }
        }
        guide.about = about.join(" ").trim().to_owned();
        guide
    }

    fn built_in(builtin: Builtin) -> StrategyGuide {
        StrategyGuide { usage: builtin.usage(), about: builtin.doc(), ..StrategyGuide::default() }
    }
}

impl LoadedScript {
    fn guide(&self, name: String) -> LibraryGuide {
        let offers = self.offers().iter().map(|offer| StrategyGuide::of(offer, self.text())).collect();
        LibraryGuide { name, path: self.file.path.clone(), offers }
    }
}

impl Interpreter {
    /// What is imported, with what the uses of its names are made of; the prelude, which is there, needs no statement.
    pub fn imported(&self) -> Vec<ImportedLibrary> {
        let world = &self.world;
        let of = |script: &LoadedScript, statement: String| {
            let (definitions, rules) = script.made();
            let names = script.offers().into_iter().map(|offer| offer.name).collect();
            ImportedLibrary { statement, names, definitions, rules }
        };
        let imports = world.imports.borrow();
        let imported = imports.libraries().iter();
        let imported =
            imported.map(|ScriptImport { script, .. }| of(script, format!("import \"{}\";", script.file.path)));
        let prelude = known(world, PRELUDE).map(|script| of(&script, String::new()));
        imported.chain(prelude).collect()
    }

    /// The rules that are imported.
    pub(super) fn imported_rules(&self) -> Vec<Rc<RuleInfo>> {
        let imports = self.world.imports.borrow();
        let offered = imports.libraries().iter().flat_map(|ScriptImport { script, .. }| {
            let names: Vec<String> = script.offers().into_iter().map(|offer| offer.name).collect();
            let rules = script.made().1.into_iter();
            rules.filter(move |info| names.iter().any(|name| *name == info.name.as_str()))
        });
        offered.collect()
    }

    /// The names that imports give, and their aliases.
    pub fn imported_names(&self) -> Vec<String> {
        let imports = self.world.imports.borrow();
        let aliases = imports.libraries().iter().filter_map(|library| library.alias.clone());
        imports.shown().map(str::to_owned).chain(aliases).collect()
    }

    /// The aliases with the names behind them.
    pub fn aliases(&self) -> Vec<(String, Vec<String>)> {
        let imports = self.world.imports.borrow();
        let members = |library: &ScriptImport| library.script.offers().into_iter().map(|offer| offer.name).collect();
        imports.libraries().iter().filter_map(|library| Some((library.alias.clone()?, members(library)))).collect()
    }

    /// The general schedule with its stages.
    pub fn stages(&self) -> Option<(String, Vec<String>)> {
        let stages = general_script(&self.world)?.offers().into_iter().map(|offer| offer.name);
        Some((GENERAL.to_owned(), stages.filter(|name| name != GENERAL).collect()))
    }

    /// The libraries: those that are there from the start, then the imports.
    pub fn libraries(&self) -> Vec<LibraryGuide> {
        let world = &self.world;
        let from_the_start =
            if world.host.bare() { &[][..] } else { &[("prelude", PRELUDE), (GENERAL, GENERAL_SCRIPT)] };
        let first =
            from_the_start.iter().filter_map(|(name, path)| Some(shipped(world, path)?.guide((*name).to_owned())));
        let imports = world.imports.borrow();
        let imported = imports.libraries().iter().map(|library| {
            let stem = library.script.file.path.rsplit('/').next().unwrap_or("").trim_end_matches(".strat");
            library.script.guide(library.alias.clone().unwrap_or_else(|| stem.to_owned()))
        });
        first.chain(imported).collect()
    }

    /// What there is to read of a strategy: of the user's, else an imported one, else one that is built in.
    pub fn guide(&self, name: &str) -> Option<StrategyGuide> {
        let world = &self.world;
        if let Some(own) = world.definitions.borrow().get(name) {
            let body = own.body().map(|body| statement(&own.usage(), &body));
            let mut guide = self.written(name).unwrap_or_default();
            guide.usage = own.usage();
            guide.definition = body.or(guide.definition);
            return Some(guide);
        }
        if let Some(imported) = world.imports.borrow().named(&name.replacen('.', "_", 1)) {
            let offer = imported.definitions().into_iter().find(|offer| offer.kind != DefinitionKind::Rule)?;
            let guide = StrategyGuide::of(&offer, imported.script.text());
            let (made, _) = imported.script.made();
            let body = made.iter().find(|made| made.name.as_str() == offer.name).and_then(|made| body_text(made));
            let definition = body.map(|body| statement(&offer.usage(), &body));
            return Some(StrategyGuide {
                usage: imported.usage(),
                definition: definition.or(guide.definition),
                ..guide
            });
        }
        let defined = prelude::all().iter().find(|defined| defined.name == name);
        if let (Some(defined), true) = (defined, world.usage(name).is_some()) {
            return Some(StrategyGuide::of(defined, prelude::text()));
        }
        if let Some(builtin) = world.builtin(name) {
            return Some(StrategyGuide::built_in(builtin));
        }
        let stage = if name == GENERAL { Some(name) } else { name.strip_prefix(GENERAL)?.strip_prefix('.') };
        let (wanted, general) = (stage?, general_script(world)?);
        let offer = general.offers().into_iter().find(|offer| offer.name == wanted)?;
        let guide = StrategyGuide::of(&offer, general.text());
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
        let native = Builtin::all().filter(|(name, _)| world.builtin(name).is_some());
        let native = native.map(|(_, builtin)| (builtin.usage(), builtin.doc()));
        let derived = prelude::all().iter().filter(|defined| prelude::defined(world, &defined.name).is_some());
        let derived = derived.map(|defined| (defined.usage(), StrategyGuide::of(defined, prelude::text()).about));
        native.chain(derived).collect()
    }
}

/// A definition as it is written.
fn statement(usage: &str, body: &str) -> String {
    format!("strategy {usage} = {body};")
}
