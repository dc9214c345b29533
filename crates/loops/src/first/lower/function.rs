//! Evaluates away functions and what holds them.

use std::rc::Rc;

use super::{BoundExprs, FirstOrderLowering};
use crate::first::code::Expr;
use crate::first::value::{Symbolic, SymbolicClosure, SymbolicEnv};
use crate::first::{Lowered, Refusal};
use redexter_language::term::{Kind, Prim, Size, Term, Type, View};

/// The most steps of a fold over functions that are written out.
const MAX_UNROLLED_STEPS: u64 = 256;

impl FirstOrderLowering {
    /// What a term that is or holds a function comes to.
    pub(super) fn value(&mut self, term: &Term, env: &SymbolicEnv, lets: &mut BoundExprs) -> Lowered<Symbolic> {
        self.enter()?;
        let value = self.value_inside(term, env, lets)?;
        self.depth -= 1;
        Ok(value)
    }

    fn value_inside(&mut self, term: &Term, env: &SymbolicEnv, lets: &mut BoundExprs) -> Lowered<Symbolic> {
        match term.view() {
            View::Var(index) => env.get(index).ok_or_else(|| left_over("a free variable is left in it")),
            View::Lam(hint, _, body) => {
                Ok(Symbolic::Closure(Rc::new(SymbolicClosure { hint, body, env: env.clone() })))
            }
            View::App(function, argument) => {
                let function = self.value(&function, env, lets)?;
                let argument = self.argument(&function, &argument, env, lets)?;
                self.apply(&function, &argument, lets)
            }
            View::Let(name, value, body) => {
                let bound = self.bind(name.as_str(), &value, body.free_at(0).is_some(), env, lets)?;
                self.value(&body, &env.push(bound), lets)
            }
            View::If(condition, a, b) => {
                let condition = self.data(&condition, env)?.truth();
                // It is asked again wherever one of the two is applied, so that it gets a name.
                let condition = self.name("condition", &Type::int(), condition, lets);
                let (a, b) = (self.value(&a, env, lets)?, self.value(&b, env, lets)?);
                Ok(Symbolic::Choice(Rc::new((condition, a, b))))
            }
            View::Guard(hint, size, number, a, b) => {
                let number = self.data(&number, env)?;
                let number = self.name(hint.as_str(), &Type::int(), number, lets);
                let condition = self.name("condition", &Type::int(), Expr::is_index(&number, &size), lets);
                let a = self.value(&a, &env.push(Symbolic::Data(number)), lets)?;
                let b = self.value(&b, env, lets)?;
                Ok(Symbolic::Choice(Rc::new((condition, a, b))))
            }
            View::Pair(a, b) => {
                let a = self.bind("first", &a, true, env, lets)?;
                let b = self.bind("second", &b, true, env, lets)?;
                Ok(Symbolic::Pair(Rc::new((a, b))))
            }
            View::Fst(p) => Ok(project(&self.value(&p, env, lets)?, true)),
            View::Snd(p) => Ok(project(&self.value(&p, env, lets)?, false)),
            View::Build(_, f) => Ok(Symbolic::Table(Rc::new(self.value(&f, env, lets)?))),
            View::Array(_, items) => {
                let items = items.iter().map(|e| self.bind("element", e, true, env, lets));
                Ok(Symbolic::List(Rc::new(items.collect::<Lowered<Vec<Symbolic>>>()?)))
            }
            View::Get(array, index) => {
                let array = self.value(&array, env, lets)?;
                let index = self.data(&index, env)?;
                let index = self.name("index", &Type::int(), index, lets);
                self.element(&array, &index, lets)
            }
            View::Ifold(n, f, z) => Ok(self.unroll(&n, (false, false), (&f, &z), env, lets)?.0),
            View::Scan(n, f, z) | View::Scanr(n, f, z) => {
                let is_reversed = matches!(term.kind(), Kind::Scanr(_));
                let (last, all) = self.unroll(&n, (true, is_reversed), (&f, &z), env, lets)?;
                Ok(Symbolic::Pair(Rc::new((last, Symbolic::List(Rc::new(all))))))
            }
            View::Real(_)
            | View::Int(_)
            | View::Fin(..)
            | View::SizeVar(_)
            | View::Within(..)
            | View::Prim(..)
            | View::Scatter(..)
            | View::Pull(..)
            | View::Plus(..) => {
                let code = self.data(term, env)?;
                Ok(Symbolic::Data(self.name("x", term.ty(), code, lets)))
            }
        }
    }

    /// The argument for `function`, under its parameter's name.
    pub(super) fn argument(
        &mut self,
        function: &Symbolic,
        argument: &Term,
        env: &SymbolicEnv,
        lets: &mut BoundExprs,
    ) -> Lowered<Symbolic> {
        match function {
            Symbolic::Closure(c) => self.bind(c.hint.as_str(), argument, c.body.free_at(0).is_some(), env, lets),
            _ => self.bind("x", argument, true, env, lets),
        }
    }

