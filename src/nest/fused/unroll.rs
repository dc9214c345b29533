//! Short loops in which an index is compared with constants, round by round: what the comparisons choose is known then.

use rustc_hash::FxHashMap;

use super::jam::renamed;
use super::joined::joined;
use crate::nest::code::{Number, Range, Stmt, Value};
use crate::nest::equation::System;
use crate::nest::equation::relation::settled;
use crate::nest::equation::value::{load, walk};
use crate::nest::walk::each_value;
use crate::term::Class;

/// The longest loop that is written so.
const MOST_ROUNDS: i64 = 16;

/// The largest that all of them may be together, in parts of values.
const MOST_PARTS: usize = 20_000;

/// Statements without such loops.
pub(super) fn unrolled(system: &mut System, body: Vec<Stmt>) -> Vec<Stmt> {
    body.into_iter().flat_map(|stmt| one(system, stmt)).collect()
}

fn one(system: &mut System, stmt: Stmt) -> Vec<Stmt> {
    let stmt = stmt.with(&mut Value::clone, &mut |body| unrolled(system, body));
    let Stmt::For(range, inside) = &stmt else { return vec![stmt] };
    let Some(rounds) = rounds(range, inside) else { return vec![stmt] };
    let all = (0..rounds).flat_map(|k| round(system, range, inside, k)).collect();
    joined(system, all)
}

/// How many rounds a loop has, if they are to be written one by one.
fn rounds(range: &Range, inside: &[Stmt]) -> Option<i64> {
    let (Value::Int(0), Value::Int(rounds), 1) = (&range.from, &range.to, range.step) else { return None };
    let (mut parts, mut asks) = (0, false);
    each_value(inside, &mut |value| {
        parts += value.size();
        walk(value, &mut |part| asks |= is_asked(part, range.cell));
    });
    (asks && (1..=MOST_ROUNDS).contains(rounds) && parts * *rounds as usize <= MOST_PARTS).then_some(*rounds)
}

/// Whether an index is compared with a constant here.
fn is_asked(value: &Value, index: u32) -> bool {
    let Value::Prim(prim, Number::Int, operands) = value else { return false };
    match &operands[..] {
        [a, Value::Int(_)] | [Value::Int(_), a] => *a == load(index) && prim.class() == Class::Comparison,
        _ => false,
    }
}

fn round(system: &mut System, range: &Range, inside: &[Stmt], k: i64) -> Vec<Stmt> {
    let mut names: FxHashMap<u32, Value> = [(range.cell, Value::Int(k))].into_iter().collect();
    renamed(system, inside, &mut names).into_iter().flat_map(known).collect()
}

/// A statement in which comparisons of constants are decided.
fn known(stmt: Stmt) -> Vec<Stmt> {
    let stmt = stmt.with(&mut settled, &mut |body| body.into_iter().flat_map(known).collect());
    match stmt {
        Stmt::If(Value::Int(k), a, b) => {
            if k == 0 {
                b
            } else {
                a
            }
        }
        stmt => vec![stmt],
    }
}
