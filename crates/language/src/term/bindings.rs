//! Binds size and type variables, by their names, to what they stand for.

use std::collections::BTreeMap;

use super::size::{Size, SizeAtom};
use super::types::{Assignment, Type, TypeMemo, TypeView};
use crate::ground::Name;

/// Sizes and types by the names of the variables that they stand for; the others stand for themselves.
#[derive(Clone, Debug, Default)]
pub struct Bindings {
    /// What size variables stand for.
    pub sizes: BTreeMap<Name, Size>,
    /// What type variables stand for.
    pub types: BTreeMap<Name, Type>,
}

impl Assignment for Bindings {
    fn size(&self, atom: &SizeAtom) -> Option<Size> {
        match atom {
            SizeAtom::Var(name) => self.sizes.get(name).cloned(),
            SizeAtom::Unknown(_) => None,
        }
    }

    fn ty(&self, leaf: &TypeView, _: &mut TypeMemo) -> Option<Type> {
        match leaf {
            TypeView::Var(name) => self.types.get(name).cloned(),
            _ => None,
        }
    }
}
