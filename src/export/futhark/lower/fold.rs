//! `ifold`: a loop, a sum, or, where it computes functions, its steps one after another.

use super::super::code::{Code, Loop};
use super::super::sum::addend;
use super::super::value::{Env, Value};
use super::super::{Lowered, Refusal};
use super::{Lets, Lower};
use crate::term::{Prim, Size, Term, Type, TypeView};

/// The most steps of a fold over functions that are written out.
const UNROLLED: u64 = 256;

impl Lower {
    pub(super) fn fold(&mut self, n: &Size, f: &Term, z: &Term, env: &Env, lets: &mut Lets) -> Lowered<Code> {
        let f = self.value(f, env, lets)?;
        let init = self.data(z, env)?;
        let mark = self.scope.mark();
        let (acc, index) = f.hints();
        let (acc, index) = (self.scope.fresh(&acc), self.scope.fresh(&index));
        let arguments = (Value::Data(Code::Var(acc.clone())), Value::Data(Code::Var(index.clone())));
        let body = self.scoped(|lower, lets| {
            let step = lower.apply(&f, &arguments.0, lets)?;
            lower.call(&step, &arguments.1, lets)
        })?;
        self.scope.release(mark);
        let bound = self.sizes.dim(n);
        let zero = match z.ty().view() {
            TypeView::Real => Some(Code::Real(0.0)),
            TypeView::Int => Some(Code::Int(0)),
            _ => None,
        };
        if let Some(zero) = zero.filter(|_| !self.options.sequential)
            && let Some(each) = addend(&body, &acc, &zero)
        {
            let used = each.mentions(&index).then(|| index.clone());
            let summands = match each {
                Code::Index(p) if p.1 == Code::Var(index.clone()) && !p.0.mentions(&index) => p.0,
                each => Code::Tabulate(bound, used, Box::new(each)),
            };
            let sum = Code::Sum(Box::new((zero, summands)));
            return Ok(if init.is_zero() { sum } else { Code::binary(Prim::Add, init, sum) });
        }
        let ty = if has_array(z.ty()) { Some(self.sizes.ty(z.ty())?) } else { None };
        Ok(Code::Loop(Box::new(Loop { acc, ty, init, index, bound, body })))
    }

    /// A fold whose accumulator is or holds a function.
    pub(super) fn unroll(&mut self, n: &Size, f: &Term, z: &Term, env: &Env, lets: &mut Lets) -> Lowered<Value> {
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
            acc = self.apply(&step, &Value::Data(Code::Int(i as i64)), lets)?;
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
