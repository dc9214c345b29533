//! Defines types over metavariables: constructors and primitives say with them, as data, what types a node and its children
//! have.

use super::size::Size;
use super::types::{Type, TypeView};

/// A type over metavariables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetaType {
    /// Any type, the same for each occurrence of the number.
    Var(u8),
    /// The same, of a type that is made of reals: a real, pairs and arrays of such.
    Reals(u8),
    /// `real`
    Real,
    /// `int`
    Int,
    /// `fin n`
    Fin(MetaSize),
    /// `array n a`
    Array(MetaSize, &'static MetaType),
    /// `a * b`
    Pair(&'static MetaType, &'static MetaType),
    /// `a -> b`
    Fun(&'static MetaType, &'static MetaType),
}

/// A size over metavariables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetaSize {
    /// Any size, the same for each occurrence of the number.
    Var(u8),
    /// The sum of both.
    Sum(u8, u8),
    /// The sum of one and the literal that the primitive holds.
    Shifted(u8),
    /// The number of children.
    Count,
}

/// The types and sizes that the metavariables of one scheme stand for.
#[derive(Clone, Copy, Debug, Default)]
pub struct MetaBindings<'a> {
    /// By number.
    pub types: [Option<&'a Type>; 2],
    /// By number.
    pub sizes: [Option<&'a Size>; 2],
    /// What [`MetaSize::Shifted`] adds, and what [`MetaSize::Count`] is.
    pub literal: u64,
}

impl MetaType {
    /// Whether the type is of this form; metavariables stand for what they stand for first.
    pub(super) fn fits<'a>(&self, ty: &'a Type, metas: &mut MetaBindings<'a>) -> bool {
        match (self, ty.view()) {
            (MetaType::Reals(_), _) if !ty.is_of_reals() => false,
            (MetaType::Var(k) | MetaType::Reals(k), _) => match &mut metas.types[usize::from(*k)] {
                Some(known) => *known == ty,
                unknown => {
                    *unknown = Some(ty);
                    true
                }
            },
            (MetaType::Real, TypeView::Real) | (MetaType::Int, TypeView::Int) => true,
            (MetaType::Fin(n), TypeView::Fin(m)) => n.fits(m, metas),
            (MetaType::Array(n, a), TypeView::Array(m, b)) => n.fits(m, metas) && a.fits(b, metas),
            (MetaType::Pair(a, b), TypeView::Pair(c, d)) | (MetaType::Fun(a, b), TypeView::Fun(c, d)) => {
                a.fits(c, metas) && b.fits(d, metas)
            }
            _ => false,
        }
    }

    /// The type, where all that it mentions is known and no size is too large.
    pub fn known(&self, metas: &MetaBindings) -> Option<Type> {
        Some(match self {
            MetaType::Var(k) | MetaType::Reals(k) => metas.types[usize::from(*k)]?.clone(),
            MetaType::Real => Type::real(),
            MetaType::Int => Type::int(),
            MetaType::Fin(n) => Type::fin(n.known(metas)?),
            MetaType::Array(n, a) => Type::array(n.known(metas)?, a.known(metas)?),
            MetaType::Pair(a, b) => Type::pair(a.known(metas)?, b.known(metas)?),
            MetaType::Fun(a, b) => Type::fun(a.known(metas)?, b.known(metas)?),
        })
    }
}

impl MetaType {
    /// Whether one metavariable for types stands in it more than once.
    pub(super) fn mentions_twice(&self) -> bool {
        fn walk(ty: &MetaType, met: &mut u8) -> bool {
            match ty {
                MetaType::Var(k) | MetaType::Reals(k) => {
                    let again = *met >> k & 1 == 1;
                    *met |= 1 << k;
                    again
                }
                MetaType::Real | MetaType::Int | MetaType::Fin(_) => false,
                MetaType::Array(_, a) => walk(a, met),
                MetaType::Pair(a, b) | MetaType::Fun(a, b) => walk(a, met) || walk(b, met),
            }
        }
        walk(self, &mut 0)
    }

    /// Its parts beside those of a type of the same form; `None` where the form differs, or has no parts.
    pub(super) fn parts<'a>(&self, ty: &'a Type) -> Option<[(&'static MetaType, &'a Type); 2]> {
        match (self, ty.view()) {
            (MetaType::Pair(a, b), TypeView::Pair(c, d)) | (MetaType::Fun(a, b), TypeView::Fun(c, d)) => {
                Some([(*a, c), (*b, d)])
            }
            (MetaType::Array(_, a), TypeView::Array(_, b)) => Some([(*a, b); 2]),
            _ => None,
        }
    }

    /// Its outermost form in words.
    pub(super) fn form(&self) -> &'static str {
        match self {
            MetaType::Var(_) => "another type",
            MetaType::Reals(_) => "reals",
            MetaType::Real => "a real",
            MetaType::Int => "an int",
            MetaType::Fin(_) => "an index",
            MetaType::Array(..) => "an array",
            MetaType::Pair(..) => "a pair",
            MetaType::Fun(..) => "a function",
        }
    }
}

impl MetaSize {
    fn fits<'a>(&self, size: &'a Size, metas: &mut MetaBindings<'a>) -> bool {
        match self {
            MetaSize::Var(k) => match &mut metas.sizes[usize::from(*k)] {
                Some(known) => *known == size,
                unknown => {
                    *unknown = Some(size);
                    true
                }
            },
            computed => computed.known(metas).is_some_and(|known| known == *size),
        }
    }

    /// The size, where all that it mentions is known and it isn't too large.
    pub fn known(&self, metas: &MetaBindings) -> Option<Size> {
        let var = |k: u8| metas.sizes[usize::from(k)];
        match self {
            MetaSize::Var(k) => var(*k).cloned(),
            MetaSize::Sum(a, b) => var(*a)?.plus(var(*b)?),
            MetaSize::Shifted(k) => var(*k)?.plus(&Size::literal(metas.literal)),
            MetaSize::Count => Some(Size::literal(metas.literal)),
        }
    }
}
