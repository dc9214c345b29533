//! Knows of each variable that is bound inside the walked term whether a tangent can reach it.

use std::rc::Rc;

use super::activity::Activity;
use super::{AdError, DualTypes};
use crate::term::{Kind, Term, Type, TypeView};

/// What stands for a variable that is bound inside the walked term.
#[derive(Clone)]
pub(super) enum Binding {
    /// A value, or a function of which nothing is known.
    Value(Activity),
    /// A dual function.
    Function {
        /// The λ that it is, with the number of binders around that, where it is known.
        known: Option<(Term, usize)>,
        /// What it is applied to at all of its uses, for as many parameters as are known; each other one is dual.
        parameters: Rc<[Activity]>,
    },
}

/// The binders around the place where D is being taken, from the outside.
#[derive(Default)]
pub(super) struct Scope(Vec<Binding>);

impl Scope {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn enter(&mut self, binding: Binding) {
        self.0.push(binding);
    }

    pub(super) fn leave(&mut self) {
        self.0.pop();
    }

    /// What a variable is; `None` for one that is bound outside the walked term, a constant.
    pub(super) fn at(&self, index: u32) -> Option<&Binding> {
        self.0.len().checked_sub(1 + index as usize).map(|k| &self.0[k])
    }

    /// The activity of a variable.
    pub(super) fn activity(&self, index: u32) -> Activity {
        match self.at(index) {
            None => Activity::Constant,
            Some(Binding::Value(activity)) => activity.clone(),
            Some(Binding::Function { .. }) => Activity::Active,
        }
    }

    /// The rule by which constants stay what they are: the term is of first order, and no active variable occurs in it.
    pub(super) fn is_constant(&self, term: &Term) -> bool {
        let constant = |index: u32| matches!(self.at(index), None | Some(Binding::Value(Activity::Constant)));
        !term.ty().has_function() && term.free().all(|(i, free)| constant(i) && !free.ty.has_function())
    }

    /// Whether an active variable occurs in a function, other than functions.
    pub(super) fn is_active(&self, function: &Term) -> bool {
        let active = |index: u32| matches!(self.at(index), Some(Binding::Value(a)) if *a != Activity::Constant);
        function.free().any(|(i, free)| active(i) && !free.ty.has_function())
    }

    /// The λ that a function is, in the scope of this place.
    pub(super) fn known(&self, function: &Term) -> Option<Term> {
        match function.kind() {
            Kind::Lam(..) => Some(function.clone()),
            Kind::Var => match self.at(function.places()[0])? {
                Binding::Function { known: Some((known, outer)), .. } => Some(known.shift((self.len() - outer) as u32)),
                _ => None,
            },
            _ => None,
        }
    }

    /// What a function is applied to at all of its uses, where it is a variable.
    pub(super) fn parameters(&self, function: &Term) -> Rc<[Activity]> {
        match function.kind() {
            Kind::Var => match self.at(function.places()[0]) {
                Some(Binding::Function { parameters, .. }) => parameters.clone(),
                _ => Rc::default(),
            },
            _ => Rc::default(),
        }
    }
}

/// The type of a dual function with such parameters.
pub(super) fn function_type(ty: &Type, parameters: &[Activity], types: &mut DualTypes) -> Result<Type, AdError> {
    match (ty.view(), parameters) {
        (TypeView::Fun(a, b), [first, rest @ ..]) => {
            let parameter = first.ty(a, types)?;
            Ok(Type::fun(parameter, function_type(b, rest, types)?))
        }
        _ => types.of(ty),
    }
}
