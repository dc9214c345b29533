//! The grower makes nests from seeds: mostly right ones, of shapes that passes make and of others, and some with a slip.

use std::collections::HashMap;

use redexter::ground::{Name, Random};
use redexter::nest::{LoopRange, Nest, NestPlace, NestSlot, NestValue, ScalarKind, Stmt, Strips};
use redexter::term::{Prim, Size, SizeBounds};

use crate::nest_properties::short::*;

/// A nest that follows from a seed.
pub fn grown(seed: u64) -> Nest {
    let mut grower = Grower::new(seed);
    let mut body = Vec::new();
    for _ in 0..1 + grower.random.below(3) {
        body.extend(grower.step());
    }
    for slot in grower.results.clone() {
        body.extend(grower.fill(&slot));
    }
    let changes = [0, 0, 0, 1, 1, 2][grower.random.below(6)];
    for _ in 0..changes {
        grower.change(&mut body);
    }
    Nest {
        sizes: grower.sizes.iter().map(|(name, _)| name.clone()).collect(),
        bounds: grower.bounds,
        parameters: grower.parameters,
        below: grower.below,
        results: grower.results,
        temporaries: grower.temporaries,
        body,
    }
}

struct Grower {
    random: Random,
    /// How often a slip is made, of a hundred chances.
    slips: usize,
    cells: u32,
    sizes: Vec<(Name, Size)>,
    bounds: SizeBounds,
    parameters: Vec<NestSlot>,
    below: Vec<Option<Size>>,
    results: Vec<NestSlot>,
    temporaries: Vec<NestSlot>,
    /// Reals that are written, and may be read.
    ready: Vec<NestSlot>,
    /// Integer arrays, and below what their elements are.
    finding: Vec<(NestSlot, Size)>,
    /// Indices, and below what they are.
    scope: Vec<(NestValue, Size)>,
}

impl Grower {
    fn new(seed: u64) -> Grower {
        let mut grower = Grower {
            random: Random::new(seed),
            slips: [0, 0, 1, 3][seed as usize % 4],
            cells: 0,
            sizes: Vec::new(),
            bounds: SizeBounds::default(),
            parameters: Vec::new(),
            below: Vec::new(),
            results: Vec::new(),
            temporaries: Vec::new(),
            ready: Vec::new(),
            finding: Vec::new(),
            scope: Vec::new(),
        };
        for name in &["n", "m", "k"][..1 + grower.random.below(3)] {
            let name = Name::new(name);
            if grower.random.chance(25) {
                grower.bounds.require(&name, 1);
            }
            grower.sizes.push((name.clone(), Size::var(&name)));
        }
        for _ in 0..1 + grower.random.below(3) {
            let dims = grower.dims(0);
            let slot = grower.slot("x", ScalarKind::Real, &dims);
            grower.given(slot, None);
        }
        if grower.random.chance(50) {
            let (dims, below) = (grower.dims(1), grower.some_size());
            let slot = grower.slot("p", ScalarKind::Int, &dims);
            grower.given(slot, Some(below));
        }
        if grower.random.chance(10) {
            let below = grower.some_size();
            let slot = grower.slot("q", ScalarKind::Int, &[]);
            grower.given(slot, Some(below));
        }
        for _ in 0..1 + grower.random.below(2) {
            let dims = grower.dims(0);
            let slot = grower.slot("y", ScalarKind::Real, &dims);
            grower.results.push(slot);
        }
        grower
    }

    fn given(&mut self, slot: NestSlot, below: Option<Size>) {
        match &below {
            Some(below) if slot.array.dims.is_empty() => self.scope.push((load(slot.cell), below.clone())),
            Some(below) => self.finding.push((slot.clone(), below.clone())),
            None => self.ready.push(slot.clone()),
        }
        self.parameters.push(slot);
        self.below.push(below);
    }

    fn cell(&mut self) -> u32 {
        self.cells += 1;
        self.cells
    }

