//! Two rounds of a loop at once, where both read the same in a loop inside: what is loaded once serves both.
//!
//! Each round does what it did in its order; that rounds don't depend on each other is seen from what they store: places that
//! move with the loop's index.

use rustc_hash::FxHashMap;

use crate::nest::code::{Number, Place, Range, Slot, Stmt, Value};
use crate::nest::equation::System;
use crate::nest::equation::value::{load, replace, replace_at};
use crate::nest::walk::{each, rewritten};
use crate::term::Prim;

/// A loop over lanes that have a loop inside, two rounds at a time; any other as it is.
pub(super) fn jam(system: &mut System, range: Range, body: Vec<Stmt>) -> Vec<Stmt> {
    let [Stmt::Lanes(lanes, inside)] = &body[..] else { return vec![Stmt::For(range, body)] };
    let has_loop = inside.iter().any(|stmt| matches!(stmt, Stmt::For(..)));
    let grows = lanes.to.mentions(range.cell);
    if !has_loop || !is_apart(inside, range.cell) || grows && !(lanes.most.is_some() && rises(&lanes.to, range.cell)) {
        return vec![Stmt::For(range, body)];
    }
    let next = system.number("next", Number::Int);
    let after = |k: i64| Value::Prim(Prim::Add, Number::Int, vec![load(range.cell), Value::Int(k)]);
    let mut names: FxHashMap<u32, Value> = [(range.cell, after(1))].into_iter().collect();
    names.insert(lanes.cell, load(lanes.cell));
    // Where the first round ends a little earlier, more of it is computed than anybody asks for.
    let longest = Range { to: replace(&lanes.to, &names), ..lanes.clone() };
    let second = renamed(system, inside, &mut names);
    let both = merged(inside.clone(), second, range.cell);
    let last = Value::Prim(Prim::Sub, Number::Int, vec![range.to.clone(), Value::Int(1)]);
    let pairs = Range { to: last, step: 2, ..range.clone() };
    let place = Place { cell: next.cell, indices: Vec::new() };
    let round = vec![Stmt::Lanes(longest, both), Stmt::Set(place.clone(), after(2))];
    let rest = Range { from: load(next.cell), ..range.clone() };
    vec![Stmt::Var(next), Stmt::Set(place, range.from.clone()), Stmt::For(pairs, round), Stmt::For(rest, body)]
}

/// Whether all that is stored outside of variables is stored where the index is one of the indices.
fn is_apart(body: &[Stmt], index: u32) -> bool {
    let (mut own, mut apart) = (Vec::new(), true);
    each(body, &mut |stmt| match stmt {
        Stmt::Let(slot, _) | Stmt::Var(slot) => own.push(slot.cell),
        Stmt::Set(place, _) => apart &= own.contains(&place.cell) || place.indices.contains(&load(index)),
        _ => {}
    });
    apart
}

/// The same with other variables, and other values for what has names.
pub(super) fn renamed(system: &mut System, body: &[Stmt], names: &mut FxHashMap<u32, Value>) -> Vec<Stmt> {
    let mut all = Vec::new();
    for stmt in body {
        all.push(match stmt {
            Stmt::Let(slot, value) => {
                let value = replace(value, names);
                Stmt::Let(fresh(system, slot, names), value)
            }
            Stmt::Var(slot) => Stmt::Var(fresh(system, slot, names)),
            Stmt::Set(place, value) => Stmt::Set(replace_at(place, names), replace(value, names)),
            Stmt::For(range, inside) | Stmt::Lanes(range, inside) => {
                let (from, to) = (replace(&range.from, names), replace(&range.to, names));
                let cell = system.cell();
                names.insert(range.cell, load(cell));
                let inside = renamed(system, inside, names);
                let range = Range { cell, from, to, ..range.clone() };
                match stmt {
                    Stmt::For(..) => Stmt::For(range, inside),
                    _ => Stmt::Lanes(range, inside),
                }
            }
            Stmt::Strips(strips, inside) => Stmt::Strips(strips.clone(), renamed(system, inside, names)),
            Stmt::If(condition, a, b) => {
                let condition = replace(condition, names);
                Stmt::If(condition, renamed(system, a, names), renamed(system, b, names))
            }
        });
    }
    all
}

fn fresh(system: &mut System, slot: &Slot, names: &mut FxHashMap<u32, Value>) -> Slot {
    let other = Slot { cell: system.cell(), ..slot.clone() };
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
                if r.to != s.to {
                    all.push(Stmt::For(Range { from: r.to, ..s }, two));
                }
            }
            (a, b) => all.extend([a, b]),
        }
    }
    all
}

/// Whether it is the index and something more.
fn rises(value: &Value, index: u32) -> bool {
    match value {
        Value::Prim(Prim::Add, Number::Int, both) => both[0] == load(index) && matches!(both[1], Value::Int(_)),
        value => *value == load(index),
    }
}
