//! The evaluator and symbolic work: what programs mean, what they cost, how inputs come in.

mod inputs;
mod limits;
mod meaning;
mod work;

use crate::support::generate;
use redexter::eval::{self, Counts};
use redexter::ground::{Budget, Name};
use redexter::term::{Prim, Program, Size, SizeBounds, Term, Type};

fn name(text: &str) -> Name {
    Name::new(text)
}

fn n() -> Size {
    Size::var(&name("n"))
}

fn real() -> Type {
    Type::real()
}

fn vector() -> Type {
    Type::array(n(), real())
}

fn lam(x: &str, ty: &Type, body: Term) -> Term {
    Term::lam(&name(x), ty, body).unwrap()
}

fn let_in(x: &str, value: Term, body: Term) -> Term {
    Term::let_in(&name(x), value, body).unwrap()
}

fn prim(p: Prim, operands: &[Term]) -> Term {
    Term::prim(p, operands.to_vec()).unwrap()
}

fn closed(term: Term) -> Program {
    assert_eq!(term.free().len(), 0);
    Program { term, bounds: SizeBounds::default() }
}

/// A program with parameters and any body in their scope.
fn taking(parameters: &[(&str, Type)], body: Term) -> Program {
    closed(parameters.iter().rev().fold(body, |body, (x, ty)| lam(x, ty, body)))
}

/// `fun v => ifold n (fun acc i => acc + v[i]) 0`
fn sum() -> Program {
    let item = Term::get(Term::var(2, &vector()), Term::var(0, &Type::fin(n()))).unwrap();
    let step = lam("acc", &real(), lam("i", &Type::fin(n()), prim(Prim::Add, &[Term::var(1, &real()), item])));
    closed(lam("v", &vector(), Term::ifold(n(), step, Term::real(0.0)).unwrap()))
}

/// Runs on JSON and gives JSON with the counts.
fn run(program: &Program, json: &str) -> (String, Counts) {
    let (inputs, sizes) = eval::inputs_from_json(program, json, &[], &Budget::default()).unwrap();
    let (value, counts) = eval::evaluate(program, &inputs, &sizes, &Budget::default()).unwrap();
    (eval::value_to_json(&value), counts)
}
