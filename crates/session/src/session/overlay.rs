//! An [`OverlaySystem`] is a machine over another one: what is written stays here, and stands before what the other has.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use super::system::Silence;
use super::system::{FileKind, System};

/// Another machine, to which nothing is written.
pub struct OverlaySystem {
    below: Rc<dyn System>,
    /// What was written, by where it really is.
    written: RefCell<BTreeMap<PathBuf, Vec<u8>>>,
}

impl OverlaySystem {
    /// Over `below`, with nothing written yet.
    pub fn over(below: Rc<dyn System>) -> OverlaySystem {
        OverlaySystem { below, written: RefCell::default() }
    }

    /// Where a path leads, or would if its file were there: its folder must be.
    fn place(&self, path: &Path) -> io::Result<PathBuf> {
        self.below.resolve(path).or_else(|missing| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let name = path.file_name().ok_or(missing)?;
            Ok(self.below.resolve(folder)?.join(name))
        })
    }

    fn held(&self, path: &Path) -> Option<Vec<u8>> {
        self.written.borrow().get(&self.place(path).ok()?).cloned()
    }
}

impl System for OverlaySystem {
    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        if self.held(path).is_some() { self.place(path) } else { self.below.resolve(path) }
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        self.held(path).map(|_| FileKind::File).or_else(|| self.below.kind(path))
    }

    fn link(&self, path: &Path) -> Option<PathBuf> {
        self.below.link(path).filter(|_| self.held(path).is_none())
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.held(path).map_or_else(|| self.below.read(path), Ok)
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        let mut names = self.below.names(folder)?;
        let real = self.below.resolve(folder)?;
        let written = self.written.borrow();
        let here = written.keys().filter(|path| path.parent() == Some(&real));
        names.extend(here.filter_map(|path| path.file_name()).map(|name| name.to_string_lossy().into_owned()));
        names.sort();
        names.dedup();
        Ok(names)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.written.borrow_mut().insert(self.place(path)?, bytes.to_owned());
        Ok(())
    }

    fn now(&self) -> Duration {
        self.below.now()
    }

    fn held(&self) -> Option<u64> {
        self.below.held()
    }

    fn memory(&self) -> Option<u64> {
        self.below.memory()
    }

    fn silent(&self, silence: &Silence) {
        self.below.silent(silence);
    }

    fn working(&self, begins: bool) {
        self.below.working(begins);
    }

    fn interrupted(&self) -> bool {
        self.below.interrupted()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::rc::Rc;

    use super::super::MemorySystem;
    use super::{FileKind, OverlaySystem, System};

    #[test]
    fn what_is_written_stands_before_what_lies_below() {
        let below = Rc::new(MemorySystem::default());
        below.put(Path::new("models/a.arr"), b"old");
        let over = OverlaySystem::over(below.clone());
        let read = |path: &str| over.read(Path::new(path)).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        assert_eq!(read("models/a.arr").as_deref(), Some("old"));
        assert!(over.resolve(Path::new("b.arr")).is_err() && over.kind(Path::new("b.arr")).is_none());
        for (path, text) in [("models/a.arr", "new"), ("b.arr", "b"), ("./models/../b.arr", "again")] {
            over.write(Path::new(path), text.as_bytes()).unwrap();
        }
        assert_eq!([read("models/a.arr"), read("b.arr")], [Some("new".to_owned()), Some("again".to_owned())]);
        assert_eq!(over.kind(Path::new("models/../b.arr")), Some(FileKind::File));
        assert_eq!(over.names(Path::new(".")).unwrap(), ["b.arr", "models"]);
        assert!(over.write(Path::new("none/c.arr"), b"").is_err());
        assert_eq!(below.get(Path::new("models/a.arr")).as_deref(), Some(&b"old"[..]));
        assert!(below.get(Path::new("b.arr")).is_none());
    }
}
