//! Loads what the user names, and loads it again: then what files define is compared with what they defined before.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::response::{Reloaded, Response, SessionResult};
use super::state::{LoadedFile, Session};
use super::tasks::document;
use super::{models, restore, save};
use crate::script::LineValue;
use redexter_language::ground::{Diagnostic, Name, Trouble, code};
use redexter_language::term::Program;

/// Loads a model or runs a script that the user named.
pub fn load(session: &mut Session, path: &Path) -> SessionResult {
    session.host.files.name(path);
    let answer = load_named(session, path)?;
    let loaded = |path: &Path| format!(":load {}", path.display());
    match &answer {
        // Its models are as if they had been loaded by their names.
        Response::Restored(restored) => restored.models.iter().for_each(|model| {
            remember(session, &model.path, &Response::Model(model.clone()));
            session.statements.push(loaded(&model.path));
        }),
        _ => {
            remember(session, path, &answer);
            session.statements.push(loaded(path));
        }
    }
    Ok(answer)
}

fn load_named(session: &mut Session, path: &Path) -> SessionResult {
    match path.extension().and_then(|e| e.to_str()) {
        Some("arr") => models::load_model(session, path),
        Some("strat") => {
            let text = session.host.files.read(path)?;
            if text.starts_with(save::TITLE) {
                return restore::bring_back(session, path, &text, None);
            }
            session.interpreter.run_script(&path.to_string_lossy(), &text, &[])?;
            Ok(Response::Script(path.to_owned(), session.interpreter.defined_last()))
        }
        other => {
            let headline = format!("`{}` is neither model nor script", path.display());
            Err(match other {
                Some("md" | "markdown") => document(path, headline),
                _ => {
                    let kinds = ["arr", "strat"].map(|kind| path.with_extension(kind));
                    let is_there = |other: &&PathBuf| *other != path && session.host.files.system.kind(other).is_some();
                    let there = kinds.iter().find(is_there);
                    let near = there.map(|path| format!("did you mean `{}`?", path.display()));
                    Diagnostic::error(code::COMMAND, headline)
                        .help(near.unwrap_or_else(|| "models end in `.arr`, scripts in `.strat`".to_owned()))
                }
            }
            .into())
        }
    }
}

/// Goes on as a session that was saved by itself: what it loaded may be loaded again, but its scripts write nothing.
pub fn resume(session: &mut Session, path: &Path, text: &str) -> SessionResult {
    let writing = session.host.files.writing.replace(false);
    let answer = restore::bring_back(session, path, text, Some(load));
    session.host.files.writing.set(writing);
    answer
}

/// Keeps a file that was loaded for `:reload`.
fn remember(session: &mut Session, path: &Path, answer: &Response) {
    let definitions = defined_by(session, answer);
    session.work.files.retain(|file| file.path != path);
    session.work.files.push(LoadedFile { path: path.to_owned(), definitions });
}

fn defined_by(session: &Session, answer: &Response) -> BTreeMap<String, String> {
    match answer {
        Response::Model(model) => {
            let loaded = session.work.loaded.iter().find(|loaded| loaded.name == model.name);
            let programs = loaded.into_iter().flat_map(|loaded| loaded.programs.iter());
            let meaning = |program: &Program| format!("{:?}", program.term.fingerprint());
            let mut all: BTreeMap<String, String> =
                programs.map(|(name, program)| (name.to_string(), meaning(program))).collect();
            model.definitions.iter().for_each(|(name, ty)| {
                all.entry(name.clone()).or_default().push_str(ty);
            });
            all
        }
        _ => session.interpreter.texts_of_last(),
    }
}

/// Loads every file again. One that is wrong leaves everything as it was.
pub(super) fn reload(session: &mut Session) -> SessionResult {
    if session.work.files.is_empty() {
        return Err(Diagnostic::error(code::COMMAND, "nothing was loaded")
            .help("`:load FILE` loads a model or a script")
            .into());
    }
    session.work.reloads += 1;
    let (mut reloaded, mut wrong) = (Vec::new(), Vec::new());
    for at in 0..session.work.files.len() {
        let path = session.work.files[at].path.clone();
        let bound = bound_by(session, &path);
        match load_again(session, &path) {
            Ok(answer) => {
                let now = defined_by(session, &answer);
                let before = std::mem::replace(&mut session.work.files[at].definitions, now);
                let file = compared(session, path, before, at);
                unbind(session, &file.gone, &bound);
                reloaded.push(file);
            }
            Err(Trouble::Wrong(all)) => wrong.extend(all),
            Err(stopped) => return Ok(Response::Reloaded(reloaded, Some(stopped))),
        }
    }
    let trouble = (!wrong.is_empty()).then_some(Trouble::Wrong(wrong));
    Ok(Response::Reloaded(reloaded, trouble))
}

fn load_again(session: &mut Session, path: &Path) -> SessionResult {
    if path.extension().is_some_and(|e| e == "arr") {
        return models::load_model(session, path);
    }
    let text = session.host.files.read(path)?;
    session.interpreter.attempt(|interpreter| interpreter.run_script(&path.to_string_lossy(), &text, &[]))?;
    Ok(Response::Script(path.to_owned(), session.interpreter.defined_last()))
}

/// The definitions of a model that have their own names in lines.
fn bound_by(session: &Session, path: &Path) -> Vec<(Name, Program)> {
    let model = session.work.loaded.iter().find(|loaded| loaded.path == path);
    let bound = model.into_iter().flat_map(|model| {
        model.programs.iter().filter(|(name, _)| model.bound.iter().any(|bound| bound == name.as_str()))
    });
    bound.cloned().collect()
}

/// Takes the names of a model's definitions that are gone, unless they mean something else by now.
fn unbind(session: &mut Session, gone: &[String], bound: &[(Name, Program)]) {
    for (name, program) in bound.iter().filter(|(name, _)| gone.iter().any(|gone| gone == name.as_str())) {
        let meant = session.interpreter.eval_line(name.as_str());
        if matches!(meant, Ok(LineValue::Program { program: meant, .. }) if meant == *program) {
            session.interpreter.unbind(name.as_str());
        }
    }
}

/// Tells how the file with this number changed, and forgets what it defines no longer, unless another file defines it.
fn compared(session: &mut Session, path: PathBuf, before: BTreeMap<String, String>, at: usize) -> Reloaded {
    let now = &session.work.files[at].definitions;
    let new = now.keys().filter(|name| !before.contains_key(*name)).cloned().collect();
    let differs = |(name, meaning): &(&String, &String)| before.get(*name).is_some_and(|old| old != *meaning);
    let changed = now.iter().filter(differs).map(|(name, _)| name.clone()).collect();
    let gone: Vec<String> = before.keys().filter(|name| !now.contains_key(*name)).cloned().collect();
    for name in &gone {
        if session.work.files.iter().all(|file| !file.definitions.contains_key(name)) {
            session.interpreter.forget(name, &before[name]);
        }
    }
    Reloaded { path, new, changed, gone }
}
