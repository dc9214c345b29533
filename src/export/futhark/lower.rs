//! Terms to first-order code: functions are evaluated away, what is computed stays where it was.
//!
//! Data becomes [`Code`]; functions, and pairs and arrays that hold them, become [`Value`]s, whose data parts are bound
//! by `let` first, so that nothing is computed twice. What is bound on the way goes into `lets`, which belong to the
//! innermost enclosing expression.

mod fold;
mod function;

use std::collections::BTreeSet;

use super::code::{Code, Dim, Ident};
use super::names::NameSupply;
use super::sizes::Sizes;
use super::value::{Env, Value};
use super::{FutharkOptions, Lowered, Refusal};
use crate::term::{Futhark, Prim, Term, View};

/// The most expressions that an entry may have.
const MOST: u32 = 5_000_000;

/// The deepest nesting that an entry may have, in expressions.
const DEEPEST: u32 = 100_000;

pub(super) type Lets = Vec<(Ident, Code)>;

pub(super) struct Lower {
    pub(super) scope: NameSupply,
    pub(super) sizes: Sizes,
    pub(super) options: FutharkOptions,
    /// What was used that Futhark lacks.
    pub(super) defined: BTreeSet<Prim>,
    spent: u32,
    depth: u32,
}

impl Lower {
    pub(super) fn new(scope: NameSupply, sizes: Sizes, options: FutharkOptions) -> Lower {
        Lower { scope, sizes, options, defined: BTreeSet::new(), spent: 0, depth: 0 }
    }

    pub(super) fn data(&mut self, term: &Term, env: &Env) -> Lowered<Code> {
        self.scoped(|lower, lets| lower.tail(term, env, lets))
    }

    /// What `work` gives, inside what it binds; the names end here.
    fn scoped(&mut self, work: impl FnOnce(&mut Lower, &mut Lets) -> Lowered<Code>) -> Lowered<Code> {
        let mark = self.scope.mark();
        let mut lets = Vec::new();
        let body = work(self, &mut lets)?;
        self.scope.release(mark);
        Ok(Code::lets(lets, body))
    }

    /// The same, with what it binds left to `lets`.
    fn tail(&mut self, term: &Term, env: &Env, lets: &mut Lets) -> Lowered<Code> {
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

    fn step(&mut self, term: &Term, env: &Env, lets: &mut Lets) -> Lowered<Code> {
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
                Ok(Code::if_else(condition, self.data(&a, env)?, self.data(&b, env)?))
            }
            View::Ifold(n, f, z) => self.fold(&n, &f, &z, env, lets),
            View::Build(n, f) => {
                let f = self.value(&f, env, lets)?;
                let dim = self.sizes.dim(&n);
                self.tabulate(dim, &f)
            }
            View::Array(element, items) if items.is_empty() => {
                Ok(Code::Empty(format!("[0]{}", self.sizes.ty(&element)?)))
            }
            View::Array(_, items) => {
                Ok(Code::Array(items.iter().map(|e| self.data(e, env)).collect::<Lowered<Vec<Code>>>()?))
            }
            View::Get(array, index) => Ok(Code::Index(Box::new((self.data(&array, env)?, self.data(&index, env)?)))),
            View::Pair(a, b) => Ok(Code::Tuple(Box::new((self.data(&a, env)?, self.data(&b, env)?)))),
            View::Fst(p) | View::Snd(p) if p.ty().has_function() => {
                let value = self.value(term, env, lets)?;
                self.reify(value)
            }
            View::Fst(p) => Ok(Code::Field(Box::new(self.data(&p, env)?), 0)),
            View::Snd(p) => Ok(Code::Field(Box::new(self.data(&p, env)?), 1)),
            View::Real(x) => Ok(Code::Real(x)),
            View::Int(k) => Ok(Code::Int(k)),
            View::Fin(k, _) => Ok(Code::Int(k as i64)),
            View::SizeVar(name) => Ok(Code::Var(self.sizes.var(&name))),
            View::Prim(p, operands) => {
                let operands = operands.iter().map(|o| self.data(o, env)).collect::<Lowered<Vec<Code>>>()?;
                Ok(self.primitive(p, operands))
            }
        }
    }

    /// A primitive applied, as its table says.
    fn primitive(&mut self, prim: Prim, operands: Vec<Code>) -> Code {
        let mut left = operands.into_iter();
        let mut next = || left.next().unwrap_or(Code::Int(0));
        let truth = |code| Code::FromBool(Box::new(code));
        match *prim.futhark() {
            Futhark::Infix(_) => Code::binary(prim, next(), next()),
            Futhark::Minus => Code::Neg(Box::new(next())),
            Futhark::Test(_) => truth(Code::binary(prim, next(), next())),
            Futhark::Connective(_) => truth(Code::binary(prim, next().truth(), next().truth())),
            Futhark::Not => truth(Code::Not(Box::new(next().truth()))),
            Futhark::RealExponent(_) => Code::binary(prim, next(), real(next())),
            Futhark::Shift => match prim {
                Prim::Offset(c) if c > 0 => Code::binary(Prim::Add, next(), Code::Int(c as i64)),
                _ => next(),
            },
            Futhark::Same => next(),
            Futhark::Library(name) => Code::Call(name, left.collect()),
            Futhark::Defined(name, _) => {
                self.defined.insert(prim);
                Code::Call(name, left.collect())
            }
        }
    }

    fn tabulate(&mut self, dim: Dim, f: &Value) -> Lowered<Code> {
        let mark = self.scope.mark();
        let hint = if let Value::Closure(closure) = f { closure.hint.to_string() } else { "i".to_owned() };
        let index = self.scope.fresh(&hint);
        let argument = Value::Data(Code::Var(index.clone()));
        let body = self.scoped(|lower, lets| lower.call(f, &argument, lets))?;
        self.scope.release(mark);
        let index = body.mentions(&index).then_some(index);
        Ok(Code::Tabulate(dim, index, Box::new(body)))
    }

    /// What a variable for `term` stands for: its code under a name where that isn't an atom. Nothing for data that
    /// isn't `used`.
    fn bind(&mut self, hint: &str, term: &Term, used: bool, env: &Env, lets: &mut Lets) -> Lowered<Value> {
        if term.ty().has_function() {
            return self.value(term, env, lets);
        }
        if !used {
            return Ok(Value::Data(Code::Int(0)));
        }
        let code = self.data(term, env)?;
        Ok(Value::Data(self.name(hint, code, lets)))
    }

    /// An atom for `code`.
    fn name(&mut self, hint: &str, code: Code, lets: &mut Lets) -> Code {
        if code.is_atom() {
            return code;
        }
        let name = self.scope.fresh(hint);
        lets.push((name.clone(), code));
        Code::Var(name)
    }

    fn enter(&mut self) -> Lowered<()> {
        self.spent += 1;
        self.depth += 1;
        if self.spent > MOST || self.depth > DEEPEST {
            return Err(Refusal {
                reason: "it grows too large when its functions are inlined".to_owned(),
                help: "rewrite it to apply its functions fewer times",
            });
        }
        Ok(())
    }
}

/// A whole number as a real.
fn real(code: Code) -> Code {
    match code {
        Code::Int(k) => Code::Real(k as f64),
        code => Code::Call("f64.i64", vec![code]),
    }
}
