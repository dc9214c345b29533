//! The grower makes what a nest does: loops that fill, sum up, find, scatter and buffer, alone and side by side.

use redexter::nest::{LoopRange, NestSlot, NestValue, ScalarKind, Stmt, Strips};
use redexter::term::{Prim, Size};

use super::Grower;
use crate::nest_properties::short::*;

impl Grower {
    /// Something that a nest does.
    pub(super) fn step(&mut self) -> Vec<Stmt> {
        match self.random.below(16) {
            0 | 1 => {
                let dims = self.dims(1);
                self.filled_temporary(&dims).1
            }
            2 => self.best(),
            3 => self.powers(),
            4 => self.scattered(),
            5 | 6 => self.buffered(),
            7 => self.narrowed(),
            8 | 9 => self.triangle(),
            10 => self.prefix(),
            11 => self.found(),
            12 => self.beside(),
            _ => self.mixed(),
        }
    }

    /// The index of the largest element, with which others are found.
    pub(super) fn best(&mut self) -> Vec<Stmt> {
        let size = self.variable();
        let (k, most) = (self.slot("k", ScalarKind::Int, &[]), self.slot("best", ScalarKind::Real, &[]));
        let (index, best, out) = (k.cell, most.cell, self.slot("o", ScalarKind::Real, &[]));
        let first = if self.slips() { self.random.below(3) as i64 - 1 } else { 0 };
        let rounds = self.in_order(&size, |own| {
            let (value, at) = (own.value(1), own.scope.last().expect("an index").0.clone());
            let better = reals(Prim::Lt, load(best), value.clone());
            vec![when(better, vec![set(best, [], value), set(index, [], at)])]
        });
        let begin = vec![Stmt::Var(k), Stmt::Var(most), set(index, [], int(first)), set(best, [], real(-99.0))];
        let cell = out.cell;
        let uses = self.within(load(index), &[&size], |own| vec![set(cell, [], own.value(2))]);
        let uses = if self.slips() || self.is_positive(&size) {
            uses
        } else {
            vec![Stmt::If(lt(int(0), NestValue::of(&size)), uses, vec![set(cell, [], real(0.0))])]
        };
        self.ready.push(out.clone());
        [begin, vec![rounds, Stmt::Var(out)], uses].concat()
    }

    /// Powers of reals, each from the one without its exponent's highest bit.
    pub(super) fn powers(&mut self) -> Vec<Stmt> {
        let (size, exponents) = (self.variable(), self.some_size());
        let table = self.temporary("pow", ScalarKind::Real, &[size.clone(), exponents.clone()]);
        let rounds = self.looped(&size, |own| {
            let row = own.scope.last().expect("an index").0.clone();
            let (b, s, j) =
                (own.slot("bit", ScalarKind::Int, &[]), own.slot("square", ScalarKind::Real, &[]), own.cell());
            let (bit, square) = (b.cell, s.cell);
            let double = add(load(bit), load(bit));
            let squares = set(square, [], reals(Prim::Mul, load(square), load(square)));
            let reached = if own.slips() { add(double.clone(), int(1)) } else { double.clone() };
            let doubles = when(ints(Prim::Eq, load(j), reached), vec![squares, set(bit, [], double)]);
            let below = get(table.cell, [row.clone(), sub(load(j), load(bit))]);
            let power = set(table.cell, [row.clone(), load(j)], reals(Prim::Mul, below, load(square)));
            let first = set(table.cell, [row, int(0)], real(1.0));
            let some = lt(int(0), NestValue::of(&exponents));
            let first = if own.slips() { first } else { when(some, vec![first]) };
            let begin = if own.slips() { 2 } else { 1 };
            vec![
                Stmt::Var(b),
                Stmt::Var(s),
                set(bit, [], int(begin)),
                set(square, [], real(1.0)),
                first,
                Stmt::For(range(j, "j", int(1), NestValue::of(&exponents)), vec![doubles, power]),
            ]
        });
        self.ready.push(table);
        vec![rounds]
    }

