//! Holds models: their definitions are attributes.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::failure::Failure;
use crate::given::Text;
use crate::html;
use crate::machine::ReadBytes;
use crate::programs::{KeptTerm, Term, TermTexts};
use crate::worker::{Kept, Token, Worker};
use redexter::check::{Definition, Model as CheckedModel};
use redexter::ground::name::did_you_mean;
use redexter::ground::{Diagnostic, Sources, code};
use redexter::session;
use redexter::styled::Styled;
use redexter::syntax::print_type;

/// What a session's thread keeps of a model.
struct KeptModel {
    path: PathBuf,
    model: Rc<CheckedModel>,
    text: Rc<str>,
}

/// A definition, as far as Python is told.
#[derive(Clone)]
struct Told {
    name: String,
    /// As in the model's file, without its right side.
    head: String,
    ty: String,
    doc: Option<String>,
}

/// A file that the model was read from.
struct ReadFile {
    path: PathBuf,
    bytes: Vec<u8>,
    /// Its time and its length when it was last compared.
    stamp: Mutex<Option<(SystemTime, u64)>>,
}

impl ReadFile {
    fn new(path: PathBuf, bytes: Vec<u8>) -> ReadFile {
        // A file that changes between reading it and this is compared when it is next asked for, since its length or its bytes
        // differ: no stamp is kept before.
        ReadFile { path, bytes, stamp: Mutex::default() }
    }

    /// How it changed, if it did.
    fn change(&self) -> Option<String> {
        let about = fs::metadata(&self.path).ok();
        let stamp = about.and_then(|about| Some((about.modified().ok()?, about.len())));
        let mut known = self.stamp.lock().unwrap_or_else(PoisonError::into_inner);
        if stamp.is_some() && *known == stamp {
            return None;
        }
        match fs::read(&self.path) {
            Ok(bytes) if bytes == self.bytes => {
                *known = stamp;
                None
            }
            Ok(bytes) => Some(format!("it had {} bytes then, and has {} now", self.bytes.len(), bytes.len())),
            Err(wrong) => Some(format!("it can't be read any more: {wrong}")),
        }
    }
}

/// A model: its definitions are attributes, `model.gradient`, and items, `model["gradient"]`.
///
/// A model that was read from files looks whether they are as they were: where one changed, its definitions raise `ModelChanged`
/// until `model.reload()`. Terms that were taken before go on as they are.
#[pyclass(frozen, module = "redexter")]
pub struct Model {
    state: Mutex<ModelState>,
    worker: Arc<Worker>,
    path: PathBuf,
}

struct ModelState {
    kept: Kept<KeptModel>,
    definitions: Vec<Told>,
    doc: Option<String>,
    files: Vec<ReadFile>,
    terms: HashMap<String, Py<Term>>,
}

/// What comes back from a session's thread.
struct LoadedModel {
    token: Token<KeptModel>,
    path: PathBuf,
    definitions: Vec<Told>,
    doc: Option<String>,
    files: Vec<ReadBytes>,
}

impl ModelState {
    fn new(worker: &Arc<Worker>, loaded: LoadedModel) -> ModelState {
        let files = loaded.files.into_iter().map(|(path, bytes)| ReadFile::new(path, bytes));
        ModelState {
            kept: worker.kept(loaded.token),
            definitions: loaded.definitions,
            doc: loaded.doc,
            files: files.collect(),
            terms: HashMap::new(),
        }
    }
}

/// Reads a model from a file, or from a text.
pub fn load(worker: &Arc<Worker>, py: Python<'_>, given: &Bound<'_, PyAny>) -> PyResult<Model> {
    let text = given.cast::<PyString>().ok().map(|text| text.to_cow()).transpose()?;
    let text = text.filter(|text| is_text(text)).map(|text| text.into_owned());
    let path = match &text {
        Some(_) => None,
        None => Some(path_of(given).map_err(|_| not_named(given))?),
    };
    let loaded = loaded(worker, py, path, text)?;
    let path = loaded.path.clone();
    Ok(Model { state: Mutex::new(ModelState::new(worker, loaded)), worker: worker.clone(), path })
}

