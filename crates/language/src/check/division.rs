//! Refuses comments that are meant as divisions: `i // 2`, where the text would check with `/` in its place.

use crate::ground::{Budget, Diagnostic, Span, Trouble, code};
use crate::syntax::may_be_divisions;

/// So many comments of a definition or term are tried: each takes as long as checking it, and there may be one in each line.
const MAX_TRIED: usize = 16;

/// Refuses the first `//` of a text that checks if `checks` says that the text checks with a division there, too; it is asked of
/// each of the first 16 that may be one. The text stands at `place`; `knows` says which names it sees beside its own.
pub fn no_division_in_comments(
    text: &str,
    place: Span,
    budget: &Budget,
    knows: impl Fn(&str) -> bool,
    mut checks: impl FnMut(&str) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    for at in may_be_divisions(text, knows).into_iter().take(MAX_TRIED) {
        budget.ask()?;
        match checks(&format!("{}/ {}", &text[..at], &text[at + "//".len()..])) {
            Err(stopped @ Trouble::Stopped { .. }) => return Err(stopped),
            Err(Trouble::Wrong(_)) => {}
            Ok(()) => return Err(meant(place, at).into()),
        }
    }
    Ok(())
}

fn meant(place: Span, at: usize) -> Diagnostic {
    let at = place.start as usize + at;
    Diagnostic::error(code::COMMENT_AS_OPERATION, "this `//` begins a comment, where a division may be meant")
        .at(Span::new(place.source, at, at + "//".len()), "with `/` here, this checks, too")
        .help("write `/` for a division, ` -- ` for a comment")
}
