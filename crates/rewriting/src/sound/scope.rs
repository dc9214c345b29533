//! Finds variables for what grows: those in scope, parts of them, and new parameters.

use super::grow::Grower;
use redexter_language::ground::Name;
use redexter_language::term::{Size, Term, Type, TypeView};

/// The most parameters that one program gets.
const MAX_PARAMS: usize = 6;

/// The most bound variables that one is chosen from, the innermost: a function may have thousands of arguments, each of which
/// would look through all the others.
const MAX_NEAR: usize = 64;

impl Grower {
    /// A name for a variable of this type that is to be bound here.
    pub(super) fn hint(&self, ty: &Type) -> Name {
        hint(ty, self.locals.len())
    }

    /// A bound variable or a part of one, or a parameter.
    pub(super) fn variable(&mut self, ty: &Type) -> Option<Term> {
        let near = self.reach(ty);
        if !near.is_empty() && self.random.chance(75) {
            return Some(self.random.pick(&near).clone());
        }
        let base = self.locals.len() as u32;
        let places: Vec<u32> = (0..self.params.len() as u32).filter(|p| self.params[*p as usize] == *ty).collect();
        let fresh = self.params.len() < MAX_PARAMS && self.is_data(ty);
        if fresh && (places.is_empty() || self.random.chance(30)) {
            self.params.push(ty.clone());
            return Some(Term::var(base + self.params.len() as u32 - 1, ty));
        }
        if !places.is_empty() {
            return Some(Term::var(base + *self.random.pick(&places), ty));
        }
        if near.is_empty() { None } else { Some(self.random.pick(&near).clone()) }
    }

    /// Whether a parameter can have this type.
    fn is_data(&self, ty: &Type) -> bool {
        match ty.view() {
            TypeView::Real | TypeView::Int => true,
            // There is no index below 0, so that a program with such a parameter could never be run.
            TypeView::Fin(n) => n.as_literal() != Some(0),
            TypeView::Array(_, a) => self.is_data(a),
            TypeView::Pair(a, b) => self.is_data(a) && self.is_data(b),
            _ => false,
        }
    }

    /// The bound variables of this type, and projections of them.
    fn reach(&self, ty: &Type) -> Vec<Term> {
        let mut all = Vec::new();
        for (k, local) in self.locals.iter().rev().take(MAX_NEAR).enumerate() {
            let var = || Term::var(k as u32, local);
            if local == ty {
                all.push(var());
            }
            if let TypeView::Pair(first, second) = local.view() {
                all.extend((first == ty).then(|| Term::fst(var()).ok()).flatten());
                all.extend((second == ty).then(|| Term::snd(var()).ok()).flatten());
            }
        }
        all
    }
}

/// The size that an index is below.
pub(super) fn below(ty: &Type) -> Option<Size> {
    match ty.view() {
        TypeView::Fin(n) => Some(n.clone()),
        _ => None,
    }
}

/// A name for a variable of this type, number `k` of its kind.
pub(super) fn hint(ty: &Type, k: usize) -> Name {
    let names = match ty.view() {
        TypeView::Real => ["x", "y", "z"],
        TypeView::Int => ["c", "d", "e"],
        TypeView::Fin(_) => ["i", "j", "l"],
        TypeView::Array(..) => ["v", "w", "u"],
        TypeView::Pair(..) => ["p", "q", "r"],
        _ => ["f", "g", "h"],
    };
    Name::new(names[k % names.len()])
}
