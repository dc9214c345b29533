//! Where lines are kept between sessions.

use std::env;
use std::path::PathBuf;

/// The file of the REPL's history: in `$XDG_STATE_HOME`, else in `~/.local/state`. None without a home.
pub fn history_file() -> Option<PathBuf> {
    let state = match absolute("XDG_STATE_HOME") {
        Some(state) => state,
        None => absolute("HOME")?.join(".local/state"),
    };
    Some(state.join("redexter/history"))
}

fn absolute(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from).filter(|p| p.is_absolute())
}