fn not_named(given: &Bound<'_, PyAny>) -> PyErr {
    let found = given.get_type().name().map(|name| name.to_string()).unwrap_or_default();
    PyTypeError::new_err(format!("`path_or_text` must be a path or a text, but is of the type {found}"))
}

fn loaded(worker: &Arc<Worker>, py: Python<'_>, path: Option<PathBuf>, text: Option<String>) -> PyResult<LoadedModel> {
    worker.ask(py, move |bench| {
        let path = match &text {
            Some(text) => bench.machine.put(text),
            None => path.unwrap_or_default(),
        };
        bench.machine.record();
        let model = bench.doing("the model", |session| session::model(session, &path));
        let files = bench.machine.recorded();
        let model = model?;
        let sources = bench.sources.clone();
        let sources = sources.borrow();
        let told = |definition: &Rc<Definition>| Told {
            name: definition.name().to_string(),
            head: format!("def {definition}"),
            ty: print_type(definition.ty()),
            doc: comment_above(&sources, definition),
        };
        let definitions = model.definitions().iter().map(told).collect();
        let text = model.definitions().first().map_or("", |first| &sources.get(first.span().source).text);
        let doc = comment(text.lines().skip_while(|line| line.trim().is_empty()));
        let kept = KeptModel { path: path.clone(), text: Rc::from(text), model };
        Ok(LoadedModel { token: bench.keep(kept), path, definitions, doc, files })
    })
}

/// The comment right above a definition.
fn comment_above(sources: &Sources, definition: &Definition) -> Option<String> {
    let span = definition.span();
    let before = sources.get(span.source).text.get(..span.start as usize)?;
    let mut lines: Vec<&str> = before.lines().collect();
    // The last one is that of the definition, up to its name.
    lines.pop();
    let count = lines.iter().rev().take_while(|line| line.trim_start().starts_with("--")).count();
    comment(lines.split_off(lines.len() - count).into_iter())
}

/// The text of comments that lines begin with.
fn comment<'t>(lines: impl Iterator<Item = &'t str>) -> Option<String> {
    let told = lines.map_while(|line| line.trim_start().strip_prefix("--").map(str::trim));
    let text = told.collect::<Vec<&str>>().join("\n");
    (!text.is_empty()).then_some(text)
}

/// What a model's state says of a name.
enum Found {
    /// It was asked for before.
    Term(Py<Term>),
    /// It is a definition.
    Definition(Token<KeptModel>, Told),
    /// It isn't, or its file changed.
    Failure(Failure),
}

impl Model {
    fn state(&self) -> std::sync::MutexGuard<'_, ModelState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn shown_path(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    fn definition(&self, py: Python<'_>, name: &str) -> PyResult<Py<Term>> {
        let (token, told) = match self.find(py, name) {
            Found::Term(known) => return Ok(known),
            Found::Definition(token, told) => (token, told),
            Found::Failure(failure) => return Err(failure.raised(py, None)),
        };
        let texts = self.worker.ask(py, move |bench| {
            let kept = bench.get(token)?;
            let program = bench.doing("the definition", |session| kept.model.program(&told.name, &session.budget()))?;
            let term = KeptTerm {
                name: told.name.clone(),
                program,
                definition: kept.model.definition(&told.name).cloned(),
                source: Some((kept.path.to_string_lossy().into_owned(), kept.text.clone())),
                runner: Default::default(),
            };
            Ok(TermTexts::of(bench, term, told.doc))
        })?;
        let term = Py::new(py, Term::new(&self.worker, texts))?;
        self.state().terms.insert(name.to_owned(), term.clone_ref(py));
        Ok(term)
    }

    /// What the state says of a name. Nothing of Python's runs while it is locked: that could wait for who waits for the state.
    fn find(&self, py: Python<'_>, name: &str) -> Found {
        let state = self.state();
        let Some(told) = state.definitions.iter().find(|told| told.name == name) else {
            return Found::Failure(self.no_definition(&state, name));
        };
        for file in &state.files {
            if let Some(how) = file.change() {
                return Found::Failure(changed(file, &how));
            }
        }
        match state.terms.get(name) {
            Some(known) => Found::Term(known.clone_ref(py)),
            None => Found::Definition(state.kept.token(), told.clone()),
        }
    }

    fn names(&self) -> Vec<(String, String)> {
        self.state().definitions.iter().map(|told| (told.name.clone(), told.ty.clone())).collect()
    }

    fn no_definition(&self, state: &ModelState, name: &str) -> Failure {
        let names: Vec<&str> = state.definitions.iter().map(|told| told.name.as_str()).collect();
        let headline = format!("`{}` has no definition `{name}`", self.shown_path());
        let wrong = Diagnostic::error(code::NO_SUCH_DEFINITION, headline);
        let wrong = match did_you_mean(name, names.iter().copied()) {
            Some(help) => wrong.help(help),
            None => wrong,
        };
        Failure::said("NoSuchDefinition", &wrong.help(format!("its definitions: {}", names.join(", "))))
    }
}

