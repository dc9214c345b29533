//! Unrolls short loops in which an index is compared with constants: what the comparisons choose is known then.

use rustc_hash::FxHashMap;

use super::fuse_lanes::joined;
use super::unroll_and_jam::renamed;
use crate::nest::equations::relation::settled;
use crate::nest::ir::value::{load, walk};
use crate::nest::ir::walk::each_value;
use crate::nest::ir::{LoopRange, NestValue, ScalarKind, Stmt};
use crate::nest::{NestStyle, Pass};
use redexter_language::term::PrimClass;

/// The longest loop that is written so.
const MAX_ITERATIONS: i64 = 16;

/// The largest that all of them may be together, in parts of values.
const MOST_PARTS: usize = 20_000;

/// Statements without such loops.
pub(in crate::nest) fn unrolled(cells: &mut u32, body: Vec<Stmt>, style: &NestStyle) -> Vec<Stmt> {
    body.into_iter().flat_map(|stmt| one(cells, stmt, style)).collect()
}

fn one(cells: &mut u32, stmt: Stmt, style: &NestStyle) -> Vec<Stmt> {
    let stmt = stmt.with(&mut NestValue::clone, &mut |body| unrolled(cells, body, style));
    let Stmt::For(range, inside) = &stmt else { return vec![stmt] };
    let Some(rounds) = rounds(range, inside) else { return vec![stmt] };
    let all = (0..rounds).flat_map(|k| round(cells, range, inside, k)).collect();
    if style.does(Pass::FuseLanes) { joined(cells, all) } else { all }
}

/// How many iterations a loop has, if they are to be written one by one.
fn rounds(range: &LoopRange, inside: &[Stmt]) -> Option<i64> {
    let (NestValue::Int(0), NestValue::Int(rounds)) = (&range.from, &range.to) else { return None };
    // Written out, a loop pays only where comparisons of its index are decided by it.
    let (mut parts, mut asks) = (0, false);
    each_value(inside, &mut |value| {
        parts += value.size();
        walk(value, &mut |part| asks |= is_asked(part, range.cell));
    });
    (asks && (1..=MAX_ITERATIONS).contains(rounds) && parts * *rounds as usize <= MOST_PARTS).then_some(*rounds)
}

/// Whether an index is compared with a constant here.
fn is_asked(value: &NestValue, index: u32) -> bool {
    let NestValue::Prim(prim, ScalarKind::Int, operands) = value else { return false };
    match &operands[..] {
        [a, NestValue::Int(_)] | [NestValue::Int(_), a] => *a == load(index) && prim.class() == PrimClass::Comparison,
        _ => false,
    }
}

fn round(cells: &mut u32, range: &LoopRange, inside: &[Stmt], k: i64) -> Vec<Stmt> {
    let mut names: FxHashMap<u32, NestValue> = [(range.cell, NestValue::Int(k))].into_iter().collect();
    settled_stmts(renamed(cells, inside, &mut names))
}

/// Statements in which comparisons of constants are decided.
pub(super) fn settled_stmts(body: Vec<Stmt>) -> Vec<Stmt> {
    body.into_iter().flat_map(known).collect()
}

/// A statement in which comparisons of constants are decided.
fn known(stmt: Stmt) -> Vec<Stmt> {
    let stmt = stmt.with(&mut settled, &mut settled_stmts);
    match stmt {
        Stmt::If(NestValue::Int(k), a, b) => {
            if k == 0 {
                b
            } else {
                a
            }
        }
        stmt => vec![stmt],
    }
}
