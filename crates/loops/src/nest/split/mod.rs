//! Finds the loops of a nest that may be split among threads, their iterations in contiguous ranges.
//!
//! It is seen from the nest alone: what an iteration stores stands at places of its own, in a temporary that nothing outside of
//! the loop knows, of which each thread has one for itself, or it is joined to what other iterations stored: sums, where these
//! may be added in another order, and the largest. A loop that stores anything else stays whole.

mod work;

use rustc_hash::FxHashMap;

use crate::nest::dependence::{CellRole, Iterations, Reduction};
use crate::nest::equations::Freedom;
use crate::nest::ir::walk::{declared, mentioned, read, stored};
use crate::nest::ir::{Nest, NestSlot, NestValue, ScalarKind, Stmt};
use redexter_language::ground::Name;

/// A loop that may be split.
#[derive(Clone, Debug)]
pub struct Split {
    /// Which statement of the nest's body it is.
    pub at: usize,
    /// Its index: where a strip begins, or an iteration.
    pub index: u32,
    /// So many iterations belong together.
    pub grain: u32,
    /// Temporaries of which each thread has one of its own.
    pub own: Vec<NestSlot>,
    /// Numbers that are known before and that it reads or stores.
    pub before: Vec<NestSlot>,
    /// What threads gather by themselves, an array or a number, and how it is put together.
    pub joined: Vec<(NestSlot, Reduction)>,
}

/// All loops of a nest's outermost statements that may be split.
pub fn splits(nest: &Nest, freedom: Freedom) -> Vec<Split> {
    (0..nest.body.len()).filter_map(|at| split(nest, at, freedom)).collect()
}

/// Whether the iterations of the strips that begin there may be done twice to the same results: they gather nothing, and don't
/// read what they store.
pub fn repeatable(nest: &Nest, base: u32) -> bool {
    let begins = |stmt: &Stmt| matches!(stmt, Stmt::Strips(strips, _) if strips.base == base);
    let Some(at) = nest.body.iter().position(begins) else { return false };
    let Some(split) = split(nest, at, Freedom::Exact).filter(|split| split.joined.is_empty()) else { return false };
    let [inside, _] = nest.body[at].inside();
    let (read, mut known) = (read(inside), declared(inside));
    known.extend(split.own.into_iter().map(|slot| slot.cell));
    stored(inside).iter().all(|cell| known.contains(cell) || !read.contains(cell))
}

impl Split {
    /// How many iterations there are at these sizes.
    pub fn rounds(&self, nest: &Nest, size: &dyn Fn(&Name) -> u64) -> f64 {
        work::rounds(&nest.body[self.at], size)
    }

    /// About how many operations the whole loop takes at these sizes.
    pub fn work(&self, nest: &Nest, size: &dyn Fn(&Name) -> u64) -> f64 {
        work::work(&nest.body[self.at], size)
    }
}

/// Numbers that outermost statements declare.
fn declared_in_order(body: &[Stmt]) -> impl Iterator<Item = &NestSlot> {
    body.iter().filter_map(|stmt| match stmt {
        Stmt::Let(slot, _) | Stmt::Var(slot) => Some(slot),
        _ => None,
    })
}

fn split(nest: &Nest, at: usize, freedom: Freedom) -> Option<Split> {
    let (index, grain) = match &nest.body[at] {
        Stmt::Strips(strips, _) => (strips.base, strips.lanes),
        Stmt::For(range, _) if range.from == NestValue::Int(0) => (range.cell, 1),
        Stmt::Pairs(range, ..) if range.from == NestValue::Int(0) => (range.cell, 2),
        _ => return None,
    };
    let iterations = Iterations::of(&nest.body[at])?;
    let elsewhere = mentioned(nest.body.iter().enumerate().filter(|(k, _)| *k != at).map(|(_, stmt)| stmt));
    let mentioned = mentioned([&nest.body[at]]);
    let numbers = declared_in_order(&nest.body[..at]).filter(|slot| mentioned.contains(&slot.cell)).cloned().collect();
    let temporaries: FxHashMap<u32, &NestSlot> = nest.temporaries.iter().map(|slot| (slot.cell, slot)).collect();
    let mut split = Split { at, index, grain, own: Vec::new(), before: numbers, joined: Vec::new() };
    for cell in iterations.stored() {
        let slot = temporaries.get(cell).copied();
        let number = || split.before.iter().find(|slot| slot.cell == *cell);
        match (iterations.role(*cell), slot, slot.or_else(number)) {
            (CellRole::Uniform | CellRole::Private | CellRole::Varying(_), ..) => {}
            // It comes before reductions, since what nobody else reads needs no joining.
            (_, Some(slot), _) if !elsewhere.contains(cell) => split.own.push(slot.clone()),
            (CellRole::Reduction(join), _, Some(slot)) => {
                // In another order a sum of reals rounds otherwise. Integers wrap, so that their order doesn't matter, nor does
                // that of the largest.
                let is_rounded = join == Reduction::Sum && slot.array.number == ScalarKind::Real;
                if is_rounded && !freedom.reorders() {
                    return None;
                }
                let joined = (slot.clone(), join);
                split.joined.push(joined);
            }
            (CellRole::Carried | CellRole::Reduction(_), ..) => return None,
        }
    }
    Some(split)
}
