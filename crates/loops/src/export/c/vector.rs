//! Writes values of all lanes of a vector at once.

use super::body::Body;
use super::prelude::function;
use crate::nest::{Freedom, Number, Place, Value};
use redexter_language::term::{Class, Prim};

/// The elements of a vector.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Real,
    Int,
    /// All bits where it holds.
    Mask,
}

struct Vector {
    text: String,
    kind: Kind,
    differs: bool,
}

pub(super) fn v_type(number: Number) -> &'static str {
    match number {
        Number::Real => "redexter_v",
        Number::Int => "redexter_i",
    }
}

impl Body<'_> {
    /// A value as a vector of numbers.
    pub(super) fn held(&self, value: &Value, number: Number) -> String {
        let vector = self.vector(value);
        match (vector.differs, vector.kind, number) {
            (false, _, Number::Real) => format!("redexter_all({})", vector.text),
            (false, ..) => format!("redexter_ints({})", vector.text),
            // A mask has all bits set, where a truth is 1.
            (true, Kind::Mask, _) => format!("({} & 1)", vector.text),
            (true, ..) => vector.text,
        }
    }

    pub(super) fn mask(&self, value: &Value) -> String {
        let vector = self.vector(value);
        match (vector.differs, vector.kind) {
            (false, _) => format!("redexter_ints({} ? -1 : 0)", vector.text),
            (true, Kind::Mask) => vector.text,
            (true, _) => format!("({} != 0)", vector.text),
        }
    }

    fn vector(&self, value: &Value) -> Vector {
        if !self.differs(value) {
            let kind = match self.number_of(value) {
                Number::Real => Kind::Real,
                Number::Int => Kind::Int,
            };
            return Vector { text: self.value(value), kind, differs: false };
        }
        let (text, kind) = match value {
            Value::Real(_) | Value::Int(_) | Value::Size(_) => (self.value(value), Kind::Int),
            Value::Load(place) => self.vector_load(place),
            Value::Truth(a) => (self.mask(a), Kind::Mask),
            Value::Select(p) => {
                let number = self.number_of(&p.1);
                let (a, b) = (self.held(&p.1, number), self.held(&p.2, number));
                let (name, kind) = match number {
                    Number::Real => ("redexter_choose", Kind::Real),
                    Number::Int => ("redexter_choose_int", Kind::Int),
                };
                match self.differs(&p.0) {
                    true => (format!("{name}({}, {a}, {b})", self.mask(&p.0)), kind),
                    false => {
                        let ty = v_type(number);
                        (format!("(({}) ? ({ty}){a} : ({ty}){b})", self.value(&p.0)), kind)
                    }
                }
            }
            Value::Prim(prim, number, operands) => self.vector_prim(*prim, *number, operands),
        };
        Vector { text, kind, differs: true }
    }

    fn vector_load(&self, place: &Place) -> (String, Kind) {
        let number = self.number(place.cell);
        let kind = if number == Number::Real { Kind::Real } else { Kind::Int };
        let Some(lanes) = &self.lanes else { return (self.place(place), kind) };
        if place.cell == lanes.what.index {
            return (format!("(redexter_ints({}) + redexter_lanes())", lanes.first), Kind::Int);
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
    fn gathered(&self, place: &Place) -> String {
        let all: Vec<String> =
            (0..self.width()).map(|lane| self.scalar_at(&Value::Load(place.clone()), lane)).collect();
        format!("(({}){{{}}})", v_type(self.number(place.cell)), all.join(", "))
    }

    /// A value in one lane of the vector.
    fn scalar_at(&self, value: &Value, lane: u32) -> String {
        match value {
            Value::Load(place) if place.indices.is_empty() && self.differs(value) => match &self.lanes {
                Some(lanes) if place.cell == lanes.what.index => format!("({} + {lane})", lanes.first),
                _ => format!("{}[{lane}]", self.local(place.cell)),
            },
            Value::Load(place) => {
                let indices = place.indices.iter().map(|index| self.scalar_at(index, lane)).collect::<Vec<_>>();
                self.element(place.cell, &indices)
            }
            Value::Real(_) | Value::Int(_) | Value::Size(_) => self.value(value),
            Value::Truth(a) => format!("({} != 0)", self.scalar_at(a, lane)),
            Value::Select(p) => {
                let [c, a, b] = [&p.0, &p.1, &p.2].map(|part| self.scalar_at(part, lane));
                format!("({c} ? {a} : {b})")
            }
            Value::Prim(prim, number, operands) => {
                let operands: Vec<String> = operands.iter().map(|operand| self.scalar_at(operand, lane)).collect();
                self.primitive(*prim, *number, &operands)
            }
        }
    }

    fn vector_prim(&self, prim: Prim, number: Number, operands: &[Value]) -> (String, Kind) {
        let own = if number == Number::Real { Kind::Real } else { Kind::Int };
        let held = |k: usize| self.held(&operands[k], number);
        // A scalar beside a vector is one in each lane.
        let near = |k: usize| {
            let vector = self.vector(&operands[k]);
            if vector.kind == Kind::Mask { self.held(&operands[k], Number::Int) } else { vector.text }
        };
        let text = prim.text();
        match (prim, number) {
            (Prim::Add | Prim::Sub | Prim::Mul, Number::Int) => {
                (format!("((redexter_i)((redexter_u){} {text} (redexter_u){}))", held(0), held(1)), Kind::Int)
            }
            (Prim::Neg, Number::Int) => (format!("((redexter_i)(0 - (redexter_u){}))", held(0)), Kind::Int),
            (Prim::Neg, Number::Real) => (format!("(-{})", near(0)), Kind::Real),
            (Prim::Add | Prim::Sub | Prim::Mul | Prim::Div, _) => (format!("({} {text} {})", near(0), near(1)), own),
            (Prim::Not, _) => (format!("(~{})", self.mask(&operands[0])), Kind::Mask),
            (Prim::And, _) => (format!("({} & {})", self.mask(&operands[0]), self.mask(&operands[1])), Kind::Mask),
            (Prim::Or, _) => (format!("({} | {})", self.mask(&operands[0]), self.mask(&operands[1])), Kind::Mask),
            (Prim::Eq, _) => (format!("({} == {})", held(0), held(1)), Kind::Mask),
            _ if prim.class() == Class::Comparison => (format!("({} {text} {})", held(0), held(1)), Kind::Mask),
            (Prim::Min | Prim::Max, _) => (format!("redexter_{text}s({}, {})", held(0), held(1)), Kind::Real),
            (Prim::Pow, _) if !self.differs(&operands[1]) => {
                (format!("redexter_pows({}, {})", held(0), self.value(&operands[1])), Kind::Real)
            }
            (Prim::ToReal, _) => (format!("__builtin_convertvector({}, redexter_v)", held(0)), Kind::Real),
            (Prim::ToInt, _) => (held(0), Kind::Int),
            (Prim::Offset(c), _) => (format!("({} + INT64_C({c}))", held(0)), Kind::Int),
            (Prim::Abs | Prim::Sqrt, _) => (format!("redexter_{text}s({})", held(0)), Kind::Real),
            (Prim::Exp | Prim::Log | Prim::Sin | Prim::Cos | Prim::Tanh, _) if self.target.freedom == Freedom::Fast => {
                (format!("redexter_{text}s({})", held(0)), Kind::Real)
            }
            (Prim::Exp, _) => {
                (format!("redexter_exact_exp({}, {})", function(prim, &self.target), held(0)), Kind::Real)
            }
            _ if prim.class() == Class::Function && operands.len() == 1 => {
                (format!("redexter_each({}, {})", function(prim, &self.target), held(0)), Kind::Real)
            }
            _ => {
                let value = Value::Prim(prim, number, operands.to_vec());
                let all: Vec<String> = (0..self.width()).map(|lane| self.scalar_at(&value, lane)).collect();
                let number = self.number_of(&value);
                let kind = if number == Number::Real { Kind::Real } else { Kind::Int };
                (format!("(({}){{{}}})", v_type(number), all.join(", ")), kind)
            }
        }
    }
}
