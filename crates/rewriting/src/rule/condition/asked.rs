//! An [`AskedPattern`] is a pattern that a condition asks about, as a value that answers: matching belongs to a later module,
//! which conditions must not name.

use std::fmt;
use std::rc::Rc;

use super::super::focus::Focus;
use redexter_language::check::Law;

type PatternAnswer = dyn Fn(&Focus) -> bool;

/// A pattern, compared as text.
#[derive(Clone)]
pub struct AskedPattern {
    text: Rc<str>,
    law: Option<Rc<Law>>,
    matches: Rc<PatternAnswer>,
}

impl AskedPattern {
    /// A pattern as written, the law that has it for a left side, and whether it matches.
    pub fn new(text: &str, law: Option<&Law>, matches: impl Fn(&Focus) -> bool + 'static) -> AskedPattern {
        AskedPattern { text: text.into(), law: law.map(|law| Rc::new(law.clone())), matches: Rc::new(matches) }
    }

    /// The law that has it for a left side.
    pub(super) fn law(&self) -> Option<&Law> {
        self.law.as_deref()
    }

    pub(super) fn matches(&self, focus: &Focus) -> bool {
        (self.matches)(focus)
    }
}

impl fmt::Display for AskedPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for AskedPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Eq for AskedPattern {}

impl PartialEq for AskedPattern {
    fn eq(&self, other: &AskedPattern) -> bool {
        self.text == other.text
    }
}
