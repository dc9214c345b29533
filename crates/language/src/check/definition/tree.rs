//! Defines typed trees: inference makes one of a definition's raw tree, before definitions unfold and D is taken.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::{ByType, Definition};
use crate::ground::{Name, Span};
use crate::term::{Kind, Size, Type};

/// A typed expression.
pub(in super::super) struct TypedTree {
    pub(in super::super) kind: TypedTreeKind,
    pub(in super::super) ty: Type,
    pub(in super::super) span: Span,
}

pub(in super::super) enum TypedTreeKind {
    /// A variable, by its number from the outermost binder of the definition.
    Local(usize),
    /// A size as an `int`.
    Size(Size),
    /// A definition at some sizes and types, in the order of its implicit parameters.
    Global(Rc<Definition>, Vec<Size>, Vec<Type>),
    /// A numeral.
    Number(Numeral),
    App(Box<TypedTree>, Box<TypedTree>),
    Lam(Name, Type, Box<TypedTree>),
    Let(Name, Box<TypedTree>, Box<TypedTree>),
    /// A guard: the name and the size of its index, the number, and what stands in range and out of it.
    Guard(Name, Size, Box<[TypedTree; 3]>),
    /// A constructor that binds nothing, around its children. `+` of a `fin` and a bare numeral is still `Add` here.
    Node(Kind, Vec<TypedTree>),
    D(Box<TypedTree>),
    /// `keep e`
    Keep(Box<TypedTree>),
    /// What a definition by type makes of its parameters.
    ByType(ByType, Vec<TypedTree>),
}

/// A numeral as written.
#[derive(Clone, Debug)]
pub(in super::super) struct Numeral {
    pub(in super::super) text: Name,
    /// A minus sign stands directly before it.
    pub(in super::super) negative: bool,
    /// It stands without ascription.
    pub(in super::super) bare: bool,
}

/// The direct parts of a tree, borrowed as its kind is.
macro_rules! parts {
    ($kind:expr, $iter:ident, $deref:ident) => {
        match $kind {
            TypedTreeKind::Local(_) | TypedTreeKind::Size(_) | TypedTreeKind::Global(..) | TypedTreeKind::Number(_) => {
                SmallVec::new()
            }
            TypedTreeKind::Guard(_, _, all) => all.$iter().collect(),
            TypedTreeKind::Node(_, all) | TypedTreeKind::ByType(_, all) => all.$iter().collect(),
            TypedTreeKind::App(a, b) | TypedTreeKind::Let(_, a, b) => smallvec![a.$deref(), b.$deref()],
            TypedTreeKind::Lam(_, _, a) | TypedTreeKind::D(a) | TypedTreeKind::Keep(a) => smallvec![a.$deref()],
        }
    };
}

impl TypedTree {
    /// Whether it is a numeral without sign or ascription: one that `i + 1` and `i < 3` read in their own way.
    pub(in super::super) fn is_bare_number(&self) -> bool {
        matches!(&self.kind, TypedTreeKind::Number(n) if n.bare && !n.negative)
    }

    /// A spine of applications: the function at its head and the arguments, left to right.
    pub(in super::super) fn spine(&self) -> (&TypedTree, Vec<&TypedTree>) {
        let (mut head, mut arguments) = (self, Vec::new());
        while let TypedTreeKind::App(f, a) = &head.kind {
            arguments.push(&**a);
            head = f;
        }
        arguments.reverse();
        (head, arguments)
    }

    /// Its direct parts.
    pub(in super::super) fn parts(&self) -> SmallVec<[&TypedTree; 3]> {
        parts!(&self.kind, iter, as_ref)
    }

    /// Its direct parts, to be changed.
    pub(in super::super) fn parts_mut(&mut self) -> SmallVec<[&mut TypedTree; 3]> {
        parts!(&mut self.kind, iter_mut, as_mut)
    }
}
