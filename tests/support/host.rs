//! Reading models and terms in tests, with diagnostics as text.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use redexter::check::{self, Loader, Model};
use redexter::ground::{Budget, Diagnostic, Sources, Span, Trouble, code};
use redexter::syntax;
use redexter::term::Program;

/// The prelude with the texts that were read.
pub struct TestHost {
    pub sources: RefCell<Sources>,
    pub prelude: Rc<Model>,
    pub budget: Budget,
}

impl TestHost {
    pub fn new() -> TestHost {
        let (sources, budget) = (RefCell::new(Sources::default()), Budget::default());
        let prelude = check::prelude(&sources);
        TestHost { sources, prelude, budget }
    }

    /// Loads a file as `read` gives it.
    pub fn load(&self, path: &Path, read: check::ReadFile) -> Result<Rc<Model>, String> {
        Loader::new(&self.sources, read, &self.budget, self.prelude.clone()).load(path).map_err(said)
    }

    /// Loads a file from disk; `change` is done to every text first.
    pub fn file(&self, path: &Path, change: fn(String) -> String) -> Result<Rc<Model>, String> {
        let missing = |e| Diagnostic::error(code::UNREADABLE, format!("{}: {e}", path.display()));
        self.load(path, &|p| std::fs::read_to_string(p).map(change).map_err(missing))
    }

    /// Reads a term that sees the prelude.
    pub fn term(&self, text: &str) -> Result<Program, String> {
        let id = self.sources.borrow_mut().add("<term>", text);
        let region = Span::new(id, 0, text.len());
        let raw = syntax::parse_term(&self.sources.borrow(), region, &self.budget).map_err(said)?;
        check::term(&raw, &self.prelude, &self.budget).map_err(said)
    }
}

/// What a trouble says, on one line for each diagnostic.
pub fn said(trouble: Trouble) -> String {
    match trouble {
        Trouble::Wrong(all) => {
            all.iter().map(|d| format!("{} {} {:?}", d.code, d.headline, d.labels)).collect::<Vec<_>>().join("\n")
        }
        Trouble::Stopped { reason, .. } => reason.to_string(),
    }
}
