//! Which loops are sums.

use super::code::{Code, Ident};
use crate::term::Prim;

/// What one run of a loop body adds to `acc`, if adding is all it does with it; `zero` is 0 at the type.
pub(super) fn addend(body: &Code, acc: &Ident, zero: &Code) -> Option<Code> {
    match body {
        Code::Var(x) if x == acc => Some(zero.clone()),
        Code::Binary(Prim::Add, p) if !p.1.mentions(acc) => Some(plus(addend(&p.0, acc, zero)?, p.1.clone())),
        Code::Binary(Prim::Add, p) if !p.0.mentions(acc) => Some(plus(p.0.clone(), addend(&p.1, acc, zero)?)),
        Code::Binary(Prim::Sub, p) if !p.1.mentions(acc) => {
            let rest = addend(&p.0, acc, zero)?;
            Some(if rest.is_zero() {
                Code::Neg(Box::new(p.1.clone()))
            } else {
                Code::binary(Prim::Sub, rest, p.1.clone())
            })
        }
        Code::If(p) if !p.0.mentions(acc) => {
            Some(Code::if_else(p.0.clone(), addend(&p.1, acc, zero)?, addend(&p.2, acc, zero)?))
        }
        Code::Lets(lets, body) if lets.iter().all(|(_, a)| !a.mentions(acc)) => {
            Some(Code::lets(lets.clone(), addend(body, acc, zero)?))
        }
        _ => None,
    }
}

fn plus(a: Code, b: Code) -> Code {
    if a.is_zero() {
        b
    } else if b.is_zero() {
        a
    } else {
        Code::binary(Prim::Add, a, b)
    }
}
