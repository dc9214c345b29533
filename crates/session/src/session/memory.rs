//! [`MemorySystem`] is a machine without an operating system: files in a map, a clock that is given, and no interrupts.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use super::system::{FileKind, System};

const CURRENT_FOLDER: &str = "/session";

/// No file has a longer path, in bytes, as on Linux: who asks about all folders above a place is done soon.
const MAX_PATH: usize = 4_096;

/// Files in a map. A folder is there as long as a file is in it; the current one always is.
pub struct MemorySystem {
    files: RefCell<BTreeMap<PathBuf, Vec<u8>>>,
    clock: fn() -> Duration,
}

impl MemorySystem {
    /// No files yet. `clock` tells the time since some moment, always the same one.
    pub fn new(clock: fn() -> Duration) -> MemorySystem {
        MemorySystem { files: RefCell::default(), clock }
    }

    /// Makes a file, and the folders that it is in.
    pub fn put(&self, path: &Path, bytes: &[u8]) {
        self.files.borrow_mut().insert(from_root(path), bytes.to_vec());
    }

    /// What a file holds.
    pub fn get(&self, path: &Path) -> Option<Vec<u8>> {
        self.files.borrow().get(&from_root(path)).cloned()
    }
}

impl Default for MemorySystem {
    /// No files, and a clock that stands still.
    fn default() -> MemorySystem {
        MemorySystem::new(|| Duration::ZERO)
    }
}

impl System for MemorySystem {
    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        self.kind(path).map(|_| from_root(path)).ok_or_else(|| ErrorKind::NotFound.into())
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        if path.as_os_str().len() > MAX_PATH {
            return None;
        }
        let (path, files) = (from_root(path), self.files.borrow());
        if files.contains_key(&path) {
            return Some(FileKind::File);
        }
        let is_folder =
            Path::new(CURRENT_FOLDER).starts_with(&path) || files.keys().any(|file| file.starts_with(&path));
        is_folder.then_some(FileKind::Folder)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.get(path).ok_or_else(|| ErrorKind::NotFound.into())
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        let folder = self.resolve(folder)?;
        let files = self.files.borrow();
        let inside = files.keys().filter_map(|file| file.strip_prefix(&folder).ok()?.components().next());
        let names: BTreeSet<String> = inside.map(|name| name.as_os_str().to_string_lossy().into_owned()).collect();
        Ok(names.into_iter().collect())
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.put(path, bytes);
        Ok(())
    }

    fn now(&self) -> Duration {
        (self.clock)()
    }

    fn working(&self, _: bool) {}

    fn interrupted(&self) -> bool {
        false
    }
}

