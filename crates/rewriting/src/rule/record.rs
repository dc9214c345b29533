//! A [`NativeRule`] records all that there is to know of a rule that is a function: its documentation, the terms on which it is
//! shown and tested, and the function itself.

use super::exactness::Exactness;
use super::focus::Focus;
use super::footprint::Inspection;
use super::reason::Reason;
use redexter_language::term::Term;

/// A rule's function, where text can't say it, with the values of the rule's parameters. The result has the type of the
/// focus's term.
pub(super) type NativeFn = fn(&Focus, &[u64]) -> Result<Term, Reason>;

/// A rule that is a function. Terms are written in the notation of models, left sides in that of rules.
#[derive(Debug)]
pub struct NativeRule {
    /// Its name.
    pub name: &'static str,
    /// Its parameters, and their values in the examples.
    pub params: &'static [(&'static str, u64)],
    /// The heading that it stands under in the book.
    pub group: &'static str,
    /// What it does.
    pub law: NativeStatement,
    /// When it applies; empty if that goes without saying.
    pub condition: &'static str,
    /// When it helps and what blocks it.
    pub doc: &'static str,
    /// In which sense both sides are equal.
    pub exactness: Exactness,
    /// What the function looks at.
    pub(super) inspects: Inspection,
    /// What it is tested on: instances of these, in which it is tried everywhere.
    pub left_sides: &'static [&'static str],
    /// Terms and what it makes of them.
    pub examples: &'static [(&'static str, &'static str)],
    /// Terms that it must not touch.
    pub refused: &'static [&'static str],
    /// What makes it work.
    pub(super) function: NativeFn,
}

/// The statement of what a native rule does.
#[derive(Debug)]
pub enum NativeStatement {
    /// Laws in the notation of rules, which can be typed.
    Text(&'static [&'static str]),
    /// What that notation can't say.
    Words(&'static str),
}

/// Texts that tests alone read: the module that a page carries has none of them.
pub(super) const fn for_tests(all: &'static [&'static str]) -> &'static [&'static str] {
    if cfg!(target_family = "wasm") { &[] } else { all }
}

impl NativeStatement {
    /// As users read it.
    pub fn shown(&self) -> String {
        match self {
            NativeStatement::Text(laws) => laws.join("; "),
            NativeStatement::Words(words) => (*words).to_owned(),
        }
    }
}

impl NativeRule {
    /// The values of its parameters in the examples.
    pub fn arguments(&self) -> Vec<u64> {
        self.params.iter().map(|(_, value)| *value).collect()
    }

    /// Whether each of these has something that it is tested on, an example and a term that it refuses.
    pub(super) const fn all_shown(rules: &[NativeRule]) -> bool {
        let mut k = 0;
        // A `while` loop, because a constant function can't use iterators.
        while k < rules.len() {
            let NativeRule { left_sides, examples, refused, .. } = &rules[k];
            if left_sides.is_empty() || examples.is_empty() || (refused.is_empty() && !cfg!(target_family = "wasm")) {
                return false;
            }
            k += 1;
        }
        true
    }
}
