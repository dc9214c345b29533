//! The machine on which inputs run: files in memory, and time that is the number of times that it was asked for.

use std::cell::{Cell, RefCell};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use redexter::check::{self, Model};
use redexter::ground::{Budget, Diagnostic, Limits, Nesting, Sources, Span, StopReason, Trouble, code};
use redexter::render;
use redexter::rule::{Checker, RuleBook};
use redexter::session::{FileKind, MemorySystem, Session, Settings, Sink, System};
use redexter::syntax::raw::RawRule;

use super::{End, Finding};

/// Small enough that nobody waits.
pub const LIMITS: Limits = Limits { max_steps: 5_000, max_size: 100_000, max_depth: 100_000 };

/// How often a piece of work may ask for the time.
const TIMEOUT: Duration = Duration::from_millis(1_000);

/// Bytes that may be held.
const MEMORY: u64 = 1 << 30;

#[derive(Default)]
struct Machine {
    files: MemorySystem,
    asked: Cell<u64>,
}

impl System for Machine {
    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        self.files.resolve(path)
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        self.files.kind(path)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.files.read(path)
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.files.names(folder)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.files.write(path, bytes)
    }

    fn now(&self) -> Duration {
        self.asked.set(self.asked.get() + 1);
        Duration::from_millis(self.asked.get())
    }

    fn held(&self) -> Option<u64> {
        held()
    }

    fn working(&self, _: bool) {}

    fn interrupted(&self) -> bool {
        false
    }
}

fn held() -> Option<u64> {
    u64::try_from(redexter_allocator::bytes()).ok().filter(|bytes| *bytes > 0)
}

struct Nobody;

impl Sink for Nobody {
    fn line(&self, _: &str) {}
    fn finding(&self, _: &Diagnostic) {}
}

/// A session whose folder has these files, besides those that ship.
pub fn session(files: &[(&str, &[u8])]) -> Session {
    let machine = Machine::default();
    for (path, bytes) in files {
        machine.files.put(Path::new(path), bytes);
    }
    let settings = Settings {
        limits: LIMITS,
        nesting: Nesting::default(),
        system: Rc::new(machine),
        allowed: Vec::new(),
        writing: true,
        bare: false,
        timeout: Some(TIMEOUT),
        memory: Some(MEMORY),
        sink: Box::new(Nobody),
    };
    Session::new(settings, Rc::default()).expect("a session")
}

/// The limits of a session without one.
pub fn budget() -> Budget {
    let asked = Cell::new(0);
    let watch = move |_: &Budget| {
        asked.set(asked.get() + 1);
        match held().is_some_and(|held| held > MEMORY) {
            true => Some(StopReason::Memory(MEMORY)),
            false => (asked.get() > TIMEOUT.as_millis()).then_some(StopReason::Time(TIMEOUT)),
        }
    };
    Budget::new(LIMITS, Some(Rc::new(watch)))
}

/// What ships, read once for each thread.
pub struct Library {
    pub sources: Rc<RefCell<Sources>>,
    pub prelude: Rc<Model>,
    pub book: RuleBook,
}

impl Library {
    fn new() -> Library {
        let sources = Rc::new(RefCell::new(Sources::default()));
        let prelude = check::prelude(&sources);
        let (texts, within) = (sources.clone(), prelude.clone());
        let checker: Checker = Rc::new(move |raw: &RawRule, reverse| {
            check::laws(raw, reverse, &within, &texts.borrow(), &Budget::default())
        });
        let book = RuleBook::shipped(&mut sources.borrow_mut(), &checker);
        Library { sources, prelude, book }
    }

    /// Its texts, to which an input's can be added.
    pub fn texts(&self) -> RefCell<Sources> {
        RefCell::new(self.sources.borrow().clone())
    }
}

/// Looks things up in what ships.
pub fn with_library<T>(work: impl FnOnce(&Library) -> T) -> T {
    thread_local! {
        static LIBRARY: Library = Library::new();
    }
    LIBRARY.with(work)
}

/// How an input that is wrong ended. What is said of it is no bug, has places that are there, and with `placed` has one.
pub fn told(trouble: &Trouble, sources: &Sources, placed: bool) -> Result<End, Finding> {
    let Trouble::Wrong(all) = trouble else { return Ok(End::Stopped) };
    if all.is_empty() {
        return Err(Finding::new("trouble without a finding", ""));
    }
    for found in all {
        if found.code == code::INTERNAL {
            return Err(bug(found));
        }
        if placed && found.place().is_none() {
            return Err(Finding::new(format!("no place for {}", found.code), &found.headline));
        }
        let outside = found.labels.iter().find(|label| !is_there(label.span, sources));
        if let Some(label) = outside {
            let details = format!("{:?}: {}", label.span, found.headline);
            return Err(Finding::new(format!("a place outside the text for {}", found.code), details));
        }
    }
    match render::trouble(trouble, sources).into_text().is_empty() {
        true => Err(Finding::new("trouble that says nothing", format!("{all:?}"))),
        false => Ok(End::Refused),
    }
}

fn is_there(span: Span, sources: &Sources) -> bool {
    sources.get(span.source).text.get(span.start as usize..span.end as usize).is_some()
}

/// A panic that a session contained: its place stands in what is to be reported.
fn bug(found: &Diagnostic) -> Finding {
    let report = found.help.iter().find_map(|help| help.split_once("place "));
    let place = report.map_or("an unknown place", |(_, rest)| rest.split(',').next().unwrap_or(rest));
    Finding::new(format!("panic at {place}"), &found.headline)
}

#[cfg(test)]
mod tests {
    use redexter::ground::bug::contained;
    use redexter::ground::{Diagnostic, Sources, Span, StopReason, Trouble, code};

    use super::{End, told};

    #[test]
    fn what_is_said_has_a_place_in_the_text() {
        let mut sources = Sources::default();
        let id = sources.add("m.arr", "aλ");
        let wrong = || Diagnostic::error(code::SYNTAX, "wrong");
        let kind = |found: Diagnostic| told(&found.into(), &sources, true).map_err(|found| found.kind);
        assert_eq!(kind(wrong().at(Span::new(id, 1, 3), "here")), Ok(End::Refused));
        for (start, end) in [(1, 4), (1, 2), (3, 1)] {
            let outside = Err("a place outside the text for E0101".to_owned());
            assert_eq!(kind(wrong().at(Span::new(id, start, end), "here")), outside, "{start}..{end}");
        }
        assert_eq!(kind(wrong()), Err("no place for E0101".to_owned()));
        assert_eq!(
            told(&Trouble::Wrong(Vec::new()), &sources, false).map_err(|found| found.details),
            Err(String::new())
        );
        assert_eq!(told(&StopReason::Interrupted.into(), &sources, true), Ok(End::Stopped));
    }

    #[test]
    fn a_bug_that_was_contained_is_a_finding() {
        crate::fuzz::keep_panics_quiet();
        let bug = contained(|| panic!("odd")).map(|(): ()| ()).expect_err("a panic");
        let found = told(&bug.told("a line").into(), &Sources::default(), false).expect_err("a finding");
        assert!(found.kind.starts_with("panic at tests") && found.details.ends_with("odd"), "{found:?}");
    }
}
