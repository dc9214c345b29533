//! Reads lines from a pipe: there is no prompt, and what is unfinished at the end of the input is answered by an error.

use std::io::{self, BufRead};

use super::Responder;
use redexter_session::session::{PendingLines, Session, begins_a_command};

pub fn run(session: &mut Session, answers: &mut Responder) {
    let mut input = io::stdin().lock();
    let mut pending = PendingLines::default();
    let mut bytes = Vec::new();
    let (mut number, mut began) = (0, 0);
    while input.read_until(b'\n', &mut bytes).is_ok_and(|n| n > 0) {
        number += 1;
        let more = match str::from_utf8(&bytes) {
            Ok(line) => {
                let line = line.trim_end_matches(['\n', '\r']);
                match pending.is_empty() {
                    true => began = number,
                    false if begins_a_command(line) && !session.is_closed(pending.text()) => {
                        answers.left_open(began, &format!("the command in line {number}"))
                    }
                    false => {}
                }
                answers.take(session, &mut pending, line)
            }
            Err(wrong) => {
                if !pending.is_empty() {
                    answers.left_open(began, &format!("line {number}"));
                    if !answers.answer(session, &pending.take()) {
                        return;
                    }
                }
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
        if began < number && !session.is_closed(pending.text()) {
            answers.left_open(began, "the end");
        }
        answers.answer(session, pending.text());
    }
}
