//! Answers requests of the page. A request is an object whose `do` says what is asked for; the answer is one, too. Where
//! something goes wrong, the answer has `findings`.

use std::path::{Path, PathBuf};

use redexter::ground::Trouble;
use redexter::lesson::ProgressRecord;
use redexter::render::{Styled, answer_json};
use redexter::session::{self, FileKind, Response, System};
use redexter::shipped;
use redexter::walk::WalkAnswer;
use serde_json::{Value, json};

use super::lecture::lecture;
use super::{PageState, WIDTH, said, state, text};

/// The answer to a request, as JSON. One that can't be read is answered so, too.
pub fn answer(page: &mut PageState, request: &str) -> String {
    let Ok(request) = serde_json::from_str::<Value>(request) else {
        return refused("the request is no JSON").to_string();
    };
    let of = |name: &str| request[name].as_str().unwrap_or_default();
    let done = match of("do") {
        // These are texts as they come: they may be long.
        "term" => return state::term(page).unwrap_or_else(|trouble| failed(page, &trouble).to_string()),
        "derivation" => {
            let told = state::derivation(page, request["known"].as_u64().unwrap_or(0));
            return told.unwrap_or_else(|trouble| failed(page, &trouble).to_string());
        }
        "comparison" => {
            let told = state::comparison(page, of("strategies"));
            return told.unwrap_or_else(|trouble| failed(page, &trouble).to_string());
        }
        "submit" => Ok(submit(page, of("line"), request["width"].as_u64().map_or(WIDTH, |width| width as usize))),
        "state" => state::state(page),
        "names" => state::names(page),
        "inputs" => state::inputs(page, request["size"].as_u64().unwrap_or(4), request["seed"].as_u64().unwrap_or(1)),
        "tokens" => text::tokens(page, of("text"), of("language")),
        "statements" => text::statements(page, of("text")),
        "whole" => page.session().map(|session| json!({ "whole": session.is_complete(of("text")) })),
        "complete" => text::complete(page, of("text")),
        "check" => text::check(page, of("text"), of("language"), of("name")),
        "list" => Ok(files(page)),
        "get" => Ok(get(page, of("name"))),
        "put" => Ok(put(page, of("name"), of("text"))),
        "save" => {
            page.session().map(|session| json!({ "text": session::saved(session), "record": session.record().text() }))
        }
        "restore" => Ok(restore(page, of("text"), of("record"))),
        "lesson" => Ok(resume_lesson(page, of("name"))),
        other => Ok(refused(&format!("nobody knows how to do `{other}`"))),
    };
    done.unwrap_or_else(|trouble| failed(page, &trouble)).to_string()
}

fn refused(why: &str) -> Value {
    json!({ "findings": [{ "severity": "error", "headline": why, "help": [], "places": [] }] })
}

pub fn failed(page: &PageState, trouble: &Trouble) -> Value {
    json!({ "findings": said::findings(trouble, &page.sources.borrow()) })
}

/// A line, and what [`super::submit`] says to it in pieces: what was printed, the answer, and what is wrong.
fn submit(page: &mut PageState, line: &str, width: usize) -> Value {
    page.say(String::new());
    let before = page.session.as_ref().map(|session| session.edits());
    let answer = page.answer(line);
    told(page, answer, width, |page| page.session.as_ref().map(|session| session.edits()) != before)
}

/// A lesson that was open as the session was saved.
fn resume_lesson(page: &mut PageState, name: &str) -> Value {
    page.say(String::new());
    let answer = page.session().and_then(|session| session::resume_lesson(session, name));
    told(page, answer, WIDTH, |_| true)
}

/// A session that was saved, and what was done in lessons, as far as that can be read.
fn restore(page: &mut PageState, text: &str, record: &str) -> Value {
    page.say(String::new());
    let answer = page.session().and_then(|session| {
        if let Ok(record) = ProgressRecord::read(record) {
            session.set_record(record);
        }
        let path = Path::new("saved.strat");
        session.doing("the saved session", |session| session::resume(session, path, text))
    });
    told(page, answer, WIDTH, |_| true)
}

fn told(
    page: &PageState,
    answer: Result<Response, Trouble>,
    width: usize,
    changed: impl Fn(&PageState) -> bool,
) -> Value {
    let (result, trouble) = page.words(&answer, width);
    let wrong = answer.as_ref().map_or_else(Some, Response::trouble);
    let printed = Styled::from(page.output.take());
    json!({
        "kind": answer.as_ref().map_or("trouble", kind),
        "printed": said::pieces(&printed),
        "text": said::pieces(&result),
        "trouble": said::pieces(&trouble),
        "findings": wrong.map_or_else(Vec::new, |wrong| said::findings(wrong, &page.sources.borrow())),
        "data": answer.as_ref().ok().and_then(|response| data(page, response, width)),
        "changed": changed(page),
    })
}

/// The data of an answer: what `--json` gives, and what lessons say.
fn data(page: &PageState, response: &Response, width: usize) -> Option<Value> {
    match response {
        Response::Walk(answer) => answer_json(answer),
        Response::Lesson(said) => {
            let session = page.session.as_ref()?;
            let words = session::words(session);
            let explained = |word: &str| session::explained(session, word);
            session.writing(|| lecture(said, width, &|name| words.is_rule(name), &explained)).ok()
        }
        Response::Json(value) => Some(json!({ "value": value })),
        _ => None,
    }
}

fn kind(response: &Response) -> &'static str {
    match response {
        Response::Walk(WalkAnswer::Run(_) | WalkAnswer::Replayed(_)) => "run",
        Response::Walk(WalkAnswer::Finding(found, _)) => found.kind(),
        Response::Walk(_) => "walk",
        Response::Term(_) => "term",
        Response::Model(_) => "model",
        Response::Script(..) => "script",
        Response::Restored(_) => "restored",
        Response::Lesson(_) => "lesson",
        Response::Json(_) => "value",
        Response::Counts(_) => "counts",
        Response::Written(_) | Response::Drawn(..) => "written",
        Response::Quit => "quit",
        _ => "text",
    }
}

/// The files that ship, and those that were put or written here.
fn files(page: &PageState) -> Value {
    let shipped: Vec<&str> = shipped::FILES.iter().map(|(path, _)| *path).collect();
    let mut own = Vec::new();
    below(&*page.memory, Path::new(""), &mut own);
    json!({ "shipped": shipped, "own": own })
}

fn below(memory: &dyn System, folder: &Path, found: &mut Vec<PathBuf>) {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    for name in memory.names(here).unwrap_or_default() {
        let path = folder.join(name);
        match memory.kind(&path) {
            Some(FileKind::Folder) => below(memory, &path, found),
            _ => found.push(path),
        }
    }
}

fn get(page: &PageState, name: &str) -> Value {
    let path = Path::new(name);
    let own = page.memory.get(path).map(|held| String::from_utf8_lossy(&held).into_owned());
    json!({ "text": own.or_else(|| shipped::file(path).map(str::to_owned)) })
}

fn put(page: &PageState, name: &str, text: &str) -> Value {
    page.memory.put(Path::new(name), text.as_bytes());
    json!({ "name": name })
}
