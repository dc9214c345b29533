//! Loads files again, and compares what they define with what they defined before.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::Session;
use super::dispatch::SessionResult;
use super::response::{Reloaded, Response};
use crate::script::LineValue;
use redexter_language::ground::{Diagnostic, Name, Trouble, code};
use redexter_language::term::Program;

/// A file that was loaded, and what it defines: names with what tells whether they mean the same.
#[derive(Clone)]
pub struct LoadedFile {
    pub path: PathBuf,
    definitions: BTreeMap<String, String>,
}

impl Session {
    /// Keeps a file that was loaded for `:reload`. A saved session is loaded once.
    pub(super) fn remember(&mut self, path: &Path, answer: &Response) {
        if matches!(answer, Response::Restored(_)) {
            return;
        }
        let definitions = self.defined_by(answer);
        self.files.retain(|file| file.path != path);
        self.files.push(LoadedFile { path: path.to_owned(), definitions });
    }

    fn defined_by(&self, answer: &Response) -> BTreeMap<String, String> {
        match answer {
            Response::Model(model) => {
                let loaded = self.loaded.iter().find(|loaded| loaded.name == model.name);
                let programs = loaded.into_iter().flat_map(|loaded| loaded.programs.iter());
                let meaning = |program: &Program| format!("{:?}", program.term.fingerprint());
                let mut all: BTreeMap<String, String> =
                    programs.map(|(name, program)| (name.to_string(), meaning(program))).collect();
                model.definitions.iter().for_each(|(name, ty)| {
                    all.entry(name.clone()).or_default().push_str(ty);
                });
                all
            }
            _ => self.interpreter.texts_of_last(),
        }
    }

    /// Loads every file again. One that is wrong leaves everything as it was.
    pub(super) fn reload(&mut self) -> SessionResult {
        if self.files.is_empty() {
            return Err(Diagnostic::error(code::COMMAND, "nothing was loaded")
                .help("`:load FILE` loads a model or a script")
                .into());
        }
        self.reloads += 1;
        let (mut reloaded, mut wrong) = (Vec::new(), Vec::new());
        for at in 0..self.files.len() {
            let path = self.files[at].path.clone();
            let bound = self.bound_by(&path);
            match self.load_again(&path) {
                Ok(answer) => {
                    let now = self.defined_by(&answer);
                    let before = std::mem::replace(&mut self.files[at].definitions, now);
                    let file = self.compared(path, before, at);
                    self.unbind(&file.gone, &bound);
                    reloaded.push(file);
                }
                Err(Trouble::Wrong(all)) => wrong.extend(all),
                Err(stopped) => return Ok(Response::Reloaded(reloaded, Some(stopped))),
            }
        }
        let trouble = (!wrong.is_empty()).then_some(Trouble::Wrong(wrong));
        Ok(Response::Reloaded(reloaded, trouble))
    }

    fn load_again(&mut self, path: &Path) -> SessionResult {
        if path.extension().is_some_and(|e| e == "arr") {
            return self.load_model(path);
        }
        let text = self.host.files.read(path)?;
        self.interpreter.attempt(|interpreter| interpreter.run_script(&path.to_string_lossy(), &text, &[]))?;
        Ok(Response::Script(path.to_owned(), self.interpreter.defined_last()))
    }

    /// The definitions of a model that have their own names in lines.
    fn bound_by(&self, path: &Path) -> Vec<(Name, Program)> {
        let model = self.loaded.iter().find(|loaded| loaded.path == path);
        let bound = model.into_iter().flat_map(|model| {
            model.programs.iter().filter(|(name, _)| model.bound.iter().any(|bound| bound == name.as_str()))
        });
        bound.cloned().collect()
    }

    /// Takes the names of a model's definitions that are gone, unless they mean something else by now.
    fn unbind(&mut self, gone: &[String], bound: &[(Name, Program)]) {
        for (name, program) in bound.iter().filter(|(name, _)| gone.iter().any(|gone| gone == name.as_str())) {
            let meant = self.interpreter.eval_line(name.as_str());
            if matches!(meant, Ok(LineValue::Program { program: meant, .. }) if meant == *program) {
                self.interpreter.unbind(name.as_str());
            }
        }
    }

    /// Tells how the file with this number changed, and forgets what it defines no longer, unless another file defines it.
    fn compared(&mut self, path: PathBuf, before: BTreeMap<String, String>, at: usize) -> Reloaded {
        let now = &self.files[at].definitions;
        let new = now.keys().filter(|name| !before.contains_key(*name)).cloned().collect();
        let differs = |(name, meaning): &(&String, &String)| before.get(*name).is_some_and(|old| old != *meaning);
        let changed = now.iter().filter(differs).map(|(name, _)| name.clone()).collect();
        let gone: Vec<String> = before.keys().filter(|name| !now.contains_key(*name)).cloned().collect();
        for name in &gone {
            if self.files.iter().all(|file| !file.definitions.contains_key(name)) {
                self.interpreter.forget(name, &before[name]);
            }
        }
        Reloaded { path, new, changed, gone }
    }
}
