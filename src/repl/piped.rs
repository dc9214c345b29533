//! Lines from a pipe: no prompt, and an unfinished line at the end is an error message only.

use std::io::{self, BufRead};

use super::Answers;
use crate::session::Session;

pub fn run(session: &mut Session, answers: &mut Answers) {
    let mut input = io::stdin().lock();
    let mut pending = String::new();
    let mut bytes = Vec::new();
    while input.read_until(b'\n', &mut bytes).is_ok_and(|n| n > 0) {
        let line = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned();
        bytes.clear();
        if !answers.take(session, &mut pending, &line) {
            return;
        }
    }
    if !pending.is_empty() {
        answers.answer(session, &pending);
    }
}
