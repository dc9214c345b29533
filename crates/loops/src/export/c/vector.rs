//! Writes values of all lanes of a vector at once.

use super::body::CBody;
use super::prelude::function;
use crate::nest::{Freedom, NestPlace, NestValue, ScalarKind};
use redexter_language::term::{Prim, PrimClass};

/// The elements of a vector.
#[derive(Clone, Copy, PartialEq, Eq)]
enum VectorKind {
    Real,
    Int,
    /// All bits where it holds.
    Mask,
}

struct Vector {
    text: String,
    kind: VectorKind,
    differs: bool,
}

pub(super) fn v_type(number: ScalarKind) -> &'static str {
    match number {
        ScalarKind::Real => "redexter_v",
        ScalarKind::Int => "redexter_i",
    }
}

impl CBody<'_> {
    /// A value as a vector of numbers.
    pub(super) fn held(&self, value: &NestValue, number: ScalarKind) -> String {
        let vector = self.vector(value);
        match (vector.differs, vector.kind, number) {
            (false, _, ScalarKind::Real) => format!("redexter_all({})", vector.text),
            (false, ..) => format!("redexter_ints({})", vector.text),
            // A mask has all bits set, where a truth is 1.
            (true, VectorKind::Mask, _) => format!("({} & 1)", vector.text),
            (true, ..) => vector.text,
        }
    }

    pub(super) fn mask(&self, value: &NestValue) -> String {
        let vector = self.vector(value);
        match (vector.differs, vector.kind) {
            (false, _) => format!("redexter_ints({} ? -1 : 0)", vector.text),
            (true, VectorKind::Mask) => vector.text,
            (true, _) => format!("({} != 0)", vector.text),
        }
    }

    fn vector(&self, value: &NestValue) -> Vector {
        if !self.differs(value) {
            let kind = match self.number_of(value) {
                ScalarKind::Real => VectorKind::Real,
                ScalarKind::Int => VectorKind::Int,
            };
            return Vector { text: self.value(value), kind, differs: false };
        }
        let (text, kind) = match value {
            NestValue::Real(_) | NestValue::Int(_) | NestValue::Size(_) => (self.value(value), VectorKind::Int),
            NestValue::Load(place) => self.vector_load(place),
            NestValue::Truth(a) => (self.mask(a), VectorKind::Mask),
            NestValue::Select(p) => {
                let number = self.number_of(&p.1);
                let (a, b) = (self.held(&p.1, number), self.held(&p.2, number));
                let (name, kind) = match number {
                    ScalarKind::Real => ("redexter_choose", VectorKind::Real),
                    ScalarKind::Int => ("redexter_choose_int", VectorKind::Int),
                };
                match self.differs(&p.0) {
                    true => (format!("{name}({}, {a}, {b})", self.mask(&p.0)), kind),
                    false => {
                        let ty = v_type(number);
                        (format!("(({}) ? ({ty}){a} : ({ty}){b})", self.value(&p.0)), kind)
                    }
                }
            }
            NestValue::Prim(prim, number, operands) => self.vector_prim(*prim, *number, operands),
        };
        Vector { text, kind, differs: true }
    }

    fn vector_load(&self, place: &NestPlace) -> (String, VectorKind) {
        let number = self.number(place.cell);
        let kind = if number == ScalarKind::Real { VectorKind::Real } else { VectorKind::Int };
        let Some(lanes) = &self.lanes else { return (self.place(place), kind) };
        if place.cell == lanes.what.index {
            return (format!("(redexter_ints({}) + redexter_lanes())", lanes.first), VectorKind::Int);
        }
        if place.indices.is_empty() {
            return (self.local(place.cell), kind);
        }
        if lanes.what.is_dense(place) {
            return (format!("(*(const {} *)&{})", v_type(number), self.span(place, self.width())), kind);
        }
        (self.gathered(place), kind)
    }

    /// A place of which each lane has another, one by one.
    fn gathered(&self, place: &NestPlace) -> String {
        let all: Vec<String> =
            (0..self.width()).map(|lane| self.scalar_at(&NestValue::Load(place.clone()), lane)).collect();
        format!("(({}){{{}}})", v_type(self.number(place.cell)), all.join(", "))
    }

    /// A value in one lane of the vector.
    fn scalar_at(&self, value: &NestValue, lane: u32) -> String {
        match value {
            NestValue::Load(place) if place.indices.is_empty() && self.differs(value) => match &self.lanes {
                Some(lanes) if place.cell == lanes.what.index => format!("({} + {lane})", lanes.first),
                _ => format!("{}[{lane}]", self.local(place.cell)),
            },
            NestValue::Load(place) => {
                let indices = place.indices.iter().map(|index| self.scalar_at(index, lane)).collect::<Vec<_>>();
                self.element(place.cell, &indices)
            }
            NestValue::Real(_) | NestValue::Int(_) | NestValue::Size(_) => self.value(value),
            NestValue::Truth(a) => format!("({} != 0)", self.scalar_at(a, lane)),
            NestValue::Select(p) => {
                let [c, a, b] = [&p.0, &p.1, &p.2].map(|part| self.scalar_at(part, lane));
                format!("({c} ? {a} : {b})")
            }
            NestValue::Prim(prim, number, operands) => {
                let operands: Vec<String> = operands.iter().map(|operand| self.scalar_at(operand, lane)).collect();
                self.primitive(*prim, *number, &operands)
            }
        }
    }

    fn vector_prim(&self, prim: Prim, number: ScalarKind, operands: &[NestValue]) -> (String, VectorKind) {
        let own = if number == ScalarKind::Real { VectorKind::Real } else { VectorKind::Int };
        let held = |k: usize| self.held(&operands[k], number);
        // A scalar beside a vector is one in each lane.
        let near = |k: usize| {
            let vector = self.vector(&operands[k]);
            if vector.kind == VectorKind::Mask { self.held(&operands[k], ScalarKind::Int) } else { vector.text }
        };
        let prim = prim.unrounded();
        let text = prim.text();
        match (prim, number) {
            (Prim::Rounded, _) => (near(0), VectorKind::Real),
            (Prim::Add | Prim::Sub | Prim::Mul, ScalarKind::Int) => {
                (format!("((redexter_i)((redexter_u){} {text} (redexter_u){}))", held(0), held(1)), VectorKind::Int)
            }
            (Prim::Neg, ScalarKind::Int) => (format!("((redexter_i)(0 - (redexter_u){}))", held(0)), VectorKind::Int),
            (Prim::Neg, ScalarKind::Real) => (format!("(-{})", near(0)), VectorKind::Real),
            (Prim::Add | Prim::Sub | Prim::Mul | Prim::Div, _) => (format!("({} {text} {})", near(0), near(1)), own),
            (Prim::Not, _) => (format!("(~{})", self.mask(&operands[0])), VectorKind::Mask),
            (Prim::And, _) => {
                (format!("({} & {})", self.mask(&operands[0]), self.mask(&operands[1])), VectorKind::Mask)
            }
            (Prim::Or, _) => (format!("({} | {})", self.mask(&operands[0]), self.mask(&operands[1])), VectorKind::Mask),
            (Prim::Eq, _) => (format!("({} == {})", held(0), held(1)), VectorKind::Mask),
            _ if prim.class() == PrimClass::Comparison => {
                (format!("({} {text} {})", held(0), held(1)), VectorKind::Mask)
            }
            (Prim::Min | Prim::Max, _) => (format!("redexter_{text}s({}, {})", held(0), held(1)), VectorKind::Real),
            (Prim::Pow, _) if !self.differs(&operands[1]) => {
                (format!("redexter_pows({}, {})", held(0), self.value(&operands[1])), VectorKind::Real)
            }
            (Prim::ToReal, _) => (format!("__builtin_convertvector({}, redexter_v)", held(0)), VectorKind::Real),
            (Prim::ToInt, _) => (held(0), VectorKind::Int),
            (Prim::Offset(c), _) => (format!("({} + INT64_C({c}))", held(0)), VectorKind::Int),
            (Prim::Abs | Prim::Sqrt, _) => (format!("redexter_{text}s({})", held(0)), VectorKind::Real),
            (Prim::Exp | Prim::Log | Prim::Sin | Prim::Cos | Prim::Tanh, _) if self.target.freedom == Freedom::Fast => {
                (format!("redexter_{text}s({})", held(0)), VectorKind::Real)
            }
            (Prim::Exp, _) => {
                (format!("redexter_exact_exp({}, {})", function(prim, &self.target), held(0)), VectorKind::Real)
            }
            _ if prim.class() == PrimClass::Function && operands.len() == 1 => {
                (format!("redexter_each({}, {})", function(prim, &self.target), held(0)), VectorKind::Real)
            }
            _ => {
                let value = NestValue::Prim(prim, number, operands.to_vec());
                let all: Vec<String> = (0..self.width()).map(|lane| self.scalar_at(&value, lane)).collect();
                let number = self.number_of(&value);
                let kind = if number == ScalarKind::Real { VectorKind::Real } else { VectorKind::Int };
                (format!("(({}){{{}}})", v_type(number), all.join(", ")), kind)
            }
        }
    }
}
