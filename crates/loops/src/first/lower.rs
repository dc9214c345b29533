//! Lowers terms to first-order code.
//!
//! Data becomes [`Expr`]; functions, and pairs and arrays that hold them, become [`Symbolic`]s, whose data parts are bound
//! by `let` first, so that nothing is computed twice. What is bound on the way goes into `lets`, which belong to the
//! innermost enclosing expression.

mod function;

use super::code::{Expr, Fold, Guard, Scan, Scatter, Var};
use super::value::{Symbolic, SymbolicEnv};
use super::{Lowered, Refusal};
use redexter_language::ground::writing::goes_on;
use redexter_language::term::{Kind, Size, Term, Type, TypeView, View};

/// The most expressions that a program may have: they are freed within a twentieth of a second.
const MAX_EXPRESSIONS: u32 = 2_000_000;

/// The deepest nesting that a program may have, in expressions.
const MAX_DEPTH: u32 = 100_000;

pub(super) type BoundExprs = Vec<(Var, Expr)>;

#[derive(Default)]
pub(super) struct FirstOrderLowering {
    /// The number of the last one.
    pub(super) variables: u32,
    spent: u32,
    depth: u32,
}

impl FirstOrderLowering {
    pub(super) fn fresh(&mut self, hint: &str, ty: &Type) -> Var {
        self.variables += 1;
        Var { number: self.variables, hint: hint.into(), ty: ty.clone() }
    }

    pub(super) fn data(&mut self, term: &Term, env: &SymbolicEnv) -> Lowered<Expr> {
        self.scoped(|lower, lets| lower.tail(term, env, lets))
    }

    /// What `work` gives, inside what it binds.
    fn scoped(
        &mut self,
        work: impl FnOnce(&mut FirstOrderLowering, &mut BoundExprs) -> Lowered<Expr>,
    ) -> Lowered<Expr> {
        let mut lets = Vec::new();
        let body = work(self, &mut lets)?;
        Ok(Expr::lets(lets, body))
    }

    /// The same, with what it binds left to `lets`.
    fn tail(&mut self, term: &Term, env: &SymbolicEnv, lets: &mut BoundExprs) -> Lowered<Expr> {
        self.enter()?;
        let (mut term, mut env) = (term.clone(), env.clone());
        // Chains of `let` may be long, so that they are gone through here and not by recursion.
        while let View::Let(name, value, body) = term.view() {
            let bound = self.bind(name.as_str(), &value, body.free_at(0).is_some(), &env, lets)?;
            (term, env) = (body, env.push(bound));
        }
        let code = self.step(&term, &env, lets)?;
        self.depth -= 1;
        Ok(code)
    }

