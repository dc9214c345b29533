//! Defines the conditions that `:until` waits for, and parses them.

use std::fmt;

use crate::arguments::{CommandInfo, misused};
use redexter_language::cost::Poly;
use redexter_language::ground::name::did_you_mean;
use redexter_language::ground::text::word;
use redexter_language::ground::{Diagnostic, code};

/// Something that holds for a whole term or doesn't.
#[derive(Clone, Debug, PartialEq)]
pub enum UntilCondition {
    /// Something in it matches a pattern, here without its backticks.
    Holds(String),
    /// Its work, in total.
    Work(Inequality, Poly),
    /// Its nodes.
    Size(Inequality, u64),
    /// The steps of the derivation that led to it.
    Steps(Inequality, u64),
}

/// A comparison of one quantity with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inequality {
    /// `<`
    Below,
    /// `<=`
    AtMost,
    /// `>`
    Above,
    /// `>=`
    AtLeast,
}

impl Inequality {
    /// Each as it is written. Those of two characters come first, since `<` is a prefix of `<=`.
    const ALL: [(&str, Inequality); 4] =
        [("<=", Inequality::AtMost), (">=", Inequality::AtLeast), ("<", Inequality::Below), (">", Inequality::Above)];

    /// Whether it holds between two numbers.
    pub fn holds(self, one: u64, other: u64) -> bool {
        match self {
            Inequality::Below => one < other,
            Inequality::AtMost => one <= other,
            Inequality::Above => one > other,
            Inequality::AtLeast => one >= other,
        }
    }

    /// Whether it holds between two works, as [`Poly::is_below`] compares.
    pub fn holds_of_works(self, one: &Poly, other: &Poly) -> bool {
        match self {
            Inequality::Below => one.is_below(other),
            Inequality::AtMost => one == other || one.is_below(other),
            Inequality::Above => other.is_below(one),
            Inequality::AtLeast => one == other || other.is_below(one),
        }
    }
}

const QUANTITIES: [&str; 3] = ["work", "size", "steps"];

const CONDITION_HELP: &str = "wait for a pattern in backticks, or for `work < 3*n`, `size > 500`, `steps >= 120`: \
    `<`, `<=`, `>` and `>=` are there";

impl UntilCondition {
    pub(super) fn parse(info: &CommandInfo, text: &str) -> Result<UntilCondition, Diagnostic> {
        if let Some(pattern) = text.strip_prefix('`') {
            let inside = pattern.strip_suffix('`').filter(|inside| !inside.trim().is_empty());
            let wrong =
                || Diagnostic::error(code::COMMAND, "a pattern stands between two backticks").help(CONDITION_HELP);
            return inside.map(|inside| UntilCondition::Holds(inside.to_owned())).ok_or_else(wrong);
        }
        let quantity = word(text);
        let rest = text[quantity.len()..].trim_start();
        let signed = Inequality::ALL.iter().find_map(|(sign, relation)| Some((*relation, rest.strip_prefix(sign)?)));
        match (signed, quantity) {
            (_, "") if text.is_empty() => Err(misused(info, "until what?").help(CONDITION_HELP)),
            (Some((relation, value)), "work") => {
                let work = Poly::read(value).ok_or_else(|| {
                    Diagnostic::error(code::COMMAND, format!("`{}` is no formula of work", value.trim()))
                        .help("a formula is a sum of products of numbers and sizes, such as `3*n^2 + 2*n*k`")
                })?;
                Ok(UntilCondition::Work(relation, work))
            }
            (Some((relation, value)), "size") => number(value).map(|value| UntilCondition::Size(relation, value)),
            (Some((relation, value)), "steps") => number(value).map(|value| UntilCondition::Steps(relation, value)),
            _ => {
                let wrong = Diagnostic::error(code::COMMAND, format!("`{text}` is no condition"));
                let near = did_you_mean(quantity, QUANTITIES).filter(|_| !QUANTITIES.contains(&quantity));
                Err(wrong.help(near.unwrap_or_else(|| CONDITION_HELP.to_owned())))
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

impl fmt::Display for Inequality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = Inequality::ALL.iter().find(|(_, relation)| relation == self);
        f.write_str(sign.map_or("", |(sign, _)| sign))
    }
}

impl fmt::Display for UntilCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UntilCondition::Holds(pattern) => f.write_str(pattern),
            UntilCondition::Work(relation, work) => write!(f, "work {relation} {work}"),
            UntilCondition::Size(relation, size) => write!(f, "size {relation} {size}"),
            UntilCondition::Steps(relation, steps) => write!(f, "steps {relation} {steps}"),
        }
    }
}
