//! Makes terms; there are no other ways. Each checks types and sizes, so that a term can't be ill-typed.

use std::rc::Rc;

use smallvec::SmallVec;

use super::assemble::{bind, exchange, one, two};
use super::embedding::Embedding;
use super::gather::many;
use super::kind::Kind;
use super::leaf::leaf;
use super::node::Term;
use super::prim::Prim;
use super::size::{Size, SizeAtom};
use super::types::Type;
use super::typing::{IllTyped, refuse};
use crate::ground::Name;
use crate::ground::polynomial::Monomial;

/// The sum of a size's products, of constants and variables that are made so.
fn polynomial(n: &Size, number: &dyn Fn(u64) -> Term, variable: &dyn Fn(Term) -> Term) -> Term {
    let joined = |all: &mut dyn Iterator<Item = Term>, op: Prim| {
        all.reduce(|a, b| Term::binary(op, a, b).unwrap_or_else(|_| number(0)))
    };
    let product = |(monomial, coefficient): (&Monomial<SizeAtom>, u64)| {
        let written = (coefficient != 1 || monomial.is_empty()).then(|| number(coefficient));
        let variables = monomial.iter().flat_map(|(atom, power)| {
            let SizeAtom::Var(name) = atom else { return vec![] };
            vec![variable(constant(Kind::SizeVar(name.clone()), &Type::int())); *power as usize]
        });
        joined(&mut written.into_iter().chain(variables), Prim::Mul).unwrap_or_else(|| number(1))
    };
    joined(&mut n.terms().map(product), Prim::Add).unwrap_or_else(|| number(0))
}

impl Term {
    /// The variable that is bound `index` binders further out, of type `ty`.
    pub fn var(index: u32, ty: &Type) -> Term {
        Term { node: leaf(Kind::Var, ty), env: Embedding::one(index) }
    }

    /// `fun (name : ty) => body`, body under one binder.
    pub fn lam(name: &Name, ty: &Type, body: Term) -> Result<Term, IllTyped> {
        one(&Kind::Lam(name.clone(), ty.clone()), body)
    }

    /// `function argument`
    pub fn app(function: Term, argument: Term) -> Result<Term, IllTyped> {
        two(&Kind::App, function, argument)
    }

    /// `let name := value; body`, body under one binder.
    pub fn let_in(name: &Name, value: Term, body: Term) -> Result<Term, IllTyped> {
        bind(name, value, body)
    }

    /// `if condition then a else b`
    pub fn if_else(condition: Term, a: Term, b: Term) -> Result<Term, IllTyped> {
        many(&Kind::If, &[condition, a, b], None)
    }

    /// `ifold n f z` with `f : a -> fin n -> a` and `z : a`.
    pub fn ifold(n: Size, f: Term, z: Term) -> Result<Term, IllTyped> {
        two(&Kind::Ifold(n), f, z)
    }

    /// `scan n f z`, or `scanr n f z`, with `f : a -> fin n -> a * b` and `z : a`.
    pub fn scan(n: Size, is_reversed: bool, f: Term, z: Term) -> Result<Term, IllTyped> {
        two(&if is_reversed { Kind::Scanr(n) } else { Kind::Scan(n) }, f, z)
    }

    /// `scatter places rounds f` with `f : fin rounds -> int * a`, where a is made of reals.
    pub fn scatter(places: Size, rounds: Size, f: Term) -> Result<Term, IllTyped> {
        one(&Kind::Scatter(rounds, places), f)
    }

    /// `pull f weight` with `f : a -> b` and `weight : b`, both types made of reals.
    pub fn pull(f: Term, weight: Term) -> Result<Term, IllTyped> {
        two(&Kind::Pull, f, weight)
    }

    /// `plus a b`, of a type that is made of reals.
    pub fn plus(a: Term, b: Term) -> Result<Term, IllTyped> {
        two(&Kind::Plus, a, b)
    }

    /// `build n f` with `f : fin n -> a`.
    pub fn build(n: Size, f: Term) -> Result<Term, IllTyped> {
        one(&Kind::Build(n), f)
    }

    /// `[e1, …, ek]`, all of type `element`.
    pub fn array(element: &Type, elements: Vec<Term>) -> Result<Term, IllTyped> {
        around(&Kind::Array(element.clone()), elements.into())
    }

    /// `array[index]`
    pub fn get(array: Term, index: Term) -> Result<Term, IllTyped> {
        two(&Kind::Get, array, index)
    }

    /// An index below `size` by its number, which the caller has shown to be one wherever its variables are what their types
    /// say.
    pub fn within(size: Size, number: Term) -> Result<Term, IllTyped> {
        one(&Kind::Within(size), number)
    }