    fn slot(&mut self, hint: &str, number: ScalarKind, dims: &[Size]) -> NestSlot {
        let cell = self.cell();
        slot(cell, hint, number, dims)
    }

    fn temporary(&mut self, hint: &str, number: ScalarKind, dims: &[Size]) -> NestSlot {
        let slot = self.slot(hint, number, dims);
        self.temporaries.push(slot.clone());
        slot
    }

    fn slips(&mut self) -> bool {
        self.random.chance(self.slips)
    }

    fn variable(&mut self) -> Size {
        self.random.pick(&self.sizes).1.clone()
    }

    fn some_size(&mut self) -> Size {
        let size = self.variable();
        match self.random.below(20) {
            0 => more(&size, 1),
            1 => Size::literal(1 + self.random.below(3) as u64),
            _ => size,
        }
    }

    fn dims(&mut self, least: usize) -> Vec<Size> {
        (0..least + self.random.below(3 - least)).map(|_| self.some_size()).collect()
    }

    /// Whether a size is known not to be 0.
    fn is_positive(&self, size: &Size) -> bool {
        let zero = |_: &redexter::term::SizeAtom| 0;
        size.value(zero) > 0 || self.sizes.iter().any(|(name, own)| own == size && self.bounds.lower(name) > 0)
    }

    /// A value that is an index of a size, as far as no slip is made.
    fn index(&mut self, size: &Size, depth: u32) -> Option<NestValue> {
        let mut all: Vec<NestValue> = Vec::new();
        for (value, below) in &self.scope {
            if below == size {
                all.push(value.clone());
            }
            if more(below, 1) == *size {
                all.extend([value.clone(), add(value.clone(), int(1))]);
            }
        }
        if self.is_positive(size) && self.random.chance(30) {
            all.push(int(0));
        }
        if depth > 0 && (all.is_empty() || self.random.chance(20)) {
            for (slot, below) in self.finding.clone() {
                if below == *size
                    && let Some(found) = self.element(&slot, depth - 1)
                {
                    all.push(found);
                }
            }
        }
        if self.slips() {
            let other = self.scope.last().map_or(int(0), |(value, _)| value.clone());
            let own = all.last().cloned().unwrap_or_else(|| other.clone());
            let wrong = [add(own.clone(), int(1)), sub(own, int(1)), NestValue::of(size), other, int(0)];
            return Some(self.random.pick(&wrong).clone());
        }
        if all.is_empty() { None } else { Some(self.random.pick(&all).clone()) }
    }

    fn place(&mut self, slot: &NestSlot, depth: u32) -> Option<NestPlace> {
        let mut indices =
            slot.array.dims.iter().map(|size| self.index(size, depth)).collect::<Option<Vec<NestValue>>>()?;
        if self.slips() {
            indices.reverse();
        }
        Some(at(slot.cell, indices))
    }

    fn element(&mut self, slot: &NestSlot, depth: u32) -> Option<NestValue> {
        self.place(slot, depth).map(NestValue::Load)
    }

    /// An element of what may be read, as far as there is one.
    fn read(&mut self) -> Option<NestValue> {
        let slot = self.random.pick(&self.ready).clone();
        self.element(&slot, 1)
    }

    fn literal(&mut self) -> NestValue {
        real(self.random.below(5) as f64 - 2.0)
    }

    /// A real.
    fn value(&mut self, depth: u32) -> NestValue {
        let choice = self.random.below(if depth == 0 { 60 } else { 100 });
        match choice {
            0..10 => self.literal(),
            10..14 => match self.scope.last() {
                Some((index, _)) => NestValue::Prim(Prim::ToReal, ScalarKind::Int, vec![index.clone()]),
                None => self.literal(),
            },
            14..60 => self.read().unwrap_or_else(|| real(1.0)),
            60..90 => {
                let prim = *self.random.pick(&[Prim::Add, Prim::Add, Prim::Sub, Prim::Max, Prim::Min]);
                reals(prim, self.value(depth - 1), self.value(depth - 1))
            }
            90..95 => reals(Prim::Mul, real(2.0), self.value(depth - 1)),
            _ => {
                let condition = self.condition(1);
                select(condition, self.value(depth - 1), self.value(depth - 1))
            }
        }
    }

