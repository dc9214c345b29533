//! Limits how much is shown at once: files and pipes get everything, people the beginning of what is too long to read.

use super::work::polynomial;
use super::{pieces, term};
use crate::styled::{Look, PageLayout, Styled};
use redexter_language::cost;
use redexter_language::ground::Name;
use redexter_language::syntax::{PrintStyle, print_beginning, print_type};
use redexter_language::term::Term;

/// Terms of more nodes are shortened for people.
pub(crate) const MAX_READABLE_NODES: u64 = 10_000;

/// Terms of more nodes are shortened for everybody, but where a term itself is asked for.
pub(super) const MAX_PRINTED_NODES: u64 = 1_000_000;

/// The most lines that are shown of a long term.
const MAX_LINES: usize = 20;

/// The advice on how to see a term whole; none where it isn't shortened.
fn shortens(page: PageLayout, term: &Term) -> Option<&'static str> {
    match page.rest {
        Some(rest) => (term.size() > MAX_READABLE_NODES).then_some(rest),
        None => (term.size() > MAX_PRINTED_NODES).then_some("`:show` prints all of it"),
    }
}

/// The function that cuts the text of this term to its beginning; none where it is shown whole.
pub(super) fn long(term: &Term, page: PageLayout) -> Option<impl Fn(&Styled) -> Styled> {
    let rest = shortens(page, term)?;
    let facts = format!("… {} nodes, {} deep; {rest}", term.size(), term.depth());
    Some(move |text: &Styled| {
        let beginning: Styled = text.clone().lines().into_iter().take(MAX_LINES).map(|line| line.then("\n")).collect();
        beginning.and(Look::Aside, &facts)
    })
}

/// A closed term; of a long one, whoever reads it, the beginning.
pub(crate) fn beginning(whole: &Term, page: PageLayout) -> Styled {
    if whole.size() <= MAX_READABLE_NODES {
        return term(whole, page.width);
    }
    let facts = format!("… {} nodes, {} deep", whole.size(), whole.depth());
    first_lines(whole, page).and(Look::Aside, &facts)
}

/// As much of a term's text as is shown of a long one, and maybe more.
pub(super) fn beginning_of(term: &Term, scope: &[Name], width: usize) -> Styled {
    pieces(&print_beginning(term, scope, MAX_LINES * width, &PrintStyle { width }))
}

fn first_lines(whole: &Term, page: PageLayout) -> Styled {
    let beginning = beginning_of(whole, &[], page.width).lines();
    beginning.into_iter().take(MAX_LINES).map(|line| line.then("\n")).collect()
}

/// A closed term; for people, of a long one, and for everybody of a vast one, the beginning and what is to be known of it.
pub fn paged(whole: &Term, page: PageLayout) -> Styled {
    let Some(rest) = shortens(page, whole) else { return term(whole, page.width) };
    let work = polynomial(&cost::work(whole).total());
    let facts = format!(
        "… {} nodes, {} deep; {rest}\ntype: {}\nwork: {work}",
        whole.size(),
        whole.depth(),
        print_type(whole.ty())
    );
    first_lines(whole, page).and(Look::Aside, &facts)
}
