//! Decides which files may be read and written.
//!
//! A script reads and writes below the current folder and below each allowed folder, nowhere else: paths are followed
//! through links before they are compared. It writes nothing hidden, and replaces only empty files and what redexter wrote.
//! What the user names, on the command line or in a command, can always be used, and models and scripts beside it can be
//! read; what ships can be read everywhere. A write either succeeds or leaves the old file as it was.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::io::{Error, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use super::system::{FileKind, System};
use redexter_language::ground::text::listed;
use redexter_language::ground::{Diagnostic, DiagnosticCode, code, name};
use redexter_language::shipped;
use redexter_telling::handout::HandoutFormat;

/// The beginnings of the files that scripts write: Futhark, charts, graphs and derivations.
const OWN_BEGINNINGS: [&str; 7] = [
    "-- Exported by redexter.",
    "<svg ",
    "digraph ",
    HandoutFormat::Page.beginning(),
    HandoutFormat::Markdown.beginning(),
    HandoutFormat::Latex.beginning(),
    HandoutFormat::Json.beginning(),
];

/// By so many bytes kinds of files are told apart that begin as none of these do: arrays, tables, C.
const BEGINNING: usize = 8;

/// So many bytes of what stands in a file are looked at to tell whether it is older: more than a report of lessons has.
const MAX_COMPARED: u64 = 16 << 20;

/// So many files are named where one isn't found.
const MAX_NAMED_FILES: usize = 4;

/// So many links are followed, one to the other.
const MAX_LINKS: usize = 40;

/// Access to the files of a machine, under the rules above.
pub struct FileAccess {
    pub(super) system: Rc<dyn System>,
    /// Below these scripts read and write: the current folder, unless it is gone, and what is allowed.
    roots: Vec<PathBuf>,
    pub(super) allowed: Vec<PathBuf>,
    pub(super) named: RefCell<Vec<PathBuf>>,
    pub(super) writing: Cell<bool>,
    /// The files that were read, by the paths to which links lead.
    were_read: RefCell<BTreeSet<PathBuf>>,
    /// The user says that files may be written over.
    pub(super) forced: Cell<bool>,
}

impl FileAccess {
    /// The current folder and `allowed`; an error where one of these isn't a folder. Scripts may write if `writing`.
    pub fn new(system: Rc<dyn System>, allowed: &[PathBuf], writing: bool) -> Result<FileAccess, Diagnostic> {
        let mut roots: Vec<PathBuf> = system.resolve(Path::new(".")).into_iter().collect();
        for folder in allowed {
            match system.resolve(folder) {
                Ok(root) if system.kind(&root) == Some(FileKind::Folder) => roots.push(root),
                Ok(_) => return Err(unreadable(folder, "is not a folder")),
                Err(e) => return Err(unreadable(folder, &reason(&e)).help("give a folder that exists after `--allow`")),
            }
        }
        Ok(FileAccess {
            system,
            roots,
            allowed: allowed.to_vec(),
            named: RefCell::default(),
            writing: Cell::new(writing),
            were_read: RefCell::default(),
            forced: Cell::new(false),
        })
    }

    /// Lets a file be read because the user named it.
    pub fn name(&self, path: &Path) {
        let path = self.system.resolve(path).unwrap_or_else(|_| path.to_owned());
        if !self.is_named(&path) {
            self.named.borrow_mut().push(path);
        }
    }

    /// The text of a file, or else of what ships under this path. Of what lies outside not even the absence is told.
    pub fn read(&self, path: &Path) -> Result<String, Diagnostic> {
        String::from_utf8(self.bytes(path)?).map_err(|e| not_utf8(path, &e))
    }

    /// The same as it is, text or not.
    pub fn bytes(&self, path: &Path) -> Result<Vec<u8>, Diagnostic> {
        match self.system.resolve(path) {
            Ok(real) if self.may_read(&real) => match self.system.kind(&real) {
                Some(FileKind::Stream) => Err(no_file(path)),
                _ => self.held(path, &real),
            },
            // A pipe, such as /dev/stdin, can be read but has no place in the file system.
            Err(_) if self.is_named(path) && self.is_there(path) => self.held(path, path),
            Err(e) if self.is_named(path) || self.starts_inside(path) => match shipped::file(path) {
                Some(text) if e.kind() == ErrorKind::NotFound => Ok(text.into()),
                _ => Err(self.missing(path, &e)),
            },
            _ => Err(forbidden(path, "read")),
        }
    }

