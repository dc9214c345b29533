//! Compiles a nest to code for certain sizes: what depends on sizes alone is known here.
//!
//! `scalar` writes what is done once, `lanes` what is done in blocks of lanes, `fold` sums of their own instruction, `place`
//! where things stand; `implicit_lanes` finds loops that may be done in lanes.

mod fold;
mod implicit_lanes;
mod lanes;
mod memo;
mod place;
mod pool;
mod scalar;

use redexter_kernels::{CompareOp, IntOp};
use rustc_hash::FxHashMap;

use self::memo::LaneMemo;
use self::pool::Pool;
use super::op::{AddressId, BlockAddress, BlockCode, BlockOp, Dot, Reg};
use crate::nest::{Divergence, LoopRange, Nest, NestSlot, NestValue, ScalarKind, Stmt, Strips};
use redexter_language::eval::Sizes;
use redexter_language::term::Size;

/// There is no code for it.
#[derive(Debug)]
pub(super) struct Uncompilable;

type CompileResult<T> = Result<T, Uncompilable>;

/// Where a slot or an index is.
#[derive(Clone, Debug)]
pub(super) enum SlotHome {
    /// A number in a register.
    One(ScalarKind, Reg),
    /// An array in a buffer: how far apart indices are.
    Buffer(ScalarKind, u32, Vec<i64>),
    /// A number for each lane.
    Lanes(ScalarKind, AddressId),
    /// The lane's index, which begins in this register.
    Index(Reg),
}

pub(super) struct BlockCompiler<'n> {
    sizes: &'n Sizes,
    code: BlockCode,
    known: FxHashMap<BlockAddress, AddressId>,
    real_constants: FxHashMap<u64, Reg>,
    int_constants: FxHashMap<i64, Reg>,
    homes: FxHashMap<u32, SlotHome>,
    /// What differs in the lanes that are being written.
    differing: Option<Divergence>,
    memo: LaneMemo,
    reals: Pool,
    ints: Pool,
}

/// The code, and where parameters, results are in it.
pub(super) struct CompiledBlocks {
    pub(super) code: BlockCode,
    pub(super) parameters: Vec<SlotHome>,
    pub(super) results: Vec<SlotHome>,
}

/// A nest at these sizes.
pub(super) fn compile(nest: &Nest, sizes: &Sizes) -> CompileResult<CompiledBlocks> {
    let mut compiler = BlockCompiler {
        sizes,
        code: BlockCode::default(),
        known: FxHashMap::default(),
        real_constants: FxHashMap::default(),
        int_constants: FxHashMap::default(),
        homes: FxHashMap::default(),
        differing: None,
        memo: LaneMemo::default(),
        reals: Pool::default(),
        ints: Pool::default(),
    };
    let mut homes =
        |slots: &[NestSlot]| slots.iter().map(|slot| compiler.slot(slot)).collect::<CompileResult<Vec<SlotHome>>>();
    let (parameters, results) = (homes(&nest.parameters)?, homes(&nest.results)?);
    homes(&nest.temporaries)?;
    compiler.body(&nest.body)?;
    Ok(CompiledBlocks { code: compiler.code, parameters, results })
}

