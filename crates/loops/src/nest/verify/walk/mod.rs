//! Goes through the statements of a nest with what is known where each stands: loops, branches, accesses.

mod coverage;
mod variables;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::facts::{Cond, IntegerFacts};
use super::poly::{AtomPoly, PolyAtom};
use super::value::is_truth;
use super::written::{TrackedRead, TrackedWrite, covers};
use super::{CheckedAccess, IndexBound, NestFault};
use crate::nest::dependence::{CellRole, Divergence, Iterations};
use crate::nest::ir::{LoopRange, Nest, NestPlace, NestSlot, NestValue, ScalarKind, Stmt, Strips, each, stored};
use coverage::{earlier, first_visible};
use redexter_language::ground::Name;
use redexter_language::ground::order::InOrder;
use redexter_language::ground::writing::goes_on;
use redexter_language::term::Prim;

/// The longest dimension whose elements are looked at one by one: loops as long are written out.
const MAX_SHORT_DIM: i128 = 16;

/// The writes of a loop or a branch that hasn't ended, by cell; what was read and lies in its array.
#[derive(Default)]
struct WriteFrame {
    writes: FxHashMap<u32, Vec<TrackedWrite>>,
    shown: FxHashSet<NestPlace>,
}

/// A read that nothing covered where it stands: an earlier iteration of a loop around it may have.
struct PendingRead {
    read: TrackedRead,
    facts: IntegerFacts,
}

/// Indices but for multiples of 2, as far as what is left hangs on sizes alone.
type Parities = Vec<Option<AtomPoly>>;

pub(super) struct NestVerifier<'n> {
    pub(super) nest: &'n Nest,
    /// Whether integers that are indices get names of their own.
    names_indices: bool,
    pub(super) facts: IntegerFacts,
    pub(super) sizes: FxHashMap<Name, AtomPoly>,
    /// What integers are now.
    pub(super) ints: FxHashMap<u32, AtomPoly>,
    /// Below what the elements of integer arrays are; none is negative.
    pub(super) below: FxHashMap<u32, Vec<AtomPoly>>,
    /// How far from 0 atoms may be, but for sizes.
    pub(super) largest: FxHashMap<PolyAtom, u128>,
    /// How long arrays are, and how many elements they have.
    pub(super) held: Vec<AtomPoly>,
    /// What holds where a truth that has a name isn't 0.
    pub(super) truths: FxHashMap<u32, Cond>,
    /// Conditions on data, by number.
    pub(super) conditions: FxHashMap<NestValue, u32>,
    pub(super) conditions_met: u32,
    /// What elements of integer arrays are, until something is stored there.
    pub(super) elements: FxHashMap<(u32, SmallVec<[AtomPoly; 3]>), AtomPoly>,
    /// What quotients and rests are.
    pub(super) divisions: FxHashMap<(Prim, AtomPoly, AtomPoly), AtomPoly>,
    pub(super) int_arrays: FxHashSet<u32>,
    dims: FxHashMap<u32, Vec<AtomPoly>>,
    /// What is written from the beginning: parameters, indices of loops.
    given: FxHashSet<u32>,
    /// Variables that find elements, with the sizes of the arrays that they find them in.
    finders: FxHashMap<u32, Vec<AtomPoly>>,
    frames: Vec<WriteFrame>,
    /// The conditions of choices around, and whether they hold.
    chosen: Vec<(&'n NestValue, bool)>,
    /// What iterations of a loop over lanes share without adding to it: each has to write it before it reads it, in the frames
    /// from this one on.
    own: Vec<(usize, FxHashSet<u32>)>,
    pending: Vec<PendingRead>,
    /// The lanes that are gone through beyond their end, with where that is and what differs between them.
    beyond: Option<(u32, Vec<AtomPoly>, Divergence)>,
    /// Of the loops around that go two iterations at once, in what does the one that is left: that it is the last.
    left_over: Vec<Cond>,
    /// The indices of loops around that go two iterations at once, with what they begin at.
    by_two: Vec<(PolyAtom, AtomPoly)>,
    /// Arrays in which lanes store beyond their end; where and when they do, and what is read of them.
    padded: FxHashSet<u32>,
    spoilt: Vec<(PendingRead, Parities)>,
    seen: Vec<(PendingRead, Parities)>,
    /// The last indices of the loops around.
    pub(super) last: Vec<AtomPoly>,
    /// Products that quotients are below.
    pub(super) quotients: Vec<AtomPoly>,
    /// What is read is an index.
    finds: bool,
    /// Lanes that run beyond their end compute what nobody reads: they stay in their arrays, no more.
    in_bounds_alone: bool,
    /// Nothing is told of what is gone through to find out what a loop keeps.
    rehearses: bool,
    /// Integer arrays whose elements aren't below what was assumed.
    pub(super) larger: FxHashSet<(u32, AtomPoly)>,
    pub(super) accesses: Option<Vec<CheckedAccess>>,
    pub(super) faults: Vec<NestFault>,
}