    /// The path under which a script finds a file: the path itself, unless only beside the script there is one.
    pub fn find(&self, path: &Path, script: &Path) -> PathBuf {
        let beside = folder_of(script).join(path);
        let is_there = |path: &Path| self.system.resolve(path).is_ok_and(|real| self.may_read(&real));
        if !is_there(path) && is_there(&beside) { beside } else { path.to_owned() }
    }

    fn may_read(&self, real: &Path) -> bool {
        self.below_roots(real) || self.is_named(real) || self.is_beside_named(real)
    }

    fn is_there(&self, path: &Path) -> bool {
        self.system.kind(path).is_some_and(|kind| kind != FileKind::BrokenLink)
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.system.kind(path) == Some(FileKind::Folder)
    }

    fn is_named(&self, path: &Path) -> bool {
        self.named.borrow().iter().any(|named| named == path)
    }

    /// Whether it is a model or a script in the folder of a file that the user named, or below it.
    fn is_beside_named(&self, real: &Path) -> bool {
        let ours = real.extension().is_some_and(|e| e == "arr" || e == "strat");
        // What was named and isn't there has no folder: every path begins with the empty one.
        let holds = |named: &PathBuf| named.is_absolute() && named.parent().is_some_and(|f| real.starts_with(f));
        ours && self.named.borrow().iter().any(holds)
    }

    /// Whether the part of a path that exists lies inside, and the rest doesn't lead out again.
    fn starts_inside(&self, path: &Path) -> bool {
        let folder = folder_of(path);
        if let Ok(real) = self.system.resolve(folder) {
            return self.below_roots(&real);
        }
        let nearest = folder.ancestors().find_map(|a| self.system.resolve(or_here(a)).ok());
        let climbs = folder.components().any(|c| c == Component::ParentDir);
        !climbs && nearest.is_some_and(|real| self.below_roots(&real))
    }

    /// Writes a file for a script.
    pub fn write(&self, path: &Path, text: &str) -> Result<(), Diagnostic> {
        if !self.writing.get() {
            return Err(unwritable(path, "a script that is used for its strategies writes nothing")
                .help("run the script itself with `redexter run`"));
        }
        let real = self.place(path)?;
        if !self.below_roots(&real) {
            return Err(forbidden(path, "write"));
        }
        if self.is_hidden(&real) {
            let folder = folder_of(path).display();
            return Err(refused(path, "it is hidden, or in a hidden folder")
                .help(format!("allow that folder: --allow {folder}")));
        }
        if self.system.kind(&real) == Some(FileKind::Stream) {
            return Err(refused(path, "it is no file").help("name another"));
        }
        if !self.is_replaceable(&real) {
            return Err(
                refused(path, "there is a file that redexter didn't write").help("remove that file, or name another")
            );
        }
        self.system.write(&real, text.as_bytes()).map_err(|e| unwritable(path, &reason(&e)))
    }

    /// Whether a name below each root that holds it begins with a dot, as `.git` does.
    fn is_hidden(&self, real: &Path) -> bool {
        let dotted = |part: Component| part.as_os_str().as_encoded_bytes().starts_with(b".");
        let mut below = self.roots.iter().filter_map(|root| real.strip_prefix(root).ok());
        below.all(|rest| rest.components().any(dotted))
    }

    /// Whether nothing is lost with what stands there: nothing, an empty file, or one that a script may have written.
    fn is_replaceable(&self, real: &Path) -> bool {
        if self.system.kind(real) != Some(FileKind::File) {
            return true;
        }
        let most = OWN_BEGINNINGS.iter().map(|begin| begin.len()).max().unwrap_or(0);
        let begins = self.system.begins(real, most as u64);
        // What can't be read is told when it can't be written.
        begins.map_or(true, |bytes| {
            bytes.is_empty() || OWN_BEGINNINGS.iter().any(|begin| bytes.starts_with(begin.as_bytes()))
        })
    }

    fn below_roots(&self, real: &Path) -> bool {
        self.roots.iter().any(|root| real.starts_with(root))
    }

