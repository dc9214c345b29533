//! Fuses loops of programs that equations can't say (loop fusion), and keeps in numbers what one iteration stores and it alone
//! reads (array contraction).
//!
//! A step of a loop with a state is many loops over the state's arrays, one for each table. Those over the same indices become
//! one where each iteration touches elements of its own; order within an element stays, so that every bit does.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::nest::dependence::{CellRole, Iterations};
use crate::nest::ir::value::{load, map, replace};
use crate::nest::ir::walk::{changed, mentioned, places, rewritten};
use crate::nest::ir::{DenseArray, LoopRange, Nest, NestSlot, NestValue, Stmt, each};

/// Over so many statements a loop is moved up at most: what is found is searched again for each.
const MAX_MOVED_OVER: usize = 32;

/// Fuses loops in loops and side by side, then contracts.
pub(in crate::nest) fn fuse_loops(nest: &mut Nest) {
    nest.body = fused(std::mem::take(&mut nest.body));
    contract(nest);
}

/// What a loop does in each iteration: loops that can be vectorised aren't fused with such as can't.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LoopKind {
    /// Something for each element.
    Elementwise,
    /// A number goes through its iterations.
    Carrying,
    /// Loops.
    Nested,
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
    let mut nested = false;
    each(inside, &mut |inner| nested |= !inner.inside()[0].is_empty() && !matches!(inner, Stmt::If(..)));
    Some(match Iterations::of(stmt) {
        _ if nested => LoopKind::Nested,
        Some(iterations) if iterations.are_independent() => LoopKind::Elementwise,
        _ => LoopKind::Carrying,
    })
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
    let ends = |range: &LoopRange| (range.from.clone(), range.to.clone(), range.most.clone());
    if first.kind != second.kind || ends(range) != ends(other) {
        return None;
    }
    let names = [(other.cell, load(range.cell))].into_iter().collect();
    let behind = rewritten(behind.clone(), &|value| replace(value, &names));
    let both: Vec<Stmt> = before.iter().cloned().chain(behind).collect();
    let iterations = Iterations::over(range, &both);
    let is_own = |cell: u32| matches!(iterations.role(cell), CellRole::Varying(_));
    first.shared(second).all(is_own).then(|| Stmt::For(range.clone(), both))
}

/// Keeps elements of rows as numbers, where an iteration alone has them.
fn contract(nest: &mut Nest) {
    let mut met: FxHashMap<u32, usize> = FxHashMap::default();
    places(&nest.body, &mut |place| *met.entry(place.cell).or_default() += 1);
    let rows = nest.temporaries.iter().filter(|slot| slot.array.dims.len() == 1);
    let rows = rows.map(|slot| (slot.cell, slot.clone())).collect();
    let mut contraction = Contraction { cells: nest.last_cell(), rows, met, gone: FxHashSet::default() };
    nest.body = contraction.within(std::mem::take(&mut nest.body));
    nest.temporaries.retain(|slot| !contraction.gone.contains(&slot.cell));
}

struct Contraction {
    cells: u32,
    /// Temporaries with one index.
    rows: FxHashMap<u32, NestSlot>,
    /// At how many places each cell is read or stored in the whole nest.
    met: FxHashMap<u32, usize>,
    gone: FxHashSet<u32>,
}

impl Contraction {
    fn within(&mut self, body: Vec<Stmt>) -> Vec<Stmt> {
        let one = |stmt: Stmt| match stmt {
            Stmt::For(range, inside) => {
                let inside = self.within(inside);
                let inside = self.iteration(inside, &load(range.cell));
                Stmt::For(range, inside)
            }
            Stmt::If(condition, a, b) => {
                let a = self.within(a);
                Stmt::If(condition, a, self.within(b))
            }
            stmt => stmt,
        };
        body.into_iter().map(one).collect()
    }

    /// An iteration with numbers for the elements at its own index that it stores before it reads them, once, and nobody else
    /// knows.
    fn iteration(&mut self, mut body: Vec<Stmt>, own: &NestValue) -> Vec<Stmt> {
        for k in 0..body.len() {
            let Some((cell, number)) = self.number(&body[k..], own) else { continue };
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

    /// The row that the first of these statements stores an element of, and a number for that.
    fn number(&mut self, body: &[Stmt], own: &NestValue) -> Option<(u32, NestSlot)> {
        let Some(Stmt::Set(to, value)) = body.first() else { return None };
        let row = self.rows.get(&to.cell)?;
        let (mut met, mut is_own, mut stored) = (0, !value.mentions(to.cell), 0);
        places(body, &mut |place| {
            if place.cell == to.cell {
                met += 1;
                is_own &= place.indices[..] == [own.clone()];
            }
        });
        each(body, &mut |stmt| stored += usize::from(matches!(stmt, Stmt::Set(place, _) if place.cell == to.cell)));
        if !is_own || stored != 1 || self.met.get(&to.cell) != Some(&met) {
            return None;
        }
        self.cells += 1;
        let array = DenseArray { dims: Vec::new(), number: row.array.number };
        Some((to.cell, NestSlot { cell: self.cells, hint: row.hint.clone(), array }))
    }
}
