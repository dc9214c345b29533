//! Lists what a term leaves open: its sizes and type variables.

use rustc_hash::FxHashSet;

use super::kind::{Kind, Payload};
use super::node::Term;
use super::size::{Size, SizeAtom};
use super::types::{Type, TypeView};
use crate::ground::Name;

/// The open sizes and type variables of terms and types, each once, in the order of their first occurrence.
#[derive(Default)]
pub struct OpenVariables {
    /// Size variables.
    pub vars: Vec<Name>,
    /// Sizes as they stand, literal ones of open types among them.
    pub sizes: Vec<Size>,
    /// Type variables.
    pub types: Vec<Name>,
    seen: FxHashSet<u128>,
}

impl OpenVariables {
    /// What one term leaves open.
    pub fn of(term: &Term) -> OpenVariables {
        let mut opens = OpenVariables::default();
        opens.term(term);
        opens
    }

    /// Adds a size.
    pub fn size(&mut self, size: &Size) {
        for atom in size.atoms() {
            if let SizeAtom::Var(name) = atom
                && !self.vars.contains(name)
            {
                self.vars.push(name.clone());
            }
        }
        if !self.sizes.contains(size) {
            self.sizes.push(size.clone());
        }
    }

    /// Adds what a type leaves open.
    pub fn ty(&mut self, ty: &Type) {
        if !ty.is_open() || !self.seen.insert(ty.fingerprint()) {
            return;
        }
        match ty.view() {
            TypeView::Fin(n) => self.size(n),
            TypeView::Array(n, a) => {
                self.size(n);
                self.ty(a);
            }
            TypeView::Pair(a, b) | TypeView::Fun(a, b) => {
                self.ty(a);
                self.ty(b);
            }
            TypeView::Var(name) => self.types.push(name.clone()),
            TypeView::Real | TypeView::Int | TypeView::Unknown(_) => {}
        }
    }

    /// Adds what a term leaves open.
    pub fn term(&mut self, term: &Term) {
        if !term.is_open() || !self.seen.insert(term.fingerprint()) {
            return;
        }
        if let Kind::Var = term.kind() {
            self.ty(term.ty());
        }
        term.kind().each_held(|held| match held {
            Payload::Type(ty) => self.ty(ty),
            Payload::Size(size) => self.size(size),
            Payload::SizeVar(name) => self.size(&Size::var(name)),
            Payload::Hint(_) | Payload::Real(_) | Payload::Int(_) | Payload::Index(_) | Payload::Prim(_) => {}
        });
        for kid in term.kids() {
            self.term(&kid);
        }
        // The sum of two indices is below a size that needn't stand elsewhere.
        if let Kind::Prim(_) = term.kind() {
            self.ty(term.ty());
        }
    }
}
