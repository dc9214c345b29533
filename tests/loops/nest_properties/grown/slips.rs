//! The grower changes what it has made: a statement is put elsewhere, left out, copied, or has another index, end or value.

use std::collections::HashMap;

use redexter::nest::{LoopRange, NestPlace, NestSlot, NestValue, ScalarKind, Stmt};
use redexter::term::Prim;

use super::Grower;
use crate::nest_properties::short::*;

impl Grower {
    pub(super) fn is_given(&self, cell: u32) -> bool {
        self.parameters.iter().any(|slot| slot.cell == cell)
    }

    /// Statements that change a place of an array.
    pub(super) fn changed(&mut self, place: &NestPlace, target: &NestSlot) -> Vec<Stmt> {
        let own = NestValue::Load(place.clone());
        let value = self.value(1);
        let set = |value: NestValue| Stmt::Set(place.clone(), value);
        match self.random.below(9) {
            0 | 1 => vec![set(value)],
            2 => vec![set(plus(own, value))],
            3 => vec![set(reals(*self.random.pick(&[Prim::Min, Prim::Max]), own, value))],
            4 => vec![when(reals(Prim::Lt, own, value.clone()), vec![set(value)])],
            5 => vec![when(self.condition(1), vec![set(plus(own, value))])],
            6 => {
                let number = self.slot("a", ScalarKind::Real, &[]);
                let (cell, size) = (number.cell, self.variable());
                let sets = |value: NestValue| Stmt::Set(at(cell, []), value);
                let adds = self.in_order(&size, |grower| vec![sets(plus(load(cell), grower.value(1)))]);
                let other = if self.random.chance(30) { self.place(target, 1) } else { None };
                let back = Stmt::Set(other.unwrap_or_else(|| place.clone()), load(cell));
                vec![Stmt::Var(number), sets(own), adds, back]
            }
            7 => {
                let size = self.variable();
                vec![self.in_order(&size, |grower| vec![set(plus(own, grower.value(1)))])]
            }
            _ => {
                let other = self.element(target, 1).unwrap_or(own);
                vec![set(plus(other, value))]
            }
        }
    }

    /// Changes one statement.
    pub(super) fn change(&mut self, body: &mut Vec<Stmt>) {
        let count = statements(body);
        if count > 0 {
            let mut at = self.random.below(count);
            self.change_at(body, &mut at, &mut Vec::new());
        }
    }

    /// Whether the statement was found; what is in scope are indices.
    pub(super) fn change_at(&mut self, body: &mut Vec<Stmt>, at: &mut usize, scope: &mut Vec<u32>) -> bool {
        for k in 0..body.len() {
            if *at == 0 {
                self.changed_here(body, k, scope);
                return true;
            }
            *at -= 1;
            let count = scope.len();
            let found = match &mut body[k] {
                Stmt::For(range, inside) | Stmt::Lanes(range, inside) => {
                    scope.push(range.cell);
                    self.change_at(inside, at, scope)
                }
                Stmt::Pairs(range, two, one) => {
                    scope.push(range.cell);
                    self.change_at(two, at, scope) || self.change_at(one, at, scope)
                }
                Stmt::Strips(strips, inside) => {
                    scope.extend([strips.base, strips.count]);
                    self.change_at(inside, at, scope)
                }
                Stmt::If(_, a, b) => self.change_at(a, at, scope) || self.change_at(b, at, scope),
                Stmt::Let(..) | Stmt::Var(_) | Stmt::Set(..) => false,
            };
            scope.truncate(count);
            if found {
                return true;
            }
        }
        false
    }

    pub(super) fn changed_here(&mut self, body: &mut Vec<Stmt>, k: usize, scope: &[u32]) {
        let declares = |stmt: &Stmt| matches!(stmt, Stmt::Let(..) | Stmt::Var(_));
        let choice = self.random.below(10);
        if declares(&body[k]) {
            return;
        }
        if choice == 0 {
            body.remove(k);
            return;
        }
        if choice == 1 && body.get(k + 1).is_some_and(|next| !declares(next)) {
            body.swap(k, k + 1);
            return;
        }
        if choice == 2 {
            let index = if scope.is_empty() { NestValue::of(&self.variable()) } else { load(*self.random.pick(scope)) };
            let guard = ints(*self.random.pick(&[Prim::Lt, Prim::Gt]), index, int(self.random.below(3) as i64));
            let stmt = body.remove(k);
            body.insert(k, when(guard, vec![stmt]));
            return;
        }
        match &mut body[k] {
            Stmt::Set(place, value) => {
                let mut all: Vec<&mut NestValue> = place.indices.iter_mut().collect();
                indices_in(value, &mut all);
                if all.is_empty() {
                    return;
                }
                let at = self.random.below(all.len());
                let own = all[at].clone();
                *all[at] = match self.random.below(4) {
                    0 => add(own, int(1)),
                    1 => sub(own, int(1)),
                    2 if !scope.is_empty() => load(*self.random.pick(scope)),
                    _ => int(0),
                };
            }
            Stmt::For(range, inside) | Stmt::Lanes(range, inside) if choice < 7 => {
                let (mut range, inside) = (range.clone(), std::mem::take(inside));
                let in_lanes = matches!(body[k], Stmt::Lanes(..)) != (choice < 5);
                match choice {
                    5 => range.to = add(range.to, int(1)),
                    6 => range.from = int(1),
                    _ => {}
                }
                body[k] = if in_lanes { Stmt::Lanes(range, inside) } else { Stmt::For(range, inside) };
            }
            Stmt::For(range, _) | Stmt::Lanes(range, _) | Stmt::Pairs(range, ..) => match choice {
                7 => range.to = sub(range.to.clone(), int(1)),
                8 => range.to = NestValue::of(&self.variable()),
                _ if !scope.is_empty() => range.to = load(*self.random.pick(scope)),
                _ => {}
            },
            Stmt::Strips(strips, _) => {
                if choice < 6 {
                    strips.lanes = 1 + self.random.below(4) as u32;
                } else {
                    strips.size = self.variable();
                }
            }
            Stmt::If(condition, a, b) => match choice {
                3..6 => std::mem::swap(a, b),
                6 | 7 => b.clear(),
                _ => *condition = int(1),
            },
            Stmt::Let(..) | Stmt::Var(_) => {}
        }
    }

