//! Terms to first-order code: functions are evaluated away, what is computed stays where it was.
//!
//! Data becomes [`Expr`]; functions, and pairs and arrays that hold them, become [`Symbolic`]s, whose data parts are bound
//! by `let` first, so that nothing is computed twice. What is bound on the way goes into `lets`, which belong to the
//! innermost enclosing expression.

mod fold;
mod function;

use std::collections::BTreeSet;

use super::code::{Dim, Expr, Ident};
use super::names::NameSupply;
use super::sizes::SizeNames;
use super::value::{Env, Symbolic};
use super::{FutharkOptions, Lowered, Refusal};
use crate::ground::writing::goes_on;
use crate::term::{Futhark, Prim, Term, View};

/// The most expressions that an entry may have.
const MOST: u32 = 5_000_000;

/// The deepest nesting that an entry may have, in expressions.
const DEEPEST: u32 = 100_000;

pub(super) type Lets = Vec<(Ident, Expr)>;

pub(super) struct Lower {
    pub(super) scope: NameSupply,
    pub(super) sizes: SizeNames,
    pub(super) options: FutharkOptions,
    /// What was used that Futhark lacks.
    pub(super) defined: BTreeSet<Prim>,
    spent: u32,
    depth: u32,
}

impl Lower {
    pub(super) fn new(scope: NameSupply, sizes: SizeNames, options: FutharkOptions) -> Lower {
        Lower { scope, sizes, options, defined: BTreeSet::new(), spent: 0, depth: 0 }
    }

    pub(super) fn data(&mut self, term: &Term, env: &Env) -> Lowered<Expr> {
        self.scoped(|lower, lets| lower.tail(term, env, lets))
    }

    /// What `work` gives, inside what it binds; the names end here.
    fn scoped(&mut self, work: impl FnOnce(&mut Lower, &mut Lets) -> Lowered<Expr>) -> Lowered<Expr> {
        let mark = self.scope.mark();
        let mut lets = Vec::new();
        let body = work(self, &mut lets)?;
        self.scope.release(mark);
        Ok(Expr::lets(lets, body))
    }

    /// The same, with what it binds left to `lets`.
    fn tail(&mut self, term: &Term, env: &Env, lets: &mut Lets) -> Lowered<Expr> {
        self.enter()?;
        let (mut term, mut env) = (term.clone(), env.clone());
        while let View::Let(name, value, body) = term.view() {
            let bound = self.bind(name.as_str(), &value, body.free_at(0).is_some(), &env, lets)?;
            (term, env) = (body, env.push(bound));
        }
        let code = self.step(&term, &env, lets)?;
        self.depth -= 1;
        Ok(code)
    }

    fn step(&mut self, term: &Term, env: &Env, lets: &mut Lets) -> Lowered<Expr> {
        match term.view() {
            View::Var(_) | View::Lam(..) | View::Let(..) => {
                let value = self.value(term, env, lets)?;
                self.reify(value)
            }
            View::App(function, argument) => {
                let function = self.value(&function, env, lets)?;
                let argument = self.argument(&function, &argument, env, lets)?;
                self.call(&function, &argument, lets)
            }
            View::If(condition, a, b) => {
                let condition = self.data(&condition, env)?.truth();
                Ok(Expr::if_else(condition, self.data(&a, env)?, self.data(&b, env)?))
            }
            View::Ifold(n, f, z) => self.fold(&n, &f, &z, env, lets),
            View::Build(n, f) => {
                let f = self.value(&f, env, lets)?;
                let dim = self.sizes.dim(&n);
                self.tabulate(dim, &f)
            }
            View::Array(element, items) if items.is_empty() => {
                Ok(Expr::Empty(format!("[0]{}", self.sizes.ty(&element)?)))
            }
            View::Array(_, items) => {
                Ok(Expr::Array(items.iter().map(|e| self.data(e, env)).collect::<Lowered<Vec<Expr>>>()?))
            }
            View::Get(array, index) => Ok(Expr::Index(Box::new((self.data(&array, env)?, self.data(&index, env)?)))),
            View::Pair(a, b) => Ok(Expr::Tuple(vec![self.data(&a, env)?, self.data(&b, env)?])),
            View::Fst(p) | View::Snd(p) if p.ty().has_function() => {
                let value = self.value(term, env, lets)?;
                self.reify(value)
            }
            View::Fst(p) => Ok(Expr::Field(Box::new(self.data(&p, env)?), 0)),
            View::Snd(p) => Ok(Expr::Field(Box::new(self.data(&p, env)?), 1)),
            View::Real(x) => Ok(Expr::Real(x)),
            View::Int(k) => Ok(Expr::Int(k)),
            View::Fin(k, _) => Ok(Expr::Int(k as i64)),
            View::SizeVar(name) => Ok(Expr::Var(self.sizes.var(&name))),
            View::Prim(p, operands) => {
                let operands = operands.iter().map(|o| self.data(o, env)).collect::<Lowered<Vec<Expr>>>()?;
                Ok(self.primitive(p, operands))
            }
        }
    }

