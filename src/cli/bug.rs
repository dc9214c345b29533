//! What is said when redexter itself is wrong.

use std::io::Write;

/// Makes a panic a bug report on standard error. The exit code is Rust's own, 101.
pub fn report_panics() {
    std::panic::set_hook(Box::new(|info| {
        let what = info.payload_as_str().unwrap_or("no message");
        let place = info.location().map(|l| format!("{}:{}", l.file(), l.line())).unwrap_or_default();
        let arguments: Vec<String> = std::env::args().skip(1).map(|a| format!("{a:?}")).collect();
        let report = format!(
            "this is a bug in redexter: {what}\nPlease report it with your model and script, and with these lines:\n  \
             version:   {}\n  place:     {place}\n  arguments: {}\n",
            env!("CARGO_PKG_VERSION"),
            arguments.join(" ")
        );
        // Nothing can be done if standard error is gone, too.
        drop(std::io::stderr().write_all(report.as_bytes()));
    }));
}
