//! Short names for making terms in tests.

use redexter::ground::Name;
use redexter::term::{Prim, Size, Term, Type};

pub fn real() -> Type {
    Type::real()
}

/// The real variable with this index.
pub fn x(index: u32) -> Term {
    Term::var(index, &real())
}

pub fn c(value: f64) -> Term {
    Term::real(value)
}

pub fn op(prim: Prim, operands: &[&Term]) -> Term {
    Term::prim(prim, operands.iter().map(|o| (*o).clone()).collect()).expect("operands of the right types")
}

pub fn lam(name: &str, ty: &Type, body: Term) -> Term {
    Term::lam(&Name::new(name), ty, body).expect("a well-typed λ")
}

pub fn let_in(name: &str, value: Term, body: Term) -> Term {
    Term::let_in(&Name::new(name), value, body).expect("a well-typed let")
}

pub fn pair(a: Term, b: Term) -> Term {
    Term::pair(a, b).expect("a pair")
}

pub fn fst(p: &Term) -> Term {
    Term::fst(p.clone()).expect("a pair to project")
}

pub fn snd(p: &Term) -> Term {
    Term::snd(p.clone()).expect("a pair to project")
}

pub fn get(array: Term, index: Term) -> Term {
    Term::get(array, index).expect("an index that fits")
}

pub fn size(n: u64) -> Size {
    Size::literal(n)
}

/// `build n (fun i => body)`
pub fn build(n: u64, body: Term) -> Term {
    Term::build(size(n), lam("i", &Type::fin(size(n)), body)).expect("a well-typed build")
}

/// `ifold n (fun acc i => body) start`; in the body index 0 is i, 1 is acc.
pub fn ifold(n: u64, body: Term, start: Term) -> Term {
    let step = lam("acc", start.ty(), lam("i", &Type::fin(size(n)), body));
    Term::ifold(size(n), step, start).expect("a well-typed ifold")
}
