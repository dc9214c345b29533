//! Keeps what is computed in all lanes more than once, from the first time on until something that it reads is written.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::super::op::LaneOperand;
use crate::nest::{NestValue, Stmt, each, each_value};

/// What was computed, with where it is.
pub(super) type KnownLanes = Vec<(u64, NestValue, LaneOperand)>;

/// In the lanes that are being written.
#[derive(Default)]
pub(super) struct LaneMemo {
    /// Hashes of what stands there more than once. Where two values share one, something is kept in vain, no more.
    often: FxHashSet<u64>,
    pub(super) known: KnownLanes,
}

impl LaneMemo {
    /// For these statements.
    pub(super) fn of(inside: &[Stmt]) -> LaneMemo {
        let mut counts = FxHashMap::default();
        each_value(inside, &mut |value| {
            count(value, &mut counts);
        });
        let often = counts.into_iter().filter(|(_, count)| *count > 1).map(|(hash, _)| hash);
        LaneMemo { often: often.collect(), known: Vec::new() }
    }

    /// The hash of a value that is worth keeping.
    pub(super) fn worth(&self, value: &NestValue) -> Option<u64> {
        match value {
            NestValue::Prim(..) | NestValue::Select(_) | NestValue::Truth(_) if !self.often.is_empty() => {
                Some(hash(value)).filter(|hash| self.often.contains(hash))
            }
            _ => None,
        }
    }

    pub(super) fn find(&self, hash: u64, value: &NestValue) -> Option<LaneOperand> {
        self.known.iter().find(|(own, known, _)| *own == hash && known == value).map(|(.., operand)| *operand)
    }

    /// Something is written.
    pub(super) fn forget(&mut self, cell: u32) {
        self.known.retain(|(_, value, _)| !value.mentions(cell));
    }

    /// All of these are.
    pub(super) fn forget_all(&mut self, inside: &[Stmt]) {
        each(inside, &mut |stmt| match stmt {
            Stmt::Let(slot, _) | Stmt::Var(slot) => self.forget(slot.cell),
            Stmt::Set(place, _) => self.forget(place.cell),
            Stmt::For(range, _) | Stmt::Lanes(range, _) | Stmt::Pairs(range, ..) => self.forget(range.cell),
            Stmt::Strips(..) | Stmt::If(..) => {}
        });
    }
}

/// Counts the parts of a value, and gives its hash.
fn count(value: &NestValue, counts: &mut FxHashMap<u64, u32>) -> u64 {
    let own = combined(value, &mut |part| count(part, counts));
    *counts.entry(own).or_default() += 1;
    own
}

fn hash(value: &NestValue) -> u64 {
    combined(value, &mut hash)
}

/// A hash from those of the parts.
fn combined(value: &NestValue, part: &mut impl FnMut(&NestValue) -> u64) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash_outermost(&mut hasher);
    value.each_part(&mut |of| part(of).hash(&mut hasher));
    hasher.finish()
}
