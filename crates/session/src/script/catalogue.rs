//! Lists the built-in strategies in one table, [`Builtin`]: what they are called and what they take.
//!
//! It knows the data type of strategies and nothing of Rhai.

use redexter_language::term::Slot;
use redexter_rewriting::strategy::{Strategy, Unary};

/// What a built-in name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// `id`
    Id,
    /// `fail`
    Fail,
    /// `seq(s, t)`
    Seq,
    /// `lchoice(s, t)`
    Choice,
    /// `cheapest(s, t)`
    Cheapest,
    /// `mu(|x| s)`
    Mu,
    /// A combinator of one strategy.
    Unary(Unary),
    /// `body(s)` and the like.
    Child(Slot),
    /// `operand(k, s)`
    Operand,
    /// `element(k, s)`
    Element,
    /// `repeatN(n, s)`
    RepeatN,
    /// `at("path", s)`
    At,
    /// ``repeatUntil(`pattern`, s)``
    RepeatUntil,
}

/// Built-in strategies that are neither a [`Unary`] combinator nor one for a child: how each is used, and what it is for where
/// the prelude doesn't say.
const OTHER_BUILTINS: &[(&str, Builtin, &str)] = &[
    ("id", Builtin::Id, "Succeeds without change."),
    ("fail", Builtin::Fail, "Always fails."),
    ("seq(s, t)", Builtin::Seq, "s, then t on its result: `s ; t`."),
    ("lchoice(s, t)", Builtin::Choice, "s, or t where s fails: `s <+ t`."),
    (
        "cheapest(s, t)",
        Builtin::Cheapest,
        "s under `cheaper`; but t, on the same term, where that takes clearly less work, or no more in less than half the steps. Never fails.",
    ),
    ("mu(|x| s)", Builtin::Mu, "The fixed point: x inside stands for the whole."),
    ("operand(k, s)", Builtin::Operand, "On operand k of a primitive."),
    ("element(k, s)", Builtin::Element, "On element k of an array literal."),
    ("repeatN(n, s)", Builtin::RepeatN, ""),
    (
        "at(\"path\", s)",
        Builtin::At,
        "s at a path such as \"body.argument.0\", or at the first place where a pattern matches.",
    ),
    (
        "repeatUntil(`pattern`, s)",
        Builtin::RepeatUntil,
        "Repeats s until the term contains the pattern; fails if s does first.",
    ),
];

impl Builtin {
    /// All of them with their names.
    pub fn all() -> impl Iterator<Item = (&'static str, Builtin)> {
        let others =
            OTHER_BUILTINS.iter().map(|(usage, builtin, _)| (usage.split('(').next().unwrap_or(usage), *builtin));
        let unary = Unary::ALL.iter().map(|u| (u.text(), Builtin::Unary(*u)));
        others.chain(unary).chain(Slot::NAMED.iter().map(|(name, slot)| (*name, Builtin::Child(*slot))))
    }

    /// The one with this name.
    pub fn named(name: &str) -> Option<Builtin> {
        Builtin::all().find(|(n, _)| *n == name).map(|(_, builtin)| builtin)
    }

    /// What it is for, in a sentence; empty where the prelude, which derives it, says that.
    pub(super) fn doc(self) -> String {
        match self {
            Builtin::Unary(u) => u.doc().to_owned(),
            Builtin::Child(slot) => format!("On the child `{slot}`; fails on every other constructor."),
            other => OTHER_BUILTINS.iter().find(|(_, b, _)| *b == other).map_or("", |(_, _, doc)| doc).to_owned(),
        }
    }

    /// How it is used.
    pub fn usage(self) -> String {
        match self {
            Builtin::Unary(u) => format!("{}(s)", u.text()),
            Builtin::Child(slot) => format!("{slot}(s)"),
            other => OTHER_BUILTINS.iter().find(|(_, b, _)| *b == other).map_or("", |(usage, ..)| usage).to_owned(),
        }
    }

    /// The number of its arguments.
    pub fn arity(self) -> usize {
        match self {
            Builtin::Id | Builtin::Fail => 0,
            Builtin::Mu | Builtin::Unary(_) | Builtin::Child(_) => 1,
            _ => 2,
        }
    }

    /// The strategy, where it takes no arguments.
    pub fn constant(self) -> Option<Strategy> {
        match self {
            Builtin::Id => Some(Strategy::id()),
            Builtin::Fail => Some(Strategy::fail()),
            _ => None,
        }
    }
}
