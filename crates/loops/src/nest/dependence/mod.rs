//! Tells what each cell is to the iterations of a loop, and from this whether they are independent of each other.
//!
//! Whoever does iterations side by side, two at a time, in another order or on several threads asks here; what is found is
//! seen from the statements alone. [`Divergence`] says what differs between iterations that are done in lockstep.

mod divergence;
mod reduction;

use rustc_hash::{FxHashMap, FxHashSet};

pub use divergence::Divergence;
pub use reduction::Reduction;

use super::ir::value::load;
use super::ir::walk::{changed, declared, places, read};
use super::ir::{LoopRange, NestPlace, NestValue, ScalarKind, Stmt, each, stored};
use redexter_language::term::Prim;

/// What a cell is to the iterations of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellRole {
    /// None stores it: all see the same.
    Uniform,
    /// A number that each declares for itself.
    Private,
    /// An array of which each reads and stores elements of its own: they have its index at this position.
    Varying(usize),
    /// What one adds to, or improves, is what another left, and nothing else reads it meanwhile.
    Reduction(Reduction),
    /// What one stores another may read or overwrite.
    Carried,
}

/// The iterations of a loop with what they do to cells.
pub struct Iterations<'n> {
    inside: Vec<&'n [Stmt]>,
    declared: FxHashSet<u32>,
    stored: Vec<u32>,
    varying: FxHashMap<u32, usize>,
}

impl<'n> Iterations<'n> {
    /// Those of a loop; none of a statement that is no loop. A strip with all of its lanes is one.
    pub fn of(stmt: &'n Stmt) -> Option<Iterations<'n>> {
        let (index, own) = match stmt {
            Stmt::Strips(strips, inside) => (strips.base, OwnIndices::strip(strips.base, strips.count, inside)),
            Stmt::For(range, _) | Stmt::Lanes(range, _) | Stmt::Pairs(range, ..) => {
                (range.cell, OwnIndices::round(range))
            }
            Stmt::Let(..) | Stmt::Var(_) | Stmt::Set(..) | Stmt::If(..) => return None,
        };
        // An empty second body would hide reductions: these are looked for where there is one body alone.
        let mut inside: Vec<&[Stmt]> = stmt.inside().into_iter().filter(|inside| !inside.is_empty()).collect();
        if let Stmt::Pairs(..) = stmt {
            // Two at once do what one does twice, so that the body of one iteration tells all.
            inside = inside.split_off(inside.len().saturating_sub(1));
        }
        Some(Iterations::with(index, inside, &own))
    }

    /// Those of a loop over lanes whose iterations do first these and then those statements.
    pub fn of_both(lanes: &LoopRange, first: &'n [Stmt], second: &'n [Stmt]) -> Iterations<'n> {
        Iterations::with(lanes.cell, vec![first, second], &OwnIndices::round(lanes))
    }

