//! Declares [`Host`]: all that a schedule can reach outside its own values.

use std::rc::Rc;
use std::time::Duration;

use redexter_language::ground::{Budget, Diagnostic, Nesting};
use redexter_rewriting::strategy::ProfileClock;

/// The world around a script: the session implements it, and nothing in this module touches files, the clock or the
/// terminal but through it.
pub trait Host {
    /// A line that the script prints.
    fn print(&self, text: &str);

    /// A finding that doesn't stop the script.
    fn warn(&self, finding: &Diagnostic);

    /// A file's text. Paths are relative to the current folder; the host refuses those outside the allowed ones.
    fn read(&self, path: &str) -> Result<String, Diagnostic>;

    /// The path under which a script finds a file that it names: its own folder comes after the current one.
    fn find(&self, path: &str, _script: &str) -> String {
        path.to_owned()
    }

    /// Writes a file whole or not at all; the host may refuse it.
    fn write(&self, path: &str, text: &str) -> Result<(), Diagnostic>;

    /// A fresh budget with the current limits, for one run.
    fn budget(&self) -> Budget;

    /// The bytes that this thread holds; `None` where nobody counts.
    fn held(&self) -> Option<u64> {
        None
    }

    /// What times are taken with; a script never learns them.
    fn clock(&self) -> ProfileClock {
        Rc::new(|| Duration::ZERO)
    }

    /// Whether scripts do without the derived combinators and the general schedule.
    fn bare(&self) -> bool {
        false
    }

    /// How deep a script may nest.
    fn nesting(&self) -> Nesting {
        Nesting::default()
    }
}
