//! Finds other scripts, runs them for what they define, and keeps them as long as the session.
//!
//! A script that another one names runs by itself: it sees no variables or definitions of that one, prints nothing and
//! writes nothing. What it defines keeps its own scope, so it is called in its own interpreter. `imports` makes names of
//! it; `schedules` makes it a value.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;

use rhai::{Dynamic, FnPtr};

use super::combinators;
use super::host::Host;
use super::interpreter::Interpreter;
use super::outline::{DefinitionKind, OutlineDefinition};
use super::trouble;
use super::world::{RhaiResult, ScriptWorld, stop};
use redexter_language::check::normal;
use redexter_language::ground::{
    Budget, Diagnostic, Limits, Nesting, Severity, Span, Trouble, code, name::did_you_mean,
};
use redexter_language::shipped::FILES;
use redexter_rewriting::rule::RuleInfo;
use redexter_rewriting::strategy::{Strategy, StrategyDefinition};

/// The derived combinators.
pub(crate) const PRELUDE: &str = "strategies/prelude.strat";

/// Scripts may name each other so deep.
const MAX_DEPTH: usize = 16;

/// The scripts of a session that others import.
#[derive(Default)]
pub(crate) struct ScriptCache {
    known: RefCell<BTreeMap<ScriptKey, Rc<LoadedScript>>>,
    /// The number of texts that were read, without those of scripts that others import or load.
    texts: Cell<u64>,
}

/// A script's file, and whether the script was only looked at.
type ScriptKey = (ScriptFile, bool);

/// A script's file: its path, and whether it is built in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ScriptFile {
    pub path: String,
    pub ships: bool,
}

/// A script that is being run for its definitions, and where it is named.
#[derive(Clone, Debug)]
pub(crate) struct LoadingScript {
    pub file: ScriptFile,
    pub from: Option<Span>,
}

/// A script that was run for what it defines.
pub(crate) struct LoadedScript {
    pub file: ScriptFile,
    text: String,
    interpreter: Interpreter,
    /// What it imports, each once.
    needs: Vec<Rc<LoadedScript>>,
    /// Whether it was fresh when a text last asked, and the number of that text.
    fresh: Cell<(u64, bool)>,
}

/// The world of a script that another one names: that one's, without its voice.
struct GuestHost {
    host: Rc<dyn Host>,
    /// It ships: the user's limits don't count for it, and it is written for the whole prelude.
    ships: bool,
}

impl Host for GuestHost {
    fn print(&self, _: &str) {}

    fn warn(&self, finding: &Diagnostic) {
        self.host.warn(finding);
    }

    fn read(&self, path: &str) -> Result<String, Diagnostic> {
        self.host.read(path)
    }

    fn find(&self, path: &str, script: &str) -> String {
        self.host.find(path, script)
    }

    fn write(&self, path: &str, _: &str) -> Result<(), Diagnostic> {
        let headline = format!("`{path}` isn't written: a script that is loaded writes nothing");
        self.host.warn(&Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code::UNWRITABLE, headline) });
        Ok(())
    }

    fn budget(&self) -> Budget {
        if self.ships { Budget::new(Limits::default(), None) } else { self.host.budget() }
    }

    fn held(&self) -> Option<u64> {
        self.host.held()
    }

    fn nesting(&self) -> Nesting {
        self.host.nesting()
    }

    fn bare(&self) -> bool {
        !self.ships && self.host.bare()
    }
}

/// The script that ships under this path, or under this name of a file.
pub(crate) fn built_in(path: &str) -> Option<(ScriptFile, &'static str)> {
    let named = |shipped: &str| shipped == path || shipped.strip_prefix("strategies/") == Some(path);
    let (path, text) = FILES.iter().find(|(shipped, _)| named(shipped))?;
    Some((ScriptFile { path: (*path).to_owned(), ships: true }, text))
}