    fn step(&mut self, term: &Term, env: &SymbolicEnv, lets: &mut BoundExprs) -> Lowered<Expr> {
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
            View::Guard(hint, size, number, inside, other) => {
                let index = self.fresh(hint.as_str(), &Type::fin(size.clone()));
                let number = self.data(&number, env)?;
                let inside = self.data(&inside, &env.push(Symbolic::Data(Expr::Var(index.clone()))))?;
                let other = self.data(&other, env)?;
                Ok(Expr::Guard(Box::new(Guard { size, index, number, inside, other })))
            }
            View::Ifold(n, f, z) => Ok(Expr::Fold(Box::new(self.fold(&n, &f, &z, env, lets)?))),
            View::Scan(n, f, z) | View::Scanr(n, f, z) => {
                let fold = self.fold(&n, &f, &z, env, lets)?;
                let is_reversed = matches!(term.kind(), Kind::Scanr(_));
                let TypeView::Pair(_, kept) = term.ty().view() else { return Err(no_scan()) };
                let TypeView::Array(_, element) = kept.view() else { return Err(no_scan()) };
                Ok(Expr::Scan(Box::new(Scan { fold, is_reversed, element: element.clone() })))
            }
            View::Build(n, f) => {
                let (index, body) = self.round(&f, env, lets)?;
                Ok(Expr::Build(n, index, Box::new(body)))
            }
            View::Scatter(rounds, places, f) => {
                let (index, entry) = self.round(&f, env, lets)?;
                let TypeView::Array(_, value) = term.ty().view() else { unreachable!("an array, by typing") };
                Ok(Expr::Scatter(Box::new(Scatter { places, rounds, index, entry, value: value.clone() })))
            }
            View::Pull(..) | View::Plus(..) => self.tail(&term.meaning(), env, lets),
            View::Array(element, items) => {
                let items = items.iter().map(|e| self.data(e, env)).collect::<Lowered<Vec<Expr>>>()?;
                Ok(Expr::Array(element, items))
            }
            View::Get(array, index) => Ok(Expr::Index(Box::new((self.data(&array, env)?, self.data(&index, env)?)))),
            View::Within(_, number) => self.data(&number, env),
            View::Pair(a, b) => Ok(Expr::Pair(Box::new((self.data(&a, env)?, self.data(&b, env)?)))),
            View::Fst(p) | View::Snd(p) if p.ty().has_function() => {
                let value = self.value(term, env, lets)?;
                self.reify(value)
            }
            View::Fst(p) => Ok(Expr::Half(Box::new(self.data(&p, env)?), true)),
            View::Snd(p) => Ok(Expr::Half(Box::new(self.data(&p, env)?), false)),
            View::Real(x) => Ok(Expr::Real(x)),
            View::Int(k) => Ok(Expr::Int(k)),
            View::Fin(k, _) => Ok(Expr::Int(k as i64)),
            View::SizeVar(name) => Ok(Expr::Size(name)),
            View::Prim(p, operands) => {
                let operands = operands.iter().map(|o| self.data(o, env)).collect::<Lowered<Vec<Expr>>>()?;
                Ok(Expr::Prim(p, operands))
            }
        }
    }

    /// The index of a loop, and what its step gives.
    fn round(&mut self, f: &Term, env: &SymbolicEnv, lets: &mut BoundExprs) -> Lowered<(Var, Expr)> {
        let f = self.value(f, env, lets)?;
        let hint = if let Symbolic::Closure(closure) = &f { closure.hint.to_string() } else { "i".to_owned() };
        let index = self.fresh(&hint, &Type::int());
        let argument = Symbolic::Data(Expr::Var(index.clone()));
        let body = self.scoped(|lower, lets| lower.call(&f, &argument, lets))?;
        Ok((index, body))
    }

    fn fold(&mut self, n: &Size, f: &Term, z: &Term, env: &SymbolicEnv, lets: &mut BoundExprs) -> Lowered<Fold> {
        let f = self.value(f, env, lets)?;
        let init = self.data(z, env)?;
        let (acc, index) = f.hints();
        let (acc, index) = (self.fresh(&acc, z.ty()), self.fresh(&index, &Type::int()));
        let arguments = (Symbolic::Data(Expr::Var(acc.clone())), Symbolic::Data(Expr::Var(index.clone())));
        let body = self.scoped(|lower, lets| {
            let step = lower.apply(&f, &arguments.0, lets)?;
            lower.call(&step, &arguments.1, lets)
        })?;
        Ok(Fold { size: n.clone(), acc, index, init, body })
    }

    /// What a variable for `term` stands for: its code under a name where that isn't an atom. Nothing for data that
    /// isn't `used`.
    fn bind(
        &mut self,
        hint: &str,
        term: &Term,
        used: bool,
        env: &SymbolicEnv,
        lets: &mut BoundExprs,
    ) -> Lowered<Symbolic> {
        if term.ty().has_function() {
            return self.value(term, env, lets);
        }
        // Terms have no effects, so that data that nobody uses needn't be computed.
        if !used {
            return Ok(Symbolic::Data(Expr::Int(0)));
        }
        let code = self.data(term, env)?;
        Ok(Symbolic::Data(self.name(hint, term.ty(), code, lets)))
    }

    /// An atom for `code`.
    pub(super) fn name(&mut self, hint: &str, ty: &Type, code: Expr, lets: &mut BoundExprs) -> Expr {
        if code.is_atom() {
            return code;
        }
        let name = self.fresh(hint, ty);
        lets.push((name.clone(), code));
        Expr::Var(name)
    }

    fn enter(&mut self) -> Lowered<()> {
        self.spent += 1;
        self.depth += 1;
        let help = "apply its functions fewer times, or give a name to what is used more than once";
        if self.depth > MAX_DEPTH {
            let reason = format!("it nests more than {MAX_DEPTH} deep once its functions are inlined");
            return Err(Refusal { reason, help });
        }
        if self.spent > MAX_EXPRESSIONS || !goes_on() {
            let reason = format!("it has more than {MAX_EXPRESSIONS} expressions once its functions are inlined");
            return Err(Refusal { reason, help });
        }
        Ok(())
    }
}

fn no_scan() -> Refusal {
    Refusal { reason: "a scan in it has another type than scans have".to_owned(), help: "report this as a bug" }
}
