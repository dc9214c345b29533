//! Writes what is computed at once, as an expression of C.

use super::body::{CBody, size};
use super::prelude::function;
use crate::nest::{NestPlace, NestValue, ScalarKind};
use redexter_language::ground::writing::goes_on;
use redexter_language::term::{Prim, PrimClass};

impl CBody<'_> {
    pub(super) fn place(&self, place: &NestPlace) -> String {
        self.span(place, 1)
    }

    /// The first of so many numbers that lie side by side along the last index.
    pub(super) fn span(&self, place: &NestPlace, count: u32) -> String {
        let indices: Vec<String> = place.indices.iter().map(|index| self.value(index)).collect();
        self.elements(place.cell, &indices, count)
    }

    /// A part of a slot.
    pub(super) fn element(&self, cell: u32, indices: &[String]) -> String {
        self.elements(cell, indices, 1)
    }

    fn elements(&self, cell: u32, indices: &[String], count: u32) -> String {
        let name = self.names.cell(cell);
        let Some(dims) = self.dims.get(&cell) else { return self.at(cell, name) };
        let mut offset: Option<String> = None;
        for (k, (index, n)) in indices.iter().zip(dims).enumerate() {
            let n = size(n, self.names, false);
            let count = if k + 1 == dims.len() { count } else { 1 };
            let index = if self.target.checked { format!("redexter_in({index}, {count}, {n})") } else { index.clone() };
            offset = Some(match offset {
                Some(outer) => format!("({outer} * {n} + {index})"),
                None => index,
            });
        }
        match offset {
            Some(offset) => format!("{name}[{offset}]"),
            None if self.pointed.contains(&cell) => format!("*{name}"),
            None => name.to_owned(),
        }
    }

    /// An index or a number by its name; that of lanes by the lane that is being written.
    fn at(&self, cell: u32, name: &str) -> String {
        match &self.lanes {
            Some(lanes) if lanes.what.index == cell && !lanes.first.is_empty() => lanes.first.clone(),
            _ => name.to_owned(),
        }
    }

    pub(super) fn value(&self, value: &NestValue) -> String {
        match value {
            _ if !goes_on() => String::new(),
            NestValue::Real(x) => real(*x),
            NestValue::Int(k) => integer(*k),
            NestValue::Size(name) => self.names.size(name).to_owned(),
            NestValue::Load(place) => match self.strip {
                Some((count, lanes)) if place.cell == count => format!("INT64_C({lanes})"),
                _ => self.place(place),
            },
            NestValue::Truth(a) => format!("({} != 0)", self.value(a)),
            NestValue::Select(p) => format!("({} ? {} : {})", self.value(&p.0), self.value(&p.1), self.value(&p.2)),
            NestValue::Prim(prim, number, operands) => {
                let operands: Vec<String> = operands.iter().map(|operand| self.value(operand)).collect();
                self.primitive(*prim, *number, &operands)
            }
        }
    }

    /// A primitive on operands. Integers have to wrap, which is undefined for signed ones in C: so they go through unsigned
    /// ones.
    pub(super) fn primitive(&self, prim: Prim, number: ScalarKind, operands: &[String]) -> String {
        let prim = prim.unrounded();
        let text = prim.text();
        match (prim, number, operands) {
            (Prim::Rounded, _, [a]) => a.clone(),
            (Prim::Add | Prim::Sub | Prim::Mul, ScalarKind::Int, [a, b]) => {
                format!("(int64_t)((uint64_t){a} {text} (uint64_t){b})")
            }
            (Prim::Neg, ScalarKind::Int, [a]) => format!("(int64_t)(0 - (uint64_t){a})"),
            (Prim::Neg, ScalarKind::Real, [a]) => format!("(-{a})"),
            (Prim::Not, _, [a]) => format!("({a} == 0)"),
            (Prim::And | Prim::Or, _, [a, b]) => format!("({a} != 0 {text} {b} != 0)"),
            (Prim::Eq, _, [a, b]) => format!("({a} == {b})"),
            (Prim::Min | Prim::Max, _, [a, b]) => format!("redexter_{text}({a}, {b})"),
            (Prim::Pow, _, [a, k]) => format!("redexter_pow({a}, {k})"),
            (Prim::Quot, _, [a, b]) => format!("redexter_quot({a}, {b})"),
            (Prim::Rem, _, [a, b]) => format!("redexter_rem({a}, {b})"),
            (Prim::ToReal, _, [a]) => format!("((double){a})"),
            (Prim::ToInt, _, [a]) => a.clone(),
            (Prim::Offset(c), _, [a]) => format!("({a} + INT64_C({c}))"),
            _ if prim.class() == PrimClass::Function => {
                format!("{}({})", function(prim, &self.target), operands.join(", "))
            }
            (_, _, [a, b]) => format!("({a} {text} {b})"),
            _ => unreachable!("primitives take one or two operands"),
        }
    }
}

/// A double to the bit: the shortest digits that read back as the same. A negative one is in parentheses, otherwise its negation
/// would begin with `--`.
fn real(x: f64) -> String {
    match x {
        _ if x.is_nan() => "NAN".to_owned(),
        f64::INFINITY => "INFINITY".to_owned(),
        f64::NEG_INFINITY => "(-INFINITY)".to_owned(),
        _ if x.is_sign_negative() => format!("({x:?})"),
        _ => format!("{x:?}"),
    }
}

fn integer(k: i64) -> String {
    match k {
        // The number without its sign is too large for a literal.
        i64::MIN => "INT64_MIN".to_owned(),
        k if k < 0 => format!("(-INT64_C({}))", -k),
        k => format!("INT64_C({k})"),
    }
}
