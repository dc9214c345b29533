//! Growing random terms of a given type in a scope, from the constructors.
//!
//! A scope has bound variables, which a term should use, and parameters, which come into being when a term asks for
//! one: the program that is tested binds them all. Index `locals + p` is parameter number p, so that a new parameter
//! moves nothing. `leaves` has the numbers and the indices.

use super::random::Random;
use crate::ground::Name;
use crate::term::{Bounds, Size, Term, Type, TypeView};

/// The most parameters that one program gets.
const MAX_PARAMS: usize = 6;

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
    pub(super) bounds: Bounds,
    /// Only what rounds well, hides no NaN or infinity, and has no jumps where rounding could decide.
    pub(super) gentle: bool,
}

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

    /// A term under variables of these types, which uses one of them if it can.
    pub(super) fn body(&mut self, arguments: &[Type], ty: &Type, fuel: u32) -> Option<Term> {
        let depth = self.locals.len();
        self.locals.extend_from_slice(arguments);
        let count = arguments.len() as u32;
        let uses = |t: &Term| count == 0 || (0..count).any(|i| t.free_at(i).is_some());
        let careless = self.random.chance(10);
        let mut body = self.term(ty, fuel);
        for _ in 0..3 {
            match &body {
                Some(body) if !careless && !uses(body) => {}
                _ => break,
            }
            body = self.term(ty, fuel);
        }
        self.locals.truncate(depth);
        body
    }

    pub(super) fn lam(&mut self, from: &Type, to: &Type, fuel: u32) -> Option<Term> {
        let name = self.hint(from);
        let body = self.body(std::slice::from_ref(from), to, fuel)?;
        Term::lam(&name, from, body).ok()
    }

    /// A name for a variable of this type that is to be bound here.
    pub(super) fn hint(&self, ty: &Type) -> Name {
        hint(ty, self.locals.len())
    }

    /// A bound variable or a part of one, or a parameter.
    pub(super) fn variable(&mut self, ty: &Type) -> Option<Term> {
        let near = self.reach(ty);
        if !near.is_empty() && self.random.chance(75) {
            return Some(self.random.pick(&near).clone());
        }
        let base = self.locals.len() as u32;
        let places: Vec<u32> = (0..self.params.len() as u32).filter(|p| self.params[*p as usize] == *ty).collect();
        let fresh = self.params.len() < MAX_PARAMS && self.is_data(ty);
        if fresh && (places.is_empty() || self.random.chance(30)) {
            self.params.push(ty.clone());
            return Some(Term::var(base + self.params.len() as u32 - 1, ty));
        }
        if !places.is_empty() {
            return Some(Term::var(base + *self.random.pick(&places), ty));
        }
        if near.is_empty() { None } else { Some(self.random.pick(&near).clone()) }
    }

    /// Whether a parameter can have this type.
    fn is_data(&self, ty: &Type) -> bool {
        match ty.view() {
            TypeView::Real | TypeView::Int => true,
            TypeView::Fin(n) => n.as_literal() != Some(0),
            TypeView::Array(_, a) => self.is_data(a),
            TypeView::Pair(a, b) => self.is_data(a) && self.is_data(b),
            _ => false,
        }
    }

    /// The bound variables of this type, and projections of them.
    fn reach(&self, ty: &Type) -> Vec<Term> {
        let mut all = Vec::new();
        for (k, local) in self.locals.iter().rev().enumerate() {
            let var = Term::var(k as u32, local);
            for part in [Some(var.clone()), Term::fst(var.clone()).ok(), Term::snd(var).ok()].into_iter().flatten() {
                if part.ty() == ty {
                    all.push(part);
                }
            }
        }
        all
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
            _ => self.indexing(ty, fuel),
        }
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
                _ => Term::build(n.clone(), self.lam(&Type::fin(n), &a, fuel)?).ok(),
            },
            TypeView::Pair(a, b) => Term::pair(self.term(&a, fuel)?, self.term(&b, fuel)?).ok(),
            TypeView::Fun(from, to) => self.lam(&from, &to, fuel),
            TypeView::Var(_) | TypeView::Unknown(_) => None,
        }
    }
}

/// The size that an index is below.
pub(super) fn below(ty: &Type) -> Option<Size> {
    match ty.view() {
        TypeView::Fin(n) => Some(n.clone()),
        _ => None,
    }
}

/// A name for a variable of this type, number `k` of its kind.
pub(super) fn hint(ty: &Type, k: usize) -> Name {
    let names = match ty.view() {
        TypeView::Real => ["x", "y", "z"],
        TypeView::Int => ["c", "d", "e"],
        TypeView::Fin(_) => ["i", "j", "k"],
        TypeView::Array(..) => ["v", "w", "u"],
        TypeView::Pair(..) => ["p", "q", "r"],
        _ => ["f", "g", "h"],
    };
    Name::new(names[k % names.len()])
}