/// The file that a script means by a path: beside itself, else from the current folder, else among what ships.
fn find(world: &ScriptWorld, from: &str, path: &str) -> Result<(ScriptFile, String), Diagnostic> {
    let read = |path: &Path| {
        let path = normal(path).display().to_string();
        let text = world.host.read(&path)?;
        Ok((ScriptFile { path, ships: false }, text))
    };
    let beside = Path::new(from).parent().unwrap_or(Path::new("")).join(path);
    read(&beside).or_else(|wrong: Diagnostic| {
        if wrong.code != code::UNREADABLE && wrong.code != code::FORBIDDEN_PATH {
            return Err(wrong);
        }
        let shipped = || built_in(path).map(|(file, text)| (file, text.to_owned()));
        let otherwise = read(Path::new(path)).ok().or_else(shipped);
        otherwise.ok_or_else(|| match wrong.help.is_empty() {
            true => wrong.help("write a path relative to the importing script or to the current folder"),
            false => wrong,
        })
    })
}

/// The script that an import in this text means, run or looked at once.
pub(super) fn import(
    world: &ScriptWorld,
    importing: &str,
    path: &str,
    at: Span,
    dry: bool,
) -> Result<Rc<LoadedScript>, Trouble> {
    let (file, text) = find(world, importing, path).map_err(|wrong| wrong.at(at, "imported here"))?;
    let mut chain = world.loading.clone();
    // A text of the session heads the chain, so that a script that imports it back makes a cycle.
    if chain.is_empty() {
        let path = normal(Path::new(importing)).display().to_string();
        chain.push(LoadingScript { file: ScriptFile { path, ships: false }, from: None });
    }
    if let Some(first) = chain.iter().position(|open| open.file == file) {
        return Err(cycle(&chain[first..], &file, at).into());
    }
    let key = (file, dry);
    if let Some(known) = world.library(&key).filter(|known| known.text == text && known.is_fresh(world)) {
        return Ok(known);
    }
    chain.push(LoadingScript { file: key.0.clone(), from: Some(at) });
    let script = run(world, chain, text, dry).map_err(|trouble| by_way_of(trouble, at))?;
    world.keep(key, &script);
    Ok(script)
}

/// An import that leads back to the first of these.
fn cycle(chain: &[LoadingScript], file: &ScriptFile, at: Span) -> Diagnostic {
    let links: Vec<Span> = chain[1..].iter().filter_map(|open| open.from).collect();
    if links.is_empty() {
        let finding = Diagnostic::error(code::IMPORT_CYCLE, format!("`{}` imports itself", file.path));
        return finding.at(at, "is this script").help("remove this import");
    }
    let names: Vec<&str> = chain.iter().map(|open| &open.file).chain([file]).map(|file| file.path.as_str()).collect();
    let headline = format!("scripts import each other in a cycle: {}", names.join(" → "));
    let finding = Diagnostic::error(code::IMPORT_CYCLE, headline).at(at, "leads back to a script that is being read");
    finding.help("move what both scripts need into a third one")
}

/// Adds the import through which trouble came.
fn by_way_of(trouble: Trouble, at: Span) -> Trouble {
    match trouble {
        Trouble::Wrong(mut all) => {
            if let Some(first) = all.first_mut() {
                *first = match first.labels.is_empty() {
                    true => first.clone().at(at, "by way of this import"),
                    false => first.clone().because(at, "by way of this import"),
                };
            }
            Trouble::Wrong(all)
        }
        stopped => stopped,
    }
}

/// The script that ships under this path; run when it is first asked for.
pub(super) fn shipped(world: &ScriptWorld, path: &str) -> Option<Rc<LoadedScript>> {
    let (file, text) = built_in(path)?;
    if world.loading.iter().any(|open| open.file == file) {
        return None;
    }
    let key = (file, false);
    world.library(&key).or_else(|| {
        let mut chain = world.loading.clone();
        chain.push(LoadingScript { file: key.0.clone(), from: None });
        let script = run(world, chain, text.to_owned(), false).ok()?;
        world.keep(key, &script);
        Some(script)
    })
}