    /// What is added where an integer array says.
    pub(super) fn scattered(&mut self) -> Vec<Stmt> {
        let Some((keys, below)) = self.finding.first().cloned() else { return self.mixed() };
        let (slot, fills) = self.filled_temporary(&[below]);
        let size = keys.array.dims[0].clone();
        let adds = self.in_order(&size, |own| {
            let Some(key) = own.element(&keys, 0) else { return Vec::new() };
            let place = at(slot.cell, [key]);
            vec![Stmt::Set(place.clone(), plus(NestValue::Load(place), own.value(1)))]
        });
        [fills, vec![adds]].concat()
    }

    /// A strip's lanes kept in a buffer.
    pub(super) fn buffered(&mut self) -> Vec<Stmt> {
        let (size, lanes) = (self.some_size(), 1 + self.random.below(3) as u32);
        let long = if self.slips() { 1 } else { u64::from(lanes) };
        let buffer = self.temporary("b", ScalarKind::Real, &[Size::literal(long)]);
        let out = self.temporary("t", ScalarKind::Real, std::slice::from_ref(&size));
        let (base, count, a, b) = (self.cell(), self.cell(), self.cell(), self.cell());
        let fills = self.within(add(load(base), load(a)), &[&size], |own| own.written(&at(buffer.cell, [load(a)])));
        let uses = self.within(add(load(base), load(b)), &[&size], |own| {
            let kept = get(buffer.cell, [load(b)]);
            vec![set(out.cell, [add(load(base), load(b))], plus(kept, own.value(1)))]
        });
        let to = if self.slips() { sub(load(count), int(1)) } else { load(count) };
        let mut fills = vec![Stmt::Lanes(LoopRange::to(a, "l", to), fills)];
        if self.slips() {
            fills = vec![when(self.condition(1), fills)];
        }
        let uses = Stmt::Lanes(LoopRange::to(b, "l", load(count)), uses);
        self.ready.push(out);
        vec![Stmt::Strips(Strips { base, count, size, lanes }, [fills, vec![uses]].concat())]
    }

    /// A loop over what two sizes have in common.
    pub(super) fn narrowed(&mut self) -> Vec<Stmt> {
        let (a, b) = (self.variable(), self.variable());
        let (slot, fills) = self.filled_temporary(std::slice::from_ref(&a));
        let (cell, slips) = (self.cell(), self.slips());
        let is_guard = self.random.chance(50);
        let inside = self.within(load(cell), &[&a, &b], |own| {
            let mut all = own.written(&at(slot.cell, [load(cell)]));
            if is_guard {
                let guard = ints(if slips { Prim::Le } else { Prim::Lt }, load(cell), NestValue::of(&b));
                all = vec![when(guard, all)];
            }
            all
        });
        let (m, n) = (NestValue::of(&a), NestValue::of(&b));
        let to = match (is_guard, slips) {
            (true, _) => m,
            (false, false) => least(&m, &n),
            (false, true) => select(lt(m.clone(), n.clone()), n, m),
        };
        let rounds = if self.random.chance(30) { lanes(cell, to, inside) } else { each(cell, to, inside) };
        [fills, vec![rounds]].concat()
    }

    /// Loops whose ends are outer indices; lanes may run on to the size.
    pub(super) fn triangle(&mut self) -> Vec<Stmt> {
        let size = self.variable();
        let slot = self.temporary("t", ScalarKind::Real, &[size.clone(), size.clone()]);
        let (i, j, whole) = (self.cell(), self.cell(), NestValue::of(&size));
        let (from, to, rest) = match self.random.below(3) {
            0 => (int(0), load(i), Some((load(i), whole.clone()))),
            1 => (int(0), add(load(i), int(1)), Some((add(load(i), int(1)), whole.clone()))),
            _ => (load(i), whole.clone(), Some((int(0), load(i)))),
        };
        let rest = rest.filter(|_| !self.slips());
        let padded = self.random.chance(40) && from == int(0);
        let most = if self.slips() { add(whole.clone(), int(1)) } else { whole.clone() };
        let place = at(slot.cell, [load(i), load(j)]);
        let rows = self.within(load(i), &[&size], |own| {
            let mut first = range(j, "j", from, to);
            let inside = own.within(load(j), &[&size], |own| own.written(&place));
            first.most = Some(most).filter(|_| padded);
            let mut all = vec![if padded { Stmt::Lanes(first, inside) } else { Stmt::For(first, inside) }];
            if let Some((from, to)) = rest {
                let k = own.cell();
                let place = at(slot.cell, [load(i), load(k)]);
                let inside = own.within(load(k), &[&size], |own| own.written(&place));
                all.push(Stmt::For(range(k, "k", from, to), inside));
            }
            all
        });
        self.ready.push(slot);
        vec![each(i, whole, rows)]
    }

