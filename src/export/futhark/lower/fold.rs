//! `ifold`: a loop, a sum, or, where it computes functions, its steps one after another.

use super::super::code::{Expr, Ident, Loop};
use super::super::value::{Env, Symbolic};
use super::super::{Lowered, Refusal};
use super::{Lets, Lower};
use crate::term::{Prim, Size, Term, Type, TypeView};

/// The most steps of a fold over functions that are written out.
const UNROLLED: u64 = 256;

impl Lower {
    pub(super) fn fold(&mut self, n: &Size, f: &Term, z: &Term, env: &Env, lets: &mut Lets) -> Lowered<Expr> {
        let f = self.value(f, env, lets)?;
        let init = self.data(z, env)?;
        let mark = self.scope.mark();
        let (acc, index) = f.hints();
        let (acc, index) = (self.scope.fresh(&acc), self.scope.fresh(&index));
        let arguments = (Symbolic::Data(Expr::Var(acc.clone())), Symbolic::Data(Expr::Var(index.clone())));
        let body = self.scoped(|lower, lets| {
            let step = lower.apply(&f, &arguments.0, lets)?;
            lower.call(&step, &arguments.1, lets)
        })?;
        self.scope.release(mark);
        let bound = self.sizes.dim(n);
        let zero = match z.ty().view() {
            TypeView::Real => Some(Expr::Real(0.0)),
            TypeView::Int => Some(Expr::Int(0)),
            _ => None,
        };
        if let Some(zero) = zero.filter(|_| !self.options.sequential)
            && let Some(each) = addend(&body, &acc, &zero)
        {
            let used = each.mentions(&index).then(|| index.clone());
            let summands = match each {
                Expr::Index(p) if p.1 == Expr::Var(index.clone()) && !p.0.mentions(&index) => p.0,
                each => Expr::Tabulate(bound, used, Box::new(each)),
            };
            let sum = Expr::Sum(Box::new((zero, summands)));
            return Ok(if init.is_zero() { sum } else { Expr::binary(Prim::Add, init, sum) });
        }
        let ty = if has_array(z.ty()) { Some(self.sizes.ty(z.ty())?) } else { None };
        Ok(Expr::Loop(Box::new(Loop { acc, ty, init, index, bound, body })))
    }

    /// A fold whose accumulator is or holds a function.
    pub(super) fn unroll(&mut self, n: &Size, f: &Term, z: &Term, env: &Env, lets: &mut Lets) -> Lowered<Symbolic> {
        let Some(steps) = n.as_literal().filter(|k| *k <= UNROLLED) else {
            return Err(Refusal {
                reason: format!("a loop of {n} steps computes a function"),
                help: "let the loop compute data and make the function of its result",
            });
        };
        let f = self.value(f, env, lets)?;
        let mut acc = self.bind("acc", z, true, env, lets)?;
        for i in 0..steps {
            let step = self.apply(&f, &acc, lets)?;
            acc = self.apply(&step, &Symbolic::Data(Expr::Int(i as i64)), lets)?;
        }
        Ok(acc)
    }
}

/// Whether values of the data type hold arrays.
fn has_array(ty: &Type) -> bool {
    match ty.view() {
        TypeView::Array(..) => true,
        TypeView::Pair(a, b) => has_array(a) || has_array(b),
        _ => false,
    }
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
