//! Turns factors in sums of products over the streamed size (outer products), so that the sums for neighbours in the last
//! dimension lie side by side, each in its own order.

use crate::nest::equations::{Equation, EquationBody, EquationSystem, FoldState, LoopIndex, StripLayout, addend};
use crate::nest::ir::value::{is_condition, load, walk};
use crate::nest::ir::{NestPlace, NestValue, ScalarKind};
use redexter_language::term::{Prim, Size};

use super::level::{StreamClass, class};

/// Turned copies of factors, which such sums read.
pub(super) fn outer(system: &mut EquationSystem, stream: Option<&Size>) {
    let mut made: Vec<(NestValue, NestValue)> = Vec::new();
    for k in 0..system.equations.len() {
        let equation = &system.equations[k];
        let (StreamClass::Summed(own), EquationBody::Fold(fold)) = (class(equation, stream), &equation.work) else {
            continue;
        };
        let ([state], Some(last)) = (&fold.states[..], equation.dims.last()) else { continue };
        let Some((condition, still, moving)) = factors(state, last.cell) else { continue };
        if condition.is_some_and(|c| c.mentions(own) || c.mentions(last.cell) || !is_condition(c)) {
            continue;
        }
        // A copy is made of the whole factor, so that nothing may be turned of which only a part is computed.
        if is_guarded(system, moving) || is_guarded(system, still) {
            continue;
        }
        // The rows of a parameter lie side by side already.
        if is_row(system, moving, own, last.cell) && matches!(still, NestValue::Load(_)) {
            continue;
        }
        let (last, moving, still, state) = (last.clone(), moving.clone(), still.clone(), state.clone());
        let turned = named(system, &mut made, &moving, Some(&last));
        let still = if matches!(still, NestValue::Load(_)) { still } else { named(system, &mut made, &still, None) };
        // A product has the same bits with its factors exchanged.
        let product = NestValue::Prim(Prim::Mul, ScalarKind::Real, vec![still, turned]);
        let sum = NestValue::Prim(Prim::Add, ScalarKind::Real, vec![load(state.slot.cell), product]);
        let next = match &state.next {
            NestValue::Select(p) => NestValue::Select(Box::new((p.0.clone(), sum, p.2.clone()))),
            _ => sum,
        };
        if let EquationBody::Fold(fold) = &mut system.equations[k].work {
            fold.states[0].next = next;
        }
    }
    // The copies were added at the end, behind the sums that read them.
    crate::nest::equations::in_order(system);
}

/// Whether a value reads what is computed under conditions alone.
fn is_guarded(system: &EquationSystem, value: &NestValue) -> bool {
    let mut found = false;
    walk(value, &mut |part| {
        if let NestValue::Load(place) = part {
            let is_own = |other: &Equation| !other.guards.is_empty() && other.cells().contains(&place.cell);
            found |= system.equations.iter().any(is_own);
        }
    });
    found
}

/// A condition, the factor without the index and the one that has it, of what a sum adds.
fn factors(state: &FoldState, index: u32) -> Option<(Option<&NestValue>, &NestValue, &NestValue)> {
    let (condition, added) = added(state)?;
    let NestValue::Prim(Prim::Mul, ScalarKind::Real, operands) = added else { return None };
    match &operands[..] {
        [a, b] if b.mentions(index) && !a.mentions(index) => Some((condition, a, b)),
        [a, b] if a.mentions(index) && !b.mentions(index) => Some((condition, b, a)),
        _ => None,
    }
}

/// What a sum adds, and under which condition.
fn added(state: &FoldState) -> Option<(Option<&NestValue>, &NestValue)> {
    if let Some(addend) = addend(state) {
        return Some((None, addend));
    }
    let NestValue::Select(p) = &state.next else { return None };
    let NestValue::Prim(Prim::Add, ScalarKind::Real, operands) = &p.1 else { return None };
    let own = load(state.slot.cell);
    match &operands[..] {
        [first, addend] if *first == own && p.2 == own && !addend.mentions(state.slot.cell) => {
            Some((Some(&p.0), addend))
        }
        _ => None,
    }
}

/// Whether it is a row of a parameter that lies as it should.
fn is_row(system: &EquationSystem, value: &NestValue, own: u32, last: u32) -> bool {
    let NestValue::Load(place) = value else { return false };
    let is_given = system.parameters.iter().any(|slot| slot.cell == place.cell);
    is_given && place.indices.first() == Some(&load(own)) && place.indices.last() == Some(&load(last))
}

/// An equation for a factor, turned or in lanes.
fn named(
    system: &mut EquationSystem,
    made: &mut Vec<(NestValue, NestValue)>,
    value: &NestValue,
    turned: Option<&LoopIndex>,
) -> NestValue {
    // The key of a turned copy is wrapped, since the same factor may also be there in lanes.
    let key = NestValue::Truth(Box::new(value.clone()));
    let known = made.iter().find(|(other, _)| *other == if turned.is_some() { key.clone() } else { value.clone() });
    if let Some((_, read)) = known {
        return read.clone();
    }
    let mut free = Vec::new();
    walk(value, &mut |part| match part {
        NestValue::Load(place) if system.indices.contains_key(&place.cell) => free.push(place.cell),
        _ => {}
    });
    let mut dims = system.sorted(free);
    if let Some(last) = turned {
        dims.retain(|index| index.cell != last.cell);
        dims.push(last.clone());
    }
    let slot = system.number("turned", ScalarKind::Real);
    let read =
        NestValue::Load(NestPlace { cell: slot.cell, indices: dims.iter().map(|index| load(index.cell)).collect() });
    let layout = if turned.is_some() { StripLayout::Turned } else { StripLayout::Lanes };
    system.equations.push(Equation { dims, work: EquationBody::Map(slot, value.clone()), guards: Vec::new(), layout });
    made.push((if turned.is_some() { key } else { value.clone() }, read.clone()));
    read
}

/// Whether an equation is such a sum, along this index: what it adds lies side by side there.
pub(super) fn is_outer(system: &EquationSystem, equation: &Equation, own: u32, last: u32) -> bool {
    row(system, equation, own, last).is_some() || turned(system, equation, last).is_some()
}

/// The row of a parameter that such a sum reads.
pub(super) fn row<'a>(system: &EquationSystem, equation: &'a Equation, own: u32, last: u32) -> Option<&'a NestValue> {
    let EquationBody::Fold(fold) = &equation.work else { return None };
    let [state] = &fold.states[..] else { return None };
    let (condition, still, moving) = factors(state, last)?;
    let is_free = |c: &NestValue| is_condition(c) && !c.mentions(own) && !c.mentions(last);
    (matches!(still, NestValue::Load(_)) && condition.is_none_or(is_free) && is_row(system, moving, own, last))
        .then_some(moving)
}

/// The number of the turned copy that such a sum reads.
fn turned(system: &EquationSystem, equation: &Equation, last: u32) -> Option<usize> {
    let EquationBody::Fold(fold) = &equation.work else { return None };
    let [state] = &fold.states[..] else { return None };
    let (_, _, moving) = factors(state, last)?;
    let NestValue::Load(place) = moving else { return None };
    let is_own = |other: &Equation| other.layout == StripLayout::Turned && other.cells().contains(&place.cell);
    let found = system.equations.iter().position(is_own)?;
    (place.indices.last() == Some(&load(last))).then_some(found)
}
