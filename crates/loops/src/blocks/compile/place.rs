//! Computes addresses: indices as sums, in which a lane's number is one of the parts.

use super::super::op::{Address, At, Sum};
use super::{Compiler, Fit, Home, Unfit};
use crate::nest::{Number, Place, Value};
use redexter_language::term::Prim;

impl Sum {
    fn constant(k: i64) -> Sum {
        Sum { constant: k, ..Sum::default() }
    }

    fn add(&mut self, factor: i64, other: &Sum) {
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

impl Compiler<'_> {
    pub(super) fn address(&mut self, address: Address) -> At {
        if let Some(at) = self.known.get(&address) {
            return *at;
        }
        self.code.addresses.push(address.clone());
        let at = self.code.addresses.len() as At - 1;
        self.known.insert(address, at);
        at
    }

    /// Number and address of a part of an array.
    pub(super) fn part(&mut self, place: &Place) -> Fit<(Number, Address)> {
        let Some(Home::Buffer(number, buffer, strides)) = self.homes.get(&place.cell).cloned() else {
            return Err(Unfit);
        };
        if strides.len() != place.indices.len() {
            return Err(Unfit);
        }
        let mut sum = Sum::default();
        for (index, stride) in place.indices.iter().zip(strides) {
            sum.add(stride, &self.index(index)?);
        }
        Ok((number, Address { buffer, sum }))
    }

    /// The address of a part that is the same in all lanes.
    pub(super) fn place(&mut self, place: &Place) -> Fit<At> {
        let (_, address) = self.part(place)?;
        match address.sum.lane == 0 && address.sum.ints.is_empty() {
            true => Ok(self.address(address)),
            false => Err(Unfit),
        }
    }

    fn index(&mut self, value: &Value) -> Fit<Sum> {
        if let Some(k) = self.known(value) {
            return Ok(Sum::constant(k));
        }
        match value {
            Value::Load(place) if place.indices.is_empty() => match self.homes.get(&place.cell) {
                Some(Home::One(Number::Int, reg)) => {
                    Ok(Sum { regs: [(1, *reg)].into_iter().collect(), ..Sum::default() })
                }
                Some(Home::Index(base)) => {
                    Ok(Sum { regs: [(1, *base)].into_iter().collect(), lane: 1, ..Sum::default() })
                }
                _ => self.other(value),
            },
            Value::Prim(prim @ (Prim::Add | Prim::Sub), Number::Int, operands) if operands.len() == 2 => {
                let mut sum = self.index(&operands[0])?;
                let other = self.index(&operands[1])?;
                sum.add(if *prim == Prim::Add { 1 } else { -1 }, &other);
                Ok(sum)
            }
            Value::Prim(Prim::Mul, Number::Int, operands) if operands.len() == 2 => {
                match (self.known(&operands[0]), self.known(&operands[1])) {
                    (Some(k), _) => self.times(k, &operands[1]),
                    (_, Some(k)) => self.times(k, &operands[0]),
                    _ => self.other(value),
                }
            }
            Value::Prim(Prim::Offset(c), _, operands) if operands.len() == 1 => {
                let mut sum = self.index(&operands[0])?;
                sum.add(1, &Sum::constant(i64::try_from(*c).map_err(|_| Unfit)?));
                Ok(sum)
            }
            Value::Prim(Prim::ToInt, _, operands) if operands.len() == 1 => self.index(&operands[0]),
            _ => self.other(value),
        }
    }

    fn times(&mut self, k: i64, value: &Value) -> Fit<Sum> {
        let (mut sum, inner) = (Sum::default(), self.index(value)?);
        sum.add(k, &inner);
        Ok(sum)
    }

    /// What is no sum.
    fn other(&mut self, value: &Value) -> Fit<Sum> {
        if !self.differs(value) {
            let reg = self.value(value)?;
            return Ok(Sum { regs: [(1, reg)].into_iter().collect(), ..Sum::default() });
        }
        match self.lanes(value)? {
            super::super::op::Operand::Many(at) => Ok(Sum { ints: [(1, at)].into_iter().collect(), ..Sum::default() }),
            super::super::op::Operand::One(_) => Err(Unfit),
        }
    }
}
