//! Conditions: what must hold beyond the form of a term, as data.

use std::fmt;

use crate::ground::Name;
use crate::term::{Prim, Term};

use super::asked::Question;
use super::matching::Match;
use super::predicate::Predicate;
use super::quantity::{Quantity, compare};
use super::reason::Why;
use super::site::{Frame, Site};

/// A condition of a rule. It holds only where it certainly holds, for every value of the open sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Something holds of what variables stand for.
    Holds(Predicate, Vec<Variable>),
    /// Something doesn't.
    HoldsNot(Predicate, Vec<Variable>),
    /// A comparison of numbers.
    Compare(Prim, Quantity, Quantity),
    /// A function of a script says that it holds, or, with false, that it doesn't.
    Asks(Question, bool),
}

/// A variable that a condition speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// The number of a variable of the law; otherwise it is bound in the left side.
    pub of_law: Option<usize>,
    /// The way through the left side to where it first occurs, or to its binder.
    pub path: Vec<u32>,
}

impl Condition {
    /// The opposite.
    pub fn negate(self) -> Condition {
        match self {
            Condition::Holds(p, v) => Condition::HoldsNot(p, v),
            Condition::HoldsNot(p, v) => Condition::Holds(p, v),
            Condition::Compare(op, a, b) => Condition::Compare(opposite(op), a, b),
            Condition::Asks(question, wanted) => Condition::Asks(question, !wanted),
        }
    }

    /// That it holds here, or why the rule fails.
    pub(super) fn check(&self, found: &Match, site: &Site, arguments: &[u64]) -> Result<(), Why> {
        let holds = match self {
            Condition::Holds(p, all) => p.holds(all, found, site),
            Condition::HoldsNot(p, all) => !p.holds(all, found, site),
            Condition::Compare(op, a, b) => match (a.value(found, site, arguments), b.value(found, site, arguments)) {
                (Some(a), Some(b)) => compare(*op, &a, &b, site.bounds),
                _ => false,
            },
            Condition::Asks(question, wanted) => question.answer(found, site, arguments)? == *wanted,
        };
        if holds { Ok(()) } else { Err(Why::Condition(self.to_string().into())) }
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

impl Variable {
    /// Where it is bound, and to what.
    pub(super) fn bound<'a>(&self, found: &'a Match) -> Option<(&'a Term, Option<&'a Term>)> {
        match self.of_law {
            Some(_) => None,
            None => found.binders.iter().find(|b| b.name == self.name).map(|b| (&b.scope, b.value.as_ref())),
        }
    }

    /// What it stands for; of a variable that is bound by `let`, its value.
    pub(super) fn term<'a>(&self, found: &'a Match) -> Option<&'a Term> {
        match self.of_law {
            Some(j) => found.terms[j].as_ref(),
            None => self.bound(found)?.1,
        }
    }

    /// The term that stands where it first occurs in the left side, or that binds it, and the way there.
    pub(super) fn place(&self, matched: &Term) -> Option<(Vec<Frame>, Term)> {
        let mut here = matched.clone();
        let mut frames = Vec::with_capacity(self.path.len());
        for k in &self.path {
            let kid = *k as usize;
            if kid >= here.kid_count() {
                return None;
            }
            frames.push(Frame { term: here.clone(), kid });
            here = here.kid(kid);
        }
        Some((frames, here))
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |p: &Predicate, all: &[Variable]| {
            let word = Predicate::ALL.iter().find(|(_, q, _)| q == p).map_or("", |(word, ..)| word);
            let names: Vec<&str> = all.iter().map(|v| v.name.as_str()).collect();
            format!("{word}({})", names.join(", "))
        };
        match self {
            Condition::Holds(p, all) => f.write_str(&word(p, all)),
            Condition::HoldsNot(p, all) => write!(f, "not {}", word(p, all)),
            Condition::Compare(op, a, b) => write!(f, "{a} {} {b}", op.text()),
            Condition::Asks(question, true) => f.write_str(&question.text),
            Condition::Asks(question, false) => write!(f, "not {}", question.text),
        }
    }
}
