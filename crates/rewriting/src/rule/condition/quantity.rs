//! A [`Quantity`] is a number that a condition compares, known once the left side has matched.

use std::collections::BTreeSet;
use std::fmt;

use redexter_language::cost::{self, Poly, WorkFactor};
use redexter_language::ground::{Name, text::listed};
use redexter_language::term::{Kind, MAX_TERMS, Overload, Prim, Size, SizeAtom, SizeBounds, Term};

use super::super::focus::Focus;
use super::enclosing::EnclosingMarks;
use super::{ConditionVariable, Substitution};

/// A number that is known once the left side has matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// A number as written.
    Number(u64),
    /// A parameter of the rule, by name and number.
    Parameter(Name, usize),
    /// A size of the law.
    Size(Name),
    /// What a word says of some variables.
    Of(TermMeasure, Vec<ConditionVariable>),
    /// A sum.
    Add(Box<Quantity>, Box<Quantity>),
    /// A product.
    Mul(Box<Quantity>, Box<Quantity>),
}

/// A number that belongs to terms or bound variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermMeasure {
    /// How often a variable occurs where it is bound.
    Occurrences,
    /// The flops, compares, reads and writes of running a term once.
    Work,
    /// How many enclosing loop variables the terms mention together.
    Loops,
    /// The value of a constant, if it is a natural number.
    Value,
}

impl TermMeasure {
    /// All of them with the words that users write, and what each stands for: `{1}` is the variable that it speaks of,
    /// `{all}` are all.
    pub const ALL: &[(&str, TermMeasure, &str)] = &[
        ("occurrences", TermMeasure::Occurrences, "the number of times that {1} occurs"),
        ("work", TermMeasure::Work, "what running {1} once takes in flops, compares, reads and writes"),
        ("loops", TermMeasure::Loops, "the number of enclosing loop variables that {all} mention together"),
        ("value", TermMeasure::Value, "the value of {1}"),
    ];

    fn of(self, all: &[ConditionVariable], found: &dyn Substitution, focus: &Focus) -> Option<Size> {
        let first = all.first()?;
        match self {
            TermMeasure::Occurrences => Some(Size::literal(u64::from(first.bound(focus.term)?.0.occurrences(0)))),
            TermMeasure::Work => as_size(&cost::work(&first.term(found, focus.term)?).total()),
            TermMeasure::Loops => loops(all, focus),
            TermMeasure::Value => value(&first.term(found, focus.term)?),
        }
    }
}

impl Quantity {
    /// The sizes of the law that it speaks of.
    pub(super) fn sizes(&self) -> Vec<&Name> {
        match self {
            Quantity::Size(name) => vec![name],
            Quantity::Add(a, b) | Quantity::Mul(a, b) => [a.sizes(), b.sizes()].concat(),
            Quantity::Number(_) | Quantity::Parameter(..) | Quantity::Of(..) => Vec::new(),
        }
    }

    /// The number, where it is one that needs no size to be made.
    #[inline]
    pub(super) fn plain(&self, focus: &Focus, arguments: &[u64]) -> Option<u64> {
        match self {
            Quantity::Number(n) => Some(*n),
            Quantity::Parameter(_, k) => arguments.get(*k).copied(),
            Quantity::Of(TermMeasure::Occurrences, all) => {
                let (scope, _) = all.first()?.bound(focus.term)?;
                Some(u64::from(scope.occurrences(0)))
            }
            _ => None,
        }
    }

    pub(super) fn value(&self, found: &dyn Substitution, focus: &Focus, arguments: &[u64]) -> Option<Size> {
        let both =
            |a: &Quantity, b: &Quantity| Some((a.value(found, focus, arguments)?, b.value(found, focus, arguments)?));
        match self {
            Quantity::Number(n) => Some(Size::literal(*n)),
            Quantity::Parameter(_, k) => arguments.get(*k).map(|n| Size::literal(*n)),
            Quantity::Size(name) => found.size(name),
            Quantity::Of(measure, all) => measure.of(all, found, focus),
            Quantity::Add(a, b) => both(a, b).and_then(|(a, b)| a.plus(&b)),
            Quantity::Mul(a, b) => both(a, b).and_then(|(a, b)| a.times(&b)),
        }
    }
}

/// Whether the comparison holds of two numbers.
pub(super) fn compare_numbers(op: Prim, a: u64, b: u64) -> bool {
    matches!(op.overloads(), [.., Overload::TestFins(holds)] if holds(&a, &b))
}

/// Whether the comparison holds for every value of the open sizes.
pub(super) fn compare(op: Prim, a: &Size, b: &Size, bounds: &SizeBounds) -> bool {
    // Without what both have in common, so that `n + 2 > n` holds for every n.
    let (left, right) = a.cancel(b);
    let above = |big: &Size, small: &Size, by: u64| {
        // Sure only of a number, because nothing bounds the open sizes of the smaller side from above.
        small.as_literal().is_some_and(|n| n.checked_add(by).is_some_and(|n| big.least(bounds) >= n))
    };
    let (may_be_less, may_be_greater) = (!above(&left, &right, 0), !above(&right, &left, 0));
    let may_be_equal = !above(&left, &right, 1) && !above(&right, &left, 1);
    // The comparison must hold in each case that can't be ruled out.
    [(may_be_less, 0, 1), (may_be_equal, 0, 0), (may_be_greater, 1, 0)]
        .into_iter()
        .all(|(may_be, a, b)| !may_be || compare_numbers(op, a, b))
}

/// `None` where a coefficient is too large, there are too many products, or it isn't known.
fn as_size(poly: &Poly) -> Option<Size> {
    if poly.is_unknown() {
        return None;
    }
    let name = |factor: &WorkFactor| match factor {
        WorkFactor::Size(name) => Some(SizeAtom::Var(name.clone())),
        WorkFactor::Sum(_) | WorkFactor::Unknown => None,
    };
    Size::of(poly.expanded(MAX_TERMS)?.renamed(name))
}

fn loops(all: &[ConditionVariable], focus: &Focus) -> Option<Size> {
    let mut levels = BTreeSet::new();
    for variable in all {
        let (frames, term) = variable.place(focus.term)?;
        levels.extend(EnclosingMarks::at(focus, &frames).loops(&term));
    }
    Some(Size::literal(levels.len() as u64))
}

fn value(constant: &Term) -> Option<Size> {
    match constant.kind() {
        Kind::Int(k) => u64::try_from(*k).ok().map(Size::literal),
        Kind::Fin(k, _) => Some(Size::literal(*k)),
        Kind::SizeVar(name) => Some(Size::var(name)),
        // Below 2^53, so that the number is exact.
        Kind::Real(x) if *x >= 0.0 && x.fract() == 0.0 && *x < 9e15 => Some(Size::literal(*x as u64)),
        _ => None,
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Quantity::Number(n) => write!(f, "{n}"),
            Quantity::Parameter(name, _) | Quantity::Size(name) => write!(f, "{name}"),
            Quantity::Of(measure, all) => {
                let word = TermMeasure::ALL.iter().find(|(_, m, _)| m == measure).map_or("", |(word, ..)| word);
                write!(f, "{word}({})", listed(all.iter().map(|v| &v.name)))
            }
            Quantity::Add(a, b) => write!(f, "{a} + {b}"),
            Quantity::Mul(a, b) => match (&**a, &**b) {
                (Quantity::Add(..), _) => write!(f, "({a}) * {b}"),
                (_, Quantity::Add(..)) => write!(f, "{a} * ({b})"),
                _ => write!(f, "{a} * {b}"),
            },
        }
    }
}
