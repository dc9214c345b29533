//! Defines the conditions that `:until` waits for, and parses them.

use std::fmt;

use super::CommandInfo;
use super::arguments::misused;
use redexter_language::cost::Poly;
use redexter_language::ground::name::did_you_mean;
use redexter_language::ground::text::word;
use redexter_language::ground::{Diagnostic, code};

/// Something that holds for a whole term or doesn't.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// Something in it matches a pattern, here without its backticks.
    Holds(String),
    /// Its work, in total.
    Work(Relation, Poly),
    /// Its nodes.
    Size(Relation, u64),
    /// The steps of the derivation that led to it.
    Steps(Relation, u64),
}

/// A comparison of one quantity with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `<`
    Below,
    /// `<=`
    AtMost,
    /// `>`
    Above,
    /// `>=`
    AtLeast,
}

impl Relation {
    /// Each as it is written. Those of two characters come first, since `<` is a prefix of `<=`.
    const ALL: [(&str, Relation); 4] =
        [("<=", Relation::AtMost), (">=", Relation::AtLeast), ("<", Relation::Below), (">", Relation::Above)];

    /// Whether it holds between two numbers.
    pub fn holds(self, one: u64, other: u64) -> bool {
        match self {
            Relation::Below => one < other,
            Relation::AtMost => one <= other,
            Relation::Above => one > other,
            Relation::AtLeast => one >= other,
        }
    }

    /// Whether it holds between two works, as [`Poly::is_below`] compares.
    pub fn holds_of_works(self, one: &Poly, other: &Poly) -> bool {
        match self {
            Relation::Below => one.is_below(other),
            Relation::AtMost => one == other || one.is_below(other),
            Relation::Above => other.is_below(one),
            Relation::AtLeast => one == other || other.is_below(one),
        }
    }
}

const QUANTITIES: [&str; 3] = ["work", "size", "steps"];

const CONDITIONS: &str = "wait for a pattern in backticks, or for `work < 3*n`, `size > 500`, `steps >= 120`: \
    `<`, `<=`, `>` and `>=` are there";

impl Condition {
    pub(super) fn parse(info: &CommandInfo, text: &str) -> Result<Condition, Diagnostic> {
        if let Some(pattern) = text.strip_prefix('`') {
            let inside = pattern.strip_suffix('`').filter(|inside| !inside.trim().is_empty());
            let wrong = || Diagnostic::error(code::COMMAND, "a pattern stands between two backticks").help(CONDITIONS);
            return inside.map(|inside| Condition::Holds(inside.to_owned())).ok_or_else(wrong);
        }
        let quantity = word(text);
        let rest = text[quantity.len()..].trim_start();
        let signed = Relation::ALL.iter().find_map(|(sign, relation)| Some((*relation, rest.strip_prefix(sign)?)));
        match (signed, quantity) {
            (_, "") if text.is_empty() => Err(misused(info, "until what?").help(CONDITIONS)),
            (Some((relation, value)), "work") => {
                let work = Poly::read(value).ok_or_else(|| {
                    Diagnostic::error(code::COMMAND, format!("`{}` is no formula of work", value.trim()))
                        .help("a formula is a sum of products of numbers and sizes, such as `3*n^2 + 2*n*k`")
                })?;
                Ok(Condition::Work(relation, work))
            }
            (Some((relation, value)), "size") => number(value).map(|value| Condition::Size(relation, value)),
            (Some((relation, value)), "steps") => number(value).map(|value| Condition::Steps(relation, value)),
            _ => {
                let wrong = Diagnostic::error(code::COMMAND, format!("`{text}` is no condition"));
                let near = did_you_mean(quantity, QUANTITIES).filter(|_| !QUANTITIES.contains(&quantity));
                Err(wrong.help(near.unwrap_or_else(|| CONDITIONS.to_owned())))
            }
        }
    }
}

fn number(text: &str) -> Result<u64, Diagnostic> {
    let text = text.trim();
    text.replace('_', "").parse().map_err(|_| {
        Diagnostic::error(code::COMMAND, format!("`{text}` is no number")).help("give a number such as 500")
    })
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = Relation::ALL.iter().find(|(_, relation)| relation == self);
        f.write_str(sign.map_or("", |(sign, _)| sign))
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Holds(pattern) => f.write_str(pattern),
            Condition::Work(relation, work) => write!(f, "work {relation} {work}"),
            Condition::Size(relation, size) => write!(f, "size {relation} {size}"),
            Condition::Steps(relation, steps) => write!(f, "steps {relation} {steps}"),
        }
    }
}
