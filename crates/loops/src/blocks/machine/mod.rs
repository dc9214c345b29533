//! Runs the code. Every access is checked: code that goes out of a buffer is given up, and someone else computes.

mod dot;
mod lanes;
mod memory;

use redexter_kernels as kernel;

use super::bank::Bank;
use super::op::{BLOCK, Code, Op, Reg};
use redexter_language::ground::{Budget, StopReason};

/// Why there is no result.
pub(super) enum Halt {
    /// The budget's reason.
    Stopped(StopReason),
    /// The code reads or writes where nothing is.
    Astray,
}

impl From<StopReason> for Halt {
    fn from(reason: StopReason) -> Halt {
        Halt::Stopped(reason)
    }
}

type Ran<T> = Result<T, Halt>;

/// Code with its registers and buffers.
pub(super) struct Machine {
    code: Code,
    pub(super) reals: Bank<f64>,
    pub(super) ints: Bank<i64>,
    width: usize,
}

impl Machine {
    /// With these buffers.
    pub(super) fn new(code: Code, real_buffers: Vec<Vec<f64>>, int_buffers: Vec<Vec<i64>>) -> Machine {
        let reals = Bank { regs: code.reals.clone(), buffers: real_buffers };
        let ints = Bank { regs: code.ints.clone(), buffers: int_buffers };
        Machine { code, reals, ints, width: 0 }
    }

    #[inline(always)]
    fn real(&mut self, reg: Reg) -> &mut f64 {
        &mut self.reals.regs[reg as usize]
    }

    #[inline(always)]
    fn int(&mut self, reg: Reg) -> &mut i64 {
        &mut self.ints.regs[reg as usize]
    }

    pub(super) fn run(&mut self, budget: &Budget) -> Ran<()> {
        let mut at = 0;
        while let Some(op) = self.code.ops.get(at).copied() {
            at += 1;
            match op {
                Op::Jump(to) => at = to as usize,
                Op::Unless(reg, to) if *self.int(reg) == 0 => at = to as usize,
                Op::NotBelow(a, b, to) if self.ints.regs[a as usize] >= self.ints.regs[b as usize] => at = to as usize,
                Op::Again(a, step, b, to) => {
                    // Each loop comes by here, so that code ends where its budget does.
                    budget.tick()?;
                    let next = self.int(a).wrapping_add(step);
                    *self.int(a) = next;
                    if next < *self.int(b) {
                        at = to as usize;
                    }
                }
                Op::Unless(..) | Op::NotBelow(..) => {}
                op => self.step(op, budget)?,
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn step(&mut self, op: Op, budget: &Budget) -> Ran<()> {
        match op {
            Op::Copy(d, a) => *self.real(d) = self.reals.regs[a as usize],
            Op::One(f, d, a) => *self.real(d) = f(self.reals.regs[a as usize]),
            Op::Two(two, d, a, b) => {
                let (a, b) = (self.reals.regs[a as usize], self.reals.regs[b as usize]);
                *self.real(d) = kernel::real(two, a, b);
            }
            Op::Power(f, d, a, k) => *self.real(d) = f(self.reals.regs[a as usize], self.ints.regs[k as usize]),
            Op::ToReal(d, a) => *self.real(d) = self.ints.regs[a as usize] as f64,
            Op::CopyInt(d, a) => *self.int(d) = self.ints.regs[a as usize],
            Op::IntOne(f, d, a) => *self.int(d) = f(self.ints.regs[a as usize]),
            Op::IntTwo(two, d, a, b) => {
                let (a, b) = (self.ints.regs[a as usize], self.ints.regs[b as usize]);
                *self.int(d) = kernel::int(two, a, b);
            }
            Op::Shift(d, a, c) => *self.int(d) = self.ints.regs[a as usize].wrapping_add(c),
            Op::Truth(d, a) => *self.int(d) = i64::from(self.ints.regs[a as usize] != 0),
            Op::Test(test, d, a, b) => {
                *self.int(d) = kernel::holds(test, &self.reals.regs[a as usize], &self.reals.regs[b as usize]);
            }
            Op::TestInts(test, d, a, b) => {
                *self.int(d) = kernel::holds(test, &self.ints.regs[a as usize], &self.ints.regs[b as usize]);
            }
            Op::Load(d, at) => *self.real(d) = self.loaded(at)?,
            Op::LoadInt(d, at) => *self.int(d) = self.loaded(at)?,
            Op::Store(at, a) => *self.place_mut(at)? = self.reals.regs[a as usize],
            Op::StoreInt(at, a) => *self.place_mut(at)? = self.ints.regs[a as usize],
            Op::Width(from, to) => {
                self.width = self.ints.regs[to as usize]
                    .wrapping_sub(self.ints.regs[from as usize])
                    .clamp(0, BLOCK as i64) as usize;
            }
            Op::SumLanes(d, at) => {
                let sum = self.many(at)?.iter().fold(self.reals.regs[d as usize], |sum, x| sum + x);
                *self.real(d) = sum;
            }
            Op::Least(d, at) => {
                // A comparison, since `f64::min` prefers any number to NaN.
                let best = self
                    .many(at)?
                    .iter()
                    .fold(self.reals.regs[d as usize], |best, x| if *x < best { *x } else { best });
                *self.real(d) = best;
            }
            Op::Largest(d, at) => {
                let best = self
                    .many(at)?
                    .iter()
                    .fold(self.reals.regs[d as usize], |best, x| if *x > best { *x } else { best });
                *self.real(d) = best;
            }
            Op::SumProducts(d, a, b) => self.sum_products(d, a, b)?,
            Op::Dot(dot) => self.dot(self.code.dots[dot as usize], budget)?,
            lanes => self.lanes(lanes)?,
        }
        Ok(())
    }
}
