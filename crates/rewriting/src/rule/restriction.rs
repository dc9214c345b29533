//! Adds a condition to the laws of a rule that has been read: that a variable stands for no number, or for nothing that a
//! pattern matches.

use std::fmt;

use super::condition::{AskedPattern, Condition, ConditionVariable, Predicate};
use super::law::place_of;
use super::pattern::Pattern;
use redexter_language::check::Law;
use redexter_language::ground::Name;

/// One more condition for a rule.
#[derive(Clone, Debug)]
pub enum Restriction {
    /// The variable of this name stands for no number.
    NoNumber(Name),
    /// It stands for nothing that the pattern matches.
    NoMatch(Name, Pattern),
}

impl Restriction {
    /// The condition for a law.
    pub(super) fn condition(&self, law: &Law) -> Option<Condition> {
        let (Restriction::NoNumber(name) | Restriction::NoMatch(name, _)) = self;
        let j = law.vars.iter().position(|var| var.name == *name)?;
        let of = ConditionVariable { name: name.clone(), of_law: Some(j), path: place_of(law, j)? };
        Some(match self {
            Restriction::NoNumber(_) => Condition::HoldsNot(Predicate::Literal, vec![of]),
            Restriction::NoMatch(_, pattern) => {
                let own = pattern.clone();
                let asked = AskedPattern::new(pattern.text(), None, move |focus| own.attempt(focus).is_ok());
                Condition::Matches(of, asked, false)
            }
        })
    }
}

impl fmt::Display for Restriction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Restriction::NoNumber(name) => write!(f, "not literal({name})"),
            Restriction::NoMatch(name, pattern) => write!(f, "not matches({name}, `{}`)", pattern.text()),
        }
    }
}
