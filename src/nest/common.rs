//! What both branches of a conditional begin with is done once, before it.

use rustc_hash::FxHashMap;

use super::code::{Place, Range, Slot, Stmt, Value};
use super::equation::value::map;

/// Takes the statements with which both branches begin out of them: they are done in any case. The second branch, and its value,
/// go on with what the first has declared.
pub(super) fn common(left: &mut Vec<Stmt>, right: &mut Vec<Stmt>, value: &mut Value) -> Vec<Stmt> {
    let (mut names, mut count) = (Names::default(), 0);
    for (a, b) in left.iter().zip(&*right) {
        let mut more = names.clone();
        if !more.are_same(a, b) {
            break;
        }
        (names, count) = (more, count + 1);
    }
    if count == 0 {
        return Vec::new();
    }
    right.drain(..count);
    *right = names.renamed(std::mem::take(right));
    *value = names.value(value);
    left.drain(..count).collect()
}

/// What is declared in the first for each cell of the second.
#[derive(Clone, Default)]
struct Names(FxHashMap<u32, u32>);

impl Names {
    fn cell(&self, cell: u32) -> u32 {
        self.0.get(&cell).copied().unwrap_or(cell)
    }

    fn value(&self, value: &Value) -> Value {
        map(value, &mut |part| match part {
            Value::Load(place) => Value::Load(Place { cell: self.cell(place.cell), ..place }),
            part => part,
        })
    }

    fn values(&self, all: &[Value]) -> Vec<Value> {
        all.iter().map(|value| self.value(value)).collect()
    }

    fn renamed(&self, body: Vec<Stmt>) -> Vec<Stmt> {
        let one = |stmt: Stmt| match stmt.with(&mut |own| self.value(own), &mut |inside| self.renamed(inside)) {
            Stmt::Set(place, value) => Stmt::Set(Place { cell: self.cell(place.cell), ..place }, value),
            stmt => stmt,
        };
        body.into_iter().map(one).collect()
    }

    fn are_same(&mut self, a: &Stmt, b: &Stmt) -> bool {
        match (a, b) {
            (Stmt::Let(a, x), Stmt::Let(b, y)) => *x == self.value(y) && self.declares(a, b),
            (Stmt::Var(a), Stmt::Var(b)) => self.declares(a, b),
            (Stmt::Set(a, x), Stmt::Set(b, y)) => {
                a.cell == self.cell(b.cell) && a.indices == self.values(&b.indices) && *x == self.value(y)
            }
            (Stmt::For(a, inside), Stmt::For(b, other)) => {
                self.are_alike(a, b) && inside.len() == other.len() && {
                    self.0.insert(b.cell, a.cell);
                    inside.iter().zip(other).all(|(a, b)| self.are_same(a, b))
                }
            }
            _ => false,
        }
    }

    fn declares(&mut self, a: &Slot, b: &Slot) -> bool {
        self.0.insert(b.cell, a.cell);
        a.array.number == b.array.number
    }

    fn are_alike(&self, a: &Range, b: &Range) -> bool {
        a.step == b.step && a.from == self.value(&b.from) && a.to == self.value(&b.to)
    }
}
