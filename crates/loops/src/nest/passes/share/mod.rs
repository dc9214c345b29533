//! Shares what is computed several times in a block (common subexpression elimination): it is computed once.

mod numbers;
mod parts;

use rustc_hash::FxHashMap;

use crate::nest::ir::value::{load, replace};
use crate::nest::ir::walk::rewritten;
use crate::nest::ir::{DenseArray, Nest, NestPlace, NestSlot, NestValue, ScalarKind, Stmt};
use numbers::ValueNumbers;
use parts::{ExpensivePart, ExpensiveParts};
use redexter_language::ground::writing::goes_on;

/// Lets equal numbers have one name in their block, and what is expensive and computed more than once in it.
pub(in crate::nest) fn shared(nest: &mut Nest) {
    let mut cells = nest.last_cell();
    nest.body = block(std::mem::take(&mut nest.body), false, &mut cells);
}

fn block(body: Vec<Stmt>, is_branch: bool, cells: &mut u32) -> Vec<Stmt> {
    if !goes_on() {
        return body;
    }
    let mut inside = |stmt: Stmt| {
        let is_branch = matches!(stmt, Stmt::If(..));
        stmt.with(&mut NestValue::clone, &mut |inside| block(inside, is_branch, cells))
    };
    let body: Vec<Stmt> = named_once(body).into_iter().map(&mut inside).collect();
    // Targets recognise a branch of one statement, and a reduction, where it stands alone: a name before it would hide it.
    if let [stmt] = &body[..]
        && (is_branch || gathers(stmt))
    {
        return body;
    }
    let parts = ExpensiveParts::of(&body);
    let mut naming = PartNaming { cells, parts, out: Vec::new() };
    body.iter().enumerate().for_each(|(at, stmt)| naming.stmt(at, stmt));
    naming.out
}

/// Whether a sum, a product or the best of all grows by what it doesn't ask itself: targets know such a statement where it stands
/// alone, and compute it side by side.
fn gathers(stmt: &Stmt) -> bool {
    let Stmt::Set(place, value) = stmt else { return false };
    let is_plain = |part: &NestValue| match part {
        NestValue::Load(own) if own.cell == place.cell => true,
        part => !part.mentions(place.cell),
    };
    let are_plain = |value: &NestValue| {
        let mut all = true;
        value.each_part(&mut |part| all &= is_plain(part));
        all
    };
    match value {
        NestValue::Select(p) => {
            let condition = if let NestValue::Truth(inner) = &p.0 { inner } else { &p.0 };
            are_plain(condition) && is_plain(&p.1) && is_plain(&p.2)
        }
        value => value.mentions(place.cell) && are_plain(value),
    }
}

/// Without lets of what has a name.
fn named_once(body: Vec<Stmt>) -> Vec<Stmt> {
    let (mut names, mut known, mut numbers) = (FxHashMap::default(), FxHashMap::default(), ValueNumbers::default());
    let mut all = Vec::new();
    for mut stmt in body {
        if !names.is_empty() {
            stmt = rewritten(vec![stmt], &|value| replace(value, &names)).remove(0);
        }
        if let Stmt::Let(slot, value) = &stmt {
            let first = *known.entry(numbers.of(value, &mut |_, _| {})).or_insert(slot.cell);
            if first != slot.cell {
                names.insert(slot.cell, load(first));
                continue;
            }
        }
        // What the statement stores is something else from the next one on, not in itself.
        numbers.after(&stmt);
        all.push(stmt);
    }
    all
}

struct PartNaming<'a> {
    cells: &'a mut u32,
    parts: ExpensiveParts,
    out: Vec<Stmt>,
}

