//! Conditions: what must hold beyond the form of a term, as data.

use std::fmt;
use std::rc::Rc;

use crate::ground::Name;
use crate::term::{Assignment, Atom, Bounds, Kind, Prim, Size, Term};

use super::law::apart;
use super::matching::Match;
use super::site::Site;

/// A condition of a rule. It holds only where it certainly holds, for every value of the open sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Something holds of what a variable stands for.
    Holds(Predicate, Variable),
    /// Something doesn't.
    HoldsNot(Predicate, Variable),
    /// A comparison of numbers.
    Compare(Prim, Quantity, Quantity),
}

/// A variable that a condition speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// The number of a variable of the law; otherwise it is bound in the left side.
    pub of_law: Option<usize>,
}

macro_rules! predicates {
    ($($(#[doc = $doc:literal])+ $name:ident $text:literal;)*) => {
        /// What may hold of a term or a bound variable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Predicate { $($(#[doc = $doc])+ $name,)* }

        impl Predicate {
            /// All of them with the words that users write, and their meaning.
            pub const ALL: &[(&str, Predicate, &str)] = &[$(($text, Predicate::$name, concat!($($doc),+))),*];
        }
    };
}

predicates! {
    /// A number, or a size.
    Constant "constant";
    /// A number.
    Literal "literal";
    /// The number 0.
    Zero "zero";
    /// A variable.
    Variable "variable";
    /// A bound variable that may be replaced by its value without repeating work.
    Safe "safe";
}

/// A number that is known once the left side has matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// A number as written.
    Number(u64),
    /// A parameter of the rule, by name and place.
    Parameter(Name, usize),
    /// A size of the law.
    Size(Name),
    /// How often a variable occurs where it is bound.
    Occurrences(Variable),
    /// A sum.
    Add(Box<Quantity>, Box<Quantity>),
    /// A product.
    Mul(Box<Quantity>, Box<Quantity>),
}

impl Condition {
    /// The opposite.
    pub fn negate(self) -> Condition {
        match self {
            Condition::Holds(p, v) => Condition::HoldsNot(p, v),
            Condition::HoldsNot(p, v) => Condition::Holds(p, v),
            Condition::Compare(op, a, b) => Condition::Compare(opposite(op), a, b),
        }
    }

    /// Whether it holds here.
    pub(super) fn holds(&self, found: &Match, site: &Site, arguments: &[u64]) -> bool {
        match self {
            Condition::Holds(p, v) => p.holds(v, found),
            Condition::HoldsNot(p, v) => !p.holds(v, found),
            Condition::Compare(op, a, b) => match (a.value(found, arguments), b.value(found, arguments)) {
                (Some(a), Some(b)) => compare(*op, &a, &b, site.bounds),
                _ => false,
            },
        }
    }

    /// As users write it.
    pub(super) fn text(&self) -> Rc<str> {
        self.to_string().into()
    }
}

fn opposite(op: Prim) -> Prim {
    match op {
        Prim::Lt => Prim::Ge,
        Prim::Le => Prim::Gt,
        Prim::Gt => Prim::Le,
        Prim::Ge => Prim::Lt,
        Prim::Eq => Prim::Ne,
        _ => Prim::Eq,
    }
}

/// Whether the comparison holds for every value of the open sizes.
fn compare(op: Prim, a: &Size, b: &Size, bounds: &Bounds) -> bool {
    let (left, right) = a.cancel(b);
    let above = |big: &Size, small: &Size, by: u64| {
        small.as_literal().is_some_and(|n| n.checked_add(by).is_some_and(|n| big.least(bounds) >= n))
    };
    match op {
        Prim::Lt => above(&right, &left, 1),
        Prim::Le => above(&right, &left, 0),
        Prim::Gt => above(&left, &right, 1),
        Prim::Ge => above(&left, &right, 0),
        Prim::Eq => a == b,
        _ => above(&left, &right, 1) || above(&right, &left, 1),
    }
}

impl Predicate {
    fn holds(self, variable: &Variable, found: &Match) -> bool {
        if self == Predicate::Safe {
            return variable.bound(found).is_some_and(|(scope, value)| value.is_some_and(|v| safe(v, scope)));
        }
        let Some(term) = variable.term(found) else { return false };
        match (self, term.kind()) {
            (Predicate::Constant, Kind::Real(_) | Kind::Int(_) | Kind::Fin(..) | Kind::SizeVar(_)) => true,
            (Predicate::Literal, Kind::Real(_) | Kind::Int(_) | Kind::Fin(..)) => true,
            (Predicate::Zero, Kind::Real(x)) => *x == 0.0,
            (Predicate::Zero, Kind::Int(0) | Kind::Fin(0, _)) => true,
            (Predicate::Variable, Kind::Var) => true,
            _ => false,
        }
    }
}

/// Whether variable 0 of `scope` may be replaced by `value` without repeating work.
pub(super) fn safe(value: &Term, scope: &Term) -> bool {
    let Some(uses) = scope.free_at(0) else { return true };
    let mut root = value.clone();
    while let Kind::Fst | Kind::Snd = root.kind() {
        root = root.kid(0);
    }
    let free_of_work = match root.kind() {
        Kind::Var => true,
        Kind::Lam(..) | Kind::Real(_) | Kind::Int(_) | Kind::Fin(..) | Kind::SizeVar(_) => root.same(value),
        _ => false,
    };
    free_of_work || (uses.count <= 1 && !uses.looped)
}

impl Variable {
    /// Where it is bound, and to what.
    fn bound<'a>(&self, found: &'a Match) -> Option<(&'a Term, Option<&'a Term>)> {
        match self.of_law {
            Some(_) => None,
            None => found.binders.iter().find(|b| b.name == self.name).map(|b| (&b.scope, b.value.as_ref())),
        }
    }

    /// What it stands for; of a variable that is bound by `let`, its value.
    fn term<'a>(&self, found: &'a Match) -> Option<&'a Term> {
        match self.of_law {
            Some(j) => found.terms[j].as_ref(),
            None => self.bound(found)?.1,
        }
    }
}

