//! Runs sums of products.

use redexter_kernels::{self as kernel, Arg, IterationFactor};

use super::{BlockHalt, BlockMachine, BlockResult};
use crate::blocks::op::{AddressId, Dot, DotFactor, DotTerm, LaneOperand, Reg};
use redexter_language::ground::Budget;

/// So many iterations are done at once, so that the budget is asked in between.
const ITERATIONS_AT_ONCE: i64 = 4_096;

impl BlockMachine {
    pub(super) fn sum_products(&mut self, d: Reg, a: LaneOperand, b: LaneOperand) -> BlockResult<()> {
        let mut sum = self.reals.regs[d as usize];
        match (self.arg::<f64>(None, a)?, self.arg::<f64>(None, b)?) {
            (Arg::Many(a), Arg::Many(b)) => a.iter().zip(b).for_each(|(a, b)| sum += a * b),
            (a, b) => {
                for l in 0..self.width {
                    let (Some(a), Some(b)) = (a.lane(l), b.lane(l)) else { return Err(BlockHalt::Astray) };
                    sum += a * b;
                }
            }
        }
        *self.real(d) = sum;
        Ok(())
    }

    pub(super) fn dot(&mut self, dot: Dot, budget: &Budget) -> BlockResult<()> {
        let to = self.ints.regs[dot.to as usize];
        while self.ints.regs[dot.k as usize] < to {
            budget.tick()?;
            let rounds = (to - self.ints.regs[dot.k as usize]).min(ITERATIONS_AT_ONCE);
            self.write(dot.acc, |m, acc| {
                let n = rounds as usize;
                let (a, b) = (m.rounds(dot.a)?, m.rounds(dot.b)?);
                let done = match dot.added {
                    DotTerm::Product => kernel::dot(acc, n, a, b),
                    DotTerm::Distance => kernel::distance(acc, n, a, b),
                };
                done.ok_or(BlockHalt::Astray)
            })?;
            *self.int(dot.k) += rounds;
        }
        Ok(())
    }

    fn rounds(&self, factor: DotFactor) -> BlockResult<IterationFactor<'_>> {
        let rest = |at: AddressId| {
            let (buffer, place) = self.place(at)?;
            self.reals.buffers[buffer].get(place..).ok_or(BlockHalt::Astray)
        };
        Ok(match factor {
            DotFactor::One(reg) => IterationFactor::One(self.reals.regs[reg as usize]),
            DotFactor::Round(at, step) => IterationFactor::Round(rest(at)?, step as usize),
            DotFactor::Lanes(at, step) => IterationFactor::Lanes(rest(at)?, step as usize),
        })
    }
}
