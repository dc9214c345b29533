//! Compiles a nest to code for certain sizes: what depends on sizes alone is known here.
//!
//! `scalar` writes what is done once, `lanes` what is done in blocks of lanes, `fold` sums of their own instruction, `place`
//! where things stand; `beside` finds loops that may be done in lanes.

mod beside;
mod fold;
mod lanes;
mod memo;
mod place;
mod pool;
mod scalar;

use redexter_kernels::{Ints, Test};
use rustc_hash::FxHashMap;

use self::memo::Memo;
use self::pool::Pool;
use super::op::{Address, At, Code, Dot, Op, Reg};
use crate::nest::{Differing, Nest, Number, Range, Slot, Stmt, Strips, Value};
use redexter_language::eval::Sizes;
use redexter_language::term::Size;

/// There is no code for it.
#[derive(Debug)]
pub(super) struct Unfit;

type Fit<T> = Result<T, Unfit>;

/// Where a slot or an index is.
#[derive(Clone, Debug)]
pub(super) enum Home {
    /// A number in a register.
    One(Number, Reg),
    /// An array in a buffer: how far apart indices are.
    Buffer(Number, u32, Vec<i64>),
    /// A number for each lane.
    Lanes(Number, At),
    /// The lane's index, which begins in this register.
    Index(Reg),
}

pub(super) struct Compiler<'n> {
    sizes: &'n Sizes,
    code: Code,
    known: FxHashMap<Address, At>,
    real_constants: FxHashMap<u64, Reg>,
    int_constants: FxHashMap<i64, Reg>,
    homes: FxHashMap<u32, Home>,
    /// What differs in the lanes that are being written.
    differing: Option<Differing>,
    memo: Memo,
    reals: Pool,
    ints: Pool,
}

/// The code, and where parameters, results are in it.
pub(super) struct Compiled {
    pub(super) code: Code,
    pub(super) parameters: Vec<Home>,
    pub(super) results: Vec<Home>,
}

/// A nest at these sizes.
pub(super) fn compile(nest: &Nest, sizes: &Sizes) -> Fit<Compiled> {
    let mut compiler = Compiler {
        sizes,
        code: Code::default(),
        known: FxHashMap::default(),
        real_constants: FxHashMap::default(),
        int_constants: FxHashMap::default(),
        homes: FxHashMap::default(),
        differing: None,
        memo: Memo::default(),
        reals: Pool::default(),
        ints: Pool::default(),
    };
    let mut homes = |slots: &[Slot]| slots.iter().map(|slot| compiler.slot(slot)).collect::<Fit<Vec<Home>>>();
    let (parameters, results) = (homes(&nest.parameters)?, homes(&nest.results)?);
    homes(&nest.temporaries)?;
    compiler.body(&nest.body)?;
    Ok(Compiled { code: compiler.code, parameters, results })
}