    /// A primitive applied, as its table says.
    fn primitive(&mut self, prim: Prim, operands: Vec<Expr>) -> Expr {
        let mut left = operands.into_iter();
        let mut next = || left.next().unwrap_or(Expr::Int(0));
        let truth = |code| Expr::FromBool(Box::new(code));
        match *prim.futhark() {
            Futhark::Infix(_) => Expr::binary(prim, next(), next()),
            Futhark::Minus => Expr::Neg(Box::new(next())),
            Futhark::Test(_) => truth(Expr::binary(prim, next(), next())),
            Futhark::Connective(_) => truth(Expr::binary(prim, next().truth(), next().truth())),
            Futhark::Not => truth(Expr::Not(Box::new(next().truth()))),
            Futhark::RealExponent(_) => Expr::binary(prim, next(), real(next())),
            Futhark::Shift => match prim {
                Prim::Offset(c) if c > 0 => Expr::binary(Prim::Add, next(), Expr::Int(c as i64)),
                _ => next(),
            },
            Futhark::Same => next(),
            Futhark::Library(name) => Expr::Call(name, left.collect()),
            Futhark::Defined(name, _) => {
                self.defined.insert(prim);
                Expr::Call(name, left.collect())
            }
        }
    }

    fn tabulate(&mut self, dim: Dim, f: &Symbolic) -> Lowered<Expr> {
        let mark = self.scope.mark();
        let hint = if let Symbolic::Closure(closure) = f { closure.hint.to_string() } else { "i".to_owned() };
        let index = self.scope.fresh(&hint);
        let argument = Symbolic::Data(Expr::Var(index.clone()));
        let body = self.scoped(|lower, lets| lower.call(f, &argument, lets))?;
        self.scope.release(mark);
        let index = body.mentions(&index).then_some(index);
        Ok(Expr::Tabulate(dim, index, Box::new(body)))
    }

    /// What a variable for `term` stands for: its code under a name where that isn't an atom. Nothing for data that
    /// isn't `used`.
    fn bind(&mut self, hint: &str, term: &Term, used: bool, env: &Env, lets: &mut Lets) -> Lowered<Symbolic> {
        if term.ty().has_function() {
            return self.value(term, env, lets);
        }
        if !used {
            return Ok(Symbolic::Data(Expr::Int(0)));
        }
        let code = self.data(term, env)?;
        Ok(Symbolic::Data(self.name(hint, code, lets)))
    }

    /// An atom for `code`.
    pub(super) fn name(&mut self, hint: &str, code: Expr, lets: &mut Lets) -> Expr {
        if code.is_atom() {
            return code;
        }
        let name = self.scope.fresh(hint);
        lets.push((name.clone(), code));
        Expr::Var(name)
    }

    fn enter(&mut self) -> Lowered<()> {
        self.spent += 1;
        self.depth += 1;
        if self.spent > MOST || self.depth > DEEPEST || !goes_on() {
            return Err(Refusal {
                reason: "it grows too large when its functions are inlined".to_owned(),
                help: "rewrite it to apply its functions fewer times",
            });
        }
        Ok(())
    }
}

/// A whole number as a real.
fn real(code: Expr) -> Expr {
    match code {
        Expr::Int(k) => Expr::Real(k as f64),
        code => Expr::Call("f64.i64", vec![code]),
    }
}
