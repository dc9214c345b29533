//! `import "lib.strat";` and `import "lib.strat" as lib;`: names that other scripts give, and `export`, which says which.
//!
//! Imports count for the whole text. A name behind an alias, `lib.twice`, is one name to Rhai, with `_` for the dot: so
//! that a function of the script that is called `twice` is never taken for it.

use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::{Dynamic, Engine, FnPtr, NativeCallContext};

use super::combinators::callable;
use super::interpreter::Interpreter;
use super::libraries::{self, Script};
use super::library;
use super::outline::{Defined, Import, Kind, Outline, outline, qualified};
use super::read::Oddity;
use super::world::{Failing, World, fail, stop};
use crate::ground::text::call;
use crate::ground::{Diagnostic, SourceId, Span, Trouble, code, name};
use crate::rule::{Origin, RuleInfo, Why};
use crate::strategy::Strategy;

/// What a text is read for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To be run.
    Run,
    /// To be looked at: what it imports is, too.
    Check,
    /// To be laid out, whatever its imports are.
    Layout,
}

/// What is imported so far.
#[derive(Clone, Default)]
pub(crate) struct Imports {
    /// By the name that Rhai sees.
    names: BTreeMap<String, Imported>,
    libraries: Vec<Library>,
}

/// A script that was imported, and the import.
#[derive(Clone)]
pub(crate) struct Library {
    pub script: Rc<Script>,
    pub alias: Option<String>,
    /// The path as it is written, and where.
    path: String,
    at: Span,
}

/// A name of another script.
#[derive(Clone)]
pub(crate) struct Imported {
    pub script: Rc<Script>,
    /// The name as it is written, such as `lib.twice`.
    shown: String,
    /// One for each number of arguments.
    offers: Vec<Defined>,
    /// Its import.
    path: String,
    at: Span,
}

impl Imports {
    /// What stands behind a name.
    pub(crate) fn named(&self, name: &str) -> Option<&Imported> {
        self.names.get(name)
    }

    /// Whether a name is imported, but its script doesn't know yet what it is.
    pub(crate) fn is_open(&self, name: &str) -> bool {
        self.names.get(name).is_some_and(|imported| imported.is_strategy() && !imported.is_settled())
    }

    /// The scripts that are imported.
    pub(crate) fn scripts(&self) -> Vec<Rc<Script>> {
        self.libraries.iter().map(|library| library.script.clone()).collect()
    }

    /// The imports in the order in which they were made.
    pub(crate) fn libraries(&self) -> &[Library] {
        &self.libraries
    }

    /// The names as they are written.
    pub(crate) fn shown(&self) -> impl Iterator<Item = &str> {
        self.names.values().map(|imported| imported.shown.as_str())
    }

    /// The strategies and rules, by the names that Rhai sees.
    pub(crate) fn strategies(&self) -> impl Iterator<Item = &str> {
        self.names.iter().filter(|(_, imported)| imported.is_strategy()).map(|(name, _)| name.as_str())
    }

    /// What is said of an alias without a name behind it.
    pub(crate) fn alone(&self, alias: &str) -> Option<Diagnostic> {
        let library = self.aliased(alias)?;
        let finding = Diagnostic::error(code::NOT_A_STRATEGY, format!("`{alias}` is a library"));
        let first = self.names.values().find(|imported| imported.at == library.at);
        let such = first.map_or(String::new(), |imported| format!(", such as `{}`", imported.usage()));
        Some(finding.help(format!("write `{alias}.name`{such}")))
    }

    fn aliased(&self, alias: &str) -> Option<&Library> {
        self.libraries.iter().find(|library| library.alias.as_deref() == Some(alias))
    }

    /// Adds what an import gives; an error where a name has another meaning by another import.
    fn add(&mut self, library: &Library) -> Result<(), Diagnostic> {
        let path = &library.script.file;
        self.libraries.retain(|old| old.script.file != *path || old.alias != library.alias);
        self.names.retain(|_, old| self.libraries.iter().any(|library| library.at == old.at));
        if let Some(other) = library.alias.as_deref().and_then(|alias| self.aliased(alias)) {
            let headline = format!("two imports are called `{}`", library.alias.as_deref().unwrap_or(""));
            let finding = Diagnostic::error(code::DUPLICATE, headline).at(library.at, "is called so, too");
            return Err(finding.because(other.at, "this is the first").help("give it another name behind `as`"));
        }
        for offer in library.script.offers() {
            let (seen, shown) = match &library.alias {
                Some(alias) => (format!("{alias}_{}", offer.name), format!("{alias}.{}", offer.name)),
                None => (offer.name.clone(), offer.name.clone()),
            };
            match self.names.get_mut(&seen) {
                Some(known) if known.at == library.at => known.offers.push(offer),
                Some(known) if Rc::ptr_eq(&known.script, &library.script) => {}
                Some(known) => return Err(two_imports(&shown, library, known.at)),
                None => {
                    let (script, path) = (library.script.clone(), library.path.clone());
                    let imported = Imported { script, shown, offers: vec![offer], path, at: library.at };
                    self.names.insert(seen, imported);
                }
            }
        }
        self.libraries.push(library.clone());
        Ok(())
    }
}

