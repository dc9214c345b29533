//! Compiles what is done in blocks of lanes: an instruction for each operation, on all of them.

use redexter_kernels::{IntOp, RealOp};

use super::super::op::{AddressId, AddressSum, BLOCK, BlockAddress, BlockOp, LaneOperand, Reg};
use super::memo::LaneMemo;
use super::scalar::{PrimKernel, how};
use super::{BlockCompiler, CompileResult, SlotHome, Uncompilable};
use crate::nest::{Divergence, LoopRange, NestPlace, NestValue, ScalarKind, Stmt};
use redexter_language::term::Prim;

impl BlockCompiler<'_> {
    pub(super) fn differs(&self, value: &NestValue) -> bool {
        self.differing.as_ref().is_some_and(|differing| differing.differs(value))
    }

    /// A loop over lanes.
    pub(super) fn in_lanes(&mut self, range: &LoopRange, inside: &[Stmt], differing: Divergence) -> CompileResult<()> {
        self.blocks(range, inside, differing, |c| c.body(inside))
    }

    /// A loop over blocks, in each of which that is done.
    pub(super) fn blocks(
        &mut self,
        range: &LoopRange,
        inside: &[Stmt],
        differing: Divergence,
        write: impl FnOnce(&mut Self) -> CompileResult<()>,
    ) -> CompileResult<()> {
        let base = self.register(ScalarKind::Int);
        let [reals, ints] = self.taken();
        self.rounds(range, base, BLOCK as i64, |c, to| {
            c.op(BlockOp::Width(base, to));
            c.homes.insert(range.cell, SlotHome::Index(base));
            c.differing = Some(differing);
            c.memo = LaneMemo::of(inside);
            write(c)?;
            c.differing = None;
            // What was computed in a block is no longer so in the next, nor behind the loop.
            c.memo = LaneMemo::default();
            Ok(())
        })?;
        self.reals.all_back(reals);
        self.ints.all_back(ints);
        Ok(())
    }

    /// Room for a number for each lane.
    pub(super) fn lane_buffer(&mut self, number: ScalarKind) -> AddressId {
        let pool = if number == ScalarKind::Real { &mut self.reals } else { &mut self.ints };
        if let Some(at) = pool.free.pop() {
            pool.taken.push(at);
            return at;
        }
        let buffer = self.buffer(number, BLOCK);
        self.code.addresses.push(BlockAddress { buffer, sum: AddressSum::default() });
        let at = self.code.addresses.len() as AddressId - 1;
        if number == ScalarKind::Real {
            self.reals.taken.push(at)
        } else {
            self.ints.taken.push(at)
        }
        at
    }

    pub(super) fn fill(&mut self, number: ScalarKind, to: AddressId, reg: Reg) {
        self.copy(number, to, LaneOperand::One(reg));
    }

    fn copy(&mut self, number: ScalarKind, to: AddressId, from: LaneOperand) {
        self.op(if number == ScalarKind::Real { BlockOp::Fill(to, from) } else { BlockOp::FillInts(to, from) });
    }

    /// A value in all lanes, where it is or in a buffer of its own.
    pub(super) fn lanes(&mut self, value: &NestValue) -> CompileResult<LaneOperand> {
        if !self.differs(value) {
            return Ok(LaneOperand::One(self.value(value)?));
        }
        let number = self.number(value);
        if let NestValue::Load(place) = value {
            match self.homes.get(&place.cell) {
                Some(SlotHome::Lanes(_, at)) => return Ok(LaneOperand::Many(*at)),
                Some(SlotHome::Buffer(..)) => {
                    let (_, address) = self.part(place)?;
                    if is_dense(&address) {
                        return Ok(LaneOperand::Many(self.address(address)));
                    }
                    let to = self.lane_buffer(number);
                    self.gather(number, to, address);
                    return Ok(LaneOperand::Many(to));
                }
                _ => {}
            }
        }
        let worth = self.memo.worth(value);
        if let Some(known) = worth.and_then(|hash| self.memo.find(hash, value)) {
            return Ok(known);
        }
        let to = self.lane_buffer(number);
        self.computed_into(value, to)?;
        if let Some(hash) = worth {
            let pool = if number == ScalarKind::Real { &mut self.reals } else { &mut self.ints };
            // It outlives the statement, since a later one may read it.
            pool.kept.insert(to);
            self.memo.known.push((hash, value.clone(), LaneOperand::Many(to)));
        }
        Ok(LaneOperand::Many(to))
    }

    fn gather(&mut self, number: ScalarKind, to: AddressId, from: BlockAddress) {
        let from = self.address(from);
        self.op(if number == ScalarKind::Real { BlockOp::Gather(to, from) } else { BlockOp::GatherInts(to, from) });
    }

    /// Where a result can be written while operands are read: there, or in a buffer that is copied to it afterwards. The machine
    /// takes a buffer away while it writes there, so that no operand may lie in it, but for one at the very place.
    fn clear(&mut self, number: ScalarKind, to: AddressId, operands: &[LaneOperand], may_be_own: bool) -> AddressId {
        let buffer = |at: &AddressId| self.code.addresses[*at as usize].buffer;
        let clashes = |operand: &LaneOperand| matches!(operand, LaneOperand::Many(at) if buffer(at) == buffer(&to) && !(may_be_own && *at == to));
        if operands.iter().any(clashes) { self.lane_buffer(number) } else { to }
    }

    /// Computes a value in all lanes, or has it there.
    pub(super) fn lanes_into(&mut self, value: &NestValue, to: AddressId) -> CompileResult<()> {
        if !self.differs(value) || self.memo.worth(value).is_none() {
            return self.computed_into(value, to);
        }
        let from = self.lanes(value)?;
        self.copy(self.number(value), to, from);
        Ok(())
    }

    fn computed_into(&mut self, value: &NestValue, to: AddressId) -> CompileResult<()> {
        let number = self.number(value);
        match value {
            _ if !self.differs(value) => {
                let reg = self.value(value)?;
                self.fill(number, to, reg);
            }
            NestValue::Real(_) | NestValue::Int(_) | NestValue::Size(_) => return Err(Uncompilable),
            NestValue::Load(place) => match self.homes.get(&place.cell).cloned() {
                Some(SlotHome::Index(base)) => self.op(BlockOp::Count(to, base)),
                _ => {
                    let from = self.lanes(value)?;
                    let between = self.clear(number, to, &[from], true);
                    if between != to {
                        self.copy(number, between, from);
                    }
                    self.copy(number, to, if between == to { from } else { LaneOperand::Many(between) });
                }
            },
            NestValue::Truth(a) => {
                let a = self.lanes(a)?;
                self.written(ScalarKind::Int, to, &[a], true, |to| BlockOp::Truths(to, a));
            }
            NestValue::Select(p) if !self.differs(&p.0) => {
                let condition = self.int(&p.0)?;
                self.choice(condition, |c| c.lanes_into(&p.1, to), |c| c.lanes_into(&p.2, to))?;
            }
            NestValue::Select(p) => {
                let truths @ LaneOperand::Many(at) = self.lanes(&p.0)? else { return Err(Uncompilable) };
                let (a, b) = (self.lanes(&p.1)?, self.lanes(&p.2)?);
                match number {
                    ScalarKind::Real => self.written(number, to, &[a, b], true, |to| BlockOp::Choose(to, at, a, b)),
                    // Here truths lie among integers, too: they must not stand where the result goes, since the kernel reads
                    // them apart.
                    ScalarKind::Int => {
                        self.written(number, to, &[truths, a, b], false, |to| BlockOp::ChooseInts(to, at, a, b))
                    }
                }
            }
            NestValue::Prim(prim, of, operands) => self.primitive(how(*prim, *of)?, operands, to)?,
        }
        Ok(())
    }

    /// An instruction that writes where it is clear, and what that takes.
    fn written(
        &mut self,
        number: ScalarKind,
        to: AddressId,
        operands: &[LaneOperand],
        may_be_own: bool,
        op: impl FnOnce(AddressId) -> BlockOp,
    ) {
        let clear = self.clear(number, to, operands, may_be_own);
        self.op(op(clear));
        if clear != to {
            self.copy(number, to, LaneOperand::Many(clear));
        }
    }

    fn primitive(&mut self, how: PrimKernel, operands: &[NestValue], to: AddressId) -> CompileResult<()> {
        let all = operands.iter().map(|operand| self.lanes(operand)).collect::<CompileResult<Vec<LaneOperand>>>()?;
        match (how, &all[..]) {
            (PrimKernel::Exp(f), [LaneOperand::Many(a)]) => {
                self.written(ScalarKind::Real, to, &all, false, |to| BlockOp::Exps(f, to, *a))
            }
            (PrimKernel::One(f) | PrimKernel::Exp(f), [a]) => {
                self.written(ScalarKind::Real, to, &all, true, |to| BlockOp::Each(f, to, *a))
            }
            (PrimKernel::Two(two), [a, b]) => {
                self.written(ScalarKind::Real, to, &all, true, |to| BlockOp::Zip(two, to, *a, *b))
            }
            (PrimKernel::Power(f), [a, k]) => {
                self.written(ScalarKind::Real, to, &[*a], true, |to| BlockOp::Powers(f, to, *a, *k))
            }
            (PrimKernel::IntOne(f), [a]) => {
                self.written(ScalarKind::Int, to, &all, true, |to| BlockOp::EachInt(f, to, *a))
            }
            (PrimKernel::Ints(two), [a, b]) => {
                self.written(ScalarKind::Int, to, &all, true, |to| BlockOp::ZipInts(two, to, *a, *b))
            }
            // Reals never lie where integers do, so that nothing can clash.
            (PrimKernel::Test(test, ScalarKind::Real), [a, b]) => self.op(BlockOp::Tests(test, to, *a, *b)),
            (PrimKernel::Test(test, ScalarKind::Int), [a, b]) => {
                self.written(ScalarKind::Int, to, &all, false, |to| BlockOp::TestsInts(test, to, *a, *b));
            }
            (PrimKernel::Shift(c), [a]) => {
                let by = LaneOperand::One(self.int_constant(c));
                self.written(ScalarKind::Int, to, &all, true, |to| BlockOp::ZipInts(IntOp::Add, to, *a, by));
            }
            (PrimKernel::ToReal, [a]) => self.op(BlockOp::ToReals(to, *a)),
            (PrimKernel::Same, [a]) => self.written(ScalarKind::Int, to, &all, true, |to| BlockOp::FillInts(to, *a)),
            _ => return Err(Uncompilable),
        }
        Ok(())
    }

    /// A number of each lane is stored.
    pub(super) fn set_lanes(&mut self, place: &NestPlace, value: &NestValue) -> CompileResult<()> {
        let (number, to) = match self.homes.get(&place.cell) {
            Some(SlotHome::Lanes(number, at)) => (*number, *at),
            _ => {
                let (number, address) = self.part(place)?;
                if !is_dense(&address) {
                    return self.scatter(number, address, value);
                }
                (number, self.address(address))
            }
        };
        match value {
            NestValue::Prim(Prim::Add, ScalarKind::Real, both)
                if number == ScalarKind::Real && both[0] == NestValue::Load(place.clone()) =>
            {
                self.accumulate(to, &both[1])
            }
            _ => self.lanes_into(value, to),
        }
    }

    /// Adds a value to what stands there.
    fn accumulate(&mut self, to: AddressId, value: &NestValue) -> CompileResult<()> {
        match value {
            NestValue::Select(p) if !self.differs(&p.0) => {
                let condition = self.int(&p.0)?;
                self.choice(condition, |c| c.accumulate(to, &p.1), |c| c.accumulate(to, &p.2))
            }
            NestValue::Prim(Prim::Mul, ScalarKind::Real, both) => {
                let (a, b) = (self.lanes(&both[0])?, self.lanes(&both[1])?);
                // Otherwise a factor lies elsewhere in the buffer: the product is made first.
                if self.clear(ScalarKind::Real, to, &[a, b], true) == to {
                    self.op(BlockOp::Accumulate(to, a, b));
                    return Ok(());
                }
                let product = self.lane_buffer(ScalarKind::Real);
                self.op(BlockOp::Zip(RealOp::Mul, product, a, b));
                self.op(BlockOp::Zip(RealOp::Add, to, LaneOperand::Many(to), LaneOperand::Many(product)));
                Ok(())
            }
            _ => {
                let added = self.lanes(value)?;
                let added = match self.clear(ScalarKind::Real, to, &[added], true) {
                    clear if clear == to => added,
                    clear => {
                        self.copy(ScalarKind::Real, clear, added);
                        LaneOperand::Many(clear)
                    }
                };
                self.op(BlockOp::Zip(RealOp::Add, to, LaneOperand::Many(to), added));
                Ok(())
            }
        }
    }

    fn scatter(&mut self, number: ScalarKind, to: BlockAddress, value: &NestValue) -> CompileResult<()> {
        let value = self.lanes(value)?;
        let to = self.address(to);
        let clear = self.clear(number, to, &[value], false);
        let value = if clear == to {
            value
        } else {
            self.copy(number, clear, value);
            LaneOperand::Many(clear)
        };
        self.op(if number == ScalarKind::Real { BlockOp::Scatter(to, value) } else { BlockOp::ScatterInts(to, value) });
        Ok(())
    }
}

/// Whether lanes lie side by side.
pub(super) fn is_dense(address: &BlockAddress) -> bool {
    address.sum.lane == 1 && address.sum.ints.is_empty()
}
