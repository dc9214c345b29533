//! Implements D, the dual-numbers transformation on types and terms: forward-mode automatic differentiation as a program
//! transformation.
//!
//! D turns every `real` into a pair of the number itself (the primal) and its rate of change (the tangent), and leaves
//! the shape of the program as it is (Shaikhha et al. 2019; Böhler et al. 2023, the figure that defines D, with its
//! misprints corrected: the primal of a product is a product, `fromInt` gives a pair). Start with [`dual`] for terms and
//! [`dual_type`] for types.
//!
//! * **Free variables** that hold data are constants: their reals get the tangent 0. A part of one, such as `v[i]`, is
//!   lifted where it is taken, so that reading a constant array costs no copy of it.
//! * **Operators** bind by `let` an operand that they use twice, unless it is a variable, and a result that they use
//!   twice. The primitives' table has the derivatives; `prim` makes them terms.
//! * The primal part computes exactly what the term computed, operation by operation.
//!
//! This module knows terms and nothing else: not how they are read, evaluated or printed.

mod activity;
mod dual_place;
mod lift;
mod prim;
mod scope;
mod uses;
mod walk;

pub use dual_place::{DualPlace, dual_place};

use std::fmt;

use rustc_hash::FxHashMap;

use crate::ground::{Budget, Limits, StopReason};
use crate::term::{IllTyped, Prim, Term, Type, TypeView};

/// The reason for which D can't be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdError {
    /// A type variable, or a type that isn't inferred yet: its D isn't known.
    TypeVariable(Type),
    /// A free variable that holds a function: its D isn't known where D is taken.
    FreeFunction {
        /// Its index in the context of the term.
        index: u32,
        /// Its type.
        ty: Type,
    },
    /// A primitive without a derivative.
    NotDifferentiable(Prim),
    /// A constant with so many parts that writing each with a tangent would outgrow any limit on terms.
    TooManyParts(Type),
    /// A limit ended it.
    Stopped(StopReason),
    /// A term that can't be made; never for a well-typed term.
    IllTyped(IllTyped),
}

impl fmt::Display for AdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AdError::TypeVariable(ty) => write!(f, "D of the type {ty} isn't known"),
            AdError::FreeFunction { ty, .. } => {
                write!(f, "D of a function of type {ty} that isn't known while the model is read")
            }
            AdError::NotDifferentiable(prim) => write!(f, "`{}` is not differentiable", prim.text()),
            AdError::TooManyParts(ty) => write!(f, "a constant of type {ty} has too many parts to be lifted by D"),
            AdError::Stopped(reason) => reason.fmt(f),
            AdError::IllTyped(why) => write!(f, "D made an ill-typed term: {why}"),
        }
    }
}

impl std::error::Error for AdError {}

impl From<StopReason> for AdError {
    fn from(reason: StopReason) -> AdError {
        AdError::Stopped(reason)
    }
}

impl From<IllTyped> for AdError {
    fn from(why: IllTyped) -> AdError {
        AdError::IllTyped(why)
    }
}

/// D of a type: `real` becomes `real * real`, `int` and `fin n` stay, everything else goes part by part. Takes time in
/// the number of different parts, however often they recur.
pub fn dual_type(ty: &Type) -> Result<Type, AdError> {
    DualTypes::default().of(ty)
}

/// D of a term, in the same context: a free variable of type α keeps its type and is lifted to D α where it is used.
/// The result has the type [`dual_type`] of the term's type. Takes time in the number of different subterms.
pub fn dual(term: &Term) -> Result<Term, AdError> {
    let limits = Limits { max_size: u64::MAX, max_depth: u32::MAX, ..Limits::default() };
    dual_within(term, &Budget::new(limits, None))
}

/// The same, as long as the budget allows it: D of D of a term grows with each.
pub fn dual_within(term: &Term, budget: &Budget) -> Result<Term, AdError> {
    walk::Differentiator::new(budget).dual(term)
}

/// [`dual_type`] with its results remembered.
#[derive(Default)]
pub(crate) struct DualTypes {
    duals: FxHashMap<u128, Type>,
    parts: FxHashMap<u128, u64>,
}

impl DualTypes {
    pub(crate) fn of(&mut self, ty: &Type) -> Result<Type, AdError> {
        if let Some(done) = self.duals.get(&ty.fingerprint()) {
            return Ok(done.clone());
        }
        let done = match ty.view() {
            TypeView::Real => Type::pair(ty.clone(), ty.clone()),
            TypeView::Int | TypeView::Fin(_) => ty.clone(),
            TypeView::Array(n, a) => Type::array(n.clone(), self.of(a)?),
            TypeView::Pair(a, b) => Type::pair(self.of(a)?, self.of(b)?),
            TypeView::Fun(a, b) => Type::fun(self.of(a)?, self.of(b)?),
            TypeView::Var(_) | TypeView::Unknown(_) => return Err(AdError::TypeVariable(ty.clone())),
        };
        self.duals.insert(ty.fingerprint(), done.clone());
        Ok(done)
    }

    /// The number of nodes of a type as a tree; saturates.
    fn parts(&mut self, ty: &Type) -> u64 {
        if let Some(count) = self.parts.get(&ty.fingerprint()) {
            return *count;
        }
        let count = match ty.view() {
            TypeView::Array(_, a) => self.parts(a).saturating_add(1),
            TypeView::Pair(a, b) => self.parts(a).saturating_add(self.parts(b)).saturating_add(1),
            _ => 1,
        };
        self.parts.insert(ty.fingerprint(), count);
        count
    }
}
