//! The operating system as a session's machine.
//!
//! The first Ctrl-C asks the work that goes on to stop; a second one, or one while nothing runs, ends the process. A
//! patient process waits for its work a while before, and takes none amiss that comes between two pieces of work.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{Exit, memory, pager};
use crate::session::{FileKind, System};

static WORKING: AtomicBool = AtomicBool::new(false);
static ASKED: AtomicBool = AtomicBool::new(false);
/// When work was first asked to stop, where the process is patient.
static SINCE: Mutex<Option<Instant>> = Mutex::new(None);
static PATIENT: AtomicBool = AtomicBool::new(false);

/// So long a patient process waits for work that was asked to stop.
const PATIENCE: Duration = Duration::from_secs(2);

/// A file of more bytes isn't read.
const MOST_BYTES: u64 = 1 << 28;

/// Since when a line is read, where one is.
static READING: Mutex<Option<Instant>> = Mutex::new(None);

/// While a line is read, Ctrl-C is a character. Around that time it comes as a signal, too late or too early to mean anything;
/// a signal that comes later is sent by another process.
const AROUND: Duration = Duration::from_millis(200);

/// Catches Ctrl-C for the whole process. Call it once.
pub fn catch_interrupts() {
    let caught = ctrlc::set_handler(|| {
        let (working, patient) = (WORKING.load(Ordering::SeqCst), PATIENT.load(Ordering::SeqCst));
        let again = ASKED.swap(true, Ordering::SeqCst);
        let ends = if pager::is_open() {
            false
        } else if working {
            again && !(patient && is_recent())
        } else {
            !patient || is_at_prompt()
        };
        if ends {
            std::process::exit(i32::from(Exit::Interrupted.code()));
        }
    });
    // Without a handler Ctrl-C ends the process, which is no worse than refusing to start.
    drop(caught);
}

/// From now on a second Ctrl-C ends the process only where work that was asked to stop doesn't.
pub fn be_patient() {
    PATIENT.store(true, Ordering::SeqCst);
}

/// A line begins to be read, or has been.
pub fn reading(begins: bool) {
    if let Ok(mut since) = READING.lock() {
        *since = begins.then(Instant::now);
    }
}

/// Whether a line has been read for a while.
fn is_at_prompt() -> bool {
    READING.lock().is_ok_and(|since| since.is_some_and(|since| since.elapsed() > AROUND))
}

/// Whether work was first asked to stop a short while ago.
fn is_recent() -> bool {
    let Ok(mut since) = SINCE.lock() else { return false };
    since.get_or_insert_with(Instant::now).elapsed() < PATIENCE
}

/// The operating system.
#[derive(Clone, Copy)]
pub struct Os {
    started: Instant,
    /// Whether others work at the same time, and who started all of them says when work begins and is over.
    shared: bool,
}

impl Os {
    /// With a clock that starts now.
    pub fn start() -> Os {
        Os { started: Instant::now(), shared: false }
    }

    /// For one of several pieces of work under the same clock: an interrupt is for all of them.
    pub fn shared(self) -> Os {
        Os { shared: true, ..self }
    }
}

impl System for Os {
    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        path.canonicalize()
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        match fs::metadata(path) {
            Ok(m) if m.is_dir() => Some(FileKind::Folder),
            Ok(m) if m.is_file() => Some(FileKind::File),
            Ok(_) => Some(FileKind::Stream),
            Err(_) => path.symlink_metadata().ok().map(|_| FileKind::BrokenLink),
        }
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let size = fs::metadata(path)?.len();
        match size > MOST_BYTES {
            true => Err(io::Error::other(format!("has {} MB, and at most {} are read", size >> 20, MOST_BYTES >> 20))),
            false => fs::read(path),
        }
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        Ok(fs::read_dir(folder)?.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect())
    }

    fn write(&self, path: &Path, text: &str) -> io::Result<()> {
        match self.kind(path) {
            Some(FileKind::Stream) => OpenOptions::new().write(true).open(path)?.write_all(text.as_bytes()),
            _ => replace(path, text),
        }
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    fn held(&self) -> Option<u64> {
        Some(memory::held())
    }

    fn memory(&self) -> Option<u64> {
        memory::installed()
    }

    fn working(&self, begins: bool) {
        if self.shared {
            return;
        }
        ASKED.store(false, Ordering::SeqCst);
        if let Ok(mut since) = SINCE.lock() {
            *since = None;
        }
        WORKING.store(begins, Ordering::SeqCst);
    }

    fn interrupted(&self) -> bool {
        ASKED.load(Ordering::SeqCst)
    }
}

/// A new file beside the old one, moved into its place; the old one's permissions stay.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let old = fs::metadata(path).ok().map(|m| m.permissions());
    if let Some(old) = &old {
        if old.readonly() {
            return Err(ErrorKind::PermissionDenied.into());
        }
        OpenOptions::new().write(true).open(path)?;
    }
    let (file, beside) = beside(path)?;
    let done = fill(file, text, old).and_then(|()| fs::rename(&beside, path));
    if done.is_err() {
        // There is nobody to tell that it can't be removed either.
        drop(fs::remove_file(&beside));
    }
    done
}

/// A new file in the same folder.
fn beside(path: &Path) -> io::Result<(File, PathBuf)> {
    let mut tries = 0u32;
    loop {
        let new = path.with_file_name(format!(".redexter-{}-{tries}", std::process::id()));
        match File::create_new(&new) {
            Err(e) if e.kind() == ErrorKind::AlreadyExists => tries += 1,
            made => return made.map(|file| (file, new)),
        }
    }
}

fn fill(mut file: File, text: &str, permissions: Option<fs::Permissions>) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    file.sync_all()
}
