//! Lowers first-order programs to Futhark: names that are legal and distinct in scope, sizes with names, truths as `bool`, loops
//! that are sums as reductions.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::code::{FutharkExpr, FutharkLoop, FutharkName};
use super::names::NameSupply;
use super::sizes::SizeNames;
use super::{FutharkOptions, sums};
use crate::first::{self, Fold, Lowered, Var};
use redexter_language::term::{FutharkForm, Prim, Size, Type, TypeView};

pub(super) type FutharkLets = Vec<(FutharkName, FutharkExpr)>;

pub(super) struct FutharkLowering {
    pub(super) scope: NameSupply,
    pub(super) sizes: SizeNames,
    pub(super) options: FutharkOptions,
    /// What was used that Futhark lacks.
    pub(super) defined: BTreeSet<Prim>,
    /// What the variables in scope are written as.
    names: FxHashMap<u32, FutharkExpr>,
}

impl FutharkLowering {
    pub(super) fn new(scope: NameSupply, sizes: SizeNames, options: FutharkOptions) -> FutharkLowering {
        FutharkLowering { scope, sizes, options, defined: BTreeSet::new(), names: FxHashMap::default() }
    }

    /// From here on the variable is written so.
    pub(super) fn bind(&mut self, var: &Var, code: FutharkExpr) {
        self.names.insert(var.number, code);
    }

    /// A new name for a variable.
    fn fresh(&mut self, var: &Var) -> FutharkName {
        let name = self.scope.fresh(&var.hint);
        self.bind(var, FutharkExpr::Var(name.clone()));
        name
    }

    pub(super) fn data(&mut self, code: &first::Expr) -> Lowered<FutharkExpr> {
        Ok(match code {
            first::Expr::Var(var) => self.names.get(&var.number).cloned().unwrap_or(FutharkExpr::Int(0)),
            first::Expr::Real(x) => FutharkExpr::Real(*x),
            first::Expr::Int(k) => FutharkExpr::Int(*k),
            first::Expr::Size(name) => FutharkExpr::Var(self.sizes.var(name)),
            first::Expr::Prim(p, operands) => {
                let operands = operands.iter().map(|o| self.data(o)).collect::<Lowered<Vec<FutharkExpr>>>()?;
                self.primitive(*p, operands)
            }
            first::Expr::Truth(a) => self.data(a)?.truth(),
            first::Expr::Pair(p) => FutharkExpr::Tuple(vec![self.data(&p.0)?, self.data(&p.1)?]),
            first::Expr::Half(p, first) => FutharkExpr::Field(Box::new(self.data(p)?), u8::from(!first)),
            first::Expr::Index(p) => FutharkExpr::Index(Box::new((self.data(&p.0)?, self.data(&p.1)?))),
            first::Expr::Array(element, items) if items.is_empty() => {
                FutharkExpr::Empty(format!("[0]{}", self.sizes.ty(element)?))
            }
            first::Expr::Array(_, items) => {
                FutharkExpr::Array(items.iter().map(|e| self.data(e)).collect::<Lowered<Vec<FutharkExpr>>>()?)
            }
            first::Expr::If(p) => FutharkExpr::if_else(self.data(&p.0)?, self.data(&p.1)?, self.data(&p.2)?),
            first::Expr::Lets(lets, body) => self.lets(lets, body)?,
            first::Expr::Fold(fold) => self.fold(fold)?,
            first::Expr::Build(n, index, body) => self.tabulate(n, index, body)?,
        })
    }

    fn lets(&mut self, lets: &[(Var, first::Expr)], body: &first::Expr) -> Lowered<FutharkExpr> {
        let mark = self.scope.mark();
        let mut all = Vec::new();
        for (var, value) in lets {
            let value = self.data(value)?;
            all.push((self.fresh(var), value));
        }
        let body = self.data(body)?;
        self.scope.release(mark);
        Ok(FutharkExpr::lets(all, body))
    }

    fn fold(&mut self, fold: &Fold) -> Lowered<FutharkExpr> {
        let init = self.data(&fold.init)?;
        let mark = self.scope.mark();
        let (acc, index) = (self.fresh(&fold.acc), self.fresh(&fold.index));
        let body = self.data(&fold.body)?;
        self.scope.release(mark);
        let bound = self.sizes.dim(&fold.size);
        let ty = if has_array(&fold.acc.ty) { Some(self.sizes.ty(&fold.acc.ty)?) } else { None };
        let whole = FutharkLoop { acc, ty, init, index, bound, body };
        Ok(if self.options.sequential {
            FutharkExpr::Loop(Box::new(whole))
        } else {
            sums::sum_or_loop(whole, &fold.acc.ty)
        })
    }

    fn tabulate(&mut self, n: &Size, index: &Var, body: &first::Expr) -> Lowered<FutharkExpr> {
        let dim = self.sizes.dim(n);
        let mark = self.scope.mark();
        let index = self.fresh(index);
        let body = self.data(body)?;
        self.scope.release(mark);
        let index = body.mentions(&index).then_some(index);
        Ok(FutharkExpr::Tabulate(dim, index, Box::new(body)))
    }

    /// A primitive applied, as its table says.
    fn primitive(&mut self, prim: Prim, operands: Vec<FutharkExpr>) -> FutharkExpr {
        let mut left = operands.into_iter();
        let mut next = || left.next().unwrap_or(FutharkExpr::Int(0));
        let truth = |code| FutharkExpr::FromBool(Box::new(code));
        match *prim.futhark() {
            FutharkForm::Infix(_) => FutharkExpr::binary(prim, next(), next()),
            FutharkForm::Minus => FutharkExpr::Neg(Box::new(next())),
            FutharkForm::Test(_) => truth(FutharkExpr::binary(prim, next(), next())),
            FutharkForm::Connective(_) => truth(FutharkExpr::binary(prim, next().truth(), next().truth())),
            FutharkForm::Not => truth(FutharkExpr::Not(Box::new(next().truth()))),
            FutharkForm::RealExponent(_) => FutharkExpr::binary(prim, next(), real(next())),
            FutharkForm::Shift => match prim {
                Prim::Offset(c) if c > 0 => FutharkExpr::binary(Prim::Add, next(), FutharkExpr::Int(c as i64)),
                _ => next(),
            },
            FutharkForm::Same => next(),
            FutharkForm::Library(name) => FutharkExpr::Call(name, left.collect()),
            FutharkForm::Defined(name, _) => {
                self.defined.insert(prim);
                FutharkExpr::Call(name, left.collect())
            }
        }
    }

    /// An atom for `code`.
    pub(super) fn name(&mut self, hint: &str, code: FutharkExpr, lets: &mut FutharkLets) -> FutharkExpr {
        if code.is_atom() {
            return code;
        }
        let name = self.scope.fresh(hint);
        lets.push((name.clone(), code));
        FutharkExpr::Var(name)
    }
}

/// A whole number as a real.
fn real(code: FutharkExpr) -> FutharkExpr {
    match code {
        FutharkExpr::Int(k) => FutharkExpr::Real(k as f64),
        code => FutharkExpr::Call("f64.i64", vec![code]),
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
