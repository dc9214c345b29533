//! Reads the file that a name on the command line stands for: `-` is standard input.

use std::path::{Path, PathBuf};

use crate::terminal;
use redexter_language::ground::{Diagnostic, code};
use redexter_session::session::{self, Session};

/// A text that the user named.
pub struct InputText {
    /// Its name in diagnostics.
    pub name: PathBuf,
    pub text: String,
    /// Whether it came from standard input.
    pub standard: bool,
}

/// Whether standard input is meant.
pub fn is_standard(file: &Path) -> bool {
    file == Path::new("-")
}

impl InputText {
    /// Reads it.
    pub fn read(session: &Session, file: &Path) -> Result<InputText, Diagnostic> {
        let standard = is_standard(file);
        let (name, text) = match standard {
            true => (PathBuf::from("<input>"), standard_input()?),
            false => (file.to_owned(), session.read_named(file)?),
        };
        Ok(InputText { name, text, standard })
    }

    /// Whether it is a script. A file is one by its ending, standard input if it begins no line with `def` and reads as no model.
    pub fn is_script(&self, session: &mut Session) -> bool {
        match self.standard {
            true => {
                !self.text.lines().any(|line| line.starts_with("def "))
                    && session::formatted(session, &self.name.to_string_lossy(), &self.text, false).is_err()
            }
            false => self.name.extension().is_some_and(|e| e == "strat"),
        }
    }
}

fn standard_input() -> Result<String, Diagnostic> {
    terminal::standard_input()
        .map_err(|e| Diagnostic::error(code::UNREADABLE, format!("standard input can't be read: {e}")))
}
