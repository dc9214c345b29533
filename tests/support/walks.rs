//! Sessions over a model that ships, and what their lines answer.

use std::fs;
use std::path::Path;

use redexter::ground::{Nesting, with_stack};
use redexter::session::{self, MemorySystem, Response, Session};
use redexter::walk::{QuestionFinding, WalkAnswer, WalkRun};

use super::session::session;
use redexter::session::SilentSink;

/// So deep do terms nest.
const NESTING: u32 = 100_000;

/// Does this on a stack for terms that nest so deep.
pub fn deep(work: impl FnOnce() + Send + 'static) {
    with_stack(NESTING, work).expect("a thread");
}

/// A session without files.
pub fn empty() -> Session {
    session(MemorySystem::default(), Nesting { terms: NESTING, ..Nesting::default() }, SilentSink)
}

/// A session whose term is this definition of `models/MODEL.arr`, which it has as `m.arr`.
pub fn opened(model: &str, definition: &str) -> Session {
    let memory = MemorySystem::default();
    memory.put(Path::new("m.arr"), &fs::read(format!("models/{model}.arr")).expect("a model"));
    let mut session = session(memory, Nesting { terms: NESTING, ..Nesting::default() }, SilentSink);
    submit(&mut session, ":load m.arr");
    submit(&mut session, definition);
    session
}

/// What the session answers to a line.
#[track_caller]
pub fn submit(session: &mut Session, line: &str) -> Response {
    session::submit(session, line).unwrap_or_else(|trouble| panic!("{line}: {trouble:?}"))
}

/// What the walk answers to a line.
#[track_caller]
pub fn walked(session: &mut Session, line: &str) -> WalkAnswer {
    match submit(session, line) {
        Response::Walk(answer) => answer,
        other => panic!("{line}: {other:?}"),
    }
}

/// What a question comes to.
#[track_caller]
pub fn found<T: QuestionFinding + Clone>(session: &mut Session, line: &str) -> T {
    let answer = walked(session, line);
    answer.found::<T>().unwrap_or_else(|| panic!("{line}: {answer:?}")).clone()
}

/// The steps that a line takes.
#[track_caller]
pub fn taken(session: &mut Session, line: &str) -> WalkRun {
    match walked(session, line) {
        WalkAnswer::Run(run) => run,
        other => panic!("{line}: {other:?}"),
    }
}
