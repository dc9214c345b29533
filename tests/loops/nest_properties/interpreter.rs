//! The interpreter runs nests statement by statement, and remembers of each element whether it was written.

use std::collections::{HashMap, HashSet};

use redexter::eval::Sizes;
use redexter::ground::Random;
use redexter::nest::{LoopRange, Nest, NestPlace, NestSlot, NestValue, ScalarKind, Stmt, each};
use redexter::term::{Prim, Scalar};

/// Why a nest can't go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An index is outside of its dimension.
    Outside(u32),
    /// What is read, or left in a result, was never written.
    Unwritten(u32),
    /// What is given, or stays as it is, is stored.
    Given(u32),
    /// A value isn't of the type that is asked for.
    Type,
    /// It takes too long.
    Long,
}

/// An array or a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    dims: Vec<usize>,
    /// None is what was never written.
    pub elements: Vec<Option<Scalar>>,
}

/// What stands in each cell that is declared where the interpreter is, by its number.
pub type Memory = Vec<Option<Block>>;

/// What one iteration touched: an element of a cell, and whether it stored it.
pub type Touched = Vec<(u32, usize, bool)>;

/// What the interpreter may do otherwise than in order.
#[derive(Clone, Copy, Default)]
pub struct Ways<'n> {
    /// Lanes go from the last to the first.
    pub lanes_reversed: bool,
    /// The last strip begins earlier, so that it is whole.
    pub whole_strips: bool,
    /// Both sides of a choice, and what a mask takes, have to lie in their arrays.
    pub both_sides: bool,
    /// The loop whose iterations are remembered, reversed or taken apart.
    pub chosen: Option<&'n Stmt>,
    pub order: Order,
}

/// In which order the iterations of the chosen loop are done.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Order {
    #[default]
    Forward,
    Reversed,
    /// A loop for each of its statements.
    TakenApart,
    /// Together with those of the loop behind it.
    Fused,
}

/// A run that ended.
pub struct Ran {
    pub memory: Memory,
    /// For each time that the chosen loop ran, what each of its iterations touched.
    pub log: Vec<Vec<Touched>>,
}

struct Interpreter<'n> {
    sizes: &'n Sizes,
    /// Parameters, indices of loops and numbers that stay as they are.
    given: HashSet<u32>,
    ways: Ways<'n>,
    memory: Memory,
    log: Vec<Vec<Touched>>,
    /// Whether the chosen loop runs.
    logs: bool,
    /// Nobody asks for what is computed; an index that was never written may be any.
    is_idle: bool,
    fuel: u64,
}

type Done<T> = Result<T, Fault>;

/// How many statements and values one run may take.
const FUEL: u64 = 60_000;

/// Random data for the parameters: indices are in their range, other numbers small integers. None where an index has none.
pub fn inputs(nest: &Nest, sizes: &Sizes, random: &mut Random) -> Option<Vec<Vec<Scalar>>> {
    let of = |(slot, below): (&NestSlot, &Option<redexter::term::Size>)| {
        let count: usize = dims(slot, sizes).iter().product();
        let below = below.as_ref().map(|size| sizes.value(size) as usize);
        let mut all = Vec::new();
        for _ in 0..count {
            all.push(match (slot.array.number, below) {
                (ScalarKind::Int, Some(0)) => return None,
                (ScalarKind::Int, Some(below)) => Scalar::Int(random.below(below) as i64),
                (ScalarKind::Int, None) => Scalar::Int(random.below(9) as i64 - 4),
                (ScalarKind::Real, _) => Scalar::Real(random.below(7) as f64 - 3.0),
            });
        }
        Some(all)
    };
    nest.parameters.iter().zip(&nest.below).map(of).collect()
}

fn dims(slot: &NestSlot, sizes: &Sizes) -> Vec<usize> {
    slot.array.dims.iter().map(|size| sizes.value(size) as usize).collect()
}

/// Runs a nest, and asks whether all of its results were written.
pub fn run<'n>(nest: &'n Nest, sizes: &'n Sizes, inputs: &[Vec<Scalar>], ways: Ways<'n>) -> Done<Ran> {
    let mut all = Interpreter {
        sizes,
        given: HashSet::new(),
        ways,
        memory: Memory::new(),
        log: Vec::new(),
        logs: false,
        is_idle: false,
        fuel: FUEL,
    };
    for slot in nest.parameters.iter().chain(&nest.results).chain(&nest.temporaries) {
        all.declare(slot);
    }
    for (slot, data) in nest.parameters.iter().zip(inputs) {
        all.given.insert(slot.cell);
        all.memory[slot.cell as usize] =
            Some(Block { dims: dims(slot, sizes), elements: data.iter().copied().map(Some).collect() });
    }
    all.body(&nest.body)?;
    for slot in &nest.results {
        if all.block(slot.cell)?.elements.contains(&None) {
            return Err(Fault::Unwritten(slot.cell));
        }
    }
    Ok(Ran { memory: all.memory, log: all.log })
}

