//! Defines models: files of definitions with what they import, and the scopes in which names are looked up.

use std::cell::{Cell, OnceCell};
use std::fmt;
use std::rc::{Rc, Weak};

use rustc_hash::{FxHashMap, FxHashSet};

use super::definition::Definition;
use crate::ground::{
    Budget, Diagnostic, Name, Span, Trouble, code, name::MAX_GUESSES, name::did_you_mean, text::listed,
};
use crate::term::Program;

/// The meaning of a name: a definition, or one that was wrong and has been reported.
#[derive(Clone, Debug)]
pub(super) enum NameMeaning {
    Known(Rc<Definition>),
    Broken,
}

/// A checked model file.
///
/// ```
/// let prelude = redexter_language::check::prelude(&Default::default());
/// assert!(prelude.defines("vectorFill") && !prelude.defines("gradient"));
/// ```
#[derive(Debug)]
pub struct Model {
    /// The path as it was asked for.
    pub path: String,
    pub(super) own: Vec<Rc<Definition>>,
    /// Its own definitions and what it imports, but not the prelude.
    pub(super) visible: FxHashMap<Name, NameMeaning>,
    pub(super) library: Rc<PreludeLibrary>,
}

impl Model {
    /// The definitions of the prelude, in order.
    pub fn library(&self) -> impl Iterator<Item = &Rc<Definition>> {
        (0..self.library.entries.len()).map(|k| self.library.read(k))
    }

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
        visible.extend(definitions.into_iter().map(|d| (d.name().clone(), NameMeaning::Known(d.clone()))));
        Model { path: self.path.clone(), own: Vec::new(), visible, library: self.library.clone() }
    }

    /// The scope of a term or a rule that is checked against this model.
    pub(super) fn scope(&self) -> ModelScope {
        ModelScope { visible: self.visible.clone(), ..ModelScope::of(&self.library) }
    }
}

/// Definitions that every model sees, each read when it is first asked for.
pub(super) struct PreludeLibrary {
    entries: Vec<PreludeEntry>,
    places: FxHashMap<Name, usize>,
    read: ReadDefinition,
}

/// Reads the definition that stands there in the library.
pub(super) type ReadDefinition = fn(&Rc<PreludeLibrary>, Span) -> Result<Definition, Trouble>;

/// A definition of the library, and where it stands.
struct PreludeEntry {
    name: Name,
    span: Span,
    known: OnceCell<Rc<Definition>>,
    /// The library itself, which what it defines may use; weak, since the library holds this entry.
    library: Weak<PreludeLibrary>,
}

impl PreludeLibrary {
    /// Of the definitions that stand there, with their names.
    pub(super) fn new(listed: impl IntoIterator<Item = (Name, Span)>, read: ReadDefinition) -> Rc<PreludeLibrary> {
        Rc::new_cyclic(|library: &Weak<PreludeLibrary>| {
            let entry = |(name, span)| PreludeEntry { name, span, known: OnceCell::new(), library: library.clone() };
            let entries: Vec<PreludeEntry> = listed.into_iter().map(entry).collect();
            let places = entries.iter().enumerate().map(|(k, entry)| (entry.name.clone(), k)).collect();
            PreludeLibrary { entries, places, read }
        })
    }

    fn find(&self, name: &Name) -> Option<&Rc<Definition>> {
        self.places.get(name).map(|k| self.read(*k))
    }

    /// All of it is read in a test, so that what can't be read is a bug here.
    fn read(&self, number: usize) -> &Rc<Definition> {
        let entry = &self.entries[number];
        entry.known.get_or_init(|| {
            let whole = entry.library.upgrade().unwrap_or_else(|| PreludeLibrary::new([], self.read));
            let read = (self.read)(&whole, entry.span);
            Rc::new(read.unwrap_or_else(|wrong| panic!("`{}` of the library can't be read: {wrong:?}", entry.name)))
        })
    }
}

impl fmt::Debug for PreludeLibrary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.entries.iter().map(|entry| &entry.name)).finish()
    }
}

/// The definitions that are in scope.
#[derive(Clone)]
pub(super) struct ModelScope {
    pub(super) visible: FxHashMap<Name, NameMeaning>,
    pub(super) library: Rc<PreludeLibrary>,
    /// The definition that is being checked.
    pub(super) current: Option<Name>,
    /// Names that the file defines further down.
    pub(super) later: FxHashSet<Name>,
    /// Names that don't mean what the library says.
    pub(super) hidden: FxHashSet<Name>,
    /// For so many names it was guessed what was meant.
    pub(super) guessed: Rc<Cell<usize>>,
}

impl ModelScope {
    /// Of a file that defines nothing yet.
    pub(super) fn of(library: &Rc<PreludeLibrary>) -> ModelScope {
        let visible = FxHashMap::default();
        ModelScope {
            visible,
            library: library.clone(),
            current: None,
            later: Default::default(),
            hidden: Default::default(),
            guessed: Rc::default(),
        }
    }

    /// The names among which another one may be meant, unless that was guessed often enough.
    pub(super) fn guesses(&self) -> Vec<Name> {
        let so_far = self.guessed.replace(self.guessed.get() + 1);
        if so_far < MAX_GUESSES { self.names() } else { Vec::new() }
    }

    pub(super) fn find(&self, name: &Name) -> Option<NameMeaning> {
        if let Some(entry) = self.visible.get(name) {
            return Some(entry.clone());
        }
        let found = self.library.find(name).filter(|_| !self.hidden.contains(name));
        found.map(|definition| NameMeaning::Known(definition.clone()))
    }

    /// The same where names of the library, among these, mean nothing; none if there are no such names.
    pub(super) fn hiding(&self, names: FxHashSet<Name>) -> Option<ModelScope> {
        let of_library = |name: &Name| !self.visible.contains_key(name) && self.library.places.contains_key(name);
        let hidden: FxHashSet<Name> = names.into_iter().filter(of_library).collect();
        (!hidden.is_empty()).then(|| ModelScope { hidden, ..self.clone() })
    }

    /// Whether this is a definition of the library.
    pub(super) fn is_of_library(&self, definition: &Rc<Definition>) -> bool {
        self.library.find(definition.name()).is_some_and(|known| Rc::ptr_eq(known, definition))
    }

    /// Whether the name has a meaning here, be it that it can't be used yet.
    pub(super) fn says(&self, name: &Name) -> bool {
        self.find(name).is_some() || self.current.as_ref() == Some(name) || self.later.contains(name)
    }

    /// Every name in scope, sorted.
    pub(super) fn names(&self) -> Vec<Name> {
        let mut all: Vec<Name> = self.visible.keys().cloned().collect();
        all.extend(self.library.entries.iter().map(|entry| entry.name.clone()));
        all.sort();
        all.dedup();
        all
    }
}
