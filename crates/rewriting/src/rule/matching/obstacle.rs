//! An [`Obstacle`] is what is in the way of a law: it is made at every attempt that fails, and put into words only when somebody
//! asks.

use redexter_language::term::Term;

use super::super::condition::Condition;
use super::super::footprint::{KidSet, Miss, below};
use super::super::reason::{FailureCause, Reason};
use super::CompiledLaw;

/// The first obstacle to a law, by number where there are several of a kind.
#[derive(Debug)]
pub(in super::super) enum Obstacle {
    /// A constructor, or a bound variable: that of some node.
    Form,
    /// What stands for a variable of the law mentions a binder that it may not mention.
    Captures(usize),
    /// A variable with projections for arguments: the same.
    Projects(usize),
    /// A variable of the law would stand for two different terms.
    Differs(usize),
    /// Types or sizes; whether terms had to be looked at for them.
    Types(bool),
    /// A size is too small.
    Bound(usize),
    /// A condition doesn't hold.
    Condition(usize),
    /// A function of a script that is asked goes wrong, or reaches a limit.
    Wrong(Box<FailureCause>),
    /// The contractum can't be represented.
    TooLarge,
}

impl Obstacle {
    /// On how much of the term it hangs.
    #[inline]
    pub(in super::super) fn miss(self, law: &CompiledLaw, term: &Term) -> Miss {
        match self {
            Obstacle::Condition(k) => {
                let (condition, deep) = &law.conditions[k];
                Miss::of(below(condition, *deep, term))
            }
            // Whole subterms were gone through, so that a change anywhere in them may help.
            Obstacle::Projects(_) | Obstacle::Differs(_) => Miss::Deep(KidSet::ALL),
            Obstacle::Types(deep) => Miss::when(deep),
            Obstacle::Wrong(why) => match *why {
                // A limit must not pass for a failure, because the run has to end.
                FailureCause::Stopped(reason) => Miss::Stopped(reason),
                _ => Miss::Deep(KidSet::ALL),
            },
            // These hang on constructors, on which bound variables occur, and on types: just what `Miss::Near` covers.
            Obstacle::Form | Obstacle::Captures(_) | Obstacle::Bound(_) | Obstacle::TooLarge => Miss::Near,
        }
    }

    /// Why the law doesn't apply to the term, and how far it came.
    pub(in super::super) fn reason(self, law: &CompiledLaw, term: &Term) -> Reason {
        let name = |j: usize| law.law.vars[j].name.clone();
        let (why, progress) = match self {
            Obstacle::Form => return law.misfit(term),
            Obstacle::Captures(j) | Obstacle::Projects(j) => (FailureCause::Captures(name(j)), law.inner),
            Obstacle::Differs(j) => (FailureCause::Differs(name(j)), law.inner),
            Obstacle::Types(_) => (FailureCause::Type, law.inner),
            Obstacle::Bound(k) => {
                let (name, _, lower) = &law.bounds[k];
                (FailureCause::Condition(format!("{name} >= {lower}").into()), law.law.left.size() as usize)
            }
            Obstacle::Condition(k) => {
                let condition: &Condition = &law.conditions[k].0;
                (FailureCause::Condition(condition.to_string().into()), law.law.left.size() as usize)
            }
            Obstacle::Wrong(why) => (*why, law.law.left.size() as usize),
            Obstacle::TooLarge => (FailureCause::TooLarge, 0),
        };
        Reason { progress: progress as u32, ..Reason::new(why) }
    }
}
