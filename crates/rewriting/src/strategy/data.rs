//! Represents strategies as data: a `Strategy` is a shared tree of `StrategyForm`s.

use std::rc::Rc;

use crate::rule::{Pattern, Rule};
use redexter_language::ground::Name;
use redexter_language::term::Slot;

use super::scope::{NamedUse, StrategyArgument, StrategyDefinition};

/// A strategy: takes a term and gives a term, or fails. Cheap to clone.
///
/// Bound names are nameless inside: [`StrategyForm::Var`] counts binders outwards. To build `mu(|x| s)` or a definition's
/// body, stand [`Strategy::free`] with a serial number of your own for the name, and let [`Strategy::mu`] or
/// [`StrategyDefinition::set`] bind it.
///
/// ```
/// use redexter_rewriting::strategy::{Strategy, Unary};
/// let strategy = Strategy::fail().or(&Strategy::id()).under(Unary::TopDown);
/// assert_eq!(strategy.to_string(), "topDown(fail <+ id)");
/// ```
#[derive(Clone)]
pub struct Strategy(pub(super) Rc<StrategyNode>);

/// The most parts, counted as a tree, of a strategy that is analysed before it runs.
const MAX_ANALYSED_PARTS: u64 = 20_000;

pub(super) struct StrategyNode {
    pub(super) form: StrategyForm,
    /// How many binders around it its variables reach for; 0 for a closed strategy.
    pub(super) reach: u32,
    /// Whether a `Free` is in it.
    pub(super) free: bool,
    /// Its parts, counted as a tree; saturates.
    pub(super) weight: u64,
}

/// The forms of a strategy.
#[derive(Clone)]
pub enum StrategyForm {
    /// `id`
    Id,
    /// `fail`
    Fail,
    /// A rule, tried at the root.
    Rule(Rule),
    /// A pattern: succeeds without change where it matches the root.
    Match(Pattern),
    /// `s ; t`
    Seq(Strategy, Strategy),
    /// `s <+ t`
    Choice(Strategy, Strategy),
    /// `mu(|x| s)`: the hint for x, s under one binder.
    Mu(Name, Strategy),
    /// What is bound so many binders further out: a fixed point or a definition's parameter.
    Var(u32),
    /// A name that isn't bound yet, by its serial number; what a run meets of them fails.
    Free(u64),
    /// A combinator of one strategy.
    Unary(Unary, Strategy),
    /// `body(s)`, `operand(1, s)` and so on.
    Child(Slot, Strategy),
    /// `at("body.argument.0", s)`
    At(Rc<str>, Strategy),
    /// `` at(`pattern`, s) ``, which is `` topDown(`pattern` ; s) ``.
    AtMatch(Pattern, Strategy),
    /// `repeatN(n, s)`
    RepeatN(u64, Strategy),
    /// `repeatUntil(pattern, s)`
    RepeatUntil(Pattern, Strategy),
    /// A use of a definition.
    Named(NamedUse),
}