    /// The place to which a write to `path` really goes: links followed, the file itself perhaps new.
    fn place(&self, path: &Path) -> Result<PathBuf, Diagnostic> {
        match self.system.resolve(path) {
            Ok(real) if self.is_folder(&real) => return Err(unwritable(path, "is a folder").help("name a file in it")),
            Ok(real) => return Ok(real),
            Err(e) if e.kind() != ErrorKind::NotFound => return Err(unwritable(path, &reason(&e))),
            Err(_) => {}
        }
        if self.system.kind(path) == Some(FileKind::BrokenLink) {
            return Err(unwritable(path, "is a link that leads nowhere").help("remove the link"));
        }
        let Some(Component::Normal(file)) = path.components().next_back() else {
            return Err(unwritable(path, "is no file's name"));
        };
        let folder = folder_of(path);
        match self.system.resolve(folder) {
            Ok(real) => Ok(real.join(file)),
            Err(_) if self.starts_inside(path) => Err(no_folder(path, folder)),
            // Of what lies outside not even the absence is told.
            Err(_) => Err(forbidden(path, "write")),
        }
    }

    /// Writes a file that the user named: anywhere, but over nothing that was read, nor over what is of another kind, unless the
    /// user insists.
    pub fn write_named(&self, path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
        self.check_place(path, bytes)?;
        self.rewrite_named(path, bytes)
    }

    /// Writes a file that the user named so that it is changed in its place.
    pub fn rewrite_named(&self, path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
        let real = self.real_place(path)?;
        self.system.write(&real, bytes).map_err(|e| unwritable(path, &reason(&e)))
    }

    /// Checks that a file that the user named can be written, and that what stands there was written so, too: `bytes` are
    /// those with which the new one begins.
    pub fn check_place(&self, path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
        let real = self.real_place(path)?;
        if self.forced.get() || self.system.kind(&real) != Some(FileKind::File) {
            return Ok(());
        }
        if self.were_read.borrow().contains(&real) {
            return Err(overwrites(path, "it was just read"));
        }
        let own = OWN_BEGINNINGS.iter().map(|own| own.as_bytes()).find(|own| bytes.starts_with(own));
        let beginning = own.unwrap_or(&bytes[..bytes.len().min(BEGINNING)]);
        // What can't be read is told when it can't be written.
        let old = self.system.begins(&real, beginning.len() as u64).unwrap_or_default();
        match old.is_empty() || old == beginning {
            true => Ok(()),
            false => Err(overwrites(path, "what stands there is of another kind")),
        }
    }

    /// Writes a file that the user named, unless what stands there is something else by this judgement.
    pub fn write_over(&self, path: &Path, bytes: &[u8], is_older: impl Fn(&[u8]) -> bool) -> Result<(), Diagnostic> {
        self.check_place(path, bytes)?;
        let real = self.real_place(path)?;
        if !self.forced.get() && self.system.kind(&real) == Some(FileKind::File) {
            let old = self.system.begins(&real, MAX_COMPARED).map_err(|e| unwritable(path, &reason(&e)))?;
            if !old.is_empty() && !is_older(&old) {
                return Err(overwrites(path, "what stands there tells of other work"));
            }
        }
        self.rewrite_named(path, bytes)
    }

    fn real_place(&self, path: &Path) -> Result<PathBuf, Diagnostic> {
        let real = self.place_for(path)?;
        Ok(self.system.resolve(&real).unwrap_or(real))
    }

    /// Where a file that the user named would stand: in a folder that is there, and is none itself.
    fn place_for(&self, path: &Path) -> Result<PathBuf, Diagnostic> {
        let real = self.linked(path);
        let folder = folder_of(&real);
        if !self.is_folder(folder) {
            return Err(no_folder(path, folder));
        }
        if self.is_folder(&real) {
            return Err(unwritable(path, "is a folder").help("name a file in it"));
        }
        Ok(real)
    }

    /// Where a path leads that may be a link to what isn't there yet.
    fn linked(&self, path: &Path) -> PathBuf {
        let mut real = path.to_owned();
        for _ in 0..MAX_LINKS {
            let Some(to) = self.system.link(&real) else { break };
            real = real.with_file_name(to);
        }
        real
    }

    fn held(&self, path: &Path, real: &Path) -> Result<Vec<u8>, Diagnostic> {
        if self.is_folder(real) {
            return Err(unreadable(path, "is a folder").help("name a file in it"));
        }
        let bytes = self.system.read(real).map_err(|e| self.missing(path, &e))?;
        self.were_read.borrow_mut().insert(real.to_owned());
        Ok(bytes)
    }

