//! Saves a session while one works, so that one that ended irregularly can be taken up again.
//!
//! Each process has a file of its own and holds a lock beside it: a file whose lock is free was left behind.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use redexter_session::session::{self, Session, SessionStamp};

/// The file of a session that goes on.
pub struct Autosave {
    file: PathBuf,
    /// Held from the first time that something is saved as long as the process lives.
    lock: Option<File>,
    /// The state of the session that is on the disk.
    written: Option<SessionStamp>,
}

/// A session that ended irregularly.
pub struct LeftoverSession {
    /// Its name.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
    /// The folder in which it ran.
    pub folder: PathBuf,
    /// The script that was saved.
    pub text: String,
}

/// The beginning of the line that names the folder of a session.
const FOLDER_PREFIX: &str = "// It ran in ";

impl Autosave {
    /// A new file. None where the state folder can't be written: that is no reason to complain.
    pub fn begin(state: &Path) -> Option<Autosave> {
        let folder = state.join("sessions");
        fs::create_dir_all(&folder).ok()?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |passed| passed.as_secs());
        let file = folder.join(format!("{now}-{}.strat", std::process::id()));
        Some(Autosave { file, lock: None, written: None })
    }

    /// Saves the session, whole or not at all, if it changed. True if all of it is on the disk.
    pub fn keep(&mut self, session: &Session) -> bool {
        let edits = session.edits();
        if self.written.as_ref() == Some(&edits) {
            return true;
        }
        let Some(text) = session::saved(session) else { return false };
        if text.is_empty() {
            return true;
        }
        let folder = std::env::current_dir().unwrap_or_default();
        let (title, rest) = text.split_once('\n').unwrap_or((&text, ""));
        // A folder's name may hold a line break.
        let folder = serde_json::Value::from(folder.to_string_lossy());
        let whole = format!("{title}\n{FOLDER_PREFIX}{folder}\n{rest}");
        let is_kept = self.is_locked() && session.system().write(&self.file, whole.as_bytes()).is_ok();
        if is_kept {
            self.written = Some(edits);
        }
        is_kept
    }

    fn is_locked(&mut self) -> bool {
        if self.lock.is_none() {
            self.lock = File::create(lock_of(&self.file)).ok().filter(|lock| lock.try_lock().is_ok());
        }
        self.lock.is_some()
    }

    /// Removes the file, since the session ends as it should.
    pub fn end(self) {
        remove(&self.file);
    }
}

impl LeftoverSession {
    /// The sessions that were left behind, the newest first.
    pub fn all(state: &Path) -> Vec<LeftoverSession> {
        let entries = fs::read_dir(state.join("sessions")).into_iter().flatten().flatten();
        let mut all: Vec<LeftoverSession> = entries.filter_map(|entry| LeftoverSession::of(entry.path())).collect();
        all.sort_by_cached_key(|left| std::cmp::Reverse((left.seconds(), left.name.clone())));
        all
    }

    fn of(file: PathBuf) -> Option<LeftoverSession> {
        if file.extension().is_none_or(|e| e != "strat")
            || File::open(lock_of(&file)).is_ok_and(|l| l.try_lock().is_err())
        {
            return None;
        }
        let text = super::text(&file)?;
        let folder: String =
            serde_json::from_str(text.lines().find_map(|line| line.strip_prefix(FOLDER_PREFIX))?).ok()?;
        let folder = PathBuf::from(folder);
        let name = file.file_stem()?.to_string_lossy().into_owned();
        Some(LeftoverSession { name, file, folder, text })
    }

    fn seconds(&self) -> u64 {
        self.name.split('-').next().and_then(|seconds| seconds.parse().ok()).unwrap_or(0)
    }

    /// Removes its file, since it was taken up again.
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
