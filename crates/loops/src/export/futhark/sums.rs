//! Recognises loops that are sums, and makes reductions of them.

use super::code::{Expr, Ident, Loop};
use redexter_language::term::{Prim, Type, TypeView};

/// A reduction, where adding is all that the loop does with its accumulator, of type `ty`.
pub(super) fn sum_or_loop(whole: Loop, ty: &Type) -> Expr {
    let zero = match ty.view() {
        TypeView::Real => Expr::Real(0.0),
        TypeView::Int => Expr::Int(0),
        _ => return Expr::Loop(Box::new(whole)),
    };
    let Some(each) = addend(&whole.body, &whole.acc, &zero) else { return Expr::Loop(Box::new(whole)) };
    let Loop { init, index, bound, .. } = whole;
    let used = each.mentions(&index).then(|| index.clone());
    let summands = match each {
        // By its type the loop's index runs through the whole array, so that the array itself is what is summed.
        Expr::Index(p) if p.1 == Expr::Var(index.clone()) && !p.0.mentions(&index) => p.0,
        each => Expr::Tabulate(bound, used, Box::new(each)),
    };
    let sum = Expr::Sum(Box::new((zero, summands)));
    if init.is_zero() { sum } else { Expr::binary(Prim::Add, init, sum) }
}

/// What one run of a loop body adds to `acc`, if adding is all it does with it; `zero` is 0 at the type.
fn addend(body: &Expr, acc: &Ident, zero: &Expr) -> Option<Expr> {
    match body {
        Expr::Var(x) if x == acc => Some(zero.clone()),
        Expr::Binary(Prim::Add, p) if !p.1.mentions(acc) => Some(plus(addend(&p.0, acc, zero)?, p.1.clone())),
        Expr::Binary(Prim::Add, p) if !p.0.mentions(acc) => Some(plus(p.0.clone(), addend(&p.1, acc, zero)?)),
        Expr::Binary(Prim::Sub, p) if !p.1.mentions(acc) => {
            let rest = addend(&p.0, acc, zero)?;
            Some(if rest.is_zero() {
                Expr::Neg(Box::new(p.1.clone()))
            } else {
                Expr::binary(Prim::Sub, rest, p.1.clone())
            })
        }
        Expr::If(p) if !p.0.mentions(acc) => {
            Some(Expr::if_else(p.0.clone(), addend(&p.1, acc, zero)?, addend(&p.2, acc, zero)?))
        }
        Expr::Lets(lets, body) if lets.iter().all(|(_, a)| !a.mentions(acc)) => {
            Some(Expr::lets(lets.clone(), addend(body, acc, zero)?))
        }
        _ => None,
    }
}

fn plus(a: Expr, b: Expr) -> Expr {
    if a.is_zero() {
        b
    } else if b.is_zero() {
        a
    } else {
        Expr::binary(Prim::Add, a, b)
    }
}
