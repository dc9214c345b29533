//! Primitives in Futhark.

use super::super::code::{Code, Op};
use super::Lower;
use crate::term::{Prim, Term};

impl Lower {
    /// A primitive applied; `term` is the whole application.
    pub(super) fn primitive(&mut self, prim: Prim, operands: Vec<Code>, term: &Term) -> Code {
        self.digamma |= prim == Prim::Digamma;
        let mut operands = operands.into_iter();
        let (a, b) = (operands.next().unwrap_or(Code::Int(0)), operands.next());
        if let (Some(function), None) = (function_of_one(prim), &b) {
            return Code::Call(function, vec![a]);
        }
        let Some(b) = b else {
            return match prim {
                Prim::Neg => Code::Neg(Box::new(a)),
                Prim::Not => Code::FromBool(Box::new(Code::Not(Box::new(a.truth())))),
                Prim::Offset(0) => a,
                Prim::Offset(c) => Code::binary(Op::Add, a, Code::Int(c as i64)),
                _ => a,
            };
        };
        let compared = |op| Code::FromBool(Box::new(Code::binary(op, a.clone(), b.clone())));
        let connected = |op| Code::FromBool(Box::new(Code::binary(op, a.clone().truth(), b.clone().truth())));
        match prim {
            Prim::Add => Code::binary(Op::Add, a, b),
            Prim::Sub => Code::binary(Op::Sub, a, b),
            Prim::Mul => Code::binary(Op::Mul, a, b),
            Prim::Div => Code::binary(Op::Div, a, b),
            Prim::Min => Code::Call("f64.min", vec![a, b]),
            Prim::Max => Code::Call("f64.max", vec![a, b]),
            Prim::Lt => compared(Op::Lt),
            Prim::Le => compared(Op::Le),
            Prim::Gt => compared(Op::Gt),
            Prim::Ge => compared(Op::Ge),
            Prim::Eq => compared(Op::Eq),
            Prim::Ne => compared(Op::Ne),
            Prim::And => connected(Op::And),
            Prim::Or => connected(Op::Or),
            Prim::Pow => {
                let exponent = match b {
                    Code::Int(k) => Code::Real(k as f64),
                    b => Code::Call("f64.i64", vec![b]),
                };
                Code::binary(Op::Power, a, exponent)
            }
            other => unreachable!("`{}` doesn't take two operands: {term:?}", other.text()),
        }
    }
}

/// The library's function for a primitive of one operand.
fn function_of_one(prim: Prim) -> Option<&'static str> {
    Some(match prim {
        Prim::Exp => "f64.exp",
        Prim::Log => "f64.log",
        Prim::Sqrt => "f64.sqrt",
        Prim::Sin => "f64.sin",
        Prim::Cos => "f64.cos",
        Prim::Tanh => "f64.tanh",
        Prim::Abs => "f64.abs",
        Prim::Lgamma => "f64.lgamma",
        Prim::Digamma => "digamma",
        Prim::ToReal => "f64.i64",
        _ => return None,
    })
}
