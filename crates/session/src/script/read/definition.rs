//! A [`ParsedDefinition`] is a statement `strategy` or `rule` as it is written: what is known of it before anything runs.

use std::ops::Range;

use redexter_language::ground::text::call;

/// A statement `strategy` or `rule`. Places are bytes of the user's text.
#[derive(Clone, Debug)]
pub(crate) struct ParsedDefinition {
    pub name: String,
    /// Where its name stands.
    pub at: Range<usize>,
    pub params: Vec<String>,
    /// From its first word to where it ends, the `;` apart.
    pub range: Range<usize>,
    pub right: RightSide,
}

/// The right side of a definition, behind its `=`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RightSide {
    /// A strategy; whether a `;` ends the statement.
    Strategy { ended: bool },
    /// Laws.
    Laws,
    /// The function of a rule: where it stands, and whether `unchecked` stands behind it.
    Function { body: Range<usize>, unchecked: bool },
}

impl ParsedDefinition {
    pub fn arity(&self) -> usize {
        self.params.len()
    }

    /// How it is used.
    pub fn usage(&self) -> String {
        call(&self.name, &self.params)
    }
}
