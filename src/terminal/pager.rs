//! Shows text that fills more than the screen in a pager, as git does: in what `REDEXTER_PAGER` says, else `PAGER`, else `less`.
//! An empty one means none.

use std::env;
use std::io::{self, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

/// The options of `less`, unless the user has set some: to end where all fits, to pass colours on, to leave the text there, and
/// to say how one leaves it in place of a colon, which looks like the beginning of a command. What is typed for the prompt by
/// mistake writes no file and runs no program (`LESSSECURE`).
const LESS_OPTIONS: &str = "FRX -Psblank\\: more   q\\: back to redexter$";

static OPEN: AtomicBool = AtomicBool::new(false);

/// Whether a pager shows a text: then Ctrl-C is its affair.
pub fn is_open() -> bool {
    OPEN.load(Ordering::SeqCst)
}

/// Shows a text; false where there is no pager.
pub fn show(text: &str) -> bool {
    let wanted = ["REDEXTER_PAGER", "PAGER"].into_iter().find_map(|name| env::var(name).ok());
    let line = wanted.unwrap_or_else(|| "less".to_owned());
    let mut words = line.split_whitespace();
    let Some(program) = words.next() else { return false };
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::piped());
    if env::var_os("LESS").is_none() {
        command.env("LESS", LESS_OPTIONS).env("LESSSECURE", "1");
    }
    OPEN.store(true, Ordering::SeqCst);
    let shown = command.spawn().and_then(|pager| feed(pager, text));
    OPEN.store(false, Ordering::SeqCst);
    shown.is_ok()
}

fn feed(mut pager: Child, text: &str) -> io::Result<()> {
    if let Some(mut input) = pager.stdin.take() {
        // Whoever leaves the pager early has read enough.
        drop(input.write_all(text.as_bytes()));
    }
    pager.wait().map(drop)
}