/// The script in this file, run for what it defines.
pub(super) fn load(world: &ScriptWorld, path: &str) -> Result<Rc<LoadedScript>, Trouble> {
    let text = world.host.read(path)?;
    let file = ScriptFile { path: path.to_owned(), ships: false };
    if world.loading.iter().any(|open| open.file == file) {
        let finding = Diagnostic::error(code::IMPORT_CYCLE, format!("`{path}` is loaded while it is being loaded"));
        return Err(finding.help("move what both scripts need into a third one").into());
    }
    let mut chain = world.loading.clone();
    chain.push(LoadingScript { file, from: None });
    run(world, chain, text, false)
}

/// The script that ships under this path, if it was asked for already.
pub(super) fn known(world: &ScriptWorld, path: &str) -> Option<Rc<LoadedScript>> {
    world.library(&(built_in(path)?.0, false))
}

/// Runs the last of these scripts for what it defines, or only looks at it.
fn run(world: &ScriptWorld, chain: Vec<LoadingScript>, text: String, dry: bool) -> Result<Rc<LoadedScript>, Trouble> {
    let Some(file) = chain.last().map(|open| open.file.clone()) else { return Err(deep().into()) };
    if chain.len() > MAX_DEPTH {
        return Err(deep().into());
    }
    let guest = GuestHost { host: world.host.clone(), ships: file.ships };
    let mut interpreter = Interpreter::guest(Rc::new(guest), world, chain);
    world.meter.apart(file.ships, || match dry {
        true => interpreter.look_at(&file.path, &text),
        false => interpreter.run_script(&file.path, &text, &[]),
    })?;
    let needs = interpreter.world.imports.borrow().scripts();
    let fresh = Cell::new((world.text_number(), true));
    Ok(Rc::new(LoadedScript { file, text, interpreter, needs, fresh }))
}

fn deep() -> Diagnostic {
    let finding = Diagnostic::error(code::IMPORT_CYCLE, "scripts load each other too deeply");
    finding.help(format!("at most {MAX_DEPTH} may be on their way at once"))
}

impl ScriptWorld {
    fn library(&self, key: &ScriptKey) -> Option<Rc<LoadedScript>> {
        self.libraries.upgrade()?.known.borrow().get(key).cloned()
    }

    fn keep(&self, key: ScriptKey, script: &Rc<LoadedScript>) {
        if let Some(libraries) = self.libraries.upgrade() {
            libraries.known.borrow_mut().insert(key, script.clone());
        }
    }

    /// A text begins to be read: whether a script is fresh is asked again, once for all that the text imports.
    pub(super) fn count_text(&self) {
        if let (true, Some(libraries)) = (self.loading.is_empty(), self.libraries.upgrade()) {
            libraries.texts.set(libraries.texts.get() + 1);
        }
    }

    fn text_number(&self) -> u64 {
        self.libraries.upgrade().map_or(0, |libraries| libraries.texts.get())
    }

    /// The scripts that it imports, by way of others, too; each once.
    pub(super) fn all_imported(&self) -> Vec<Rc<LoadedScript>> {
        let (mut all, mut seen) = (Vec::new(), BTreeSet::new());
        let mut left = self.imports.borrow().scripts();
        left.reverse();
        while let Some(script) = left.pop() {
            if seen.insert(Rc::as_ptr(&script)) {
                left.extend(script.needs.iter().rev().cloned());
                all.push(script);
            }
        }
        all
    }
}

impl LoadedScript {
    /// Whether its file, and those that it imports, still have the texts that were run.
    fn is_fresh(&self, world: &ScriptWorld) -> bool {
        let (number, known) = self.fresh.get();
        if number == world.text_number() {
            return known;
        }
        let same = self.file.ships || world.host.read(&self.file.path).is_ok_and(|text| text == self.text);
        let fresh = same && self.needs.iter().all(|script| script.is_fresh(world));
        self.fresh.set((world.text_number(), fresh));
        fresh
    }

