//! Reads lines from a pipe: there is no prompt, and what is unfinished at the end of the input is answered by an error.

use std::io::{self, BufRead};

use super::Responder;
use redexter_session::session::Session;

pub fn run(session: &mut Session, answers: &mut Responder) {
    let mut input = io::stdin().lock();
    let mut pending = String::new();
    let mut bytes = Vec::new();
    let mut number = 0;
    while input.read_until(b'\n', &mut bytes).is_ok_and(|n| n > 0) {
        number += 1;
        let more = match str::from_utf8(&bytes) {
            Ok(line) => answers.take(session, &mut pending, line.trim_end_matches(['\n', '\r'])),
            Err(wrong) => {
                pending.clear();
                answers.not_utf8(session, wrong.valid_up_to() + 1, Some(number));
                true
            }
        };
        if !more {
            return;
        }
        bytes.clear();
    }
    if !pending.is_empty() {
        answers.answer(session, &pending);
    }
}
