//! Compiles what is done in blocks of lanes: an instruction for each operation, on all of them.

use redexter_kernels::{Ints, Two};

use super::super::op::{Address, At, BLOCK, Op, Operand, Reg, Sum};
use super::memo::Memo;
use super::scalar::{How, how};
use super::{Compiler, Fit, Home, Unfit};
use crate::nest::{Differing, Number, Place, Range, Stmt, Value};
use redexter_language::term::Prim;

impl Compiler<'_> {
    pub(super) fn differs(&self, value: &Value) -> bool {
        self.differing.as_ref().is_some_and(|differing| differing.differs(value))
    }

    /// A loop over lanes.
    pub(super) fn in_lanes(&mut self, range: &Range, inside: &[Stmt], differing: Differing) -> Fit<()> {
        self.blocks(range, inside, differing, |c| c.body(inside))
    }

    /// A loop over blocks, in each of which that is done.
    pub(super) fn blocks(
        &mut self,
        range: &Range,
        inside: &[Stmt],
        differing: Differing,
        write: impl FnOnce(&mut Self) -> Fit<()>,
    ) -> Fit<()> {
        let base = self.register(Number::Int);
        let [reals, ints] = self.taken();
        self.rounds(range, base, BLOCK as i64, |c, to| {
            c.op(Op::Width(base, to));
            c.homes.insert(range.cell, Home::Index(base));
            c.differing = Some(differing);
            c.memo = Memo::of(inside);
            write(c)?;
            c.differing = None;
            // What was computed in a block is no longer so in the next, nor behind the loop.
            c.memo = Memo::default();
            Ok(())
        })?;
        self.reals.all_back(reals);
        self.ints.all_back(ints);
        Ok(())
    }

    /// Room for a number for each lane.
    pub(super) fn lane_buffer(&mut self, number: Number) -> At {
        let pool = if number == Number::Real { &mut self.reals } else { &mut self.ints };
        if let Some(at) = pool.free.pop() {
            pool.taken.push(at);
            return at;
        }
        let buffer = self.buffer(number, BLOCK);
        self.code.addresses.push(Address { buffer, sum: Sum::default() });
        let at = self.code.addresses.len() as At - 1;
        if number == Number::Real {
            self.reals.taken.push(at)
        } else {
            self.ints.taken.push(at)
        }
        at
    }

    pub(super) fn fill(&mut self, number: Number, to: At, reg: Reg) {
        self.copy(number, to, Operand::One(reg));
    }

    fn copy(&mut self, number: Number, to: At, from: Operand) {
        self.op(if number == Number::Real { Op::Fill(to, from) } else { Op::FillInts(to, from) });
    }

    /// A value in all lanes, where it is or in a buffer of its own.
    pub(super) fn lanes(&mut self, value: &Value) -> Fit<Operand> {
        if !self.differs(value) {
            return Ok(Operand::One(self.value(value)?));
        }
        let number = self.number(value);
        if let Value::Load(place) = value {
            match self.homes.get(&place.cell) {
                Some(Home::Lanes(_, at)) => return Ok(Operand::Many(*at)),
                Some(Home::Buffer(..)) => {
                    let (_, address) = self.part(place)?;
                    if is_dense(&address) {
                        return Ok(Operand::Many(self.address(address)));
                    }
                    let to = self.lane_buffer(number);
                    self.gather(number, to, address);
                    return Ok(Operand::Many(to));
                }
                _ => {}
            }
        }
        let worth = self.memo.worth(value);
        if let Some(known) = worth.and_then(|hash| self.memo.find(hash, value)) {
            return Ok(known);
        }
        let to = self.lane_buffer(number);
        self.computed_into(value, to)?;
        if let Some(hash) = worth {
            let pool = if number == Number::Real { &mut self.reals } else { &mut self.ints };
            // It outlives the statement, since a later one may read it.
            pool.kept.insert(to);
            self.memo.known.push((hash, value.clone(), Operand::Many(to)));
        }
        Ok(Operand::Many(to))
    }

    fn gather(&mut self, number: Number, to: At, from: Address) {
        let from = self.address(from);
        self.op(if number == Number::Real { Op::Gather(to, from) } else { Op::GatherInts(to, from) });
    }

    /// Where a result can be written while operands are read: there, or in a buffer that is copied to it afterwards. The machine
    /// takes a buffer away while it writes there, so that no operand may lie in it, but for one at the very place.
    fn clear(&mut self, number: Number, to: At, operands: &[Operand], may_be_own: bool) -> At {
        let buffer = |at: &At| self.code.addresses[*at as usize].buffer;
        let clashes = |operand: &Operand| matches!(operand, Operand::Many(at) if buffer(at) == buffer(&to) && !(may_be_own && *at == to));
        if operands.iter().any(clashes) { self.lane_buffer(number) } else { to }
    }

    /// Computes a value in all lanes, or has it there.
    pub(super) fn lanes_into(&mut self, value: &Value, to: At) -> Fit<()> {
        if !self.differs(value) || self.memo.worth(value).is_none() {
            return self.computed_into(value, to);
        }
        let from = self.lanes(value)?;
        self.copy(self.number(value), to, from);
        Ok(())
    }

    fn computed_into(&mut self, value: &Value, to: At) -> Fit<()> {
        let number = self.number(value);
        match value {
            _ if !self.differs(value) => {
                let reg = self.value(value)?;
                self.fill(number, to, reg);
            }
            Value::Real(_) | Value::Int(_) | Value::Size(_) => return Err(Unfit),
            Value::Load(place) => match self.homes.get(&place.cell).cloned() {
                Some(Home::Index(base)) => self.op(Op::Count(to, base)),
                _ => {
                    let from = self.lanes(value)?;
                    let between = self.clear(number, to, &[from], true);
                    if between != to {
                        self.copy(number, between, from);
                    }
                    self.copy(number, to, if between == to { from } else { Operand::Many(between) });
                }
            },
            Value::Truth(a) => {
                let a = self.lanes(a)?;
                self.written(Number::Int, to, &[a], true, |to| Op::Truths(to, a));
            }
            Value::Select(p) if !self.differs(&p.0) => {
                let condition = self.int(&p.0)?;
                self.choice(condition, |c| c.lanes_into(&p.1, to), |c| c.lanes_into(&p.2, to))?;
            }
            Value::Select(p) => {
                let truths @ Operand::Many(at) = self.lanes(&p.0)? else { return Err(Unfit) };
                let (a, b) = (self.lanes(&p.1)?, self.lanes(&p.2)?);
                match number {
                    Number::Real => self.written(number, to, &[a, b], true, |to| Op::Choose(to, at, a, b)),
                    // Here truths lie among integers, too: they must not stand where the result goes, since the kernel reads
                    // them apart.
                    Number::Int => self.written(number, to, &[truths, a, b], false, |to| Op::ChooseInts(to, at, a, b)),
                }
            }
            Value::Prim(prim, of, operands) => self.primitive(how(*prim, *of)?, operands, to)?,
        }
        Ok(())
    }

    /// An instruction that writes where it is clear, and what that takes.
    fn written(&mut self, number: Number, to: At, operands: &[Operand], may_be_own: bool, op: impl FnOnce(At) -> Op) {
        let clear = self.clear(number, to, operands, may_be_own);
        self.op(op(clear));
        if clear != to {
            self.copy(number, to, Operand::Many(clear));
        }
    }

    fn primitive(&mut self, how: How, operands: &[Value], to: At) -> Fit<()> {
        let all = operands.iter().map(|operand| self.lanes(operand)).collect::<Fit<Vec<Operand>>>()?;
        match (how, &all[..]) {
            (How::Exp(f), [Operand::Many(a)]) => self.written(Number::Real, to, &all, false, |to| Op::Exps(f, to, *a)),
            (How::One(f) | How::Exp(f), [a]) => self.written(Number::Real, to, &all, true, |to| Op::Each(f, to, *a)),
            (How::Two(two), [a, b]) => self.written(Number::Real, to, &all, true, |to| Op::Zip(two, to, *a, *b)),
            (How::Power(f), [a, k]) => self.written(Number::Real, to, &[*a], true, |to| Op::Powers(f, to, *a, *k)),
            (How::IntOne(f), [a]) => self.written(Number::Int, to, &all, true, |to| Op::EachInt(f, to, *a)),
            (How::Ints(two), [a, b]) => self.written(Number::Int, to, &all, true, |to| Op::ZipInts(two, to, *a, *b)),
            // Reals never lie where integers do, so that nothing can clash.
            (How::Test(test, Number::Real), [a, b]) => self.op(Op::Tests(test, to, *a, *b)),
            (How::Test(test, Number::Int), [a, b]) => {
                self.written(Number::Int, to, &all, false, |to| Op::TestsInts(test, to, *a, *b));
            }
            (How::Shift(c), [a]) => {
                let by = Operand::One(self.int_constant(c));
                self.written(Number::Int, to, &all, true, |to| Op::ZipInts(Ints::Add, to, *a, by));
            }
            (How::ToReal, [a]) => self.op(Op::ToReals(to, *a)),
            (How::Same, [a]) => self.written(Number::Int, to, &all, true, |to| Op::FillInts(to, *a)),
            _ => return Err(Unfit),
        }
        Ok(())
    }

    /// A number of each lane is stored.
    pub(super) fn set_lanes(&mut self, place: &Place, value: &Value) -> Fit<()> {
        let (number, to) = match self.homes.get(&place.cell) {
            Some(Home::Lanes(number, at)) => (*number, *at),
            _ => {
                let (number, address) = self.part(place)?;
                if !is_dense(&address) {
                    return self.scatter(number, address, value);
                }
                (number, self.address(address))
            }
        };
        match value {
            Value::Prim(Prim::Add, Number::Real, both)
                if number == Number::Real && both[0] == Value::Load(place.clone()) =>
            {
                self.accumulate(to, &both[1])
            }
            _ => self.lanes_into(value, to),
        }
    }

    /// Adds a value to what stands there.
    fn accumulate(&mut self, to: At, value: &Value) -> Fit<()> {
        match value {
            Value::Select(p) if !self.differs(&p.0) => {
                let condition = self.int(&p.0)?;
                self.choice(condition, |c| c.accumulate(to, &p.1), |c| c.accumulate(to, &p.2))
            }
            Value::Prim(Prim::Mul, Number::Real, both) => {
                let (a, b) = (self.lanes(&both[0])?, self.lanes(&both[1])?);
                // Otherwise a factor lies elsewhere in the buffer: the product is made first.
                if self.clear(Number::Real, to, &[a, b], true) == to {
                    self.op(Op::Accumulate(to, a, b));
                    return Ok(());
                }
                let product = self.lane_buffer(Number::Real);
                self.op(Op::Zip(Two::Mul, product, a, b));
                self.op(Op::Zip(Two::Add, to, Operand::Many(to), Operand::Many(product)));
                Ok(())
            }
            _ => {
                let added = self.lanes(value)?;
                let added = match self.clear(Number::Real, to, &[added], true) {
                    clear if clear == to => added,
                    clear => {
                        self.copy(Number::Real, clear, added);
                        Operand::Many(clear)
                    }
                };
                self.op(Op::Zip(Two::Add, to, Operand::Many(to), added));
                Ok(())
            }
        }
    }

    fn scatter(&mut self, number: Number, to: Address, value: &Value) -> Fit<()> {
        let value = self.lanes(value)?;
        let to = self.address(to);
        let clear = self.clear(number, to, &[value], false);
        let value = if clear == to {
            value
        } else {
            self.copy(number, clear, value);
            Operand::Many(clear)
        };
        self.op(if number == Number::Real { Op::Scatter(to, value) } else { Op::ScatterInts(to, value) });
        Ok(())
    }
}

/// Whether lanes lie side by side.
pub(super) fn is_dense(address: &Address) -> bool {
    address.sum.lane == 1 && address.sum.ints.is_empty()
}
