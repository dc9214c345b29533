//! Lines from a pipe: no prompt, and an unfinished line at the end is an error message only.

use std::io::{self, BufRead};

use super::answer;
use crate::session::Session;
use crate::terminal::Out;

pub fn run(session: &mut Session, out: Out) {
    let mut input = io::stdin().lock();
    let mut pending = String::new();
    let mut bytes = Vec::new();
    while input.read_until(b'\n', &mut bytes).is_ok_and(|n| n > 0) {
        let line = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned();
        bytes.clear();
        if !take(session, &mut pending, &line, out) {
            return;
        }
    }
    if !pending.is_empty() {
        answer(session, &pending, out);
    }
}

/// Answers a line once it is complete; a byte-order mark before it is none of it. A command never continues a line: what came before it is answered as it is.
pub(super) fn take(session: &mut Session, pending: &mut String, line: &str, out: Out) -> bool {
    let line = line.trim_start_matches('\u{feff}');
    if line.starts_with(':') && !pending.is_empty() {
        let unfinished = std::mem::take(pending);
        answer(session, &unfinished, out);
    }
    if !pending.is_empty() {
        pending.push('\n');
    }
    pending.push_str(line);
    if !session.is_complete(pending) {
        return true;
    }
    let whole = std::mem::take(pending);
    answer(session, &whole, out)
}
