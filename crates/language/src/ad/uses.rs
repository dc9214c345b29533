//! Finds what a function is applied to at all of its uses, so that D makes its parameters dual only where some use needs it.

use super::activity::Activity;
use super::scope::Scope;
use super::{AdError, DualTypes};
use crate::ground::Budget;
use crate::term::{Kind, Term};

/// The most subterms that are looked at for one function.
const MAX_VISITED: usize = 10_000;

/// A variable that is bound between the function's binder and the place that is looked at.
pub(super) enum InnerVariable {
    /// The function, perhaps by another name.
    Function,
    /// Anything else.
    Value(Activity),
}

/// Why there is no answer.
enum NoAnswer {
    /// The function is used in another way than by application, or there is too much to look at.
    Unknown,
    Error(AdError),
}

impl From<AdError> for NoAnswer {
    fn from(error: AdError) -> NoAnswer {
        NoAnswer::Error(error)
    }
}

/// A search through the scope of one function.
pub(super) struct UseSearch<'a> {
    pub(super) scope: &'a Scope,
    pub(super) types: &'a mut DualTypes,
    pub(super) budget: &'a Budget,
    /// The binders from the function's own inwards.
    pub(super) inner: Vec<InnerVariable>,
}

impl UseSearch<'_> {
    /// The activities of a function's first `arity` parameters in `body`, as far as all uses give them: each is at least
    /// that which D finds of the argument. The last isn't active, since that need not be said.
    pub(super) fn parameters(mut self, body: &Term, arity: usize) -> Result<Vec<Activity>, AdError> {
        let mut uses = Uses { arity, found: None, visited: 0 };
        match self.visit(body, &mut uses) {
            Err(NoAnswer::Error(error)) => return Err(error),
            Err(NoAnswer::Unknown) => return Ok(Vec::new()),
            Ok(()) => (),
        }
        let mut parameters = uses.found.unwrap_or_default();
        while parameters.last() == Some(&Activity::Active) {
            parameters.pop();
        }
        Ok(parameters)
    }

    fn visit(&mut self, term: &Term, uses: &mut Uses) -> Result<(), NoAnswer> {
        if !term.free().any(|(index, _)| self.is_function(index)) {
            return Ok(());
        }
        self.budget.tick().map_err(AdError::from)?;
        uses.visited += 1;
        match term.kind() {
            _ if uses.visited > MAX_VISITED => Err(NoAnswer::Unknown),
            Kind::Var => Err(NoAnswer::Unknown),
            Kind::App => self.application(term, uses),
            Kind::Let(_) => {
                let value = self.argument(&term.kid(0), uses)?;
                self.under(value, &term.kid(1), uses)
            }
            Kind::Lam(_, ty) => {
                let parameter = Activity::of_type(ty, self.types)?;
                self.under(InnerVariable::Value(parameter), &term.kid(0), uses)
            }
            Kind::Guard(..) => {
                [0, 2].into_iter().try_for_each(|k| self.visit(&term.kid(k), uses))?;
                self.under(InnerVariable::Value(Activity::Constant), &term.kid(1), uses)
            }
            _ => (0..term.kid_count()).try_for_each(|k| self.visit(&term.kid(k), uses)),
        }
    }

    fn under(&mut self, variable: InnerVariable, body: &Term, uses: &mut Uses) -> Result<(), NoAnswer> {
        self.inner.push(variable);
        let done = self.visit(body, uses);
        self.inner.pop();
        done
    }

    fn application(&mut self, term: &Term, uses: &mut Uses) -> Result<(), NoAnswer> {
        let (head, arguments) = spine(term);
        let is_use = matches!(head.kind(), Kind::Var) && self.is_function(head.places()[0]);
        if !is_use && !matches!(head.kind(), Kind::Lam(..)) {
            self.visit(&head, uses)?;
        }
        if is_use {
            arguments.iter().try_for_each(|argument| self.visit(argument, uses))?;
            let passed: Result<Vec<Activity>, AdError> = arguments.iter().map(|a| self.activity(a)).collect();
            return Ok(uses.add(&arguments, passed?, self.types)?);
        }
        let passed: Result<Vec<_>, NoAnswer> = arguments.iter().map(|a| self.argument(a, uses)).collect();
        let (outside, mut body) = (self.inner.len(), head);
        for variable in passed? {
            let Kind::Lam(..) = body.kind() else { break };
            self.inner.push(variable);
            body = body.kid(0);
        }
        let done = if self.inner.len() > outside { self.visit(&body, uses) } else { Ok(()) };
        self.inner.truncate(outside);
        done
    }

    /// What a value is that gets a name.
    fn argument(&mut self, value: &Term, uses: &mut Uses) -> Result<InnerVariable, NoAnswer> {
        if matches!(value.kind(), Kind::Var) && self.is_function(value.places()[0]) {
            return Ok(InnerVariable::Function);
        }
        self.visit(value, uses)?;
        Ok(InnerVariable::Value(self.activity(value)?))
    }

    fn is_function(&self, index: u32) -> bool {
        matches!(self.inner_at(index), Some(InnerVariable::Function))
    }

    fn inner_at(&self, index: u32) -> Option<&InnerVariable> {
        self.inner.len().checked_sub(1 + index as usize).map(|k| &self.inner[k])
    }

    /// At least the activity that D finds.
    fn activity(&mut self, term: &Term) -> Result<Activity, AdError> {
        let constant = |index| self.variable(index) == Activity::Constant;
        let activity = match term.kind() {
            _ if term.free().all(|(index, free)| constant(index) && !free.ty.has_function()) => Activity::Constant,
            Kind::Var => self.variable(term.places()[0]),
            Kind::Fst => self.activity(&term.kid(0))?.halves().0,
            Kind::Snd => self.activity(&term.kid(0))?.halves().1,
            Kind::Get => self.activity(&term.kid(0))?.element(),
            Kind::Pair if Activity::tells_parts(term.ty(), self.types) => {
                let first = self.activity(&term.kid(0))?;
                Activity::pair(first, self.activity(&term.kid(1))?)
            }
            _ => Activity::Active,
        };
        activity.of(term.ty(), self.types)
    }

    fn variable(&self, index: u32) -> Activity {
        match self.inner_at(index) {
            Some(InnerVariable::Function) => Activity::Active,
            Some(InnerVariable::Value(activity)) => activity.clone(),
            None => self.scope.activity(index - self.inner.len() as u32),
        }
    }
}

/// What was found so far.
struct Uses {
    arity: usize,
    found: Option<Vec<Activity>>,
    visited: usize,
}

impl Uses {
    /// A use adds what it passes; parameters that it doesn't give aren't known.
    fn add(&mut self, arguments: &[Term], passed: Vec<Activity>, types: &mut DualTypes) -> Result<(), AdError> {
        let passed = passed.into_iter().take(self.arity);
        self.found = Some(match self.found.take() {
            None => passed.collect(),
            Some(found) => {
                let joined = found.iter().zip(passed).zip(arguments);
                joined.map(|((a, b), argument)| a.join(&b).of(argument.ty(), types)).collect::<Result<_, _>>()?
            }
        });
        Ok(())
    }
}

/// The function of an application to several arguments, and these.
pub(super) fn spine(application: &Term) -> (Term, Vec<Term>) {
    let (mut head, mut arguments) = (application.clone(), Vec::new());
    while let Kind::App = head.kind() {
        arguments.push(head.kid(1));
        head = head.kid(0);
    }
    arguments.reverse();
    (head, arguments)
}
