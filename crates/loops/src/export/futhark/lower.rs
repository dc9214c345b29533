//! Lowers first-order programs to Futhark: names that are legal and distinct in scope, sizes with names, truths as `bool`, loops
//! that are sums as reductions.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::code::{FutharkExpr, FutharkLoop, FutharkName};
use super::names::NameSupply;
use super::sizes::SizeNames;
use super::{FutharkOptions, sums};
use crate::first::{self, Fold, Guard, Lowered, Scan, Scatter, Var};
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
            first::Expr::Guard(guard) => self.guard(guard)?,
            first::Expr::Lets(lets, body) => self.lets(lets, body)?,
            first::Expr::Fold(fold) => self.fold(fold)?,
            first::Expr::Scan(scan) => self.scan(scan)?,
            first::Expr::Scatter(scatter) => self.scatter(scatter)?,
            first::Expr::Build(n, index, body) => self.tabulate(n, index, body)?,
        })
    }

    /// `let k = number in if 0 <= k && k < n then inside else other`
    fn guard(&mut self, guard: &Guard) -> Lowered<FutharkExpr> {
        let number = self.data(&guard.number)?;
        let mark = self.scope.mark();
        let (index, named) = match number.is_atom() {
            true => {
                self.bind(&guard.index, number.clone());
                (number, Vec::new())
            }
            false => {
                let name = self.fresh(&guard.index);
                (FutharkExpr::Var(name.clone()), vec![(name, number)])
            }
        };
        let condition = self.is_index(index, &guard.size);
        let (inside, other) = (self.data(&guard.inside)?, self.data(&guard.other)?);
        self.scope.release(mark);
        Ok(FutharkExpr::lets(named, FutharkExpr::if_else(condition, inside, other)))
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

    /// A loop over the state and an array of zeros, in which each step sets what it gives.
    fn scan(&mut self, scan: &Scan) -> Lowered<FutharkExpr> {
        let Scan { fold, is_reversed, element } = scan;
        let init = self.data(&fold.init)?;
        let (bound, zero) = (self.sizes.dim(&fold.size), self.zero(element)?);
        let init = FutharkExpr::Tuple(vec![init, FutharkExpr::Tabulate(bound.clone(), None, Box::new(zero))]);
        let (state, kept) =
            (self.sizes.ty(&fold.acc.ty)?, self.sizes.ty(&Type::array(fold.size.clone(), element.clone()))?);
        let mark = self.scope.mark();
        let both = self.scope.fresh("scan");
        let half = |k| FutharkExpr::Field(Box::new(FutharkExpr::Var(both.clone())), k);
        let (acc, own) = (self.fresh(&fold.acc), self.scope.fresh("kept"));
        let mut lets = vec![(acc, half(0)), (own.clone(), half(1))];
        let at = self.fresh(&fold.index);
        let round = match is_reversed {
            true => {
                let round = self.scope.fresh("round");
                let last = FutharkExpr::binary(Prim::Sub, self.sizes.value(&fold.size), FutharkExpr::Int(1));
                lets.push((at.clone(), FutharkExpr::binary(Prim::Sub, last, FutharkExpr::Var(round.clone()))));
                round
            }
            false => at.clone(),
        };
        let (more, body) = match self.data(&fold.body)? {
            FutharkExpr::Lets(more, body) => (more, *body),
            body => (Vec::new(), body),
        };
        lets.extend(more);
        let (next, element) = match &body {
            FutharkExpr::Tuple(parts) if parts.len() == 2 => (parts[0].clone(), parts[1].clone()),
            _ => {
                let step = self.name("step", body, &mut lets);
                let half = |k| FutharkExpr::Field(Box::new(step.clone()), k);
                (half(0), half(1))
            }
        };
        self.scope.release(mark);
        let set = FutharkExpr::With(Box::new((FutharkExpr::Var(own), FutharkExpr::Var(at), element)));
        let body = FutharkExpr::lets(lets, FutharkExpr::Tuple(vec![next, set]));
        let ty = Some(format!("({state}, *{kept})"));
        Ok(FutharkExpr::Loop(Box::new(FutharkLoop { acc: both, ty, init, index: round, bound, body })))
    }

    /// `reduce_by_index` of reals on zeros, or a loop in which each step sets a sum; both leave out what has no place.
    fn scatter(&mut self, scatter: &Scatter) -> Lowered<FutharkExpr> {
        let zero = self.zero(&scatter.value)?;
        let zeros = FutharkExpr::Tabulate(self.sizes.dim(&scatter.places), None, Box::new(zero));
        let mut lets = Vec::new();
        if !self.options.sequential && matches!(scatter.value.view(), TypeView::Real) {
            let entries = self.tabulate(&scatter.rounds, &scatter.index, &scatter.entry)?;
            let entries = self.name("entries", entries, &mut lets);
            let (dim, mark) = (self.sizes.dim(&scatter.rounds), self.scope.mark());
            let index = self.scope.fresh(&scatter.index.hint);
            let entry = FutharkExpr::Index(Box::new((entries, FutharkExpr::Var(index.clone()))));
            let half = |k| {
                let half = FutharkExpr::Field(Box::new(entry.clone()), k);
                FutharkExpr::Tabulate(dim.clone(), Some(index.clone()), Box::new(half))
            };
            self.scope.release(mark);
            return Ok(FutharkExpr::lets(lets, FutharkExpr::SumsByIndex(Box::new([zeros, half(0), half(1)]))));
        }
        let ty = self.sizes.ty(&Type::array(scatter.places.clone(), scatter.value.clone()))?;
        let bound = self.sizes.dim(&scatter.rounds);
        let mark = self.scope.mark();
        let (acc, index) = (self.scope.fresh("scatter"), self.fresh(&scatter.index));
        let (more, entry) = match self.data(&scatter.entry)? {
            FutharkExpr::Lets(more, body) => (more, *body),
            body => (Vec::new(), body),
        };
        lets.extend(more);
        let (place, value) = match entry {
            FutharkExpr::Tuple(parts) if parts.len() == 2 => (parts[0].clone(), parts[1].clone()),
            entry => {
                let entry = self.name("entry", entry, &mut lets);
                let half = |k| FutharkExpr::Field(Box::new(entry.clone()), k);
                (half(0), half(1))
            }
        };
        let (place, value) = (self.name("place", place, &mut lets), self.name("value", value, &mut lets));
        let sums = FutharkExpr::Var(acc.clone());
        let before = FutharkExpr::Index(Box::new((sums.clone(), place.clone())));
        let sum = self.sum(&scatter.value, before, value)?;
        let set = FutharkExpr::With(Box::new((sums.clone(), place.clone(), sum)));
        let condition = self.is_index(place, &scatter.places);
        self.scope.release(mark);
        let body = FutharkExpr::lets(lets, FutharkExpr::if_else(condition, set, sums));
        let ty = Some(format!("*{ty}"));
        Ok(FutharkExpr::Loop(Box::new(FutharkLoop { acc, ty, init: zeros, index, bound, body })))
    }

    /// The sum of two values, which cost nothing to repeat, of a type that is made of reals.
    fn sum(&mut self, ty: &Type, a: FutharkExpr, b: FutharkExpr) -> Lowered<FutharkExpr> {
        Ok(match ty.view() {
            TypeView::Array(n, element) => {
                let dim = self.sizes.dim(n);
                let mark = self.scope.mark();
                let index = self.scope.fresh("i");
                let at = |array| FutharkExpr::Index(Box::new((array, FutharkExpr::Var(index.clone()))));
                let body = self.sum(element, at(a), at(b))?;
                self.scope.release(mark);
                FutharkExpr::Tabulate(dim, Some(index), Box::new(body))
            }
            TypeView::Pair(first, second) => {
                let half = |x: &FutharkExpr, k| FutharkExpr::Field(Box::new(x.clone()), k);
                let one = self.sum(first, half(&a, 0), half(&b, 0))?;
                FutharkExpr::Tuple(vec![one, self.sum(second, half(&a, 1), half(&b, 1))?])
            }
            _ => FutharkExpr::binary(Prim::Add, a, b),
        })
    }

    /// Whether a number, which is an atom, is an index below a size.
    fn is_index(&mut self, number: FutharkExpr, size: &Size) -> FutharkExpr {
        let low = FutharkExpr::binary(Prim::Le, FutharkExpr::Int(0), number.clone());
        let high = FutharkExpr::binary(Prim::Lt, number, self.sizes.value(size));
        FutharkExpr::binary(Prim::And, low, high)
    }

    /// Any value of a data type, for elements that are set before they are read.
    fn zero(&mut self, ty: &Type) -> Lowered<FutharkExpr> {
        Ok(match ty.view() {
            TypeView::Real => FutharkExpr::Real(0.0),
            TypeView::Array(n, element) => {
                FutharkExpr::Tabulate(self.sizes.dim(n), None, Box::new(self.zero(element)?))
            }
            TypeView::Pair(a, b) => FutharkExpr::Tuple(vec![self.zero(a)?, self.zero(b)?]),
            _ => FutharkExpr::Int(0),
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
