//! Writes types and sizes as text.

use super::PrintRole;
use super::emit::Emitter;
use crate::term::{Size, Type, TypeView};

impl Emitter {
    /// `strength`: 0 anything, 1 no arrow, 2 no product, 3 an atom.
    pub(super) fn ty(&mut self, ty: &Type, strength: u8) {
        if self.type_parts == 0 || self.is_spent() {
            return self.text("…", PrintRole::Plain);
        }
        self.type_parts -= 1;
        let own = match ty.view() {
            TypeView::Fun(..) => 0,
            TypeView::Pair(..) => 1,
            TypeView::Fin(_) | TypeView::Array(..) => 2,
            _ => 3,
        };
        self.parenthesised(own < strength, |e| e.bare_type(ty));
    }

    fn bare_type(&mut self, ty: &Type) {
        match ty.view() {
            TypeView::Real => self.text("real", PrintRole::Type),
            TypeView::Int => self.text("int", PrintRole::Type),
            TypeView::Var(name) => self.text(name.as_str().to_owned(), PrintRole::Type),
            TypeView::Unknown(_) => self.text("_", PrintRole::Type),
            TypeView::Fin(n) => {
                self.text("fin ", PrintRole::Type);
                self.size(n);
            }
            TypeView::Array(n, a) => {
                self.text("array ", PrintRole::Type);
                self.size(n);
                self.text(" ", PrintRole::Plain);
                self.ty(a, 3);
            }
            TypeView::Pair(a, b) => {
                self.ty(a, 2);
                self.text(" * ", PrintRole::Type);
                self.ty(b, 1);
            }
            TypeView::Fun(a, b) => {
                self.ty(a, 1);
                self.text(" -> ", PrintRole::Type);
                self.ty(b, 0);
            }
        }
    }

    pub(super) fn size(&mut self, size: &Size) {
        let atom = size.as_atom().is_some() || size.as_literal().is_some();
        self.parenthesised(!atom, |e| e.text(size.to_string(), PrintRole::Size));
    }
}