impl BlockCompiler<'_> {
    fn size(&self, size: &Size) -> i64 {
        i64::try_from(self.sizes.value(size)).unwrap_or(i64::MAX)
    }

    /// Room for what has memory.
    fn slot(&mut self, slot: &NestSlot) -> CompileResult<SlotHome> {
        let number = slot.array.number;
        let home = if slot.array.dims.is_empty() {
            SlotHome::One(number, self.register(number))
        } else {
            let dims: Vec<i64> = slot.array.dims.iter().map(|size| self.size(size)).collect();
            let mut strides = vec![1; dims.len()];
            for k in (1..dims.len()).rev() {
                strides[k - 1] = dims[k].saturating_mul(strides[k]);
            }
            let length = dims[0].saturating_mul(strides[0]);
            SlotHome::Buffer(number, self.buffer(number, usize::try_from(length).map_err(|_| Uncompilable)?), strides)
        };
        self.homes.insert(slot.cell, home.clone());
        Ok(home)
    }

    fn buffer(&mut self, number: ScalarKind, length: usize) -> u32 {
        let all = match number {
            ScalarKind::Real => &mut self.code.real_buffers,
            ScalarKind::Int => &mut self.code.int_buffers,
        };
        all.push(length);
        all.len() as u32 - 1
    }

    /// A new register.
    fn register(&mut self, number: ScalarKind) -> Reg {
        let count = match number {
            ScalarKind::Real => {
                self.code.reals.push(0.0);
                self.code.reals.len()
            }
            ScalarKind::Int => {
                self.code.ints.push(0);
                self.code.ints.len()
            }
        };
        count as Reg - 1
    }

    fn op(&mut self, op: BlockOp) {
        self.code.ops.push(op);
    }

    /// A jump that is told later where to go.
    fn jump(&mut self, op: BlockOp) -> usize {
        self.op(op);
        self.code.ops.len() - 1
    }

    fn here(&self) -> u32 {
        self.code.ops.len() as u32
    }

    /// A jump leads here.
    fn land(&mut self, jump: usize) {
        let here = self.here();
        if let BlockOp::Jump(to) | BlockOp::Unless(_, to) | BlockOp::NotBelow(_, _, to) = &mut self.code.ops[jump] {
            *to = here;
        }
    }

    fn dot(&mut self, dot: Dot) {
        self.code.dots.push(dot);
        self.op(BlockOp::Dot(self.code.dots.len() as u32 - 1));
    }

    pub(super) fn number(&self, value: &NestValue) -> ScalarKind {
        value.number(&|cell| match self.homes.get(&cell) {
            Some(SlotHome::One(number, _) | SlotHome::Buffer(number, ..) | SlotHome::Lanes(number, _)) => *number,
            Some(SlotHome::Index(_)) | None => ScalarKind::Int,
        })
    }

    fn body(&mut self, body: &[Stmt]) -> CompileResult<()> {
        body.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> CompileResult<()> {
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
            Stmt::Lanes(range, inside) => match Divergence::of(range.cell, inside) {
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
        a: impl FnOnce(&mut Self) -> CompileResult<()>,
        b: impl FnOnce(&mut Self) -> CompileResult<()>,
    ) -> CompileResult<()> {
        // What one side computes isn't there where the other was taken.
        let known = self.memo.known.clone();
        let other = self.jump(BlockOp::Unless(condition, 0));
        a(self)?;
        let end = self.jump(BlockOp::Jump(0));
        self.land(other);
        self.memo.known.clone_from(&known);
        b(self)?;
        self.memo.known = known;
        self.land(end);
        Ok(())
    }

    /// A loop, in lanes or as one sum where its iterations allow that. It may have no iteration, and what one computes is no
    /// longer so in the next: afterwards is known what was known before and isn't written in it.
    fn each_round(&mut self, range: &LoopRange, inside: &[Stmt]) -> CompileResult<()> {
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

    fn scalar_loop(&mut self, range: &LoopRange, inside: &[Stmt]) -> CompileResult<()> {
        let index = self.register(ScalarKind::Int);
        self.homes.insert(range.cell, SlotHome::One(ScalarKind::Int, index));
        self.rounds(range, index, 1, |c, _| c.body(inside))
    }

    /// A loop whose index is in a register.
    fn rounds(
        &mut self,
        range: &LoopRange,
        index: Reg,
        step: i64,
        inside: impl FnOnce(&mut Self, Reg) -> CompileResult<()>,
    ) -> CompileResult<()> {
        let to = self.int(&range.to)?;
        self.int_into(&range.from, index)?;
        self.repeat(index, to, step, |c| inside(c, to))
    }

    /// A loop from what the index has on, to below a register.
    fn repeat(
        &mut self,
        index: Reg,
        to: Reg,
        step: i64,
        inside: impl FnOnce(&mut Self) -> CompileResult<()>,
    ) -> CompileResult<()> {
        // It may have no iteration; later ones are asked for at the end.
        let end = self.jump(BlockOp::NotBelow(index, to, 0));
        let begin = self.here();
        inside(self)?;
        self.op(BlockOp::Again(index, step, to, begin));
        self.land(end);
        Ok(())
    }

    /// Two iterations at once as long as there are two, and the one that may be left.
    fn pairs(&mut self, range: &LoopRange, two: &[Stmt], one: &[Stmt]) -> CompileResult<()> {
        self.memo.forget(range.cell);
        [two, one].into_iter().for_each(|inside| self.memo.forget_all(inside));
        let known = self.memo.known.clone();
        let (index, last) = (self.register(ScalarKind::Int), self.register(ScalarKind::Int));
        self.homes.insert(range.cell, SlotHome::One(ScalarKind::Int, index));
        let to = self.int(&range.to)?;
        self.int_into(&range.from, index)?;
        // Two are left as long as the index is below the last one.
        self.op(BlockOp::Shift(last, to, -1));
        self.repeat(index, last, 2, |c| c.body(two))?;
        self.memo.known.clone_from(&known);
        self.repeat(index, to, 1, |c| c.body(one))?;
        self.memo.known = known;
        Ok(())
    }

    fn strips(&mut self, strips: &Strips, inside: &[Stmt]) -> CompileResult<()> {
        let (base, count) = (self.register(ScalarKind::Int), self.register(ScalarKind::Int));
        let (rest, full) = (self.register(ScalarKind::Int), self.register(ScalarKind::Int));
        self.homes.insert(strips.base, SlotHome::One(ScalarKind::Int, base));
        self.homes.insert(strips.count, SlotHome::One(ScalarKind::Int, count));
        let lanes = self.int(&NestValue::Int(i64::from(strips.lanes)))?;
        let size = self.int(&NestValue::of(&strips.size))?;
        self.rounds(&LoopRange::of(strips.base, &"".into(), &strips.size), base, i64::from(strips.lanes), |c, _| {
            c.op(BlockOp::IntTwo(IntOp::Sub, rest, size, base));
            c.op(BlockOp::TestInts(CompareOp::Gt, full, rest, lanes));
            c.op(BlockOp::CopyInt(count, rest));
            let short = c.jump(BlockOp::Unless(full, 0));
            c.op(BlockOp::CopyInt(count, lanes));
            c.land(short);
            c.body(inside)
        })
    }
}
