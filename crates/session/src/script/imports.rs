//! Makes names of what other scripts define, by `import "lib.strat";` and `import "lib.strat" as lib;`; `export` says which.
//!
//! Imports count for the whole text. A name behind an alias, `lib.twice`, is one name to Rhai, with `_` for the dot: so
//! that a function of the script that is called `twice` is never taken for it.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rhai::Dynamic;

use super::errors::RhaiResult;
use super::loaded::LoadedScript;
use super::outline::{DefinitionKind, OutlineDefinition};
use redexter_language::ground::text::call;
use redexter_language::ground::{Diagnostic, Span, code};
use redexter_rewriting::strategy::Strategy;

/// The purpose for which a text is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadPurpose {
    /// To be run.
    Run,
    /// To be looked at: what it imports is, too.
    Check,
    /// To be laid out, whatever its imports are.
    Layout,
}

/// The names and scripts that are imported so far.
#[derive(Clone, Default)]
pub(crate) struct Imports {
    /// By the name that Rhai sees.
    pub names: BTreeMap<String, ImportedName>,
    pub libraries: Vec<ScriptImport>,
}

/// A script that was imported, and the import.
#[derive(Clone)]
pub(crate) struct ScriptImport {
    pub script: Rc<LoadedScript>,
    pub alias: Option<String>,
    /// The path as it is written, and where.
    pub path: String,
    pub at: Span,
}

/// A name of another script.
#[derive(Clone)]
pub(crate) struct ImportedName {
    pub script: Rc<LoadedScript>,
    /// The name as it is written, such as `lib.twice`.
    pub shown: String,
    /// One for each number of arguments.
    pub offers: Vec<OutlineDefinition>,
    /// Its import.
    pub path: String,
    pub at: Span,
}

impl Imports {
    /// The import behind a name that Rhai sees.
    pub(crate) fn named(&self, name: &str) -> Option<&ImportedName> {
        self.names.get(name)
    }

    /// Whether a name is imported, but its script doesn't know yet what it is.
    pub(crate) fn is_open(&self, name: &str) -> bool {
        self.names.get(name).is_some_and(|imported| imported.is_strategy() && !imported.is_settled())
    }

    /// The scripts that are imported, each once.
    pub(crate) fn scripts(&self) -> Vec<Rc<LoadedScript>> {
        let mut seen = BTreeSet::new();
        let new = self.libraries.iter().filter(|library| seen.insert(Rc::as_ptr(&library.script)));
        new.map(|library| library.script.clone()).collect()
    }

    /// The imports in the order in which they were made.
    pub(crate) fn libraries(&self) -> &[ScriptImport] {
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

    pub(crate) fn aliased(&self, alias: &str) -> Option<&ScriptImport> {
        self.libraries.iter().find(|library| library.alias.as_deref() == Some(alias))
    }

    /// Adds what an import gives; an error where a name has another meaning by another import.
    pub(crate) fn add(&mut self, library: &ScriptImport) -> Result<(), Diagnostic> {
        let path = &library.script.file;
        // The same import again takes the place of the old one, which may have given other names.
        self.libraries.retain(|old| old.script.file != *path || old.alias != library.alias);
        self.names.retain(|_, old| self.libraries.iter().any(|library| library.at == old.at));
        if let Some(other) = library.alias.as_deref().and_then(|alias| self.aliased(alias)) {
            let headline = format!("two imports are called `{}`", library.alias.as_deref().unwrap_or(""));
            let finding = Diagnostic::error(code::DUPLICATE, headline).at(library.at, "is called so, too");
            return Err(finding.because(other.at, "this is the first").help("give it another name behind `as`"));
        }
        for offer in library.script.offers.iter().cloned() {
            let (seen, shown) = match &library.alias {
                Some(alias) => (format!("{alias}_{}", offer.name), format!("{alias}.{}", offer.name)),
                None => (offer.name.clone(), offer.name.clone()),
            };
            match self.names.get_mut(&seen) {
                Some(known) if known.at == library.at => known.offers.push(offer),
                Some(known) => return Err(two_imports(&shown, library, known.at)),
                None => {
                    let (script, path) = (library.script.clone(), library.path.clone());
                    let imported = ImportedName { script, shown, offers: vec![offer], path, at: library.at };
                    self.names.insert(seen, imported);
                }
            }
        }
        self.libraries.push(library.clone());
        Ok(())
    }
}

impl ImportedName {
    pub(crate) fn definitions(&self) -> Vec<OutlineDefinition> {
        self.offers.clone()
    }

    /// The numbers of arguments that it takes.
    pub(crate) fn arities(&self) -> Vec<usize> {
        self.offers.iter().map(|offer| offer.params.len()).collect()
    }

    /// The name as it is written.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }

    /// How it is used.
    pub(crate) fn usage(&self) -> String {
        self.offers.first().map_or_else(|| self.shown.clone(), |offer| call(&self.shown, &offer.params))
    }

    /// Whether it is a strategy or a rule, as far as is known.
    pub(crate) fn is_strategy(&self) -> bool {
        self.offers.iter().any(|offer| offer.kind != DefinitionKind::Function)
    }

    fn name(&self) -> &str {
        self.offers.first().map_or("", |offer| &offer.name)
    }

    /// Whether its script knows what it is: one that was only looked at may not.
    pub(crate) fn is_settled(&self) -> bool {
        self.is_strategy() && self.script.inside.is_settled(self.name())
    }

    /// The strategy that it stands for, where it takes no arguments.
    pub(crate) fn constant(&self) -> Option<Strategy> {
        let bare = self.offers.iter().any(|offer| offer.kind != DefinitionKind::Function && offer.params.is_empty());
        bare.then(|| self.script.inside.constant(self.name())).flatten()
    }

    pub(crate) fn call(&self, values: &[Dynamic]) -> Option<RhaiResult<Dynamic>> {
        let offer = self.offers.iter().find(|offer| offer.params.len() == values.len())?;
        Some(self.script.inside.call(offer, values.to_vec()))
    }
}

pub(super) fn behind_a_name(path: &str, name: &str) -> String {
    format!("write `import \"{path}\" as lib;` and `lib.{name}`")
}

fn two_imports(shown: &str, library: &ScriptImport, other: Span) -> Diagnostic {
    let finding = Diagnostic::error(code::DUPLICATE, format!("two imports give `{shown}`"));
    let finding = finding.at(library.at, "gives it, too").because(other, "this is the first");
    finding.help(match library.alias {
        Some(_) => "give it another name behind `as`".to_owned(),
        None => behind_a_name(&library.path, shown),
    })
}
