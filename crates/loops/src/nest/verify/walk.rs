//! Goes through the statements of a nest with what is known where each stands.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::facts::{Cond, Facts};
use super::poly::{Atom, Poly};
use super::written::{Read, Write, covers};
use super::{Access, Bound, Fault};
use crate::nest::dependence::{Differing, Iterations, Role};
use crate::nest::ir::value::walk;
use crate::nest::ir::walk::changed;
use crate::nest::ir::{Nest, Number, Place, Range, Slot, Stmt, Strips, Value, each, stored};
use redexter_language::ground::Name;
use redexter_language::ground::writing::goes_on;
use redexter_language::term::{Class, Prim};

/// The longest dimension whose elements are looked at one by one: loops as long are written out.
const SHORT: i128 = 16;

/// The writes of a loop or a branch that hasn't ended, by cell; what was read and lies in its array.
#[derive(Default)]
struct Frame {
    writes: FxHashMap<u32, Vec<Write>>,
    shown: FxHashSet<Place>,
}

/// A read that nothing covered where it stands: an earlier iteration of a loop around it may have.
struct Pending {
    read: Read,
    facts: Facts,
}

pub(super) struct Walk<'n> {
    nest: &'n Nest,
    pub(super) facts: Facts,
    pub(super) sizes: FxHashMap<Name, Poly>,
    /// What integers are now.
    pub(super) ints: FxHashMap<u32, Poly>,
    /// Below what the elements of integer arrays are; none is negative.
    pub(super) below: FxHashMap<u32, Vec<Poly>>,
    /// Atoms that may be any integer of 64 bits.
    pub(super) wild: FxHashSet<Atom>,
    /// Conditions on data, by number.
    pub(super) conditions: FxHashMap<Value, u32>,
    pub(super) conditions_met: u32,
    /// What elements of integer arrays are, until something is stored there.
    pub(super) elements: FxHashMap<(u32, SmallVec<[Poly; 3]>), Poly>,
    pub(super) int_arrays: FxHashSet<u32>,
    dims: FxHashMap<u32, Vec<Poly>>,
    /// What is written from the beginning: parameters, indices of loops.
    given: FxHashSet<u32>,
    /// Variables that find elements, with the sizes of the arrays that they find them in.
    finders: FxHashMap<u32, Vec<Poly>>,
    frames: Vec<Frame>,
    /// The conditions of choices around, and whether they hold.
    chosen: Vec<(&'n Value, bool)>,
    /// What iterations of a loop over lanes share without adding to it: each has to write it before it reads it, in the frames from
    /// this one on.
    own: Vec<(usize, FxHashSet<u32>)>,
    pending: Vec<Pending>,
    /// What is read is an index.
    finds: bool,
    /// Lanes that run beyond their end compute what nobody reads: they stay in their arrays, no more.
    in_bounds_alone: bool,
    /// Nothing is told of what is gone through to find out what a loop keeps.
    rehearses: bool,
    /// Integer arrays whose elements aren't below what was assumed.
    pub(super) larger: FxHashSet<(u32, Poly)>,
    pub(super) accesses: Option<Vec<Access>>,
    pub(super) faults: Vec<Fault>,
}

/// A variable that a loop changes: what it is before, and bounds that each round keeps.
struct Kept {
    cell: u32,
    before: Option<Poly>,
    lower: Vec<Poly>,
    upper: Vec<Poly>,
}

