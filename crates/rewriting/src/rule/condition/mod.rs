//! A [`Condition`] says, as data, what must hold beyond the form of a term. It asks a [`Substitution`] what a law's variables
//! stand for, and knows nothing of how that was found.

mod asked;
mod cheap;
mod enclosing;
mod facts;
mod meaning;
mod of_variable;
mod predicate;
mod quantity;
mod question;
mod read;

use std::fmt;

use redexter_language::ground::{Name, text::listed};
use redexter_language::term::{Kind, Prim, PrimClass, Size, Term, TermRef};

use super::focus::{Focus, Frame};
use super::reason::FailureCause;
use quantity::{compare, compare_numbers};
use question::ConditionQuestion;

pub(super) use cheap::{indexed, is_cheap, levels};
pub(super) use enclosing::EnclosingMarks;
pub(super) use facts::way;
pub use facts::{ConditionFacts, EnclosingBinder, Occurrences};
pub use of_variable::VariableCondition;
pub use predicate::Predicate;
pub use quantity::{Quantity, TermMeasure};
pub use question::{ConditionFunctions, Decision, QuestionSubject};
use read::MATCHES;

pub(super) use asked::AskedPattern;
pub(super) use read::conditions;

/// A condition of a rule. It holds only where it certainly holds, for every value of the open sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Something holds of what variables stand for.
    Holds(Predicate, Vec<ConditionVariable>),
    /// Something doesn't.
    HoldsNot(Predicate, Vec<ConditionVariable>),
    /// A comparison of numbers.
    Compare(Prim, Quantity, Quantity),
    /// A function of a script says that it holds, or, with false, that it doesn't.
    Asks(ConditionQuestion, bool),
    /// What a variable stands for matches a pattern, or, with false, doesn't.
    Matches(ConditionVariable, AskedPattern, bool),
}

/// A variable that a condition speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionVariable {
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
            Condition::Matches(variable, pattern, wanted) => Condition::Matches(variable, pattern, !wanted),
        }
    }

    /// The sizes of the law that it speaks of.
    pub(super) fn sizes(&self) -> Vec<&Name> {
        match self {
            Condition::Holds(..) | Condition::HoldsNot(..) | Condition::Matches(..) => Vec::new(),
            Condition::Compare(_, a, b) => [a.sizes(), b.sizes()].concat(),
            Condition::Asks(question, _) => question.sizes(),
        }
    }

    /// Whether it holds here; a script's function may go wrong.
    #[inline]
    pub(super) fn holds(
        &self,
        found: &dyn Substitution,
        focus: &Focus,
        arguments: &[u64],
    ) -> Result<bool, Box<FailureCause>> {
        Ok(match self {
            Condition::Holds(p, all) => p.holds(all, found, focus),
            Condition::HoldsNot(p, all) => !p.holds(all, found, focus),
            // Plain numbers are compared as they are, because sizes would have to be made first.
            Condition::Compare(op, a, b) => match (a.plain(focus, arguments), b.plain(focus, arguments)) {
                (Some(a), Some(b)) => compare_numbers(*op, a, b),
                _ => match (a.value(found, focus, arguments), b.value(found, focus, arguments)) {
                    (Some(a), Some(b)) => compare(*op, &a, &b, focus.bounds),
                    _ => false,
                },
            },
            Condition::Asks(question, wanted) => question.answer(found, focus, arguments)? == *wanted,
            Condition::Matches(variable, pattern, wanted) => {
                let term = variable.term(found, focus.term);
                let matches = |term: Term| pattern.matches(&Focus::root(&term, focus.bounds));
                // Where the variable stands for no term neither the condition nor its opposite holds.
                term.map(matches) == Some(*wanted)
            }
        })
    }
}

/// The comparison that holds just where this one doesn't. Three pairs of numbers tell, because a comparison hangs only on
/// whether the first number is less, equal or greater.
fn opposite(op: Prim) -> Prim {
    let apart = |other: &Prim| {
        let differ = |(a, b)| compare_numbers(op, a, b) != compare_numbers(*other, a, b);
        other.class() == PrimClass::Comparison && [(0, 1), (0, 0), (1, 0)].into_iter().all(differ)
    };
    Prim::ALL.iter().copied().find(apart).unwrap_or(op)
}

/// The substitution that a match has found for a law's variables, as conditions ask for it.
pub(super) trait Substitution {
    /// The term for a variable of the law, under as many binders as that takes arguments.
    fn term(&self, j: usize) -> Option<Term>;
    /// A size of the law.
    fn size(&self, name: &Name) -> Option<Size>;
}

impl ConditionVariable {
    /// Where in the matched term it is bound, as variable 0, and to what; other indices mean nothing.
    pub(super) fn bound<'a>(&self, matched: &'a Term) -> Option<(TermRef<'a>, Option<TermRef<'a>>)> {
        if self.of_law.is_some() {
            return None;
        }
        let below = |here: TermRef<'a>, k: &u32| ((*k as usize) < here.kid_count()).then(|| here.part(*k as usize));
        let binder = self.path.iter().try_fold(matched.as_part(), below)?;
        match binder.kind() {
            Kind::Lam(..) => Some((binder.part(0), None)),
            Kind::Let(_) => Some((binder.part(1), Some(binder.part(0)))),
            Kind::Guard(..) => Some((binder.part(1), None)),
            Kind::App | Kind::If | Kind::Ifold(_) | Kind::Build(_) | Kind::Array(_) | Kind::Get | Kind::Pair => None,
            Kind::Scan(_) | Kind::Scanr(_) | Kind::Scatter(..) | Kind::Pull | Kind::Plus => None,
            Kind::Fst | Kind::Snd | Kind::Prim(_) | Kind::Within(_) => None,
            Kind::Var | Kind::Real(_) | Kind::Int(_) | Kind::Fin(..) | Kind::SizeVar(_) => None,
        }
    }

    /// What it stands for; of a variable that is bound by `let`, its value, in which indices mean nothing.
    pub(super) fn term(&self, found: &dyn Substitution, matched: &Term) -> Option<Term> {
        match self.of_law {
            Some(j) => found.term(j),
            None => self.bound(matched)?.1.map(TermRef::to_term),
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
        let word = |p: &Predicate, all: &[ConditionVariable]| {
            let word = Predicate::ALL.iter().find(|(_, q, _)| q == p).map_or("", |(word, ..)| word);
            format!("{word}({})", listed(all.iter().map(|v| &v.name)))
        };
        match self {
            Condition::Holds(p, all) => f.write_str(&word(p, all)),
            Condition::HoldsNot(p, all) => write!(f, "not {}", word(p, all)),
            Condition::Compare(op, a, b) => write!(f, "{a} {} {b}", op.text()),
            Condition::Asks(question, true) => f.write_str(&question.text),
            Condition::Asks(question, false) => write!(f, "not {}", question.text),
            Condition::Matches(variable, pattern, wanted) => {
                let not = if *wanted { "" } else { "not " };
                write!(f, "{not}{MATCHES}({}, `{pattern}`)", variable.name)
            }
        }
    }
}
