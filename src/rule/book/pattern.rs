//! A pattern on its own, as `repeatUntil` takes it.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::check::Law;
use crate::term::Term;

use super::super::matching::CompiledLaw;

/// A pattern that terms may contain. Cheap to clone, compared as text.
#[derive(Clone, Debug)]
pub struct Pattern(Rc<Compiled>);

#[derive(Debug)]
struct Compiled {
    text: String,
    laws: Vec<CompiledLaw>,
}

impl Pattern {
    /// The left sides of these laws; a pattern that is open between types has several.
    pub fn new(text: &str, laws: &[Law]) -> Pattern {
        let laws = laws.iter().map(|law| CompiledLaw::new(law, Vec::new())).collect();
        Pattern(Rc::new(Compiled { text: text.to_owned(), laws }))
    }

    /// The pattern as written.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Whether the pattern matches the term.
    pub fn matches(&self, term: &Term) -> bool {
        self.0.laws.iter().any(|law| law.matches(term))
    }

    /// Whether the pattern matches the term or something in it.
    pub fn occurs_in(&self, term: &Term) -> bool {
        self.search(term, &mut FxHashSet::default())
    }

    /// A match doesn't depend on where free variables are bound, so that a node is looked at once.
    fn search(&self, term: &Term, seen: &mut FxHashSet<u128>) -> bool {
        seen.insert(term.fingerprint()) && (self.matches(term) || term.kids().iter().any(|kid| self.search(kid, seen)))
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        self.text() == other.text()
    }
}
