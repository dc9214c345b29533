//! Runs sums of products.

use redexter_kernels::{self as kernel, Arg, Rounds};

use super::{Halt, Machine, Ran};
use crate::blocks::op::{Added, At, Dot, Factor, Operand, Reg};
use redexter_language::ground::Budget;

/// So many iterations are done at once, so that the budget is asked in between.
const ROUNDS: i64 = 4_096;

impl Machine {
    pub(super) fn sum_products(&mut self, d: Reg, a: Operand, b: Operand) -> Ran<()> {
        let mut sum = self.reals.regs[d as usize];
        match (self.arg::<f64>(None, a)?, self.arg::<f64>(None, b)?) {
            (Arg::Many(a), Arg::Many(b)) => a.iter().zip(b).for_each(|(a, b)| sum += a * b),
            (a, b) => {
                for l in 0..self.width {
                    let (Some(a), Some(b)) = (a.lane(l), b.lane(l)) else { return Err(Halt::Astray) };
                    sum += a * b;
                }
            }
        }
        *self.real(d) = sum;
        Ok(())
    }

    pub(super) fn dot(&mut self, dot: Dot, budget: &Budget) -> Ran<()> {
        let to = self.ints.regs[dot.to as usize];
        while self.ints.regs[dot.k as usize] < to {
            budget.tick()?;
            let rounds = (to - self.ints.regs[dot.k as usize]).min(ROUNDS);
            self.write(dot.acc, |m, acc| {
                let n = rounds as usize;
                let (a, b) = (m.rounds(dot.a)?, m.rounds(dot.b)?);
                let done = match dot.added {
                    Added::Product => kernel::dot(acc, n, a, b),
                    Added::Distance => kernel::distance(acc, n, a, b),
                };
                done.ok_or(Halt::Astray)
            })?;
            *self.int(dot.k) += rounds;
        }
        Ok(())
    }

    fn rounds(&self, factor: Factor) -> Ran<Rounds<'_>> {
        let rest = |at: At| {
            let (buffer, place) = self.place(at)?;
            self.reals.buffers[buffer].get(place..).ok_or(Halt::Astray)
        };
        Ok(match factor {
            Factor::One(reg) => Rounds::One(self.reals.regs[reg as usize]),
            Factor::Round(at, step) => Rounds::Round(rest(at)?, step as usize),
            Factor::Lanes(at, step) => Rounds::Lanes(rest(at)?, step as usize),
        })
    }
}
