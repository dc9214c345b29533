//! Limits how much is shown at once: files and pipes get everything, people the beginning of what is too long to read.

use super::styled::{Look, Styled};
use super::work::polynomial;
use super::{pieces, term};
use redexter_language::cost;
use redexter_language::ground::Name;
use redexter_language::syntax::{PrintStyle, print_beginning, print_type};
use redexter_language::term::Term;

/// Terms of more nodes are shortened for people.
pub(super) const MAX_READABLE_NODES: u64 = 10_000;

/// Terms of more nodes are shortened for everybody, but where a term itself is asked for.
pub(super) const MAX_PRINTED_NODES: u64 = 1_000_000;

/// The most lines that are shown of a long term.
const MAX_LINES: usize = 20;

/// The medium that text is laid out for: its width, and whether a person reads it.
#[derive(Clone, Copy, Debug)]
pub struct PageLayout {
    /// Terms are laid out to this width.
    pub width: usize,
    /// For a person at a terminal: how to see a term whole that is shortened. None where everything is wanted that isn't
    /// vast.
    pub rest: Option<&'static str>,
}

impl From<usize> for PageLayout {
    /// Everything, in lines of this width.
    fn from(width: usize) -> PageLayout {
        PageLayout { width, rest: None }
    }
}

impl PageLayout {
    /// The advice on how to see this term whole; none where it isn't shortened.
    fn shortens(self, term: &Term) -> Option<&'static str> {
        match self.rest {
            Some(rest) => (term.size() > MAX_READABLE_NODES).then_some(rest),
            None => (term.size() > MAX_PRINTED_NODES).then_some("`:show` prints all of it"),
        }
    }
}

/// The function that cuts the text of this term to its beginning; none where it is shown whole.
pub(super) fn long(term: &Term, page: PageLayout) -> Option<impl Fn(&Styled) -> Styled> {
    let rest = page.shortens(term)?;
    let facts = format!("… {} nodes, {} deep; {rest}", term.size(), term.depth());
    Some(move |text: &Styled| {
        let beginning: Styled = text.clone().lines().into_iter().take(MAX_LINES).map(|line| line.then("\n")).collect();
        beginning.and(Look::Aside, &facts)
    })
}

/// A closed term; of a long one, whoever reads it, the beginning.
pub(super) fn beginning(whole: &Term, page: PageLayout) -> Styled {
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
    let Some(rest) = page.shortens(whole) else { return term(whole, page.width) };
    let work = polynomial(&cost::work(whole).total());
    let facts = format!(
        "… {} nodes, {} deep; {rest}\ntype: {}\nwork: {work}",
        whole.size(),
        whole.depth(),
        print_type(whole.ty())
    );
    first_lines(whole, page).and(Look::Aside, &facts)
}