impl Imported {
    pub(crate) fn definitions(&self) -> Vec<Defined> {
        self.offers.clone()
    }

    /// The numbers of arguments that it takes.
    pub(crate) fn arities(&self) -> Vec<usize> {
        self.offers.iter().map(|offer| offer.params.len()).collect()
    }

    /// How it is used.
    pub(crate) fn usage(&self) -> String {
        self.offers.first().map_or_else(|| self.shown.clone(), |offer| call(&self.shown, &offer.params))
    }

    /// Whether it is a strategy or a rule, as far as is known.
    pub(crate) fn is_strategy(&self) -> bool {
        self.offers.iter().any(|offer| offer.kind != Kind::Function)
    }

    fn name(&self) -> &str {
        self.offers.first().map_or("", |offer| &offer.name)
    }

    /// Whether its script knows what it is: one that was only looked at may not.
    pub(crate) fn is_settled(&self) -> bool {
        self.is_strategy() && self.script.is_settled(self.name())
    }

    /// The strategy that it stands for, where it takes no arguments.
    pub(crate) fn constant(&self) -> Option<Strategy> {
        let bare = self.offers.iter().any(|offer| offer.kind != Kind::Function && offer.params.is_empty());
        bare.then(|| self.script.constant(self.name())).flatten()
    }

    pub(crate) fn call(&self, values: &[Dynamic]) -> Option<Failing<Dynamic>> {
        let offer = self.offers.iter().find(|offer| offer.params.len() == values.len())?;
        Some(self.script.call(offer, values.to_vec()))
    }
}

fn behind_a_name(path: &str, name: &str) -> String {
    format!("write `import \"{path}\" as lib;` and `lib.{name}`")
}

fn two_imports(shown: &str, library: &Library, other: Span) -> Diagnostic {
    let finding = Diagnostic::error(code::DUPLICATE, format!("two imports give `{shown}`"));
    let finding = finding.at(library.at, "gives it, too").because(other, "this is the first");
    finding.help(behind_a_name(&library.path, shown))
}

impl Interpreter {
    /// Imports what a text asks for, and gives the text that is left to read: of the same length, without these
    /// statements.
    pub(super) fn bring_in(&mut self, source: SourceId, text: &str, purpose: Purpose) -> Result<String, Trouble> {
        let found = outline(text);
        let wrong: Vec<Diagnostic> = found.wrong.iter().map(|wrong| misspelt(wrong, source)).collect();
        if !wrong.is_empty() {
            return Err(Trouble::Wrong(wrong));
        }
        let world = self.world.clone();
        let mut imports = world.imports.borrow().clone();
        for import in &found.imports {
            match self.library_of(source, import, purpose != Purpose::Run) {
                Err(Trouble::Wrong(_)) if purpose == Purpose::Layout => {}
                library => imports.add(&library?)?,
            }
        }
        self.clashes(source, &found, &imports)?;
        *world.imports.borrow_mut() = imports;
        if !found.imports.is_empty() {
            self.make_callable();
        }
        world.exported(source, &found)?;
        let (left, unknown) = world.left(source, text, &found);
        if !unknown.is_empty() && purpose != Purpose::Layout {
            return Err(Trouble::Wrong(unknown));
        }
        self.outline = found;
        Ok(left)
    }

    fn library_of(&self, source: SourceId, import: &Import, dry: bool) -> Result<Library, Trouble> {
        let world = &self.world;
        let at = Span::new(source, import.at.start, import.at.end);
        let importing = world.sources.borrow().get(source).name.clone();
        let script = libraries::import(world, &importing, &import.path, at, dry)?;
        Ok(Library { script, alias: import.alias.clone(), path: import.path.clone(), at })
    }

