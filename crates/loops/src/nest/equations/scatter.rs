//! Makes equations of sums to each of which some rounds of a loop add: of those that are written so, and of sums with a
//! comparison that finds one element for each round.

use super::read::EquationReader;
use super::symbol::{SymbolEnv, SymbolicArray, SymbolicValue};
use super::{
    Equation, EquationBody, EquationResult, EquationSystem, FoldState, Inexpressible, LoopIndex, ScatterEquation,
};
use crate::first::Scatter;
use crate::nest::ir::value::{applied, index_number, is_dear, load};
use crate::nest::ir::{NestValue, ScalarKind};
use redexter_language::term::{Prim, Size};

/// What the rounds of a scatter find, and where.
struct Rounds {
    over: LoopIndex,
    place: NestValue,
    key: NestValue,
}

impl<'a> EquationReader {
    /// Each number of the value is a sum of its own.
    pub(super) fn scatter(&mut self, scatter: &'a Scatter, env: &SymbolEnv<'a>) -> EquationResult<SymbolicValue<'a>> {
        let over = self.index(&scatter.index.hint, &scatter.rounds);
        let inside = env.with(scatter.index.number, SymbolicValue::Number(load(over.cell)));
        let entry = self.symbol(&scatter.entry, &inside)?;
        let place = self.index("i", &scatter.places);
        let key = index_number(&entry.half(true)?.number()?).clone();
        let rounds = Rounds { over, place: load(place.cell), key };
        self.added(&rounds, vec![place], entry.half(false)?)
    }

    /// The sums of an array with these first indices, to which such values are added.
    fn added(
        &mut self,
        rounds: &Rounds,
        mut indices: Vec<LoopIndex>,
        mut value: SymbolicValue<'a>,
    ) -> EquationResult<SymbolicValue<'a>> {
        while let SymbolicValue::Array(array) = &value {
            let index = self.index("j", &Self::length(array));
            value = self.get(&value, load(index.cell))?;
            indices.push(index);
        }
        let element = match value {
            SymbolicValue::Number(value) => SymbolicValue::Number(self.sum(rounds, value)?),
            SymbolicValue::Pair(both) => {
                let first = self.added(rounds, Vec::new(), both.0.clone())?;
                SymbolicValue::pair(first, self.added(rounds, Vec::new(), both.1.clone())?)
            }
            SymbolicValue::Array(_) => return Err(Inexpressible),
        };
        Ok(match indices.is_empty() {
            true => element,
            false => SymbolicValue::array(SymbolicArray::Open(indices.into(), Vec::new(), element)),
        })
    }

    fn sum(&mut self, rounds: &Rounds, value: NestValue) -> EquationResult<NestValue> {
        // What is expensive is computed for a strip side by side, before it is added one by one.
        let value = match self.system.order.first() == Some(&rounds.over.size) && is_dear(&value) {
            true => self.named_number("value", value)?,
            false => value,
        };
        let slot = self.slot("sum", ScalarKind::Real);
        let next = applied(Prim::Add, ScalarKind::Real, vec![load(slot.cell), value], self.freedom.reorders());
        let sum = FoldState { slot, init: NestValue::Real(0.0), next };
        let Rounds { over, place, key } = rounds;
        let scatter = ScatterEquation { over: over.clone(), place: place.clone(), key: key.clone(), sum };
        Ok(self.add(EquationBody::Scatter(scatter))?.remove(0))
    }
}

/// Sums over the streamed size with a comparison that finds one element for each round are scatters.
pub(in crate::nest) fn scatters(system: &mut EquationSystem, stream: Option<&Size>) {
    for equation in &mut system.equations {
        if let Some(found) = scattered(equation, stream) {
            equation.work = EquationBody::Scatter(found);
        }
    }
}

fn scattered(equation: &Equation, stream: Option<&Size>) -> Option<ScatterEquation> {
    let EquationBody::Fold(fold) = &equation.work else { return None };
    let [FoldState { slot, init, next: NestValue::Select(p) }] = &fold.states[..] else { return None };
    let NestValue::Prim(Prim::Eq, ScalarKind::Int, operands) = &p.0 else { return None };
    let [a, b] = &operands[..] else { return None };
    // Elsewhere the sum must stay as it is.
    if p.2 != load(slot.cell) || stream != Some(&fold.over.size) {
        return None;
    }
    // Where it is stored must depend neither on the element nor on what the sum is so far, otherwise it isn't known beforehand;
    // and the numbers of a strip are summed side by side as they are.
    let is_place = |place: &NestValue, key: &NestValue| {
        let is_free = !equation.dims.iter().any(|index| key.mentions(index.cell)) && !key.mentions(slot.cell);
        let others = || equation.dims.iter().filter(|index| *place != load(index.cell));
        let streamed = others().any(|index| stream == Some(&index.size));
        is_free && others().count() + 1 == equation.dims.len() && !streamed
    };
    let (place, key) = match () {
        () if is_place(a, b) => (a, b),
        () if is_place(b, a) => (b, a),
        () => return None,
    };
    let by = [(place_cell(place)?, key.clone())].into_iter().collect();
    let sum = FoldState { slot: slot.clone(), init: init.clone(), next: crate::nest::ir::value::replace(&p.1, &by) };
    Some(ScatterEquation { over: fold.over.clone(), place: place.clone(), key: key.clone(), sum })
}

fn place_cell(place: &NestValue) -> Option<u32> {
    match place {
        NestValue::Load(place) => Some(place.cell),
        _ => None,
    }
}
