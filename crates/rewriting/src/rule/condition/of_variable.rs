//! Conditions on what one variable of a law stands for, which the form of that term decides, wherever it stands.

use redexter_language::check::Law;
use redexter_language::ground::Name;
use redexter_language::term::{Size, SizeBounds, Term, TypeView};

use super::super::focus::Focus;
use super::{Condition, ConditionVariable, Predicate, Quantity, Substitution, TermMeasure};

/// A condition on one variable of a law.
#[derive(Clone, Debug)]
pub struct VariableCondition {
    condition: Condition,
    /// The number of the variable.
    pub variable: usize,
    /// The arguments of the rule.
    arguments: Vec<u64>,
}

impl VariableCondition {
    /// The condition as one on a variable; none where it speaks of more, or of the place.
    pub(in super::super) fn new(condition: &Condition, arguments: &[u64]) -> Option<VariableCondition> {
        let mut values = Vec::new();
        let of: &ConditionVariable = match condition {
            Condition::Holds(word, all) | Condition::HoldsNot(word, all) if word.is_of_form() => all.first()?,
            Condition::Matches(of, ..) => of,
            Condition::Compare(_, a, b) if are_values(a, &mut values) && are_values(b, &mut values) => {
                let first = *values.first()?;
                values.iter().all(|other| other.of_law == first.of_law).then_some(first)?
            }
            _ => return None,
        };
        Some(VariableCondition { condition: condition.clone(), variable: of.of_law?, arguments: arguments.to_vec() })
    }

    /// Whether it holds of a term that isn't open.
    pub fn holds_of(&self, term: &Term) -> bool {
        let bounds = SizeBounds::default();
        let found = OnlyTerm { variable: self.variable, term };
        self.condition.holds(&found, &Focus::root(term, &bounds), &self.arguments).unwrap_or(false)
    }

    /// Whether it holds of all instances of a term in which variables of a law stand, or of none; nothing where that isn't sure.
    pub fn decided(&self, term: &Term, is_closed: bool) -> Option<bool> {
        match &self.condition {
            _ if matches!(term.ty().view(), TypeView::Var(_)) => None,
            Condition::Matches(_, pattern, wanted) => {
                let matches = pattern.matches(&Focus::root(term, &SizeBounds::default()));
                (matches || is_closed).then_some(matches == *wanted)
            }
            _ => Some(self.holds_of(term)),
        }
    }

    /// Whether one says what the other denies.
    pub fn contradicts(&self, other: &VariableCondition) -> bool {
        match (&self.condition, &other.condition) {
            (Condition::Holds(word, _), Condition::HoldsNot(denied, _))
            | (Condition::HoldsNot(denied, _), Condition::Holds(word, _)) => word == denied,
            (Condition::Matches(_, one, wanted), Condition::Matches(_, other, denied)) => {
                one == other && wanted != denied
            }
            _ => false,
        }
    }

    /// The pattern that the variable has to match.
    pub fn form(&self) -> Option<&Law> {
        match &self.condition {
            Condition::Matches(_, pattern, true) => pattern.law(),
            _ => None,
        }
    }

    /// Whether the variable has to be the number 0.
    pub fn wants_zero(&self) -> bool {
        matches!(self.condition, Condition::Holds(Predicate::Zero, _))
    }

    /// The numbers that it compares with.
    pub fn numbers(&self) -> Vec<u64> {
        let Condition::Compare(_, a, b) = &self.condition else { return Vec::new() };
        let number = |side: &Quantity| match side {
            Quantity::Number(n) => Some(*n),
            Quantity::Parameter(_, k) => self.arguments.get(*k).copied(),
            _ => None,
        };
        [a, b].into_iter().filter_map(number).collect()
    }
}

/// Whether a quantity is made of numbers and of values of variables, which are gathered.
fn are_values<'a>(quantity: &'a Quantity, all: &mut Vec<&'a ConditionVariable>) -> bool {
    match quantity {
        Quantity::Number(_) | Quantity::Parameter(..) => true,
        Quantity::Of(TermMeasure::Value, of) => {
            all.extend(of);
            true
        }
        Quantity::Add(a, b) | Quantity::Mul(a, b) => are_values(a, all) && are_values(b, all),
        Quantity::Size(_) | Quantity::Of(..) => false,
    }
}

/// What one variable stands for.
struct OnlyTerm<'a> {
    variable: usize,
    term: &'a Term,
}

impl Substitution for OnlyTerm<'_> {
    fn term(&self, j: usize) -> Option<Term> {
        (j == self.variable).then(|| self.term.clone())
    }

    fn size(&self, _: &Name) -> Option<Size> {
        None
    }
}