impl Quantity {
    fn value(&self, found: &Match, arguments: &[u64]) -> Option<Size> {
        match self {
            Quantity::Number(n) => Some(Size::literal(*n)),
            Quantity::Parameter(_, k) => arguments.get(*k).map(|n| Size::literal(*n)),
            Quantity::Size(name) => found.sizes.size(&Atom::Var(apart(name))),
            Quantity::Occurrences(v) => Some(Size::literal(u64::from(v.bound(found)?.0.occurrences(0)))),
            Quantity::Add(a, b) => a.value(found, arguments)?.plus(&b.value(found, arguments)?),
            Quantity::Mul(a, b) => a.value(found, arguments)?.times(&b.value(found, arguments)?),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |p: &Predicate| Predicate::ALL.iter().find(|(_, q, _)| q == p).map_or("", |(word, ..)| word);
        match self {
            Condition::Holds(p, v) => write!(f, "{}({})", word(p), v.name),
            Condition::HoldsNot(p, v) => write!(f, "not {}({})", word(p), v.name),
            Condition::Compare(op, a, b) => write!(f, "{a} {} {b}", op.text()),
        }
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Quantity::Number(n) => write!(f, "{n}"),
            Quantity::Parameter(name, _) | Quantity::Size(name) => write!(f, "{name}"),
            Quantity::Occurrences(v) => write!(f, "occurrences({})", v.name),
            Quantity::Add(a, b) => write!(f, "{a} + {b}"),
            Quantity::Mul(a, b) => match (&**a, &**b) {
                (Quantity::Add(..), _) => write!(f, "({a}) * {b}"),
                (_, Quantity::Add(..)) => write!(f, "{a} * ({b})"),
                _ => write!(f, "{a} * {b}"),
            },
        }
    }
}