impl<'n> NestVerifier<'n> {
    /// At the beginning of a nest; with `below` for elements of integer arrays that aren't parameters.
    pub(super) fn new(nest: &'n Nest, tells: bool, names_indices: bool) -> NestVerifier<'n> {
        let mut walk = NestVerifier {
            nest,
            facts: IntegerFacts::default(),
            sizes: FxHashMap::default(),
            ints: FxHashMap::default(),
            below: FxHashMap::default(),
            largest: FxHashMap::default(),
            held: Vec::new(),
            truths: FxHashMap::default(),
            conditions: FxHashMap::default(),
            conditions_met: 0,
            elements: FxHashMap::default(),
            divisions: FxHashMap::default(),
            int_arrays: FxHashSet::default(),
            dims: FxHashMap::default(),
            given: FxHashSet::default(),
            finders: FxHashMap::default(),
            frames: vec![WriteFrame::default()],
            chosen: Vec::new(),
            own: Vec::new(),
            pending: Vec::new(),
            beyond: None,
            left_over: Vec::new(),
            by_two: Vec::new(),
            padded: padded(&nest.body),
            spoilt: Vec::new(),
            seen: Vec::new(),
            last: Vec::new(),
            quotients: Vec::new(),
            finds: false,
            in_bounds_alone: false,
            rehearses: false,
            names_indices,
            larger: FxHashSet::default(),
            accesses: tells.then(Vec::new),
            faults: Vec::new(),
        };
        for name in &nest.sizes {
            let least = nest.bounds.lower(name);
            let more = AtomPoly::atom(walk.facts.size());
            let size = more.plus_constant(least.into()).unwrap_or(more);
            walk.sizes.insert(name.clone(), size);
        }
        let computed: Vec<AtomPoly> = nest.computed.iter().filter_map(|size| walk.size(size)).collect();
        walk.held.extend(computed);
        for slot in nest.parameters.iter().chain(&nest.results).chain(&nest.temporaries) {
            let dims: Option<Vec<AtomPoly>> = slot.array.dims.iter().map(|size| walk.size(size)).collect();
            if dims.is_none() {
                walk.faults.push(NestFault::Dimensions(NestPlace { cell: slot.cell, indices: Vec::new() }));
            }
            let dims = dims.unwrap_or_default();
            let held = dims.iter().try_fold(AtomPoly::constant(1), |all, size| all.times(size));
            walk.held.extend(dims.iter().cloned().chain(held));
            walk.dims.insert(slot.cell, dims);
            if slot.array.number == ScalarKind::Int && !slot.array.dims.is_empty() {
                walk.int_arrays.insert(slot.cell);
            }
        }
        for (slot, below) in nest.parameters.iter().zip(&nest.below) {
            walk.given.insert(slot.cell);
            let below = below.as_ref().and_then(|size| walk.size(size));
            match (slot.array.number, slot.array.dims.is_empty(), below) {
                (ScalarKind::Int, true, Some(below)) => {
                    let index = walk.index_below(&below);
                    walk.ints.insert(slot.cell, index);
                }
                (ScalarKind::Int, true, None) => {
                    let any = walk.unknown();
                    walk.ints.insert(slot.cell, any);
                }
                (ScalarKind::Int, false, Some(below)) => drop(walk.below.insert(slot.cell, vec![below])),
                _ => {}
            }
        }
        walk.find_finders();
        walk
    }

    /// The whole nest, and whether all of each result was written.
    pub(super) fn whole(&mut self) {
        self.body(&self.nest.body);
        for slot in &self.nest.results {
            let mark = self.facts.mark();
            let dims = self.dims.get(&slot.cell).cloned().unwrap_or_default();
            let indices = dims.iter().map(|size| self.index_below(size)).collect();
            let read =
                TrackedRead { cell: slot.cell, indices, place: NestPlace { cell: slot.cell, indices: Vec::new() } };
            self.covered(read);
            self.facts.back(mark);
        }
        for PendingRead { read, .. } in std::mem::take(&mut self.pending) {
            self.faults.push(NestFault::Unwritten(read.place));
        }
        let overwritten = self.overwritten();
        self.faults.extend(overwritten.into_iter().map(NestFault::Overwritten));
    }

    pub(super) fn body(&mut self, body: &'n [Stmt]) {
        for stmt in body.iter().take_while(|_| goes_on()) {
            match stmt {
                Stmt::Let(slot, value) => {
                    self.reads(value);
                    self.bind(slot, value);
                    self.given.insert(slot.cell);
                }
                // Declared again, in a later iteration, the number hasn't been written yet.
                Stmt::Var(slot) => {
                    self.frames.iter_mut().for_each(|frame| drop(frame.writes.remove(&slot.cell)));
                    self.ints.remove(&slot.cell);
                }
                Stmt::Set(place, value) => self.set(place, value),
                Stmt::For(range, inside) => self.looped(range, inside, false),
                Stmt::Lanes(range, inside) => self.looped(range, inside, true),
                Stmt::Pairs(range, two, one) => self.pairs(range, two, one),
                Stmt::Strips(strips, inside) => self.strips(strips, inside),
                Stmt::If(condition, a, b) => self.branches(condition, a, b),
            }
        }
        // Nothing behind a block sees what it declares, nor does another iteration: it has to be written there anew.
        for stmt in body {
            match stmt {
                Stmt::Let(slot, _) => drop(self.given.remove(&slot.cell)),
                Stmt::Var(slot) => {
                    self.frames.last_mut().and_then(|frame| frame.writes.remove(&slot.cell));
                }
                _ => {}
            }
            for cell in stmt.indices() {
                self.given.remove(&cell);
            }
        }
    }

    fn bind(&mut self, slot: &NestSlot, value: &'n NestValue) {
        if slot.array.number == ScalarKind::Int {
            if is_truth(value) {
                let cond = self.cond(value);
                self.truths.insert(slot.cell, cond);
            }
            // What a guard asks for has a name already, and its index is that; any other integer is what computes it, by which
            // it is seen what is written for all of a loop's iterations.
            let is_guards = matches!(value, NestValue::Load(place) if place.indices.is_empty());
            let value = self.poly(value);
            let value = if self.names_indices && is_guards { self.named_index(value) } else { value };
            self.ints.insert(slot.cell, value);
        }
    }

    /// An integer that is known to be an index below sizes, by a name of its own; any other as it is.
    fn named_index(&mut self, value: AtomPoly) -> AtomPoly {
        if value.as_atom().is_some() || value.as_constant().is_some() {
            return value;
        }
        let sizes: Vec<AtomPoly> = self.nest.sizes.iter().filter_map(|name| self.sizes.get(name).cloned()).collect();
        let mut above = sizes;
        above.extend(self.held.iter().cloned());
        above.retain(|size| Cond::below(&value, size).is_some_and(|cond| self.facts.holds(&cond)));
        if above.is_empty() || !self.facts.at_most(&AtomPoly::default(), &value) {
            return value;
        }
        let own = self.atom_within(true, &[&above]);
        self.facts.assume_all(above.iter().filter_map(|size| Cond::below(&own, size)));
        self.facts.assume_all([Cond::at_most(&own, &value), Cond::at_most(&value, &own)].into_iter().flatten());
        own
    }

    fn set(&mut self, place: &'n NestPlace, value: &'n NestValue) {
        self.finds = true;
        place.indices.iter().for_each(|index| self.reads(index));
        self.finds = false;
        self.reads(value);
        let indices = self.in_bounds(place, true);
        if self.given.contains(&place.cell) {
            self.fault(NestFault::Given(place.clone()));
        }
        // It comes behind the reads, which still find what was there.
        self.forget(place.cell);
        if place.indices.is_empty() {
            if self.finders.contains_key(&place.cell) {
                let value = self.poly(value);
                self.ints.insert(place.cell, value);
            }
        } else if let Some(sizes) = self.below.get(&place.cell).cloned() {
            let value = self.poly(value);
            let is_natural = self.facts.at_least_zero(&value).is_some();
            for size in sizes {
                let fits = Cond::below(&value, &size).is_some_and(|cond| self.facts.holds(&cond));
                if !is_natural || !fits {
                    self.larger.insert((place.cell, size));
                }
            }
        }
        // Beyond their end lanes may write what nobody reads: it covers no read, and must spoil none.
        if self.in_bounds_alone && !self.rehearses {
            self.stored_beyond(place, &indices);
        }
        if !self.in_bounds_alone {
            let write = TrackedWrite { cell: place.cell, indices, over: SmallVec::new(), conds: SmallVec::new() };
            self.written(write);
        }
    }

    /// Conditions on something that is stored are others from here on, as are places that it finds.
    fn forget(&mut self, cell: u32) {
        self.conditions.retain(|value, _| !value.mentions(cell));
        if self.int_arrays.contains(&cell) {
            self.elements.retain(|(own, _), _| *own != cell);
        }
        if self.finders.contains_key(&cell) {
            self.frames.iter_mut().for_each(|frame| frame.shown.clear());
        }
    }

    /// Whatever is read in a value lies in its array, and was written.
    fn reads(&mut self, value: &'n NestValue) {
        match value {
            NestValue::Select(p) => {
                self.reads(&p.0);
                // A condition on sizes is the same in all lanes, so that only one side is computed: what holds there is known.
                let same = asks_sizes_alone(&p.0).then(|| self.cond(&p.0));
                for (part, holds) in [(&p.1, true), (&p.2, false)] {
                    self.chosen.push((&p.0, holds));
                    let known = same.clone().and_then(|cond| if holds { Some(cond) } else { cond.negated() });
                    match known {
                        Some(cond) => {
                            let mark = self.facts.mark();
                            self.facts.assume(&cond);
                            self.framed(|walk| walk.reads(part));
                            self.facts.back(mark);
                        }
                        None => self.reads(part),
                    }
                    self.chosen.pop();
                }
            }
            NestValue::Load(place) => {
                let finds = std::mem::replace(&mut self.finds, true);
                place.indices.iter().for_each(|index| self.reads(index));
                self.finds = finds;
            }
            value => value.each_part(&mut |part| self.reads(part)),
        }
        let NestValue::Load(place) = value else { return };
        if place.indices.is_empty() {
            if !self.given.contains(&place.cell) {
                self.covered(TrackedRead { cell: place.cell, indices: SmallVec::new(), place: place.clone() });
            }
            return;
        }
        let first = if self.finds { None } else { Some(first_visible(&self.own, place.cell)) };
        if first.is_some_and(|first| self.frames[first..].iter().any(|frame| frame.shown.contains(place))) {
            return;
        }
        let indices = self.in_bounds(place, false);
        let covered = self.given.contains(&place.cell)
            || self.covered(TrackedRead { cell: place.cell, indices, place: place.clone() });
        if covered
            && !self.in_bounds_alone
            && let Some(frame) = self.frames.last_mut()
        {
            frame.shown.insert(place.clone());
        }
    }

    /// Shows that each index is in its dimension, and gives them.
    fn in_bounds(&mut self, place: &NestPlace, is_write: bool) -> SmallVec<[AtomPoly; 3]> {
        let dims = self.dims.get(&place.cell).cloned().unwrap_or_default();
        let mut bounds = Vec::new();
        let mut indices = SmallVec::new();
        for (k, value) in place.indices.iter().enumerate() {
            let index = self.poly(value);
            let Some(size) = dims.get(k) else {
                self.fault(NestFault::Dimensions(place.clone()));
                break;
            };
            let above = size.minus(&index).and_then(|room| room.plus_constant(-1));
            let lowest = self.facts.at_least_zero(&index);
            let room = above.and_then(|above| self.facts.at_least_zero(&above));
            match (lowest, room) {
                // Where the facts contradict each other nothing is accessed.
                (lowest, room) if (lowest.is_none() || room.is_none()) && self.facts.are_impossible() => {}
                (Some(lowest), Some(room)) if self.accesses.is_some() => {
                    let highest = size.minus(&room).and_then(|most| most.plus_constant(-1));
                    let text = |poly: &AtomPoly| self.text(poly);
                    bounds.push(IndexBound {
                        lowest: text(&lowest),
                        highest: highest.as_ref().map_or_else(String::new, text),
                        size: text(size),
                    });
                }
                (Some(_), Some(_)) => {}
                (lowest, _) => {
                    self.fault(NestFault::Outside { place: place.clone(), at: k, is_below: lowest.is_none() })
                }
            }
            indices.push(index);
        }
        if indices.len() < dims.len() {
            self.fault(NestFault::Dimensions(place.clone()));
        }
        if let Some(all) = self.accesses.as_mut().filter(|_| !self.rehearses && !place.indices.is_empty()) {
            all.push(CheckedAccess { place: place.clone(), is_write, bounds });
        }
        indices
    }

    /// Whether a cell was written from the beginning.
    pub(super) fn is_given(&self, cell: u32) -> bool {
        self.given.contains(&cell)
    }

    fn fault(&mut self, fault: NestFault) {
        if !self.rehearses {
            self.faults.push(fault);
        }
    }

    /// A branch or the iterations of a loop, with what they write.
    fn framed(&mut self, inside: impl FnOnce(&mut Self)) -> Vec<TrackedWrite> {
        self.frames.push(WriteFrame::default());
        inside(self);
        let writes = self.frames.pop().map(|frame| frame.writes).unwrap_or_default();
        let mut all: Vec<(u32, Vec<TrackedWrite>)> = writes.into_iter().collect();
        // A map has no order, and proofs must not depend on one.
        all.order_by_key(|(cell, _)| *cell);
        all.into_iter().flat_map(|(_, writes)| writes).collect()
    }

    fn looped(&mut self, range: &'n LoopRange, inside: &'n [Stmt], in_lanes: bool) {
        [&range.from, &range.to].into_iter().chain(&range.most).for_each(|value| self.reads(value));
        let (from, to) = (self.poly(&range.from), self.ends(&range.to));
        self.given.insert(range.cell);
        // Lanes that run beyond their end are gone through once more, up to where they may: there they must stay in their
        // arrays.
        if let Some(most) = range.most.as_ref().filter(|_| !self.in_bounds_alone) {
            let most = self.ends(most);
            self.in_bounds_alone = true;
            self.beyond = Some((range.cell, to.clone(), Divergence::with(range.cell, inside, &|_| true)));
            self.iterations(range, (&from, &most), inside, true);
            self.beyond = None;
            self.in_bounds_alone = false;
        }
        if in_lanes && !self.in_bounds_alone {
            let shared = self.shared(range, inside);
            self.own.push((self.frames.len(), shared));
        }
        let before = self.pending.len();
        self.iterations(range, (&from, &to), inside, in_lanes);
        if in_lanes
            && !self.in_bounds_alone
            && let Some((_, shared)) = self.own.pop()
        {
            // What came before the lanes doesn't cover what they share.
            for pending in self.pending.split_off(before) {
                if shared.contains(&pending.read.cell) {
                    self.faults.push(NestFault::Unwritten(pending.read.place));
                } else {
                    self.pending.push(pending);
                }
            }
        }
    }

    /// What lanes store that isn't each lane's own: all of them have to store the same.
    fn shared(&mut self, range: &'n LoopRange, inside: &'n [Stmt]) -> FxHashSet<u32> {
        let iterations = Iterations::over(range, inside);
        if iterations.are_independent() {
            return FxHashSet::default();
        }
        let differing = Divergence::with(range.cell, inside, &|_| true);
        let is_own =
            |cell: &u32| matches!(iterations.role(*cell), CellRole::Private | CellRole::Uniform | CellRole::Varying(_));
        let all: Vec<u32> = iterations.stored().iter().copied().filter(|cell| !is_own(cell)).collect();
        for cell in all.iter().filter(|cell| differing.has(**cell)) {
            self.fault(NestFault::Dependent(NestPlace { cell: *cell, indices: Vec::new() }));
        }
        all.into_iter().collect()
    }

    fn iterations(
        &mut self,
        range: &'n LoopRange,
        (from, to): (&AtomPoly, &[AtomPoly]),
        inside: &'n [Stmt],
        in_lanes: bool,
    ) {
        // Atoms from this one on are known inside alone: a write that hangs on one of them says nothing behind the loop.
        let first = self.facts.atom(false);
        let mark = self.facts.mark();
        let natural = self.facts.at_least_zero(from).is_some();
        let (index, own) = self.index_from(natural, from, to);
        let below = to.iter().map(|to| Cond::below(&own, to));
        let conds: Vec<Cond> = [Cond::at_most(from, &own)].into_iter().chain(below).flatten().collect();
        self.facts.assume_all(&conds);
        self.runs(natural, to);
        self.ints.insert(range.cell, own.clone());
        let around = self.last.len();
        self.last.extend(to.iter().filter_map(|to| to.plus_constant(-1)));
        let kept = self.kept(inside, (&own, from), None);
        let before = self.pending.len();
        let mut writes = self.framed(|walk| walk.round(inside));
        self.drop_inner(&mut writes, &[range.cell], &[inside]);
        // Lanes may run in any order, so that no lane may rely on an earlier one.
        if !in_lanes && self.pending.len() > before {
            let earlier = writes.iter().filter_map(|write| earlier(write, &mut self.facts, first, (index, from)));
            let earlier: Vec<TrackedWrite> = earlier.collect();
            self.settle(before, &earlier);
        }
        self.last.truncate(around);
        self.facts.back(mark);
        for write in &mut writes {
            write.close(index, &conds);
        }
        self.close(writes, first);
        stored(inside).into_iter().for_each(|cell| self.forget(cell));
        self.after(kept);
    }

    /// Where a loop over a product runs, from what isn't negative, no factor is 0.
    fn runs(&mut self, natural: bool, to: &[AtomPoly]) {
        let products = to.iter().filter(|to| natural && self.facts.is_natural(to)).filter_map(AtomPoly::as_product);
        let is_not_0 = |factor| Cond::below(&AtomPoly::default(), &AtomPoly::atom(factor));
        let factors: Vec<Cond> = products.flatten().filter_map(is_not_0).collect();
        self.facts.assume_all(&factors);
    }

    /// The index of a loop.
    fn index_from(&mut self, natural: bool, from: &AtomPoly, to: &[AtomPoly]) -> (PolyAtom, AtomPoly) {
        let own = self.atom_within(natural, &[std::slice::from_ref(from), to]);
        (own.as_atom().unwrap_or_default(), own)
    }

    /// What a loop ends below: all of these.
    fn ends(&mut self, value: &'n NestValue) -> Vec<AtomPoly> {
        if let NestValue::Select(p) = value
            && let NestValue::Prim(Prim::Lt, ScalarKind::Int, both) = &p.0
            && both[..] == [p.1.clone(), p.2.clone()]
        {
            // The smaller of two: what is below it is below both.
            return [self.ends(&p.1), self.ends(&p.2)].concat();
        }
        vec![self.poly(value)]
    }

    /// One iteration. A branch that is all of it, and stores a number, may be done as a mask: what it reads is read in any case,
    /// so that it must lie in its array even where the condition doesn't hold. One on sizes holds in all iterations, or in none.
    fn round(&mut self, inside: &'n [Stmt]) {
        if let [Stmt::If(condition, set, other)] = inside
            && !asks_sizes_alone(condition)
            && let ([Stmt::Set(place, value)], []) = (&set[..], &other[..])
            && place.indices.is_empty()
            && !self.in_bounds_alone
        {
            self.in_bounds_alone = true;
            self.reads(value);
            self.in_bounds_alone = false;
        }
        self.body(inside);
    }

    /// Two iterations at once, as long as there are two, and the one that may be left.
    fn pairs(&mut self, range: &'n LoopRange, two: &'n [Stmt], one: &'n [Stmt]) {
        [&range.from, &range.to].into_iter().for_each(|value| self.reads(value));
        let (from, to) = (self.poly(&range.from), self.ends(&range.to));
        self.given.insert(range.cell);
        let last: Vec<AtomPoly> = to.iter().filter_map(|to| to.plus_constant(-1)).collect();
        let changed: Vec<u32> = [stored(two), stored(one)].concat();
        self.unknown_from_here(&changed);
        // What one iteration writes is what all of them do, as far as two at once write the same twice.
        let first = self.facts.atom(false);
        let mark = self.facts.mark();
        let natural = self.facts.at_least_zero(&from).is_some();
        let (index, own) = self.index_from(natural, &from, &to);
        self.ints.insert(range.cell, own.clone());
        self.facts.assume_all(Cond::at_most(&from, &own));
        self.facts.assume_all(last.iter().filter_map(|last| Cond::below(&own, last)));
        self.runs(natural, &to);
        self.by_two.push((index, from.clone()));
        let mut both = self.framed(|walk| walk.body(two));
        self.by_two.pop();
        self.drop_inner(&mut both, &[range.cell], &[two, one]);
        self.facts.back(mark);
        self.unknown_from_here(&changed);
        let below = to.iter().map(|to| Cond::below(&own, to));
        let conds: Vec<Cond> = [Cond::at_most(&from, &own)].into_iter().chain(below).flatten().collect();
        self.facts.assume_all(&conds);
        self.runs(natural, &to);
        self.ints.insert(range.cell, own.clone());
        // It is the last one, which what all of them write mustn't know.
        let is_last = Cond::Any(last.iter().filter_map(|last| Cond::at_most(last, &own)).collect());
        self.left_over.push(is_last);
        let mut writes = self.framed(|walk| walk.body(one));
        self.left_over.pop();
        self.drop_inner(&mut writes, &[range.cell], &[two, one]);
        self.unknown_from_here(&changed);
        self.facts.assume_all(last.iter().filter_map(|last| Cond::below(&own, last)));
        let next = own.plus_constant(1);
        writes.retain(|write| {
            let all: Vec<&TrackedWrite> = both.iter().filter(|other| other.cell == write.cell).collect();
            let later = next.as_ref().and_then(|next| write.replaced(index, next));
            [Some(write.clone()), later].iter().all(|write| {
                write.as_ref().is_some_and(|write| {
                    let mark = self.facts.mark();
                    self.facts.assume_all(&write.conds);
                    let covered = covers(&mut self.facts, &all, &write.indices);
                    self.facts.back(mark);
                    covered
                })
            })
        });
        self.facts.back(mark);
        for write in &mut writes {
            write.close(index, &conds);
        }
        self.close(writes, first);
    }

    fn strips(&mut self, strips: &'n Strips, inside: &'n [Stmt]) {
        let Some(size) = self.size(&strips.size) else { return };
        let first = self.facts.atom(false);
        let mark = self.facts.mark();
        let within = std::slice::from_ref(&size);
        let [from, rounds] = [(); 2].map(|()| self.atom_within(true, &[within]));
        let (Some(base), Some(count)) = (from.as_atom(), rounds.as_atom()) else { return };
        let known = [
            Cond::at_most(&AtomPoly::constant(1), &rounds),
            Cond::at_most(&rounds, &AtomPoly::constant(strips.lanes.into())),
            from.plus(&rounds).and_then(|end| Cond::at_most(&end, &size)),
        ];
        self.facts.assume_all(known.iter().flatten());
        self.runs(true, within);
        self.ints.extend([(strips.base, from), (strips.count, rounds)]);
        self.given.extend([strips.base, strips.count]);
        // A later strip may be shorter, so that bounds must not mention the count of this one.
        let around = self.last.len();
        self.last.extend(size.plus_constant(-1));
        let kept = self.kept(inside, (&AtomPoly::default(), &AtomPoly::default()), Some(count));
        let mut writes = self.framed(|walk| walk.body(inside));
        self.last.truncate(around);
        self.drop_inner(&mut writes, &[strips.base, strips.count], &[inside]);
        self.facts.back(mark);
        let writes = writes.into_iter().filter_map(|write| self.joined(write, (base, count), &size)).collect();
        self.close(writes, first);
        stored(inside).into_iter().for_each(|cell| self.forget(cell));
        self.after(kept);
    }

    fn branches(&mut self, condition: &'n NestValue, a: &'n [Stmt], b: &'n [Stmt]) {
        self.reads(condition);
        let cond = self.cond(condition);
        let before = self.ints.clone();
        let mut done = Vec::new();
        for (cond, inside) in [(Some(cond.clone()), a), (cond.negated(), b)] {
            let cond = cond.unwrap_or(Cond::TRUE);
            self.ints.clone_from(&before);
            let mark = self.facts.mark();
            self.facts.assume(&cond);
            let writes = self.framed(|walk| walk.body(inside));
            let (facts, ints) = (self.finders.is_empty(), self.ints.clone());
            // Copies are expensive: they are made only where integers have to be bounded behind both branches.
            let facts = (!facts).then(|| self.facts.clone());
            self.facts.back(mark);
            done.push((cond, writes, ints, facts));
        }
        let (Some(other), Some(own)) = (done.pop(), done.pop()) else { return };
        self.ints = before;
        self.meet(&own.2, &other.2, own.3, other.3);
        for stmts in [a, b] {
            stored(stmts).into_iter().for_each(|cell| self.forget(cell));
        }
        // What both branches write is written, whatever the condition says.
        for (own, other, is_turned) in [(&own.1, &other.1, false), (&other.1, &own.1, true)] {
            // The other way round, a loop may stand beside its pieces.
            for write in own.iter().filter(|write| !is_turned || !write.indices.is_empty()) {
                let all: Vec<&TrackedWrite> = other.iter().filter(|theirs| theirs.cell == write.cell).collect();
                let is_alone = is_turned && all.len() < 2;
                let mark = self.facts.mark();
                self.facts.assume_all(&write.conds);
                if !all.is_empty() && !is_alone && covers(&mut self.facts, &all, &write.indices) {
                    self.written(write.clone());
                }
                self.facts.back(mark);
            }
        }
        for (cond, writes) in [(own.0, own.1), (other.0, other.1)] {
            for mut write in writes {
                write.conds.push(cond.clone());
                self.written(write);
            }
        }
    }

    /// A polynomial in the names of sizes.
    fn text(&self, poly: &AtomPoly) -> String {
        super::report::text(poly, &self.nest.sizes, &self.sizes)
    }
}

/// Whether it asks nothing but sizes.
fn asks_sizes_alone(value: &NestValue) -> bool {
    let mut found = true;
    value.places(&mut |_| found = false);
    found
}

/// Arrays in which lanes store that run beyond their end.
fn padded(body: &[Stmt]) -> FxHashSet<u32> {
    let mut all = FxHashSet::default();
    each(body, &mut |stmt| {
        if let Stmt::Lanes(range, inside) | Stmt::For(range, inside) = stmt
            && range.most.is_some()
        {
            all.extend(stored(inside));
        }
    });
    all
}
