//! Locates a law's types and sizes in a term that it matches: by a node, what is read there, and steps into the type.

use smallvec::SmallVec;

use redexter_language::term::{Node, Size, Type, TypeView};

/// A type or a size of a term that has the left side's form: where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TypeLocation {
    /// The number of the pattern's node.
    pub(super) node: usize,
    /// What is read there.
    pub(super) from: LocationRoot,
    /// The way from there into the type.
    pub(super) steps: SmallVec<[TypeStep; 4]>,
}

/// The type or size of a node from which reading starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LocationRoot {
    /// Its type.
    Type,
    /// The type of a λ's parameter or of an array's elements.
    Held,
    /// A size of a loop or of an index, by its number.
    Size(usize),
}

/// A step into a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TypeStep {
    /// An array's element, a pair's first half, a function's argument.
    First,
    /// A pair's second half, a function's result.
    Second,
    /// An array's or an index's size, at the end.
    Size,
}

/// An equation between a type or size of the law and the one that the term has at a certain place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TypeEquation {
    Type(Type, TypeLocation),
    Size(Size, TypeLocation),
    /// A size of the law that stands as a term at this node.
    Value(Size, usize),
}

impl TypeLocation {
    pub(super) fn at(node: usize, from: LocationRoot) -> TypeLocation {
        TypeLocation { node, from, steps: SmallVec::new() }
    }

    pub(super) fn step(&self, step: TypeStep) -> TypeLocation {
        let mut next = self.clone();
        next.steps.push(step);
        next
    }

    /// Does something one step further; nothing is copied for it.
    pub(super) fn behind(&mut self, step: TypeStep, work: impl FnOnce(&mut TypeLocation)) {
        self.steps.push(step);
        work(self);
        self.steps.pop();
    }
}

impl TypeLocation {
    /// The type that stands there in the part at this node.
    pub(super) fn ty<'a>(&self, part: &'a Node) -> Option<&'a Type> {
        into(self.whole(part)?, &self.steps)
    }

    /// The size that stands there in the part at this node.
    pub(super) fn size<'a>(&self, part: &'a Node) -> Option<&'a Size> {
        // A size that a constructor holds is read as it is; steps lead into types only.
        if let LocationRoot::Size(k) = self.from {
            return part.kind().held_sizes().nth(k);
        }
        // The last step is the one to the size itself, so that the others lead to the type that has it.
        let (_, steps) = self.steps.split_last()?;
        match into(self.whole(part)?, steps)?.view() {
            TypeView::Fin(n) | TypeView::Array(n, _) => Some(n),
            _ => None,
        }
    }

    /// The type into which the steps go.
    fn whole<'a>(&self, part: &'a Node) -> Option<&'a Type> {
        match self.from {
            LocationRoot::Type => Some(part.ty()),
            LocationRoot::Held => part.kind().held_type(),
            LocationRoot::Size(_) => None,
        }
    }
}

fn into<'a>(ty: &'a Type, steps: &[TypeStep]) -> Option<&'a Type> {
    steps.iter().try_fold(ty, |ty, step| match (ty.view(), step) {
        (TypeView::Array(_, a), TypeStep::First) => Some(a),
        (TypeView::Pair(a, _) | TypeView::Fun(a, _), TypeStep::First) => Some(a),
        (TypeView::Pair(_, b) | TypeView::Fun(_, b), TypeStep::Second) => Some(b),
        _ => None,
    })
}
