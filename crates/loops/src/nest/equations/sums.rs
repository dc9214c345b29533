//! Skips the iterations of sums that add nothing under a condition; then a sum of one element for each iteration can be added
//! where it belongs.
//!
//! Passing over `+ 0` changes no bit of a sum that begins with anything but -0, and a sum that begins with 0 is never -0.

use super::{EquationBody, EquationSystem, FoldState, Freedom};
use crate::nest::ir::value::{is_condition, is_zero, load, map};
use crate::nest::ir::{NestValue, ScalarKind};
use redexter_language::term::Prim;

/// `acc + (if c then e else 0)` becomes `if c then acc + e else acc`.
pub(super) fn sums(system: &mut EquationSystem, freedom: Freedom) {
    for equation in &mut system.equations {
        // 0 times a number is NaN where that is infinite or NaN: to take it for 0 needs freedom.
        if freedom.reorders() {
            equation.rewrite(&mut |value| map(value, &mut product));
        }
        match &mut equation.work {
            EquationBody::Fold(fold) => fold.states.iter_mut().for_each(passed_over),
            EquationBody::Scatter(scatter) => passed_over(&mut scatter.sum),
            EquationBody::Map(..) | EquationBody::Out(..) => {}
        }
    }
}

/// What a sum adds in an iteration.
pub(in crate::nest) fn addend(state: &FoldState) -> Option<&NestValue> {
    let NestValue::Prim(Prim::Add, ScalarKind::Real, operands) = &state.next else { return None };
    let [own, addend] = &operands[..] else { return None };
    (*own == load(state.slot.cell) && !addend.mentions(state.slot.cell)).then_some(addend)
}

fn passed_over(state: &mut FoldState) {
    // A sum that begins with -0 becomes 0 where 0 is added, so that there adding 0 matters.
    if !is_zero(&state.init) {
        return;
    }
    if let Some(choice @ NestValue::Select(_)) = addend(state) {
        state.next = added(choice, &load(state.slot.cell));
    }
}

/// A sum and something more: the sum alone where that is 0.
fn added(value: &NestValue, own: &NestValue) -> NestValue {
    match value {
        zero if is_zero(zero) => own.clone(),
        // The condition is negated, so that the sum as it is stands on the second side, where branches are recognised.
        NestValue::Select(p) if is_zero(&p.1) => {
            NestValue::Select(Box::new((super::read::negated(&p.0), added(&p.2, own), own.clone())))
        }
        NestValue::Select(p) if is_zero(&p.2) || is_condition(&p.0) && ends_in_zero(&p.2) => {
            NestValue::Select(Box::new((p.0.clone(), added(&p.1, own), added(&p.2, own))))
        }
        value => NestValue::Prim(Prim::Add, ScalarKind::Real, vec![own.clone(), value.clone()]),
    }
}

/// A product with a choice between something and 0 is one.
fn product(value: NestValue) -> NestValue {
    let NestValue::Prim(Prim::Mul, ScalarKind::Real, operands) = &value else { return value };
    let [a, b] = &operands[..] else { return value };
    let multiplied = |a: &NestValue, b: &NestValue| match (a, b) {
        (NestValue::Real(1.0), other) | (other, NestValue::Real(1.0)) => other.clone(),
        (zero, _) | (_, zero) if is_zero(zero) => NestValue::Real(0.0),
        (a, b) => product(NestValue::Prim(Prim::Mul, ScalarKind::Real, vec![a.clone(), b.clone()])),
    };
    let is_choice = |p: &(NestValue, NestValue, NestValue)| is_zero(&p.1) || is_zero(&p.2) || ends_in_zero(&p.2);
    match (a, b) {
        (NestValue::Select(p), other) if is_choice(p) => {
            NestValue::Select(Box::new((p.0.clone(), multiplied(&p.1, other), multiplied(&p.2, other))))
        }
        (other, NestValue::Select(p)) if is_choice(p) => {
            NestValue::Select(Box::new((p.0.clone(), multiplied(other, &p.1), multiplied(other, &p.2))))
        }
        _ => value,
    }
}

fn ends_in_zero(value: &NestValue) -> bool {
    match value {
        NestValue::Select(p) => is_zero(&p.1) || ends_in_zero(&p.2),
        value => is_zero(value),
    }
}