    fn condition(&mut self, depth: u32) -> NestValue {
        let compared = *self.random.pick(&[Prim::Lt, Prim::Le, Prim::Eq, Prim::Gt, Prim::Ge, Prim::Ne]);
        let choice = self.random.below(if depth == 0 { 9 } else { 11 });
        let index = |own: &mut Grower| match own.scope.len() {
            0 => NestValue::of(&own.variable()),
            _ => own.random.pick(&own.scope).0.clone(),
        };
        match choice {
            0 | 1 => ints(compared, index(self), index(self)),
            2 => ints(compared, index(self), int(self.random.below(3) as i64)),
            3 | 4 => ints(compared, index(self), NestValue::of(&self.variable())),
            5 => ints(compared, NestValue::of(&self.variable()), NestValue::of(&self.variable())),
            6..9 => {
                let data = self.read().unwrap_or_else(|| real(0.0));
                reals(*self.random.pick(&[Prim::Lt, Prim::Gt]), data, self.literal())
            }
            9 => NestValue::Prim(Prim::Not, ScalarKind::Int, vec![self.condition(depth - 1)]),
            _ => {
                let prim = *self.random.pick(&[Prim::And, Prim::Or]);
                ints(prim, self.condition(depth - 1), self.condition(depth - 1))
            }
        }
    }

    /// Statements with an index in scope.
    fn within(&mut self, index: NestValue, sizes: &[&Size], inside: impl FnOnce(&mut Self) -> Vec<Stmt>) -> Vec<Stmt> {
        let (count, ready) = (self.scope.len(), self.ready.len());
        self.scope.extend(sizes.iter().map(|size| (index.clone(), (*size).clone())));
        let all = inside(self);
        self.scope.truncate(count);
        self.ready.truncate(ready);
        all
    }

    /// All indices of a size, in a loop of some kind whose rounds are independent.
    fn looped(&mut self, size: &Size, inside: impl FnOnce(&mut Self) -> Vec<Stmt>) -> Stmt {
        self.looped_in(size, true, inside)
    }

    /// The same where one round may need what an earlier one left.
    fn in_order(&mut self, size: &Size, inside: impl FnOnce(&mut Self) -> Vec<Stmt>) -> Stmt {
        let slips = self.slips();
        self.looped_in(size, slips, inside)
    }

    fn looped_in(&mut self, size: &Size, in_lanes: bool, inside: impl FnOnce(&mut Self) -> Vec<Stmt>) -> Stmt {
        let (cell, mut from, mut to) = (self.cell(), int(0), NestValue::of(size));
        let kind = self.random.below(100);
        if kind < 15 {
            let (base, count, lanes) = (self.cell(), self.cell(), 1 + self.random.below(3) as u32);
            let inside = self.within(add(load(base), load(cell)), &[size], inside);
            let to = if self.slips() { sub(load(count), int(1)) } else { load(count) };
            let rounds = if in_lanes && self.random.chance(60) { Stmt::Lanes } else { Stmt::For };
            return strips(base, count, lanes, size, vec![rounds(LoopRange::to(cell, "l", to), inside)]);
        }
        if self.slips() {
            match self.random.below(4) {
                0 => to = sub(to, int(1)),
                1 => to = add(to, int(1)),
                2 => from = int(1),
                _ => from = int(-1),
            }
        }
        let inside = self.within(load(cell), &[size], inside);
        let range = range(cell, "i", from, to);
        match kind {
            15..25 => {
                let first = self.copied(&inside, &mut HashMap::new());
                let next = (cell, add(load(cell), int(1)));
                let second = self.copied(&inside, &mut HashMap::from([next]));
                let two = if self.slips() { first } else { [first, second].concat() };
                Stmt::Pairs(range, two, inside)
            }
            25..45 if in_lanes => Stmt::Lanes(range, inside),
            _ => Stmt::For(range, inside),
        }
    }

