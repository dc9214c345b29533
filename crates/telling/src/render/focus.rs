//! Renders subterms of the current term: the one in focus, and those that a pattern matches.

use super::open_term;
use super::page::{beginning_of, long, paged};
use crate::styled::{Look, PageLayout, Styled};
use crate::walk::{FocusedSubterm, PatternMatches};
use redexter_language::ground::Name;
use redexter_language::ground::text::{counted, on_one_line, shortened};
use redexter_language::syntax::{PrintStyle, print_open, print_type};
use redexter_language::term::{Path, Term};

/// Subterms of more nodes are named by their size in a list.
pub(crate) const MAX_EXCERPT_NODES: u64 = 200;

/// The most characters of a path in a list, from its end.
const MAX_PATH_CHARS: usize = 40;

/// The current term, or what is in focus of it.
pub fn current(whole: &Term, focus: Option<&FocusedSubterm>, page: PageLayout) -> Styled {
    focus.map_or_else(|| paged(whole, page), |focus| in_focus(focus, page))
}

/// A subterm under its path and the binders around it.
pub fn in_focus(focus: &FocusedSubterm, page: PageLayout) -> Styled {
    let mut out = Styled::default();
    if focus.lost {
        out.push(Look::Aside, "a rewrite around it left no such subterm; this is what it made\n");
    }
    if focus.path.0.is_empty() {
        return out.then(paged(&focus.whole, page));
    }
    out = out
        .and(Look::Strong, &Path::shortened(&focus.address))
        .then("\n")
        .and(Look::Aside, &binders(focus, page.width));
    let scope = scope(focus);
    let part = match long(&focus.part, page) {
        Some(beginning) => beginning(&beginning_of(&focus.part, &scope, page.width)),
        None => open_term(&focus.part, &scope, page.width),
    };
    out.then(part)
}

/// The binders that someone can write, with their types, in lines of their own.
fn binders(focus: &FocusedSubterm, width: usize) -> String {
    let named = focus.binders.iter().filter(|(name, _)| name.shown() != "_");
    let mut lines: Vec<String> = Vec::new();
    for binder in named.map(|(name, ty)| format!("{name} : {}", print_type(ty))) {
        match lines.last_mut().filter(|line| line.chars().count() + binder.chars().count() + 2 <= width) {
            Some(line) => line.extend([", ", &binder]),
            None => lines.push(format!("  {binder}")),
        }
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

fn scope(focus: &FocusedSubterm) -> Vec<Name> {
    focus.binders.iter().map(|(name, _)| name.clone()).collect()
}

/// A line for each place where a pattern matches.
pub fn found(found: &PatternMatches, page: PageLayout) -> Styled {
    let within = if found.within == "." { String::new() } else { format!(" within {}", found.within) };
    let mut out = match found.count {
        0 => return Styled::of(Look::Aside, &format!("`{}` matches nothing{within}", found.pattern)),
        count => {
            Styled::of(Look::Aside, &format!("`{}` matches at {}{within}\n", found.pattern, counted(count, "place")))
        }
    };
    let number = found.places.len().to_string().len();
    for (k, place) in found.places.iter().enumerate() {
        let path = end_of(&place.address, MAX_PATH_CHARS);
        let room = page.width.saturating_sub(number + path.chars().count() + 4).max(20);
        let text = excerpt(&place.part, &scope(place), room);
        out = out.then(format!("{:number$}. ", k + 1)).and(Look::Strong, &path).then(format!("  {text}\n"));
    }
    let more = found.count - found.places.len();
    if more > 0 {
        out.push(Look::Aside, &format!("and {more} more; `:find N` goes to the N-th\n"));
    }
    out
}

/// A subterm on one line, in the scope of these variables; a large one as its size.
pub(crate) fn excerpt(part: &Term, scope: &[Name], room: usize) -> String {
    if part.size() > MAX_EXCERPT_NODES {
        return format!("({} nodes)", part.size());
    }
    let style = PrintStyle { width: usize::MAX };
    shortened(&on_one_line(&print_open(part, scope, &style, usize::MAX).unwrap_or_default()), room)
}

/// The end of a path, which tells it from its neighbours.
pub fn end_of(path: &str, most: usize) -> String {
    let skipped = path.chars().count().saturating_sub(most);
    if skipped == 0 { path.to_owned() } else { format!("…{}", path.chars().skip(skipped).collect::<String>()) }
}