macro_rules! unary {
    (
        primitive { $($(#[doc = $doc:literal])+ $primitive:ident $word:literal;)* }
        derived { $($derived:ident $name:literal;)* }
    ) => {
        /// The combinators of one strategy.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Unary {
            $($(#[doc = $doc])+ $primitive,)*
            $(#[doc = concat!("`", $name, "(s)`, which the prelude of strategies defines.")] $derived,)*
        }

        impl Unary {
            /// All of them.
            pub const ALL: &[Unary] = &[$(Unary::$primitive,)* $(Unary::$derived,)*];

            /// The name that users write.
            pub fn text(self) -> &'static str {
                match self { $(Unary::$primitive => $word,)* $(Unary::$derived => $name,)* }
            }

            /// What a primitive one does, in a sentence.
            pub fn doc(self) -> &'static str {
                match self { $(Unary::$primitive => concat!($($doc),+).trim_ascii_start(),)* _ => "" }
            }
        }
    };
}

unary! {
    primitive {
        /// On exactly one child: the leftmost where s succeeds.
        One "one";
        /// On every child; succeeds on a leaf.
        All "all";
        /// On as many children as succeed, and at least one.
        Some "some";
        /// Succeeds without change where s fails.
        Not "not";
        /// s, unless it raises the term's symbolic work; never fails.
        Cheaper "cheaper";
        /// s, without the check before running that it can end.
        Force "force";
    }
    derived {
        Repeat "repeat";
        Try "try";
        Where "where";
        Repeat1 "repeat1";
        TopDown "topDown";
        BottomUp "bottomUp";
        AllTopDown "allTopDown";
        AllBottomUp "allBottomUp";
        TryAll "tryAll";
        Normalize "normalize";
        Outermost "outermost";
        Innermost "innermost";
    }
}

impl Strategy {
    /// Tells the user what to try where this strategy fails.
    pub fn remedy(&self) -> String {
        match self.form() {
            StrategyForm::Rule(rule) => format!(
                "a rule is tried at the root of the term only: `topDown({rule})` tries it at every place, from the root \
                 down, and `normalize({rule})` as long as it fits anywhere"
            ),
            StrategyForm::Match(pattern) => format!(
                "a pattern is tried at the root of the term only: `topDown(`{0}`)` tries it at every place, \
                 `at(`{0}`, s)` does s at the first where it matches",
                pattern.text()
            ),
            _ => "`try(s)` leaves the term as it is where s fails".to_owned(),
        }
    }

    /// The strategy of this form.
    pub fn new(form: StrategyForm) -> Strategy {
        let (mut reach, mut free) = (0, matches!(form, StrategyForm::Free(_)));
        let mut part = |s: &Strategy, binders: u32| {
            reach = reach.max(s.0.reach.saturating_sub(binders));
            free |= s.0.free;
        };
        match &form {
            StrategyForm::Var(i) => reach = i + 1,
            StrategyForm::Mu(_, s) => part(s, 1),
            _ => form.parts().into_iter().for_each(|s| part(s, 0)),
        }
        let weight = form.parts().into_iter().fold(1u64, |sum, part| sum.saturating_add(part.0.weight));
        Strategy(Rc::new(StrategyNode { form, reach, free, weight }))
    }

    /// Whether it has so many parts that what is said before a run would take longer than the run: parts may be
    /// shared, so that a few lines of a script make more of them than there is time.
    pub(super) fn is_vast(&self) -> bool {
        self.0.weight > MAX_ANALYSED_PARTS
    }

    /// Its form.
    pub fn form(&self) -> &StrategyForm {
        &self.0.form
    }

    /// The rule that it is, if it is one.
    pub fn as_rule(&self) -> Option<Rule> {
        match self.form() {
            StrategyForm::Rule(rule) => Some(rule.clone()),
            _ => None,
        }
    }

    /// `id`
    pub fn id() -> Strategy {
        Strategy::new(StrategyForm::Id)
    }

    /// `fail`
    pub fn fail() -> Strategy {
        Strategy::new(StrategyForm::Fail)
    }

    /// A rule, tried at the root.
    pub fn rule(rule: &Rule) -> Strategy {
        Strategy::new(StrategyForm::Rule(rule.clone()))
    }

    /// A pattern, tried at the root.
    pub fn pattern(pattern: &Pattern) -> Strategy {
        Strategy::new(StrategyForm::Match(pattern.clone()))
    }

    /// `self ; next`
    pub fn then(&self, next: &Strategy) -> Strategy {
        Strategy::new(StrategyForm::Seq(self.clone(), next.clone()))
    }

    /// `self <+ other`
    pub fn or(&self, other: &Strategy) -> Strategy {
        Strategy::new(StrategyForm::Choice(self.clone(), other.clone()))
    }

    /// A combinator of this strategy.
    pub fn under(&self, combinator: Unary) -> Strategy {
        Strategy::new(StrategyForm::Unary(combinator, self.clone()))
    }

    /// On the child at this place.
    pub fn child(&self, slot: Slot) -> Strategy {
        Strategy::new(StrategyForm::Child(slot, self.clone()))
    }

    /// On the subterm at this path.
    pub fn at(&self, path: &str) -> Strategy {
        Strategy::new(StrategyForm::At(Rc::from(path), self.clone()))
    }

    /// At the first place from the root down where the pattern matches and it succeeds.
    pub fn at_match(&self, pattern: &Pattern) -> Strategy {
        Strategy::new(StrategyForm::AtMatch(pattern.clone(), self.clone()))
    }

    /// Exactly `times` times.
    pub fn repeat_n(&self, times: u64) -> Strategy {
        Strategy::new(StrategyForm::RepeatN(times, self.clone()))
    }

    /// Until the term contains the pattern.
    pub fn repeat_until(&self, pattern: &Pattern) -> Strategy {
        Strategy::new(StrategyForm::RepeatUntil(pattern.clone(), self.clone()))
    }

    /// A name that is yet to be bound; serial numbers are the caller's.
    pub fn free(serial: u64) -> Strategy {
        Strategy::new(StrategyForm::Free(serial))
    }

    /// A use of a definition.
    pub fn named(definition: &Rc<StrategyDefinition>, arguments: Vec<StrategyArgument>) -> Strategy {
        Strategy::new(StrategyForm::Named(NamedUse { definition: definition.clone(), arguments }))
    }

    /// Whether both are the very same object.
    pub(super) fn same(&self, other: &Strategy) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl StrategyForm {
    /// The strategies that it is made of, in the order in which they are written.
    pub fn parts(&self) -> Vec<&Strategy> {
        match self {
            StrategyForm::Id
            | StrategyForm::Fail
            | StrategyForm::Rule(_)
            | StrategyForm::Match(_)
            | StrategyForm::Var(_)
            | StrategyForm::Free(_) => Vec::new(),
            StrategyForm::Seq(a, b) | StrategyForm::Choice(a, b) => vec![a, b],
            StrategyForm::Mu(_, s)
            | StrategyForm::Unary(_, s)
            | StrategyForm::Child(_, s)
            | StrategyForm::At(_, s)
            | StrategyForm::AtMatch(_, s)
            | StrategyForm::RepeatN(_, s)
            | StrategyForm::RepeatUntil(_, s) => vec![s],
            StrategyForm::Named(named) => named.strategies().collect(),
        }
    }
}