    /// Those of a loop with this index.
    pub fn over(range: &LoopRange, inside: &'n [Stmt]) -> Iterations<'n> {
        Iterations::with(range.cell, vec![inside], &OwnIndices::round(range))
    }

    fn with(index: u32, inside: Vec<&'n [Stmt]>, own: &OwnIndices) -> Iterations<'n> {
        let declared = inside.iter().flat_map(|body| declared(body)).collect();
        // The loop's own index isn't declared inside, yet it is another in each iteration.
        let changed: FxHashSet<u32> = inside.iter().flat_map(|body| changed(body)).chain([index]).collect();
        let mut met = FxHashSet::default();
        let stored = inside.iter().flat_map(|body| stored(body)).filter(|cell| met.insert(*cell)).collect();
        let varying = own.varying(&inside, &|cell| !changed.contains(&cell));
        Iterations { inside, declared, stored, varying }
    }

    /// What is stored, in the order in which it is met.
    pub fn stored(&self) -> &[u32] {
        &self.stored
    }

    /// What a cell is to them.
    pub fn role(&self, cell: u32) -> CellRole {
        match self.varying.get(&cell) {
            // This comes first, since what is declared inside is mostly stored there, too: each iteration has its own.
            _ if self.declared.contains(&cell) => CellRole::Private,
            // An array that is read at own indices alone is in `varying`, too; but since nobody stores it all see the same.
            _ if !self.stored.contains(&cell) => CellRole::Uniform,
            Some(position) => CellRole::Varying(*position),
            // Reductions aren't looked for in two bodies, which is safe: a carried cell is one that nobody reorders.
            None => match &self.inside[..] {
                [inside] => reduction::join(cell, inside).map_or(CellRole::Carried, CellRole::Reduction),
                _ => CellRole::Carried,
            },
        }
    }

    /// Whether they may be done in any order, and side by side: what each stores is its own.
    pub fn are_independent(&self) -> bool {
        self.stored.iter().all(|cell| self.declared.contains(cell) || self.varying.contains_key(cell))
    }
}

/// Whether a loop over some statements is as good as a loop over each, one behind the other: none of them stores or reads what
/// another one stores or declares.
pub fn are_separate(inside: &[Stmt]) -> bool {
    let all: Vec<FxHashSet<u32>> = inside.iter().map(|stmt| changed(std::slice::from_ref(stmt))).collect();
    inside.iter().enumerate().all(|(k, stmt)| {
        let read = read(std::slice::from_ref(stmt));
        let others = all.iter().enumerate().filter(|(other, _)| *other != k).flat_map(|(_, cells)| cells);
        // Anti-dependences count as well: what one reads another may not store, since whole loops change their order.
        others.into_iter().all(|cell| !read.contains(cell) && !all[k].contains(cell))
    })
}

/// The indices that an iteration alone has.
struct OwnIndices {
    index: u32,
    /// Of a strip, the indices of its lanes: together with where it begins they are its indices.
    lanes: Option<FxHashSet<u32>>,
}

impl OwnIndices {
    fn round(range: &LoopRange) -> OwnIndices {
        OwnIndices { index: range.cell, lanes: None }
    }

    fn strip(base: u32, count: u32, inside: &[Stmt]) -> OwnIndices {
        // A loop from 0 to the strip's count stays in the strip. One that ran further, `most` included, would reach indices of
        // the next strip.
        let (mut lanes, count) = (FxHashSet::default(), load(count));
        each(inside, &mut |stmt| {
            if let Stmt::For(range, _) | Stmt::Lanes(range, _) = stmt
                && range.from == NestValue::Int(0)
                && range.to == count
                && range.most.is_none()
            {
                lanes.insert(range.cell);
            }
        });
        OwnIndices { index: base, lanes: Some(lanes) }
    }

    /// An index that no other iteration has, and what is added to it, which has to be the same at all places: nothing, or what
    /// stays as it is in the loop. Of a strip all of its lanes have one.
    fn has(&self, index: &NestValue, still: &impl Fn(u32) -> bool) -> Option<NestValue> {
        let own = load(self.index);
        match (index, &self.lanes) {
            // Passes write `base + lane` in this order alone.
            (NestValue::Prim(Prim::Add, ScalarKind::Int, both), Some(lanes)) => match &both[..] {
                [base, NestValue::Load(lane)]
                    if *base == own && lane.indices.is_empty() && lanes.contains(&lane.cell) =>
                {
                    Some(NestValue::Int(0))
                }
                _ => None,
            },
            (index, None) if *index == own => Some(NestValue::Int(0)),
            // What is added has to stay as it is in the loop, otherwise two iterations may meet at one index.
            (NestValue::Prim(Prim::Add, ScalarKind::Int, both), None) => match &both[..] {
                [more, index] | [index, more] if *index == own && is_still(more, still) => Some(more.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    /// Arrays that have such an index at each place that is read or stored, always at the same position.
    fn varying(&self, inside: &[&[Stmt]], still: &impl Fn(u32) -> bool) -> FxHashMap<u32, usize> {
        // For each position what is added to the index there; nothing where a place has no such index.
        let mut all: FxHashMap<u32, Vec<Option<NestValue>>> = FxHashMap::default();
        for body in inside {
            places(*body, &mut |place: &NestPlace| {
                let own = || place.indices.iter().map(|index| self.has(index, still));
                let known = all.entry(place.cell).or_insert_with(|| own().collect());
                for (known, own) in known.iter_mut().zip(own()) {
                    // `a[i]` and `a[i + 1]` are the same element in two iterations, so that what is added must agree at all
                    // places.
                    if *known != own {
                        *known = None;
                    }
                }
            });
        }
        let position = |known: &Vec<Option<NestValue>>| known.iter().position(Option::is_some);
        all.iter().filter_map(|(cell, known)| Some((*cell, position(known)?))).collect()
    }
}

fn is_still(value: &NestValue, still: &impl Fn(u32) -> bool) -> bool {
    let mut all = true;
    value.places(&mut |place| all &= still(place.cell));
    all
}
