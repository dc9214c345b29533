//! Fuses loops of programs that equations can't say (loop fusion), and keeps in numbers what one iteration stores and it alone
//! reads (array contraction).
//!
//! A step of a loop with a state is many loops over the state's arrays, one for each table. Those over the same indices become
//! one where each iteration touches elements of its own; order within an element stays, so that every bit does.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::nest::dependence::{CellRole, Iterations};
use crate::nest::ir::value::{load, map, replace};
use crate::nest::ir::walk::{changed, mentioned, places, rewritten};
use crate::nest::ir::{DenseArray, Nest, NestSlot, NestValue, Stmt, each};

/// Over so many statements a loop is moved up at most: what is found is searched again for each.
const MAX_MOVED_OVER: usize = 32;

/// Fuses loops in loops and side by side, then contracts.
pub(in crate::nest) fn fuse_loops(nest: &mut Nest) {
    nest.body = fused(std::mem::take(&mut nest.body));
    contract(nest);
}

/// What a loop does in each iteration: loops that can be vectorised aren't fused with such as can't.
#[derive(Clone, Copy, PartialEq, Eq)]
struct LoopKind {
    has_loops: bool,
    /// Whether a number goes through its iterations, or those of a loop inside.
    carries: bool,
}

/// A statement with what it mentions and changes, and what it is if it is a loop.
struct Known {
    stmt: Stmt,
    mentioned: FxHashSet<u32>,
    changed: FxHashSet<u32>,
    kind: Option<LoopKind>,
}

impl Known {
    fn of(stmt: Stmt) -> Known {
        let body = std::slice::from_ref(&stmt);
        Known { mentioned: mentioned(body), changed: changed(body), kind: kind(&stmt), stmt }
    }

    /// What one of both changes and the other one mentions or changes.
    fn shared<'a>(&'a self, other: &'a Known) -> impl Iterator<Item = u32> + 'a {
        let of = |a: &'a Known, b: &'a Known| {
            a.changed.iter().filter(|cell| b.mentioned.contains(cell) || b.changed.contains(cell))
        };
        of(self, other).chain(of(other, self)).copied()
    }
}

fn kind(stmt: &Stmt) -> Option<LoopKind> {
    let Stmt::For(_, inside) = stmt else { return None };
    let is_elementwise = |stmt: &Stmt| Iterations::of(stmt).is_none_or(|iterations| iterations.are_independent());
    let (mut has_loops, mut carries) = (false, false);
    each(inside, &mut |inner| {
        has_loops |= matches!(inner, Stmt::For(..) | Stmt::Lanes(..) | Stmt::Pairs(..) | Stmt::Strips(..));
        carries |= !is_elementwise(inner);
    });
    Some(LoopKind { has_loops, carries: if has_loops { carries } else { !is_elementwise(stmt) } })
}

fn fused(body: Vec<Stmt>) -> Vec<Stmt> {
    let mut all: Vec<Known> = Vec::new();
    for stmt in body {
        let stmt = Known::of(within(stmt));
        let mut target = None;
        for (k, earlier) in all.iter().enumerate().rev().take(MAX_MOVED_OVER) {
            target = joined(earlier, &stmt).map(|joined| (k, joined));
            // Else it would have to pass by what it depends on.
            if target.is_some() || earlier.shared(&stmt).next().is_some() {
                break;
            }
        }
        match target {
            Some((k, joined)) => all[k] = Known::of(within(joined)),
            None => all.push(stmt),
        }
    }
    all.into_iter().map(|known| known.stmt).collect()
}

/// A statement with loops fused inside of it. What is in lanes is as it should be already.
fn within(stmt: Stmt) -> Stmt {
    match stmt {
        Stmt::For(range, inside) => Stmt::For(range, fused(inside)),
        Stmt::If(condition, a, b) => Stmt::If(condition, fused(a), fused(b)),
        stmt => stmt,
    }
}