fn changed(file: &ReadFile, how: &str) -> Failure {
    let headline = format!("`{}` changed since it was loaded: {how}", file.path.display());
    let wrong = Diagnostic::error(code::UNREADABLE, headline);
    Failure::said(
        "ModelChanged",
        &wrong.help("`model.reload()` reads it again; terms that were taken before stay as they are"),
    )
}

#[pymethods]
impl Model {
    fn __getattr__(&self, py: Python<'_>, name: &str) -> PyResult<Py<Term>> {
        self.definition(py, name)
    }

    fn __getitem__(&self, py: Python<'_>, name: Text) -> PyResult<Py<Term>> {
        self.definition(py, &name.0)
    }

    fn __contains__(&self, name: &str) -> bool {
        self.state().definitions.iter().any(|told| told.name == name)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.definitions(py)?.into_any().try_iter().map(Bound::into_any)
    }

    fn __len__(&self) -> usize {
        self.state().definitions.len()
    }

    fn __dir__<'py>(slf: &Bound<'py, Self>) -> PyResult<Vec<String>> {
        let class = slf.get_type();
        let own: Vec<String> = class.dir()?.extract()?;
        Ok(own.into_iter().chain(slf.get().names().into_iter().map(|(name, _)| name)).collect())
    }

    /// The definitions by their names, in the order of the file, each with its type in words.
    #[getter]
    fn definitions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        self.names().iter().try_for_each(|(name, ty)| all.set_item(name, ty))?;
        Ok(all)
    }

    /// What the comment at the beginning of the file says.
    #[getter]
    fn doc(&self) -> Option<String> {
        self.state().doc.clone()
    }

    /// Its file; a name in angle brackets for a text.
    #[getter]
    fn path(&self) -> String {
        self.shown_path()
    }

    /// Reads its files again. Where they are wrong, it stays as it is, and that is raised.
    fn reload(&self, py: Python<'_>) -> PyResult<()> {
        if self.state().files.is_empty() {
            return Ok(());
        }
        let loaded = loaded(&self.worker, py, Some(self.path.clone()), None)?;
        *self.state() = ModelState::new(&self.worker, loaded);
        Ok(())
    }

    fn __str__(&self) -> String {
        self.told().into_text()
    }

    fn __repr__(&self) -> String {
        self.told().into_text()
    }

    fn _repr_html_(&self) -> String {
        html::block(&self.told())
    }
}

impl Model {
    fn told(&self) -> Styled {
        use redexter::styled::Look;
        let state = self.state();
        let mut all = Styled::default().and(Look::Strong, &self.shown_path());
        for told in &state.definitions {
            all = all.then("\n").and(Look::Plain, &format!("  {}", told.head));
        }
        all
    }
}

/// Whether a text is a model rather than the name of a file with one.
fn is_text(given: &str) -> bool {
    let begun = given.trim_start();
    given.contains('\n') || given.contains(":=") || begun.starts_with("def ") || begun.starts_with("--")
}

/// The path of a file as Python names it.
fn path_of(given: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    let named = given.py().import("os")?.getattr("fspath")?.call1((given,))?;
    Ok(PathBuf::from(named.extract::<OsString>()?))
}
