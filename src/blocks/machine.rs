//! Runs the code. Every access is checked: code that goes out of a buffer is given up, and someone else computes.

use std::mem::take;

use redexter_kernels::{self as kernel, Arg, Rounds};

use super::bank::{Bank, Held};
use super::op::{Added, At, BLOCK, Code, Dot, Factor, Op, Operand, Reg};
use crate::ground::{Budget, StopReason};

/// So many rounds of a sum of products are done at once.
const ROUNDS: i64 = 4_096;

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

    #[inline(never)]
    fn lanes(&mut self, op: Op) -> Ran<()> {
        match op {
            Op::Fill(to, a) => self.fill::<f64>(to, a),
            Op::Each(f, to, a) => self.write(to, |m, d| {
                each(d, m.arg(Some(to), a)?, f);
                Ok(())
            }),
            Op::Exps(f, to, a) => self.write(to, |m, d| {
                kernel::exps(d, m.many(a)?, f);
                Ok(())
            }),
            Op::Zip(two, to, a, b) => self.write(to, |m, d| {
                kernel::reals(two, d, m.arg(Some(to), a)?, m.arg(Some(to), b)?);
                Ok(())
            }),
            Op::Accumulate(to, a, b) => self.write(to, |m, d| {
                kernel::accumulate(d, m.arg(Some(to), a)?, m.arg(Some(to), b)?);
                Ok(())
            }),
            Op::Powers(f, to, a, k) => self.write(to, |m, d| {
                let (a, k) = (m.arg(Some(to), a)?, m.arg(None, k)?);
                for (l, d) in d.iter_mut().enumerate() {
                    *d = f(a.lane(l).unwrap_or(*d), k.lane(l).ok_or(Halt::Astray)?);
                }
                Ok(())
            }),
            Op::Choose(to, truths, a, b) => self.write(to, |m, d| {
                kernel::choose(d, m.many::<i64>(truths)?, m.arg(Some(to), a)?, m.arg(Some(to), b)?);
                Ok(())
            }),
            Op::ToReals(to, a) => self.write(to, |m, d| {
                match m.arg(None, a)? {
                    Arg::Many(a) => kernel::to_reals(d, a),
                    Arg::One(k) => d.fill(k as f64),
                    Arg::Own => {}
                }
                Ok(())
            }),
            Op::Gather(to, from) => self.gather::<f64>(to, from),
            Op::Scatter(to, a) => self.scatter::<f64>(to, a, |d, x| *d = x),
            Op::AddAt(to, a) => self.scatter::<f64>(to, a, |d, x| *d += x),
            other => self.int_lanes(other),
        }
    }

    fn int_lanes(&mut self, op: Op) -> Ran<()> {
        match op {
            Op::FillInts(to, a) => self.fill::<i64>(to, a),
            Op::EachInt(f, to, a) => self.write(to, |m, d| {
                each(d, m.arg(Some(to), a)?, f);
                Ok(())
            }),
            Op::ZipInts(two, to, a, b) => self.write(to, |m, d| {
                kernel::ints(two, d, m.arg(Some(to), a)?, m.arg(Some(to), b)?);
                Ok(())
            }),
            Op::Truths(to, a) => self.write(to, |m, d| {
                each(d, m.arg(Some(to), a)?, |a| i64::from(a != 0));
                Ok(())
            }),
            Op::Tests(test, to, a, b) => self.write(to, |m, d| {
                kernel::tests(test, d, m.arg(None, a)?, m.arg(None, b)?);
                Ok(())
            }),
            Op::TestsInts(test, to, a, b) => self.write(to, |m, d| {
                kernel::int_tests(test, d, m.arg(None, a)?, m.arg(None, b)?);
                Ok(())
            }),
            Op::ChooseInts(to, truths, a, b) => self.write(to, |m, d| {
                kernel::choose_ints(d, m.many::<i64>(truths)?, m.arg(Some(to), a)?, m.arg(Some(to), b)?);
                Ok(())
            }),
            Op::Count(to, from) => self.write(to, |m, d| {
                (m.ints.regs[from as usize]..).zip(d).for_each(|(k, d)| *d = k);
                Ok(())
            }),
            Op::GatherInts(to, from) => self.gather::<i64>(to, from),
            Op::ScatterInts(to, a) => self.scatter::<i64>(to, a, |d, x| *d = x),
            _ => Err(Halt::Astray),
        }
    }

    fn fill<T: Held>(&mut self, to: At, operand: Operand) -> Ran<()> {
        self.write(to, |m, d: &mut [T]| {
            match m.arg(Some(to), operand)? {
                Arg::Own => {}
                Arg::One(a) => d.fill(a),
                Arg::Many(a) => d.copy_from_slice(a),
            }
            Ok(())
        })
    }

    /// What stands at the place of each lane; 0 where it has none, which nobody reads.
    fn gather<T: Held>(&mut self, to: At, from: At) -> Ran<()> {
        self.write(to, |m, d: &mut [T]| {
            let all = &T::bank(m).buffers[m.code.addresses[from as usize].buffer as usize];
            if let Some((first, stride)) = m.evenly(from)? {
                let along = all.get(first..).unwrap_or(&[]).iter().step_by(stride);
                d.iter_mut().zip(along).for_each(|(d, x)| *d = *x);
                return Ok(());
            }
            d.iter_mut().zip(m.places(from)?).for_each(|(d, place)| *d = all.get(place).copied().unwrap_or_default());
            Ok(())
        })
    }

    /// Does something to the place of each lane, one after another.
    fn scatter<T: Held>(&mut self, to: At, operand: Operand, with: impl Fn(&mut T, T)) -> Ran<()> {
        let buffer = self.code.addresses[to as usize].buffer as usize;
        self.without(buffer, |m, all: &mut [T]| {
            if let (Operand::Many(at), Some((first, stride))) = (operand, m.evenly(to)?) {
                let lanes = m.many(at)?;
                let along = all.get_mut(first..).unwrap_or(&mut []).iter_mut().step_by(stride);
                if along.len() < lanes.len() {
                    return Err(Halt::Astray);
                }
                along.zip(lanes).for_each(|(d, x)| with(d, *x));
                return Ok(());
            }
            let mut places = m.places(to)?;
            let mut each = |x: T, place: usize| {
                with(all.get_mut(place).ok_or(Halt::Astray)?, x);
                Ok(())
            };
            match operand {
                Operand::One(reg) => places.try_for_each(|place| each(T::bank(m).regs[reg as usize], place)),
                Operand::Many(at) => m.many(at)?.iter().zip(places).try_for_each(|(x, place)| each(*x, place)),
            }
        })
    }

    #[inline(always)]
    fn loaded<T: Held>(&self, at: At) -> Ran<T> {
        let (buffer, place) = self.place(at)?;
        T::bank(self).buffers[buffer].get(place).copied().ok_or(Halt::Astray)
    }

    #[inline(always)]
    fn place_mut<T: Held>(&mut self, at: At) -> Ran<&mut T> {
        let (buffer, place) = self.place(at)?;
        T::bank_mut(self).buffers[buffer].get_mut(place).ok_or(Halt::Astray)
    }

    /// Buffer and place of an address, of the first lane.
    #[inline(always)]
    fn place(&self, at: At) -> Ran<(usize, usize)> {
        let address = &self.code.addresses[at as usize];
        let place = address.sum.regs.iter().fold(address.sum.constant, |sum, (factor, reg)| {
            sum.wrapping_add(factor.wrapping_mul(self.ints.regs[*reg as usize]))
        });
        Ok((address.buffer as usize, usize::try_from(place).map_err(|_| Halt::Astray)?))
    }

    /// The place of the first lane, and how far each is from the next, where they are equally far.
    fn evenly(&self, at: At) -> Ran<Option<(usize, usize)>> {
        let sum = &self.code.addresses[at as usize].sum;
        let is_even = sum.ints.is_empty() && sum.lane > 0;
        Ok(if is_even { Some((self.place(at)?.1, sum.lane as usize)) } else { None })
    }

    /// The place of each lane.
    fn places(&self, at: At) -> Ran<impl Iterator<Item = usize>> {
        let sum = &self.code.addresses[at as usize].sum;
        let (_, first) = self.place(at)?;
        let ints = sum.ints.iter().map(|(factor, at)| Ok((*factor, self.many::<i64>(*at)?)));
        let ints = ints.collect::<Ran<smallvec::SmallVec<[(i64, &[i64]); 2]>>>()?;
        let place = move |lane: usize| {
            let inner =
                ints.iter().fold(0_i64, |all, (factor, ints)| all.wrapping_add(factor.wrapping_mul(ints[lane])));
            (first as i64).wrapping_add(sum.lane.wrapping_mul(lane as i64)).wrapping_add(inner) as usize
        };
        Ok((0..self.width).map(place))
    }

    /// The numbers of all lanes at an address.
    #[inline(always)]
    fn many<T: Held>(&self, at: At) -> Ran<&[T]> {
        let (buffer, place) = self.place(at)?;
        T::bank(self).buffers[buffer].get(place..).and_then(|rest| rest.get(..self.width)).ok_or(Halt::Astray)
    }

    /// An operand; at an address that is written, what stands there.
    #[inline(always)]
    fn arg<T: Held>(&self, written: Option<At>, operand: Operand) -> Ran<Arg<'_, T>> {
        Ok(match operand {
            Operand::One(reg) => Arg::One(T::bank(self).regs[reg as usize]),
            Operand::Many(at) if Some(at) == written => Arg::Own,
            Operand::Many(at) => Arg::Many(self.many(at)?),
        })
    }

    /// Writes the lanes at an address.
    #[inline(always)]
    fn write<T: Held>(&mut self, to: At, with: impl FnOnce(&Self, &mut [T]) -> Ran<()>) -> Ran<()> {
        let (buffer, place) = self.place(to)?;
        self.without(buffer, |m, all: &mut [T]| {
            let lanes = all.get_mut(place..).and_then(|rest| rest.get_mut(..m.width));
            with(m, lanes.ok_or(Halt::Astray)?)
        })
    }

    /// Does something with a buffer, which is away meanwhile.
    #[inline(always)]
    fn without<T: Held>(&mut self, buffer: usize, with: impl FnOnce(&Self, &mut [T]) -> Ran<()>) -> Ran<()> {
        let mut all = take(&mut T::bank_mut(self).buffers[buffer]);
        let done = with(self, &mut all);
        T::bank_mut(self).buffers[buffer] = all;
        done
    }

    fn sum_products(&mut self, d: Reg, a: Operand, b: Operand) -> Ran<()> {
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

    fn dot(&mut self, dot: Dot, budget: &Budget) -> Ran<()> {
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

/// Writes `f` of an operand into each lane.
#[inline(always)]
fn each<T: Copy>(to: &mut [T], a: Arg<T>, f: impl Fn(T) -> T) {
    match a {
        Arg::Own => to.iter_mut().for_each(|d| *d = f(*d)),
        Arg::One(a) => to.fill(f(a)),
        Arg::Many(a) => to.iter_mut().zip(a).for_each(|(d, a)| *d = f(*a)),
    }
}
