//! Bounds the integer variables by which elements are found: by loop invariants, and behind a branch by what holds on both sides.

use rustc_hash::FxHashMap;

use super::NestVerifier;
use crate::nest::ir::value::walk;
use crate::nest::ir::{NestValue, ScalarKind, Stmt, each, stored};
use crate::nest::verify::facts::{Cond, IntegerFacts};
use crate::nest::verify::poly::{AtomPoly, PolyAtom};
use redexter_language::ground::order::InOrder;
use redexter_language::term::PrimClass;

/// A variable that a loop changes: what it is before, and bounds that each iteration keeps.
pub(super) struct KeptBounds {
    cell: u32,
    before: Option<AtomPoly>,
    lower: Vec<AtomPoly>,
    upper: Vec<AtomPoly>,
}

impl<'n> NestVerifier<'n> {
    /// Variables in indices, ranges and comparisons of integers, and what is stored in such.
    pub(super) fn find_finders(&mut self) {
        let mut sets: FxHashMap<u32, bool> = FxHashMap::default();
        let mut flows: Vec<(u32, u32)> = Vec::new();
        let mut found: Vec<(u32, Option<AtomPoly>)> = Vec::new();
        each(&self.nest.body, &mut |stmt| {
            let mut index = |value: &NestValue, size: Option<&AtomPoly>| {
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
                Stmt::Let(slot, value) if slot.array.number == ScalarKind::Int => {
                    value.places(&mut |from| flows.push((from.cell, slot.cell)));
                }
                _ => {}
            }
            // What is compared with an index, or a size, says where something was written.
            stmt.values(&mut |value| {
                walk(value, &mut |part| {
                    if let NestValue::Prim(prim, ScalarKind::Int, operands) = part
                        && prim.class() == PrimClass::Comparison
                    {
                        found.extend(operands.iter().filter_map(|operand| match operand {
                            NestValue::Load(place) if place.indices.is_empty() => Some((place.cell, None)),
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
        let mut all: FxHashMap<u32, Vec<AtomPoly>> = FxHashMap::default();
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

    pub(super) fn is_array(&self, cell: u32) -> bool {
        self.dims.get(&cell).is_some_and(|dims| !dims.is_empty())
    }

    /// Integer arrays that find elements, and that the nest itself fills: with the sizes below which their elements may be.
    pub(in super::super) fn found_arrays(&self) -> Vec<(u32, Vec<AtomPoly>)> {
        let arrays = self.finders.iter().filter(|(cell, _)| self.is_array(**cell) && !self.given.contains(cell));
        let mut all: Vec<(u32, Vec<AtomPoly>)> = arrays.map(|(cell, sizes)| (*cell, sizes.clone())).collect();
        all.order_by_key(|(cell, _)| *cell);
        all
    }

    /// Variables that iterations change may be anything from here on.
    pub(super) fn unknown_from_here(&mut self, changed: &[u32]) {
        for cell in changed {
            self.ints.remove(cell);
            self.forget(*cell);
        }
    }

    /// Integers that branches leave differently: what holds of both.
    pub(super) fn meet(
        &mut self,
        a: &FxHashMap<u32, AtomPoly>,
        b: &FxHashMap<u32, AtomPoly>,
        own: Option<IntegerFacts>,
        other: Option<IntegerFacts>,
    ) {
        let (Some(mut own), Some(mut other)) = (own, other) else { return };
        // Either knows the atoms that the other met.
        [&mut own, &mut other].into_iter().for_each(|facts| facts.grow(&self.facts));
        let mut cells: Vec<u32> = self.finders.keys().copied().collect();
        // A map has no order, and what is shown must not depend on one.
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

    /// What may bound a variable: 0, 1, these, the indices of loops around it and their last ones, and the last two indices of
    /// what it finds.
    pub(super) fn candidates(&self, cell: u32, more: &[&AtomPoly]) -> (Vec<AtomPoly>, Vec<AtomPoly>) {
        let own = || more.iter().map(|poly| (*poly).clone());
        let lower = [AtomPoly::default(), AtomPoly::constant(1)].into_iter().chain(own()).collect();
        let sizes = self.finders.get(&cell).into_iter().flatten();
        let sizes = sizes.flat_map(|size| [size.plus_constant(-1), size.plus_constant(-2)]).flatten();
        let mut indices: Vec<(u32, AtomPoly)> = self.ints.iter().map(|(cell, poly)| (*cell, poly.clone())).collect();
        indices.retain(|(other, poly)| *other != cell && poly.as_atom().is_some() && self.given.contains(other));
        // Likewise: bounds are tried in the same order each time.
        indices.order_by_key(|(cell, _)| *cell);
        let around = indices.into_iter().map(|(_, poly)| poly).chain(self.last.iter().cloned());
        let mut upper: Vec<AtomPoly> = Vec::new();
        for bound in own().chain(sizes).chain(around) {
            if !upper.contains(&bound) {
                upper.push(bound);
            }
        }
        (lower, upper)
    }

    /// A new integer between these bounds.
    pub(super) fn between(&mut self, lower: &[AtomPoly], upper: &[AtomPoly]) -> AtomPoly {
        let natural = lower.iter().any(|bound| bound.as_constant().is_some_and(|k| k >= 0));
        let own = self.atom_within(natural, &[lower, upper]);
        self.facts.assume_all(lower.iter().filter_map(|bound| Cond::at_most(bound, &own)));
        self.facts.assume_all(upper.iter().filter_map(|bound| Cond::at_most(&own, bound)));
        own
    }

    /// Bounds of variables that each iteration of a loop keeps: assumed where it begins, and gone through until they hold where
    /// it ends. What holds behind the loop comes back.
    pub(super) fn kept(
        &mut self,
        inside: &'n [Stmt],
        (index, from): (&AtomPoly, &AtomPoly),
        passing: Option<PolyAtom>,
    ) -> Vec<KeptBounds> {
        let all = stored(inside);
        all.iter().for_each(|cell| self.forget(*cell));
        let changed = all.into_iter().filter(|cell| self.finders.contains_key(cell) && !self.is_array(*cell));
        let (changed, unknown): (Vec<u32>, Vec<u32>) = changed.partition(|cell| self.ints.contains_key(cell));
        let unknown =
            unknown.into_iter().map(|cell| KeptBounds { cell, before: None, lower: Vec::new(), upper: Vec::new() });
        if changed.is_empty() {
            return unknown.collect();
        }
        let mut bounds = Vec::new();
        for cell in &changed {
            let Some(value) = self.ints.get(cell).cloned() else { continue };
            let (mut lower, mut upper) = self.candidates(*cell, &[&value]);
            // A strip's count says nothing of a later strip, which may be shorter.
            upper.retain(|bound| !passing.is_some_and(|atom| bound.mentions(atom)));
            // The first iteration has the first index, so that bounds must hold with that in its place.
            let begins = |bound: &AtomPoly| match index.as_atom() {
                Some(atom) => bound.replaced(atom, from),
                None => Some(bound.clone()),
            };
            let facts = &mut self.facts;
            lower.retain(|bound| begins(bound).is_some_and(|bound| facts.at_most(&bound, &value)));
            upper.retain(|bound| begins(bound).is_some_and(|bound| facts.at_most(&value, &bound)));
            bounds.push(KeptBounds { cell: *cell, before: Some(value), lower, upper });
        }
        loop {
            // What the body doesn't keep is dropped, and the rest is tried again without it: as each turn but the
            // last drops a bound, it ends.
            let (mark, before) = (self.facts.mark(), self.ints.clone());
            for KeptBounds { cell, lower, upper, .. } in &bounds {
                let value = self.between(lower, upper);
                self.ints.insert(*cell, value);
            }
            let count = |bounds: &[KeptBounds]| bounds.iter().map(|b| b.lower.len() + b.upper.len()).sum::<usize>();
            let had = count(&bounds);
            let rehearsed = std::mem::replace(&mut self.rehearses, true);
            self.framed(|walk| walk.body(inside));
            self.rehearses = rehearsed;
            let next = |bound: &AtomPoly| match index.as_atom() {
                Some(atom) => bound.replaced(atom, &index.plus_constant(1)?),
                None => Some(bound.clone()),
            };
            for KeptBounds { cell, lower, upper, .. } in &mut bounds {
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
        for KeptBounds { cell, lower, upper, .. } in &bounds {
            let value = self.between(lower, upper);
            self.ints.insert(*cell, value);
        }
        // Behind the loop its index is no more, so that what it bounds isn't known there.
        if let Some(atom) = index.as_atom() {
            for KeptBounds { lower, upper, .. } in &mut bounds {
                lower.retain(|bound| !bound.mentions(atom));
                upper.retain(|bound| !bound.mentions(atom));
            }
        }
        bounds.extend(unknown);
        bounds
    }

    /// Variables behind a loop. Where it had no iteration they are what they were before: what doesn't hold of that holds
    /// otherwise.
    pub(super) fn after(&mut self, kept: Vec<KeptBounds>) {
        for KeptBounds { cell, before, lower, upper } in kept {
            let before = before.as_ref();
            let facts = &mut self.facts;
            let (lower, more): (Vec<AtomPoly>, Vec<AtomPoly>) =
                lower.into_iter().partition(|bound| before.is_some_and(|before| facts.at_most(bound, before)));
            let (upper, less): (Vec<AtomPoly>, Vec<AtomPoly>) =
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
}
