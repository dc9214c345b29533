//! The schedules and the models that ship, read from their files.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use redexter::check::{self, Loader, Model};
use redexter::ground::{Budget, Diagnostic, Name, Sources, code};
use redexter::rule::{Checker, RuleBook};
use redexter::script::{Host, Interpreter};
use redexter::strategy::Strategy;
use redexter::syntax::raw::RawRule;
use redexter::term::Program;

/// A host for scripts that only read.
struct Reader;

impl Host for Reader {
    fn print(&self, _: &str) {}

    fn warn(&self, _: &Diagnostic) {}

    fn read(&self, path: &str) -> Result<String, Diagnostic> {
        let whole = root().join(path);
        std::fs::read_to_string(whole).map_err(|e| Diagnostic::error(code::UNREADABLE, e.to_string()))
    }

    fn write(&self, _: &str, _: &str) -> Result<(), Diagnostic> {
        Ok(())
    }

    fn budget(&self) -> Budget {
        Budget::default()
    }
}

/// The text of a file.
pub fn text(path: &Path) -> String {
    let whole = root().join(path);
    std::fs::read_to_string(&whole).unwrap_or_else(|e| panic!("{}: {e}", whole.display()))
}

/// The project's folder; the benches' package stands in one of its folders.
fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|folder| folder.join("models").is_dir()).expect("a folder with models")
}

/// The files of a folder with this ending, in order.
pub fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let whole = root().join(folder);
    let entries = std::fs::read_dir(whole).expect("a folder");
    let names = entries.map(|entry| Path::new(folder).join(entry.expect("a file").file_name()));
    let mut files: Vec<PathBuf> = names.filter(|path| path.extension().is_some_and(|e| e == ending)).collect();
    files.sort();
    files
}

/// The scripts that define strategies: all but the one that counts what a schedule reaches.
pub fn schedules() -> Vec<PathBuf> {
    files("strategies", "strat").into_iter().filter(|path| !path.ends_with("evidence.strat")).collect()
}

/// The library, and an interpreter over it.
pub struct Workbench {
    sources: Rc<RefCell<Sources>>,
    prelude: Rc<Model>,
}

impl Workbench {
    pub fn new() -> Workbench {
        let sources = Rc::new(RefCell::new(Sources::default()));
        let prelude = check::prelude(&sources);
        Workbench { sources, prelude }
    }

    /// An interpreter with the rule book and nothing else.
    pub fn interpreter(&self) -> Interpreter {
        let (sources, prelude) = (self.sources.clone(), self.prelude.clone());
        let (texts, within) = (sources.clone(), prelude.clone());
        let checker: Checker = Rc::new(move |raw: &RawRule, reverse| {
            check::laws(raw, reverse, &within, &texts.borrow(), &Budget::default())
        });
        let book = RuleBook::shipped(&mut sources.borrow_mut(), &checker);
        Interpreter::new(Rc::new(Reader), sources, prelude, book)
    }

    /// The strategies of a schedule that need no arguments, by name.
    pub fn strategies(&self, path: &Path) -> Vec<(String, Strategy)> {
        let mut interpreter = self.interpreter();
        let name = path.display().to_string();
        interpreter.run_script(&name, &text(path), &["2".to_owned()]).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let defined = interpreter.strategies().into_iter().filter(|d| d.name == d.usage).map(|d| d.name);
        let names: Vec<String> = defined.collect();
        names
            .into_iter()
            .map(|of| {
                let strategy = interpreter.strategy(&of).expect("a strategy");
                (format!("{name} {of}"), strategy)
            })
            .collect()
    }

    /// A model, with the files that it imports.
    pub fn model(&self, path: &Path) -> Rc<Model> {
        self.load(path, &|path: &Path| Ok(text(path)))
    }

    fn load(&self, path: &Path, read: &dyn Fn(&Path) -> Result<String, Diagnostic>) -> Rc<Model> {
        Loader::new(&self.sources, read, &Budget::default(), self.prelude.clone()).load(path).expect("a model")
    }

    /// The definitions of a model that are programs, by name.
    pub fn programs(&self, path: &Path) -> Vec<(String, Program)> {
        programs(&self.model(path), path)
    }

    /// The same of a model with this name and text.
    pub fn read(&self, name: &str, text: &str) -> Vec<(String, Program)> {
        let path = Path::new(name);
        programs(&self.load(path, &|_: &Path| Ok(text.to_owned())), path)
    }
}

fn programs(model: &Model, path: &Path) -> Vec<(String, Program)> {
    let program = |name: &Name| {
        let program = model.program(name.as_str(), &Budget::default()).ok()?;
        Some((format!("{}:{name}", path.display()), program))
    };
    model.names().filter_map(program).collect()
}
