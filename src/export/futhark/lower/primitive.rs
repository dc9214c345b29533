//! Primitives in Futhark, as their table says.

use super::super::code::{Code, Op};
use super::Lower;
use crate::term::{Futhark, Prim};

impl Lower {
    /// A primitive applied.
    pub(super) fn primitive(&mut self, prim: Prim, operands: Vec<Code>) -> Code {
        let mut left = operands.into_iter();
        let mut next = || left.next().unwrap_or(Code::Int(0));
        let truth = |code| Code::FromBool(Box::new(code));
        match *prim.futhark() {
            Futhark::Infix(op) => Code::binary(op, next(), next()),
            Futhark::Minus => Code::Neg(Box::new(next())),
            Futhark::Test(op) => truth(Code::binary(op, next(), next())),
            Futhark::Connective(op) => truth(Code::binary(op, next().truth(), next().truth())),
            Futhark::Not => truth(Code::Not(Box::new(next().truth()))),
            Futhark::RealExponent(op) => Code::binary(op, next(), real(next())),
            Futhark::Shift => match prim {
                Prim::Offset(c) if c > 0 => Code::binary(Op::Add, next(), Code::Int(c as i64)),
                _ => next(),
            },
            Futhark::Same => next(),
            Futhark::Library(name) => Code::Call(name, left.collect()),
            Futhark::Defined(definition) => {
                self.defined.insert(prim);
                Code::Call(definition.name, left.collect())
            }
        }
    }
}

/// A whole number as a real.
fn real(code: Code) -> Code {
    match code {
        Code::Int(k) => Code::Real(k as f64),
        code => Code::Call("f64.i64", vec![code]),
    }
}
