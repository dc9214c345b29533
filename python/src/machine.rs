//! Implements a session's [`System`] over the operating system, with texts that Python gave in the place of files, and with an
//! interrupt for each piece of work.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use redexter::session::{FileKind, System};
use redexter::terminal::Os;

/// A file by where it is, with what it held.
pub type ReadBytes = (PathBuf, Vec<u8>);

/// The operating system for the session of one thread.
pub struct Machine {
    below: Os,
    /// Texts that Python gave, by the names that stand for their files.
    texts: RefCell<BTreeMap<PathBuf, Vec<u8>>>,
    /// The files that were read since this was asked for, by where they are.
    read: RefCell<Option<Vec<ReadBytes>>>,
    /// Whether the work that goes on was interrupted.
    interrupt: RefCell<Arc<AtomicBool>>,
    /// The bytes that this thread held when that work began: what calls gave before belongs to Python, and is given back on
    /// Python's threads, so that what a thread asked for in all says nothing.
    before: Cell<isize>,
}

impl Machine {
    /// For this thread.
    pub fn start() -> Rc<Machine> {
        Rc::new(Machine {
            below: Os::start(),
            texts: RefCell::default(),
            read: RefCell::default(),
            interrupt: RefCell::default(),
            before: Cell::default(),
        })
    }

    /// Work begins that this flag interrupts.
    pub fn begin(&self, interrupt: Arc<AtomicBool>) {
        *self.interrupt.borrow_mut() = interrupt;
        self.before.set(redexter_allocator::bytes());
    }

    /// Keeps a text, and gives the name under which it is read like a file. The same text has the same name.
    pub fn put(&self, text: &str) -> PathBuf {
        let mut texts = self.texts.borrow_mut();
        let known = texts.iter().find(|(_, held)| held.as_slice() == text.as_bytes());
        if let Some((path, _)) = known {
            return path.clone();
        }
        let path = PathBuf::from(format!("<text {}>.arr", texts.len() + 1));
        texts.insert(path.clone(), text.as_bytes().to_owned());
        path
    }

    /// Keeps what is read of files from now on.
    pub fn record(&self) {
        *self.read.borrow_mut() = Some(Vec::new());
    }

    /// What was read of files since then.
    pub fn recorded(&self) -> Vec<ReadBytes> {
        self.read.take().unwrap_or_default()
    }

    fn given(&self, path: &Path) -> Option<Vec<u8>> {
        let name = path.file_name()?;
        self.texts.borrow().get(Path::new(name)).cloned()
    }
}

impl System for Machine {
    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        if self.given(path).is_some() { std::path::absolute(path) } else { self.below.resolve(path) }
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        self.given(path).map(|_| FileKind::File).or_else(|| self.below.kind(path))
    }

    fn link(&self, path: &Path) -> Option<PathBuf> {
        self.below.link(path)
    }

    fn begins(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        self.below.begins(path, most)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if let Some(given) = self.given(path) {
            return Ok(given);
        }
        let bytes = self.below.read(path)?;
        if let (Some(all), Ok(place)) = (self.read.borrow_mut().as_mut(), std::path::absolute(path)) {
            all.push((place, bytes.clone()));
        }
        Ok(bytes)
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.below.names(folder)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.below.write(path, bytes)
    }

    fn now(&self) -> Duration {
        self.below.now()
    }

    /// What the work that goes on holds, beside what was held before it.
    fn held(&self) -> Option<u64> {
        u64::try_from(redexter_allocator::bytes() - self.before.get()).ok()
    }

    fn memory(&self) -> Option<u64> {
        self.below.memory()
    }

    /// Python has signals of its own: who waits for work asks for them, and sets the flag.
    fn working(&self, _: bool) {}

    fn interrupted(&self) -> bool {
        self.interrupt.borrow().load(Ordering::Relaxed)
    }
}
