//! The right side of a law, with everything put in for its variables. Nothing can be captured, as nothing has a name.

use smallvec::SmallVec;

use crate::ground::Name;
use crate::term::{IllTyped, Kind, Term};

use super::law::CompiledLaw;
use super::matching::{Match, variable};
use super::reason::{Reason, Why};

/// The contractum. A size that can't be represented is a failure; nothing else can go wrong but by a bug.
pub(super) fn right_side(law: &CompiledLaw, found: &Match) -> Result<Term, Reason> {
    let right = law.right.assign(&found.sizes).map_err(|_| Reason::new(Why::TooLarge))?;
    Builder { law, found }.go(&right, 0).map_err(|_| Reason::new(Why::TooLarge))
}

/// The left side, its sizes and types already put in, with what the match says for its variables.
pub(super) fn left_side(law: &CompiledLaw, left: &Term, found: &Match) -> Result<Term, IllTyped> {
    Builder { law, found }.go(left, 0)
}

struct Builder<'a> {
    law: &'a CompiledLaw,
    found: &'a Match,
}

impl Builder<'_> {
    /// `right`, under `under` binders of the right side.
    fn go(&self, right: &Term, under: u32) -> Result<Term, IllTyped> {
        match variable(&self.law.vars, right, under) {
            Some((j, arguments)) => self.applied(j, &arguments, under),
            None => self.node(right, under),
        }
    }

    fn node(&self, right: &Term, under: u32) -> Result<Term, IllTyped> {
        let kind = right.kind();
        let kid = |k: usize| self.go(&right.kid(k), under + kind.binders(k));
        match kind {
            Kind::Lam(name, ty) => Term::lam(&self.hint(name), ty, kid(0)?),
            Kind::Let(name) => Term::let_in(&self.hint(name), kid(0)?, kid(1)?),
            _ => {
                let kids: Result<SmallVec<[Term; 2]>, IllTyped> = (0..right.kid_count()).map(kid).collect();
                right.with_kids(kids?)
            }
        }
    }

    /// `e(…)`: the body that e stands for, with the arguments in place of its variables.
    fn applied(&self, j: usize, arguments: &[Term], under: u32) -> Result<Term, IllTyped> {
        let arity = arguments.len() as u32;
        let body = self.term(j).shift_from(arity, under);
        let arguments: Result<Vec<Term>, IllTyped> = arguments.iter().map(|a| self.go(a, under)).collect();
        let mut done = body;
        for (k, argument) in arguments?.iter().enumerate().rev() {
            done = done.instantiate(&argument.shift(k as u32))?;
        }
        Ok(done)
    }

    /// What the law's variable stands for; the check of the law has seen to it that the left side has it.
    fn term(&self, j: usize) -> &Term {
        self.found.terms[j].as_ref().expect("a variable of the right side stands on the left")
    }

    /// The user's name for a binder of the left side with this name.
    fn hint(&self, name: &Name) -> Name {
        self.found.binders.iter().find(|b| b.name == *name).map_or_else(|| name.clone(), |b| b.hint.clone())
    }
}
