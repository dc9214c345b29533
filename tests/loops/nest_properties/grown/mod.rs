//! The grower makes nests from seeds: mostly right ones, of shapes that passes make and of others, and some with a slip.

mod shapes;
mod slips;

use std::collections::HashMap;

use redexter::ground::{Name, Random};
use redexter::nest::{LoopRange, Nest, NestPlace, NestSlot, NestValue, ScalarKind, Stmt};
use redexter::term::{Prim, Size, SizeBounds};

use crate::nest_properties::short::*;
pub use slips::renamed;

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
        computed: Vec::new(),
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
}