/// A path from the root, without `.` and `..`.
fn from_root(path: &Path) -> PathBuf {
    let mut done = PathBuf::from(CURRENT_FOLDER);
    for part in path.components() {
        match part {
            Component::RootDir => done = PathBuf::from("/"),
            Component::Normal(name) => done.push(name),
            Component::ParentDir => drop(done.pop()),
            Component::CurDir | Component::Prefix(_) => {}
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::path::Path;
    use std::rc::Rc;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    use super::{FileKind, MemorySystem, System};
    use crate::session::{self, Response, Session, Settings, SilentSink, Sink};
    use redexter_language::ground::{Diagnostic, Sources, StopReason, Trouble, code};

    #[test]
    fn paths_lead_from_the_current_folder_and_from_the_root() {
        let memory = MemorySystem::default();
        memory.put(Path::new("models/sum.arr"), b"sum");
        memory.put(Path::new("/etc/hosts"), b"");
        let kind = |path: &str| memory.kind(Path::new(path));
        assert_eq!(kind("./models/../models/sum.arr"), Some(FileKind::File));
        assert_eq!(kind("../../../etc/hosts"), Some(FileKind::File));
        assert_eq!([kind("models"), kind("."), kind("/"), kind("/etc")], [Some(FileKind::Folder); 4]);
        assert_eq!([kind("models/sum"), kind("none")], [None; 2]);
        assert_eq!(memory.read(Path::new("models/sum.arr")).ok().as_deref(), Some(&b"sum"[..]));
        assert_eq!(memory.names(Path::new(".")).ok(), Some(vec!["models".to_owned()]));
        assert!(memory.resolve(Path::new("none")).is_err() && memory.names(Path::new("none")).is_err());
    }

    fn session(memory: &Rc<MemorySystem>, timeout: Option<Duration>) -> Session {
        session_that_prints(memory, timeout, Box::new(SilentSink))
    }

    fn session_that_prints(memory: &Rc<MemorySystem>, timeout: Option<Duration>, sink: Box<dyn Sink>) -> Session {
        let settings = Settings { timeout, sink, ..Settings::quiet(memory.clone()) };
        Session::new(settings, Rc::new(RefCell::new(Sources::default()))).expect("a session")
    }

    #[test]
    fn scripts_stay_in_the_current_folder() {
        let memory = Rc::new(MemorySystem::default());
        memory.put(Path::new("own.arr"), b"def f (x : real) := x\n");
        memory.put(Path::new("/etc/own.arr"), b"def f (x : real) := x\n");
        let mut session = session(&memory, None);
        let mut code = |line: &str| match session::submit(&mut session, line) {
            Err(Trouble::Wrong(found)) => Some(found[0].code),
            _ => None,
        };
        assert_eq!(code("load(\"own.arr\").f.write_futhark(\"f.fut\")"), None);
        assert!(memory.get(Path::new("f.fut")).is_some_and(|text| text.starts_with(b"-- ")));
        assert_eq!(code("load(\"own.arr\").f.write_futhark(\"../f.fut\")"), Some(code::FORBIDDEN_PATH));
        assert_eq!(code("load(\"own.arr\").f.write_futhark(\"none/f.fut\")"), Some(code::UNWRITABLE));
        assert_eq!(code("load(\"/etc/own.arr\")"), Some(code::FORBIDDEN_PATH));
        assert_eq!(code("load(\"on.arr\")"), Some(code::UNREADABLE));
        assert_eq!(code(":load /etc/own.arr"), None);
    }

    #[test]
    fn the_clock_that_is_given_ends_work() {
        static SECONDS: AtomicU64 = AtomicU64::new(0);
        let memory = Rc::new(MemorySystem::new(|| Duration::from_secs(SECONDS.fetch_add(1, Ordering::Relaxed))));
        let timeout = Duration::from_secs(5);
        let ended = session::submit(&mut session(&memory, Some(timeout)), "loop { }");
        assert!(matches!(ended, Err(Trouble::Stopped { reason: StopReason::Time(t), .. }) if t == timeout));
        // The last time is that of the end.
        assert_eq!(SECONDS.load(Ordering::Relaxed), 7);
        assert!(
            matches!(session::submit(&mut session(&memory, None), "1 + 2"), Ok(Response::Value(text)) if text == "3")
        );
    }

    /// Where a script prints this, the session has a bug.
    struct Faulty;

    impl Sink for Faulty {
        fn line(&self, text: &str) {
            assert_ne!(text, "fault", "made for the test");
        }
        fn finding(&self, _: &Diagnostic) {}
    }

    #[test]
    fn a_panic_is_told_and_the_session_goes_on_as_it_was() {
        let memory = Rc::new(MemorySystem::default());
        memory.put(Path::new("own.arr"), b"def f (x : real) := x + x * 1\n");
        memory.put(Path::new("own.strat"), b"let b = 7; rule mine = `x * 1 --> x`;\nprint(\"fault\");\n");
        let mut session = session_that_prints(&memory, None, Box::new(Faulty));
        for line in [":load own.arr", "f", "topDown(mulOne)", "let a = 1", ":set max-steps 900"] {
            assert!(session::submit(&mut session, line).is_ok(), "{line}");
        }
        assert!(session::submit(&mut session, "fn told(x) { print(\"fault\"); true }").is_ok());
        assert!(session::submit(&mut session, "rule tell = `a + b --> b + a` where told(a) unchecked").is_ok());
        let before = session::saved(&session).unwrap();
        let Ok(Response::Limits(allowance)) = session::submit(&mut session, ":set") else {
            panic!("`:set` says the limits")
        };
        for line in [
            "a = 2; print(\"fault\")",
            "{ load(\"own.arr\"); let c = 5; print(\"fault\"); }",
            "topDown(tell)",
            ":load own.strat",
            "strategy s = normalize(mulOne); print(\"fault\")",
        ] {
            let Err(Trouble::Wrong(found)) = session::submit(&mut session, line) else { panic!("{line} has no fault") };
            assert_eq!(found[0].code, code::INTERNAL, "{line}: {found:?}");
            assert!(found[0].headline.contains("bug in redexter") && found[0].headline.contains("made for the test"));
            assert!(found[0].help.iter().any(|help| help.contains(line) && help.contains("report")), "{found:?}");
        }
        let limited: Result<(), _> = session.doing("limits", |session| {
            for line in [":set max-steps 5", ":set max-memory 900", ":set timeout 7"] {
                assert!(session::submit(session, line).is_ok(), "{line}");
            }
            panic!("made for the test")
        });
        assert!(limited.is_err());
        assert!(matches!(session::submit(&mut session, ":set"), Ok(Response::Limits(now)) if now == allowance));
        assert_eq!(session::saved(&session).unwrap(), before);
        for line in ["b", "c", "s", "mine", "topDown(mine)"] {
            assert!(session::submit(&mut session, line).is_err(), "{line} was taken back");
        }
        assert!(matches!(session::submit(&mut session, "a"), Ok(Response::Value(text)) if text == "1"));
        assert!(session::submit(&mut session, ":undo").is_ok());
    }
}
