//! Implements a session's [`System`] by the operating system.
//!
//! The first Ctrl-C asks the work that goes on to stop; a second one, or one while nothing runs, ends the process. A
//! patient process waits for its work a while before, and takes none amiss that comes between two pieces of work. A
//! process that a signal asked to end begins no more work.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::working::{is_working, waiting, working};
use super::{Exit, memory, pager, posix, read, write};
use redexter_language::eval::{Sizes, Value};
use redexter_language::ground::{Budget, Trouble};
use redexter_language::term::Program;
use redexter_running::arrays::GivenArrays;
use redexter_session::session::{FileKind, Silence, System};
use redexter_telling::inputs::InputFile;

/// Names the file to which a debug build adds what it knows of loops that ask for no limits.
const SILENCES_VARIABLE: &str = "REDEXTER_SILENCES";

/// Whether the work that goes on was asked to stop.
static ASKED: AtomicBool = AtomicBool::new(false);
/// When work was first asked to stop, where the process is patient.
static SINCE: Mutex<Option<Instant>> = Mutex::new(None);
/// Whether the process waits a while for work that was asked to stop before a second Ctrl-C ends it.
static PATIENT: AtomicBool = AtomicBool::new(false);

/// The time that a patient process, and one that is to end, waits for work that was asked to stop.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

/// The moment since which a line is read, where one is.
static READING: Mutex<Option<Instant>> = Mutex::new(None);

/// While a line is read, Ctrl-C is a character. Around that time it comes as a signal, too late or too early to mean anything;
/// a signal that comes later is sent by another process.
const PROMPT_MARGIN: Duration = Duration::from_millis(200);

/// Catches Ctrl-C, and what asks the process to end. Call it once, before any other thread begins.
pub fn catch_signals() {
    posix::wait_for_signals();
    let caught = ctrlc::set_handler(|| {
        let (working, patient) = (is_working(), PATIENT.load(Ordering::SeqCst));
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

/// Whether a line is read.
pub(super) fn is_reading() -> bool {
    READING.lock().is_ok_and(|since| since.is_some())
}

/// Asks the work that goes on to stop; whether any does.
pub(super) fn stop() -> bool {
    ASKED.store(true, Ordering::SeqCst);
    is_working() && !pager::is_open()
}

/// Whether a line has been read for a while.
fn is_at_prompt() -> bool {
    READING.lock().is_ok_and(|since| since.is_some_and(|since| since.elapsed() > PROMPT_MARGIN))
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

    /// Whether others work at the same time.
    pub fn is_shared(&self) -> bool {
        self.shared
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

    fn link(&self, path: &Path) -> Option<PathBuf> {
        fs::read_link(path).ok()
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.kind(path) {
            Some(FileKind::Stream) => read::stream(path),
            _ => read::file(path),
        }
    }

    fn begins(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(path)?.take(most).read_to_end(&mut bytes).map(|_| bytes)
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        Ok(fs::read_dir(folder)?.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect())
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        match self.kind(path) {
            Some(FileKind::Stream) => waiting(|| OpenOptions::new().write(true).open(path)?.write_all(bytes)),
            _ => write::whole(path, bytes),
        }
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    fn held(&self) -> Option<u64> {
        memory::held()
    }

    fn memory(&self) -> Option<u64> {
        memory::installed()
    }

    fn stored_inputs(
        &self,
        (program, json): (&Program, &str),
        files: Vec<(InputFile, Vec<u8>)>,
        budget: &Budget,
    ) -> Option<Result<(Vec<Value>, Sizes), Trouble>> {
        let mut arrays = GivenArrays::default();
        let mut add = |(file, bytes): (InputFile, Vec<u8>)| {
            arrays.add_file(program, (file.name.as_deref(), &file.path), bytes, budget)
        };
        Some(files.into_iter().try_for_each(&mut add).and_then(|()| arrays.inputs(program, json, &[], budget)))
    }

    /// Adds a line to the file that the environment names.
    fn silent(&self, silence: &Silence) {
        let file = std::env::var_os(SILENCES_VARIABLE)
            .and_then(|path| OpenOptions::new().append(true).create(true).open(path).ok());
        if let Some(mut file) = file {
            // Who looks for silences sees that there are none.
            drop(writeln!(file, "{silence}"));
        }
    }

    fn working(&self, begins: bool) {
        if self.shared {
            return;
        }
        ASKED.store(false, Ordering::SeqCst);
        if let Ok(mut since) = SINCE.lock() {
            *since = None;
        }
        working(begins);
        // A signal that asked the process to end holds for this work, too.
        if posix::ending().is_some() {
            ASKED.store(true, Ordering::SeqCst);
        }
    }

    fn interrupted(&self) -> bool {
        ASKED.load(Ordering::SeqCst)
    }
}
