//! A [`CodeCache`] keeps compiled code in a folder that is the user's alone, by what it was compiled from.
//!
//! What lies there is run, so that nobody else may have put it there: the folder is made for its owner alone, and used only
//! while it is theirs and nobody else can write it or what it stands in (ssh asks the same of its keys). Beside a library lies
//! its C with a hash of the library; where either differs, the library is made anew. Each process compiles in a [`WorkFolder`]
//! of its own and moves what it made, so that what is there is whole; what processes left that were killed is swept with the
//! next compilation.

use std::fs::{self, File, Metadata};
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use redexter_loader::LoadedCode;
use redexter_loops::export::c::{ENTRY, SHARED};

/// How many bytes of libraries and sources stay; the oldest go beyond.
const MAX_BYTES: u64 = 256 << 20;

/// How long a work folder may be without a lock while it is made.
const MAX_UNLOCKED: Duration = Duration::from_secs(60);

/// The beginning of the names of work folders.
const WORK: &str = "work-";

/// The file in a work folder that its process locks.
const LOCK: &str = "lock";

/// Where code is kept.
#[derive(Clone, Debug)]
pub struct CodeCache(Option<PathBuf>);

impl CodeCache {
    /// Below `$XDG_CACHE_HOME`, else `~/.cache`; nowhere without a home.
    pub fn of_user() -> CodeCache {
        let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let folder = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
        CodeCache(folder.map(|folder| folder.join("redexter").join("native")))
    }

    /// In this folder, which is made where it is missing.
    pub fn at(folder: &Path) -> CodeCache {
        CodeCache(Some(folder.to_owned()))
    }

    /// The folder, if there is one; why it isn't used, with a remedy, if it can't be trusted.
    pub(super) fn open(&self) -> Result<Option<PathBuf>, String> {
        let Some(folder) = &self.0 else { return Ok(None) };
        let refused = |why: &str, remedy: &str| {
            let named = folder.display();
            Err(format!("compiled code isn't kept: the folder {named} {why}; {remedy}"))
        };
        let Ok(real) = made(folder).and_then(|()| fs::canonicalize(folder)) else {
            return refused("can't be made", "name another one by XDG_CACHE_HOME");
        };
        match open_to(&real) {
            Ok(None) => Ok(Some(real)),
            Ok(Some(at)) if at == real => refused(
                "isn't yours alone",
                "remove it, so that it is made anew, or name another one by XDG_CACHE_HOME",
            ),
            Ok(Some(at)) => {
                let why = format!("stands in {}, which others may write", at.display());
                refused(&why, "name another one by XDG_CACHE_HOME")
            }
            Err(_) => refused("can't be written", "name another one by XDG_CACHE_HOME"),
        }
    }
}