    fn missing(&self, path: &Path, error: &Error) -> Diagnostic {
        let diagnostic = unreadable(path, &reason(error));
        if error.kind() != ErrorKind::NotFound {
            return diagnostic;
        }
        let each: Vec<&str> = path.to_str().unwrap_or_default().split_whitespace().collect();
        let is_file =
            |part: &&str| self.system.kind(Path::new(part)).is_some() || shipped::file(Path::new(part)).is_some();
        if each.len() > 1 && each.iter().all(is_file) {
            return diagnostic.help(format!("name one file after the other: {}", listed(each)));
        }
        if shipped::is_folder(path) {
            return unreadable(path, "is a folder").help("name a file in it");
        }
        let folder = folder_of(path);
        let mut names: Vec<String> = shipped::names(folder).map(str::to_owned).collect();
        match self.system.names(folder) {
            Ok(found) => names.extend(found),
            Err(_) if names.is_empty() => return diagnostic.help(format!("there is no folder `{}`", folder.display())),
            Err(_) => {}
        }
        names.sort();
        let wanted = path.file_name().and_then(|n| n.to_str()).unwrap_or("");
        match name::nearest(wanted, names.iter().map(String::as_str)) {
            Some(near) => diagnostic.help(format!("did you mean `{}`?", path.with_file_name(near).display())),
            None => {
                // Inputs of its kind, where there are few.
                let is_alike = |name: &&String| Path::new(name).extension() == path.extension();
                let holds_inputs = path.extension().is_some_and(|e| ["json", "npy", "npz"].iter().any(|of| e == *of));
                let alike: Vec<&String> = names.iter().filter(is_alike).take(MAX_NAMED_FILES + 1).collect();
                match alike.len() {
                    1..=MAX_NAMED_FILES if holds_inputs => {
                        let shown = alike.iter().map(|name| format!("`{}`", path.with_file_name(name).display()));
                        diagnostic.help(format!("of that kind there is {}", listed(shown)))
                    }
                    _ => diagnostic,
                }
            }
        }
    }
}

fn folder_of(path: &Path) -> &Path {
    or_here(path.parent().unwrap_or(Path::new("")))
}

fn or_here(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

fn not_utf8(path: &Path, error: &std::string::FromUtf8Error) -> Diagnostic {
    let at = error.utf8_error().valid_up_to();
    let line = error.as_bytes()[..at].iter().filter(|b| **b == b'\n').count() + 1;
    let headline = format!("`{}` isn't UTF-8: byte {} in line {line}", path.display(), at + 1);
    Diagnostic::error(code::NOT_UTF8, headline).help("save the file as UTF-8")
}

fn reason(error: &Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

fn unreadable(path: &Path, why: &str) -> Diagnostic {
    about(code::UNREADABLE, path, "can't be read", why)
}

/// A pipe that has a name, or a device: it may never end, and reading takes away what it gives.
fn no_file(path: &Path) -> Diagnostic {
    unreadable(path, "is no file").help("name a file")
}

fn unwritable(path: &Path, why: &str) -> Diagnostic {
    about(code::UNWRITABLE, path, "can't be written", why)
}

fn overwrites(path: &Path, why: &str) -> Diagnostic {
    unwritable(path, why).help("name another file, or write `--force` to replace it")
}

fn no_folder(path: &Path, folder: &Path) -> Diagnostic {
    unwritable(path, &format!("there is no folder `{}`", folder.display()))
        .help(format!("create it first: mkdir -p {}", folder.display()))
}

fn about(code: DiagnosticCode, path: &Path, what: &str, why: &str) -> Diagnostic {
    Diagnostic::error(code, format!("`{}` {what}: {why}", path.display()))
}

fn refused(path: &Path, why: &str) -> Diagnostic {
    Diagnostic::error(code::FORBIDDEN_PATH, format!("a script may not write `{}`: {why}", path.display()))
}

fn forbidden(path: &Path, deed: &str) -> Diagnostic {
    let headline = format!("a script may not {deed} `{}`: it lies outside the current folder", path.display());
    let folder = folder_of(path);
    Diagnostic::error(code::FORBIDDEN_PATH, headline)
        .help(format!("start redexter with `--allow {}` if the script may do so", folder.display()))
}
