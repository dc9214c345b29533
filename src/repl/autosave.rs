//! A session is saved by itself while one works, so that one that ended irregularly can be taken up again.
//!
//! Each process has a file of its own and holds a lock beside it: a file whose lock is free was left behind.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::session::Session;

/// The file of a session that goes on.
pub struct Autosave {
    file: PathBuf,
    /// Held as long as the process lives.
    _lock: File,
    written: String,
}

/// A session that ended irregularly.
pub struct Left {
    /// Its name.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
    /// The folder in which it ran.
    pub folder: PathBuf,
    /// What was saved.
    pub text: String,
}

/// Behind this stands the folder of a session.
const FOLDER: &str = "// It ran in ";

impl Autosave {
    /// A new file. None where the state folder can't be written: that is no reason to complain.
    pub fn begin(state: &Path) -> Option<Autosave> {
        let folder = state.join("sessions");
        fs::create_dir_all(&folder).ok()?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |passed| passed.as_secs());
        let file = folder.join(format!("{now}-{}.strat", std::process::id()));
        let lock = File::create(lock_of(&file)).ok()?;
        lock.try_lock().ok()?;
        Some(Autosave { file, _lock: lock, written: String::new() })
    }

    /// Saves what there is, whole or not at all, if that changed.
    pub fn keep(&mut self, session: &Session) {
        let text = session.saved();
        if text.is_empty() || text == self.written {
            return;
        }
        let folder = std::env::current_dir().unwrap_or_default();
        let (title, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let whole = format!("{title}\n{FOLDER}{}\n{rest}", folder.display());
        if session.system().write(&self.file, &whole).is_ok() {
            self.written = text;
        }
    }

    /// The session ends as it should.
    pub fn end(self) {
        remove(&self.file);
    }
}

impl Left {
    /// The sessions that were left behind, the newest first.
    pub fn all(state: &Path) -> Vec<Left> {
        let entries = fs::read_dir(state.join("sessions")).into_iter().flatten().flatten();
        let mut all: Vec<Left> = entries.filter_map(|entry| Left::of(entry.path())).collect();
        all.sort_by_cached_key(|left| std::cmp::Reverse((left.seconds(), left.name.clone())));
        all
    }

    fn of(file: PathBuf) -> Option<Left> {
        if file.extension().is_none_or(|e| e != "strat")
            || File::open(lock_of(&file)).is_ok_and(|l| l.try_lock().is_err())
        {
            return None;
        }
        let text = fs::read_to_string(&file).ok()?;
        let folder = PathBuf::from(text.lines().find_map(|line| line.strip_prefix(FOLDER))?);
        let name = file.file_stem()?.to_string_lossy().into_owned();
        Some(Left { name, file, folder, text })
    }

    fn seconds(&self) -> u64 {
        self.name.split('-').next().and_then(|seconds| seconds.parse().ok()).unwrap_or(0)
    }

    /// It was taken up again.
    pub fn remove(&self) {
        remove(&self.file);
    }
}

fn lock_of(file: &Path) -> PathBuf {
    file.with_extension("lock")
}

fn remove(file: &Path) {
    // There is nobody to tell that a file can't be removed.
    drop(fs::remove_file(file));
    drop(fs::remove_file(lock_of(file)));
}