/// Makes a folder for its owner alone, and those that it stands in.
fn made(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// The innermost folder of those that a path goes through that somebody other than root and this user may change; an error where
/// nothing can be written.
#[cfg(unix)]
fn open_to(folder: &Path) -> io::Result<Option<PathBuf>> {
    use std::os::unix::fs::MetadataExt;

    /// Whoever may write may remove and rename what isn't theirs, but where this bit is set.
    const STICKY: u32 = 0o1000;
    /// The group and all others may write.
    const OTHERS_WRITE: u32 = 0o022;

    // A file that was just made has the user's number, which the standard library doesn't tell otherwise.
    let own = fs::metadata(WorkFolder::new(folder)?.path())?.uid();
    for at in folder.ancestors() {
        let found = fs::metadata(at)?;
        let (is_own, is_sticky) = (found.uid() == own, at != folder && found.mode() & STICKY != 0);
        if !(is_own || found.uid() == 0 && at != folder) || found.mode() & OTHERS_WRITE != 0 && !is_sticky {
            return Ok(Some(at.to_owned()));
        }
    }
    Ok(None)
}

#[cfg(not(unix))]
fn open_to(_: &Path) -> io::Result<Option<PathBuf>> {
    Ok(None)
}

/// A folder with a random name for one compilation. It goes with its owner, or with the next sweep where that was killed.
pub(super) struct WorkFolder {
    path: PathBuf,
    /// Locked as long as the process lives, whatever number it has: processes of two containers may have the same.
    _lock: File,
}

impl WorkFolder {
    pub(super) fn new(within: &Path) -> io::Result<WorkFolder> {
        let path = within.join(format!("{WORK}{:016x}", RandomState::new().hash_one(())));
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&path)?;
        let lock = File::create_new(path.join(LOCK)).and_then(|lock| lock.lock().map(|()| lock));
        match lock {
            Ok(lock) => Ok(WorkFolder { path, _lock: lock }),
            Err(wrong) => {
                let _ = fs::remove_dir_all(&path);
                Err(wrong)
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Whether a file is its folder's owner's: what somebody else put there, while others could write there, stays when they can't.
#[cfg(unix)]
fn have_one_owner(file: &Metadata, folder: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.uid() == folder.uid()
}

#[cfg(not(unix))]
fn have_one_owner(_: &Metadata, _: &Metadata) -> bool {
    true
}

/// The code that a folder has for a key, if it was made of this source and is whole.
pub(super) fn kept(folder: &Path, key: &str, source: &str) -> Option<LoadedCode> {
    let (text, library) = files(folder, key);
    let all = fs::metadata(folder).ok()?;
    let is_own = |path: &Path| fs::symlink_metadata(path).is_ok_and(|one| one.is_file() && have_one_owner(&one, &all));
    if !is_own(&text) || !is_own(&library) || fs::read_to_string(&text).ok()? != seal(source, &library)? {
        return None;
    }
    let code = LoadedCode::load(&library, ENTRY, SHARED).ok()?;
    // The oldest go first where there is too much: by use, not by making.
    for file in [&text, &library] {
        let _ = File::options().append(true).open(file).and_then(|file| file.set_modified(SystemTime::now()));
    }
    Some(code)
}

/// Puts a copy of a library and its source where they will be looked for: the library itself is loaded, and whoever cuts what
/// lies in the folder doesn't cut that. A cache that can't be written is none.
pub(super) fn keep(folder: &Path, key: &str, source: &str, (work, made): (&WorkFolder, &Path)) {
    let (text, library) = files(folder, key);
    let [sealed, copy] = ["sealed", "copy"].map(|name| work.path().join(name));
    let written = fs::copy(made, &copy).and_then(|_| fs::write(&sealed, seal(source, &copy).unwrap_or_default()));
    // The source comes last: until it is there both don't fit each other, and are made anew.
    let _ = written.and_then(|()| fs::rename(&copy, library)).and_then(|()| fs::rename(&sealed, text));
}

/// Keeps the C on which a compiler failed, which is named to the user.
pub(super) fn keep_failed(folder: &Path, key: &str, source: &str, work: &WorkFolder) -> PathBuf {
    let (failed, written) = (folder.join(format!("{key}.failed.c")), work.path().join("failed"));
    let _ = fs::write(&written, source).and_then(|()| fs::rename(&written, &failed));
    failed
}

/// The source and the library of a key.
fn files(folder: &Path, key: &str) -> (PathBuf, PathBuf) {
    (folder.join(format!("{key}.c")), folder.join(format!("{key}.so")))
}

/// The source with a hash of the library, where that can be read.
fn seal(source: &str, library: &Path) -> Option<String> {
    Some(format!("{source}/* {:016x} */\n", hash(&fs::read(library).ok()?)))
}

pub(super) fn hash(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// Removes the work folders of processes that ended without doing so, and the oldest files beyond [`MAX_BYTES`].
pub(super) fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut files = Vec::new();
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let Ok(found) = fs::symlink_metadata(&path) else { continue };
        if found.is_dir() && name.to_string_lossy().starts_with(WORK) {
            remove_abandoned(&path);
        } else if found.is_file() && is_named_by_key(&name.to_string_lossy()) {
            files.push((found.modified().unwrap_or(SystemTime::UNIX_EPOCH), path, found.len()));
        }
    }
    // The newest first; a name decides between files of one moment.
    files.sort_by(|a, b| b.cmp(a));
    let mut bytes = 0;
    for (_, path, length) in files {
        bytes += length;
        if bytes > MAX_BYTES {
            let _ = fs::remove_file(path);
        }
    }
}

/// Only what this module names goes: the folder may hold what it knows nothing of.
fn is_named_by_key(name: &str) -> bool {
    // Files with the number of a process behind the key are those of earlier versions.
    name.split_once('.').is_some_and(|(key, _)| key.len() == 16 && key.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// A work folder whose lock nobody holds is nobody's, unless it was made just now and isn't locked yet.
fn remove_abandoned(work: &Path) {
    let lock = work.join(LOCK);
    // To open a pipe would wait for whoever writes to it.
    let is_file = fs::symlink_metadata(&lock).is_ok_and(|found| found.is_file());
    let is_held = is_file && File::open(lock).is_ok_and(|lock| lock.try_lock().is_err());
    let made = fs::metadata(work).and_then(|found| found.modified());
    let is_old = made.is_ok_and(|made| made.elapsed().is_ok_and(|age| age > MAX_UNLOCKED));
    if is_old && !is_held {
        let _ = fs::remove_dir_all(work);
    }
}
