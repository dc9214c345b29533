//! Computes addresses: indices as sums, in which a lane's number is one of the parts.

use super::super::op::{AddressId, AddressSum, BlockAddress};
use super::{BlockCompiler, CompileResult, SlotHome, Uncompilable};
use crate::nest::{NestPlace, NestValue, ScalarKind};
use redexter_language::term::Prim;

impl AddressSum {
    fn constant(k: i64) -> AddressSum {
        AddressSum { constant: k, ..AddressSum::default() }
    }

    fn add(&mut self, factor: i64, other: &AddressSum) {
        self.constant = self.constant.wrapping_add(factor.wrapping_mul(other.constant));
        self.lane = self.lane.wrapping_add(factor.wrapping_mul(other.lane));
        for (times, reg) in &other.regs {
            let times = factor.wrapping_mul(*times);
            match self.regs.iter_mut().find(|(_, own)| own == reg) {
                Some((own, _)) => *own = own.wrapping_add(times),
                None => self.regs.push((times, *reg)),
            }
        }
        self.ints.extend(other.ints.iter().map(|(times, at)| (factor.wrapping_mul(*times), *at)));
        // Equal sums must look alike, since addresses are known by them.
        self.regs.retain(|(times, _)| *times != 0);
    }

    /// How many times a register is in it.
    pub(super) fn times(&self, reg: u32) -> i64 {
        self.regs.iter().find(|(_, own)| *own == reg).map_or(0, |(times, _)| *times)
    }
}

impl BlockCompiler<'_> {
    pub(super) fn address(&mut self, address: BlockAddress) -> AddressId {
        if let Some(at) = self.known.get(&address) {
            return *at;
        }
        self.code.addresses.push(address.clone());
        let at = self.code.addresses.len() as AddressId - 1;
        self.known.insert(address, at);
        at
    }

    /// Number and address of a part of an array.
    pub(super) fn part(&mut self, place: &NestPlace) -> CompileResult<(ScalarKind, BlockAddress)> {
        let Some(SlotHome::Buffer(number, buffer, strides)) = self.homes.get(&place.cell).cloned() else {
            return Err(Uncompilable);
        };
        if strides.len() != place.indices.len() {
            return Err(Uncompilable);
        }
        let mut sum = AddressSum::default();
        for (index, stride) in place.indices.iter().zip(strides) {
            sum.add(stride, &self.index(index)?);
        }
        Ok((number, BlockAddress { buffer, sum }))
    }

    /// The address of a part that is the same in all lanes.
    pub(super) fn place(&mut self, place: &NestPlace) -> CompileResult<AddressId> {
        let (_, address) = self.part(place)?;
        match address.sum.lane == 0 && address.sum.ints.is_empty() {
            true => Ok(self.address(address)),
            false => Err(Uncompilable),
        }
    }

    fn index(&mut self, value: &NestValue) -> CompileResult<AddressSum> {
        if let Some(k) = self.known(value) {
            return Ok(AddressSum::constant(k));
        }
        match value {
            NestValue::Load(place) if place.indices.is_empty() => match self.homes.get(&place.cell) {
                Some(SlotHome::One(ScalarKind::Int, reg)) => {
                    Ok(AddressSum { regs: [(1, *reg)].into_iter().collect(), ..AddressSum::default() })
                }
                Some(SlotHome::Index(base)) => {
                    Ok(AddressSum { regs: [(1, *base)].into_iter().collect(), lane: 1, ..AddressSum::default() })
                }
                _ => self.other(value),
            },
            NestValue::Prim(prim @ (Prim::Add | Prim::Sub), ScalarKind::Int, operands) if operands.len() == 2 => {
                let mut sum = self.index(&operands[0])?;
                let other = self.index(&operands[1])?;
                sum.add(if *prim == Prim::Add { 1 } else { -1 }, &other);
                Ok(sum)
            }
            NestValue::Prim(Prim::Mul, ScalarKind::Int, operands) if operands.len() == 2 => {
                match (self.known(&operands[0]), self.known(&operands[1])) {
                    (Some(k), _) => self.times(k, &operands[1]),
                    (_, Some(k)) => self.times(k, &operands[0]),
                    _ => self.other(value),
                }
            }
            NestValue::Prim(Prim::Offset(c), _, operands) if operands.len() == 1 => {
                let mut sum = self.index(&operands[0])?;
                sum.add(1, &AddressSum::constant(i64::try_from(*c).map_err(|_| Uncompilable)?));
                Ok(sum)
            }
            NestValue::Prim(Prim::ToInt, _, operands) if operands.len() == 1 => self.index(&operands[0]),
            _ => self.other(value),
        }
    }

    fn times(&mut self, k: i64, value: &NestValue) -> CompileResult<AddressSum> {
        let (mut sum, inner) = (AddressSum::default(), self.index(value)?);
        sum.add(k, &inner);
        Ok(sum)
    }

    /// What is no sum.
    fn other(&mut self, value: &NestValue) -> CompileResult<AddressSum> {
        if !self.differs(value) {
            let reg = self.value(value)?;
            return Ok(AddressSum { regs: [(1, reg)].into_iter().collect(), ..AddressSum::default() });
        }
        match self.lanes(value)? {
            super::super::op::LaneOperand::Many(at) => {
                Ok(AddressSum { ints: [(1, at)].into_iter().collect(), ..AddressSum::default() })
            }
            super::super::op::LaneOperand::One(_) => Err(Uncompilable),
        }
    }
}
