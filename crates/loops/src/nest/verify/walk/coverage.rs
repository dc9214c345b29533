//! Decides whether earlier writes cover a read, and which writes of a loop or a branch hold behind it.

use rustc_hash::FxHashSet;

use super::{MAX_SHORT_DIM, NestVerifier, Parities, PendingRead, WriteFrame};
use crate::nest::ir::walk::changed;
use crate::nest::ir::{NestPlace, NestValue, Stmt};
use crate::nest::verify::facts::{Cond, IntegerFacts};
use crate::nest::verify::poly::{AtomPoly, PolyAtom};
use crate::nest::verify::written::{TrackedRead, TrackedWrite, covers};

impl<'n> NestVerifier<'n> {
    pub(super) fn written(&mut self, write: TrackedWrite) {
        if let Some(frame) = self.frames.last_mut() {
            let all = frame.writes.entry(write.cell).or_default();
            // Once a variable was written under no condition it is written: more writes would only make proofs longer.
            let is_known = write.indices.is_empty() && all.iter().any(|known| known.conds.is_empty());
            if !is_known {
                all.push(write);
            }
        }
    }

    /// Whether a read is covered; what isn't may be by an earlier iteration.
    pub(super) fn covered(&mut self, read: TrackedRead) -> bool {
        // What finds an element has to be an index even where nobody reads the element.
        if self.rehearses || (self.in_bounds_alone && !self.finds) {
            return true;
        }
        if self.padded.contains(&read.cell) {
            let mark = self.facts.mark();
            if !self.finds {
                self.take_chosen();
            }
            let parities = self.parities(&read.indices);
            self.seen.push((PendingRead { read: read.clone(), facts: self.facts.clone() }, parities));
            self.facts.back(mark);
        }
        if self.is_covered(&read) {
            return true;
        }
        if self.finds {
            self.pending.push(PendingRead { read, facts: self.facts.clone() });
            return false;
        }
        // What a choice doesn't take may be anything.
        let mark = self.facts.mark();
        self.take_chosen();
        if !self.is_covered(&read) && !self.facts.are_impossible() {
            self.pending.push(PendingRead { read, facts: self.facts.clone() });
        }
        self.facts.back(mark);
        false
    }

    /// Assumes that the choices around take the sides in which something is read.
    fn take_chosen(&mut self) {
        for (condition, holds) in self.chosen.clone() {
            let cond = self.cond(condition);
            self.facts.assume_all(if holds { Some(cond) } else { cond.negated() });
        }
    }

    /// What lanes store beyond their end, if each of them has another place for it.
    pub(super) fn stored_beyond(&mut self, place: &NestPlace, indices: &[AtomPoly]) {
        let Some((index, to, differing)) = self.beyond.as_ref().filter(|(.., what)| what.at(place)) else { return };
        debug_assert!(differing.has(*index));
        let Some(own) = self.ints.get(index) else { return };
        // It lies beyond one of the ends.
        let parities = self.parities(indices);
        let beyond: Vec<Cond> = to.iter().filter_map(|to| Cond::at_most(to, own)).collect();
        for is_beyond in &beyond {
            let mark = self.facts.mark();
            self.facts.assume(is_beyond);
            self.facts.assume_all(&self.left_over);
            // The facts are kept as they are here, since reads that it may spoil come before and behind.
            let read =
                TrackedRead { cell: place.cell, indices: indices.iter().cloned().collect(), place: place.clone() };
            self.spoilt.push((PendingRead { read, facts: self.facts.clone() }, parities.clone()));
            self.facts.back(mark);
        }
    }

    /// Indices but for multiples of 2: a loop that goes two iterations at once leaves of its index what it begins at.
    fn parities(&self, indices: &[AtomPoly]) -> Parities {
        let parity = |index: &AtomPoly| {
            let begins = |all: AtomPoly, (atom, from): &(PolyAtom, AtomPoly)| all.replaced(*atom, from);
            let rest = self.by_two.iter().try_fold(index.clone(), begins)?.modulo_2();
            let is_of_sizes = rest.atoms().all(|atom| self.facts.is_size(atom));
            is_of_sizes.then_some(rest)
        };
        indices.iter().map(parity).collect()
    }