impl<'n> Walk<'n> {
    /// At the beginning of a nest; with `below` for elements of integer arrays that aren't parameters.
    pub(super) fn new(nest: &'n Nest, tells: bool) -> Walk<'n> {
        let mut walk = Walk {
            nest,
            facts: Facts::default(),
            sizes: FxHashMap::default(),
            ints: FxHashMap::default(),
            below: FxHashMap::default(),
            wild: FxHashSet::default(),
            conditions: FxHashMap::default(),
            conditions_met: 0,
            elements: FxHashMap::default(),
            int_arrays: FxHashSet::default(),
            dims: FxHashMap::default(),
            given: FxHashSet::default(),
            finders: FxHashMap::default(),
            frames: vec![Frame::default()],
            chosen: Vec::new(),
            own: Vec::new(),
            pending: Vec::new(),
            finds: false,
            in_bounds_alone: false,
            rehearses: false,
            larger: FxHashSet::default(),
            accesses: tells.then(Vec::new),
            faults: Vec::new(),
        };
        for name in &nest.sizes {
            let least = nest.bounds.lower(name);
            let more = Poly::atom(walk.facts.size());
            let size = more.plus_constant(least.into()).unwrap_or(more);
            walk.sizes.insert(name.clone(), size);
        }
        for slot in nest.parameters.iter().chain(&nest.results).chain(&nest.temporaries) {
            let dims: Option<Vec<Poly>> = slot.array.dims.iter().map(|size| walk.size(size)).collect();
            if dims.is_none() {
                walk.faults.push(Fault::Dimensions(Place { cell: slot.cell, indices: Vec::new() }));
            }
            walk.dims.insert(slot.cell, dims.unwrap_or_default());
            if slot.array.number == Number::Int && !slot.array.dims.is_empty() {
                walk.int_arrays.insert(slot.cell);
            }
        }
        for (slot, below) in nest.parameters.iter().zip(&nest.below) {
            walk.given.insert(slot.cell);
            let below = below.as_ref().and_then(|size| walk.size(size));
            match (slot.array.number, slot.array.dims.is_empty(), below) {
                (Number::Int, true, Some(below)) => {
                    let index = walk.index_below(&below);
                    walk.ints.insert(slot.cell, index);
                }
                (Number::Int, true, None) => {
                    let any = walk.unknown();
                    walk.ints.insert(slot.cell, any);
                }
                (Number::Int, false, Some(below)) => drop(walk.below.insert(slot.cell, vec![below])),
                _ => {}
            }
        }
        walk.find_finders();
        walk
    }

    /// Variables in indices, ranges and comparisons of integers, and what is stored in such.
    fn find_finders(&mut self) {
        let mut sets: FxHashMap<u32, bool> = FxHashMap::default();
        let mut flows: Vec<(u32, u32)> = Vec::new();
        let mut found: Vec<(u32, Option<Poly>)> = Vec::new();
        each(&self.nest.body, &mut |stmt| {
            let mut index = |value: &Value, size: Option<&Poly>| {
                value.places(&mut |place| found.push((place.cell, size.cloned())));
            };
            match stmt {
                Stmt::For(range, _) | Stmt::Lanes(range, _) | Stmt::Pairs(range, ..) => {
                    [&range.from, &range.to].into_iter().for_each(|value| index(value, None));
                }
                Stmt::Set(place, value) => {
                    sets.insert(place.cell, place.indices.is_empty());
                    value.places(&mut |from| flows.push((from.cell, place.cell)));
                }
                Stmt::Let(slot, value) if slot.array.number == Number::Int => {
                    value.places(&mut |from| flows.push((from.cell, slot.cell)));
                }
                _ => {}
            }
            // What is compared with an index, or a size, says where something was written.
            stmt.values(&mut |value| {
                walk(value, &mut |part| {
                    if let Value::Prim(prim, Number::Int, operands) = part
                        && prim.class() == Class::Comparison
                    {
                        found.extend(operands.iter().filter_map(|operand| match operand {
                            Value::Load(place) if place.indices.is_empty() => Some((place.cell, None)),
                            _ => None,
                        }));
                    }
                });
            });
            stmt.places(&mut |place| {
                if let Some(dims) = self.dims.get(&place.cell) {
                    for (value, size) in place.indices.iter().zip(dims) {
                        value.places(&mut |from| found.push((from.cell, Some(size.clone()))));
                    }
                }
            });
        });
        let mut all: FxHashMap<u32, Vec<Poly>> = FxHashMap::default();
        while let Some((cell, size)) = found.pop() {
            let known = all.contains_key(&cell);
            let own = all.entry(cell).or_default();
            let is_new = size.filter(|size| !own.contains(size)).map(|size| own.push(size.clone()));
            if is_new.is_some() || !known {
                let sizes = own.clone();
                let from = flows.iter().filter(|(_, to)| *to == cell).map(|(from, _)| *from);
                let sizes = sizes.into_iter().map(Some).chain([None]).collect::<Vec<_>>();
                found.extend(from.flat_map(|from| sizes.iter().map(move |size| (from, size.clone()))));
            }
        }
        all.retain(|cell, _| sets.contains_key(cell));
        self.finders = all;
    }

    fn is_array(&self, cell: u32) -> bool {
        self.dims.get(&cell).is_some_and(|dims| !dims.is_empty())
    }

    /// Integer arrays that find elements, and that the nest itself fills: with the sizes below which their elements may be.
    pub(super) fn found_arrays(&self) -> Vec<(u32, Vec<Poly>)> {
        let arrays = self.finders.iter().filter(|(cell, _)| self.is_array(**cell) && !self.given.contains(cell));
        let mut all: Vec<(u32, Vec<Poly>)> = arrays.map(|(cell, sizes)| (*cell, sizes.clone())).collect();
        all.sort_by_key(|(cell, _)| *cell);
        all
    }

    /// The whole nest, and whether all of each result was written.
    pub(super) fn whole(&mut self) {
        self.body(&self.nest.body);
        for slot in &self.nest.results {
            let mark = self.facts.mark();
            let dims = self.dims.get(&slot.cell).cloned().unwrap_or_default();
            let indices = dims.iter().map(|size| self.index_below(size)).collect();
            let read = Read { cell: slot.cell, indices, place: Place { cell: slot.cell, indices: Vec::new() } };
            self.covered(read);
            self.facts.back(mark);
        }
        for Pending { read, .. } in std::mem::take(&mut self.pending) {
            self.faults.push(Fault::Unwritten(read.place));
        }
    }

    pub(super) fn body(&mut self, body: &'n [Stmt]) {
        for stmt in body.iter().take_while(|_| goes_on()) {
            match stmt {
                Stmt::Let(slot, value) => {
                    self.reads(value);
                    self.bind(slot, value);
                    self.given.insert(slot.cell);
                }
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
        // Nothing behind a block sees what it declares, another round's neither.
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

    fn bind(&mut self, slot: &Slot, value: &'n Value) {
        if slot.array.number == Number::Int {
            let value = self.poly(value);
            self.ints.insert(slot.cell, value);
        }
    }

    fn set(&mut self, place: &'n Place, value: &'n Value) {
        self.finds = true;
        place.indices.iter().for_each(|index| self.reads(index));
        self.finds = false;
        self.reads(value);
        let indices = self.in_bounds(place, true);
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
        if !self.in_bounds_alone {
            let write = Write { cell: place.cell, indices, over: SmallVec::new(), conds: SmallVec::new() };
            self.written(write);
        }
    }

    fn written(&mut self, write: Write) {
        if let Some(frame) = self.frames.last_mut() {
            let all = frame.writes.entry(write.cell).or_default();
            // A variable that was written is.
            let is_known = write.indices.is_empty() && all.iter().any(|known| known.conds.is_empty());
            if !is_known {
                all.push(write);
            }
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
    fn reads(&mut self, value: &'n Value) {
        match value {
            Value::Select(p) => {
                self.reads(&p.0);
                for (part, holds) in [(&p.1, true), (&p.2, false)] {
                    self.chosen.push((&p.0, holds));
                    self.reads(part);
                    self.chosen.pop();
                }
            }
            Value::Load(place) => {
                let finds = std::mem::replace(&mut self.finds, true);
                place.indices.iter().for_each(|index| self.reads(index));
                self.finds = finds;
            }
            value => value.each_part(&mut |part| self.reads(part)),
        }
        let Value::Load(place) = value else { return };
        if place.indices.is_empty() {
            if !self.given.contains(&place.cell) {
                self.covered(Read { cell: place.cell, indices: SmallVec::new(), place: place.clone() });
            }
            return;
        }
        let first = if self.finds { None } else { Some(first_visible(&self.own, place.cell)) };
        if first.is_some_and(|first| self.frames[first..].iter().any(|frame| frame.shown.contains(place))) {
            return;
        }
        let indices = self.in_bounds(place, false);
        let covered =
            self.given.contains(&place.cell) || self.covered(Read { cell: place.cell, indices, place: place.clone() });
        if covered
            && !self.in_bounds_alone
            && let Some(frame) = self.frames.last_mut()
        {
            frame.shown.insert(place.clone());
        }
    }

    /// Shows that each index is in its dimension, and gives them.
    fn in_bounds(&mut self, place: &Place, is_write: bool) -> SmallVec<[Poly; 3]> {
        let dims = self.dims.get(&place.cell).cloned().unwrap_or_default();
        let mut bounds = Vec::new();
        let mut indices = SmallVec::new();
        for (k, value) in place.indices.iter().enumerate() {
            let index = self.poly(value);
            let Some(size) = dims.get(k) else {
                self.fault(Fault::Dimensions(place.clone()));
                break;
            };
            let above = size.minus(&index).and_then(|room| room.plus_constant(-1));
            let lowest = self.facts.at_least_zero(&index);
            let room = above.and_then(|above| self.facts.at_least_zero(&above));
            match (lowest, room) {
                (lowest, room) if (lowest.is_none() || room.is_none()) && self.facts.are_impossible() => {}
                (Some(lowest), Some(room)) if self.accesses.is_some() => {
                    let highest = size.minus(&room).and_then(|most| most.plus_constant(-1));
                    let text = |poly: &Poly| self.text(poly);
                    bounds.push(Bound {
                        lowest: text(&lowest),
                        highest: highest.as_ref().map_or_else(String::new, text),
                        size: text(size),
                    });
                }
                (Some(_), Some(_)) => {}
                (lowest, _) => self.fault(Fault::Outside { place: place.clone(), at: k, is_below: lowest.is_none() }),
            }
            indices.push(index);
        }
        if indices.len() < dims.len() {
            self.fault(Fault::Dimensions(place.clone()));
        }
        if let Some(all) = self.accesses.as_mut().filter(|_| !self.rehearses && !place.indices.is_empty()) {
            all.push(Access { place: place.clone(), is_write, bounds });
        }
        indices
    }

    /// Whether a cell was written from the beginning.
    pub(super) fn is_given(&self, cell: u32) -> bool {
        self.given.contains(&cell)
    }

    fn fault(&mut self, fault: Fault) {
        if !self.rehearses {
            self.faults.push(fault);
        }
    }

    /// Whether a read is covered; what isn't may be by an earlier iteration.
    fn covered(&mut self, read: Read) -> bool {
        // What finds an element has to be an index even where nobody reads the element.
        if self.rehearses || (self.in_bounds_alone && !self.finds) {
            return true;
        }
        if self.is_covered(&read) {
            return true;
        }
        if self.finds {
            self.pending.push(Pending { read, facts: self.facts.clone() });
            return false;
        }
        // What a choice doesn't take may be anything.
        let mark = self.facts.mark();
        for (condition, holds) in self.chosen.clone() {
            let cond = self.cond(condition);
            self.facts.assume_all(if holds { Some(cond) } else { cond.negated() });
        }
        if !self.is_covered(&read) && !self.facts.are_impossible() {
            self.pending.push(Pending { read, facts: self.facts.clone() });
        }
        self.facts.back(mark);
        false
    }

    fn is_covered(&mut self, read: &Read) -> bool {
        if covers(&mut self.facts, &visible(&self.frames, &self.own, read.cell), &read.indices) {
            return true;
        }
        self.is_covered_in_parts(read, &read.indices)
    }

    /// Of short dimensions each element may have been written by itself.
    fn is_covered_in_parts(&mut self, read: &Read, indices: &[Poly]) -> bool {
        let dims = self.dims.get(&read.cell).into_iter().flatten().map(|size| size.as_constant());
        let short = dims.enumerate().find_map(|(k, size)| {
            let is_open = indices.get(k).is_some_and(|index| index.as_constant().is_none());
            size.filter(|size| is_open && (1..=SHORT).contains(size)).map(|size| (k, size))
        });
        short.is_some_and(|(at, size)| {
            (0..size).all(|k| {
                let (mark, own) = (self.facts.mark(), Poly::constant(k));
                let mut indices = indices.to_vec();
                let index = std::mem::replace(&mut indices[at], own.clone());
                self.facts.assume_all(Cond::at_most(&index, &own));
                self.facts.assume_all(Cond::at_most(&own, &index));
                // Dimensions may be longer than the loop that reads them.
                let covered = covers(&mut self.facts, &visible(&self.frames, &self.own, read.cell), &indices)
                    || self.is_covered_in_parts(read, &indices)
                    || self.facts.are_impossible();
                self.facts.back(mark);
                covered
            })
        })
    }

    /// A branch or the rounds of a loop, with what they write.
    fn framed(&mut self, inside: impl FnOnce(&mut Self)) -> Vec<Write> {
        self.frames.push(Frame::default());
        inside(self);
        let writes = self.frames.pop().map(|frame| frame.writes).unwrap_or_default();
        let mut all: Vec<(u32, Vec<Write>)> = writes.into_iter().collect();
        all.sort_by_key(|(cell, _)| *cell);
        all.into_iter().flat_map(|(_, writes)| writes).collect()
    }

    fn looped(&mut self, range: &'n Range, inside: &'n [Stmt], in_lanes: bool) {
        [&range.from, &range.to].into_iter().chain(&range.most).for_each(|value| self.reads(value));
        let (from, to) = (self.poly(&range.from), self.ends(&range.to));
        self.given.insert(range.cell);
        if let Some(most) = range.most.as_ref().filter(|_| !self.in_bounds_alone) {
            let most = self.ends(most);
            self.in_bounds_alone = true;
            self.iterations(range, (&from, &most), inside, true);
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
                    self.faults.push(Fault::Unwritten(pending.read.place));
                } else {
                    self.pending.push(pending);
                }
            }
        }
    }

    /// What lanes store that isn't each lane's own: all of them have to store the same.
    fn shared(&mut self, range: &'n Range, inside: &'n [Stmt]) -> FxHashSet<u32> {
        let iterations = Iterations::over(range, inside);
        if iterations.are_independent() {
            return FxHashSet::default();
        }
        let differing = Differing::with(range.cell, inside, &|_| true);
        let is_own = |cell: &u32| matches!(iterations.role(*cell), Role::Private | Role::Uniform | Role::Varying(_));
        let all: Vec<u32> = iterations.stored().iter().copied().filter(|cell| !is_own(cell)).collect();
        for cell in all.iter().filter(|cell| differing.has(**cell)) {
            self.fault(Fault::Dependent(Place { cell: *cell, indices: Vec::new() }));
        }
        all.into_iter().collect()
    }

    fn iterations(&mut self, range: &'n Range, (from, to): (&Poly, &[Poly]), inside: &'n [Stmt], in_lanes: bool) {
        let first = self.facts.atom(false);
        let mark = self.facts.mark();
        let natural = self.facts.at_least_zero(from).is_some();
        let index = self.facts.atom(natural);
        let own = Poly::atom(index);
        let below = to.iter().map(|to| Cond::below(&own, to));
        let conds: Vec<Cond> = [Cond::at_most(from, &own)].into_iter().chain(below).flatten().collect();
        self.facts.assume_all(&conds);
        self.ints.insert(range.cell, own.clone());
        let kept = self.kept(inside, (&own, from, &to[0]), None);
        let before = self.pending.len();
        let mut writes = self.framed(|walk| walk.round(inside));
        self.drop_inner(&mut writes, &[range.cell], &[inside]);
        if !in_lanes && self.pending.len() > before {
            let earlier = writes.iter().filter_map(|write| earlier(write, &mut self.facts, first, (index, from)));
            let earlier: Vec<Write> = earlier.collect();
            self.settle(before, &earlier);
        }
        self.facts.back(mark);
        for write in &mut writes {
            write.close(index, &conds);
        }
        self.close(writes, first);
        stored(inside).into_iter().for_each(|cell| self.forget(cell));
        self.after(kept);
    }

    /// What a loop ends below: all of these.
    fn ends(&mut self, value: &'n Value) -> Vec<Poly> {
        if let Value::Select(p) = value
            && let Value::Prim(Prim::Lt, Number::Int, both) = &p.0
            && both[..] == [p.1.clone(), p.2.clone()]
        {
            return [self.ends(&p.1), self.ends(&p.2)].concat();
        }
        vec![self.poly(value)]
    }

    /// One round. A branch that is all of it, and stores a number, may be done as a mask: what it reads is read in any case.
    fn round(&mut self, inside: &'n [Stmt]) {
        if let [Stmt::If(_, set, other)] = inside
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
    fn pairs(&mut self, range: &'n Range, two: &'n [Stmt], one: &'n [Stmt]) {
        [&range.from, &range.to].into_iter().for_each(|value| self.reads(value));
        let (from, to) = (self.poly(&range.from), self.poly(&range.to));
        self.given.insert(range.cell);
        let Some(last) = to.plus_constant(-1) else { return };
        let changed: Vec<u32> = [stored(two), stored(one)].concat();
        self.unknown_from_here(&changed);
        // What one iteration writes is what all of them do, as far as two at once write the same twice.
        let first = self.facts.atom(false);
        let mark = self.facts.mark();
        let natural = self.facts.at_least_zero(&from).is_some();
        let index = self.facts.atom(natural);
        let own = Poly::atom(index);
        self.ints.insert(range.cell, own.clone());
        self.facts.assume_all([Cond::at_most(&from, &own), Cond::below(&own, &last)].iter().flatten());
        let mut both = self.framed(|walk| walk.body(two));
        self.drop_inner(&mut both, &[range.cell], &[two, one]);
        self.facts.back(mark);
        self.unknown_from_here(&changed);
        let conds: Vec<Cond> = [Cond::at_most(&from, &own), Cond::below(&own, &to)].into_iter().flatten().collect();
        self.facts.assume_all(&conds);
        self.ints.insert(range.cell, own.clone());
        let mut writes = self.framed(|walk| walk.body(one));
        self.drop_inner(&mut writes, &[range.cell], &[two, one]);
        self.unknown_from_here(&changed);
        self.facts.assume_all(Cond::below(&own, &last));
        let next = own.plus_constant(1);
        writes.retain(|write| {
            let all: Vec<&Write> = both.iter().filter(|other| other.cell == write.cell).collect();
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

    /// Variables that rounds change are any from here on.
    fn unknown_from_here(&mut self, changed: &[u32]) {
        for cell in changed {
            self.ints.remove(cell);
            self.forget(*cell);
        }
    }

    fn strips(&mut self, strips: &'n Strips, inside: &'n [Stmt]) {
        let Some(size) = self.size(&strips.size) else { return };
        let first = self.facts.atom(false);
        let mark = self.facts.mark();
        let (base, count) = (self.facts.atom(true), self.facts.atom(true));
        let (from, rounds) = (Poly::atom(base), Poly::atom(count));
        let known = [
            Cond::at_most(&Poly::constant(1), &rounds),
            Cond::at_most(&rounds, &Poly::constant(strips.lanes.into())),
            from.plus(&rounds).and_then(|end| Cond::at_most(&end, &size)),
        ];
        self.facts.assume_all(known.iter().flatten());
        self.ints.extend([(strips.base, from), (strips.count, rounds)]);
        self.given.extend([strips.base, strips.count]);
        // A later strip may be shorter.
        let kept = self.kept(inside, (&Poly::default(), &Poly::default(), &size), Some(count));
        let mut writes = self.framed(|walk| walk.body(inside));
        self.drop_inner(&mut writes, &[strips.base, strips.count], &[inside]);
        self.facts.back(mark);
        let writes = writes.into_iter().filter_map(|write| self.joined(write, (base, count), &size)).collect();
        self.close(writes, first);
        stored(inside).into_iter().for_each(|cell| self.forget(cell));
        self.after(kept);
    }

    /// What lanes write at `base + lane` is written for all indices of the size.
    fn joined(&mut self, write: Write, (base, count): (Atom, Atom), size: &Poly) -> Option<Write> {
        for lane in write.over.clone() {
            let range = [Some(Cond::AtLeastZero(Poly::atom(lane))), Cond::below(&Poly::atom(lane), &Poly::atom(count))];
            let whole = self.facts.atom(true);
            let sum = Poly::atom(whole).minus(&Poly::atom(base))?;
            let mut joined = write.clone();
            // Its own range says nothing any longer.
            joined.conds.retain(|cond| !range.contains(&Some(cond.clone())));
            let Some(mut joined) = joined.replaced(lane, &sum) else { continue };
            if !joined.mentions(&|atom| atom == base || atom == count) {
                let index = Poly::atom(whole);
                joined.close(whole, &[Cond::AtLeastZero(index.clone()), Cond::below(&index, size)?]);
                return Some(joined);
            }
        }
        // What hangs on the strip alone, and what doesn't at all where there is one.
        let mut write = write;
        let more = Cond::at_most(&Poly::constant(1), size)?;
        write.conds.push(more);
        Some(write)
    }

    fn branches(&mut self, condition: &'n Value, a: &'n [Stmt], b: &'n [Stmt]) {
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
        for write in &own.1 {
            let all: Vec<&Write> = other.1.iter().filter(|theirs| theirs.cell == write.cell).collect();
            let mark = self.facts.mark();
            self.facts.assume_all(&write.conds);
            if !all.is_empty() && covers(&mut self.facts, &all, &write.indices) {
                self.written(write.clone());
            }
            self.facts.back(mark);
        }
        for (cond, writes) in [(own.0, own.1), (other.0, other.1)] {
            for mut write in writes {
                write.conds.push(cond.clone());
                self.written(write);
            }
        }
    }

    /// Integers that branches leave differently: what holds of both.
    fn meet(&mut self, a: &FxHashMap<u32, Poly>, b: &FxHashMap<u32, Poly>, own: Option<Facts>, other: Option<Facts>) {
        let (Some(mut own), Some(mut other)) = (own, other) else { return };
        // Either knows the atoms that the other met.
        [&mut own, &mut other].into_iter().for_each(|facts| facts.grow(&self.facts));
        let mut cells: Vec<u32> = self.finders.keys().copied().collect();
        cells.sort_unstable();
        for cell in cells {
            match (a.get(&cell), b.get(&cell)) {
                (Some(x), Some(y)) if x == y => drop(self.ints.insert(cell, x.clone())),
                (Some(x), Some(y)) => {
                    let (mut lower, mut upper) = self.candidates(cell, &[x, y]);
                    lower.retain(|bound| own.at_most(bound, x) && other.at_most(bound, y));
                    upper.retain(|bound| own.at_most(x, bound) && other.at_most(y, bound));
                    let value = self.between(&lower, &upper);
                    self.ints.insert(cell, value);
                }
                _ => drop(self.ints.remove(&cell)),
            }
        }
    }

    /// What may bound a variable: 0, 1, these, the indices of loops around it, and the last two indices of what it finds.
    fn candidates(&self, cell: u32, more: &[&Poly]) -> (Vec<Poly>, Vec<Poly>) {
        let own = || more.iter().map(|poly| (*poly).clone());
        let lower = [Poly::default(), Poly::constant(1)].into_iter().chain(own()).collect();
        let sizes = self.finders.get(&cell).into_iter().flatten();
        let sizes = sizes.flat_map(|size| [size.plus_constant(-1), size.plus_constant(-2)]).flatten();
        let mut indices: Vec<(u32, Poly)> = self.ints.iter().map(|(cell, poly)| (*cell, poly.clone())).collect();
        indices.retain(|(other, poly)| *other != cell && poly.as_atom().is_some() && self.given.contains(other));
        indices.sort_by_key(|(cell, _)| *cell);
        (lower, own().chain(sizes).chain(indices.into_iter().map(|(_, poly)| poly)).collect())
    }

    /// A new integer between these bounds.
    fn between(&mut self, lower: &[Poly], upper: &[Poly]) -> Poly {
        let natural = lower.iter().any(|bound| bound.as_constant().is_some_and(|k| k >= 0));
        let atom = self.facts.atom(natural);
        if lower.is_empty() || upper.is_empty() {
            self.wild.insert(atom);
        }
        let own = Poly::atom(atom);
        self.facts.assume_all(lower.iter().filter_map(|bound| Cond::at_most(bound, &own)));
        self.facts.assume_all(upper.iter().filter_map(|bound| Cond::at_most(&own, bound)));
        own
    }

    /// Bounds of variables that each round of a loop keeps: assumed where it begins, and gone through until they hold where it
    /// ends. What holds behind the loop comes back.
    fn kept(
        &mut self,
        inside: &'n [Stmt],
        (index, from, to): (&Poly, &Poly, &Poly),
        passing: Option<Atom>,
    ) -> Vec<Kept> {
        let all = stored(inside);
        all.iter().for_each(|cell| self.forget(*cell));
        let changed = all.into_iter().filter(|cell| self.finders.contains_key(cell) && !self.is_array(*cell));
        let (changed, unknown): (Vec<u32>, Vec<u32>) = changed.partition(|cell| self.ints.contains_key(cell));
        let unknown = unknown.into_iter().map(|cell| Kept { cell, before: None, lower: Vec::new(), upper: Vec::new() });
        if changed.is_empty() {
            return unknown.collect();
        }
        let mut bounds = Vec::new();
        for cell in &changed {
            let Some(value) = self.ints.get(cell).cloned() else { continue };
            let last = to.plus_constant(-1);
            let (mut lower, mut upper) = self.candidates(*cell, &[&value]);
            upper.extend(last);
            upper.retain(|bound| !passing.is_some_and(|atom| bound.mentions(atom)));
            // The first round has the first index.
            let begins = |bound: &Poly| match index.as_atom() {
                Some(atom) => bound.replaced(atom, from),
                None => Some(bound.clone()),
            };
            let facts = &mut self.facts;
            lower.retain(|bound| begins(bound).is_some_and(|bound| facts.at_most(&bound, &value)));
            upper.retain(|bound| begins(bound).is_some_and(|bound| facts.at_most(&value, &bound)));
            bounds.push(Kept { cell: *cell, before: Some(value), lower, upper });
        }
        loop {
            let (mark, before) = (self.facts.mark(), self.ints.clone());
            for Kept { cell, lower, upper, .. } in &bounds {
                let value = self.between(lower, upper);
                self.ints.insert(*cell, value);
            }
            let count = |bounds: &[Kept]| bounds.iter().map(|b| b.lower.len() + b.upper.len()).sum::<usize>();
            let had = count(&bounds);
            let rehearsed = std::mem::replace(&mut self.rehearses, true);
            self.framed(|walk| walk.body(inside));
            self.rehearses = rehearsed;
            let next = |bound: &Poly| match index.as_atom() {
                Some(atom) => bound.replaced(atom, &index.plus_constant(1)?),
                None => Some(bound.clone()),
            };
            for Kept { cell, lower, upper, .. } in &mut bounds {
                let Some(value) = self.ints.get(cell).cloned() else {
                    lower.clear();
                    upper.clear();
                    continue;
                };
                let facts = &mut self.facts;
                lower.retain(|bound| next(bound).is_some_and(|bound| facts.at_most(&bound, &value)));
                upper.retain(|bound| next(bound).is_some_and(|bound| facts.at_most(&value, &bound)));
            }
            self.facts.back(mark);
            self.ints = before;
            if count(&bounds) == had {
                break;
            }
        }
        for Kept { cell, lower, upper, .. } in &bounds {
            let value = self.between(lower, upper);
            self.ints.insert(*cell, value);
        }
        if let Some(atom) = index.as_atom() {
            for Kept { lower, upper, .. } in &mut bounds {
                lower.retain(|bound| !bound.mentions(atom));
                upper.retain(|bound| !bound.mentions(atom));
            }
        }
        bounds.extend(unknown);
        bounds
    }

    /// Variables behind a loop. Where it had no round they are what they were before: what doesn't hold of that holds otherwise.
    fn after(&mut self, kept: Vec<Kept>) {
        for Kept { cell, before, lower, upper } in kept {
            let before = before.as_ref();
            let facts = &mut self.facts;
            let (lower, more): (Vec<Poly>, Vec<Poly>) =
                lower.into_iter().partition(|bound| before.is_some_and(|before| facts.at_most(bound, before)));
            let (upper, less): (Vec<Poly>, Vec<Poly>) =
                upper.into_iter().partition(|bound| before.is_some_and(|before| facts.at_most(before, bound)));
            let value = self.between(&lower, &upper);
            if let Some(before) = before
                && !(more.is_empty() && less.is_empty())
            {
                let changed = more.iter().map(|bound| Cond::at_most(bound, &value));
                let changed: Vec<Cond> =
                    changed.chain(less.iter().map(|bound| Cond::at_most(&value, bound))).flatten().collect();
                let same = [Cond::at_most(before, &value), Cond::at_most(&value, before)];
                if let [Some(a), Some(b)] = same {
                    self.facts.assume(&Cond::Any(vec![Cond::All(vec![a, b]), Cond::All(changed)]));
                }
            }
            self.ints.insert(cell, value);
        }
    }

    /// Reads that earlier rounds cover are settled.
    fn settle(&mut self, before: usize, earlier: &[Write]) {
        let left = self.pending.split_off(before);
        for mut pending in left {
            let cell = pending.read.cell;
            let outside = visible(&self.frames, &self.own, cell);
            let all: Vec<&Write> =
                outside.into_iter().chain(earlier.iter().filter(|write| write.cell == cell)).collect();
            // Atoms that the earlier rounds run through are new to what was known there.
            pending.facts.grow(&self.facts);
            if !covers(&mut pending.facts, &all, &pending.read.indices) {
                self.pending.push(pending);
            }
        }
    }

    /// Writes of a loop that has ended belong to what is around it, but for those that hang on what is known inside alone.
    fn close(&mut self, writes: Vec<Write>, first: Atom) {
        for write in writes {
            if !write.hangs_on(first) {
                self.written(write);
            }
        }
    }

    /// Drops what a round wrote under conditions that may be others in the next.
    fn drop_inner(&self, writes: &mut Vec<Write>, indices: &[u32], inside: &[&'n [Stmt]]) {
        if writes.iter().any(|write| write.conds.iter().any(has_unknown)) {
            let own = self.inner_conditions(indices, inside);
            writes.retain(|write| !write.conds.iter().any(|cond| names_any(cond, &own)));
        }
    }

    /// Conditions on data that say something of what a loop declares, stores or runs through.
    fn inner_conditions(&self, indices: &[u32], inside: &[&'n [Stmt]]) -> FxHashSet<u32> {
        let cells: FxHashSet<u32> =
            inside.iter().flat_map(|inside| changed(inside)).chain(indices.iter().copied()).collect();
        let mentions = |value: &Value| {
            let mut found = false;
            value.places(&mut |place| found |= cells.contains(&place.cell));
            found
        };
        let outside: FxHashSet<u32> =
            self.conditions.iter().filter(|(value, _)| !mentions(value)).map(|(_, key)| *key).collect();
        (0..self.conditions_met).filter(|key| !outside.contains(key)).collect()
    }

    /// A polynomial in the names of sizes.
    fn text(&self, poly: &Poly) -> String {
        super::told::text(poly, &self.nest.sizes, &self.sizes)
    }
}

/// The first frame whose writes of a cell a read may rely on.
fn first_visible(own: &[(usize, FxHashSet<u32>)], cell: u32) -> usize {
    own.iter().rev().find(|(_, cells)| cells.contains(&cell)).map_or(0, |(first, _)| *first)
}

/// What was written of a cell, as far as a read may rely on it.
fn visible<'f>(frames: &'f [Frame], own: &[(usize, FxHashSet<u32>)], cell: u32) -> Vec<&'f Write> {
    frames[first_visible(own, cell)..].iter().filter_map(|frame| frame.writes.get(&cell)).flatten().collect()
}

fn has_unknown(cond: &Cond) -> bool {
    match cond {
        Cond::AtLeastZero(_) => false,
        Cond::Unknown(..) => true,
        Cond::All(all) | Cond::Any(all) => all.iter().any(has_unknown),
    }
}

fn names_any(cond: &Cond, keys: &FxHashSet<u32>) -> bool {
    match cond {
        Cond::AtLeastZero(_) => false,
        Cond::Unknown(key, _) => keys.contains(key),
        Cond::All(all) | Cond::Any(all) => all.iter().any(|cond| names_any(cond, keys)),
    }
}

/// What earlier rounds of a loop have written where one begins.
fn earlier(write: &Write, facts: &mut Facts, first: Atom, (index, from): (Atom, &Poly)) -> Option<Write> {
    let other = facts.atom(true);
    let own = Poly::atom(other);
    let mut write = write.replaced(index, &own)?;
    // What is read may stand under the same inner indices, which are others there.
    for inner in write.over.clone() {
        let another = facts.atom(false);
        write = write.replaced(inner, &Poly::atom(another))?;
        write.over.push(another);
    }
    write.close(other, &[Cond::at_most(from, &own)?, Cond::below(&own, &Poly::atom(index))?]);
    // The index of the round that reads is known there.
    let hangs = write.mentions(&|atom| atom >= first && atom != index && !write.over.contains(&atom));
    (!hangs).then_some(write)
}
