//! Primitives in Futhark, as their table says.

use super::super::code::Code;
use super::Lower;
use crate::term::{Futhark, Prim};

impl Lower {
    /// A primitive applied.
    pub(super) fn primitive(&mut self, prim: Prim, operands: Vec<Code>) -> Code {
        let mut left = operands.into_iter();
        let mut next = || left.next().unwrap_or(Code::Int(0));
        let truth = |code| Code::FromBool(Box::new(code));
        match *prim.futhark() {
            Futhark::Infix(_) => Code::binary(prim, next(), next()),
            Futhark::Minus => Code::Neg(Box::new(next())),
            Futhark::Test(_) => truth(Code::binary(prim, next(), next())),
            Futhark::Connective(_) => truth(Code::binary(prim, next().truth(), next().truth())),
            Futhark::Not => truth(Code::Not(Box::new(next().truth()))),
            Futhark::RealExponent(_) => Code::binary(prim, next(), real(next())),
            Futhark::Shift => match prim {
                Prim::Offset(c) if c > 0 => Code::binary(Prim::Add, next(), Code::Int(c as i64)),
                _ => next(),
            },
            Futhark::Same => next(),
            Futhark::Library(name) => Code::Call(name, left.collect()),
            Futhark::Defined(name, _) => {
                self.defined.insert(prim);
                Code::Call(name, left.collect())
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