    /// A function applied, where the result is or holds a function.
    pub(super) fn apply(
        &mut self,
        function: &Symbolic,
        argument: &Symbolic,
        lets: &mut BoundExprs,
    ) -> Lowered<Symbolic> {
        match function {
            Symbolic::Closure(c) => self.value(&c.body, &c.env.push(argument.clone()), lets),
            Symbolic::Choice(c) => {
                let (a, b) = (self.apply(&c.1, argument, lets)?, self.apply(&c.2, argument, lets)?);
                Ok(Symbolic::Choice(Rc::new((c.0.clone(), a, b))))
            }
            _ => Err(left_over("what it applies is no function")),
        }
    }

    /// A function applied, where the result is data.
    pub(super) fn call(&mut self, function: &Symbolic, argument: &Symbolic, lets: &mut BoundExprs) -> Lowered<Expr> {
        match function {
            Symbolic::Closure(c) => self.tail(&c.body, &c.env.push(argument.clone()), lets),
            Symbolic::Choice(c) => {
                let a = self.scoped(|lower, lets| lower.call(&c.1, argument, lets))?;
                let b = self.scoped(|lower, lets| lower.call(&c.2, argument, lets))?;
                Ok(Expr::if_else(c.0.clone(), a, b))
            }
            _ => Err(left_over("what it applies is no function")),
        }
    }

    /// A value that turned out to be data.
    pub(super) fn reify(&mut self, value: Symbolic) -> Lowered<Expr> {
        match value {
            Symbolic::Data(code) => Ok(code),
            Symbolic::Choice(c) => Ok(Expr::if_else(c.0.clone(), self.reify(c.1.clone())?, self.reify(c.2.clone())?)),
            _ => Err(left_over("a function is left in it")),
        }
    }

    /// An element of an array of functions.
    fn element(&mut self, array: &Symbolic, index: &Expr, lets: &mut BoundExprs) -> Lowered<Symbolic> {
        match (array, index) {
            (Symbolic::Table(f), _) => self.apply(f, &Symbolic::Data(index.clone()), lets),
            (Symbolic::List(items), Expr::Int(k)) if items.get(*k as usize).is_some() => Ok(items[*k as usize].clone()),
            (Symbolic::List(items), _) => {
                let mut items = items.iter().cloned().enumerate().rev();
                // The last one needs no comparison: by its type the index is one of the array's.
                let Some((_, last)) = items.next() else {
                    return Err(left_over("it takes a function from an empty array"));
                };
                Ok(items.fold(last, |rest, (k, item)| {
                    let here = Expr::Prim(Prim::Eq, vec![index.clone(), Expr::Int(k as i64)]).truth();
                    Symbolic::Choice(Rc::new((here, item, rest)))
                }))
            }
            (Symbolic::Choice(c), _) => {
                let (a, b) = (self.element(&c.1, index, lets)?, self.element(&c.2, index, lets)?);
                Ok(Symbolic::Choice(Rc::new((c.0.clone(), a, b))))
            }
            _ => Err(left_over("an array of functions is left in it")),
        }
    }

    /// A loop whose accumulator is or holds a function, or that keeps one: what it comes to, and of a scan what it keeps.
    fn unroll(
        &mut self,
        n: &Size,
        (is_scan, is_reversed): (bool, bool),
        (f, z): (&Term, &Term),
        env: &SymbolicEnv,
        lets: &mut BoundExprs,
    ) -> Lowered<(Symbolic, Vec<Symbolic>)> {
        // No loop can carry a function, so that the steps are written out: their number must be known.
        let Some(steps) = n.as_literal().filter(|k| *k <= MAX_UNROLLED_STEPS) else {
            return Err(Refusal {
                reason: format!("a loop of {n} steps computes a function"),
                help: "let the loop compute data and make the function of its result",
            });
        };
        let f = self.value(f, env, lets)?;
        let (mut acc, mut kept) = (self.bind("acc", z, true, env, lets)?, Vec::new());
        for round in 0..steps {
            let i = if is_reversed { steps - 1 - round } else { round };
            let step = self.apply(&f, &acc, lets)?;
            acc = self.apply(&step, &Symbolic::Data(Expr::Int(i as i64)), lets)?;
            if is_scan {
                kept.push(project(&acc, false));
                acc = project(&acc, true);
            }
        }
        if is_reversed {
            kept.reverse();
        }
        Ok((acc, kept))
    }
}

fn project(pair: &Symbolic, first: bool) -> Symbolic {
    match pair {
        Symbolic::Pair(p) => if first { &p.0 } else { &p.1 }.clone(),
        Symbolic::Choice(c) => Symbolic::Choice(Rc::new((c.0.clone(), project(&c.1, first), project(&c.2, first)))),
        other => other.clone(),
    }
}

fn left_over(reason: &str) -> Refusal {
    Refusal { reason: reason.to_owned(), help: "rewrite it so that its functions are applied where they are known" }
}
