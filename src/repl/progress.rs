//! Keeps what was done in lessons between sessions, in a file of the user's.

use std::fs;
use std::io;
use std::path::PathBuf;

use super::{own_folder, text};
use crate::terminal::Out;
use redexter_session::session::Session;
use redexter_telling::lesson::ProgressRecord;

/// The file, and what is in it.
pub struct LessonProgress {
    file: PathBuf,
    /// The record as this session wrote it last.
    written: ProgressRecord,
}

impl LessonProgress {
    /// Gives the session the record of what was done before. None where there is no place for it, or where what is there can't be
    /// read: then the file stays as it is.
    pub fn begin(session: &mut Session, out: &Out) -> Option<LessonProgress> {
        let file = file()?;
        let written = match text(&file).map(|text| ProgressRecord::read(&text)) {
            None => ProgressRecord::default(),
            Some(Ok(record)) => record,
            Some(Err(why)) => {
                let name = file.display();
                out.note(format!(
                    "note: {name} isn't what lessons wrote ({why}): `redexter learn --reset` begins anew\n"
                ));
                return None;
            }
        };
        session.set_record(written.clone());
        Some(LessonProgress { file, written })
    }

    /// Writes what was done, whole or not at all, if that changed.
    pub fn keep(&mut self, session: &Session) {
        let record = session.record();
        if *record == self.written {
            return;
        }
        let there = self.file.parent().is_some_and(|folder| fs::create_dir_all(folder).is_ok());
        // Another session may have written since.
        let now = text(&self.file).and_then(|text| ProgressRecord::read(&text).ok());
        let whole = record.over(now.unwrap_or_default(), &self.written);
        if there && session.system().write(&self.file, whole.text().as_bytes()).is_ok() {
            self.written = record.clone();
        }
    }
}

/// Forgets what was done in lessons.
pub fn reset() -> io::Result<()> {
    match file().map_or(Ok(()), fs::remove_file) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// The file's path: in `$XDG_DATA_HOME`, else in `~/.local/share`. None without a home.
fn file() -> Option<PathBuf> {
    Some(own_folder("XDG_DATA_HOME", ".local/share")?.join("lessons.json"))
}
