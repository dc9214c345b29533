//! Matches laws against terms: a left side is compiled to a list of nodes, so that matching is a loop without names, in which
//! nothing is copied before the contractum is made.
//!
//! [`compile`] takes a left side apart, [`template`] a right side, [`constraint`] says what types and sizes must be;
//! [`attempt`] tries the law on a term, [`contractum`] makes the result, [`obstacle`] says what was in the way,
//! and [`explain`] all that can be said of it. This module knows no rules: a law with its conditions is all that it gets.

mod abstraction;
mod attempt;
mod behind;
mod compile;
mod constraint;
mod contractum;
mod explain;
mod heads;
mod implied_types;
mod locate;
mod obstacle;
mod pattern_text;
mod template;
mod unknowns;

use redexter_language::check::Law;
use redexter_language::ground::Name;
use redexter_language::term::{Head, Prim, Term};

use self::constraint::{Constraints, SizeOf};
use self::template::RightTemplate;
use super::condition::{Condition, ConditionVariable, Predicate, VariableCondition};
use super::footprint::{Footprint, of_law};

pub(super) use self::heads::{FirstKidHeads, KidHeads};
pub(super) use self::unknowns::Unknowns;

/// A law with its conditions, ready to be tried many times.
#[derive(Debug)]
pub struct CompiledLaw {
    law: Law,
    /// The conditions, and whether each looks deeper than the footprint says.
    pub(super) conditions: Vec<(Condition, bool)>,
    /// The constructor that all of its redexes have; none where they may have any.
    head: Option<Head>,
    /// The left side's nodes: first what is inspected, left to right, parents before children because a child is read through
    /// its parent; then what isn't inspected.
    nodes: Box<[PatternNode]>,
    /// How many nodes are inspected, and what each is called.
    inner: usize,
    words: Box<[&'static str]>,
    /// What the root's first children have to be.
    pub(super) first_kids: FirstKidHeads,
    /// How many inspected nodes are known to fit when the root's constructor does, and its first children are as wanted.
    known: usize,
    /// Which child of the root is the second one, if two are known to fit.
    second: usize,
    /// Whether anything is asked beyond the constructors.
    asks: bool,
    /// What stands for each variable of the law.
    vars: Vec<VariableBinding>,
    /// The variables that may not mention all binders around them.
    restricted: Vec<usize>,
    /// The variables with projections for arguments.
    projecting: Vec<usize>,
    /// Occurrences that must be as the first one is.
    again: Vec<(usize, VariableBinding)>,
    constraints: Constraints,
    /// Least values of sizes.
    bounds: Vec<(Name, SizeOf, u64)>,
    /// The sizes that conditions speak of.
    sizes: Vec<(Name, SizeOf)>,
    right: RightTemplate,
}

/// A node of the left side.
#[derive(Clone, Copy, Debug)]
struct PatternNode {
    /// The number of the node above; the root's own.
    parent: usize,
    /// Which child of that it is.
    kid: usize,
    /// The binders between the node above and this one.
    binders: u32,
    /// What a term's node must be.
    test: NodeTest,
}

/// A test of a node of a term.
#[derive(Clone, Copy, Debug, PartialEq)]
enum NodeTest {
    /// A constructor whose sizes and types are another matter, by its number.
    Head(usize),
    /// An array literal of so many elements.
    Array(usize),
    /// A primitive that holds a literal.
    Holding(Prim),
    /// The bits of a number.
    Real(u64),
    Int(i64),
    Fin(u64),
    /// The variable that the node with this number binds, and its index there.
    Bound(usize, u32),
    /// Anything that fits this variable of the law.
    Variable(usize),
    /// Whatever a size becomes as a term.
    Size,
}

/// A variable of the law at a node: the term that stands there, and the arguments that it is abstracted over.
#[derive(Debug)]
struct VariableBinding {
    node: usize,
    /// It under binders of its own: the variable's, or where that has projections for arguments, the left side's.
    moved: MovedTerm,
    /// The binders of the left side around it.
    under: u32,
    arguments: VariableArguments,
}

/// A subterm that isn't inspected, moved under other binders.
#[derive(Debug)]
struct MovedTerm {
    way: LeafPath,
    /// The new indices of the variables that the left side binds, by those that they have at the node.
    to: Box<[u32]>,
    /// So many binders stand around it.
    under: u32,
}

/// The way to a node that isn't inspected: it is reached as a child of the last node that is.
#[derive(Clone, Debug)]
struct LeafPath {
    parent: usize,
    kid: usize,
    /// The inspected nodes between it and the root, the nearest first, with the binders between it, or the one before, and
    /// them. First children under no binder are left out: they have their parent's first variables in order.
    between: Box<[(usize, u32)]>,
    /// The binders between the root and the last of these, or the node.
    binders: u32,
}

/// The arguments of a variable: they say which of the left side's binders its term may mention.
#[derive(Debug)]
enum VariableArguments {
    /// Those with a place among the variable's own binders, by their index.
    Plain(Vec<Option<u32>>),
    /// Projections: these arguments, in the scope of the node.
    Projected(Vec<Term>),
}

impl CompiledLaw {
    /// The law.
    pub fn law(&self) -> &Law {
        &self.law
    }