    /// Reads of what lanes may have stored beyond their end, in whatever order they come.
    pub(super) fn overwritten(&mut self) -> Vec<NestPlace> {
        let (seen, spoilt) = (std::mem::take(&mut self.seen), std::mem::take(&mut self.spoilt));
        let mut all = Vec::new();
        for (PendingRead { read, facts }, parities) in seen {
            let is_apart = |(other, others): &(PendingRead, Parities)| {
                // What stands at an even index doesn't stand at an odd one, so that the iterations of a loop that goes two at
                // once are told apart.
                if parities.iter().zip(others).any(|(own, other)| differ(own.as_ref(), other.as_ref())) {
                    return true;
                }
                let mut facts = facts.clone();
                facts.grow(&self.facts);
                let same: Vec<(AtomPoly, AtomPoly)> =
                    other.read.indices.iter().cloned().zip(read.indices.iter().cloned()).collect();
                facts.assume_elsewhere(&other.facts, &same);
                facts.are_impossible()
            };
            if !spoilt.iter().filter(|(other, _)| other.read.cell == read.cell).all(is_apart) {
                all.push(read.place);
            }
        }
        all
    }

    pub(super) fn is_covered(&mut self, read: &TrackedRead) -> bool {
        if covers(&mut self.facts, &visible(&self.frames, &self.own, read.cell), &read.indices) {
            return true;
        }
        self.is_covered_in_parts(read, &read.indices)
    }

    /// Of short dimensions each element may have been written by itself.
    pub(super) fn is_covered_in_parts(&mut self, read: &TrackedRead, indices: &[AtomPoly]) -> bool {
        let dims = self.dims.get(&read.cell).into_iter().flatten().map(|size| size.as_constant());
        let short = dims.enumerate().find_map(|(k, size)| {
            let is_open = indices.get(k).is_some_and(|index| index.as_constant().is_none());
            size.filter(|size| is_open && (1..=MAX_SHORT_DIM).contains(size)).map(|size| (k, size))
        });
        short.is_some_and(|(at, size)| {
            (0..size).all(|k| {
                let (mark, own) = (self.facts.mark(), AtomPoly::constant(k));
                let mut indices = indices.to_vec();
                let index = std::mem::replace(&mut indices[at], own.clone());
                self.facts.assume_all(Cond::at_most(&index, &own));
                self.facts.assume_all(Cond::at_most(&own, &index));
                // A dimension may be longer than the loop that reads it, so that some of its elements are never read.
                let covered = covers(&mut self.facts, &visible(&self.frames, &self.own, read.cell), &indices)
                    || self.is_covered_in_parts(read, &indices)
                    || self.facts.are_impossible();
                self.facts.back(mark);
                covered
            })
        })
    }

    /// Reads that earlier iterations cover are settled.
    pub(super) fn settle(&mut self, before: usize, earlier: &[TrackedWrite]) {
        let left = self.pending.split_off(before);
        for mut pending in left {
            let cell = pending.read.cell;
            let outside = visible(&self.frames, &self.own, cell);
            let all: Vec<&TrackedWrite> =
                outside.into_iter().chain(earlier.iter().filter(|write| write.cell == cell)).collect();
            // Atoms that the earlier iterations run through are new to what was known there.
            pending.facts.grow(&self.facts);
            if !covers(&mut pending.facts, &all, &pending.read.indices) {
                self.pending.push(pending);
            }
        }
    }

    /// Writes of a loop that has ended belong to what is around it, but for those that hang on what is known inside alone.
    pub(super) fn close(&mut self, writes: Vec<TrackedWrite>, first: PolyAtom) {
        for write in writes {
            if !write.hangs_on(first) {
                self.written(write);
            }
        }
    }

    /// What lanes write at `base + lane` is written for all indices of the size.
    pub(super) fn joined(
        &mut self,
        write: TrackedWrite,
        (base, count): (PolyAtom, PolyAtom),
        size: &AtomPoly,
    ) -> Option<TrackedWrite> {
        for lane in write.over.clone() {
            let range = [
                Some(Cond::AtLeastZero(AtomPoly::atom(lane))),
                Cond::below(&AtomPoly::atom(lane), &AtomPoly::atom(count)),
            ];
            let whole = self.facts.atom(true);
            let sum = AtomPoly::atom(whole).minus(&AtomPoly::atom(base))?;
            let mut joined = write.clone();
            // Its own range says nothing any longer.
            joined.conds.retain(|cond| !range.contains(&Some(cond.clone())));
            let Some(mut joined) = joined.replaced(lane, &sum) else { continue };
            if !joined.mentions(&|atom| atom == base || atom == count) {
                let index = AtomPoly::atom(whole);
                joined.close(whole, &[Cond::AtLeastZero(index.clone()), Cond::below(&index, size)?]);
                return Some(joined);
            }
        }
        // What hangs on the strip alone, and what doesn't at all where there is one.
        let mut write = write;
        let more = Cond::at_most(&AtomPoly::constant(1), size)?;
        write.conds.push(more);
        Some(write)
    }