    /// Statements that write a place.
    fn written(&mut self, place: &NestPlace) -> Vec<Stmt> {
        let own = NestValue::Load(place.clone());
        let choice = self.random.below(100);
        let all = match choice {
            0..40 => vec![Stmt::Set(place.clone(), self.value(2))],
            40..60 => {
                let (sum, size) = (self.slot("s", ScalarKind::Real, &[]), self.variable());
                let cell = sum.cell;
                let adds = self.in_order(&size, |own| vec![set(cell, [], plus(load(cell), own.value(1)))]);
                let first = self.value(1);
                vec![Stmt::Var(sum), set(cell, [], first), adds, Stmt::Set(place.clone(), load(cell))]
            }
            60..75 => {
                let (first, size, is_sum) = (self.value(1), self.variable(), self.random.chance(70));
                let prim = if is_sum { Prim::Add } else { Prim::Max };
                let adds = self.in_order(&size, |grower| {
                    let next = reals(prim, own.clone(), grower.value(1));
                    vec![Stmt::Set(place.clone(), next)]
                });
                vec![Stmt::Set(place.clone(), first), adds]
            }
            75..85 => {
                let (condition, a, b) = (self.condition(1), self.value(1), self.value(1));
                let sets = |value: NestValue| vec![Stmt::Set(place.clone(), value)];
                let other = if self.slips() { Vec::new() } else { sets(b) };
                vec![Stmt::If(condition, sets(a), other)]
            }
            85..92 => {
                let number = self.slot("c", ScalarKind::Real, &[]);
                let value = self.value(2);
                let sets = Stmt::Set(place.clone(), plus(load(number.cell), load(number.cell)));
                vec![Stmt::Let(number, value), sets]
            }
            _ => {
                let (number, condition) = (self.slot("v", ScalarKind::Real, &[]), self.condition(1));
                let cell = number.cell;
                let first = vec![set(cell, [], self.value(1))];
                let other = if self.random.chance(30) { condition.clone() } else { self.condition(1) };
                let reads = vec![Stmt::Set(place.clone(), load(cell))];
                let both = self.random.chance(70);
                let (sets, last) = (self.value(1), self.value(1));
                let second = if both { vec![set(cell, [], sets)] } else { Vec::new() };
                let reads =
                    if both { reads } else { vec![Stmt::If(other, reads, vec![Stmt::Set(place.clone(), last)])] };
                [vec![Stmt::Var(number), Stmt::If(condition, first, second)], reads].concat()
            }
        };
        if self.slips() { vec![Stmt::If(self.condition(1), all, Vec::new())] } else { all }
    }

    /// All elements of an array.
    fn fill(&mut self, slot: &NestSlot) -> Vec<Stmt> {
        if self.slips() {
            return Vec::new();
        }
        self.filled(slot, &mut Vec::new())
    }

    fn filled(&mut self, slot: &NestSlot, indices: &mut Vec<NestValue>) -> Vec<Stmt> {
        let Some(size) = slot.array.dims.get(indices.len()).cloned() else {
            return self.written(&at(slot.cell, indices.clone()));
        };
        let inside = |grower: &mut Grower| {
            indices.push(grower.scope.last().expect("an index").0.clone());
            grower.filled(slot, indices)
        };
        vec![self.looped(&size, inside)]
    }

    /// An array that may be read from here on.
    fn filled_temporary(&mut self, dims: &[Size]) -> (NestSlot, Vec<Stmt>) {
        let slot = self.temporary("t", ScalarKind::Real, dims);
        let fills = self.fill(&slot);
        self.ready.push(slot.clone());
        (slot, fills)
    }

