//! Makes equations of loops: states that read each other stay together, others go apart (loop fission), and where the best
//! element is found its value is carried beside it.

use rustc_hash::FxHashMap;

use super::read::EquationReader;
use super::{EquationBody, EquationResult, FoldEquation, FoldState, Inexpressible, LoopIndex};
use crate::nest::ir::value::{load, map, replace};
use crate::nest::ir::{NestPlace, NestValue, ScalarKind};
use redexter_language::term::PrimClass;

/// A number that a loop carries, or the element of an array at these indices.
pub(super) struct CarriedState {
    pub(super) state: FoldState,
    pub(super) indices: Vec<LoopIndex>,
}

/// What reads each number when the loop has ended. Elements of arrays may only read their own places.
pub(super) fn scan(
    reader: &mut EquationReader,
    over: &LoopIndex,
    all: Vec<CarriedState>,
) -> EquationResult<Vec<NestValue>> {
    let mut groups: Vec<usize> = (0..all.len()).collect();
    for (k, own) in all.iter().enumerate() {
        for (m, other) in all.iter().enumerate() {
            // Whichever of both reads the other, they have to run in one loop.
            if own.state.next.mentions(other.state.slot.cell) {
                let (from, to) = (groups[k], groups[m]);
                groups.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
            }
        }
    }
    let mut results: Vec<Option<NestValue>> = vec![None; all.len()];
    for group in 0..all.len() {
        let own: Vec<usize> = (0..all.len()).filter(|k| groups[*k] == group).collect();
        if own.is_empty() {
            continue;
        }
        let reads = together(reader, over, &own.iter().map(|k| &all[*k]).collect::<Vec<_>>())?;
        own.into_iter().zip(reads).for_each(|(k, read)| results[k] = Some(read));
    }
    results.into_iter().collect::<Option<Vec<NestValue>>>().ok_or(Inexpressible)
}

/// States that read each other are one equation, whose arrays have the same indices.
fn together(reader: &mut EquationReader, over: &LoopIndex, all: &[&CarriedState]) -> EquationResult<Vec<NestValue>> {
    let first = &all[0].indices;
    let sizes = |carried: &CarriedState| carried.indices.iter().map(|index| index.size.clone()).collect::<Vec<_>>();
    if all.iter().any(|other| sizes(other) != sizes(all[0])) {
        return Err(Inexpressible);
    }
    let at: Vec<NestValue> = first.iter().map(|index| load(index.cell)).collect();
    let mut states = Vec::new();
    for own in all {
        let names = own.indices.iter().map(|index| index.cell).zip(at.iter().cloned()).collect::<FxHashMap<_, _>>();
        let init = replace(&own.state.init, &names);
        let mut next = replace(&own.state.next, &names);
        for other in all {
            next = running(&next, other.state.slot.cell, &at)?;
        }
        states.push(FoldState { slot: own.state.slot.clone(), init, next });
    }
    // The best element's value is one state more, in front: who asked for the results of the loop doesn't know it.
    let best = best(reader, over, &states);
    let picked = best.is_some();
    let fold = FoldEquation { over: over.clone(), states: best.unwrap_or(states), beside: None };
    let reads = reader.add(EquationBody::Fold(fold))?;
    let reads = if picked { reads[1..].to_vec() } else { reads };
    let back = |own: &CarriedState| {
        first.iter().map(|index| index.cell).zip(own.indices.iter().map(|index| load(index.cell))).collect()
    };
    Ok(all.iter().zip(reads).map(|(own, read)| replace(&read, &back(own))).collect())
}

/// A state as it runs, read at its own indices alone.
fn running(value: &NestValue, cell: u32, at: &[NestValue]) -> EquationResult<NestValue> {
    let mut fits = true;
    let value = map(value, &mut |part| match &part {
        NestValue::Load(place) if place.cell == cell => {
            fits &= place.indices == at;
            load(cell)
        }
        _ => part,
    });
    if fits { Ok(value) } else { Err(Inexpressible) }
}

/// `fun best i => if v[best] < v[i] then i else best` from 0 on, as two states: `v[best]` and `best`.
fn best(reader: &mut EquationReader, over: &LoopIndex, states: &[FoldState]) -> Option<Vec<FoldState>> {
    let [FoldState { slot, init: NestValue::Int(0), next: NestValue::Select(p) }] = states else { return None };
    let (own, index) = (load(slot.cell), load(over.cell));
    let NestValue::Prim(prim, ScalarKind::Real, operands) = &p.0 else { return None };
    let [a, b] = &operands[..] else { return None };
    // Only a comparison decides which is better; the sides must be this index and the one so far.
    if p.1 != index || p.2 != own || prim.class() != PrimClass::Comparison {
        return None;
    }
    let here = |value: &NestValue| replace(value, &[(slot.cell, index.clone())].into_iter().collect());
    let (value, is_first) = match (a.mentions(slot.cell), b.mentions(slot.cell)) {
        (true, false) if here(a) == *b => (b, true),
        (false, true) if here(b) == *a => (a, false),
        _ => return None,
    };
    let most = reader.slot(&slot.hint, ScalarKind::Real);
    let known = load(most.cell);
    // Operands keep their places, so that NaN and equal elements decide as in the program.
    let both = if is_first { vec![known.clone(), value.clone()] } else { vec![value.clone(), known.clone()] };
    let better = NestValue::Prim(*prim, ScalarKind::Real, both);
    let chosen = |a: &NestValue, b: &NestValue| NestValue::Select(Box::new((better.clone(), a.clone(), b.clone())));
    // The program begins with element 0 as the best so far.
    let start = replace(value, &[(over.cell, NestValue::Int(0))].into_iter().collect());
    let value = FoldState { slot: most, init: start, next: chosen(value, &known) };
    Some(vec![value, FoldState { slot: slot.clone(), init: NestValue::Int(0), next: chosen(&index, &own) }])
}

/// Of a loop that finds the best element: how others read that element, and the state that has its value. None for other loops.
pub(super) fn found(fold: &FoldEquation, dims: &[LoopIndex]) -> Option<(NestValue, NestValue)> {
    let [most, best] = &fold.states[..] else { return None };
    let (NestValue::Select(p), NestValue::Select(q)) = (&most.next, &best.next) else { return None };
    if q.1 != load(fold.over.cell) || q.2 != load(best.slot.cell) || p.2 != load(most.slot.cell) || p.0 != q.0 {
        return None;
    }
    let at: Vec<NestValue> = dims.iter().map(|index| load(index.cell)).collect();
    let read = |cell: u32| NestValue::Load(NestPlace { cell, indices: at.clone() });
    let element = replace(&p.1, &[(fold.over.cell, read(best.slot.cell))].into_iter().collect());
    Some((element, read(most.slot.cell)))
}
