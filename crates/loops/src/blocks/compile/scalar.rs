//! Compiles what is done once, in registers.

use redexter_kernels::{Ints, Test, Two};

use super::super::op::{Op, Reg};
use super::{Compiler, Fit, Home, Unfit};
use crate::nest::{Number, Place, Range, Slot, Value};
use redexter_language::term::{Class, Overload, Prim};

/// How a primitive is computed.
#[derive(Clone, Copy)]
pub(super) enum How {
    One(fn(f64) -> f64),
    Exp(fn(f64) -> f64),
    Two(Two),
    Power(fn(f64, i64) -> f64),
    IntOne(fn(i64) -> i64),
    Ints(Ints),
    Test(Test, Number),
    Shift(i64),
    ToReal,
    /// It is the operand.
    Same,
}

/// How a primitive is computed on operands of which the first is such a number.
pub(super) fn how(prim: Prim, number: Number) -> Fit<How> {
    let test = match prim {
        Prim::Lt => Some(Test::Lt),
        Prim::Le => Some(Test::Le),
        Prim::Gt => Some(Test::Gt),
        Prim::Ge => Some(Test::Ge),
        Prim::Eq => Some(Test::Eq),
        Prim::Ne => Some(Test::Ne),
        _ => None,
    };
    if let Some(test) = test {
        return Ok(How::Test(test, number));
    }
    let known = match (prim, number) {
        (Prim::Offset(c), _) => How::Shift(i64::try_from(c).map_err(|_| Unfit)?),
        (Prim::ToReal, _) => How::ToReal,
        (Prim::ToInt, _) => How::Same,
        (Prim::Add, Number::Real) => How::Two(Two::Add),
        (Prim::Sub, Number::Real) => How::Two(Two::Sub),
        (Prim::Mul, Number::Real) => How::Two(Two::Mul),
        (Prim::Div, Number::Real) => How::Two(Two::Div),
        (Prim::Add, Number::Int) => How::Ints(Ints::Add),
        (Prim::Sub, Number::Int) => How::Ints(Ints::Sub),
        (Prim::Mul, Number::Int) => How::Ints(Ints::Mul),
        (prim, number) => return computed(prim, number),
    };
    Ok(known)
}

/// What the table of primitives says.
fn computed(prim: Prim, number: Number) -> Fit<How> {
    let fits = |overload: &Overload| match (overload, number) {
        (Overload::Real(f), Number::Real) if prim == Prim::Exp => Some(How::Exp(*f)),
        (Overload::Real(f), Number::Real) => Some(How::One(*f)),
        (Overload::Reals(f), Number::Real) => Some(How::Two(Two::Of(*f))),
        (Overload::RealInt(f), Number::Real) => Some(How::Power(*f)),
        (Overload::Int(f), Number::Int) => Some(How::IntOne(*f)),
        (Overload::Ints(f), Number::Int) => Some(How::Ints(Ints::Of(*f))),
        _ => None,
    };
    debug_assert!(prim.class() != Class::Comparison, "comparisons are known");
    prim.overloads().iter().find_map(fits).ok_or(Unfit)
}