    /// What a text defines must have no imported name, whichever came first.
    fn clashes(&self, source: SourceId, found: &Outline, imports: &Imports) -> Result<(), Trouble> {
        let mut wrong = Vec::new();
        let finding = |name: &str, at: Span, imported: &Imported| {
            let finding = Diagnostic::error(code::DUPLICATE, format!("`{name}` is defined here and imported"));
            let finding = finding.at(at, "is defined here").because(imported.at, "this import gives it, too");
            finding.help(behind_a_name(&imported.path, name))
        };
        let own = found.definitions.iter().map(|own| (&own.name, &own.at));
        for (name, at) in own.chain(found.variables.iter().map(|(name, at)| (name, at))) {
            if let Some(imported) = imports.named(name) {
                wrong.push(finding(name, Span::new(source, at.start, at.end), imported));
            }
        }
        for (name, at) in &found.variables {
            if let Some(library) = imports.aliased(name) {
                let headline = format!("`{name}` is the name of an import");
                let finding =
                    Diagnostic::error(code::DUPLICATE, headline).at(Span::new(source, at.start, at.end), "here");
                wrong.push(finding.because(library.at, "this import").help("choose another name"));
            }
        }
        for library in imports.libraries.iter().filter(|library| library.at.source == source) {
            let new = imports.names.iter().filter(|(_, imported)| imported.at == library.at);
            for (name, imported) in new {
                if let Some(at) = self.defined_at(name) {
                    wrong.push(finding(name, at, imported));
                }
            }
            let taken = |name: &&String| self.variables().contains(name);
            let mut given =
                imports.names.iter().filter(|(_, imported)| imported.at == library.at).map(|(name, _)| name);
            if let Some(name) = library.alias.as_ref().filter(taken).or_else(|| given.find(taken)) {
                let finding = Diagnostic::error(code::DUPLICATE, format!("`{name}` is a variable already"));
                let finding = finding.at(library.at, "gives this name, too");
                wrong.push(finding.help("give the import another name behind `as`"));
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(Trouble::Wrong(wrong)) }
    }

    /// Gives the engine what is imported and takes arguments.
    fn make_callable(&mut self) {
        let world = self.world.clone();
        let imports = world.imports.borrow();
        let all = imports.names.iter().flat_map(|(name, imported)| {
            imported.offers.iter().map(|offer| (name.clone(), offer.params.len(), offer.kind == Kind::Function))
        });
        let all: Vec<(String, usize, bool)> = all.collect();
        drop(imports);
        // Functions that are handed over run on an engine of their own.
        if self.computing.is_none() && all.iter().any(|(_, arity, function)| *function && *arity > 0) {
            self.prepare_computing();
        }
        for (name, arity, function) in all {
            if arity > 0 || function {
                self.know_callable(&name, arity);
            }
        }
    }

    /// Gives the engines an imported name that takes arguments.
    fn know_callable(&mut self, name: &str, arity: usize) {
        if self.imported.insert((name.to_owned(), arity)) {
            teach(&mut self.engine, &self.world, name, arity);
            if self.computing.is_some() {
                self.prepare_computing();
            }
        }
    }

    /// Where an earlier text defines a name that still has that meaning.
    fn defined_at(&self, name: &str) -> Option<Span> {
        self.own(name).map(|(source, own)| Span::new(source, own.at.start, own.at.end))
    }

    /// The same with what defines it.
    pub(super) fn own(&self, name: &str) -> Option<(SourceId, Defined)> {
        let world = &self.world;
        let rule = || world.rules.borrow().get(name).is_some_and(|info| info.origin == Origin::User);
        let function = || self.functions.iter_functions().any(|function| function.name == name);
        if !world.definitions.borrow().contains_key(name) && !rule() && !function() {
            return None;
        }
        let written = world.written.borrow();
        let last = written.iter().rev().find(|own| own.definition.name == name).map(|own| own.source);
        let source = last.or_else(|| world.functions_of.borrow().get(name).copied())?;
        let found = outline(&world.sources.borrow().get(source).text).definitions;
        found.into_iter().find(|own| own.name == name).map(|own| (source, own))
    }
}

/// Makes of a function that goes to another script one that runs where it comes from, whatever that script's names mean.
#[allow(deprecated, reason = "Rhai marks what may still change as deprecated")]
pub(super) fn hand_over(world: &Rc<World>, context: &NativeCallContext, value: &mut Dynamic) {
    let Some(function) = value.read_lock::<FnPtr>().map(|function| function.clone()) else { return };
    let home = library::Library::new(world, world.source_of(context), context.namespaces().last().cloned());
    let called = FnPtr::from_fn("handed_over", move |_, arguments| {
        let arguments = arguments.iter_mut().map(|argument| argument.flatten_clone()).collect();
        home.call(&function, arguments).map_err(|why| match why {
            Why::Stopped(reason) => stop(reason.into()),
            Why::Computed(words) => {
                fail(Diagnostic::error(code::SCRIPT, format!("a function that is handed over goes wrong{words}")))
            }
            _ => fail(Diagnostic::error(code::SCRIPT, "a function that is handed over goes wrong")),
        })
    });
    if let Ok(called) = called {
        *value = Dynamic::from(called);
    }
}

/// Teaches an engine an imported name; functions may take no arguments.
pub(super) fn teach(engine: &mut Engine, world: &Rc<World>, name: &str, arity: usize) {
    match arity {
        0 => {
            let (world, name) = (world.clone(), name.to_owned());
            engine.register_fn(name.clone(), move || -> Failing<Dynamic> {
                let imported = world.imports.borrow().named(&name).cloned();
                imported.and_then(|imported| imported.call(&[])).unwrap_or(Ok(Dynamic::UNIT))
            });
        }
        _ => callable(engine, world, name, arity),
    }
}

fn misspelt(wrong: &Oddity, source: SourceId) -> Diagnostic {
    let at = Span::new(source, wrong.at.start, wrong.at.end);
    Diagnostic::error(wrong.code, &wrong.headline).at(at, "here").help(&wrong.help)
}

impl World {
    /// An imported rule, and the one that undoes it.
    pub(crate) fn imported_rule(&self, rule: &RuleInfo) -> Option<(Rc<RuleInfo>, Option<Rc<RuleInfo>>)> {
        let own = self.rules.borrow().get(rule.name.as_str()).is_some_and(|own| std::ptr::eq(&**own, rule));
        if own { None } else { self.imports.borrow().scripts().iter().find_map(|script| script.rule(rule)) }
    }

