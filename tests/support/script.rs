//! Running schedules in tests, with what they print and what is wrong as text.

use std::cell::RefCell;
use std::rc::Rc;

use redexter::check::{self, Model};
use redexter::ground::{Budget, Diagnostic, Limits, Sources, Trouble, code, with_stack};
use redexter::rule::{Checker, RuleBook};
use redexter::script::{Host, Interpreter};
use redexter::syntax::raw::RawRule;

/// A host without files that remembers what was printed and warned of.
#[derive(Default)]
pub struct TestHost {
    pub printed: RefCell<Vec<String>>,
    pub warned: RefCell<Vec<Diagnostic>>,
    pub written: RefCell<Vec<(String, String)>>,
    /// Files that are only in memory: their paths and texts.
    pub files: RefCell<Vec<(String, String)>>,
    /// The paths that were asked for, in order.
    pub read: RefCell<Vec<String>>,
    pub bare: bool,
}

impl Host for TestHost {
    fn print(&self, text: &str) {
        self.printed.borrow_mut().push(text.to_owned());
    }

    fn warn(&self, finding: &Diagnostic) {
        self.warned.borrow_mut().push(finding.clone());
    }

    fn read(&self, path: &str) -> Result<String, Diagnostic> {
        self.read.borrow_mut().push(path.to_owned());
        if let Some((_, text)) = self.files.borrow().iter().find(|(file, _)| file == path) {
            return Ok(text.clone());
        }
        let whole = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let missing = |e| Diagnostic::error(code::UNREADABLE, format!("can't read `{path}`: {e}"));
        std::fs::read_to_string(whole).map_err(missing)
    }

    fn write(&self, path: &str, text: &str) -> Result<(), Diagnostic> {
        self.written.borrow_mut().push((path.to_owned(), text.to_owned()));
        Ok(())
    }

    fn bare(&self) -> bool {
        self.bare
    }

    fn budget(&self) -> Budget {
        Budget::new(Limits { max_steps: 20_000, ..Limits::default() }, None)
    }
}

/// What every interpreter of a thread starts from.
struct Library {
    sources: Rc<RefCell<Sources>>,
    prelude: Rc<Model>,
    checker: Checker,
}

thread_local! {
    static LIBRARY: Library = library();
}

fn library() -> Library {
    let sources = Rc::new(RefCell::new(Sources::default()));
    let prelude = check::prelude(&sources);
    let (texts, within) = (sources.clone(), prelude.clone());
    let laws = move |raw: &RawRule, reverse| check::laws(raw, reverse, &within, &texts.borrow(), &Budget::default());
    Library { sources, prelude, checker: Rc::new(laws) }
}

pub fn interpreter() -> (Interpreter, Rc<TestHost>) {
    of_host(TestHost::default())
}

/// An interpreter of this host.
pub fn of_host(host: TestHost) -> (Interpreter, Rc<TestHost>) {
    let host = Rc::new(host);
    let interpreter = LIBRARY.with(|library| {
        let sources = library.sources.clone();
        let book = RuleBook::shipped(&mut sources.borrow_mut(), &library.checker);
        Interpreter::new(host.clone(), sources, library.prelude.clone(), book)
    });
    (interpreter, host)
}

/// Scripts nest: a test runs on a stack of its own.
pub fn deep(test: fn()) {
    with_stack(10_000, test).expect("a stack");
}

/// Runs a script; what it printed, or what went wrong.
pub fn run(text: &str) -> Result<String, String> {
    let (mut interpreter, host) = interpreter();
    let done = interpreter.run_script("test.strat", text, &["7".into(), "x".into()]);
    let told = done.map_err(|trouble| tell(&trouble, &interpreter));
    told.map(|()| host.printed.borrow().join("\n"))
}

/// `CODE line:column headline`, of the first finding.
pub fn tell(trouble: &Trouble, interpreter: &Interpreter) -> String {
    match trouble {
        Trouble::Stopped { reason, .. } => format!("{reason:?}"),
        Trouble::Wrong(all) => {
            let first = &all[0];
            let sources = interpreter.sources();
            let (line, column) = first.place().map_or((0, 0), |span| sources.borrow().position(span));
            let help = first.help.first().map(|h| format!(" | {h}")).unwrap_or_default();
            format!("{} {line}:{column} {}{help}", first.code, first.headline)
        }
    }
}

/// What a check says of a script, a finding on each line.
pub fn check(text: &str) -> String {
    let (mut interpreter, host) = interpreter();
    let done = interpreter.check_script("test.strat", text);
    assert!(host.printed.borrow().is_empty() && host.written.borrow().is_empty(), "{text}");
    match done {
        Ok(()) => String::new(),
        Err(Trouble::Wrong(all)) => {
            let tell = |d: Diagnostic| tell(&Trouble::from(d), &interpreter);
            all.into_iter().map(tell).collect::<Vec<_>>().join("\n")
        }
        Err(stopped) => tell(&stopped, &interpreter),
    }
}