impl<'n> Interpreter<'n> {
    fn declare(&mut self, slot: &NestSlot) {
        let dims = dims(slot, self.sizes);
        let elements = vec![None; dims.iter().product()];
        self.given.remove(&slot.cell);
        self.put(slot.cell, Block { dims, elements });
    }

    fn put(&mut self, cell: u32, block: Block) {
        if self.memory.len() <= cell as usize {
            self.memory.resize(cell as usize + 1, None);
        }
        self.memory[cell as usize] = Some(block);
    }

    fn number(&mut self, cell: u32, value: Scalar) {
        self.given.insert(cell);
        self.put(cell, Block { dims: Vec::new(), elements: vec![Some(value)] });
    }

    fn block(&self, cell: u32) -> Done<&Block> {
        self.memory.get(cell as usize).and_then(Option::as_ref).ok_or(Fault::Unwritten(cell))
    }

    /// What statements declare is gone behind them.
    fn body(&mut self, body: &'n [Stmt]) -> Done<()> {
        let mut rest = body.iter();
        while let Some(stmt) = rest.next() {
            let chosen = self.ways.chosen.is_some_and(|chosen| std::ptr::eq(chosen, stmt));
            match (chosen, self.ways.order) {
                (true, Order::Fused) => self.fused(stmt, rest.next())?,
                (true, _) => self.chosen(stmt)?,
                _ => self.stmt(stmt)?,
            }
        }
        for stmt in body {
            if let Stmt::Let(slot, _) | Stmt::Var(slot) = stmt {
                self.memory[slot.cell as usize] = None;
            }
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &'n Stmt) -> Done<()> {
        self.burn()?;
        match stmt {
            Stmt::Let(slot, value) => {
                let value = self.value(value)?;
                self.number(slot.cell, value);
            }
            Stmt::Var(slot) => self.declare(slot),
            Stmt::Set(place, value) => {
                let indices = self.indices(place)?;
                let value = self.value(value)?;
                let at = self.flat(place.cell, &indices)?;
                if self.given.contains(&place.cell) {
                    return Err(Fault::Given(place.cell));
                }
                self.touch(place.cell, at, true);
                self.memory[place.cell as usize].as_mut().expect("it has elements").elements[at] = Some(value);
            }
            Stmt::For(range, inside) | Stmt::Lanes(range, inside) => {
                let in_lanes = matches!(stmt, Stmt::Lanes(..));
                let mut rounds: Vec<i64> = self.rounds(range)?.collect();
                let spoilt = self.beyond(range, inside)?;
                if in_lanes && self.ways.lanes_reversed {
                    rounds.reverse();
                }
                for round in rounds {
                    self.number(range.cell, Scalar::Int(round));
                    self.masked(inside)?;
                    self.body(inside)?;
                }
                // Nobody says which lanes are done first.
                for (cell, at, value) in spoilt {
                    if let Some(Some(block)) = self.memory.get_mut(cell)
                        && block.elements[at] != value
                    {
                        block.elements[at] = None;
                    }
                }
            }
            Stmt::Pairs(range, two, one) => {
                let mut rounds = self.rounds(range)?.peekable();
                while let Some(round) = rounds.next() {
                    self.number(range.cell, Scalar::Int(round));
                    self.body(if rounds.next().is_some() { two } else { one })?;
                }
            }
            Stmt::Strips(strips, inside) => {
                for (base, count) in self.strips(strips) {
                    self.number(strips.base, Scalar::Int(base));
                    self.number(strips.count, Scalar::Int(count));
                    self.body(inside)?;
                }
            }
            Stmt::If(condition, a, b) => {
                let holds = self.truth(condition)?;
                self.body(if holds { a } else { b })?;
            }
        }
        self.leave(stmt);
        Ok(())
    }

    /// Indices are gone behind their loop.
    fn leave(&mut self, stmt: &Stmt) {
        let mut gone = |cell: u32| {
            if let Some(block) = self.memory.get_mut(cell as usize) {
                *block = None;
            }
        };
        match stmt {
            Stmt::For(range, _) | Stmt::Lanes(range, _) | Stmt::Pairs(range, ..) => gone(range.cell),
            Stmt::Strips(strips, _) => {
                gone(strips.base);
                gone(strips.count);
            }
            Stmt::Let(..) | Stmt::Var(_) | Stmt::Set(..) | Stmt::If(..) => {}
        }
    }

    fn rounds(&mut self, range: &LoopRange) -> Done<std::ops::Range<i64>> {
        let (from, to) = (self.int(&range.from)?, self.int(&range.to)?);
        if to.saturating_sub(from) > 1_000 {
            return Err(Fault::Long);
        }
        Ok(from..to)
    }

    /// Where each strip begins, and how many rounds it has.
    fn strips(&self, strips: &redexter::nest::Strips) -> Vec<(i64, i64)> {
        let (n, lanes) = (self.sizes.value(&strips.size) as i64, i64::from(strips.lanes));
        let begins = (0..n).step_by(lanes as usize);
        if self.ways.whole_strips && n >= lanes {
            return begins.map(|base| (base.min(n - lanes), lanes)).collect();
        }
        begins.map(|base| (base, (n - base).min(lanes))).collect()
    }

    /// The chosen loop, whose iterations are remembered.
    fn chosen(&mut self, stmt: &'n Stmt) -> Done<()> {
        let (mut rounds, inside): (Vec<(i64, i64)>, &[Stmt]) = match stmt {
            Stmt::For(range, inside) | Stmt::Lanes(range, inside) | Stmt::Pairs(range, _, inside) => {
                (self.rounds(range)?.map(|round| (round, 0)).collect(), inside)
            }
            Stmt::Strips(strips, inside) => (self.strips(strips), inside),
            _ => panic!("no loop is chosen"),
        };
        if self.ways.order == Order::Reversed {
            rounds.reverse();
        }
        let loops: Vec<&[Stmt]> = match self.ways.order {
            Order::TakenApart => inside.iter().map(std::slice::from_ref).collect(),
            _ => vec![inside],
        };
        let logged = std::mem::replace(&mut self.logs, true);
        let ended = self.logged(stmt, &loops, &rounds);
        self.logs = logged;
        self.leave(stmt);
        ended
    }

    fn logged(&mut self, stmt: &Stmt, loops: &[&'n [Stmt]], rounds: &[(i64, i64)]) -> Done<()> {
        self.log.push(Vec::new());
        for inside in loops {
            for (round, count) in rounds {
                self.log.last_mut().expect("a run of the loop").push(Vec::new());
                match stmt {
                    Stmt::Strips(strips, _) => {
                        self.number(strips.base, Scalar::Int(*round));
                        self.number(strips.count, Scalar::Int(*count));
                    }
                    Stmt::For(range, _) | Stmt::Lanes(range, _) | Stmt::Pairs(range, ..) => {
                        self.number(range.cell, Scalar::Int(*round));
                    }
                    _ => {}
                }
                self.body(inside)?;
            }
        }
        Ok(())
    }

    /// Two loops over the same rounds as one.
    fn fused(&mut self, first: &'n Stmt, second: Option<&'n Stmt>) -> Done<()> {
        let (Stmt::For(range, a) | Stmt::Lanes(range, a), Some(Stmt::For(other, b) | Stmt::Lanes(other, b))) =
            (first, second)
        else {
            panic!("no two loops are chosen")
        };
        for round in self.rounds(range)? {
            self.number(range.cell, Scalar::Int(round));
            self.number(other.cell, Scalar::Int(round));
            self.body(a)?;
            self.body(b)?;
        }
        second.into_iter().chain([first]).for_each(|stmt| self.leave(stmt));
        Ok(())
    }

    /// Rounds beyond the last one compute what nobody reads: they stay in their arrays, no more. What they store there.
    fn beyond(&mut self, range: &LoopRange, inside: &'n [Stmt]) -> Done<Vec<(usize, usize, Option<Scalar>)>> {
        let Some(most) = &range.most else { return Ok(Vec::new()) };
        let mut spoilt = Vec::new();
        let (from, to, most) = (self.int(&range.from)?, self.int(&range.to)?, self.int(most)?);
        let kept = self.memory.clone();
        let was_idle = std::mem::replace(&mut self.is_idle, true);
        for round in to.max(from)..most {
            self.number(range.cell, Scalar::Int(round));
            match self.body(inside) {
                Err(Fault::Unwritten(_)) => {}
                ended => ended?,
            }
            for (cell, (own, before)) in self.memory.iter().zip(&kept).enumerate() {
                let (Some(own), Some(before)) = (own, before) else { continue };
                let both = own.elements.iter().zip(&before.elements).enumerate().filter(|_| !own.dims.is_empty());
                spoilt.extend(both.filter(|(_, (own, before))| own != before).map(|(at, (own, _))| (cell, at, *own)));
            }
            self.memory.clone_from(&kept);
        }
        self.is_idle = was_idle;
        self.memory = kept;
        Ok(spoilt)
    }

    /// What a branch that is all of a round stores in a number is read where its condition doesn't hold, too.
    fn masked(&mut self, inside: &'n [Stmt]) -> Done<()> {
        match inside {
            [Stmt::If(_, set, other)] if self.ways.both_sides && other.is_empty() => match &set[..] {
                [Stmt::Set(place, value)] if place.indices.is_empty() => self.in_arrays(value),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// What is read in a value that nobody asks for lies in its arrays.
    fn in_arrays(&mut self, value: &NestValue) -> Done<()> {
        let was_idle = std::mem::replace(&mut self.is_idle, true);
        let found = self.value(value);
        self.is_idle = was_idle;
        match found {
            Err(Fault::Outside(cell)) => Err(Fault::Outside(cell)),
            _ => Ok(()),
        }
    }

    fn burn(&mut self) -> Done<()> {
        self.fuel = self.fuel.checked_sub(1).ok_or(Fault::Long)?;
        Ok(())
    }

    fn touch(&mut self, cell: u32, at: usize, stored: bool) {
        if self.logs
            && let Some(iteration) = self.log.last_mut().and_then(|log| log.last_mut())
            && !iteration.contains(&(cell, at, stored))
        {
            iteration.push((cell, at, stored));
        }
    }

    fn indices(&mut self, place: &NestPlace) -> Done<Vec<i64>> {
        let index = |index: &NestValue| match self.int(index) {
            Err(Fault::Unwritten(_)) if self.is_idle => Err(Fault::Outside(place.cell)),
            found => found,
        };
        place.indices.iter().map(index).collect()
    }

    fn flat(&self, cell: u32, indices: &[i64]) -> Done<usize> {
        let block = self.block(cell)?;
        if indices.len() != block.dims.len() {
            return Err(Fault::Outside(cell));
        }
        let mut at = 0;
        for (index, length) in indices.iter().zip(&block.dims) {
            let index = usize::try_from(*index).ok().filter(|index| index < length).ok_or(Fault::Outside(cell))?;
            at = at * length + index;
        }
        Ok(at)
    }

    fn int(&mut self, value: &NestValue) -> Done<i64> {
        match self.value(value)? {
            Scalar::Int(k) => Ok(k),
            _ => Err(Fault::Type),
        }
    }

    fn truth(&mut self, value: &NestValue) -> Done<bool> {
        Ok(self.int(value)? != 0)
    }

    fn value(&mut self, value: &NestValue) -> Done<Scalar> {
        self.burn()?;
        Ok(match value {
            NestValue::Real(x) => Scalar::Real(*x),
            NestValue::Int(k) => Scalar::Int(*k),
            NestValue::Size(name) => Scalar::Int(self.sizes.get(name).expect("a size") as i64),
            NestValue::Load(place) => {
                let indices = self.indices(place)?;
                let at = self.flat(place.cell, &indices)?;
                self.touch(place.cell, at, false);
                self.block(place.cell)?.elements[at].ok_or(Fault::Unwritten(place.cell))?
            }
            NestValue::Truth(a) => Scalar::Int(self.truth(a)?.into()),
            NestValue::Select(p) => {
                let (taken, other) = if self.truth(&p.0)? { (&p.1, &p.2) } else { (&p.2, &p.1) };
                if self.ways.both_sides {
                    self.in_arrays(other)?;
                }
                self.value(taken)?
            }
            NestValue::Prim(prim, _, operands) => {
                let all: Vec<Scalar> = operands.iter().map(|operand| self.value(operand)).collect::<Done<_>>()?;
                match (prim, &all[..]) {
                    (Prim::ToInt, [a]) => *a,
                    (Prim::Offset(more), [Scalar::Int(a)]) => Scalar::Int(a.wrapping_add(*more as i64)),
                    (prim, all) => prim.compute(all).ok_or(Fault::Type)?,
                }
            }
        })
    }
}

/// What a loop declares inside, indices among it: nobody sees it behind the loop.
pub fn declared(stmt: &Stmt) -> Vec<u32> {
    let mut all = Vec::new();
    each([stmt], &mut |stmt| match stmt {
        Stmt::Let(slot, _) | Stmt::Var(slot) => all.push(slot.cell),
        Stmt::For(range, _) | Stmt::Lanes(range, _) | Stmt::Pairs(range, ..) => all.push(range.cell),
        Stmt::Strips(strips, _) => all.extend([strips.base, strips.count]),
        Stmt::Set(..) | Stmt::If(..) => {}
    });
    all
}

/// Whether both have the same in all arrays, to the bit.
pub fn same(a: &Memory, b: &Memory) -> bool {
    let bits = |element: &Option<Scalar>| match element {
        None => (0, 0),
        Some(Scalar::Real(x)) => (1, x.to_bits()),
        Some(Scalar::Int(k)) => (2, *k as u64),
        Some(Scalar::Fin(k)) => (3, *k),
    };
    let all = |memory: &Memory| -> HashMap<usize, Vec<(u32, u64)>> {
        let blocks = memory.iter().enumerate();
        blocks.filter_map(|(cell, block)| Some((cell, block.as_ref()?.elements.iter().map(bits).collect()))).collect()
    };
    all(a) == all(b)
}
