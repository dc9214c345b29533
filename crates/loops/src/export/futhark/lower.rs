//! Lowers first-order programs to Futhark: names that are legal and distinct in scope, sizes with names, truths as `bool`, loops
//! that are sums as reductions.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::code::{FutharkExpr, FutharkLoop, FutharkName, FutharkOperator};
use super::names::NameSupply;
use super::sizes::SizeNames;
use super::{FutharkOptions, reductions};
use crate::first::{self, Fold, Guard, Lowered, Scan, Scatter, Var};
use redexter_language::term::{FutharkForm, Prim, Size, Type, TypeView};

pub(super) type FutharkLets = Vec<(FutharkName, FutharkExpr)>;

pub(super) struct FutharkLowering {
    pub(super) scope: NameSupply,
    pub(super) sizes: SizeNames,
    pub(super) options: FutharkOptions,
    /// The definitions of what was used that Futhark lacks.
    pub(super) defined: BTreeSet<&'static str>,
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
            first::Expr::Half(p, first) => self.data(p)?.half(u8::from(!first)),
            first::Expr::Index(p) => {
                let length = p.0.ty().and_then(|ty| match ty.view() {
                    TypeView::Array(n, _) => self.sizes.named(n),
                    _ => None,
                });
                FutharkExpr::Index(Box::new((self.data(&p.0)?, self.data(&p.1)?)), length)
            }
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
            let name = self.fresh(var);
            // A truth stays one until its number is asked for.
            all.push(match value {
                FutharkExpr::FromBool(truth) => {
                    self.bind(var, FutharkExpr::FromBool(Box::new(FutharkExpr::Var(name.clone()))));
                    (name, *truth)
                }
                value => (name, value),
            });
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
        let bound = self.sizes.dim(&fold.size);
        if !self.options.sequential
            && let Some(best) = self.best(fold, &init, &body, (&acc, &index))?
        {
            self.scope.release(mark);
            return Ok(best);
        }
        let ty = if has_array(&fold.acc.ty) { Some(self.sizes.ty(&fold.acc.ty)?) } else { None };
        let whole = FutharkLoop { parts: vec![(acc, ty)], init, index, bound, body };
        let done = match self.options.sequential {
            true => FutharkExpr::Loop(Box::new(whole)),
            false => reductions::reduction_or_loop(whole, &fold.acc.ty, &mut self.scope),
        };
        self.scope.release(mark);
        Ok(done)
    }

    /// `if v[best] < v[index] then index else best` from 0 on, of reals: the first of the greatest, or of the least.
    fn best(
        &mut self,
        fold: &Fold,
        init: &FutharkExpr,
        body: &FutharkExpr,
        (acc, index): (&FutharkName, &FutharkName),
    ) -> Lowered<Option<FutharkExpr>> {
        let (own, at) = (FutharkExpr::Var(acc.clone()), FutharkExpr::Var(index.clone()));
        let FutharkExpr::If(p) = body else { return Ok(None) };
        let FutharkExpr::Binary(prim @ (Prim::Lt | Prim::Gt), sides) = &p.0 else { return Ok(None) };
        if *init != FutharkExpr::Int(0) || p.1 != at || p.2 != own || !compares_reals(&fold.body) {
            return Ok(None);
        }
        let (here, is_greatest) = match (sides.0.mentions(index), sides.1.mentions(index)) {
            (false, true) => (&sides.1, *prim == Prim::Lt),
            (true, false) => (&sides.0, *prim == Prim::Gt),
            _ => return Ok(None),
        };
        let there = if here == &sides.1 { &sides.0 } else { &sides.1 };
        // The side of the best so far is the other one at its index.
        self.bind(&fold.index, own);
        let mark = self.scope.mark();
        let again = self.data(&fold.body)?;
        self.scope.release(mark);
        self.bind(&fold.index, at);
        let is_same = matches!(&again, FutharkExpr::If(p)
            if matches!(&p.0, FutharkExpr::Binary(_, both) if both.0 == *there && both.1 == *there));
        if !is_same || here.mentions(acc) {
            return Ok(None);
        }
        let all = reductions::all(self.sizes.dim(&fold.size), index, here.clone());
        let (name, text) = if is_greatest { ARGMAX } else { ARGMIN };
        self.defined.insert(text);
        Ok(Some(FutharkExpr::Call(name, vec![all])))
    }

    /// What is taken together of each first part of an array, where a loop carries nothing else and keeps that as it is before
    /// its rounds, or behind them.
    fn prefixes(&mut self, scan: &Scan) -> Lowered<Option<FutharkExpr>> {
        let Scan { fold, is_reversed, .. } = scan;
        let (init, mark) = (self.data(&fold.init)?, self.scope.mark());
        let (acc, index) = (self.fresh(&fold.acc), self.fresh(&fold.index));
        let own = FutharkExpr::Var(acc.clone());
        let at = FutharkExpr::Var(index.clone());
        let minus = |a: FutharkExpr, b: FutharkExpr| FutharkExpr::binary(Prim::Sub, a, b);
        let (n, one) = (self.sizes.value(&fold.size), FutharkExpr::Int(1));
        let Some((whole, is_before)) = carried(self.data(&fold.body)?, &own) else { return Ok(self.left(mark)) };
        let Some(found) = reductions::rounds(&whole, &own, &acc, &fold.acc.ty) else { return Ok(self.left(mark)) };
        if !matches!(found.operator, FutharkOperator::Numbers(_)) {
            return Ok(self.left(mark));
        }
        // The round whose addend comes at a place: from the end if that is how it goes, and the one before if what is kept is.
        let round = match (is_reversed, is_before) {
            (false, false) => at.clone(),
            (false, true) => minus(at.clone(), one),
            (true, false) => minus(minus(n, one), at.clone()),
            (true, true) => minus(n, at.clone()),
        };
        self.bind(&fold.index, round);
        let again = carried(self.data(&fold.body)?, &own);
        self.bind(&fold.index, at.clone());
        let each = again.and_then(|(whole, _)| reductions::rounds(&whole, &own, &acc, &fold.acc.ty));
        let Some(each) = each else { return Ok(self.left(mark)) };
        let is_first = FutharkExpr::binary(Prim::Eq, at, FutharkExpr::Int(0));
        let dim = self.sizes.dim(&fold.size);
        let first = if is_before { init.clone() } else { found.operator.joined(init.clone(), each.each.clone()) };
        let each =
            if is_before || first != each.each { FutharkExpr::if_else(is_first, first, each.each) } else { first };
        let (each, rest) = (reductions::all(dim.clone(), &index, each), reductions::all(dim, &index, found.each));
        self.scope.release(mark);
        let prefixes = FutharkExpr::Scan(found.operator.clone(), Box::new((found.neutral.clone(), each)));
        let kept = if *is_reversed { FutharkExpr::Call("reverse", vec![prefixes]) } else { prefixes };
        let last = FutharkExpr::Reduce(found.operator.clone(), Box::new((found.neutral, rest)));
        Ok(Some(FutharkExpr::Tuple(vec![found.operator.joined(init, last), kept])))
    }

    /// Nothing, outside what was entered.
    fn left(&mut self, mark: usize) -> Option<FutharkExpr> {
        self.scope.release(mark);
        None
    }

    /// A loop over the state and an array of zeros, in which each step sets what it gives.
    fn scan(&mut self, scan: &Scan) -> Lowered<FutharkExpr> {
        if !self.options.sequential
            && let Some(prefixes) = self.prefixes(scan)?
        {
            return Ok(prefixes);
        }
        let Scan { fold, is_reversed, element } = scan;
        let mut init = self.data(&fold.init)?;
        told_apart(&mut init, &mut Vec::new());
        let (bound, zero) = (self.sizes.dim(&fold.size), self.zero(element)?);
        let init = FutharkExpr::Tuple(vec![init, FutharkExpr::Tabulate(bound.clone(), None, Box::new(zero))]);
        let (state, kept) =
            (self.sizes.ty(&fold.acc.ty)?, self.sizes.ty(&Type::array(fold.size.clone(), element.clone()))?);
        let mark = self.scope.mark();
        let (acc, own) = (self.fresh(&fold.acc), self.scope.fresh("kept"));
        let mut lets = Vec::new();
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
        let body = self.data(&fold.body)?;
        let (next, element) = self.halves("step", body, &mut lets);
        self.scope.release(mark);
        let set = FutharkExpr::With(Box::new((FutharkExpr::Var(own.clone()), FutharkExpr::Var(at), element)));
        let body = FutharkExpr::lets(lets, FutharkExpr::Tuple(vec![next, set]));
        // Parts with names of their own: what is set may not be reached by what it is set to.
        let parts = vec![(acc, Some(state)), (own, Some(format!("*{kept}")))];
        Ok(FutharkExpr::Loop(Box::new(FutharkLoop { parts, init, index: round, bound, body })))
    }

    /// The halves of a pair, behind what it binds, which goes to `lets`.
    fn halves(&mut self, hint: &str, pair: FutharkExpr, lets: &mut FutharkLets) -> (FutharkExpr, FutharkExpr) {
        let pair = match pair {
            FutharkExpr::Lets(more, body) => {
                lets.extend(more);
                *body
            }
            body => body,
        };
        match pair {
            FutharkExpr::Tuple(parts) if parts.len() == 2 => (parts[0].clone(), parts[1].clone()),
            pair => {
                let pair = self.name(hint, pair, lets);
                let half = |k| FutharkExpr::Field(Box::new(pair.clone()), k);
                (half(0), half(1))
            }
        }
    }

    /// A histogram, or a loop in which each step sets a sum; both leave out what has no place.
    fn scatter(&mut self, scatter: &Scatter) -> Lowered<FutharkExpr> {
        let zero = self.zero(&scatter.value)?;
        let places = self.sizes.dim(&scatter.places);
        if !self.options.sequential {
            let (dim, mark) = (self.sizes.dim(&scatter.rounds), self.scope.mark());
            let index = self.fresh(&scatter.index);
            let mut lets = Vec::new();
            let entry = self.data(&scatter.entry)?;
            let all = match entry {
                FutharkExpr::Tuple(parts) if parts.len() == 2 => {
                    let [place, value] = [0, 1].map(|k| reductions::all(dim.clone(), &index, parts[k].clone()));
                    [zero, place, value]
                }
                entry => {
                    let entries = FutharkExpr::Call("unzip", vec![reductions::all(dim, &index, entry)]);
                    self.scope.release(mark);
                    let entries = self.name("entries", entries, &mut lets);
                    let half = |k| FutharkExpr::Field(Box::new(entries.clone()), k);
                    [zero, half(0), half(1)]
                }
            };
            self.scope.release(mark);
            let hist = FutharkExpr::Hist(FutharkOperator::sum(&scatter.value), places, Box::new(all));
            // Of pairs it gives an array, as everywhere.
            return Ok(FutharkExpr::lets(lets, hist));
        }
        let zeros = FutharkExpr::Tabulate(places, None, Box::new(zero));
        let mut lets = Vec::new();
        let ty = self.sizes.ty(&Type::array(scatter.places.clone(), scatter.value.clone()))?;
        let bound = self.sizes.dim(&scatter.rounds);
        let mark = self.scope.mark();
        let (acc, index) = (self.scope.fresh("scatter"), self.fresh(&scatter.index));
        let entry = self.data(&scatter.entry)?;
        let (place, value) = self.halves("entry", entry, &mut lets);
        let (place, value) = (self.name("place", place, &mut lets), self.name("value", value, &mut lets));
        let sums = FutharkExpr::Var(acc.clone());
        let before = FutharkExpr::index(sums.clone(), place.clone());
        let sum = self.sum(&scatter.value, before, value)?;
        let set = FutharkExpr::With(Box::new((sums.clone(), place.clone(), sum)));
        let condition = self.is_index(place, &scatter.places);
        self.scope.release(mark);
        let body = FutharkExpr::lets(lets, FutharkExpr::if_else(condition, set, sums));
        let parts = vec![(acc, Some(format!("*{ty}")))];
        Ok(FutharkExpr::Loop(Box::new(FutharkLoop { parts, init: zeros, index, bound, body })))
    }

    /// The sum of two values, which cost nothing to repeat, of a type that is made of reals.
    fn sum(&mut self, ty: &Type, a: FutharkExpr, b: FutharkExpr) -> Lowered<FutharkExpr> {
        Ok(match ty.view() {
            TypeView::Array(n, element) => {
                let dim = self.sizes.dim(n);
                let mark = self.scope.mark();
                let index = self.scope.fresh("i");
                let at = |array| FutharkExpr::index(array, FutharkExpr::Var(index.clone()));
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
    pub(super) fn is_index(&mut self, number: FutharkExpr, size: &Size) -> FutharkExpr {
        let low = FutharkExpr::binary(Prim::Le, FutharkExpr::Int(0), number.clone());
        let high = FutharkExpr::binary(Prim::Lt, number, self.sizes.value(size));
        FutharkExpr::binary(Prim::And, low, high)
    }

    /// Any value of a data type, for elements that are set before they are read.
    pub(super) fn zero(&mut self, ty: &Type) -> Lowered<FutharkExpr> {
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
        let mark = self.scope.mark();
        let index = self.fresh(index);
        let body = self.data(body)?;
        self.scope.release(mark);
        Ok(reductions::all(self.sizes.dim(n), &index, body))
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
            FutharkForm::RealExponent(_) => {
                let (base, exponent) = (next(), next());
                match exponent {
                    FutharkExpr::Int(k) if k.unsigned_abs() <= 1 << 53 => {
                        FutharkExpr::binary(prim, base, real(exponent))
                    }
                    exponent => {
                        self.defined.insert(POWER.1);
                        FutharkExpr::Call(POWER.0, vec![base, exponent])
                    }
                }
            }
            FutharkForm::Shift => match prim {
                Prim::Offset(c) if c > 0 => FutharkExpr::binary(Prim::Add, next(), FutharkExpr::Int(c as i64)),
                _ => next(),
            },
            FutharkForm::Same => next(),
            FutharkForm::Library(name) => FutharkExpr::Call(name, left.collect()),
            FutharkForm::Defined(name, text) => {
                self.defined.insert(text);
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

/// A power whose exponent is whole: as a real it may be another one, which is even.
const POWER: (&str, &str) = (
    "f64_power",
    r"def f64_power (x: f64) (k: i64) : f64 =
  let y = x ** f64.i64 k in
  if (-9007199254740992i64) <= k && k <= 9007199254740992i64 || k %% 2i64 == 0i64 then y
  else if x < 0f64 || 1f64 / x < 0f64 then -y else y
",
);

/// The first of the greatest elements. NaN is less than any number, but as the first one it stays the greatest.
const ARGMAX: (&str, &str) = (
    "f64_argmax",
    r"def f64_argmax [n] (v: [n]f64) : i64 =
  let best =
    reduce (\(x, i) (y, k) -> if x < y then (y, k) else (x, i)) (-f64.inf, 0i64)
      (map2 (\x i -> (if !(f64.isnan x) then x else if i == 0i64 then f64.inf else -f64.inf, i))
        v (iota n)) in
  best.1
",
);

/// The first of the least elements. NaN is greater than any number, but as the first one it stays the least.
const ARGMIN: (&str, &str) = (
    "f64_argmin",
    r"def f64_argmin [n] (v: [n]f64) : i64 =
  let best =
    reduce (\(x, i) (y, k) -> if y < x then (y, k) else (x, i)) (f64.inf, 0i64)
      (map2 (\x i -> (if !(f64.isnan x) then x else if i == 0i64 then -f64.inf else f64.inf, i))
        v (iota n)) in
  best.1
",
);

/// Whether a choice compares reals.
fn compares_reals(code: &first::Expr) -> bool {
    let first::Expr::If(p) = code else { return false };
    let first::Expr::Truth(test) = &p.0 else { return false };
    matches!(&**test, first::Expr::Prim(_, sides)
        if sides.iter().any(|side| side.ty().is_some_and(|ty| matches!(ty.view(), TypeView::Real))))
}

/// What a step carries on, and whether it keeps what it was given; nothing if it keeps neither that nor what it carries on.
fn carried(step: FutharkExpr, own: &FutharkExpr) -> Option<(FutharkExpr, bool)> {
    let (mut lets, both) = match step {
        FutharkExpr::Lets(lets, both) => (lets, *both),
        both => (Vec::new(), both),
    };
    let FutharkExpr::Tuple(halves) = both else { return None };
    let [next, kept] = <[FutharkExpr; 2]>::try_from(halves).ok()?;
    let is_before = kept == *own;
    if !is_before && kept != next {
        return None;
    }
    // It may have a name, which is its last one.
    let named = lets.last().is_some_and(|(name, _)| next == FutharkExpr::Var(name.clone()));
    let next = if named { lets.pop()?.1 } else { next };
    Some((FutharkExpr::lets(lets, next), is_before))
}

/// What stands twice in a pair is copied: where a loop sets an array, Futhark asks that nothing at its start has two names.
fn told_apart(code: &mut FutharkExpr, before: &mut Vec<FutharkExpr>) {
    match code {
        FutharkExpr::Tuple(halves) => halves.iter_mut().for_each(|half| told_apart(half, before)),
        FutharkExpr::Lets(_, body) => told_apart(body, before),
        code if before.contains(code) => *code = FutharkExpr::Call("copy", vec![code.clone()]),
        FutharkExpr::Var(_) | FutharkExpr::Field(..) | FutharkExpr::Index(..) => before.push(code.clone()),
        _ => {}
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
