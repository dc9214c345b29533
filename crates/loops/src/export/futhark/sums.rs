//! Recognises loops that are sums, and makes reductions of them.

use super::code::{FutharkExpr, FutharkLoop, FutharkName};
use redexter_language::term::{Prim, Type, TypeView};

/// A reduction, where adding is all that the loop does with its accumulator, of type `ty`.
pub(super) fn sum_or_loop(whole: FutharkLoop, ty: &Type) -> FutharkExpr {
    let zero = match ty.view() {
        TypeView::Real => FutharkExpr::Real(0.0),
        TypeView::Int => FutharkExpr::Int(0),
        _ => return FutharkExpr::Loop(Box::new(whole)),
    };
    let Some(each) = addend(&whole.body, &whole.acc, &zero) else { return FutharkExpr::Loop(Box::new(whole)) };
    let FutharkLoop { init, index, bound, .. } = whole;
    let used = each.mentions(&index).then(|| index.clone());
    let summands = match each {
        // By its type the loop's index runs through the whole array, so that the array itself is what is summed.
        FutharkExpr::Index(p) if p.1 == FutharkExpr::Var(index.clone()) && !p.0.mentions(&index) => p.0,
        each => FutharkExpr::Tabulate(bound, used, Box::new(each)),
    };
    let sum = FutharkExpr::Sum(Box::new((zero, summands)));
    if init.is_zero() { sum } else { FutharkExpr::binary(Prim::Add, init, sum) }
}

/// What one run of a loop body adds to `acc`, if adding is all it does with it; `zero` is 0 at the type.
fn addend(body: &FutharkExpr, acc: &FutharkName, zero: &FutharkExpr) -> Option<FutharkExpr> {
    match body {
        FutharkExpr::Var(x) if x == acc => Some(zero.clone()),
        FutharkExpr::Binary(Prim::Add, p) if !p.1.mentions(acc) => Some(plus(addend(&p.0, acc, zero)?, p.1.clone())),
        FutharkExpr::Binary(Prim::Add, p) if !p.0.mentions(acc) => Some(plus(p.0.clone(), addend(&p.1, acc, zero)?)),
        FutharkExpr::Binary(Prim::Sub, p) if !p.1.mentions(acc) => {
            let rest = addend(&p.0, acc, zero)?;
            Some(if rest.is_zero() {
                FutharkExpr::Neg(Box::new(p.1.clone()))
            } else {
                FutharkExpr::binary(Prim::Sub, rest, p.1.clone())
            })
        }
        FutharkExpr::If(p) if !p.0.mentions(acc) => {
            Some(FutharkExpr::if_else(p.0.clone(), addend(&p.1, acc, zero)?, addend(&p.2, acc, zero)?))
        }
        FutharkExpr::Lets(lets, body) if lets.iter().all(|(_, a)| !a.mentions(acc)) => {
            Some(FutharkExpr::lets(lets.clone(), addend(body, acc, zero)?))
        }
        _ => None,
    }
}

fn plus(a: FutharkExpr, b: FutharkExpr) -> FutharkExpr {
    if a.is_zero() {
        b
    } else if b.is_zero() {
        a
    } else {
        FutharkExpr::binary(Prim::Add, a, b)
    }
}