    /// What a script exports must be defined in it, or imported by it.
    fn exported(&self, source: SourceId, found: &Outline) -> Result<(), Diagnostic> {
        let known = |name: &str| {
            found.definitions.iter().any(|own| own.name == name) || self.imports.borrow().named(name).is_some()
        };
        let line = self.sources.borrow().get(source).name.starts_with('<');
        if let (true, Some((_, at))) = (line, found.exports.iter().flatten().next()) {
            let finding = Diagnostic::error(code::SYNTAX, "only a script exports: nothing imports what is typed");
            return Err(finding
                .at(Span::new(source, at.start, at.end), "here")
                .help("`:save FILE.strat` writes a script"));
        }
        let Some((name, at)) = found.exports.iter().flatten().find(|(name, _)| !known(name)) else { return Ok(()) };
        let own = found.definitions.iter().map(|own| own.name.as_str());
        let help = name::did_you_mean(name, own).unwrap_or_else(|| format!("define it, as `strategy {name} = …;`"));
        let finding = Diagnostic::error(code::UNKNOWN_STRATEGY, format!("`{name}` is exported, but not defined"));
        Err(finding.at(Span::new(source, at.start, at.end), "is not known").help(help))
    }

    /// The text without the statements that only this room sees, and with one name for each `lib.name`; what is said of
    /// those that aren't known.
    fn left(&self, source: SourceId, text: &str, found: &Outline) -> (String, Vec<Diagnostic>) {
        let imports = self.imports.borrow();
        let mut bytes = text.as_bytes().to_vec();
        for statement in &found.statements {
            let blank = |b: &u8| if *b == b'\n' { b'\n' } else { b' ' };
            let blanked: Vec<u8> = bytes[statement.clone()].iter().map(blank).collect();
            bytes[statement.clone()].copy_from_slice(&blanked);
        }
        let mut wrong = Vec::new();
        for (alias, name, dot) in qualified(text, &|alias| imports.aliased(alias).is_some()) {
            let joined = format!("{alias}_{name}");
            if imports.named(&joined).is_some() {
                bytes[dot] = b'_';
            } else if let Some(library) = imports.aliased(alias) {
                let at = Span::new(source, dot + 1, dot + 1 + name.len());
                wrong.push(library.script.unknown(name).at(at, "is not known"));
            }
        }
        (String::from_utf8_lossy(&bytes).into_owned(), wrong)
    }
}