    /// Something that a nest does.
    fn step(&mut self) -> Vec<Stmt> {
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
    fn best(&mut self) -> Vec<Stmt> {
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
    fn powers(&mut self) -> Vec<Stmt> {
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
    fn scattered(&mut self) -> Vec<Stmt> {
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
    fn buffered(&mut self) -> Vec<Stmt> {
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
    fn narrowed(&mut self) -> Vec<Stmt> {
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
    fn triangle(&mut self) -> Vec<Stmt> {
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
    fn prefix(&mut self) -> Vec<Stmt> {
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
    fn found(&mut self) -> Vec<Stmt> {
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
    fn beside(&mut self) -> Vec<Stmt> {
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
    fn kept(&mut self) -> (NestSlot, Vec<Stmt>) {
        let temporaries: Vec<NestSlot> =
            self.ready.iter().filter(|slot| self.temporaries.iter().any(|t| t.cell == slot.cell)).cloned().collect();
        if temporaries.is_empty() {
            let dims = self.dims(1);
            return self.filled_temporary(&dims);
        }
        (self.random.pick(&temporaries).clone(), Vec::new())
    }

    /// A loop that changes what there is in some way.
    fn mixed(&mut self) -> Vec<Stmt> {
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
    fn changes(&mut self) -> Vec<Stmt> {
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

    fn is_given(&self, cell: u32) -> bool {
        self.parameters.iter().any(|slot| slot.cell == cell)
    }

    /// Statements that change a place of an array.
    fn changed(&mut self, place: &NestPlace, target: &NestSlot) -> Vec<Stmt> {
        let own = NestValue::Load(place.clone());
        let value = self.value(1);
        let set = |value: NestValue| Stmt::Set(place.clone(), value);
        match self.random.below(9) {
            0 | 1 => vec![set(value)],
            2 => vec![set(plus(own, value))],
            3 => vec![set(reals(*self.random.pick(&[Prim::Min, Prim::Max]), own, value))],
            4 => vec![when(reals(Prim::Lt, own, value.clone()), vec![set(value)])],
            5 => vec![when(self.condition(1), vec![set(plus(own, value))])],
            6 => {
                let number = self.slot("a", ScalarKind::Real, &[]);
                let (cell, size) = (number.cell, self.variable());
                let sets = |value: NestValue| Stmt::Set(at(cell, []), value);
                let adds = self.in_order(&size, |grower| vec![sets(plus(load(cell), grower.value(1)))]);
                let other = if self.random.chance(30) { self.place(target, 1) } else { None };
                let back = Stmt::Set(other.unwrap_or_else(|| place.clone()), load(cell));
                vec![Stmt::Var(number), sets(own), adds, back]
            }
            7 => {
                let size = self.variable();
                vec![self.in_order(&size, |grower| vec![set(plus(own, grower.value(1)))])]
            }
            _ => {
                let other = self.element(target, 1).unwrap_or(own);
                vec![set(plus(other, value))]
            }
        }
    }

    /// Changes one statement.
    fn change(&mut self, body: &mut Vec<Stmt>) {
        let count = statements(body);
        if count > 0 {
            let mut at = self.random.below(count);
            self.change_at(body, &mut at, &mut Vec::new());
        }
    }

    /// Whether the statement was found; what is in scope are indices.
    fn change_at(&mut self, body: &mut Vec<Stmt>, at: &mut usize, scope: &mut Vec<u32>) -> bool {
        for k in 0..body.len() {
            if *at == 0 {
                self.changed_here(body, k, scope);
                return true;
            }
            *at -= 1;
            let count = scope.len();
            let found = match &mut body[k] {
                Stmt::For(range, inside) | Stmt::Lanes(range, inside) => {
                    scope.push(range.cell);
                    self.change_at(inside, at, scope)
                }
                Stmt::Pairs(range, two, one) => {
                    scope.push(range.cell);
                    self.change_at(two, at, scope) || self.change_at(one, at, scope)
                }
                Stmt::Strips(strips, inside) => {
                    scope.extend([strips.base, strips.count]);
                    self.change_at(inside, at, scope)
                }
                Stmt::If(_, a, b) => self.change_at(a, at, scope) || self.change_at(b, at, scope),
                Stmt::Let(..) | Stmt::Var(_) | Stmt::Set(..) => false,
            };
            scope.truncate(count);
            if found {
                return true;
            }
        }
        false
    }

    fn changed_here(&mut self, body: &mut Vec<Stmt>, k: usize, scope: &[u32]) {
        let declares = |stmt: &Stmt| matches!(stmt, Stmt::Let(..) | Stmt::Var(_));
        let choice = self.random.below(10);
        if declares(&body[k]) {
            return;
        }
        if choice == 0 {
            body.remove(k);
            return;
        }
        if choice == 1 && body.get(k + 1).is_some_and(|next| !declares(next)) {
            body.swap(k, k + 1);
            return;
        }
        if choice == 2 {
            let index = if scope.is_empty() { NestValue::of(&self.variable()) } else { load(*self.random.pick(scope)) };
            let guard = ints(*self.random.pick(&[Prim::Lt, Prim::Gt]), index, int(self.random.below(3) as i64));
            let stmt = body.remove(k);
            body.insert(k, when(guard, vec![stmt]));
            return;
        }
        match &mut body[k] {
            Stmt::Set(place, value) => {
                let mut all: Vec<&mut NestValue> = place.indices.iter_mut().collect();
                indices_in(value, &mut all);
                if all.is_empty() {
                    return;
                }
                let at = self.random.below(all.len());
                let own = all[at].clone();
                *all[at] = match self.random.below(4) {
                    0 => add(own, int(1)),
                    1 => sub(own, int(1)),
                    2 if !scope.is_empty() => load(*self.random.pick(scope)),
                    _ => int(0),
                };
            }
            Stmt::For(range, inside) | Stmt::Lanes(range, inside) if choice < 7 => {
                let (mut range, inside) = (range.clone(), std::mem::take(inside));
                let in_lanes = matches!(body[k], Stmt::Lanes(..)) != (choice < 5);
                match choice {
                    5 => range.to = add(range.to, int(1)),
                    6 => range.from = int(1),
                    _ => {}
                }
                body[k] = if in_lanes { Stmt::Lanes(range, inside) } else { Stmt::For(range, inside) };
            }
            Stmt::For(range, _) | Stmt::Lanes(range, _) | Stmt::Pairs(range, ..) => match choice {
                7 => range.to = sub(range.to.clone(), int(1)),
                8 => range.to = NestValue::of(&self.variable()),
                _ if !scope.is_empty() => range.to = load(*self.random.pick(scope)),
                _ => {}
            },
            Stmt::Strips(strips, _) => {
                if choice < 6 {
                    strips.lanes = 1 + self.random.below(4) as u32;
                } else {
                    strips.size = self.variable();
                }
            }
            Stmt::If(condition, a, b) => match choice {
                3..6 => std::mem::swap(a, b),
                6 | 7 => b.clear(),
                _ => *condition = int(1),
            },
            Stmt::Let(..) | Stmt::Var(_) => {}
        }
    }

    /// Statements again, with other values for indices, and other numbers for what they declare.
    fn copied(&mut self, body: &[Stmt], by: &mut HashMap<u32, NestValue>) -> Vec<Stmt> {
        let fresh = |own: &mut Self, cell: &mut u32, by: &mut HashMap<u32, NestValue>| {
            let other = own.cell();
            by.insert(*cell, load(other));
            *cell = other;
        };
        let mut all = Vec::new();
        for stmt in body {
            let mut stmt = stmt.clone();
            match &mut stmt {
                Stmt::Let(slot, value) => {
                    *value = replaced(value, by);
                    fresh(self, &mut slot.cell, by);
                }
                Stmt::Var(slot) => fresh(self, &mut slot.cell, by),
                Stmt::Set(place, value) => {
                    if let NestValue::Load(other) = replaced(&NestValue::Load(place.clone()), by) {
                        *place = other;
                    }
                    *value = replaced(value, by);
                }
                Stmt::For(range, inside) | Stmt::Lanes(range, inside) => {
                    (range.from, range.to) = (replaced(&range.from, by), replaced(&range.to, by));
                    fresh(self, &mut range.cell, by);
                    *inside = self.copied(inside, by);
                }
                Stmt::Pairs(range, two, one) => {
                    (range.from, range.to) = (replaced(&range.from, by), replaced(&range.to, by));
                    fresh(self, &mut range.cell, by);
                    *two = self.copied(two, by);
                    *one = self.copied(one, by);
                }
                Stmt::Strips(strips, inside) => {
                    fresh(self, &mut strips.base, by);
                    fresh(self, &mut strips.count, by);
                    *inside = self.copied(inside, by);
                }
                Stmt::If(condition, a, b) => {
                    *condition = replaced(condition, by);
                    *a = self.copied(a, by);
                    *b = self.copied(b, by);
                }
            }
            all.push(stmt);
        }
        all
    }
}

/// How many statements there are, those inside of others, too.
fn statements(body: &[Stmt]) -> usize {
    let mut count = 0;
    redexter::nest::each(body, &mut |_| count += 1);
    count
}

/// The indices that stand in a value.
fn indices_in<'v>(value: &'v mut NestValue, all: &mut Vec<&'v mut NestValue>) {
    match value {
        NestValue::Real(_) | NestValue::Int(_) | NestValue::Size(_) => {}
        NestValue::Load(place) => all.extend(place.indices.iter_mut()),
        NestValue::Prim(_, _, operands) => operands.iter_mut().for_each(|operand| indices_in(operand, all)),
        NestValue::Truth(a) => indices_in(a, all),
        NestValue::Select(p) => {
            let (a, b, c) = &mut **p;
            [a, b, c].into_iter().for_each(|part| indices_in(part, all));
        }
    }
}

/// A value with others for what has no indices.
pub fn replaced(value: &NestValue, by: &HashMap<u32, NestValue>) -> NestValue {
    match value {
        NestValue::Real(_) | NestValue::Int(_) | NestValue::Size(_) => value.clone(),
        NestValue::Load(place) => match by.get(&place.cell) {
            Some(other) => other.clone(),
            None => get(place.cell, place.indices.iter().map(|index| replaced(index, by))),
        },
        NestValue::Prim(prim, number, operands) => {
            NestValue::Prim(*prim, *number, operands.iter().map(|operand| replaced(operand, by)).collect())
        }
        NestValue::Truth(a) => NestValue::Truth(Box::new(replaced(a, by))),
        NestValue::Select(p) => select(replaced(&p.0, by), replaced(&p.1, by), replaced(&p.2, by)),
    }
}

/// Statements with another index.
pub fn renamed(body: &[Stmt], from: u32, to: u32) -> Vec<Stmt> {
    let by = HashMap::from([(from, load(to))]);
    let value = |value: &NestValue| replaced(value, &by);
    let range = |range: &LoopRange| LoopRange { from: value(&range.from), to: value(&range.to), ..range.clone() };
    let one = |stmt: &Stmt| match stmt {
        Stmt::Let(slot, own) => Stmt::Let(slot.clone(), value(own)),
        Stmt::Var(slot) => Stmt::Var(slot.clone()),
        Stmt::Set(place, own) => Stmt::Set(at(place.cell, place.indices.iter().map(value)), value(own)),
        Stmt::For(own, inside) => Stmt::For(range(own), renamed(inside, from, to)),
        Stmt::Lanes(own, inside) => Stmt::Lanes(range(own), renamed(inside, from, to)),
        Stmt::Pairs(own, two, one) => Stmt::Pairs(range(own), renamed(two, from, to), renamed(one, from, to)),
        Stmt::Strips(strips, inside) => Stmt::Strips(strips.clone(), renamed(inside, from, to)),
        Stmt::If(condition, a, b) => Stmt::If(value(condition), renamed(a, from, to), renamed(b, from, to)),
    };
    body.iter().map(one).collect()
}
