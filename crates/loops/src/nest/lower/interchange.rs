//! Interchanges a `build` with the sums in it, which become one pass: `build m (fun j => ifold n (fun a i => e) z)` becomes
//! `ifold n (fun a i => build m (fun j => e)) (build m (fun j => z))`, with `a[j]` for `a` in `e`.
//!
//! Each accumulator goes through the same values in the same order, so that results are the same to the bit. It is done where
//! arrays are then read along their rows: where an element is found by `i` before `j` more often than by `j` before `i`.

use crate::first::{Expr, FirstOrder, Fold, Var};
use redexter_language::ground::writing::goes_on;
use redexter_language::term::{Size, Type};

/// Does so everywhere, from the inside out.
pub(in crate::nest) fn interchange(program: FirstOrder) -> FirstOrder {
    let mut pass = Interchanger { variables: program.variables };
    let body = pass.go(program.body);
    FirstOrder { body, variables: pass.variables, ..program }
}

struct Interchanger {
    variables: u32,
}

impl Interchanger {
    fn go(&mut self, code: Expr) -> Expr {
        if !goes_on() {
            return code;
        }
        match code.map(&mut |inner| self.go(inner)) {
            Expr::Build(n, j, body) => match *body {
                Expr::Fold(fold) if is_better(&fold, &j) => self.passed(n, j, *fold),
                body => Expr::Build(n, j, Box::new(body)),
            },
            code => code,
        }
    }

    fn fresh(&mut self, like: &Var, ty: Type) -> Var {
        self.variables += 1;
        Var { number: self.variables, hint: like.hint.clone(), ty }
    }

    fn passed(&mut self, n: Size, j: Var, fold: Fold) -> Expr {
        let acc = self.fresh(&fold.acc, Type::array(n.clone(), fold.acc.ty.clone()));
        // The index is bound by two builds now, and no two binders may have the same number.
        let first = self.fresh(&j, j.ty.clone());
        let init = replace(fold.init, &j, &Expr::Var(first.clone()));
        let element = Expr::Index(Box::new((Expr::Var(acc.clone()), Expr::Var(j.clone()))));
        let body = replace(fold.body, &fold.acc, &element);
        Expr::Fold(Box::new(Fold {
            size: fold.size,
            acc,
            index: fold.index,
            init: Expr::Build(n.clone(), first, Box::new(init)),
            body: Expr::Build(n, j, Box::new(body)),
        }))
    }
}

/// `code` with another expression for a variable; binders in the expression stay as they are, since it has none.
fn replace(code: Expr, var: &Var, by: &Expr) -> Expr {
    match code {
        Expr::Var(own) if own.number == var.number => by.clone(),
        code => code.map(&mut |inner| replace(inner, var, by)),
    }
}

/// Whether rows are read along more often than across.
fn is_better(fold: &Fold, j: &Var) -> bool {
    let mut balance = 0;
    weigh(&fold.body, (fold.index.number, j.number), &mut balance);
    balance > 0
}

/// Adds 1 for each element that is found by the first before the second, takes 1 for the other order.
fn weigh(code: &Expr, (i, j): (u32, u32), balance: &mut i64) {
    let (mut here, mut indices) = (code, Vec::new());
    loop {
        match here {
            Expr::Index(p) => {
                indices.push(&p.1);
                here = &p.0;
            }
            Expr::Half(p, _) => here = p,
            _ => break,
        }
    }
    let last = |number: u32| indices.iter().position(|index| matches!(index, Expr::Var(v) if v.number == number));
    // The last index was pushed first.
    if let (Some(i), Some(j)) = (last(i), last(j)) {
        *balance += if j < i { 1 } else { -1 };
    }
    for index in indices {
        weigh(index, (i, j), balance);
    }
    here.each(&mut |inner| weigh(inner, (i, j), balance));
}
