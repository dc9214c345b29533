//! Compiles sums to one instruction, in the order of the iterations: of lanes into a number, and of iterations into lanes.

use super::super::op::{BlockOp, Dot, DotFactor, DotTerm, LaneOperand};
use super::lanes::is_dense;
use super::{BlockCompiler, CompileResult, SlotHome};
use crate::nest::{Divergence, LoopRange, NestPlace, NestValue, ScalarKind, Stmt, are_separate};
use redexter_language::term::Prim;

/// A sum with fewer iterations is a loop.
const MIN_SUM_ITERATIONS: i64 = 8;

impl BlockCompiler<'_> {
    /// Writes a loop as a sum, or as the search for the largest; false where it is none.
    pub(super) fn sum(&mut self, range: &LoopRange, inside: &[Stmt]) -> CompileResult<bool> {
        if let [Stmt::If(condition, set, other)] = inside
            && let ([Stmt::Set(place, value)], []) = (&set[..], &other[..])
        {
            return self.best(range, condition, place, value);
        }
        if inside.len() > 1 {
            return self.apart(range, inside);
        }
        let [Stmt::Set(place, NestValue::Prim(Prim::Add, ScalarKind::Real, both))] = inside else { return Ok(false) };
        let (own, added) = (&both[0], &both[1]);
        let mentions = |value: &NestValue| value.mentions(place.cell);
        let is_own = *own == NestValue::Load(place.clone()) && !place.indices.iter().any(mentions);
        if !is_own || mentions(added) {
            return Ok(false);
        }
        let extent = self.extent(range);
        match (self.homes.get(&place.cell), &self.differing) {
            (Some(SlotHome::Lanes(ScalarKind::Real, acc)), Some(_)) => {
                let acc = *acc;
                self.of_rounds(range, acc, added)
            }
            (Some(SlotHome::One(ScalarKind::Real, acc)), None)
                if extent.is_none_or(|extent| extent >= MIN_SUM_ITERATIONS) =>
            {
                let acc = *acc;
                self.of_lanes((range, inside), acc, added)
            }
            (Some(SlotHome::Buffer(ScalarKind::Real, ..)), None)
                if extent.is_none_or(|extent| extent >= MIN_SUM_ITERATIONS) =>
            {
                self.at_places((range, inside), place, added)
            }
            _ => Ok(false),
        }
    }

    /// Sums of which none reads another, one after the other.
    fn apart(&mut self, range: &LoopRange, inside: &[Stmt]) -> CompileResult<bool> {
        let in_lanes = |stmt: &Stmt| matches!(stmt, Stmt::Set(place, _) if matches!(self.homes.get(&place.cell), Some(SlotHome::Lanes(..))));
        // One behind the other they are the same only if none reads or stores what another stores.
        if !inside.iter().all(in_lanes) || !are_separate(inside) {
            return Ok(false);
        }
        for stmt in inside {
            self.each_round(range, std::slice::from_ref(stmt))?;
        }
        Ok(true)
    }

    /// What is better than a number takes its place: the iterations become lanes, which are compared one after another.
    fn best(
        &mut self,
        range: &LoopRange,
        condition: &NestValue,
        place: &NestPlace,
        value: &NestValue,
    ) -> CompileResult<bool> {
        let NestValue::Prim(prim @ (Prim::Lt | Prim::Gt), ScalarKind::Real, both) = condition else { return Ok(false) };
        let own = NestValue::Load(place.clone());
        let Some(SlotHome::One(ScalarKind::Real, acc)) = self.homes.get(&place.cell).cloned() else { return Ok(false) };
        let along = Divergence::along(range.cell);
        let fits = self.differing.is_none() && along.differs(value) && !value.mentions(place.cell);
        let is_less = match &both[..] {
            [a, b] if *a == own && b == value => *prim == Prim::Gt,
            [a, b] if *b == own && a == value => *prim == Prim::Lt,
            _ => return Ok(false),
        };
        if !fits {
            return Ok(false);
        }
        let taken = self.taken();
        self.blocks(range, &[], along, |c| {
            let LaneOperand::Many(at) = c.lanes(value)? else { return Ok(()) };
            c.op(if is_less { BlockOp::Least(acc, at) } else { BlockOp::Largest(acc, at) });
            Ok(())
        })?;
        self.back(taken);
        Ok(true)
    }

    /// The iterations become lanes, each of which is added where it belongs, one after another.
    fn at_places(
        &mut self,
        (range, inside): (&LoopRange, &[Stmt]),
        place: &NestPlace,
        added: &NestValue,
    ) -> CompileResult<bool> {
        let along = Divergence::along(range.cell);
        if !along.at(place) {
            return Ok(false);
        }
        let taken = self.taken();
        self.blocks(range, inside, along, |c| {
            let value = c.lanes(added)?;
            let (_, address) = c.part(place)?;
            let to = c.address(address);
            c.op(BlockOp::AddAt(to, value));
            Ok(())
        })?;
        self.back(taken);
        Ok(true)
    }

    /// The iterations become lanes, which are added one after another.
    fn of_lanes(&mut self, (range, inside): (&LoopRange, &[Stmt]), acc: u32, added: &NestValue) -> CompileResult<bool> {
        let along = Divergence::along(range.cell);
        if !along.differs(added) {
            return Ok(false);
        }
        let taken = self.taken();
        self.blocks(range, inside, along, |c| {
            match added {
                NestValue::Prim(Prim::Mul, ScalarKind::Real, both) => {
                    let (a, b) = (c.lanes(&both[0])?, c.lanes(&both[1])?);
                    c.op(BlockOp::SumProducts(acc, a, b));
                }
                _ => {
                    if let LaneOperand::Many(at) = c.lanes(added)? {
                        c.op(BlockOp::SumLanes(acc, at));
                    }
                }
            }
            Ok(())
        })?;
        self.back(taken);
        Ok(true)
    }

    /// Each lane adds up the iterations.
    fn of_rounds(&mut self, range: &LoopRange, acc: u32, added: &NestValue) -> CompileResult<bool> {
        let one = NestValue::Real(1.0);
        let (how, parts) = match added {
            NestValue::Prim(Prim::Mul, ScalarKind::Real, both) => match (&both[..], squared(both)) {
                (_, Some([a, b])) => (DotTerm::Distance, [a, b]),
                ([a, b], _) => (DotTerm::Product, [a, b]),
                _ => return Ok(false),
            },
            _ => (DotTerm::Product, [added, &one]),
        };
        let runs = |value: &NestValue| match value {
            NestValue::Load(NestPlace { indices, .. }) => indices.iter().all(|index| self.is_sum_in(index, range.cell)),
            value => !value.mentions(range.cell),
        };
        if !self.differs(added) || !parts.into_iter().all(runs) {
            return Ok(false);
        }
        let k = self.register(ScalarKind::Int);
        let to = self.int(&range.to)?;
        self.int_into(&range.from, k)?;
        self.homes.insert(range.cell, SlotHome::One(ScalarKind::Int, k));
        let [Some(a), Some(b)] = [self.factor(parts[0], k, range.cell)?, self.factor(parts[1], k, range.cell)?] else {
            return Ok(false);
        };
        // Kernels need a factor that differs between lanes.
        if ![a, b].iter().any(|factor| matches!(factor, DotFactor::Lanes(..))) {
            return Ok(false);
        }
        self.dot(Dot { acc, k, to, added: how, a, b });
        Ok(true)
    }

    /// Whether an index is a sum in which a cell stands so many times.
    fn is_sum_in(&self, value: &NestValue, cell: u32) -> bool {
        match value {
            value if !value.mentions(cell) => true,
            NestValue::Load(place) => place.cell == cell && place.indices.is_empty(),
            NestValue::Prim(Prim::Add | Prim::Sub, ScalarKind::Int, both) => {
                both.iter().all(|part| self.is_sum_in(part, cell))
            }
            NestValue::Prim(Prim::Mul, ScalarKind::Int, both) => {
                both.iter().any(|part| self.known(part).is_some()) && both.iter().all(|part| self.is_sum_in(part, cell))
            }
            NestValue::Prim(Prim::Offset(_) | Prim::ToInt, _, parts) => {
                parts.iter().all(|part| self.is_sum_in(part, cell))
            }
            _ => false,
        }
    }

    fn factor(&mut self, value: &NestValue, k: u32, cell: u32) -> CompileResult<Option<DotFactor>> {
        if !value.mentions(cell) {
            return Ok(Some(match self.lanes(value)? {
                LaneOperand::One(reg) => DotFactor::One(reg),
                LaneOperand::Many(at) => DotFactor::Lanes(at, 0),
            }));
        }
        let NestValue::Load(place) = value else { return Ok(None) };
        let (number, address) = self.part(place)?;
        let step = address.sum.times(k);
        // Kernels go forward through reals in equal steps.
        if number != ScalarKind::Real || step < 0 || !address.sum.ints.is_empty() {
            return Ok(None);
        }
        let (dense, same) = (is_dense(&address), address.sum.lane == 0);
        let at = self.address(address);
        Ok(match (dense, same) {
            (true, _) => Some(DotFactor::Lanes(at, step)),
            (_, true) => Some(DotFactor::Round(at, step)),
            _ => None,
        })
    }
}

/// The parts of a difference that is multiplied by itself.
fn squared(both: &[NestValue]) -> Option<&[NestValue]> {
    match both {
        [NestValue::Prim(Prim::Sub, ScalarKind::Real, parts), other @ NestValue::Prim(..)] if both[0] == *other => {
            Some(parts)
        }
        _ => None,
    }
}
