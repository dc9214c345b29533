//! Asks first-order code for its variables, and puts others in their places.

use rustc_hash::FxHashSet;

use crate::first::{Expr, Var};
use redexter_language::term::{FutharkForm, Type};

/// A variable that no other one is; `variables` is the largest number of one.
pub(super) fn fresh(variables: &mut u32, hint: &str, ty: Type) -> Var {
    *variables += 1;
    Var { number: *variables, hint: hint.into(), ty }
}

/// A number without what Futhark has no types for.
pub(super) fn plain(code: &Expr) -> &Expr {
    match code {
        Expr::Prim(prim, of) if matches!(prim.futhark(), FutharkForm::Same) => of.first().map_or(code, plain),
        code => code,
    }
}

/// The code with something else where a variable stands.
pub(super) fn replaced(code: Expr, var: &Var, by: &Expr) -> Expr {
    match code {
        Expr::Var(own) if own.number == var.number => by.clone(),
        code => code.map(&mut |part| replaced(part, var, by)),
    }
}

/// What a node binds itself.
fn binders(code: &Expr) -> Vec<&Var> {
    match code {
        Expr::Guard(guard) => vec![&guard.index],
        Expr::Lets(lets, _) => lets.iter().map(|(var, _)| var).collect(),
        Expr::Fold(fold) => vec![&fold.acc, &fold.index],
        Expr::Scan(scan) => vec![&scan.fold.acc, &scan.fold.index],
        Expr::Scatter(scatter) => vec![&scatter.index],
        Expr::Build(_, index, _) => vec![index],
        _ => Vec::new(),
    }
}

/// What is bound in it, at any depth.
pub(super) fn bound(code: &Expr, into: &mut FxHashSet<u32>) {
    into.extend(binders(code).iter().map(|var| var.number));
    code.each(&mut |part| bound(part, into));
}

/// The variables that occur and aren't bound in it: no two binders have the same number.
pub(super) fn free(code: &Expr) -> FxHashSet<u32> {
    fn occurring(code: &Expr, into: &mut FxHashSet<u32>) {
        if let Expr::Var(var) = code {
            into.insert(var.number);
        }
        code.each(&mut |part| occurring(part, into));
    }
    let (mut all, mut own) = (FxHashSet::default(), FxHashSet::default());
    occurring(code, &mut all);
    bound(code, &mut own);
    all.retain(|k| !own.contains(k));
    all
}

pub(super) fn mentions(code: &Expr, var: &Var) -> bool {
    free(code).contains(&var.number)
}
