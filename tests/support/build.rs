//! Terms by constructors, with bound variables as Rust variables.

use std::cell::Cell;

use redexter::ground::Name;
use redexter::term::{Prim, Program, Size, SizeBounds, Term, Type};

thread_local! {
    /// The next stand-in for a bound variable, far above every index.
    static NEXT: Cell<u32> = const { Cell::new(1 << 20) };
}

/// A body under one binder, made from the binder's variable.
fn under(ty: &Type, body: impl FnOnce(Term) -> Term) -> Term {
    let own = NEXT.with(|n| n.replace(n.get() + 1));
    body(Term::var(own, ty)).rename(|i| if i == own { 0 } else { i + 1 })
}

/// A size such as `n+m+1`.
pub fn size(text: &str) -> Size {
    text.split('+').fold(Size::literal(0), |sum, part| {
        let part = part.parse().map_or_else(|_| Size::var(&Name::new(part)), Size::literal);
        sum.plus(&part).unwrap()
    })
}

pub fn real() -> Type {
    Type::real()
}

pub fn fin(n: &str) -> Type {
    Type::fin(size(n))
}

pub fn array(n: &str, a: Type) -> Type {
    Type::array(size(n), a)
}

pub fn fun(a: Type, b: Type) -> Type {
    Type::fun(a, b)
}

pub fn num(x: f64) -> Term {
    Term::real(x)
}

pub fn int(k: i64) -> Term {
    Term::int(k)
}

pub fn lam(x: &str, ty: Type, body: impl FnOnce(Term) -> Term) -> Term {
    Term::lam(&Name::new(x), &ty, under(&ty, body)).unwrap()
}

pub fn let_in(x: &str, value: Term, body: impl FnOnce(Term) -> Term) -> Term {
    let body = under(&value.ty().clone(), body);
    Term::let_in(&Name::new(x), value, body).unwrap()
}

pub fn fold(n: &str, z: Term, body: impl FnOnce(Term, Term) -> Term) -> Term {
    let f = lam("acc", z.ty().clone(), |acc| lam("i", fin(n), |i| body(acc, i)));
    Term::ifold(size(n), f, z).unwrap()
}

pub fn build(n: &str, body: impl FnOnce(Term) -> Term) -> Term {
    Term::build(size(n), lam("i", fin(n), body)).unwrap()
}

pub fn prim<const N: usize>(p: Prim, operands: [Term; N]) -> Term {
    Term::prim(p, operands.to_vec()).unwrap()
}

pub fn add(a: Term, b: Term) -> Term {
    prim(Prim::Add, [a, b])
}

pub fn mul(a: Term, b: Term) -> Term {
    prim(Prim::Mul, [a, b])
}

pub fn get(a: &Term, i: &Term) -> Term {
    Term::get(a.clone(), i.clone()).unwrap()
}

pub fn app(f: &Term, a: Term) -> Term {
    Term::app(f.clone(), a).unwrap()
}

pub fn pair(a: Term, b: Term) -> Term {
    Term::pair(a, b).unwrap()
}

pub fn fst(p: &Term) -> Term {
    Term::fst(p.clone()).unwrap()
}

pub fn snd(p: &Term) -> Term {
    Term::snd(p.clone()).unwrap()
}

pub fn if_else(c: Term, a: Term, b: Term) -> Term {
    Term::if_else(c, a, b).unwrap()
}

pub fn closed(term: Term) -> Program {
    Program { term, bounds: SizeBounds::default() }
}
