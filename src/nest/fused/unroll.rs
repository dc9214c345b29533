//! Short loops in which an index is compared with constants, round by round: what the comparisons choose is known then.

use rustc_hash::FxHashMap;

use super::jam::renamed;
use crate::nest::code::{Number, Place, Range, Stmt, Value};
use crate::nest::equation::System;
use crate::nest::equation::relation::settled;
use crate::nest::equation::value::{load, size, walk};
use crate::term::Class;

/// The largest that all of them may be together, in parts of values.
const MOST_PARTS: usize = 20_000;

/// Statements without such loops of at most so many rounds.
pub(super) fn unrolled(system: &mut System, body: Vec<Stmt>, most: u32) -> Vec<Stmt> {
    body.into_iter().flat_map(|stmt| one(system, stmt, most)).collect()
}

fn one(system: &mut System, stmt: Stmt, most: u32) -> Vec<Stmt> {
    match stmt {
        Stmt::For(range, inside) => {
            let inside = unrolled(system, inside, most);
            match rounds(&range, &inside, most) {
                Some(rounds) => (0..rounds).flat_map(|k| round(system, &range, &inside, k)).collect(),
                None => vec![Stmt::For(range, inside)],
            }
        }
        Stmt::Lanes(range, inside) => vec![Stmt::Lanes(range, unrolled(system, inside, most))],
        Stmt::Strips(strips, inside) => vec![Stmt::Strips(strips, unrolled(system, inside, most))],
        Stmt::If(condition, a, b) => vec![Stmt::If(condition, unrolled(system, a, most), unrolled(system, b, most))],
        stmt => vec![stmt],
    }
}

/// How many rounds a loop has, if they are to be written one by one.
fn rounds(range: &Range, inside: &[Stmt], most: u32) -> Option<i64> {
    let (Value::Int(0), Value::Int(rounds), 1) = (&range.from, &range.to, range.step) else { return None };
    let (mut parts, mut asks) = (0, false);
    values(inside, &mut |value| {
        parts += size(value);
        walk(value, &mut |part| asks |= is_asked(part, range.cell));
    });
    (asks && (1..=i64::from(most)).contains(rounds) && parts * *rounds as usize <= MOST_PARTS).then_some(*rounds)
}

/// Whether an index is compared with a constant here.
fn is_asked(value: &Value, index: u32) -> bool {
    let Value::Prim(prim, Number::Int, operands) = value else { return false };
    match &operands[..] {
        [a, Value::Int(_)] | [Value::Int(_), a] => *a == load(index) && prim.class() == Class::Comparison,
        _ => false,
    }
}

fn values<'a>(body: &'a [Stmt], each: &mut impl FnMut(&'a Value)) {
    for stmt in body {
        match stmt {
            Stmt::Let(_, value) | Stmt::Set(_, value) => each(value),
            Stmt::Var(_) => {}
            Stmt::For(_, inside) | Stmt::Lanes(_, inside) | Stmt::Strips(_, inside) => values(inside, each),
            Stmt::If(condition, a, b) => {
                each(condition);
                values(a, each);
                values(b, each);
            }
        }
    }
}

fn round(system: &mut System, range: &Range, inside: &[Stmt], k: i64) -> Vec<Stmt> {
    let mut names: FxHashMap<u32, Value> = [(range.cell, Value::Int(k))].into_iter().collect();
    renamed(system, inside, &mut names).into_iter().flat_map(known).collect()
}

/// A statement in which comparisons of constants are decided.
fn known(stmt: Stmt) -> Vec<Stmt> {
    let all = |body: Vec<Stmt>| body.into_iter().flat_map(known).collect::<Vec<Stmt>>();
    vec![match stmt {
        Stmt::Let(slot, value) => Stmt::Let(slot, settled(&value)),
        Stmt::Var(slot) => Stmt::Var(slot),
        Stmt::Set(place, value) => {
            let indices = place.indices.iter().map(settled).collect();
            Stmt::Set(Place { cell: place.cell, indices }, settled(&value))
        }
        Stmt::For(range, inside) => Stmt::For(range, all(inside)),
        Stmt::Lanes(range, inside) => Stmt::Lanes(range, all(inside)),
        Stmt::Strips(strips, inside) => Stmt::Strips(strips, all(inside)),
        Stmt::If(condition, a, b) => match settled(&condition) {
            Value::Int(0) => return all(b),
            Value::Int(_) => return all(a),
            condition => Stmt::If(condition, all(a), all(b)),
        },
    }]
}
