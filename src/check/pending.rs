//! What inference puts off until types are known: overloaded operators, numerals, D's types, size equations and bounds.

use super::diagnose;
use super::infer::Infer;
use super::unify::has_unknown;
use crate::ad;
use crate::ground::{Code, Diagnostic, Name, Span, code};
use crate::term::{Atom, Prim, Size, Type, TypeView};

/// Why two types must be equal, for the diagnostic that says they aren't.
#[derive(Clone, Debug)]
pub(super) struct Want {
    /// The place of what was found.
    pub(super) span: Span,
    /// A place that explains what was expected.
    pub(super) because: Option<(Span, String)>,
    /// The code of the finding.
    pub(super) code: Code,
}

impl Want {
    pub(super) fn at(span: Span) -> Want {
        Want { span, because: None, code: code::MISMATCH }
    }
    pub(super) fn because(self, span: Span, message: impl Into<String>) -> Want {
        Want { because: Some((span, message.into())), ..self }
    }
}

/// An operand of an overloaded operator.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    pub(super) ty: Type,
    pub(super) span: Span,
    /// Its value, if it is a numeral without sign or ascription.
    pub(super) bare: Option<u64>,
}

#[derive(Clone, Debug)]
pub(super) enum Pending {
    /// The sizes must be equal.
    Sizes(Size, Size, Want),
    /// The second type is D of the first.
    Dual(Type, Type, Span),
    /// `+ - * /`
    Arith(Prim, Span, Operand, Operand, Type),
    /// A comparison.
    Compare(Prim, Span, Operand, Operand),
    /// Unary minus.
    Minus(Span, Operand, Type),
    /// A numeral at this type.
    Number(Type, Span, Name, bool),
    /// The exponent of `pow`, the operand of `real` (an `int` or `fin`) or of `int` (a `fin`).
    Index(Prim, Operand),
    /// The size must be at least so much.
    Bound(Size, u64, Span, String),
}

/// What became of a pending constraint.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Done,
    Wait,
}

