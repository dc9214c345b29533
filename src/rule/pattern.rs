//! A pattern on its own, as `repeatUntil` takes it.

use std::rc::Rc;

use crate::term::Term;

/// A pattern that terms may contain. Cheap to clone, compared as text.
#[derive(Clone, Debug)]
pub struct Pattern(Rc<str>);

impl Pattern {
    /// The pattern as written.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether the pattern matches the term or something in it.
    pub fn occurs_in(&self, term: &Term) -> bool {
        term.kids().iter().any(|kid| self.occurs_in(kid))
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        self.text() == other.text()
    }
}