    /// Drops what an iteration wrote under conditions that may be others in the next.
    pub(super) fn drop_inner(&self, writes: &mut Vec<TrackedWrite>, indices: &[u32], inside: &[&'n [Stmt]]) {
        if writes.iter().any(|write| write.conds.iter().any(has_unknown)) {
            let own = self.inner_conditions(indices, inside);
            writes.retain(|write| !write.conds.iter().any(|cond| names_any(cond, &own)));
        }
    }

    /// Conditions on data that say something of what a loop declares, stores or runs through.
    pub(super) fn inner_conditions(&self, indices: &[u32], inside: &[&'n [Stmt]]) -> FxHashSet<u32> {
        let cells: FxHashSet<u32> =
            inside.iter().flat_map(|inside| changed(inside)).chain(indices.iter().copied()).collect();
        let mentions = |value: &NestValue| {
            let mut found = false;
            value.places(&mut |place| found |= cells.contains(&place.cell));
            found
        };
        let outside: FxHashSet<u32> =
            self.conditions.iter().filter(|(value, _)| !mentions(value)).map(|(_, key)| *key).collect();
        (0..self.conditions_met).filter(|key| !outside.contains(key)).collect()
    }
}

/// The first frame whose writes of a cell a read may rely on.
pub(super) fn first_visible(own: &[(usize, FxHashSet<u32>)], cell: u32) -> usize {
    own.iter().rev().find(|(_, cells)| cells.contains(&cell)).map_or(0, |(first, _)| *first)
}

/// What was written of a cell, as far as a read may rely on it.
pub(super) fn visible<'f>(
    frames: &'f [WriteFrame],
    own: &[(usize, FxHashSet<u32>)],
    cell: u32,
) -> Vec<&'f TrackedWrite> {
    frames[first_visible(own, cell)..].iter().filter_map(|frame| frame.writes.get(&cell)).flatten().collect()
}

/// Whether one of two is even where the other one is odd.
fn differ(one: Option<&AtomPoly>, other: Option<&AtomPoly>) -> bool {
    let difference = one.zip(other).and_then(|(one, other)| one.minus(other));
    difference.is_some_and(|difference| difference.modulo_2().as_constant() == Some(1))
}

pub(super) fn has_unknown(cond: &Cond) -> bool {
    match cond {
        Cond::AtLeastZero(_) => false,
        Cond::Unknown(..) => true,
        Cond::All(all) | Cond::Any(all) => all.iter().any(has_unknown),
    }
}

pub(super) fn names_any(cond: &Cond, keys: &FxHashSet<u32>) -> bool {
    match cond {
        Cond::AtLeastZero(_) => false,
        Cond::Unknown(key, _) => keys.contains(key),
        Cond::All(all) | Cond::Any(all) => all.iter().any(|cond| names_any(cond, keys)),
    }
}

/// What earlier iterations of a loop have written where one begins.
pub(super) fn earlier(
    write: &TrackedWrite,
    facts: &mut IntegerFacts,
    first: PolyAtom,
    (index, from): (PolyAtom, &AtomPoly),
) -> Option<TrackedWrite> {
    let other = facts.atom(true);
    let own = AtomPoly::atom(other);
    let mut write = write.replaced(index, &own)?;
    // What is read may stand under the same inner indices, which are others in that iteration: they get new names.
    for inner in write.over.clone() {
        let another = facts.atom(false);
        write = write.replaced(inner, &AtomPoly::atom(another))?;
        write.over.push(another);
    }
    write.close(other, &[Cond::at_most(from, &own)?, Cond::below(&own, &AtomPoly::atom(index))?]);
    // The index of the iteration that reads is known there.
    let hangs = write.mentions(&|atom| atom >= first && atom != index && !write.over.contains(&atom));
    (!hangs).then_some(write)
}
