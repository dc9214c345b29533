//! Renders the reason why the work of a term isn't known.

use super::focus::excerpt;
use redexter_language::cost::{UnknownWork, why_unknown};
use redexter_language::syntax::names_at;
use redexter_language::term::Term;

/// The most characters of a call whose work isn't known.
const MAX_CALL_CHARS: usize = 60;

/// Where and why the work of a term isn't known, if it isn't: "at .body.argument, `f x`: …".
pub fn unknown_work(term: &Term) -> Option<String> {
    let UnknownWork { path, reason } = why_unknown(term)?;
    let called = path.find(term).zip(names_at(term, &path));
    let text = called.map_or_else(String::new, |(call, scope)| excerpt(&call, &scope, MAX_CALL_CHARS));
    Some(format!("at {}, `{text}`: {reason}", path.address(term)))
}
