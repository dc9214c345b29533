//! Runs the code. Every access is checked: code that goes out of a buffer is given up, and someone else computes.

mod dot;
mod lanes;
mod memory;

use redexter_kernels as kernel;

use super::bank::Bank;
use super::op::{BLOCK, BlockCode, BlockOp, Reg};
use redexter_language::ground::{Budget, StopReason};

/// Why there is no result.
pub(super) enum BlockHalt {
    /// The budget's reason.
    Stopped(StopReason),
    /// The code reads or writes where nothing is.
    Astray,
}

impl From<StopReason> for BlockHalt {
    fn from(reason: StopReason) -> BlockHalt {
        BlockHalt::Stopped(reason)
    }
}

type BlockResult<T> = Result<T, BlockHalt>;

/// Code with its registers and buffers.
pub(super) struct BlockMachine {
    code: BlockCode,
    pub(super) reals: Bank<f64>,
    pub(super) ints: Bank<i64>,
    width: usize,
}

impl BlockMachine {
    /// With these buffers.
    pub(super) fn new(code: BlockCode, real_buffers: Vec<Vec<f64>>, int_buffers: Vec<Vec<i64>>) -> BlockMachine {
        let reals = Bank { regs: code.reals.clone(), buffers: real_buffers };
        let ints = Bank { regs: code.ints.clone(), buffers: int_buffers };
        BlockMachine { code, reals, ints, width: 0 }
    }

    #[inline(always)]
    fn real(&mut self, reg: Reg) -> &mut f64 {
        &mut self.reals.regs[reg as usize]
    }

    #[inline(always)]
    fn int(&mut self, reg: Reg) -> &mut i64 {
        &mut self.ints.regs[reg as usize]
    }

    pub(super) fn run(&mut self, budget: &Budget) -> BlockResult<()> {
        let mut at = 0;
        while let Some(op) = self.code.ops.get(at).copied() {
            at += 1;
            match op {
                BlockOp::Jump(to) => at = to as usize,
                BlockOp::Unless(reg, to) if *self.int(reg) == 0 => at = to as usize,
                BlockOp::NotBelow(a, b, to) if self.ints.regs[a as usize] >= self.ints.regs[b as usize] => {
                    at = to as usize
                }
                BlockOp::Again(a, step, b, to) => {
                    // Each loop comes by here, so that code ends where its budget does.
                    budget.tick()?;
                    let next = self.int(a).wrapping_add(step);
                    *self.int(a) = next;
                    if next < *self.int(b) {
                        at = to as usize;
                    }
                }
                BlockOp::Unless(..) | BlockOp::NotBelow(..) => {}
                op => self.step(op, budget)?,
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn step(&mut self, op: BlockOp, budget: &Budget) -> BlockResult<()> {
        match op {
            BlockOp::Copy(d, a) => *self.real(d) = self.reals.regs[a as usize],
            BlockOp::One(f, d, a) => *self.real(d) = f(self.reals.regs[a as usize]),
            BlockOp::Two(two, d, a, b) => {
                let (a, b) = (self.reals.regs[a as usize], self.reals.regs[b as usize]);
                *self.real(d) = kernel::real(two, a, b);
            }
            BlockOp::Power(f, d, a, k) => *self.real(d) = f(self.reals.regs[a as usize], self.ints.regs[k as usize]),
            BlockOp::ToReal(d, a) => *self.real(d) = self.ints.regs[a as usize] as f64,
            BlockOp::CopyInt(d, a) => *self.int(d) = self.ints.regs[a as usize],
            BlockOp::IntOne(f, d, a) => *self.int(d) = f(self.ints.regs[a as usize]),
            BlockOp::IntTwo(two, d, a, b) => {
                let (a, b) = (self.ints.regs[a as usize], self.ints.regs[b as usize]);
                *self.int(d) = kernel::int(two, a, b);
            }
            BlockOp::Shift(d, a, c) => *self.int(d) = self.ints.regs[a as usize].wrapping_add(c),
            BlockOp::Truth(d, a) => *self.int(d) = i64::from(self.ints.regs[a as usize] != 0),
            BlockOp::Test(test, d, a, b) => {
                *self.int(d) = kernel::holds(test, &self.reals.regs[a as usize], &self.reals.regs[b as usize]);
            }
            BlockOp::TestInts(test, d, a, b) => {
                *self.int(d) = kernel::holds(test, &self.ints.regs[a as usize], &self.ints.regs[b as usize]);
            }
            BlockOp::Load(d, at) => *self.real(d) = self.loaded(at)?,
            BlockOp::LoadInt(d, at) => *self.int(d) = self.loaded(at)?,
            BlockOp::Store(at, a) => *self.place_mut(at)? = self.reals.regs[a as usize],
            BlockOp::StoreInt(at, a) => *self.place_mut(at)? = self.ints.regs[a as usize],
            BlockOp::Width(from, to) => {
                self.width = self.ints.regs[to as usize]
                    .wrapping_sub(self.ints.regs[from as usize])
                    .clamp(0, BLOCK as i64) as usize;
            }
            BlockOp::SumLanes(d, at) => {
                let sum = self.many(at)?.iter().fold(self.reals.regs[d as usize], |sum, x| sum + x);
                *self.real(d) = sum;
            }
            BlockOp::Least(d, at) => {
                // A comparison, since `f64::min` prefers any number to NaN.
                let best = self
                    .many(at)?
                    .iter()
                    .fold(self.reals.regs[d as usize], |best, x| if *x < best { *x } else { best });
                *self.real(d) = best;
            }
            BlockOp::Largest(d, at) => {
                let best = self
                    .many(at)?
                    .iter()
                    .fold(self.reals.regs[d as usize], |best, x| if *x > best { *x } else { best });
                *self.real(d) = best;
            }
            BlockOp::SumProducts(d, a, b) => self.sum_products(d, a, b)?,
            BlockOp::Dot(dot) => self.dot(self.code.dots[dot as usize], budget)?,
            lanes => self.lanes(lanes)?,
        }
        Ok(())
    }
}
