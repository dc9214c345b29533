//! Reads loops (`ifold`) as equations: each number that a loop carries is a state, and of an array that it carries each element.

use super::read::Reader;
use super::scan::{Carried, scan};
use super::symbol::{Array, Env, Symbol};
use super::{Fit, Index, State, Unfit};
use crate::first::Fold as Loop;
use crate::nest::ir::types::index_ranges;
use crate::nest::ir::value::load;
use crate::nest::ir::{Number, Place, Value};

impl<'a> Reader {
    /// A loop: each number that it carries, also each element of an array that it carries, goes its own way.
    pub(super) fn fold(&mut self, fold: &'a Loop, env: &Env<'a>) -> Fit<Symbol<'a>> {
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
        let inside = env.with(fold.acc.number, acc.clone()).with(fold.index.number, Symbol::Number(load(over.cell)));
        let body = self.symbol(&fold.body, &inside);
        let done = body.and_then(|body| self.left(&body, &acc, &mut carried.iter_mut()));
        self.live.truncate(first);
        done?;
        let mut places = scan(self, &over, carried)?.into_iter();
        Self::results(&acc, &mut places)
    }

    /// The states of a loop that begins so; arrays have one for their element at new indices.
    fn carried(&mut self, hint: &str, init: &Symbol<'a>, all: &mut Vec<Carried>) -> Fit<Symbol<'a>> {
        let (mut indices, mut element) = (Vec::<Index>::new(), init.clone());
        while let Symbol::Array(array) = &element {
            let index = self.index("j", &Self::length(array));
            element = self.get(&element, load(index.cell))?;
            indices.push(index);
        }
        let element = match &element {
            Symbol::Number(init) => {
                let number = init.number(&|cell| self.numbers.get(&cell).copied().unwrap_or(Number::Int));
                let slot = self.slot(hint, number);
                let at = indices.iter().map(|index| load(index.cell)).collect();
                let own = Symbol::Number(Value::Load(Place { cell: slot.cell, indices: at }));
                // `next` is put in by `left`, once the body has been read.
                let state = State { slot, init: init.clone(), next: Value::Int(0) };
                all.push(Carried { state, indices: indices.clone() });
                own
            }
            Symbol::Pair(p) if indices.is_empty() => {
                Symbol::pair(self.carried(hint, &p.0, all)?, self.carried(hint, &p.1, all)?)
            }
            Symbol::Pair(_) | Symbol::Array(_) => return Err(Unfit),
        };
        Ok(match indices.is_empty() {
            true => element,
            false => Symbol::array(Array::Open(indices.into(), Vec::new(), element)),
        })
    }

    /// What an iteration leaves, for each state in turn.
    fn left(&mut self, body: &Symbol<'a>, acc: &Symbol<'a>, all: &mut std::slice::IterMut<Carried>) -> Fit<()> {
        match (body, acc) {
            (Symbol::Pair(a), Symbol::Pair(b)) => {
                self.left(&a.0, &b.0, all)?;
                self.left(&a.1, &b.1, all)
            }
            (body, Symbol::Array(array)) => {
                let Array::Open(indices, _, element) = &**array else { return Err(Unfit) };
                let mut part = body.clone();
                for index in indices.iter() {
                    part = self.get(&part, load(index.cell))?;
                }
                self.left(&part, element, all)
            }
            (Symbol::Number(next), Symbol::Number(_)) => {
                all.next().ok_or(Unfit)?.state.next = next.clone();
                Ok(())
            }
            _ => Err(Unfit),
        }
    }

    /// What a loop comes to.
    fn results(acc: &Symbol<'a>, places: &mut impl Iterator<Item = Value>) -> Fit<Symbol<'a>> {
        Ok(match acc {
            Symbol::Number(_) => Symbol::Number(places.next().ok_or(Unfit)?),
            Symbol::Pair(p) => {
                let first = Self::results(&p.0, places)?;
                Symbol::pair(first, Self::results(&p.1, places)?)
            }
            Symbol::Array(array) => {
                let Array::Open(indices, _, element) = &**array else { return Err(Unfit) };
                Symbol::array(Array::Open(indices.clone(), Vec::new(), Self::results(element, places)?))
            }
        })
    }
}
