//! Answers `:strategies`: those that there are, those that contain a text, and all about one.

use super::response::{Response, SessionResult};
use super::state::Session;
use crate::script::LibraryGuide;
use redexter_language::ground::{Diagnostic, code, name};

/// The strategies there are.
pub fn strategies(session: &Session) -> Response {
    let defined = session.interpreter.strategies().into_iter().map(|d| match d.body {
        Some(body) => format!("{} = {body}", d.usage),
        None => d.usage,
    });
    let libraries = session.interpreter.libraries().into_iter().map(|library| (library.name, library.path));
    let (built_in, libraries) = (session.interpreter.built_in(), libraries.collect());
    Response::Strategies { built_in, defined: defined.collect(), libraries }
}

/// The strategies and libraries that contain a text, if there are some. A rule's name is no text.
fn strategies_with(session: &Session, wanted: &str) -> Option<Response> {
    let has = |text: &str| text.to_lowercase().contains(&wanted.to_lowercase());
    let Response::Strategies { mut built_in, mut defined, mut libraries } = strategies(session) else { return None };
    built_in.retain(|(usage, about)| has(usage) || has(about));
    defined.retain(|line| has(line));
    libraries.retain(|(name, path)| has(name) || has(path));
    let none = built_in.is_empty() && defined.is_empty() && libraries.is_empty();
    let rule = session.interpreter.rules().iter().any(|info| info.name.as_str() == wanted);
    (!none && !rule).then_some(Response::Strategies { built_in, defined, libraries })
}

/// All about one strategy, or what a library offers; else what contains the text.
pub(super) fn guide(session: &Session, wanted: &str) -> SessionResult {
    let bare = wanted.split('(').next().unwrap_or(wanted).trim();
    if let Some(guide) = session.interpreter.guide(bare) {
        return Ok(Response::Strategy(guide));
    }
    let libraries = session.interpreter.libraries();
    let called = |library: &&LibraryGuide| library.name == wanted || library.path == wanted;
    if let Some(library) = libraries.iter().find(called) {
        return Ok(Response::Library(library.clone()));
    }
    let members = session.interpreter.members();
    let behind_a_dot = members.iter().find(|member| member.rsplit_once('.').is_some_and(|(_, last)| last == bare));
    if let Some(guide) = behind_a_dot.and_then(|member| session.interpreter.guide(member)) {
        return Ok(Response::Strategy(guide));
    }
    if let Some(found) = strategies_with(session, wanted) {
        return Ok(found);
    }
    let unknown = Diagnostic::error(code::UNKNOWN_STRATEGY, format!("there is no strategy or library `{wanted}`"));
    if session.interpreter.rules().iter().any(|info| info.name.as_str() == bare) {
        return Err(unknown.help(format!("it is a rule: write `:rule {bare}`")).into());
    }
    let names = session.interpreter.names();
    let all = names.iter().chain(libraries.iter().map(|library| &library.name));
    let near = name::did_you_mean(bare, all.map(String::as_str));
    Err(unknown.help(near.unwrap_or_else(|| "`:strategies` lists them".to_owned())).into())
}
