//! [`System`] is what a session needs of the machine that it runs on: files, a clock, interrupts. A face provides it.
//!
//! Nothing here decides anything: which files may be used is `files`' affair, when work ends is `watch`'s.

use std::fmt;
use std::io;
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::time::Duration;

use redexter_language::eval::{Sizes, Value};
use redexter_language::ground::{Budget, Trouble};
use redexter_language::term::Program;
use redexter_telling::inputs::InputFile;

/// The kind of what stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// What can be read or written but isn't kept: a pipe, a terminal.
    Stream,
    /// A link that leads nowhere.
    BrokenLink,
}

/// The machine that a session runs on.
pub trait System {
    /// The place to which a path leads: from the root of all files, links followed. An error where nothing is.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf>;

    /// The kind of what stands there, links followed; `None` where nothing does.
    fn kind(&self, path: &Path) -> Option<FileKind>;

    /// The target that a symbolic link names, where this is one.
    fn link(&self, _: &Path) -> Option<PathBuf> {
        None
    }

    /// The first bytes of a file, so many at most.
    fn begins(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = self.read(path)?;
        bytes.truncate(most as usize);
        Ok(bytes)
    }

    /// All that a file holds, or a stream gives.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// The names of what a folder holds, in no order.
    fn names(&self, folder: &Path) -> io::Result<Vec<String>>;

    /// Makes these bytes all that a file holds; the file is new, or `path` is where it really is. Where that fails the
    /// old file stays as it was. What isn't a file gets the bytes as they are.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// The time since some moment, always the same one.
    fn now(&self) -> Duration;

    /// The bytes that this thread holds; `None` where nobody counts.
    fn held(&self) -> Option<u64> {
        None
    }

    /// The bytes of memory that there are; `None` where that isn't known.
    fn memory(&self) -> Option<u64> {
        None
    }

    /// The inputs of a program, and its sizes, of values in JSON and of arrays in these files, of which these are the bytes;
    /// `None` where nobody reads such files.
    fn stored_inputs(
        &self,
        _: (&Program, &str),
        _: Vec<(InputFile, Vec<u8>)>,
        _: &Budget,
    ) -> Option<Result<(Vec<Value>, Sizes), Trouble>> {
        None
    }

    /// Told in debug builds of work that doesn't ask for limits.
    fn silent(&self, _: &Silence) {}

    /// Work begins, or is over: from now on an interrupt is for it, or no longer.
    fn working(&self, begins: bool);

    /// Whether the work that goes on was interrupted.
    fn interrupted(&self) -> bool;
}

/// A stretch of work that asked for no limit for too long: some loop between two places of the program doesn't ask, or not often
/// enough.
#[derive(Clone, Copy, Debug)]
pub struct Silence {
    /// How long it was.
    pub took: Duration,
    /// Where it was asked before; `None` where the work began.
    pub from: Option<&'static Location<'static>>,
    /// Where it was asked again; `None` where the work was over.
    pub to: Option<&'static Location<'static>>,
}

impl fmt::Display for Silence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |at: Option<&Location>, none: &str| at.map_or(none.to_owned(), ToString::to_string);
        let (from, to) = (place(self.from, "the beginning"), place(self.to, "the end"));
        write!(f, "no limit was asked for {:.2} s between {from} and {to}", self.took.as_secs_f64())
    }
}
