//! Propagates constants: numbers that are known before anything runs are put where they are read, and computed with.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::nest::equations::Freedom;
use crate::nest::ir::value::map;
use crate::nest::ir::walk::{each, rewritten, stored};
use crate::nest::ir::{NestPlace, NestValue, ScalarKind, Stmt};
use redexter_language::term::Prim;

/// A part of a table, or a name.
type ElementKey = (u32, Vec<i64>);

/// Statements that compute what is known no more.
pub(in crate::nest) fn constants(mut body: Vec<Stmt>, freedom: Freedom) -> Vec<Stmt> {
    let mut count = 0;
    loop {
        body = rewritten(body, &|value| map(value, &mut |part| known(part, freedom)));
        // What is computed of constants may be one, too: so again until there are no more.
        let constants = found(&body);
        if constants.len() == count {
            return body;
        }
        count = constants.len();
        let put = |part| match &part {
            NestValue::Load(place) => constant(place, &constants).cloned().unwrap_or(part),
            _ => part,
        };
        body = rewritten(body, &|value| match freedom.reorders() {
            false => map(value, &mut { put }),
            true => map(&noughts(value, &constants), &mut { put }),
        });
    }
}

/// Names of constants; parts of tables that hold some, where nothing else is ever stored in the table in a loop or a branch.
fn found(body: &[Stmt]) -> FxHashMap<ElementKey, NestValue> {
    let (mut all, mut others) = (FxHashMap::default(), FxHashSet::default());
    let is_constant = |value: &NestValue| matches!(value, NestValue::Real(_) | NestValue::Int(_));
    for stmt in body {
        match stmt {
            Stmt::Set(place, value) => {
                let key = key(place.cell, &place.indices).filter(|_| is_constant(value) && !place.indices.is_empty());
                // What is stored twice, or at an index that isn't known, or is no constant, leaves all of its array out: readers
                // may find something else.
                if key.is_none_or(|key| all.insert(key, value.clone()).is_some()) {
                    others.insert(place.cell);
                }
            }
            // Whether and when stores in loops and branches happen isn't known. Reads stand behind the one store, since nothing
            // is read before it is written.
            stmt => stmt.inside().into_iter().for_each(|inside| others.extend(stored(inside))),
        }
    }
    all.retain(|(cell, _), _| !others.contains(cell));
    each(body, &mut |stmt| {
        // What a `let` binds stays as it is, so that it may stand anywhere.
        if let Stmt::Let(slot, value) = stmt
            && is_constant(value)
        {
            all.insert((slot.cell, Vec::new()), value.clone());
        }
    });
    all
}

fn constant<'a>(place: &NestPlace, constants: &'a FxHashMap<ElementKey, NestValue>) -> Option<&'a NestValue> {
    constants.get(&key(place.cell, &place.indices)?)
}

fn key(cell: u32, indices: &[NestValue]) -> Option<ElementKey> {
    let indices = indices.iter().map(|index| if let NestValue::Int(k) = index { Some(*k) } else { None });
    Some((cell, indices.collect::<Option<_>>()?))
}

/// A value in which what is multiplied by a 0 that stood in a table, or had a name, isn't computed.
fn noughts(value: &NestValue, constants: &FxHashMap<ElementKey, NestValue>) -> NestValue {
    match value {
        value if is_nought(value, constants) => NestValue::Real(0.0),
        NestValue::Prim(prim, number, operands) => {
            NestValue::Prim(*prim, *number, operands.iter().map(|operand| noughts(operand, constants)).collect())
        }
        NestValue::Select(p) => {
            NestValue::Select(Box::new((p.0.clone(), noughts(&p.1, constants), noughts(&p.2, constants))))
        }
        value => value.clone(),
    }
}

fn is_nought(value: &NestValue, constants: &FxHashMap<ElementKey, NestValue>) -> bool {
    match value {
        NestValue::Load(place) => constant(place, constants).is_some_and(is_any_zero),
        NestValue::Prim(Prim::Mul, ScalarKind::Real, operands) => {
            operands.iter().any(|operand| is_nought(operand, constants))
        }
        NestValue::Prim(Prim::Add | Prim::Sub | Prim::Neg, ScalarKind::Real, operands) => {
            operands.iter().all(|operand| is_nought(operand, constants))
        }
        _ => false,
    }
}

/// 0 of either sign.
fn is_any_zero(value: &NestValue) -> bool {
    matches!(value, NestValue::Real(x) if *x == 0.0)
}

/// Arithmetic with constants. Without freedom the result has the bits that the program would compute when it runs.
fn known(value: NestValue, freedom: Freedom) -> NestValue {
    let NestValue::Prim(prim, ScalarKind::Real, operands) = &value else { return value };
    let is = |x: f64| move |value: &NestValue| *value == NestValue::Real(x);
    let is_fast = freedom.reorders();
    let better = match (prim, &operands[..]) {
        (Prim::Add, [NestValue::Real(a), NestValue::Real(b)]) => number(a + b),
        (Prim::Sub, [NestValue::Real(a), NestValue::Real(b)]) => number(a - b),
        (Prim::Mul, [NestValue::Real(a), NestValue::Real(b)]) => number(a * b),
        (Prim::Div, [NestValue::Real(a), NestValue::Real(b)]) => number(a / b),
        (Prim::Neg, [NestValue::Real(a)]) => number(-a),
        (Prim::Mul, [a, b]) if is(1.0)(a) => Some(b.clone()),
        (Prim::Mul | Prim::Div, [a, b]) if is(1.0)(b) => Some(a.clone()),
        // To take 0 away changes no bit, whereas to add it, or to take -0 away, makes 0 of -0.
        (Prim::Sub, [a, b]) if is(0.0)(b) || is_fast && is_any_zero(b) => Some(a.clone()),
        (Prim::Add, [a, b]) if is_fast && is_any_zero(b) => Some(a.clone()),
        (Prim::Add, [a, b]) if is_fast && is_any_zero(a) => Some(b.clone()),
        (Prim::Sub, [a, b]) if is_fast && is_any_zero(a) => {
            Some(NestValue::Prim(Prim::Neg, ScalarKind::Real, vec![b.clone()]))
        }
        _ => None,
    };
    better.unwrap_or(value)
}

/// A result, unless it is NaN, whose bits a processor chooses.
fn number(x: f64) -> Option<NestValue> {
    (!x.is_nan()).then_some(NestValue::Real(x))
}
