//! Grows random terms of a given type in a scope, from the constructors.
//!
//! A scope has bound variables, which a term should use, and parameters, which come into being when a term asks for
//! one: the program that is tested binds them all. Index `locals + p` is parameter number p, so that a new parameter
//! moves nothing. `scope` finds variables, `leaves` has the numbers and the indices.

use super::hints::Hints;
use super::scope::{below, hint};
use redexter_language::ground::Random;
use redexter_language::term::{Prim, Size, SizeBounds, Term, Type, TypeView};

/// A scope and what may grow in it.
pub(super) struct Grower {
    pub(super) random: Random,
    /// The types of the bound variables, the innermost last.
    pub(super) locals: Vec<Type>,
    /// The types of the parameters.
    pub(super) params: Vec<Type>,
    /// Sizes to choose from; there is at least one.
    pub(super) sizes: Vec<Size>,
    /// Lower bounds of the open ones.
    pub(super) bounds: SizeBounds,
    /// Only what rounds well, hides no NaN or infinity, and has no jumps where rounding could decide.
    pub(super) gentle: bool,
    /// Numbers to use.
    pub(super) hints: Hints,
    /// How many bodies may still be grown again, as they didn't use their arguments: bodies stand in bodies, so that without an
    /// end to it each level would take three times as long as the next.
    pub(super) again: u32,
}

/// So many bodies of one program are grown again.
pub(super) const MOST_AGAIN: u32 = 1_000;

impl Grower {
    /// A term of this type; `None` where there is none to be had, as of `fin 0` outside of loops.
    pub(super) fn term(&mut self, ty: &Type, fuel: u32) -> Option<Term> {
        let wants_variable = self.random.chance(if fuel == 0 { 80 } else { 30 });
        if wants_variable && let Some(variable) = self.variable(ty) {
            return Some(variable);
        }
        if fuel > 0
            && self.random.chance(40)
            && let Some(term) = self.eliminate(ty, fuel - 1)
        {
            return Some(term);
        }
        self.introduce(ty, fuel.saturating_sub(1)).or_else(|| self.variable(ty))
    }

    /// A term under variables of these types, which uses all of them if it can.
    pub(super) fn body(&mut self, arguments: &[Type], ty: &Type, fuel: u32) -> Option<Term> {
        let depth = self.locals.len();
        self.locals.extend_from_slice(arguments);
        let count = arguments.len() as u32;
        // Now and then an argument may stay unused, since laws must hold of such bodies, too.
        let careless = self.random.chance(20);
        let mut body = self.term(ty, fuel);
        for _ in 0..2 {
            match &body {
                Some(body) if !careless && self.again > 0 && (0..count).any(|i| body.free_at(i).is_none()) => {}
                _ => break,
            }
            self.again -= 1;
            body = self.term(ty, fuel);
        }
        if !careless {
            let unused = |body: &Term, i: u32| body.free_at(i).is_none();
            body = body
                .map(|body| (0..count).fold(body, |body, i| if unused(&body, i) { self.weave(body, i) } else { body }));
        }
        if let Some(uses) = self.uses(arguments.len()) {
            body = body.map(|body| (0..uses).fold(body, |body, _| self.weave(body, 0)));
        }
        self.locals.truncate(depth);
        body
    }

    /// A number that depends on a variable, where that is easy: the sum, difference or product of both.
    fn weave(&mut self, body: Term, index: u32) -> Term {
        let var = Term::var(index, &self.locals[self.locals.len() - 1 - index as usize]);
        let parts = [Term::fst(var.clone()).ok(), Term::snd(var.clone()).ok(), Some(var)];
        let prim = *self.random.pick(&[Prim::Add, Prim::Sub, Prim::Mul]);
        for part in parts.into_iter().flatten() {
            let number = [Term::prim(Prim::ToReal, vec![part.clone()]), Ok(part)];
            for operand in number.into_iter().flatten().filter(|t| t.ty() == body.ty()) {
                let operands =
                    if self.random.chance(50) { vec![body.clone(), operand] } else { vec![operand, body.clone()] };
                if let Ok(woven) = Term::prim(prim, operands)
                    && woven.ty() == body.ty()
                {
                    return woven;
                }
            }
        }
        body
    }

    /// A function, all its parameters at once.
    pub(super) fn lam(&mut self, from: &Type, to: &Type, fuel: u32) -> Option<Term> {
        let (mut parameters, mut result) = (vec![from.clone()], to.clone());
        while let TypeView::Fun(next, rest) = result.view().clone()
            && self.random.chance(80)
        {
            parameters.push(next);
            result = rest;
        }
        let depth = self.locals.len();
        let mut body = self.body(&parameters, &result, fuel)?;
        for (k, ty) in parameters.iter().enumerate().rev() {
            body = Term::lam(&hint(ty, depth + k), ty, body).ok()?;
        }
        Some(body)
    }

    /// How often a variable is to be used again, where the rule's text has small numbers.
    fn uses(&mut self, arguments: usize) -> Option<u64> {
        let small = self.hints.ints.iter().any(|n| (3..=8).contains(n));
        (arguments == 1 && small && self.random.chance(15)).then(|| 1 + self.random.below(8) as u64)
    }