    /// Statements again, with other values for indices, and other numbers for what they declare.
    pub(super) fn copied(&mut self, body: &[Stmt], by: &mut HashMap<u32, NestValue>) -> Vec<Stmt> {
        let fresh = |own: &mut Self, cell: &mut u32, by: &mut HashMap<u32, NestValue>| {
            let other = own.cell();
            by.insert(*cell, load(other));
            *cell = other;
        };
        let mut all = Vec::new();
        for stmt in body {
            let mut stmt = stmt.clone();
            match &mut stmt {
                Stmt::Let(slot, value) => {
                    *value = replaced(value, by);
                    fresh(self, &mut slot.cell, by);
                }
                Stmt::Var(slot) => fresh(self, &mut slot.cell, by),
                Stmt::Set(place, value) => {
                    if let NestValue::Load(other) = replaced(&NestValue::Load(place.clone()), by) {
                        *place = other;
                    }
                    *value = replaced(value, by);
                }
                Stmt::For(range, inside) | Stmt::Lanes(range, inside) => {
                    (range.from, range.to) = (replaced(&range.from, by), replaced(&range.to, by));
                    fresh(self, &mut range.cell, by);
                    *inside = self.copied(inside, by);
                }
                Stmt::Pairs(range, two, one) => {
                    (range.from, range.to) = (replaced(&range.from, by), replaced(&range.to, by));
                    fresh(self, &mut range.cell, by);
                    *two = self.copied(two, by);
                    *one = self.copied(one, by);
                }
                Stmt::Strips(strips, inside) => {
                    fresh(self, &mut strips.base, by);
                    fresh(self, &mut strips.count, by);
                    *inside = self.copied(inside, by);
                }
                Stmt::If(condition, a, b) => {
                    *condition = replaced(condition, by);
                    *a = self.copied(a, by);
                    *b = self.copied(b, by);
                }
            }
            all.push(stmt);
        }
        all
    }
}

/// How many statements there are, those inside of others, too.
fn statements(body: &[Stmt]) -> usize {
    let mut count = 0;
    redexter::nest::each(body, &mut |_| count += 1);
    count
}

/// The indices that stand in a value.
fn indices_in<'v>(value: &'v mut NestValue, all: &mut Vec<&'v mut NestValue>) {
    match value {
        NestValue::Real(_) | NestValue::Int(_) | NestValue::Size(_) => {}
        NestValue::Load(place) => all.extend(place.indices.iter_mut()),
        NestValue::Prim(_, _, operands) => operands.iter_mut().for_each(|operand| indices_in(operand, all)),
        NestValue::Truth(a) => indices_in(a, all),
        NestValue::Select(p) => {
            let (a, b, c) = &mut **p;
            [a, b, c].into_iter().for_each(|part| indices_in(part, all));
        }
    }
}

/// A value with others for what has no indices.
pub fn replaced(value: &NestValue, by: &HashMap<u32, NestValue>) -> NestValue {
    match value {
        NestValue::Real(_) | NestValue::Int(_) | NestValue::Size(_) => value.clone(),
        NestValue::Load(place) => match by.get(&place.cell) {
            Some(other) => other.clone(),
            None => get(place.cell, place.indices.iter().map(|index| replaced(index, by))),
        },
        NestValue::Prim(prim, number, operands) => {
            NestValue::Prim(*prim, *number, operands.iter().map(|operand| replaced(operand, by)).collect())
        }
        NestValue::Truth(a) => NestValue::Truth(Box::new(replaced(a, by))),
        NestValue::Select(p) => select(replaced(&p.0, by), replaced(&p.1, by), replaced(&p.2, by)),
    }
}

/// Statements with another index.
pub fn renamed(body: &[Stmt], from: u32, to: u32) -> Vec<Stmt> {
    let by = HashMap::from([(from, load(to))]);
    let value = |value: &NestValue| replaced(value, &by);
    let range = |range: &LoopRange| LoopRange { from: value(&range.from), to: value(&range.to), ..range.clone() };
    let one = |stmt: &Stmt| match stmt {
        Stmt::Let(slot, own) => Stmt::Let(slot.clone(), value(own)),
        Stmt::Var(slot) => Stmt::Var(slot.clone()),
        Stmt::Set(place, own) => Stmt::Set(at(place.cell, place.indices.iter().map(value)), value(own)),
        Stmt::For(own, inside) => Stmt::For(range(own), renamed(inside, from, to)),
        Stmt::Lanes(own, inside) => Stmt::Lanes(range(own), renamed(inside, from, to)),
        Stmt::Pairs(own, two, one) => Stmt::Pairs(range(own), renamed(two, from, to), renamed(one, from, to)),
        Stmt::Strips(strips, inside) => Stmt::Strips(strips.clone(), renamed(inside, from, to)),
        Stmt::If(condition, a, b) => Stmt::If(value(condition), renamed(a, from, to), renamed(b, from, to)),
    };
    body.iter().map(one).collect()
}
