//! Numbers values (value numbering): equal ones have one number, as long as what they read isn't stored.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::nest::ir::value::is_dear_itself;
use crate::nest::ir::walk::stored;
use crate::nest::ir::{NestValue, Stmt};

/// Equal values have one number, as long as what they read isn't stored.
#[derive(Default)]
pub(in crate::nest) struct ValueNumbers {
    /// By what stands outermost, how often that was stored, and the numbers of the parts.
    known: FxHashMap<(NestValue, u32, SmallVec<[u32; 4]>), u32>,
    stores: FxHashMap<u32, u32>,
}

impl ValueNumbers {
    /// The number of a value; those of expensive parts are told.
    pub(in crate::nest) fn of<'a>(&mut self, value: &'a NestValue, dear: &mut dyn FnMut(&'a NestValue, u32)) -> u32 {
        let mut parts = SmallVec::new();
        value.each_part(&mut |part| parts.push(self.of(part, dear)));
        let version = match value {
            NestValue::Load(place) => self.stores.get(&place.cell).copied().unwrap_or(0),
            _ => 0,
        };
        let next = self.known.len() as u32;
        // The parts are told by their numbers. So keys stay small, and a value takes as many steps as it has parts.
        let outermost = value.with_parts(&mut |_| NestValue::Int(0));
        let number = *self.known.entry((outermost, version, parts)).or_insert(next);
        if is_dear_itself(value) {
            dear(value, number);
        }
        number
    }

    /// What a statement stores is something else from here on.
    pub(in crate::nest) fn after(&mut self, stmt: &Stmt) {
        stored(std::slice::from_ref(stmt)).into_iter().for_each(|cell| *self.stores.entry(cell).or_default() += 1);
    }
}
