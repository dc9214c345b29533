//! Compiles what is done once, in registers.

use redexter_kernels::{CompareOp, IntOp, RealOp};

use super::super::op::{BlockOp, Reg};
use super::{BlockCompiler, CompileResult, SlotHome, Uncompilable};
use crate::nest::{LoopRange, NestPlace, NestSlot, NestValue, ScalarKind};
use redexter_language::term::{Overload, Prim, PrimClass};

/// How a primitive is computed.
#[derive(Clone, Copy)]
pub(super) enum PrimKernel {
    One(fn(f64) -> f64),
    Exp(fn(f64) -> f64),
    Two(RealOp),
    Power(fn(f64, i64) -> f64),
    IntOne(fn(i64) -> i64),
    Ints(IntOp),
    Test(CompareOp, ScalarKind),
    Shift(i64),
    ToReal,
    /// It is the operand.
    Same,
}

/// How a primitive is computed on operands of which the first is such a number.
pub(super) fn how(prim: Prim, number: ScalarKind) -> CompileResult<PrimKernel> {
    let test = match prim {
        Prim::Lt => Some(CompareOp::Lt),
        Prim::Le => Some(CompareOp::Le),
        Prim::Gt => Some(CompareOp::Gt),
        Prim::Ge => Some(CompareOp::Ge),
        Prim::Eq => Some(CompareOp::Eq),
        Prim::Ne => Some(CompareOp::Ne),
        _ => None,
    };
    if let Some(test) = test {
        return Ok(PrimKernel::Test(test, number));
    }
    let known = match (prim, number) {
        (Prim::Offset(c), _) => PrimKernel::Shift(i64::try_from(c).map_err(|_| Uncompilable)?),
        (Prim::ToReal, _) => PrimKernel::ToReal,
        (Prim::ToInt, _) => PrimKernel::Same,
        (Prim::Add, ScalarKind::Real) => PrimKernel::Two(RealOp::Add),
        (Prim::Sub, ScalarKind::Real) => PrimKernel::Two(RealOp::Sub),
        (Prim::Mul, ScalarKind::Real) => PrimKernel::Two(RealOp::Mul),
        (Prim::Div, ScalarKind::Real) => PrimKernel::Two(RealOp::Div),
        (Prim::Add, ScalarKind::Int) => PrimKernel::Ints(IntOp::Add),
        (Prim::Sub, ScalarKind::Int) => PrimKernel::Ints(IntOp::Sub),
        (Prim::Mul, ScalarKind::Int) => PrimKernel::Ints(IntOp::Mul),
        (prim, number) => return computed(prim, number),
    };
    Ok(known)
}

/// What the table of primitives says.
fn computed(prim: Prim, number: ScalarKind) -> CompileResult<PrimKernel> {
    let fits = |overload: &Overload| match (overload, number) {
        (Overload::Real(f), ScalarKind::Real) if prim == Prim::Exp => Some(PrimKernel::Exp(*f)),
        (Overload::Real(f), ScalarKind::Real) => Some(PrimKernel::One(*f)),
        (Overload::Reals(f), ScalarKind::Real) => Some(PrimKernel::Two(RealOp::Of(*f))),
        (Overload::RealInt(f), ScalarKind::Real) => Some(PrimKernel::Power(*f)),
        (Overload::Int(f), ScalarKind::Int) => Some(PrimKernel::IntOne(*f)),
        (Overload::Ints(f), ScalarKind::Int) => Some(PrimKernel::Ints(IntOp::Of(*f))),
        _ => None,
    };
    debug_assert!(prim.class() != PrimClass::Comparison, "comparisons are known");
    prim.overloads().iter().find_map(fits).ok_or(Uncompilable)
}

