//! Which loops may be done in lanes though nobody says so.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Compiler;
use crate::nest::{Differing, Range, Stmt, Value};

/// A loop with fewer rounds is done in lanes only if no loop is inside.
const FEW: i64 = 16;

impl Compiler<'_> {
    /// What differs between the rounds of a loop, if they may be done side by side: each writes places of its own, and none
    /// reads what another wrote.
    pub(super) fn beside(&self, range: &Range, inside: &[Stmt]) -> Option<Differing> {
        let extent = self.extent(range);
        let is_deep = inside.iter().any(|stmt| matches!(stmt, Stmt::For(..)));
        if self.differing.is_some() || range.step != 1 || (is_deep && extent.is_some_and(|extent| extent < FEW)) {
            return None;
        }
        let mut written = Written { index: range.cell, own: FxHashSet::default(), places: FxHashMap::default() };
        if !written.by(inside) || written.is_read(inside) {
            return None;
        }
        Differing::of(range.cell, inside)
    }
}

/// What the rounds of a loop write.
struct Written {
    index: u32,
    /// Numbers that each round has for itself.
    own: FxHashSet<u32>,
    /// Arrays, and which index is the round's.
    places: FxHashMap<u32, usize>,
}

impl Written {
    /// Whether each round writes places of its own.
    fn by(&mut self, inside: &[Stmt]) -> bool {
        inside.iter().all(|stmt| match stmt {
            Stmt::Let(slot, _) | Stmt::Var(slot) => {
                self.own.insert(slot.cell);
                true
            }
            Stmt::Set(place, _) if place.indices.is_empty() => self.own.contains(&place.cell),
            Stmt::Set(place, _) => {
                let is_index = |v: &Value| matches!(v, Value::Load(p) if p.cell == self.index && p.indices.is_empty());
                let Some(at) = place.indices.iter().position(is_index) else { return false };
                *self.places.entry(place.cell).or_insert(at) == at
            }
            Stmt::For(_, inner) => self.by(inner),
            Stmt::If(_, a, b) => self.by(a) && self.by(b),
            Stmt::Lanes(..) | Stmt::Strips(..) => false,
        })
    }

    fn is_read(&self, inside: &[Stmt]) -> bool {
        let reads = |value: &Value| self.places.keys().any(|cell| value.mentions(*cell));
        inside.iter().any(|stmt| match stmt {
            Stmt::Let(_, value) => reads(value),
            Stmt::Var(_) => false,
            Stmt::Set(place, value) => reads(value) || place.indices.iter().any(reads),
            Stmt::For(range, inner) | Stmt::Lanes(range, inner) => {
                reads(&range.from) || reads(&range.to) || self.is_read(inner)
            }
            Stmt::Strips(_, inner) => self.is_read(inner),
            Stmt::If(condition, a, b) => reads(condition) || self.is_read(a) || self.is_read(b),
        })
    }
}