impl Infer<'_> {
    /// Tries a constraint; with `force` it takes the default where types don't decide.
    pub(super) fn attempt(&mut self, p: &Pending, force: bool) -> Result<Fate, Diagnostic> {
        match p {
            Pending::Sizes(a, b, want) => self.attempt_sizes(a, b, want),
            Pending::Dual(inner, outer, span) => self.attempt_dual(inner, outer, *span),
            Pending::Arith(op, span, l, r, result) => self.attempt_arith(*op, *span, l, r, result, force),
            Pending::Compare(op, span, l, r) => self.attempt_compare(*op, *span, l, r, force),
            Pending::Minus(span, operand, result) => self.attempt_minus(*span, operand, result, force),
            Pending::Number(ty, span, text, negative) => self.attempt_number(ty, *span, text, *negative, force),
            Pending::Index(op, operand) => self.attempt_index(*op, operand, force),
            Pending::Bound(size, lower, span, what) => self.attempt_bound(size, *lower, *span, what, force),
        }
    }

    fn attempt_sizes(&mut self, a: &Size, b: &Size, want: &Want) -> Result<Fate, Diagnostic> {
        let mut waiting = Vec::new();
        match self.solver.equate(a, b, &mut waiting) {
            Ok(()) if waiting.is_empty() => Ok(Fate::Done),
            Ok(()) => Ok(Fate::Wait),
            Err(clash) => Err(diagnose::sizes(&self.solver, a, b, &clash, want)),
        }
    }

    fn attempt_dual(&mut self, inner: &Type, outer: &Type, span: Span) -> Result<Fate, Diagnostic> {
        let known = self.solver.now(inner).map_err(|_| diagnose::too_large(span))?;
        if !known.has_unknown() {
            let dual = ad::dual_type(&known).map_err(|e| diagnose::ad(span, &e))?;
            return self.same(outer, &dual, &Want::at(span)).map(|()| Fate::Done);
        }
        let target = self.solver.head(outer);
        let shape = match (known.view(), target.view()) {
            (TypeView::Unknown(_), TypeView::Pair(x, y)) => {
                match (self.solver.head(x).view(), self.solver.head(y).view()) {
                    (TypeView::Unknown(_), TypeView::Unknown(_)) => return Ok(Fate::Wait),
                    (TypeView::Real, _) | (_, TypeView::Real) => Type::real(),
                    _ => Type::pair(self.solver.fresh(), self.solver.fresh()),
                }
            }
            (TypeView::Unknown(_), TypeView::Array(n, _)) => Type::array(n.clone(), self.solver.fresh()),
            (TypeView::Unknown(_), TypeView::Fun(..)) => Type::fun(self.solver.fresh(), self.solver.fresh()),
            (TypeView::Unknown(_), TypeView::Int | TypeView::Fin(_)) => target.clone(),
            (TypeView::Unknown(_), _) => return Ok(Fate::Wait),
            _ => known.clone(),
        };
        self.same(inner, &shape, &Want::at(span))?;
        self.dual_parts(&shape, outer, span)?;
        Ok(Fate::Done)
    }

    /// D goes through the constructor of a type that is known in part.
    fn dual_parts(&mut self, shape: &Type, outer: &Type, span: Span) -> Result<(), Diagnostic> {
        let part = |infer: &mut Self, inner: &Type| {
            let dual = infer.solver.fresh();
            infer.pending.push(Pending::Dual(inner.clone(), dual.clone(), span));
            dual
        };
        let dual = match shape.view() {
            TypeView::Array(n, a) => Type::array(n.clone(), part(self, a)),
            TypeView::Pair(a, b) => Type::pair(part(self, a), part(self, b)),
            TypeView::Fun(a, b) => Type::fun(part(self, a), part(self, b)),
            TypeView::Fin(_) => shape.clone(),
            _ => ad::dual_type(shape).map_err(|e| diagnose::ad(span, &e))?,
        };
        self.same(outer, &dual, &Want::at(span))
    }

    fn all(&mut self, ty: Type, operands: &[&Operand], result: Option<(&Type, Span)>) -> Result<Fate, Diagnostic> {
        for o in operands {
            self.same(&ty, &o.ty, &Want::at(o.span))?;
        }
        if let Some((result, span)) = result {
            self.same(result, &ty, &Want::at(span))?;
        }
        Ok(Fate::Done)
    }

    fn attempt_arith(
        &mut self,
        op: Prim,
        span: Span,
        l: &Operand,
        r: &Operand,
        result: &Type,
        force: bool,
    ) -> Result<Fate, Diagnostic> {
        let (tl, tr, to) = (self.solver.head(&l.ty), self.solver.head(&r.ty), self.solver.head(result));
        let heads = [tl.view(), tr.view(), to.view()];
        if let Some(bad) = [(l, &tl), (r, &tr)].into_iter().find(|(_, t)| !is_number_type(t)) {
            return Err(diagnose::operand(op, span, bad.0.span, &self.shown(bad.1)));
        }
        if heads[..2].iter().any(|h| matches!(h, TypeView::Fin(_))) || (force && matches!(heads[2], TypeView::Fin(_))) {
            return self.attempt_fin_sum(op, span, [l, r], [&tl, &tr], result, force);
        }
        if heads.contains(&&TypeView::Real) {
            return self.all(Type::real(), &[l, r], Some((result, span)));
        }
        if heads.contains(&&TypeView::Int) {
            if op == Prim::Div {
                return Err(diagnose::operand(op, span, l.span, "int").help("divide reals: `real a / real b`"));
            }
            return self.all(Type::int(), &[l, r], Some((result, span)));
        }
        if !matches!(heads[2], TypeView::Unknown(_) | TypeView::Fin(_)) {
            return Err(diagnose::mismatch(&self.shown(&to), "a number", &Want::at(span)));
        }
        if !force {
            return Ok(Fate::Wait);
        }
        let default = self.default_number();
        self.all(default, &[l, r], Some((result, span)))
    }

    /// `i + k` and `i + c` on indices.
    fn attempt_fin_sum(
        &mut self,
        op: Prim,
        span: Span,
        operands: [&Operand; 2],
        types: [&Type; 2],
        result: &Type,
        force: bool,
    ) -> Result<Fate, Diagnostic> {
        if op != Prim::Add {
            return Err(
                diagnose::operand(op, span, operands[0].span, "fin").help("turn indices into `int` first: `int i`")
            );
        }
        let fin = |t: &Type| match t.view() {
            TypeView::Fin(n) => Some(n.clone()),
            _ => None,
        };
        let offset = |k: usize| operands[k].bare.filter(|_| matches!(types[k].view(), TypeView::Unknown(_)));
        let (index, amount) = match (fin(types[0]), fin(types[1])) {
            (Some(n), Some(m)) => {
                let sum = n.plus(&m).ok_or_else(|| diagnose::too_large(span))?;
                return self.same(result, &Type::fin(sum), &Want::at(span)).map(|()| Fate::Done);
            }
            (Some(n), None) if offset(1).is_some() => (n, 1),
            (None, Some(n)) if offset(0).is_some() => (n, 0),
            (None, None) if force && (offset(0).is_some() || offset(1).is_some()) => {
                let amount = usize::from(offset(1).is_some());
                let n = self.solver.fresh_size();
                self.same(&Type::fin(n.clone()), &operands[1 - amount].ty, &Want::at(operands[1 - amount].span))?;
                (n, amount)
            }
            (Some(n), None) | (None, Some(n)) if !force => {
                let _ = n;
                return Ok(Fate::Wait);
            }
            _ => {
                let other = usize::from(fin(types[0]).is_some());
                return Err(diagnose::fin_with(op, span, operands[other].span, &self.shown(types[other])));
            }
        };
        let c = operands[amount].bare.unwrap_or(0);
        let dummy = Size::literal(c.saturating_add(1));
        self.same(&operands[amount].ty, &Type::fin(dummy), &Want::at(operands[amount].span))?;
        let sum = index.plus(&Size::literal(c)).ok_or_else(|| diagnose::too_large(span))?;
        self.same(result, &Type::fin(sum), &Want::at(span)).map(|()| Fate::Done)
    }

    fn attempt_compare(
        &mut self,
        op: Prim,
        span: Span,
        l: &Operand,
        r: &Operand,
        force: bool,
    ) -> Result<Fate, Diagnostic> {
        let (tl, tr) = (self.solver.head(&l.ty), self.solver.head(&r.ty));
        if let Some(bad) = [(l, &tl), (r, &tr)].into_iter().find(|(_, t)| !is_number_type(t)) {
            return Err(diagnose::operand(op, span, bad.0.span, &self.shown(bad.1)));
        }
        match (tl.view(), tr.view()) {
            (TypeView::Fin(_), TypeView::Fin(_)) => Ok(Fate::Done),
            (TypeView::Fin(n), TypeView::Unknown(_)) => self.compare_fin(n, r, force),
            (TypeView::Unknown(_), TypeView::Fin(n)) => self.compare_fin(n, l, force),
            (TypeView::Fin(_), _) => Err(diagnose::fin_with(op, span, r.span, &self.shown(&tr))),
            (_, TypeView::Fin(_)) => Err(diagnose::fin_with(op, span, l.span, &self.shown(&tl))),
            (TypeView::Real, _) | (_, TypeView::Real) => self.all(Type::real(), &[l, r], None),
            (TypeView::Int, _) | (_, TypeView::Int) => self.all(Type::int(), &[l, r], None),
            _ if force => {
                let default = self.default_number();
                self.all(default, &[l, r], None)
            }
            _ => Ok(Fate::Wait),
        }
    }

    /// The other side of a comparison is a `fin n`: a bare literal below n for every n is one, too.
    fn compare_fin(&mut self, n: &Size, other: &Operand, force: bool) -> Result<Fate, Diagnostic> {
        let n = self.solver.size_now(n).map_err(|_| diagnose::too_large(other.span))?;
        if !force && (has_unknown(&n) || other.bare.is_none()) {
            return Ok(Fate::Wait);
        }
        let size = match other.bare {
            Some(c) if has_unknown(&n) || c >= n.least(&self.bounds) => Size::literal(c.saturating_add(1)),
            _ => n,
        };
        self.same(&Type::fin(size), &other.ty, &Want::at(other.span)).map(|()| Fate::Done)
    }

    fn attempt_minus(&mut self, span: Span, operand: &Operand, result: &Type, force: bool) -> Result<Fate, Diagnostic> {
        let (inner, to) = (self.solver.head(&operand.ty), self.solver.head(result));
        match (inner.view(), to.view()) {
            (TypeView::Real | TypeView::Int, _) => self.same(result, &inner, &Want::at(span)).map(|()| Fate::Done),
            (TypeView::Unknown(_), TypeView::Real | TypeView::Int) => {
                self.same(&to, &operand.ty, &Want::at(operand.span)).map(|()| Fate::Done)
            }
            (TypeView::Unknown(_), _) if !force => Ok(Fate::Wait),
            (TypeView::Unknown(_), _) => {
                let default = self.default_number();
                self.all(default, &[operand], Some((result, span)))
            }
            _ => Err(diagnose::operand(Prim::Neg, span, operand.span, &self.shown(&inner))),
        }
    }

    fn attempt_number(
        &mut self,
        ty: &Type,
        span: Span,
        text: &Name,
        negative: bool,
        force: bool,
    ) -> Result<Fate, Diagnostic> {
        let ty = self.solver.head(ty);
        let whole = text.as_str().parse::<u64>().ok();
        match (ty.view(), whole) {
            (TypeView::Real, _) => Ok(Fate::Done),
            (TypeView::Int, Some(c)) if c <= i64::MAX as u64 + u64::from(negative) => Ok(Fate::Done),
            (TypeView::Int, Some(_)) => Err(diagnose::bad_number(span, "an `int` has 64 bits")),
            (TypeView::Fin(_), Some(_)) if negative => Err(diagnose::bad_number(span, "an index is never negative")),
            (TypeView::Fin(n), Some(c)) => {
                let n = self.solver.size_now(n).map_err(|_| diagnose::too_large(span))?;
                if has_unknown(&n) && !force {
                    return Ok(Fate::Wait);
                }
                if has_unknown(&n) {
                    return Err(diagnose::undetermined(span, "the size of this index's type"));
                }
                self.least_above(&n, c, span)
            }
            (TypeView::Unknown(_), None) => self.same(&Type::real(), &ty, &Want::at(span)).map(|()| Fate::Done),
            (TypeView::Unknown(_), Some(_)) if !force => Ok(Fate::Wait),
            (TypeView::Unknown(_), Some(_)) => {
                let default = self.default_number();
                self.same(&default, &ty, &Want::at(span)).map(|()| Fate::Done)
            }
            _ => {
                let what = if whole.is_none() { "a real number" } else { "a number" };
                Err(diagnose::mismatch(&self.shown(&ty), what, &Want::at(span)))
            }
        }
    }

    /// The constant c of type `fin n` must be below n for every n.
    fn least_above(&mut self, n: &Size, c: u64, span: Span) -> Result<Fate, Diagnostic> {
        if c < n.least(&self.bounds) {
            return Ok(Fate::Done);
        }
        if self.raise(n, c.saturating_add(1)) { Ok(Fate::Done) } else { Err(diagnose::fin_too_large(span, c, n)) }
    }

    fn attempt_index(&mut self, op: Prim, operand: &Operand, force: bool) -> Result<Fate, Diagnostic> {
        let ty = self.solver.head(&operand.ty);
        match (ty.view(), op) {
            (TypeView::Fin(_), _) | (TypeView::Int, Prim::Pow | Prim::ToReal) => Ok(Fate::Done),
            (TypeView::Unknown(_), _) if !force => Ok(Fate::Wait),
            (TypeView::Unknown(_), Prim::ToInt) => {
                let below =
                    operand.bare.map_or_else(|| self.solver.fresh_size(), |c| Size::literal(c.saturating_add(1)));
                self.same(&Type::fin(below), &operand.ty, &Want::at(operand.span)).map(|()| Fate::Done)
            }
            (TypeView::Unknown(_), _) => {
                self.same(&Type::int(), &operand.ty, &Want::at(operand.span)).map(|()| Fate::Done)
            }
            _ => Err(diagnose::not_an_index(op, operand.span, &self.shown(&ty))),
        }
    }

    fn attempt_bound(
        &mut self,
        size: &Size,
        lower: u64,
        span: Span,
        what: &str,
        force: bool,
    ) -> Result<Fate, Diagnostic> {
        let n = self.solver.size_now(size).map_err(|_| diagnose::too_large(span))?;
        if n.least(&self.bounds) >= lower {
            return Ok(Fate::Done);
        }
        if has_unknown(&n) {
            return if force { Err(diagnose::undetermined(span, "a size")) } else { Ok(Fate::Wait) };
        }
        if self.raise(&n, lower) { Ok(Fate::Done) } else { Err(diagnose::below_bound(span, &n, lower, what)) }
    }

    /// Where sizes are open, raises lower bounds until `n` is at least `least`: those of all the variables of a product
    /// to 1, then that of its first. Where several choices would do, this is one of them.
    fn raise(&mut self, n: &Size, least: u64) -> bool {
        let Some((product, _)) = n.terms().find(|(m, _)| !m.is_empty()).filter(|_| self.mode.sizes_are_open()) else {
            return false;
        };
        let names: Vec<&Name> = product
            .iter()
            .filter_map(|(a, _)| match a {
                Atom::Var(name) => Some(name),
                Atom::Unknown(_) => None,
            })
            .collect();
        names.iter().for_each(|name| self.bounds.require(name, 1));
        let enough = |lower: u64| {
            n.value(|a| match a {
                Atom::Var(name) if *name == *names[0] => lower,
                Atom::Var(name) => self.bounds.lower(name),
                Atom::Unknown(_) => 0,
            }) >= least
        };
        let (mut low, mut high) = (self.bounds.lower(names[0]), least.max(1));
        while low < high {
            let middle = low + (high - low) / 2;
            if enough(middle) { high = middle } else { low = middle + 1 }
        }
        self.bounds.require(names[0], low);
        true
    }
}

fn is_number_type(ty: &Type) -> bool {
    matches!(ty.view(), TypeView::Real | TypeView::Int | TypeView::Fin(_) | TypeView::Unknown(_))
}
