//! Says which parts of a value are active, so that D makes dual numbers of them, and which are constants and stay as they are.

use std::rc::Rc;

use super::{AdError, DualTypes};
use crate::term::{Type, TypeView};

/// The most parts that a type may have, counted as a tree, for its values to be told apart part by part.
const MAX_PARTS: u64 = 64;

/// Which parts of a value are active. Always in its simplest form ([`Activity::of`]), so that equal ones are equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Activity {
    /// A value of its own type: nothing that D is taken with respect to reaches it, or it holds no reals.
    Constant,
    /// A value of the type D α, or a function of that type.
    Active,
    /// A pair of halves that differ.
    Pair(Rc<(Activity, Activity)>),
    /// An array of elements that have constant parts and active ones.
    Array(Rc<Activity>),
}

impl Activity {
    /// That of a value of this type, of which nothing else is known.
    pub(super) fn of_type(ty: &Type, types: &mut DualTypes) -> Result<Activity, AdError> {
        Activity::Active.of(ty, types)
    }

    /// A pair's.
    pub(super) fn pair(first: Activity, second: Activity) -> Activity {
        if first == second && !matches!(first, Activity::Pair(_) | Activity::Array(_)) {
            return first;
        }
        Activity::Pair(Rc::new((first, second)))
    }

    /// An array's whose elements are so.
    pub(super) fn array(element: Activity) -> Activity {
        match element {
            Activity::Constant | Activity::Active => element,
            mixed => Activity::Array(Rc::new(mixed)),
        }
    }

    /// The simplest that says the same of values of this type: what holds no reals is constant, a function is active, and
    /// so is a value of a type with too many parts unless all of it is constant.
    pub(super) fn of(self, ty: &Type, types: &mut DualTypes) -> Result<Activity, AdError> {
        Ok(match self {
            _ if ty.has_function() => Activity::Active,
            _ if types.of(ty)? == *ty => Activity::Constant,
            Activity::Constant | Activity::Active => self,
            _ if !Activity::tells_parts(ty, types) => Activity::Active,
            mixed if mixed.ty(ty, types)? == types.of(ty)? => Activity::Active,
            mixed if mixed.ty(ty, types)? == *ty => Activity::Constant,
            mixed => mixed,
        })
    }

    /// Whether parts of values of this type are told apart.
    pub(super) fn tells_parts(ty: &Type, types: &mut DualTypes) -> bool {
        types.parts(ty) <= MAX_PARTS
    }

    /// The two halves of a pair.
    pub(super) fn halves(&self) -> (Activity, Activity) {
        match self {
            Activity::Pair(halves) => (halves.0.clone(), halves.1.clone()),
            whole => (whole.clone(), whole.clone()),
        }
    }

    /// The elements of an array.
    pub(super) fn element(&self) -> Activity {
        match self {
            Activity::Array(element) => (**element).clone(),
            whole => whole.clone(),
        }
    }

    /// Active where either is.
    pub(super) fn join(&self, other: &Activity) -> Activity {
        match (self, other) {
            (Activity::Constant, a) | (a, Activity::Constant) => a.clone(),
            (Activity::Active, _) | (_, Activity::Active) => Activity::Active,
            (Activity::Array(a), b) => Activity::array(a.join(&b.element())),
            (Activity::Pair(a), b) => {
                let (first, second) = b.halves();
                Activity::pair(a.0.join(&first), a.1.join(&second))
            }
        }
    }

    /// The type of what stands for a value of the type `ty`.
    pub(super) fn ty(&self, ty: &Type, types: &mut DualTypes) -> Result<Type, AdError> {
        Ok(match (self, ty.view()) {
            (Activity::Constant, _) => ty.clone(),
            (Activity::Pair(halves), TypeView::Pair(a, b)) => {
                let first = halves.0.ty(a, types)?;
                Type::pair(first, halves.1.ty(b, types)?)
            }
            (Activity::Array(element), TypeView::Array(n, a)) => Type::array(n.clone(), element.ty(a, types)?),
            _ => types.of(ty)?,
        })
    }
}
