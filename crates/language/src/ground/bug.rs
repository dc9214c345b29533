//! Contains panics, each of which is a bug in redexter: it ends the contained work alone, and is told with what to report.
//!
//! This is the only place where a panic is caught. Its message and its place are known to the panic hook only, which a
//! face installs: it asks [`noted`] whether it is to say anything itself.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};

use super::{Diagnostic, code};

/// A panic, with what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bug {
    /// What it said.
    pub message: String,
    /// The file and the line, where a hook noted them.
    pub place: Option<String>,
}

thread_local! {
    /// How many pieces of contained work there are within each other.
    static WITHIN: Cell<u32> = const { Cell::new(0) };
    static LAST: RefCell<Option<Bug>> = const { RefCell::new(None) };
}

/// Does a piece of work whose panic goes no further. Who calls it answers for what the work left half done.
pub fn contained<T>(work: impl FnOnce() -> T) -> Result<T, Bug> {
    WITHIN.set(WITHIN.get() + 1);
    let done = catch_unwind(AssertUnwindSafe(work));
    WITHIN.set(WITHIN.get() - 1);
    done.map_err(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let message = text.or_else(|| payload.downcast_ref::<String>().cloned());
        LAST.take().unwrap_or_else(|| Bug { message: message.unwrap_or_else(unsaid), place: None })
    })
}

/// For a panic hook: keeps what is known of a panic where work is contained. Whether that is so.
pub fn noted(info: &PanicHookInfo<'_>) -> bool {
    let is_contained = WITHIN.get() > 0;
    if is_contained {
        LAST.set(Some(Bug::of(info)));
    }
    is_contained
}

fn unsaid() -> String {
    "no message".to_owned()
}

impl Bug {
    /// What a panic hook is told.
    pub fn of(info: &PanicHookInfo<'_>) -> Bug {
        Bug {
            message: info.payload_as_str().map_or_else(unsaid, str::to_owned),
            place: info.location().map(|at| format!("{}:{}", at.file(), at.line())),
        }
    }

    /// The bug as a finding, met while doing this.
    pub fn told(&self, doing: &str) -> Diagnostic {
        let place = self.place.as_ref().map_or_else(String::new, |place| format!(", place {place}"));
        let version = env!("CARGO_PKG_VERSION");
        Diagnostic::error(code::INTERNAL, format!("this is a bug in redexter: {}", self.message))
            .help("the session goes on as it was before")
            .help(format!(
                "please report it with your model and script, and with this: version {version}{place}, at `{doing}`"
            ))
    }
}

#[cfg(test)]
mod tests {
    use super::{Bug, contained};

    #[test]
    fn a_panic_goes_no_further() {
        assert_eq!(contained(|| 3), Ok(3));
        let bug = contained(|| panic!("number {}", 4)).map(|(): ()| ());
        assert_eq!(bug, Err(Bug { message: "number 4".to_owned(), place: None }));
        let within = contained(|| contained(|| panic!("inside")).map(|(): ()| ()).is_err());
        assert_eq!(within, Ok(true));
    }
}
