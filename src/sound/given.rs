//! What a law's sizes and types stand for in one instance.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::grow::Grower;
use crate::ground::Name;
use crate::rule::CompiledLaw;
use crate::term::{Assignment, Atom, Size, Term, Type, TypeMemo, TypeView};

/// Names of open sizes.
const OPEN: &[&str] = &["n", "m", "k"];

/// Sizes and types by the law's names for them.
#[derive(Default)]
pub(super) struct Given {
    sizes: BTreeMap<Name, Size>,
    types: BTreeMap<Name, Type>,
}

impl Assignment for Given {
    fn size(&self, atom: &Atom) -> Option<Size> {
        match atom {
            Atom::Var(name) => self.sizes.get(name).cloned(),
            Atom::Unknown(_) => None,
        }
    }

    fn ty(&self, leaf: &TypeView, _: &mut TypeMemo) -> Option<Type> {
        match leaf {
            TypeView::Var(name) => self.types.get(name).cloned(),
            _ => None,
        }
    }
}

/// Replaces nothing, and remembers what it was asked for.
#[derive(Default)]
struct Asked {
    sizes: RefCell<BTreeSet<Name>>,
    types: RefCell<BTreeSet<Name>>,
}

impl Assignment for Asked {
    fn size(&self, atom: &Atom) -> Option<Size> {
        if let Atom::Var(name) = atom {
            self.sizes.borrow_mut().insert(name.clone());
        }
        None
    }

    fn ty(&self, leaf: &TypeView, _: &mut TypeMemo) -> Option<Type> {
        if let TypeView::Var(name) = leaf {
            self.types.borrow_mut().insert(name.clone());
        }
        None
    }
}

impl Given {
    /// Sizes and types for a law, chosen by the grower, which then has these sizes to choose from.
    pub(super) fn choose(law: &CompiledLaw, grower: &mut Grower) -> Option<Given> {
        let asked = Asked::default();
        let mut memo = TypeMemo::default();
        law.left().assign(&asked).ok()?;
        for var in law.vars() {
            var.ty.assign(&asked, &mut memo).ok()?;
        }
        let mut given = Given::default();
        for name in asked.sizes.into_inner() {
            let size = choose_size(law.lower(&name), grower)?;
            grower.sizes.push(size.clone());
            given.sizes.insert(name, size);
        }
        for name in asked.types.into_inner() {
            let ty = grower.ty(true);
            given.types.insert(name, ty);
        }
        Some(given)
    }

    pub(super) fn ty(&self, ty: &Type) -> Option<Type> {
        ty.assign(self, &mut TypeMemo::default()).ok()
    }

    /// A random term for each variable of the law, under one binder for each of its arguments.
    pub(super) fn terms(&self, law: &CompiledLaw, grower: &mut Grower) -> Option<Vec<Term>> {
        law.vars()
            .iter()
            .map(|var| {
                let mut ty = self.ty(&var.ty)?;
                let mut arguments = Vec::new();
                for _ in 0..var.arity {
                    let TypeView::Fun(from, to) = ty.view().clone() else { return None };
                    arguments.push(from);
                    ty = to;
                }
                let fuel = grower.random.below(4) as u32;
                grower.body(&arguments, &ty, fuel)
            })
            .collect()
    }
}

/// A number, an open size, or one more than an open size; never below `lower`.
pub(super) fn choose_size(lower: u64, grower: &mut Grower) -> Option<Size> {
    let roll = grower.random.below(100);
    if roll < 30 {
        return Some(Size::literal(lower.max(grower.random.below(4) as u64)));
    }
    let name: &&str = grower.random.pick(OPEN);
    let name = Name::new(name);
    let open = Size::var(&name);
    if roll < 85 {
        grower.bounds.require(&name, lower);
        return Some(open);
    }
    grower.bounds.require(&name, lower.saturating_sub(1));
    open.plus(&Size::literal(1))
}
