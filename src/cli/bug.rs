//! Reports panics as bugs in redexter itself, but those that are contained: who contains one tells of it.

use std::io::Write;

use redexter_language::ground::bug::{Bug, noted};

/// Makes a panic a bug report on standard error, unless the work is contained: then who contains it tells. The exit code
/// is Rust's own, 101.
pub fn report_panics() {
    std::panic::set_hook(Box::new(|info| {
        if noted(info) {
            return;
        }
        let Bug { message, place } = Bug::of(info);
        let arguments: Vec<String> = std::env::args_os().skip(1).map(|a| format!("{a:?}")).collect();
        let report = format!(
            "this is a bug in redexter: {message}\nPlease report it with your model and script, and with these lines:\n  \
             version:   {}\n  place:     {}\n  arguments: {}\n",
            env!("CARGO_PKG_VERSION"),
            place.unwrap_or_default(),
            arguments.join(" ")
        );
        // Nothing can be done if standard error is gone, too.
        drop(std::io::stderr().write_all(report.as_bytes()));
    }));
}