    fn size(&mut self) -> Size {
        self.random.pick(&self.sizes).clone()
    }

    /// A type of data, or now and then of functions.
    pub(super) fn ty(&mut self, functions: bool) -> Type {
        match self.random.below(if functions { 22 } else { 20 }) {
            0..=8 => Type::real(),
            9..=11 => Type::int(),
            12..=13 => Type::fin(Size::literal(1 + self.random.below(3) as u64)),
            14..=15 => Type::pair(Type::real(), Type::real()),
            16 => Type::pair(Type::int(), Type::real()),
            17 => Type::array(Size::literal(2), Type::real()),
            18..=19 => Type::array(self.size(), Type::real()),
            _ => Type::fun(Type::real(), Type::real()),
        }
    }

    /// Something that is taken apart, or a choice.
    fn eliminate(&mut self, ty: &Type, fuel: u32) -> Option<Term> {
        match self.random.below(11) {
            0 | 1 => {
                let value = self.ty(true);
                let name = self.hint(&value);
                let bound = self.term(&value, fuel)?;
                Term::let_in(&name, bound, self.body(&[value], ty, fuel)?).ok()
            }
            2 => {
                let other = self.ty(false);
                Term::fst(self.term(&Type::pair(ty.clone(), other), fuel)?).ok()
            }
            3 => {
                let other = self.ty(false);
                Term::snd(self.term(&Type::pair(other, ty.clone()), fuel)?).ok()
            }
            4 => Term::if_else(self.condition(fuel)?, self.term(ty, fuel)?, self.term(ty, fuel)?).ok(),
            5 if !ty.has_function() => self.fold(ty, fuel),
            6 => {
                let from = self.ty(false);
                let function = self.term(&Type::fun(from.clone(), ty.clone()), fuel)?;
                Term::app(function, self.term(&from, fuel)?).ok()
            }
            7 if self.random.chance(60) => self.guard(ty, fuel),
            _ => self.indexing(ty, fuel),
        }
    }

    /// Both results of a scan, either way.
    fn scan(&mut self, state: &Type, element: &Type, n: Size, fuel: u32) -> Option<Term> {
        let below = Type::fin(n.clone());
        let names = (self.hint(state), self.hint(&below));
        let body = self.body(&[state.clone(), below.clone()], &Type::pair(state.clone(), element.clone()), fuel)?;
        let step = Term::lam(&names.0, state, Term::lam(&names.1, &below, body).ok()?).ok()?;
        let is_reversed = self.random.chance(50);
        Term::scan(n, is_reversed, step, self.term(state, fuel)?).ok()
    }

    fn fold(&mut self, ty: &Type, fuel: u32) -> Option<Term> {
        let n = self.size();
        let below = Type::fin(n.clone());
        let (state, index) = (self.hint(ty), self.hint(&below));
        let body = self.body(&[ty.clone(), below.clone()], ty, fuel)?;
        let step = Term::lam(&state, ty, Term::lam(&index, &below, body).ok()?).ok()?;
        Term::ifold(n, step, self.term(ty, fuel)?).ok()
    }

    /// An element at an index in scope.
    fn indexing(&mut self, ty: &Type, fuel: u32) -> Option<Term> {
        let indices: Vec<Size> = self.locals.iter().filter_map(below).collect();
        let n = if indices.is_empty() { self.size() } else { self.random.pick(&indices).clone() };
        let index = self.term(&Type::fin(n.clone()), 0)?;
        Term::get(self.term(&Type::array(n, ty.clone()), fuel)?, index).ok()
    }

    /// A choice by whether a number is an index, which is as likely to hold as not.
    fn guard(&mut self, ty: &Type, fuel: u32) -> Option<Term> {
        let n = self.size();
        let below = Type::fin(n.clone());
        let name = self.hint(&below);
        let number = self.arithmetic(&n, 2)?;
        let inside = self.body(&[below], ty, fuel)?;
        Term::guard(&name, n, number, inside, self.term(ty, fuel)?).ok()
    }

    fn introduce(&mut self, ty: &Type, fuel: u32) -> Option<Term> {
        match ty.view().clone() {
            TypeView::Real => self.real(fuel),
            TypeView::Int => self.int(fuel),
            TypeView::Fin(n) => self.index(&n, fuel),
            TypeView::Array(n, a) => match n.as_literal() {
                Some(k) if k <= 3 && self.random.chance(40) => {
                    let elements: Option<Vec<Term>> = (0..k).map(|_| self.term(&a, fuel)).collect();
                    Term::array(&a, elements?).ok()
                }
                _ if fuel > 0 && !a.has_function() && self.random.chance(10) => {
                    Term::snd(self.scan(&Type::real(), &a, n, fuel - 1)?).ok()
                }
                _ => Term::build(n.clone(), self.lam(&Type::fin(n), &a, fuel)?).ok(),
            },
            TypeView::Pair(a, b) => Term::pair(self.term(&a, fuel)?, self.term(&b, fuel)?).ok(),
            TypeView::Fun(from, to) => self.lam(&from, &to, fuel),
            TypeView::Var(_) | TypeView::Unknown(_) => None,
        }
    }
}
