//! Runs the instructions that work on all lanes at once.

use redexter_kernels::{self as kernel, Arg};

use super::{BlockHalt, BlockMachine, BlockResult};
use crate::blocks::bank::Banked;
use crate::blocks::op::{AddressId, BlockOp, LaneOperand};

impl BlockMachine {
    #[inline(never)]
    pub(super) fn lanes(&mut self, op: BlockOp) -> BlockResult<()> {
        match op {
            BlockOp::Fill(to, a) => self.fill::<f64>(to, a),
            BlockOp::Each(f, to, a) => self.write(to, |m, d| {
                each(d, m.arg(Some(to), a)?, f);
                Ok(())
            }),
            BlockOp::Exps(f, to, a) => self.write(to, |m, d| {
                kernel::exps(d, m.many(a)?, f);
                Ok(())
            }),
            BlockOp::Zip(two, to, a, b) => self.write(to, |m, d| {
                kernel::reals(two, d, m.arg(Some(to), a)?, m.arg(Some(to), b)?);
                Ok(())
            }),
            BlockOp::Accumulate(to, a, b) => self.write(to, |m, d| {
                kernel::accumulate(d, m.arg(Some(to), a)?, m.arg(Some(to), b)?);
                Ok(())
            }),
            BlockOp::Powers(f, to, a, k) => self.write(to, |m, d| {
                let (a, k) = (m.arg(Some(to), a)?, m.arg(None, k)?);
                for (l, d) in d.iter_mut().enumerate() {
                    *d = f(a.lane(l).unwrap_or(*d), k.lane(l).ok_or(BlockHalt::Astray)?);
                }
                Ok(())
            }),
            BlockOp::Choose(to, truths, a, b) => self.write(to, |m, d| {
                kernel::choose(d, m.many::<i64>(truths)?, m.arg(Some(to), a)?, m.arg(Some(to), b)?);
                Ok(())
            }),
            BlockOp::ToReals(to, a) => self.write(to, |m, d| {
                match m.arg(None, a)? {
                    Arg::Many(a) => kernel::to_reals(d, a),
                    Arg::One(k) => d.fill(k as f64),
                    Arg::Own => {}
                }
                Ok(())
            }),
            BlockOp::Gather(to, from) => self.gather::<f64>(to, from),
            BlockOp::Scatter(to, a) => self.scatter::<f64>(to, a, |d, x| *d = x),
            BlockOp::AddAt(to, a) => self.scatter::<f64>(to, a, |d, x| *d += x),
            other => self.int_lanes(other),
        }
    }

    fn int_lanes(&mut self, op: BlockOp) -> BlockResult<()> {
        match op {
            BlockOp::FillInts(to, a) => self.fill::<i64>(to, a),
            BlockOp::EachInt(f, to, a) => self.write(to, |m, d| {
                each(d, m.arg(Some(to), a)?, f);
                Ok(())
            }),
            BlockOp::ZipInts(two, to, a, b) => self.write(to, |m, d| {
                kernel::ints(two, d, m.arg(Some(to), a)?, m.arg(Some(to), b)?);
                Ok(())
            }),
            BlockOp::Truths(to, a) => self.write(to, |m, d| {
                each(d, m.arg(Some(to), a)?, |a| i64::from(a != 0));
                Ok(())
            }),
            BlockOp::Tests(test, to, a, b) => self.write(to, |m, d| {
                kernel::tests(test, d, m.arg(None, a)?, m.arg(None, b)?);
                Ok(())
            }),
            BlockOp::TestsInts(test, to, a, b) => self.write(to, |m, d| {
                kernel::int_tests(test, d, m.arg(None, a)?, m.arg(None, b)?);
                Ok(())
            }),
            BlockOp::ChooseInts(to, truths, a, b) => self.write(to, |m, d| {
                kernel::choose_ints(d, m.many::<i64>(truths)?, m.arg(Some(to), a)?, m.arg(Some(to), b)?);
                Ok(())
            }),
            BlockOp::Count(to, from) => self.write(to, |m, d| {
                (m.ints.regs[from as usize]..).zip(d).for_each(|(k, d)| *d = k);
                Ok(())
            }),
            BlockOp::GatherInts(to, from) => self.gather::<i64>(to, from),
            BlockOp::ScatterInts(to, a) => self.scatter::<i64>(to, a, |d, x| *d = x),
            _ => Err(BlockHalt::Astray),
        }
    }

    fn fill<T: Banked>(&mut self, to: AddressId, operand: LaneOperand) -> BlockResult<()> {
        self.write(to, |m, d: &mut [T]| {
            match m.arg(Some(to), operand)? {
                Arg::Own => {}
                Arg::One(a) => d.fill(a),
                Arg::Many(a) => d.copy_from_slice(a),
            }
            Ok(())
        })
    }

    /// What stands at the place of each lane. A lane may have none, since both sides of a choice are computed: nobody reads what
    /// it gets.
    fn gather<T: Banked>(&mut self, to: AddressId, from: AddressId) -> BlockResult<()> {
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
    fn scatter<T: Banked>(&mut self, to: AddressId, operand: LaneOperand, with: impl Fn(&mut T, T)) -> BlockResult<()> {
        let buffer = self.code.addresses[to as usize].buffer as usize;
        self.without(buffer, |m, all: &mut [T]| {
            if let (LaneOperand::Many(at), Some((first, stride))) = (operand, m.evenly(to)?) {
                let lanes = m.many(at)?;
                let along = all.get_mut(first..).unwrap_or(&mut []).iter_mut().step_by(stride);
                // Whereas a read may miss, each lane has to store.
                if along.len() < lanes.len() {
                    return Err(BlockHalt::Astray);
                }
                along.zip(lanes).for_each(|(d, x)| with(d, *x));
                return Ok(());
            }
            let mut places = m.places(to)?;
            let mut each = |x: T, place: usize| {
                with(all.get_mut(place).ok_or(BlockHalt::Astray)?, x);
                Ok(())
            };
            match operand {
                LaneOperand::One(reg) => places.try_for_each(|place| each(T::bank(m).regs[reg as usize], place)),
                LaneOperand::Many(at) => m.many(at)?.iter().zip(places).try_for_each(|(x, place)| each(*x, place)),
            }
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
