//! Models: files of definitions, what they import, and what is in scope where.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::definition::Definition;
use crate::ground::{Budget, Diagnostic, Name, Trouble, code, name::did_you_mean, text::listed};
use crate::term::Program;

/// What a name means: a definition, or one that was wrong and has been reported.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    Known(Rc<Definition>),
    Broken,
}

/// A checked model file.
#[derive(Debug)]
pub struct Model {
    /// The path as it was asked for.
    pub path: String,
    pub(super) own: Vec<Rc<Definition>>,
    /// Its own definitions and what it imports, but not the prelude.
    pub(super) visible: FxHashMap<Name, Symbol>,
    pub(super) prelude: Option<Rc<Model>>,
}

impl Model {
    /// Its own definitions, in order.
    pub fn definitions(&self) -> &[Rc<Definition>] {
        &self.own
    }

    /// The names of its own definitions, in order.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        self.own.iter().map(|d| d.name())
    }

    /// Its own definition with this name.
    pub fn definition(&self, name: &str) -> Option<&Rc<Definition>> {
        self.own.iter().find(|d| d.name().as_str() == name)
    }

    /// The term of a definition. An unknown name is E0305.
    pub fn program(&self, name: &str, budget: &Budget) -> Result<Program, Trouble> {
        match self.definition(name) {
            Some(d) => d.program(budget),
            None => Err(self.no_such(name).into()),
        }
    }

    fn no_such(&self, name: &str) -> Diagnostic {
        let d = Diagnostic::error(code::NO_SUCH_DEFINITION, format!("{} defines no `{name}`", self.path));
        match did_you_mean(name, self.names().map(Name::as_str)) {
            Some(help) => d.help(help),
            None if self.own.is_empty() => d.help("the model is empty"),
            None => d.help(format!("it defines {}", listed(self.names()))),
        }
    }

    /// Whether a name stands for a definition here.
    pub fn defines(&self, name: &str) -> bool {
        self.scope().find(&Name::new(name)).is_some()
    }

    /// A model without definitions of its own that sees these besides what this one sees; the last with a name counts.
    pub fn seeing<'a>(&self, definitions: impl IntoIterator<Item = &'a Rc<Definition>>) -> Model {
        let mut visible = self.visible.clone();
        visible.extend(definitions.into_iter().map(|d| (d.name().clone(), Symbol::Known(d.clone()))));
        Model { path: self.path.clone(), own: Vec::new(), visible, prelude: self.prelude.clone() }
    }

    /// What a term or a rule sees from here.
    pub(super) fn scope(&self) -> Scope {
        Scope {
            visible: self.visible.clone(),
            prelude: self.prelude.clone(),
            current: None,
            later: FxHashSet::default(),
        }
    }
}

/// The definitions that are in scope.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) visible: FxHashMap<Name, Symbol>,
    pub(super) prelude: Option<Rc<Model>>,
    /// The definition that is being checked.
    pub(super) current: Option<Name>,
    /// Names that the file defines further down.
    pub(super) later: FxHashSet<Name>,
}

impl Scope {
    pub(super) fn find(&self, name: &Name) -> Option<Symbol> {
        if let Some(entry) = self.visible.get(name) {
            return Some(entry.clone());
        }
        self.prelude.as_ref()?.visible.get(name).cloned()
    }

    /// Whether the name has a meaning here, be it that it can't be used yet.
    pub(super) fn says(&self, name: &Name) -> bool {
        self.find(name).is_some() || self.current.as_ref() == Some(name) || self.later.contains(name)
    }

    /// Every name in scope, sorted.
    pub(super) fn names(&self) -> Vec<Name> {
        let mut all: Vec<Name> = self.visible.keys().cloned().collect();
        if let Some(prelude) = &self.prelude {
            all.extend(prelude.visible.keys().cloned());
        }
        all.sort();
        all.dedup();
        all
    }
}
