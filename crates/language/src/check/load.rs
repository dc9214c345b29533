//! Loads model files and what they import.

use std::cell::RefCell;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::define;
use super::definition::Definition;
use super::model::{Model, ModelScope, NameMeaning, PreludeLibrary};
use crate::ground::{Budget, Diagnostic, Name, SourceId, Sources, Span, Trouble, code};
use crate::shipped;
use crate::syntax;

/// Reads a file's text, or says why not. The diagnostic needs no place: the loader adds the import's.
pub type ReadFile<'a> = &'a dyn Fn(&Path) -> Result<String, Diagnostic>;

/// A loader of model files: what it needs, and the files that it has loaded.
pub struct Loader<'a> {
    /// Where texts go.
    pub sources: &'a RefCell<Sources>,
    /// How files are read.
    pub read: ReadFile<'a>,
    /// The limits.
    pub budget: &'a Budget,
    /// The library that every model sees.
    pub prelude: Rc<Model>,
    loaded: FxHashMap<PathBuf, Rc<Model>>,
    /// Files that are being loaded, outermost first, and where each but the first is imported.
    open: Vec<(PathBuf, Option<Span>)>,
}

impl<'a> Loader<'a> {
    /// A loader that has loaded nothing yet.
    pub fn new(
        sources: &'a RefCell<Sources>,
        read: ReadFile<'a>,
        budget: &'a Budget,
        prelude: Rc<Model>,
    ) -> Loader<'a> {
        Loader { sources, read, budget, prelude, loaded: FxHashMap::default(), open: Vec::new() }
    }

    /// Loads a model file with its imports and checks every definition.
    ///
    /// All definitions are looked at; each wrong one gives a diagnostic, those that use it give none.
    pub fn load(&mut self, path: &Path) -> Result<Rc<Model>, Trouble> {
        let text = (self.read)(path)?;
        self.file(path, text, None)
    }

    fn file(&mut self, path: &Path, text: String, from: Option<Span>) -> Result<Rc<Model>, Trouble> {
        let key = normal(path);
        let id = self.sources.borrow_mut().add(key.display().to_string(), text);
        self.open.push((key.clone(), from));
        let model = self.text(id, &path.display().to_string());
        self.open.pop();
        let model = model?;
        self.loaded.insert(key, model.clone());
        Ok(model)
    }

    fn text(&mut self, id: SourceId, path: &str) -> Result<Rc<Model>, Trouble> {
        let raw = syntax::parse_model(&self.sources.borrow(), id, self.budget)?;
        let mut scope = ModelScope::of(&self.prelude.library);
        for import in &raw.imports {
            let model = self.import(path, &import.path, import.span)?;
            scope.visible.extend(model.visible.iter().map(|(n, e)| (n.clone(), e.clone())));
        }
        check_all(&raw.definitions, scope, path, self.budget)
    }

    fn import(&mut self, from: &str, path: &str, span: Span) -> Result<Rc<Model>, Trouble> {
        let target = Path::new(from).parent().unwrap_or(Path::new("")).join(path);
        let key = normal(&target);
        if let Some(model) = self.loaded.get(&key) {
            return Ok(model.clone());
        }
        if let Some(first) = self.open.iter().position(|(file, _)| *file == key) {
            return Err(self.cycle(first, span).into());
        }
        if self.open.len() >= 200 {
            return Err(Diagnostic::error(code::IMPORT_CYCLE, "imports are nested too deeply")
                .at(span, "the 200th file in a row")
                .help("import fewer files from files that are imported")
                .into());
        }
        let text = (self.read)(&target).map_err(|d| {
            let d = d.at(span, "imported here");
            if d.help.is_empty() { d.help("write a path relative to the importing file") } else { d }
        })?;
        self.file(&target, text, Some(span))
    }

    /// An import that leads back to the `first` of the open files.
    fn cycle(&self, first: usize, span: Span) -> Diagnostic {
        let links: Vec<Span> = self.open[first + 1..].iter().filter_map(|(_, from)| *from).collect();
        if links.is_empty() {
            return Diagnostic::error(code::IMPORT_CYCLE, "a file imports itself")
                .at(span, "is this file")
                .help("remove this import");
        }
        let found = Diagnostic::error(code::IMPORT_CYCLE, "files import each other in a cycle")
            .at(span, "leads back to a file that is being read");
        let found = links.into_iter().fold(found, |found, link| found.because(link, "by way of this import"));
        found.help("move what both need into a third file")
    }
}

fn check_all(
    raw: &[syntax::raw::RawDefinition],
    mut scope: ModelScope,
    path: &str,
    budget: &Budget,
) -> Result<Rc<Model>, Trouble> {
    let mut own: Vec<Rc<Definition>> = Vec::new();
    let mut wrong = Vec::new();
    let mut places: FxHashMap<Name, Span> = FxHashMap::default();
    scope.later = raw.iter().map(|d| d.name.name.clone()).collect();
    for d in raw {
        budget.ask()?;
        let name = &d.name.name;
        if let Some(first) = places.insert(name.clone(), d.name.span) {
            wrong.push(define::duplicate(&d.name, first));
            continue;
        }
        scope.later.remove(name);
        scope.current = Some(name.clone());
        let checked = define::definition(d, &scope, budget).and_then(|d| {
            if !d.is_static() {
                d.term(budget)?;
            }
            Ok(Rc::new(d))
        });
        let entry = match checked {
            Ok(definition) => {
                own.push(definition.clone());
                NameMeaning::Known(definition)
            }
            Err(Trouble::Wrong(found)) => {
                wrong.extend(found);
                NameMeaning::Broken
            }
            Err(stopped) => return Err(stopped),
        };
        scope.visible.insert(name.clone(), entry);
    }
    if wrong.is_empty() {
        Ok(Rc::new(Model { path: path.to_owned(), own, visible: scope.visible, library: scope.library }))
    } else {
        Err(Trouble::Wrong(wrong))
    }
}

/// The library that every model sees, as a model without definitions of its own. Its text is added to `sources`.
pub fn prelude(sources: &RefCell<Sources>) -> Rc<Model> {
    let id = sources.borrow_mut().add("<prelude>", shipped::PRELUDE);
    let listed = syntax::definitions(shipped::PRELUDE).into_iter();
    let listed = listed.map(|(name, range)| (Name::new(name), Span::new(id, range.start, range.end)));
    let library = PreludeLibrary::new(listed, of_prelude);
    let visible = FxHashMap::default();
    Rc::new(Model { path: "<prelude>".to_owned(), own: Vec::new(), visible, library })
}

fn of_prelude(library: &Rc<PreludeLibrary>, span: Span) -> Result<Definition, Trouble> {
    // The library is redexter's own: a user's limits are for the user's work.
    let budget = Budget::default();
    let raw = syntax::parse_definition(shipped::PRELUDE, span, &budget)?;
    define::definition(&raw, &ModelScope { current: Some(raw.name.name.clone()), ..ModelScope::of(library) }, &budget)
}

/// A path without `.` and `..` where that can be said without looking at the disk.
pub fn normal(path: &Path) -> PathBuf {
    let mut done = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(done.components().next_back(), Some(Component::Normal(_))) => {
                done.pop();
            }
            other => done.push(other),
        }
    }
    done
}