    /// The strategies and rules that take no arguments.
    pub(super) fn constants(&self) -> BTreeMap<String, Strategy> {
        self.interpreter.constants()
    }

    /// What it offers to those who import it, in the order of its text.
    pub(crate) fn offers(&self) -> Vec<OutlineDefinition> {
        let outline = &self.interpreter.outline;
        let Some(exports) = &outline.exports else { return outline.definitions.clone() };
        let imports = self.interpreter.world.imports.borrow();
        let offer = |name: &String| {
            let own = outline.definitions.iter().filter(|own| own.name == *name).cloned();
            let mut all: Vec<OutlineDefinition> = own.collect();
            if all.is_empty() {
                all.extend(imports.named(name).into_iter().flat_map(|import| import.definitions()));
            }
            all
        };
        exports.iter().flat_map(|(name, _)| offer(name)).collect()
    }

    /// The text in which it defines what it offers.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// What this name stands for in it where it takes no arguments; `None` where that isn't known.
    pub(super) fn constant(&self, name: &str) -> Option<Strategy> {
        self.interpreter.world.value_of(name)?.try_cast::<Strategy>()
    }

    /// Whether what it offers under this name is known: of a script that was only looked at some isn't.
    pub(super) fn is_settled(&self, name: &str) -> bool {
        self.interpreter.world.usage(name).is_some()
    }

    /// Applies a function, strategy or rule of it to arguments.
    pub(super) fn call(&self, defined: &OutlineDefinition, values: Vec<Dynamic>) -> RhaiResult<Dynamic> {
        let (world, engine) = (&self.interpreter.world, &self.interpreter.engine);
        let source = world.current.get();
        let own = defined.kind == DefinitionKind::Function && world.imports.borrow().named(&defined.name).is_none();
        let given = world.across(|| match own {
            true => FnPtr::new(&*defined.name)
                .and_then(|function| function.call::<Dynamic>(engine, &self.interpreter.functions, values)),
            false => combinators::call(world, engine, &defined.name, &values),
        });
        given.map_err(|error| stop(trouble::of_run(world, source, &error, &[])))
    }

    /// This rule, if it is one of its own, and the one that undoes it.
    pub(super) fn rule(&self, rule: &RuleInfo) -> Option<(Rc<RuleInfo>, Option<Rc<RuleInfo>>)> {
        let rules = self.interpreter.world.rules.borrow();
        let own = rules.get(rule.name.as_str()).filter(|own| std::ptr::eq(&***own, rule)).cloned();
        own.map(|own| (own, rules.get(&format!("{}.reverse", rule.name)).cloned()))
    }

    /// The finding for a name that it doesn't offer.
    pub(super) fn unknown(&self, name: &str) -> Diagnostic {
        let offers = self.offers();
        let names = || offers.iter().map(|offer| offer.name.as_str());
        let own = &self.interpreter.outline.definitions.iter().any(|own| own.name == name);
        let finding = Diagnostic::error(code::UNKNOWN_STRATEGY, format!("`{}` offers no `{name}`", self.file.path));
        match own {
            true => finding.help(format!("it defines one: add it to its `export`, `export {name};`")),
            false => finding.help(did_you_mean(name, names()).unwrap_or_else(|| {
                let all: Vec<&str> = names().collect();
                format!("it offers {}", if all.is_empty() { "nothing".to_owned() } else { all.join(", ") })
            })),
        }
    }

    /// The definitions that the uses of its strategies so far refer to, and its rules.
    pub(super) fn made(&self) -> (Vec<Rc<StrategyDefinition>>, Vec<Rc<RuleInfo>>) {
        let world = &self.interpreter.world;
        let definitions = world.definitions.borrow().values().flat_map(|defined| defined.definitions()).collect();
        let rules = world.rules.borrow().own().map(|(_, info)| info.clone()).collect();
        (definitions, rules)
    }

    /// Whether a strategy is one of its own.
    pub(super) fn has(&self, strategy: &Strategy) -> bool {
        self.constants().values().any(|known| known == strategy)
    }
}
