//! Finds where addresses lie, and reads and writes what stands there.

use std::mem::take;

use redexter_kernels::Arg;

use super::{BlockHalt, BlockMachine, BlockResult};
use crate::blocks::bank::Banked;
use crate::blocks::op::{AddressId, LaneOperand};

impl BlockMachine {
    #[inline(always)]
    pub(super) fn loaded<T: Banked>(&self, at: AddressId) -> BlockResult<T> {
        let (buffer, place) = self.place(at)?;
        T::bank(self).buffers[buffer].get(place).copied().ok_or(BlockHalt::Astray)
    }

    #[inline(always)]
    pub(super) fn place_mut<T: Banked>(&mut self, at: AddressId) -> BlockResult<&mut T> {
        let (buffer, place) = self.place(at)?;
        T::bank_mut(self).buffers[buffer].get_mut(place).ok_or(BlockHalt::Astray)
    }

    /// Buffer and place of an address, of the first lane.
    #[inline(always)]
    pub(super) fn place(&self, at: AddressId) -> BlockResult<(usize, usize)> {
        let address = &self.code.addresses[at as usize];
        let place = address.sum.regs.iter().fold(address.sum.constant, |sum, (factor, reg)| {
            sum.wrapping_add(factor.wrapping_mul(self.ints.regs[*reg as usize]))
        });
        Ok((address.buffer as usize, usize::try_from(place).map_err(|_| BlockHalt::Astray)?))
    }

    /// The place of the first lane, and how far each is from the next, where they are equally far.
    pub(super) fn evenly(&self, at: AddressId) -> BlockResult<Option<(usize, usize)>> {
        let sum = &self.code.addresses[at as usize].sum;
        // `step_by` panics at 0, and can't go backwards: such places are found one by one.
        let is_even = sum.ints.is_empty() && sum.lane > 0;
        Ok(if is_even { Some((self.place(at)?.1, sum.lane as usize)) } else { None })
    }

    /// The place of each lane.
    pub(super) fn places(&self, at: AddressId) -> BlockResult<impl Iterator<Item = usize>> {
        let sum = &self.code.addresses[at as usize].sum;
        let (_, first) = self.place(at)?;
        let ints = sum.ints.iter().map(|(factor, at)| Ok((*factor, self.many::<i64>(*at)?)));
        let ints = ints.collect::<BlockResult<smallvec::SmallVec<[(i64, &[i64]); 2]>>>()?;
        let place = move |lane: usize| {
            let inner =
                ints.iter().fold(0_i64, |all, (factor, ints)| all.wrapping_add(factor.wrapping_mul(ints[lane])));
            (first as i64).wrapping_add(sum.lane.wrapping_mul(lane as i64)).wrapping_add(inner) as usize
        };
        Ok((0..self.width).map(place))
    }

    /// The numbers of all lanes at an address.
    #[inline(always)]
    pub(super) fn many<T: Banked>(&self, at: AddressId) -> BlockResult<&[T]> {
        let (buffer, place) = self.place(at)?;
        T::bank(self).buffers[buffer].get(place..).and_then(|rest| rest.get(..self.width)).ok_or(BlockHalt::Astray)
    }

    /// An operand; at an address that is written, what stands there.
    #[inline(always)]
    pub(super) fn arg<T: Banked>(&self, written: Option<AddressId>, operand: LaneOperand) -> BlockResult<Arg<'_, T>> {
        Ok(match operand {
            LaneOperand::One(reg) => Arg::One(T::bank(self).regs[reg as usize]),
            LaneOperand::Many(at) if Some(at) == written => Arg::Own,
            LaneOperand::Many(at) => Arg::Many(self.many(at)?),
        })
    }

    /// Writes the lanes at an address.
    #[inline(always)]
    pub(super) fn write<T: Banked>(
        &mut self,
        to: AddressId,
        with: impl FnOnce(&Self, &mut [T]) -> BlockResult<()>,
    ) -> BlockResult<()> {
        let (buffer, place) = self.place(to)?;
        self.without(buffer, |m, all: &mut [T]| {
            let lanes = all.get_mut(place..).and_then(|rest| rest.get_mut(..m.width));
            with(m, lanes.ok_or(BlockHalt::Astray)?)
        })
    }

    /// Does something with a buffer, which is away meanwhile.
    #[inline(always)]
    pub(super) fn without<T: Banked>(
        &mut self,
        buffer: usize,
        with: impl FnOnce(&Self, &mut [T]) -> BlockResult<()>,
    ) -> BlockResult<()> {
        // Taken out, the buffer can be written while all else of the machine is read.
        let mut all = take(&mut T::bank_mut(self).buffers[buffer]);
        let done = with(self, &mut all);
        T::bank_mut(self).buffers[buffer] = all;
        done
    }
}