    /// Each element from the one before.
    pub(super) fn prefix(&mut self) -> Vec<Stmt> {
        let size = self.variable();
        let slot = self.temporary("u", ScalarKind::Real, &[more(&size, 1)]);
        let (cell, i) = (slot.cell, self.cell());
        let by = if self.slips() { 2 } else { 1 };
        let inside = self.within(load(i), &[&size], |own| {
            let before = get(cell, [load(i)]);
            vec![set(cell, [add(load(i), int(by))], plus(before, own.value(1)))]
        });
        let mut all = vec![set(cell, [int(0)], real(0.0)), each(i, NestValue::of(&size), inside)];
        if self.slips() {
            all.remove(0);
        }
        self.ready.push(slot);
        all
    }

    /// An integer array that finds elements.
    pub(super) fn found(&mut self) -> Vec<Stmt> {
        let (size, below) = (self.variable(), self.variable());
        let slot = self.temporary("l", ScalarKind::Int, std::slice::from_ref(&size));
        let mut indexed = false;
        let fills = self.looped(&size, |own| {
            let Some(index) = own.index(&below, 1) else { return Vec::new() };
            indexed = true;
            let at = own.scope.last().expect("an index").0.clone();
            vec![set(slot.cell, [at], index)]
        });
        if indexed {
            self.finding.push((slot, below));
        }
        vec![fills]
    }

    /// Two loops over the same lanes, side by side.
    pub(super) fn beside(&mut self) -> Vec<Stmt> {
        let size = self.variable();
        let mut all = Vec::new();
        for _ in 0..2 {
            let dims = [size.clone()];
            let (_, fills) = if self.random.chance(50) { self.filled_temporary(&dims) } else { self.kept() };
            all.extend(fills);
        }
        for _ in 0..2 {
            let cell = self.cell();
            let inside = self.within(load(cell), &[&size], |own| own.changes());
            all.push(if self.random.chance(20) {
                lanes(cell, NestValue::of(&size), inside)
            } else {
                each(cell, NestValue::of(&size), inside)
            });
        }
        all
    }

    /// A temporary that there is.
    pub(super) fn kept(&mut self) -> (NestSlot, Vec<Stmt>) {
        let temporaries: Vec<NestSlot> =
            self.ready.iter().filter(|slot| self.temporaries.iter().any(|t| t.cell == slot.cell)).cloned().collect();
        if temporaries.is_empty() {
            let dims = self.dims(1);
            return self.filled_temporary(&dims);
        }
        (self.random.pick(&temporaries).clone(), Vec::new())
    }

    /// A loop that changes what there is in some way.
    pub(super) fn mixed(&mut self) -> Vec<Stmt> {
        let mut all = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let dims = self.dims(0);
            if dims.is_empty() {
                let number = self.slot("g", ScalarKind::Real, &[]);
                let cell = number.cell;
                self.ready.push(number.clone());
                all.extend([Stmt::Var(number), set(cell, [], real(0.0))]);
            } else {
                all.extend(self.filled_temporary(&dims).1);
            }
        }
        let size = self.variable();
        let in_lanes = self.random.chance(10);
        all.push(self.looped_in(&size, in_lanes, Self::changes));
        all
    }

    /// Statements that change what there is.
    pub(super) fn changes(&mut self) -> Vec<Stmt> {
        let mut all = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let targets: Vec<NestSlot> = self.ready.iter().filter(|s| !self.is_given(s.cell)).cloned().collect();
            if targets.is_empty() {
                break;
            }
            let target = self.random.pick(&targets).clone();
            let Some(place) = self.place(&target, 1) else {
                let size = target.array.dims[0].clone();
                let inner = self.in_order(&size, |own| match own.place(&target, 1) {
                    Some(place) => own.changed(&place, &target),
                    None => Vec::new(),
                });
                all.push(inner);
                continue;
            };
            all.extend(self.changed(&place, &target));
        }
        all
    }
}