impl Compiler<'_> {
    /// A number that is bound; one that differs between lanes has a place for each.
    pub(super) fn bind(&mut self, slot: &Slot, value: Option<&Value>) -> Fit<()> {
        let number = slot.array.number;
        let differs = self.differing.as_ref().is_some_and(|differing| differing.has(slot.cell));
        if differs {
            let own = self.lane_buffer(number);
            let taken = self.taken();
            match value {
                Some(value) => self.lanes_into(value, own)?,
                None => {
                    let nought = self.constant_of(number)?;
                    self.fill(number, own, nought);
                }
            }
            self.back(taken);
            self.homes.insert(slot.cell, Home::Lanes(number, own));
            return Ok(());
        }
        let reg = self.register(number);
        match value {
            Some(value) => self.into(value, reg)?,
            None => {
                let nought = self.constant_of(number)?;
                self.op(if number == Number::Real { Op::Copy(reg, nought) } else { Op::CopyInt(reg, nought) });
            }
        }
        self.homes.insert(slot.cell, Home::One(number, reg));
        Ok(())
    }

    /// A register that holds 0.
    fn constant_of(&mut self, number: Number) -> Fit<Reg> {
        self.value(&if number == Number::Real { Value::Real(0.0) } else { Value::Int(0) })
    }

    pub(super) fn set(&mut self, place: &Place, value: &Value) -> Fit<()> {
        let in_lanes = self.differing.as_ref().is_some_and(|d| d.has(place.cell) || d.at(place));
        if in_lanes {
            return self.set_lanes(place, value);
        }
        match self.homes.get(&place.cell).cloned() {
            Some(Home::One(_, reg)) if place.indices.is_empty() => self.into(value, reg),
            Some(Home::Buffer(number, ..)) => {
                let reg = self.value(value)?;
                let at = self.place(place)?;
                self.op(if number == Number::Real { Op::Store(at, reg) } else { Op::StoreInt(at, reg) });
                Ok(())
            }
            _ => Err(Unfit),
        }
    }

    /// The register of a value that is the same in all lanes.
    pub(super) fn value(&mut self, value: &Value) -> Fit<Reg> {
        match value {
            Value::Real(x) => Ok(self.real_constant(*x)),
            Value::Int(k) => Ok(self.int_constant(*k)),
            Value::Size(_) => match self.known(value) {
                Some(k) => Ok(self.int_constant(k)),
                None => Err(Unfit),
            },
            Value::Load(place) if place.indices.is_empty() => match self.homes.get(&place.cell) {
                Some(Home::One(_, reg)) => Ok(*reg),
                _ => Err(Unfit),
            },
            _ => {
                let reg = self.register(self.number(value));
                self.into(value, reg)?;
                Ok(reg)
            }
        }
    }

    pub(super) fn int(&mut self, value: &Value) -> Fit<Reg> {
        match self.known(value) {
            Some(k) => Ok(self.int_constant(k)),
            None => self.value(value),
        }
    }

    pub(super) fn int_into(&mut self, value: &Value, to: Reg) -> Fit<()> {
        let reg = self.int(value)?;
        self.op(Op::CopyInt(to, reg));
        Ok(())
    }

    fn real_constant(&mut self, x: f64) -> Reg {
        if let Some(reg) = self.real_constants.get(&x.to_bits()) {
            return *reg;
        }
        let reg = self.register(Number::Real);
        self.code.reals[reg as usize] = x;
        self.real_constants.insert(x.to_bits(), reg);
        reg
    }

    pub(super) fn int_constant(&mut self, k: i64) -> Reg {
        if let Some(reg) = self.int_constants.get(&k) {
            return *reg;
        }
        let reg = self.register(Number::Int);
        self.code.ints[reg as usize] = k;
        self.int_constants.insert(k, reg);
        reg
    }

    /// An integer that sizes alone tell.
    pub(super) fn known(&self, value: &Value) -> Option<i64> {
        match value {
            Value::Int(k) => Some(*k),
            Value::Size(name) => i64::try_from(self.sizes.get(name)?).ok(),
            Value::Prim(prim, Number::Int, operands) => {
                let known: Option<Vec<i64>> = operands.iter().map(|operand| self.known(operand)).collect();
                match (prim, &known?[..]) {
                    (Prim::Add, [a, b]) => Some(a.wrapping_add(*b)),
                    (Prim::Sub, [a, b]) => Some(a.wrapping_sub(*b)),
                    (Prim::Mul, [a, b]) => Some(a.wrapping_mul(*b)),
                    (Prim::Offset(c), [a]) => Some(a.wrapping_add(i64::try_from(*c).ok()?)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// How many iterations a loop has, if sizes alone tell.
    pub(super) fn extent(&self, range: &Range) -> Option<i64> {
        Some(self.known(&range.to)?.saturating_sub(self.known(&range.from)?))
    }

    /// Computes a value that is the same in all lanes.
    pub(super) fn into(&mut self, value: &Value, to: Reg) -> Fit<()> {
        let is_real = self.number(value) == Number::Real;
        match value {
            Value::Load(place) if !place.indices.is_empty() => {
                let at = self.place(place)?;
                self.op(if is_real { Op::Load(to, at) } else { Op::LoadInt(to, at) });
            }
            Value::Real(_) | Value::Int(_) | Value::Size(_) | Value::Load(_) => {
                let from = self.value(value)?;
                self.op(if is_real { Op::Copy(to, from) } else { Op::CopyInt(to, from) });
            }
            Value::Truth(a) => {
                let a = self.int(a)?;
                self.op(Op::Truth(to, a));
            }
            Value::Select(p) => {
                let condition = self.int(&p.0)?;
                self.choice(condition, |c| c.into(&p.1, to), |c| c.into(&p.2, to))?;
            }
            Value::Prim(prim, number, operands) => {
                let how = how(*prim, *number)?;
                let regs = operands.iter().map(|operand| self.value(operand)).collect::<Fit<Vec<Reg>>>()?;
                let op = match (how, &regs[..]) {
                    (How::One(f) | How::Exp(f), [a]) => Op::One(f, to, *a),
                    (How::Two(two), [a, b]) => Op::Two(two, to, *a, *b),
                    (How::Power(f), [a, k]) => Op::Power(f, to, *a, *k),
                    (How::IntOne(f), [a]) => Op::IntOne(f, to, *a),
                    (How::Ints(two), [a, b]) => Op::IntTwo(two, to, *a, *b),
                    (How::Test(test, Number::Real), [a, b]) => Op::Test(test, to, *a, *b),
                    (How::Test(test, Number::Int), [a, b]) => Op::TestInts(test, to, *a, *b),
                    (How::Shift(c), [a]) => Op::Shift(to, *a, c),
                    (How::ToReal, [a]) => Op::ToReal(to, *a),
                    (How::Same, [a]) => Op::CopyInt(to, *a),
                    _ => return Err(Unfit),
                };
                self.op(op);
            }
        }
        Ok(())
    }
}