impl Compiler<'_> {
    fn size(&self, size: &Size) -> i64 {
        i64::try_from(self.sizes.value(size)).unwrap_or(i64::MAX)
    }

    /// Room for what has memory.
    fn slot(&mut self, slot: &Slot) -> Fit<Home> {
        let number = slot.array.number;
        let home = if slot.array.dims.is_empty() {
            Home::One(number, self.register(number))
        } else {
            let dims: Vec<i64> = slot.array.dims.iter().map(|size| self.size(size)).collect();
            let mut strides = vec![1; dims.len()];
            for k in (1..dims.len()).rev() {
                strides[k - 1] = dims[k].saturating_mul(strides[k]);
            }
            let length = dims[0].saturating_mul(strides[0]);
            Home::Buffer(number, self.buffer(number, usize::try_from(length).map_err(|_| Unfit)?), strides)
        };
        self.homes.insert(slot.cell, home.clone());
        Ok(home)
    }

    fn buffer(&mut self, number: Number, length: usize) -> u32 {
        let all = match number {
            Number::Real => &mut self.code.real_buffers,
            Number::Int => &mut self.code.int_buffers,
        };
        all.push(length);
        all.len() as u32 - 1
    }

    /// A new register.
    fn register(&mut self, number: Number) -> Reg {
        let count = match number {
            Number::Real => {
                self.code.reals.push(0.0);
                self.code.reals.len()
            }
            Number::Int => {
                self.code.ints.push(0);
                self.code.ints.len()
            }
        };
        count as Reg - 1
    }

    fn op(&mut self, op: Op) {
        self.code.ops.push(op);
    }

    /// A jump that is told later where to go.
    fn jump(&mut self, op: Op) -> usize {
        self.op(op);
        self.code.ops.len() - 1
    }

    fn here(&self) -> u32 {
        self.code.ops.len() as u32
    }

    /// A jump leads here.
    fn land(&mut self, jump: usize) {
        let here = self.here();
        if let Op::Jump(to) | Op::Unless(_, to) | Op::NotBelow(_, _, to) = &mut self.code.ops[jump] {
            *to = here;
        }
    }

    fn dot(&mut self, dot: Dot) {
        self.code.dots.push(dot);
        self.op(Op::Dot(self.code.dots.len() as u32 - 1));
    }

    pub(super) fn number(&self, value: &Value) -> Number {
        value.number(&|cell| match self.homes.get(&cell) {
            Some(Home::One(number, _) | Home::Buffer(number, ..) | Home::Lanes(number, _)) => *number,
            Some(Home::Index(_)) | None => Number::Int,
        })
    }

    fn body(&mut self, body: &[Stmt]) -> Fit<()> {
        body.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Fit<()> {
        let taken = self.taken();
        match stmt {
            // What is bound keeps its buffer for the rest of the block: so nothing is given back here.
            Stmt::Let(slot, value) => return self.bind(slot, Some(value)),
            Stmt::Var(slot) => return self.bind(slot, None),
            Stmt::Set(place, value) => {
                self.set(place, value)?;
                self.memo.forget(place.cell);
            }
            Stmt::For(range, inside) => self.each_round(range, inside)?,
            Stmt::Lanes(range, inside) => match Differing::of(range.cell, inside) {
                // Inside of lanes another loop over lanes is a plain one.
                Some(differing) if self.differing.is_none() => self.in_lanes(range, inside, differing)?,
                _ => self.scalar_loop(range, inside)?,
            },
            Stmt::Pairs(range, two, one) => self.pairs(range, two, one)?,
            Stmt::Strips(strips, inside) => self.strips(strips, inside)?,
            Stmt::If(condition, a, b) => {
                let condition = self.int(condition)?;
                // Either may be taken, so that what either writes is forgotten for both.
                [a, b].into_iter().for_each(|inside| self.memo.forget_all(inside));
                self.choice(condition, |c| c.body(a), |c| c.body(b))?;
            }
        }
        self.back(taken);
        Ok(())
    }

    /// How many buffers of lanes are taken.
    fn taken(&self) -> [usize; 2] {
        [self.reals.taken.len(), self.ints.taken.len()]
    }

    /// Gives back those taken since.
    fn back(&mut self, taken: [usize; 2]) {
        self.reals.back(taken[0]);
        self.ints.back(taken[1]);
    }

    /// One of two, as a register says.
    fn choice(
        &mut self,
        condition: Reg,
        a: impl FnOnce(&mut Self) -> Fit<()>,
        b: impl FnOnce(&mut Self) -> Fit<()>,
    ) -> Fit<()> {
        // What one side computes isn't there where the other was taken.
        let known = self.memo.known.clone();
        let other = self.jump(Op::Unless(condition, 0));
        a(self)?;
        let end = self.jump(Op::Jump(0));
        self.land(other);
        self.memo.known.clone_from(&known);
        b(self)?;
        self.memo.known = known;
        self.land(end);
        Ok(())
    }

    /// A loop, in lanes or as one sum where its iterations allow that. It may have no iteration, and what one computes is no
    /// longer so in the next: afterwards is known what was known before and isn't written in it.
    fn each_round(&mut self, range: &Range, inside: &[Stmt]) -> Fit<()> {
        self.memo.forget(range.cell);
        self.memo.forget_all(inside);
        let known = self.memo.known.clone();
        if !self.sum(range, inside)? {
            match self.beside(range, inside) {
                Some(differing) => self.in_lanes(range, inside, differing)?,
                None => self.scalar_loop(range, inside)?,
            }
        }
        self.memo.known = known;
        Ok(())
    }

    fn scalar_loop(&mut self, range: &Range, inside: &[Stmt]) -> Fit<()> {
        let index = self.register(Number::Int);
        self.homes.insert(range.cell, Home::One(Number::Int, index));
        self.rounds(range, index, 1, |c, _| c.body(inside))
    }

    /// A loop whose index is in a register.
    fn rounds(
        &mut self,
        range: &Range,
        index: Reg,
        step: i64,
        inside: impl FnOnce(&mut Self, Reg) -> Fit<()>,
    ) -> Fit<()> {
        let to = self.int(&range.to)?;
        self.int_into(&range.from, index)?;
        self.repeat(index, to, step, |c| inside(c, to))
    }

    /// A loop from what the index has on, to below a register.
    fn repeat(&mut self, index: Reg, to: Reg, step: i64, inside: impl FnOnce(&mut Self) -> Fit<()>) -> Fit<()> {
        // It may have no iteration; later ones are asked for at the end.
        let end = self.jump(Op::NotBelow(index, to, 0));
        let begin = self.here();
        inside(self)?;
        self.op(Op::Again(index, step, to, begin));
        self.land(end);
        Ok(())
    }

    /// Two iterations at once as long as there are two, and the one that may be left.
    fn pairs(&mut self, range: &Range, two: &[Stmt], one: &[Stmt]) -> Fit<()> {
        self.memo.forget(range.cell);
        [two, one].into_iter().for_each(|inside| self.memo.forget_all(inside));
        let known = self.memo.known.clone();
        let (index, last) = (self.register(Number::Int), self.register(Number::Int));
        self.homes.insert(range.cell, Home::One(Number::Int, index));
        let to = self.int(&range.to)?;
        self.int_into(&range.from, index)?;
        // Two are left as long as the index is below the last one.
        self.op(Op::Shift(last, to, -1));
        self.repeat(index, last, 2, |c| c.body(two))?;
        self.memo.known.clone_from(&known);
        self.repeat(index, to, 1, |c| c.body(one))?;
        self.memo.known = known;
        Ok(())
    }

    fn strips(&mut self, strips: &Strips, inside: &[Stmt]) -> Fit<()> {
        let (base, count) = (self.register(Number::Int), self.register(Number::Int));
        let (rest, full) = (self.register(Number::Int), self.register(Number::Int));
        self.homes.insert(strips.base, Home::One(Number::Int, base));
        self.homes.insert(strips.count, Home::One(Number::Int, count));
        let lanes = self.int(&Value::Int(i64::from(strips.lanes)))?;
        let size = self.int(&Value::of(&strips.size))?;
        self.rounds(&Range::of(strips.base, &"".into(), &strips.size), base, i64::from(strips.lanes), |c, _| {
            c.op(Op::IntTwo(Ints::Sub, rest, size, base));
            c.op(Op::TestInts(Test::Gt, full, rest, lanes));
            c.op(Op::CopyInt(count, rest));
            let short = c.jump(Op::Unless(full, 0));
            c.op(Op::CopyInt(count, lanes));
            c.land(short);
            c.body(inside)
        })
    }
}
