//! Chooses the names that bound variables are printed under.
//!
//! A binder is printed under its hint, made fresh against the names in scope: the binders around it, the sizes, the
//! primitives that terms apply by name. What stands below isn't looked at, so that a rewrite changes no name outside its
//! redex, and every use means the only binder of its name. Only the inputs of a program may have the name of a size or of
//! a primitive that nothing below means.

use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ground::{Name, text::begins_name};
use crate::syntax::words::{in_word, reserved};
use crate::term::{Fixity, Kind, Term, Type, TypeView};

/// The scope at a place of a term.
#[derive(Default)]
pub(super) struct BinderNames {
    scope: Vec<Name>,
    /// The numbers of the scopes around this one, and its own: equal names in the same order have one number.
    ids: Vec<u32>,
    known: FxHashMap<(u32, Name), u32>,
    /// How many mean each name.
    taken: FxHashMap<Name, u32>,
    /// The numbers behind names in scope, by what stands before the number, the innermost last.
    numbers: FxHashMap<String, Vec<u64>>,
}

impl BinderNames {
    /// In the scope of these variables, outermost first, and of these sizes.
    pub(super) fn new(scope: &[Name], sizes: impl IntoIterator<Item = Name>) -> BinderNames {
        let mut names =
            BinderNames { taken: sizes.into_iter().map(|size| (size, 1)).collect(), ..BinderNames::default() };
        for name in scope {
            names.push(name.clone());
        }
        names
    }

    pub(super) fn scope(&self) -> &[Name] {
        &self.scope
    }

    /// The number of this scope.
    pub(super) fn id(&self) -> u32 {
        self.ids.last().copied().unwrap_or(0)
    }

    /// The name of the variable with this index.
    pub(super) fn of(&self, index: u32) -> Name {
        let depth = self.scope.len().checked_sub(1 + index as usize);
        depth.map_or_else(|| Name::new(&format!("#{index}")), |d| self.scope[d].clone())
    }

    /// The name for a binder of this type with this hint; `used`: a variable means it.
    pub(super) fn choose(&self, hint: &Name, ty: &Type, used: bool) -> Name {
        if hint.as_str() == "_" && !used {
            return hint.clone();
        }
        let wanted = if can_name(hint.as_str()) { hint.clone() } else { nameless(ty) };
        if self.is_free(&wanted) {
            return wanted;
        }
        let (stem, _) = numbered(wanted.as_str());
        let last = self.numbers.get(stem).and_then(|numbers| numbers.last());
        let mut number = last.map_or(1, |last| last.saturating_add(1));
        loop {
            let name = Name::new(&format!("{stem}{number}"));
            if self.is_free(&name) {
                return name;
            }
            number = number.wrapping_add(1);
        }
    }

    /// Whether an input may have the name of its hint, because nothing in its scope means a size or a primitive of that
    /// name: users give inputs by name.
    pub(super) fn can_be_input(&self, hint: &Name, body: &Term) -> bool {
        let is_name = can_name(hint.as_str()) && !reserved(hint.as_str());
        is_name && !self.scope.contains(hint) && (self.is_free(hint) || !applies(body, hint))
    }

    /// Whether nothing in scope has this name.
    pub(super) fn is_free(&self, name: &Name) -> bool {
        !reserved(name.as_str()) && !Kind::is_open_word(name.as_str()) && !self.taken.contains_key(name)
    }

    /// Enters a binder's scope.
    pub(super) fn push(&mut self, name: Name) {
        let (stem, number) = numbered(name.as_str());
        self.numbers.entry(stem.to_owned()).or_default().push(number);
        *self.taken.entry(name.clone()).or_insert(0) += 1;
        let next = self.known.len() as u32 + 1;
        self.ids.push(*self.known.entry((self.id(), name.clone())).or_insert(next));
        self.scope.push(name);
    }

    /// Leaves the innermost `count` binders' scopes.
    pub(super) fn pop(&mut self, count: usize) {
        self.ids.truncate(self.ids.len() - count);
        for name in self.scope.drain(self.scope.len() - count..) {
            if let Some(numbers) = self.numbers.get_mut(numbered(name.as_str()).0) {
                numbers.pop();
            }
            if let Entry::Occupied(mut count) = self.taken.entry(name) {
                *count.get_mut() -= 1;
                if *count.get() == 0 {
                    count.remove();
                }
            }
        }
    }
}

/// Whether a term has a size as a number, or a primitive, with this name.
fn applies(term: &Term, name: &Name) -> bool {
    let (mut seen, mut waiting) = (FxHashSet::default(), vec![term.clone()]);
    while let Some(term) = waiting.pop() {
        let found = match term.kind() {
            Kind::SizeVar(size) => size == name,
            kind => kind.word() == Some((name.as_str(), Fixity::Open)),
        };
        if found {
            return true;
        }
        if seen.insert(term.fingerprint()) {
            waiting.extend(term.kids());
        }
    }
    false
}

/// The name of a binder of this type whose hint can't be written.
fn nameless(ty: &Type) -> Name {
    Name::new(if matches!(ty.view(), TypeView::Fin(_)) { "i" } else { "x" })
}

/// Whether it is a name, or a reserved word, which a number makes one.
fn can_name(hint: &str) -> bool {
    begins_name(hint) && hint.chars().all(in_word) && hint != "_"
}

/// A name without the number behind it, and the number; 0 where there is none.
fn numbered(name: &str) -> (&str, u64) {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (stem, name[stem.len()..].parse().unwrap_or(0))
}
