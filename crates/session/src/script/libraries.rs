//! Finds other scripts, runs them for what they define, and keeps them as long as the session.
//!
//! A script that another one names runs by itself: it sees no variables or definitions of that one, prints nothing and
//! writes nothing. What it defines keeps its own scope, so it is called in its own interpreter. `imports` makes names of
//! it; `schedules` makes it a value.

use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;

use super::loaded::{LoadedScript, LoadingScript, ScriptFile, ScriptKey};
use super::world::ScriptWorld;
use redexter_language::check::normal;
use redexter_language::ground::{Diagnostic, Span, Trouble, code};
use redexter_language::shipped::FILES;
use redexter_rewriting::rule::RuleInfo;

/// The derived combinators.
pub(crate) const PRELUDE: &str = "strategies/prelude.strat";

/// Scripts may name each other so deep.
const MAX_DEPTH: usize = 16;

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
    if let Some(known) = library(world, &key).filter(|known| known.text == text && is_fresh(world, known)) {
        return Ok(known);
    }
    chain.push(LoadingScript { file: key.0.clone(), from: Some(at) });
    let script = run(world, chain, text, dry).map_err(|trouble| by_way_of(trouble, at))?;
    keep(world, key, &script);
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
    library(world, &key).or_else(|| {
        let mut chain = world.loading.clone();
        chain.push(LoadingScript { file: key.0.clone(), from: None });
        let script = run(world, chain, text.to_owned(), false).ok()?;
        keep(world, key, &script);
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
    library(world, &(built_in(path)?.0, false))
}

/// Runs the last of these scripts for what it defines, or only looks at it.
fn run(world: &ScriptWorld, chain: Vec<LoadingScript>, text: String, dry: bool) -> Result<Rc<LoadedScript>, Trouble> {
    match chain.last().map(|open| open.file.clone()) {
        Some(file) if chain.len() <= MAX_DEPTH => (world.run)(world, file, chain, text, dry),
        _ => Err(deep().into()),
    }
}

fn deep() -> Diagnostic {
    let finding = Diagnostic::error(code::IMPORT_CYCLE, "scripts load each other too deeply");
    finding.help(format!("at most {MAX_DEPTH} may be on their way at once"))
}

fn library(world: &ScriptWorld, key: &ScriptKey) -> Option<Rc<LoadedScript>> {
    world.libraries.upgrade()?.known.borrow().get(key).cloned()
}

fn keep(world: &ScriptWorld, key: ScriptKey, script: &Rc<LoadedScript>) {
    if let Some(libraries) = world.libraries.upgrade() {
        libraries.known.borrow_mut().insert(key, script.clone());
    }
}

/// A text begins to be read: whether a script is fresh is asked again, once for all that the text imports.
pub(super) fn count_text(world: &ScriptWorld) {
    if let (true, Some(libraries)) = (world.loading.is_empty(), world.libraries.upgrade()) {
        libraries.texts.set(libraries.texts.get() + 1);
    }
}

/// The number of texts that were read so far.
pub(super) fn text_number(world: &ScriptWorld) -> u64 {
    world.libraries.upgrade().map_or(0, |libraries| libraries.texts.get())
}

/// Whether a script's file, and those that it imports, still have the texts that were run.
fn is_fresh(world: &ScriptWorld, script: &LoadedScript) -> bool {
    let (number, known) = script.fresh.get();
    if number == text_number(world) {
        return known;
    }
    let same = script.file.ships || world.host.read(&script.file.path).is_ok_and(|text| text == script.text);
    let fresh = same && script.needs.iter().all(|needed| is_fresh(world, needed));
    script.fresh.set((text_number(world), fresh));
    fresh
}

/// The scripts that are imported, by way of others, too; each once.
fn all_imported(world: &ScriptWorld) -> Vec<Rc<LoadedScript>> {
    let (mut all, mut seen) = (Vec::new(), BTreeSet::new());
    let mut left = world.imports().scripts();
    left.reverse();
    while let Some(script) = left.pop() {
        if seen.insert(Rc::as_ptr(&script)) {
            left.extend(script.needs.iter().rev().cloned());
            all.push(script);
        }
    }
    all
}

/// An imported rule, and the one that undoes it.
pub(super) fn imported_rule(world: &ScriptWorld, rule: &RuleInfo) -> Option<(Rc<RuleInfo>, Option<Rc<RuleInfo>>)> {
    let own = world.rule_names().get(rule.name.as_str()).is_some_and(|own| std::ptr::eq(&**own, rule));
    if own { None } else { all_imported(world).iter().find_map(|script| script.inside.rule(rule)) }
}
