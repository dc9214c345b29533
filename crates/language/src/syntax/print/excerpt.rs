//! Prints the lines of a term around a mark. A printer remembers what it has written and measured, so that the terms of a
//! derivation, which differ a little from each other, cost what differs and the lines that are shown.

use super::descent::Descent;
use super::emit::Emitter;
use super::{PrintStyle, PrintedPiece};
use crate::ground::writing::goes_on;
use crate::term::{Path, Term};

/// A window on the lines around a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Lines before the mark, and behind it.
    pub context: usize,
    /// The most lines of the mark at its start, and at its end.
    pub ends: usize,
}

/// The lines that are shown, all but the first with the line break before it; `None` stands for some that are left out.
pub type Excerpt = Vec<Option<Vec<PrintedPiece>>>;

/// Writes terms that have much in common.
pub struct ExcerptPrinter {
    emit: Emitter,
    window: Window,
}

impl ExcerptPrinter {
    /// Which lines it shows, and how they are laid out.
    pub fn new(window: Window, style: &PrintStyle) -> ExcerptPrinter {
        ExcerptPrinter { emit: Emitter::new(style.width, None), window }
    }

    /// Closed terms, the subterm of each at `mark` marked. No binder of one hides a size of another, so that terms which
    /// differ at the mark alone have the same names elsewhere.
    pub fn around<const N: usize>(&mut self, terms: [&Term; N], mark: &Path) -> [Excerpt; N] {
        self.emit.enter(&terms, &[]);
        terms.map(|term| self.emit.excerpt(term, mark, self.window))
    }

    /// How much it has written and laid out: a number of subterms and blocks.
    pub fn visited(&self) -> u64 {
        self.emit.visited()
    }
}

impl Window {
    /// Whether any of these lines is shown, where the mark stands in those from `start` to `end`.
    fn shows(&self, (start, end): (usize, usize), first: usize, last: usize) -> bool {
        let meets = |from: usize, to: usize| first <= to && from <= last;
        let (from, to) = (start.saturating_sub(self.context), end.saturating_add(self.context));
        meets(from, to.min(start.saturating_add(self.ends).saturating_sub(1)))
            || meets(from.max(end.saturating_add(1).saturating_sub(self.ends)), to)
    }
}

impl Emitter {
    fn excerpt(&mut self, term: &Term, mark: &Path, window: Window) -> Excerpt {
        let whole = self.whole(term, Descent::to(Some(&mark.0)));
        let marked = self.blocks.marked_lines(whole).unwrap_or((0, 0));
        let shown = |first: usize, last: usize| window.shows(marked, first, last) && goes_on();
        let count = self.blocks.lines(whole);
        let mut out = Excerpt::new();
        let mut next = 0;
        for laid in self.blocks.lay(whole, &shown) {
            if laid.line > next {
                out.push(None);
            }
            if laid.line >= next {
                out.push(Some(Vec::new()));
                next = laid.line.saturating_add(1);
            }
            if let Some(Some(line)) = out.last_mut() {
                line.push(laid.into());
            }
        }
        if next < count {
            out.push(None);
        }
        out
    }
}
