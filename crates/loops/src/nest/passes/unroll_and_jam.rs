//! Unrolls a loop by two and jams both iterations into one, where they read the same in a loop inside: what is loaded once
//! serves both.
//!
//! Each iteration does what it did in its order, and the iterations are independent of each other.

use rustc_hash::FxHashMap;

use crate::nest::dependence::Iterations;
use crate::nest::ir::value::{load, replace, replace_at};
use crate::nest::ir::walk::rewritten;
use crate::nest::ir::{LoopRange, NestSlot, NestValue, ScalarKind, Stmt};
use redexter_language::term::Prim;

/// A loop over lanes that have a loop inside, two iterations at a time; any other as it is.
pub(in crate::nest) fn jam(cells: &mut u32, range: LoopRange, body: Vec<Stmt>) -> Stmt {
    let [Stmt::Lanes(lanes, inside)] = &body[..] else { return Stmt::For(range, body) };
    let has_loop = inside.iter().any(|stmt| matches!(stmt, Stmt::For(..)));
    let grows = lanes.to.mentions(range.cell);
    let is_worth = has_loop && (!grows || lanes.most.is_some() && rises(&lanes.to, range.cell));
    // Statements of both are mixed, so that neither may read or overwrite what the other stores.
    if !is_worth || !Iterations::over(&range, inside).are_independent() {
        return Stmt::For(range, body);
    }
    let next = NestValue::Prim(Prim::Add, ScalarKind::Int, vec![load(range.cell), NestValue::Int(1)]);
    let mut names: FxHashMap<u32, NestValue> = [(range.cell, next)].into_iter().collect();
    names.insert(lanes.cell, load(lanes.cell));
    // Where the first iteration ends a little earlier, more of it is computed than anybody asks for: `most` leaves room for
    // that.
    let longest = LoopRange { to: replace(&lanes.to, &names), ..lanes.clone() };
    let second = renamed(cells, inside, &mut names);
    let both = merged(inside.clone(), second, range.cell);
    Stmt::Pairs(range, vec![Stmt::Lanes(longest, both)], body)
}

/// The same with other variables, and other values for what has names.
pub(in crate::nest) fn renamed(cells: &mut u32, body: &[Stmt], names: &mut FxHashMap<u32, NestValue>) -> Vec<Stmt> {
    let mut all = Vec::new();
    for stmt in body {
        all.push(match stmt {
            Stmt::Let(slot, value) => {
                let value = replace(value, names);
                Stmt::Let(fresh(cells, slot, names), value)
            }
            Stmt::Var(slot) => Stmt::Var(fresh(cells, slot, names)),
            Stmt::Set(place, value) => Stmt::Set(replace_at(place, names), replace(value, names)),
            Stmt::For(range, inside) | Stmt::Lanes(range, inside) => {
                let (from, to) = (replace(&range.from, names), replace(&range.to, names));
                let cell = fresh_cell(cells);
                names.insert(range.cell, load(cell));
                let inside = renamed(cells, inside, names);
                let range = LoopRange { cell, from, to, ..range.clone() };
                match stmt {
                    Stmt::For(..) => Stmt::For(range, inside),
                    _ => Stmt::Lanes(range, inside),
                }
            }
            Stmt::Pairs(range, two, one) => {
                let (from, to) = (replace(&range.from, names), replace(&range.to, names));
                let cell = fresh_cell(cells);
                names.insert(range.cell, load(cell));
                let (two, one) = (renamed(cells, two, names), renamed(cells, one, names));
                Stmt::Pairs(LoopRange { cell, from, to, ..range.clone() }, two, one)
            }
            Stmt::Strips(strips, inside) => Stmt::Strips(strips.clone(), renamed(cells, inside, names)),
            Stmt::If(condition, a, b) => {
                let condition = replace(condition, names);
                Stmt::If(condition, renamed(cells, a, names), renamed(cells, b, names))
            }
        });
    }
    all
}

fn fresh_cell(cells: &mut u32) -> u32 {
    *cells += 1;
    *cells
}

fn fresh(cells: &mut u32, slot: &NestSlot, names: &mut FxHashMap<u32, NestValue>) -> NestSlot {
    let other = NestSlot { cell: fresh_cell(cells), ..slot.clone() };
    names.insert(slot.cell, load(other.cell));
    other
}

/// Both side by side: loops in one where they run alike, or the second one a little longer.
fn merged(first: Vec<Stmt>, second: Vec<Stmt>, index: u32) -> Vec<Stmt> {
    let mut all = Vec::new();
    for (a, b) in first.into_iter().zip(second) {
        match (a, b) {
            (Stmt::For(r, one), Stmt::For(s, two)) if r.from == s.from && (r.to == s.to || rises(&r.to, index)) => {
                let names = [(s.cell, load(r.cell))].into_iter().collect();
                let with_first = rewritten(two.clone(), &|value| replace(value, &names));
                all.push(Stmt::For(r.clone(), merged(one, with_first, index)));
                // The second iteration may go further than the first: the rest of it is a loop of its own.
                if r.to != s.to {
                    all.push(Stmt::For(LoopRange { from: r.to, ..s }, two));
                }
            }
            (a, b) => all.extend([a, b]),
        }
    }
    all
}

/// Whether it is the index and something more.
fn rises(value: &NestValue, index: u32) -> bool {
    match value {
        NestValue::Prim(Prim::Add, ScalarKind::Int, both) => {
            both[0] == load(index) && matches!(both[1], NestValue::Int(_))
        }
        value => *value == load(index),
    }
}
