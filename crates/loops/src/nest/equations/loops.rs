//! Reads loops (`ifold`) as equations: each number that a loop carries is a state, and of an array that it carries each element.

use super::read::EquationReader;
use super::scan::{CarriedState, scan};
use super::symbol::{SymbolEnv, SymbolicArray, SymbolicValue};
use super::{EquationResult, FoldState, Inexpressible, LoopIndex};
use crate::first::Fold as Loop;
use crate::nest::ir::types::index_ranges;
use crate::nest::ir::value::load;
use crate::nest::ir::{NestPlace, NestValue, ScalarKind};

impl<'a> EquationReader {
    /// A loop: each number that it carries, also each element of an array that it carries, goes its own way.
    pub(super) fn fold(&mut self, fold: &'a Loop, env: &SymbolEnv<'a>) -> EquationResult<SymbolicValue<'a>> {
        let init = self.symbol(&fold.init, env)?;
        let over = self.index(&fold.index.hint, &fold.size);
        let mut carried = Vec::new();
        let acc = self.carried(&fold.acc.hint, &init, &mut carried)?;
        // States stand in the order of the type's arrays, as ranges do, since arrays of pairs were refused.
        let ranges = carried.iter().zip(index_ranges(&fold.acc.ty));
        let ranges = ranges.filter_map(|(own, range)| Some((own.state.slot.cell, range?))).collect::<Vec<_>>();
        self.system.ranges.extend(ranges);
        // While the body is read nothing that mentions these becomes an equation of its own, since it is another in each
        // iteration.
        let first = self.live.len();
        self.live.extend(carried.iter().map(|own| own.state.slot.cell));
        let inside =
            env.with(fold.acc.number, acc.clone()).with(fold.index.number, SymbolicValue::Number(load(over.cell)));
        let body = self.symbol(&fold.body, &inside);
        let done = body.and_then(|body| self.left(&body, &acc, &mut carried.iter_mut()));
        self.live.truncate(first);
        done?;
        let mut places = scan(self, &over, carried)?.into_iter();
        Self::results(&acc, &mut places)
    }

    /// The states of a loop that begins so; arrays have one for their element at new indices.
    fn carried(
        &mut self,
        hint: &str,
        init: &SymbolicValue<'a>,
        all: &mut Vec<CarriedState>,
    ) -> EquationResult<SymbolicValue<'a>> {
        let (mut indices, mut element) = (Vec::<LoopIndex>::new(), init.clone());
        while let SymbolicValue::Array(array) = &element {
            let index = self.index("j", &Self::length(array));
            element = self.get(&element, load(index.cell))?;
            indices.push(index);
        }
        let element = match &element {
            SymbolicValue::Number(init) => {
                let number = init.number(&|cell| self.numbers.get(&cell).copied().unwrap_or(ScalarKind::Int));
                let slot = self.slot(hint, number);
                let at = indices.iter().map(|index| load(index.cell)).collect();
                let own = SymbolicValue::Number(NestValue::Load(NestPlace { cell: slot.cell, indices: at }));
                // `next` is put in by `left`, once the body has been read.
                let state = FoldState { slot, init: init.clone(), next: NestValue::Int(0) };
                all.push(CarriedState { state, indices: indices.clone() });
                own
            }
            SymbolicValue::Pair(p) if indices.is_empty() => {
                SymbolicValue::pair(self.carried(hint, &p.0, all)?, self.carried(hint, &p.1, all)?)
            }
            SymbolicValue::Pair(_) | SymbolicValue::Array(_) => return Err(Inexpressible),
        };
        Ok(match indices.is_empty() {
            true => element,
            false => SymbolicValue::array(SymbolicArray::Open(indices.into(), Vec::new(), element)),
        })
    }

    /// What an iteration leaves, for each state in turn.
    fn left(
        &mut self,
        body: &SymbolicValue<'a>,
        acc: &SymbolicValue<'a>,
        all: &mut std::slice::IterMut<CarriedState>,
    ) -> EquationResult<()> {
        match (body, acc) {
            (SymbolicValue::Pair(a), SymbolicValue::Pair(b)) => {
                self.left(&a.0, &b.0, all)?;
                self.left(&a.1, &b.1, all)
            }
            (body, SymbolicValue::Array(array)) => {
                let SymbolicArray::Open(indices, _, element) = &**array else { return Err(Inexpressible) };
                let mut part = body.clone();
                for index in indices.iter() {
                    part = self.get(&part, load(index.cell))?;
                }
                self.left(&part, element, all)
            }
            (SymbolicValue::Number(next), SymbolicValue::Number(_)) => {
                all.next().ok_or(Inexpressible)?.state.next = next.clone();
                Ok(())
            }
            _ => Err(Inexpressible),
        }
    }

    /// What a loop comes to.
    fn results(
        acc: &SymbolicValue<'a>,
        places: &mut impl Iterator<Item = NestValue>,
    ) -> EquationResult<SymbolicValue<'a>> {
        Ok(match acc {
            SymbolicValue::Number(_) => SymbolicValue::Number(places.next().ok_or(Inexpressible)?),
            SymbolicValue::Pair(p) => {
                let first = Self::results(&p.0, places)?;
                SymbolicValue::pair(first, Self::results(&p.1, places)?)
            }
            SymbolicValue::Array(array) => {
                let SymbolicArray::Open(indices, _, element) = &**array else { return Err(Inexpressible) };
                SymbolicValue::array(SymbolicArray::Open(indices.clone(), Vec::new(), Self::results(element, places)?))
            }
        })
    }
}