impl BlockCompiler<'_> {
    /// A number that is bound; one that differs between lanes has a place for each.
    pub(super) fn bind(&mut self, slot: &NestSlot, value: Option<&NestValue>) -> CompileResult<()> {
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
            self.homes.insert(slot.cell, SlotHome::Lanes(number, own));
            return Ok(());
        }
        let reg = self.register(number);
        match value {
            Some(value) => self.into(value, reg)?,
            None => {
                let nought = self.constant_of(number)?;
                self.op(if number == ScalarKind::Real {
                    BlockOp::Copy(reg, nought)
                } else {
                    BlockOp::CopyInt(reg, nought)
                });
            }
        }
        self.homes.insert(slot.cell, SlotHome::One(number, reg));
        Ok(())
    }

    /// A register that holds 0.
    fn constant_of(&mut self, number: ScalarKind) -> CompileResult<Reg> {
        self.value(&if number == ScalarKind::Real { NestValue::Real(0.0) } else { NestValue::Int(0) })
    }

    pub(super) fn set(&mut self, place: &NestPlace, value: &NestValue) -> CompileResult<()> {
        let in_lanes = self.differing.as_ref().is_some_and(|d| d.has(place.cell) || d.at(place));
        if in_lanes {
            return self.set_lanes(place, value);
        }
        match self.homes.get(&place.cell).cloned() {
            Some(SlotHome::One(_, reg)) if place.indices.is_empty() => self.into(value, reg),
            Some(SlotHome::Buffer(number, ..)) => {
                let reg = self.value(value)?;
                let at = self.place(place)?;
                self.op(if number == ScalarKind::Real { BlockOp::Store(at, reg) } else { BlockOp::StoreInt(at, reg) });
                Ok(())
            }
            _ => Err(Uncompilable),
        }
    }

    /// The register of a value that is the same in all lanes.
    pub(super) fn value(&mut self, value: &NestValue) -> CompileResult<Reg> {
        match value {
            NestValue::Real(x) => Ok(self.real_constant(*x)),
            NestValue::Int(k) => Ok(self.int_constant(*k)),
            NestValue::Size(_) => match self.known(value) {
                Some(k) => Ok(self.int_constant(k)),
                None => Err(Uncompilable),
            },
            NestValue::Load(place) if place.indices.is_empty() => match self.homes.get(&place.cell) {
                Some(SlotHome::One(_, reg)) => Ok(*reg),
                _ => Err(Uncompilable),
            },
            _ => {
                let reg = self.register(self.number(value));
                self.into(value, reg)?;
                Ok(reg)
            }
        }
    }

    pub(super) fn int(&mut self, value: &NestValue) -> CompileResult<Reg> {
        match self.known(value) {
            Some(k) => Ok(self.int_constant(k)),
            None => self.value(value),
        }
    }

    pub(super) fn int_into(&mut self, value: &NestValue, to: Reg) -> CompileResult<()> {
        let reg = self.int(value)?;
        self.op(BlockOp::CopyInt(to, reg));
        Ok(())
    }

    fn real_constant(&mut self, x: f64) -> Reg {
        if let Some(reg) = self.real_constants.get(&x.to_bits()) {
            return *reg;
        }
        let reg = self.register(ScalarKind::Real);
        self.code.reals[reg as usize] = x;
        self.real_constants.insert(x.to_bits(), reg);
        reg
    }

    pub(super) fn int_constant(&mut self, k: i64) -> Reg {
        if let Some(reg) = self.int_constants.get(&k) {
            return *reg;
        }
        let reg = self.register(ScalarKind::Int);
        self.code.ints[reg as usize] = k;
        self.int_constants.insert(k, reg);
        reg
    }

    /// An integer that sizes alone tell.
    pub(super) fn known(&self, value: &NestValue) -> Option<i64> {
        match value {
            NestValue::Int(k) => Some(*k),
            NestValue::Size(name) => i64::try_from(self.sizes.get(name)?).ok(),
            NestValue::Prim(prim, ScalarKind::Int, operands) => {
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
    pub(super) fn extent(&self, range: &LoopRange) -> Option<i64> {
        Some(self.known(&range.to)?.saturating_sub(self.known(&range.from)?))
    }

    /// Computes a value that is the same in all lanes.
    pub(super) fn into(&mut self, value: &NestValue, to: Reg) -> CompileResult<()> {
        let is_real = self.number(value) == ScalarKind::Real;
        match value {
            NestValue::Load(place) if !place.indices.is_empty() => {
                let at = self.place(place)?;
                self.op(if is_real { BlockOp::Load(to, at) } else { BlockOp::LoadInt(to, at) });
            }
            NestValue::Real(_) | NestValue::Int(_) | NestValue::Size(_) | NestValue::Load(_) => {
                let from = self.value(value)?;
                self.op(if is_real { BlockOp::Copy(to, from) } else { BlockOp::CopyInt(to, from) });
            }
            NestValue::Truth(a) => {
                let a = self.int(a)?;
                self.op(BlockOp::Truth(to, a));
            }
            NestValue::Select(p) => {
                let condition = self.int(&p.0)?;
                self.choice(condition, |c| c.into(&p.1, to), |c| c.into(&p.2, to))?;
            }
            NestValue::Prim(prim, number, operands) => {
                let how = how(*prim, *number)?;
                let regs = operands.iter().map(|operand| self.value(operand)).collect::<CompileResult<Vec<Reg>>>()?;
                let op = match (how, &regs[..]) {
                    (PrimKernel::One(f) | PrimKernel::Exp(f), [a]) => BlockOp::One(f, to, *a),
                    (PrimKernel::Two(two), [a, b]) => BlockOp::Two(two, to, *a, *b),
                    (PrimKernel::Power(f), [a, k]) => BlockOp::Power(f, to, *a, *k),
                    (PrimKernel::IntOne(f), [a]) => BlockOp::IntOne(f, to, *a),
                    (PrimKernel::Ints(two), [a, b]) => BlockOp::IntTwo(two, to, *a, *b),
                    (PrimKernel::Test(test, ScalarKind::Real), [a, b]) => BlockOp::Test(test, to, *a, *b),
                    (PrimKernel::Test(test, ScalarKind::Int), [a, b]) => BlockOp::TestInts(test, to, *a, *b),
                    (PrimKernel::Shift(c), [a]) => BlockOp::Shift(to, *a, c),
                    (PrimKernel::ToReal, [a]) => BlockOp::ToReal(to, *a),
                    (PrimKernel::Same, [a]) => BlockOp::CopyInt(to, *a),
                    _ => return Err(Uncompilable),
                };
                self.op(op);
            }
        }
        Ok(())
    }
}
