//! Loads model files and what they import.

use std::cell::RefCell;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::define;
use super::definition::Definition;
use super::division::no_division_in_comments;
use super::model::{Model, ModelScope, NameMeaning, PreludeLibrary};
use crate::ground::{Budget, Diagnostic, Name, SourceId, Sources, Span, Trouble, code};
use crate::shipped;
use crate::syntax;
use crate::syntax::raw::{RawDefinition, RawModel};

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
            let own = |name: &Name| raw.definitions.iter().any(|own| own.name.name == *name);
            if let Some(finding) = clash(&scope, &model, own, import.span, self.budget)? {
                return Err(finding.into());
            }
            scope.visible.extend(model.visible.iter().map(|(n, e)| (n.clone(), e.clone())));
        }
        let text = self.sources.borrow().get(id).text.clone();
        check_all(&raw, &text, scope, path, self.budget)
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

/// The first name to which a model gives another meaning than what is in scope, unless the file gives it one itself.
fn clash(
    scope: &ModelScope,
    model: &Model,
    own: impl Fn(&Name) -> bool,
    import: Span,
    budget: &Budget,
) -> Result<Option<Diagnostic>, Trouble> {
    let mut names: Vec<&Name> = model.visible.keys().filter(|name| scope.visible.contains_key(*name)).collect();
    names.sort();
    for name in names.into_iter().filter(|name| !own(name)) {
        if let (Some(NameMeaning::Known(first)), Some(NameMeaning::Known(second))) =
            (scope.visible.get(name), model.visible.get(name))
            && !Definition::are_same(first, second, budget)?
        {
            return Ok(Some(two_imports(first, second, import)));
        }
    }
    Ok(None)
}

fn two_imports(first: &Definition, second: &Definition, import: Span) -> Diagnostic {
    Diagnostic::error(code::DUPLICATE, format!("two imports give `{}`", first.name))
        .at(import, "gives it, too")
        .because(first.span, "one is defined here")
        .because(second.span, "the other here")
        .help(format!("give one of them another name, or define `{}` here: a file's own definition counts", first.name))
}

/// A definition, with its term where it has one of its own.
fn checked(raw: &RawDefinition, scope: &ModelScope, budget: &Budget) -> Result<Rc<Definition>, Trouble> {
    let definition = define::definition(raw, scope, budget)?;
    if !definition.is_static() {
        definition.term(budget)?;
    }
    Ok(Rc::new(definition))
}

/// Where the parts of a file end, each with the comments behind it: where the next definition or import begins.
fn ends(raw: &RawModel, text: &str) -> Vec<usize> {
    let imports = raw.imports.iter().map(|import| import.span.start as usize);
    let definitions = raw.definitions.iter().map(|definition| definition.span.start as usize);
    let mut all: Vec<usize> = imports.chain(definitions).chain([text.len()]).collect();
    all.sort_unstable();
    all
}

fn check_all(
    raw: &RawModel,
    text: &str,
    mut scope: ModelScope,
    path: &str,
    budget: &Budget,
) -> Result<Rc<Model>, Trouble> {
    let mut own: Vec<Rc<Definition>> = Vec::new();
    let mut wrong = Vec::new();
    let mut places: FxHashMap<Name, Span> = FxHashMap::default();
    scope.later = raw.definitions.iter().map(|d| d.name.name.clone()).collect();
    let ends = ends(raw, text);
    for d in &raw.definitions {
        budget.ask()?;
        let name = &d.name.name;
        if let Some(first) = places.insert(name.clone(), d.name.span) {
            wrong.push(define::duplicate(&d.name, first));
            continue;
        }
        scope.later.remove(name);
        scope.current = Some(name.clone());
        let checked = checked(d, &scope, budget).and_then(|known| {
            let end = ends[ends.partition_point(|end| *end <= d.span.start as usize)];
            let place = Span::new(d.span.source, d.span.start as usize, end);
            let knows = |name: &str| scope.find(&Name::new(name)).is_some();
            no_division_in_comments(&text[d.span.start as usize..end], place, budget, knows, |divided| {
                let whole = Span::new(d.span.source, 0, divided.len());
                checked(&syntax::parse_definition(divided, whole, budget)?, &scope, budget).map(drop)
            })?;
            Ok(known)
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