impl PartNaming<'_> {
    fn stmt(&mut self, at: usize, stmt: &Stmt) {
        let named = match stmt {
            Stmt::Let(slot, value) => {
                let number = self.parts.number(value);
                match number.and_then(|number| self.parts.all.get_mut(&number)).filter(|part| part.first == at) {
                    // The `let` itself becomes the name, so that no second one is made.
                    Some(part) if part.name.is_none() => {
                        part.name = Some(slot.cell);
                        Stmt::Let(slot.clone(), self.inside(at, value))
                    }
                    _ => Stmt::Let(slot.clone(), self.value(at, value)),
                }
            }
            Stmt::Set(place, value) => {
                let indices = place.indices.iter().map(|index| self.value(at, index)).collect();
                Stmt::Set(NestPlace { cell: place.cell, indices }, self.value(at, value))
            }
            stmt => stmt.clone(),
        };
        self.out.push(named);
    }

    fn value(&mut self, at: usize, value: &NestValue) -> NestValue {
        let Some(number) = self.parts.number(value) else { return self.inside(at, value) };
        match self.parts.all.get(&number).filter(|part| part.times > 1) {
            Some(ExpensivePart { name: Some(name), .. }) => load(*name),
            Some(part) if part.first == at => {
                let value = self.inside(at, value);
                *self.cells += 1;
                // Only operations on reals are expensive.
                let array = DenseArray { dims: Vec::new(), number: ScalarKind::Real };
                self.out.push(Stmt::Let(NestSlot { cell: *self.cells, hint: "once".into(), array }, value));
                self.parts.all.entry(number).and_modify(|part| part.name = Some(*self.cells));
                load(*self.cells)
            }
            _ => self.inside(at, value),
        }
    }

    fn inside(&mut self, at: usize, value: &NestValue) -> NestValue {
        value.with_parts(&mut |part| self.value(at, part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nest::nest_text;
    use redexter_language::term::{Prim, SizeBounds};

    fn cell(cell: u32) -> NestSlot {
        NestSlot { cell, hint: "x".into(), array: DenseArray { dims: Vec::new(), number: ScalarKind::Real } }
    }

    fn tanh(of: u32) -> NestValue {
        NestValue::Prim(Prim::Tanh, ScalarKind::Real, vec![load(of)])
    }

    fn set(of: u32, value: NestValue) -> Stmt {
        Stmt::Set(NestPlace { cell: of, indices: Vec::new() }, value)
    }

    fn text(body: Vec<Stmt>) -> String {
        let parameters = vec![cell(1), cell(2)];
        let [results, temporaries] = [Vec::new(), Vec::new()];
        let (sizes, computed, bounds, below) = (Vec::new(), Vec::new(), SizeBounds::default(), Vec::new());
        let mut nest = Nest { sizes, bounds, computed, parameters, below, results, temporaries, body };
        shared(&mut nest);
        nest_text("f", &nest)
    }

    #[test]
    fn what_is_stored_in_between_is_something_else() {
        let [a, b, c, d] = [3, 4, 5, 6];
        let all = text(vec![set(a, tanh(1)), set(b, tanh(1)), set(1, load(2)), set(c, tanh(1)), set(d, tanh(1))]);
        assert_eq!(all.matches("tanh(").count(), 2, "{all}");
        let lets = |k: u32| vec![Stmt::Let(cell(k), load(1)), set(a, load(k)), set(1, load(2))];
        let twice = text([lets(b), lets(c)].concat());
        assert_eq!(twice.matches("let ").count(), 2, "{twice}");
        let once =
            text(vec![Stmt::Let(cell(b), tanh(1)), Stmt::Let(cell(c), tanh(1)), set(a, load(c)), set(d, load(b))]);
        assert_eq!(once.matches("let ").count(), 1, "{once}");
    }

    #[test]
    fn a_tower_takes_as_many_numbers_as_it_has_floors() {
        let floor = |value: NestValue| NestValue::Prim(Prim::Tanh, ScalarKind::Real, vec![value]);
        let tower = (0..1_000).fold(load(1), |value, _| floor(value));
        let mut numbers = ValueNumbers::default();
        let mut dear = 0;
        numbers.of(&tower, &mut |_, _| dear += 1);
        assert_eq!((dear, numbers.of(&load(2), &mut |_, _| {})), (1_000, 1_001));
    }
}