/// Two loops as one, if they have the same iterations, and what they share each iteration has for itself.
fn joined(first: &Known, second: &Known) -> Option<Stmt> {
    let (Stmt::For(range, before), Stmt::For(other, behind)) = (&first.stmt, &second.stmt) else { return None };
    let is_same = (&range.from, &range.to, &range.most) == (&other.from, &other.to, &other.most);
    if first.kind != second.kind || !is_same {
        return None;
    }
    let names = [(other.cell, load(range.cell))].into_iter().collect();
    let behind = rewritten(behind.clone(), &|value| replace(value, &names));
    let both: Vec<Stmt> = before.iter().cloned().chain(behind).collect();
    let iterations = Iterations::over(range, &both);
    let is_own = |cell: u32| matches!(iterations.role(cell), CellRole::Varying(_));
    first.shared(second).all(is_own).then(|| Stmt::For(range.clone(), both))
}

/// Keeps elements of temporaries as numbers, where what stores one is followed by all that reads it.
fn contract(nest: &mut Nest) {
    let mut met: FxHashMap<u32, usize> = FxHashMap::default();
    places(&nest.body, &mut |place| *met.entry(place.cell).or_default() += 1);
    let temporaries = nest.temporaries.iter().map(|slot| (slot.cell, slot.clone())).collect();
    let mut contraction = Contraction { cells: nest.last_cell(), temporaries, met, gone: FxHashSet::default() };
    nest.body = contraction.within(std::mem::take(&mut nest.body));
    nest.temporaries.retain(|slot| !contraction.gone.contains(&slot.cell));
}

struct Contraction {
    cells: u32,
    temporaries: FxHashMap<u32, NestSlot>,
    /// At how many places each cell is read or stored in the whole nest.
    met: FxHashMap<u32, usize>,
    gone: FxHashSet<u32>,
}

impl Contraction {
    fn within(&mut self, body: Vec<Stmt>) -> Vec<Stmt> {
        let one = |stmt: Stmt| match stmt {
            Stmt::For(range, inside) => Stmt::For(range, self.within(inside)),
            Stmt::If(condition, a, b) => {
                let a = self.within(a);
                Stmt::If(condition, a, self.within(b))
            }
            stmt => stmt,
        };
        let body = body.into_iter().map(one).collect();
        self.numbers(body)
    }

    /// Statements with numbers for elements that one of them stores, and those behind it alone read.
    fn numbers(&mut self, mut body: Vec<Stmt>) -> Vec<Stmt> {
        for k in 0..body.len() {
            let Some((cell, number)) = self.number(&body[k..]) else { continue };
            let behind = body.split_off(k + 1);
            let Some(Stmt::Set(_, value)) = body.pop() else { return body };
            let read = load(number.cell);
            body.push(Stmt::Let(number, value));
            let element = |part: NestValue| match part {
                NestValue::Load(place) if place.cell == cell => read.clone(),
                part => part,
            };
            body.extend(rewritten(behind, &|value| map(value, &mut |part| element(part))));
            self.gone.insert(cell);
        }
        body
    }

    /// The array of which the first of these statements stores an element that is no other's, and a number for that: all places
    /// of the array are this one, stored here alone, and its indices stay as they are.
    fn number(&mut self, body: &[Stmt]) -> Option<(u32, NestSlot)> {
        let Some((Stmt::Set(to, value), behind)) = body.split_first() else { return None };
        let array = self.temporaries.get(&to.cell).filter(|_| !to.indices.is_empty() && !value.mentions(to.cell))?;
        let (mut met, mut is_same) = (0, true);
        places(body, &mut |place| {
            if place.cell == to.cell {
                met += 1;
                is_same &= place.indices == to.indices;
            }
        });
        if !is_same || self.met.get(&to.cell) != Some(&met) {
            return None;
        }
        let changed = changed(behind);
        if changed.contains(&to.cell) || to.indices.iter().any(|index| changed.iter().any(|cell| index.mentions(*cell)))
        {
            return None;
        }
        self.cells += 1;
        let number = DenseArray { dims: Vec::new(), number: array.array.number };
        Some((to.cell, NestSlot { cell: self.cells, hint: array.hint.clone(), array: number }))
    }
}