    /// `if name : fin size := number then inside else other`, inside under one binder.
    pub fn guard(name: &Name, size: Size, number: Term, inside: Term, other: Term) -> Result<Term, IllTyped> {
        many(&Kind::Guard(name.clone(), size), &[number, inside, other], None)
    }

    /// `(a, b)`
    pub fn pair(a: Term, b: Term) -> Result<Term, IllTyped> {
        two(&Kind::Pair, a, b)
    }

    /// `fst p`
    pub fn fst(p: Term) -> Result<Term, IllTyped> {
        one(&Kind::Fst, p)
    }

    /// `snd p`
    pub fn snd(p: Term) -> Result<Term, IllTyped> {
        one(&Kind::Snd, p)
    }

    /// A real constant.
    pub fn real(value: f64) -> Term {
        constant(Kind::Real(value), &Type::real())
    }

    /// An integer constant.
    pub fn int(value: i64) -> Term {
        constant(Kind::Int(value), &Type::int())
    }

    /// An index constant. Where `below` is open, the caller has checked that its least value is above `value`.
    pub fn fin(value: u64, below: Size) -> Result<Term, IllTyped> {
        match below.as_literal() {
            Some(n) if value >= n => refuse("index constant", format!("a number below {n}"), value),
            _ => {
                let ty = Type::fin(below.clone());
                Ok(constant(Kind::Fin(value, below), &ty))
            }
        }
    }

    /// A size used as an `int`: a size variable, a constant, or their sums and products.
    pub fn size_value(n: &Size) -> Term {
        polynomial(n, &|value| Term::int(value as i64), &|variable| variable)
    }

    /// A size used as a `real`: in sums and products of reals, since a product of sizes may be no `int`.
    pub fn real_size(n: &Size) -> Term {
        let real = |value| Term::unary(Prim::ToReal, value).unwrap_or_else(|_| Term::real(0.0));
        if n.terms().all(|(monomial, _)| monomial.is_empty()) {
            return real(Term::size_value(n));
        }
        polynomial(n, &|value| Term::real(value as f64), &real)
    }

    /// A primitive applied in full.
    pub fn prim(prim: Prim, operands: Vec<Term>) -> Result<Term, IllTyped> {
        around(&Kind::Prim(prim), operands.into())
    }

    /// A primitive of one operand.
    pub fn unary(prim: Prim, operand: Term) -> Result<Term, IllTyped> {
        one(&Kind::Prim(prim), operand)
    }

    /// A primitive of two operands.
    pub fn binary(prim: Prim, a: Term, b: Term) -> Result<Term, IllTyped> {
        two(&Kind::Prim(prim), a, b)
    }

    /// This constructor around these children. Refuses a variable, whose type nothing says.
    pub fn of(kind: &Kind, kids: SmallVec<[Term; 2]>) -> Result<Term, IllTyped> {
        match kind {
            Kind::Fin(value, below) => Term::fin(*value, below.clone()),
            kind => around(kind, kids),
        }
    }

    /// The same constructor around other children. Hints stay.
    pub fn with_kids(&self, kids: SmallVec<[Term; 2]>) -> Result<Term, IllTyped> {
        if kids.len() != self.kid_count() {
            return refuse("children", self.kid_count(), kids.len());
        }
        if kids.is_empty() { Ok(self.clone()) } else { around(self.kind(), kids) }
    }

    /// The same term with child `k` replaced; the very same object where nothing changes.
    pub fn with_kid(&self, k: usize, new: Term) -> Result<Term, IllTyped> {
        let (node, old) = (&*self.node, &self.node.kids[k]);
        if old.form.judgement == new.node.form.judgement
            && node.form.links[k].is_within(&self.env, node.binders(k), &new.env)
        {
            if Rc::ptr_eq(old, &new.node) {
                return Ok(self.clone());
            }
            return Ok(exchange(self, k, new.node));
        }
        match self.kid_count() {
            1 => one(node.kind(), new),
            2 if k == 0 => two(node.kind(), new, self.kid(1)),
            2 => two(node.kind(), self.kid(0), new),
            _ => {
                let mut kids = self.kids();
                kids[k] = new;
                many(node.kind(), &kids, None)
            }
        }
    }
}

/// A node with this constructor.
pub(super) fn around(kind: &Kind, kids: SmallVec<[Term; 2]>) -> Result<Term, IllTyped> {
    match kids.into_inner() {
        Ok([a, b]) => two(kind, a, b),
        Err(mut kids) if kids.len() == 1 => one(kind, kids.remove(0)),
        Err(kids) => many(kind, &kids, None),
    }
}

fn constant(kind: Kind, ty: &Type) -> Term {
    Term { node: leaf(kind, ty), env: Embedding::EMPTY }
}
