//! Which loops of a nest may be split among threads, their rounds in contiguous ranges.
//!
//! It is seen from the nest alone: what a round stores stands at places of its own, in a temporary that nothing outside of the
//! loop knows, of which each thread has one for itself, or it is joined to what other rounds stored: sums, where these may be
//! added in another order, and the largest. A loop that stores anything else stays whole.

mod join;
mod walk;
mod work;

use rustc_hash::{FxHashMap, FxHashSet};

pub use join::Join;

use super::code::{Nest, Number, Place, Slot, Stmt, Value};
use super::equation::Freedom;
use super::equation::value::load;
use crate::ground::Name;
use crate::term::Prim;

/// A loop that may be split.
#[derive(Clone, Debug)]
pub struct Split {
    /// Which statement of the nest's body it is.
    pub at: usize,
    /// Its index: where a strip begins, or a round.
    pub index: u32,
    /// So many rounds belong together.
    pub grain: u32,
    /// Temporaries of which each thread has one of its own.
    pub own: Vec<Slot>,
    /// Numbers that are known before and that it reads or stores.
    pub before: Vec<Slot>,
    /// What threads gather by themselves, an array or a number, and how it is put together.
    pub joined: Vec<(Slot, Join)>,
}

/// All loops of a nest's outermost statements that may be split.
pub fn splits(nest: &Nest, freedom: Freedom) -> Vec<Split> {
    (0..nest.body.len()).filter_map(|at| split(nest, at, freedom)).collect()
}

/// Whether the rounds of the strips that begin there may be done twice to the same results: they gather nothing, and don't read
/// what they store.
pub fn repeatable(nest: &Nest, base: u32) -> bool {
    let begins = |stmt: &Stmt| matches!(stmt, Stmt::Strips(strips, _) if strips.base == base);
    let Some(at) = nest.body.iter().position(begins) else { return false };
    let Some(split) = split(nest, at, Freedom::Exact).filter(|split| split.joined.is_empty()) else { return false };
    let [inside, _] = nest.body[at].inside();
    let (read, mut known) = (super::walk::read(inside), walk::declared(inside));
    known.extend(split.own.into_iter().map(|slot| (slot.cell, slot)));
    super::walk::stored(inside).iter().all(|cell| known.contains_key(cell) || !read.contains(cell))
}

impl Split {
    /// How many rounds there are at these sizes.
    pub fn rounds(&self, nest: &Nest, size: &dyn Fn(&Name) -> u64) -> f64 {
        work::rounds(&nest.body[self.at], size)
    }

    /// About how many operations the whole loop takes at these sizes.
    pub fn work(&self, nest: &Nest, size: &dyn Fn(&Name) -> u64) -> f64 {
        work::work(&nest.body[self.at], size)
    }
}

fn split(nest: &Nest, at: usize, freedom: Freedom) -> Option<Split> {
    let (index, grain, inside) = match &nest.body[at] {
        Stmt::Strips(strips, inside) => (strips.base, strips.lanes, inside),
        Stmt::For(range, inside) if range.from == Value::Int(0) => (range.cell, range.step, inside),
        _ => return None,
    };
    let elsewhere = walk::mentioned(nest.body.iter().enumerate().filter(|(k, _)| *k != at).map(|(_, stmt)| stmt));
    let declared = walk::declared(inside);
    let apart = Rounds::of(&nest.body[at], index).apart(inside);
    let mentioned = walk::mentioned([&nest.body[at]]);
    let numbers = walk::in_order(&nest.body[..at]).filter(|slot| mentioned.contains(&slot.cell)).cloned().collect();
    let temporaries: FxHashMap<u32, &Slot> = nest.temporaries.iter().map(|slot| (slot.cell, slot)).collect();
    let mut split = Split { at, index, grain, own: Vec::new(), before: numbers, joined: Vec::new() };
    for cell in super::walk::stored(inside) {
        if declared.contains_key(&cell) || apart.contains(&cell) {
            continue;
        }
        let slot = temporaries.get(&cell).copied();
        let number = || split.before.iter().find(|slot| slot.cell == cell);
        match (slot, slot.or_else(number)) {
            (Some(slot), _) if !elsewhere.contains(&cell) => split.own.push(slot.clone()),
            (_, Some(slot)) => {
                let join = join::join(cell, inside).filter(|join| {
                    let is_rounded = *join == Join::Sum && slot.array.number == Number::Real;
                    freedom == Freedom::Fast || !is_rounded
                });
                let joined = (slot.clone(), join?);
                split.joined.push(joined);
            }
            (_, None) => return None,
        }
    }
    Some(split)
}

/// What tells the rounds of a thread from those of others.
struct Rounds {
    index: u32,
    step: u32,
    /// Indices of lanes of a strip.
    lanes: FxHashSet<u32>,
}

impl Rounds {
    fn of(stmt: &Stmt, index: u32) -> Rounds {
        let mut rounds = Rounds { index, step: 1, lanes: FxHashSet::default() };
        match stmt {
            Stmt::Strips(strips, inside) => {
                let count = load(strips.count);
                walk::ranges(inside, &mut |range| {
                    if range.from == Value::Int(0) && range.to == count && range.most.is_none() {
                        rounds.lanes.insert(range.cell);
                    }
                });
            }
            Stmt::For(range, _) => rounds.step = range.step,
            _ => {}
        }
        rounds
    }

    /// Whether an index belongs to a round, or to a lane of a strip, and to no other.
    fn has(&self, index: &Value) -> bool {
        let own = load(self.index);
        match index {
            Value::Prim(Prim::Add, Number::Int, both) if both[0] == own => match &both[1] {
                Value::Int(k) => self.lanes.is_empty() && (0..i64::from(self.step)).contains(k),
                Value::Load(place) => place.indices.is_empty() && self.lanes.contains(&place.cell),
                _ => false,
            },
            index => *index == own && self.lanes.is_empty(),
        }
    }

    /// What has such an index at each place that is read or stored, always as the same one of its indices.
    fn apart(&self, inside: &[Stmt]) -> FxHashSet<u32> {
        let mut all: FxHashMap<u32, (usize, FxHashMap<usize, usize>)> = FxHashMap::default();
        super::walk::places(inside, &mut |place: &Place| {
            let (count, found) = all.entry(place.cell).or_default();
            *count += 1;
            for (k, _) in place.indices.iter().enumerate().filter(|(_, index)| self.has(index)) {
                *found.entry(k).or_default() += 1;
            }
        });
        let always = |(count, found): &(usize, FxHashMap<usize, usize>)| found.values().any(|times| times == count);
        all.into_iter().filter(|(_, counts)| always(counts)).map(|(cell, _)| cell).collect()
    }
}