    /// What it inspects.
    pub(super) fn footprint(&self) -> Footprint {
        of_law(&self.law, self.conditions.iter().map(|(condition, _)| condition))
    }

    /// Whether it asks for more than constructors.
    pub fn asks(&self) -> bool {
        self.asks
    }

    /// The conditions.
    pub(super) fn conditions(&self) -> impl Iterator<Item = &Condition> {
        self.conditions.iter().map(|(condition, _)| condition)
    }

    /// The conditions on what single variables stand for, with these arguments of the rule.
    pub(crate) fn of_variables(&self, arguments: &[u64]) -> impl Iterator<Item = VariableCondition> {
        self.conditions().filter_map(|condition| VariableCondition::new(condition, arguments))
    }

    /// Whether a function of a script decides.
    pub(super) fn asks_functions(&self) -> bool {
        self.conditions.iter().any(|(condition, _)| matches!(condition, Condition::Asks(..)))
    }

    /// Whether its conditions ask only what form the terms of its variables have, as far as a pattern or a word tells.
    pub(super) fn asks_only_for_forms(&self) -> bool {
        let of_form = |condition: &Condition| match condition {
            Condition::Holds(word, _) | Condition::HoldsNot(word, _) => word.is_of_form(),
            Condition::Matches(..) => true,
            Condition::Compare(..) | Condition::Asks(..) => false,
        };
        self.conditions.iter().all(|(condition, _)| of_form(condition))
    }

    /// Whether a condition says that a word holds of what a variable stands for, or that it doesn't; none where none speaks of
    /// it.
    pub fn says(&self, word: Predicate, variable: usize) -> Option<bool> {
        let of = |all: &[ConditionVariable]| matches!(all, [one] if one.of_law == Some(variable));
        self.conditions.iter().find_map(|(condition, _)| match condition {
            Condition::Holds(said, all) if *said == word && of(all) => Some(true),
            Condition::HoldsNot(said, all) if *said == word && of(all) => Some(false),
            _ => None,
        })
    }

    /// Whether it applies to whatever its left side matches.
    pub(super) fn is_unconditional(&self) -> bool {
        self.conditions.is_empty() && self.bounds.is_empty()
    }

    /// Whether its redexes may have this constructor.
    pub(super) fn may_fit(&self, head: Head) -> bool {
        self.head.is_none_or(|own| own.number() == head.number())
    }
}

impl VariableBinding {
    fn is_restricted(&self) -> bool {
        matches!(&self.arguments, VariableArguments::Plain(places) if !places.iter().all(Option::is_some))
    }

    fn is_projecting(&self) -> bool {
        matches!(self.arguments, VariableArguments::Projected(_))
    }
}
