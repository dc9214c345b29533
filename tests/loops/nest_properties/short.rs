//! Short names write nests.

use redexter::ground::Name;
use redexter::nest::{Array, Number, Place, Range, Slot, Stmt, Strips, Value};
use redexter::term::{Prim, Size};

pub fn size(name: &str) -> Size {
    Size::var(&Name::new(name))
}

pub fn more(size: &Size, by: u64) -> Size {
    size.plus(&Size::literal(by)).expect("a size")
}

pub fn slot(cell: u32, hint: &str, number: Number, dims: &[Size]) -> Slot {
    Slot { cell, hint: hint.into(), array: Array { dims: dims.to_vec(), number } }
}

pub fn at(cell: u32, indices: impl IntoIterator<Item = Value>) -> Place {
    Place { cell, indices: indices.into_iter().collect() }
}

pub fn get(cell: u32, indices: impl IntoIterator<Item = Value>) -> Value {
    Value::Load(at(cell, indices))
}

/// What has no indices.
pub fn load(cell: u32) -> Value {
    get(cell, [])
}

pub fn int(k: i64) -> Value {
    Value::Int(k)
}

pub fn real(x: f64) -> Value {
    Value::Real(x)
}

pub fn ints(prim: Prim, a: Value, b: Value) -> Value {
    Value::Prim(prim, Number::Int, vec![a, b])
}

pub fn reals(prim: Prim, a: Value, b: Value) -> Value {
    Value::Prim(prim, Number::Real, vec![a, b])
}

pub fn add(a: Value, b: Value) -> Value {
    ints(Prim::Add, a, b)
}

pub fn sub(a: Value, b: Value) -> Value {
    ints(Prim::Sub, a, b)
}

pub fn lt(a: Value, b: Value) -> Value {
    ints(Prim::Lt, a, b)
}

pub fn plus(a: Value, b: Value) -> Value {
    reals(Prim::Add, a, b)
}

pub fn select(condition: Value, a: Value, b: Value) -> Value {
    Value::Select(Box::new((condition, a, b)))
}

/// The smaller of two, as passes write it.
pub fn least(a: &Value, b: &Value) -> Value {
    select(lt(a.clone(), b.clone()), a.clone(), b.clone())
}

pub fn set(cell: u32, indices: impl IntoIterator<Item = Value>, value: Value) -> Stmt {
    Stmt::Set(at(cell, indices), value)
}

pub fn range(cell: u32, hint: &str, from: Value, to: Value) -> Range {
    Range { from, ..Range::to(cell, hint, to) }
}

pub fn each(cell: u32, to: Value, inside: Vec<Stmt>) -> Stmt {
    Stmt::For(Range::to(cell, "i", to), inside)
}

pub fn lanes(cell: u32, to: Value, inside: Vec<Stmt>) -> Stmt {
    Stmt::Lanes(Range::to(cell, "l", to), inside)
}

pub fn strips(base: u32, count: u32, lanes: u32, size: &Size, inside: Vec<Stmt>) -> Stmt {
    Stmt::Strips(Strips { base, count, size: size.clone(), lanes }, inside)
}

pub fn when(condition: Value, inside: Vec<Stmt>) -> Stmt {
    Stmt::If(condition, inside, Vec::new())
}
