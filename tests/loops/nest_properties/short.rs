//! Short names write nests.

use redexter::ground::Name;
use redexter::nest::{DenseArray, LoopRange, NestPlace, NestSlot, NestValue, ScalarKind, Stmt, Strips};
use redexter::term::{Prim, Size};

pub fn size(name: &str) -> Size {
    Size::var(&Name::new(name))
}

pub fn more(size: &Size, by: u64) -> Size {
    size.plus(&Size::literal(by)).expect("a size")
}

pub fn slot(cell: u32, hint: &str, number: ScalarKind, dims: &[Size]) -> NestSlot {
    NestSlot { cell, hint: hint.into(), array: DenseArray { dims: dims.to_vec(), number } }
}

pub fn at(cell: u32, indices: impl IntoIterator<Item = NestValue>) -> NestPlace {
    NestPlace { cell, indices: indices.into_iter().collect() }
}

pub fn get(cell: u32, indices: impl IntoIterator<Item = NestValue>) -> NestValue {
    NestValue::Load(at(cell, indices))
}

/// What has no indices.
pub fn load(cell: u32) -> NestValue {
    get(cell, [])
}

pub fn int(k: i64) -> NestValue {
    NestValue::Int(k)
}

pub fn real(x: f64) -> NestValue {
    NestValue::Real(x)
}

pub fn ints(prim: Prim, a: NestValue, b: NestValue) -> NestValue {
    NestValue::Prim(prim, ScalarKind::Int, vec![a, b])
}

pub fn reals(prim: Prim, a: NestValue, b: NestValue) -> NestValue {
    NestValue::Prim(prim, ScalarKind::Real, vec![a, b])
}

pub fn add(a: NestValue, b: NestValue) -> NestValue {
    ints(Prim::Add, a, b)
}

pub fn sub(a: NestValue, b: NestValue) -> NestValue {
    ints(Prim::Sub, a, b)
}

pub fn lt(a: NestValue, b: NestValue) -> NestValue {
    ints(Prim::Lt, a, b)
}

pub fn plus(a: NestValue, b: NestValue) -> NestValue {
    reals(Prim::Add, a, b)
}

pub fn select(condition: NestValue, a: NestValue, b: NestValue) -> NestValue {
    NestValue::Select(Box::new((condition, a, b)))
}

/// The smaller of two, as passes write it.
pub fn least(a: &NestValue, b: &NestValue) -> NestValue {
    select(lt(a.clone(), b.clone()), a.clone(), b.clone())
}

pub fn set(cell: u32, indices: impl IntoIterator<Item = NestValue>, value: NestValue) -> Stmt {
    Stmt::Set(at(cell, indices), value)
}

pub fn range(cell: u32, hint: &str, from: NestValue, to: NestValue) -> LoopRange {
    LoopRange { from, ..LoopRange::to(cell, hint, to) }
}

pub fn each(cell: u32, to: NestValue, inside: Vec<Stmt>) -> Stmt {
    Stmt::For(LoopRange::to(cell, "i", to), inside)
}

pub fn lanes(cell: u32, to: NestValue, inside: Vec<Stmt>) -> Stmt {
    Stmt::Lanes(LoopRange::to(cell, "l", to), inside)
}

pub fn strips(base: u32, count: u32, lanes: u32, size: &Size, inside: Vec<Stmt>) -> Stmt {
    Stmt::Strips(Strips { base, count, size: size.clone(), lanes }, inside)
}

pub fn when(condition: NestValue, inside: Vec<Stmt>) -> Stmt {
    Stmt::If(condition, inside, Vec::new())
}
