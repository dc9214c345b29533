//! Runs code: strict, left to right, counting as it goes. The primitives' table says what they compute.
//!
//! `min` and `max` are Futhark's and C's `fmin` and `fmax`: of a number and a NaN they give the number; of equals (0 and -0
//! among them) the first. Comparisons with NaN are false, but for `!=`. Truth is an `int`: 0 is false, all else true, and
//! what is computed is 0 or 1.

use std::rc::Rc;

use super::Counts;
use super::array::ArrayBuilder;
use super::code::EvalCode;
use super::observe::Observer;
use super::value::{Closure, Ledger, Value};
use crate::ground::{Budget, StopReason};
use crate::term::{Charge, Prim, Scalar};

/// A machine that runs code. An error ends it: what it was doing is left as it stands.
pub(super) struct EvalMachine<'a, O> {
    pub(super) counts: Counts,
    pub(super) observer: O,
    /// The variables in scope, the innermost on top.
    stack: Vec<Value>,
    budget: &'a Budget,
    ledger: Ledger,
    depth: u32,
    /// Large pieces of code that were run.
    asked: u32,
}

/// The watch is asked once in so many large pieces of code.
const PIECES_PER_ASK: u32 = 1_024;

type EvalResult = Result<Value, StopReason>;

impl<'a, O: Observer> EvalMachine<'a, O> {
    /// A machine with these variables in scope, the innermost last.
    pub(super) fn new(scope: &[Value], budget: &'a Budget, observer: O) -> EvalMachine<'a, O> {
        EvalMachine {
            counts: Counts::default(),
            observer,
            stack: scope.to_vec(),
            budget,
            ledger: Ledger::default(),
            depth: 0,
            asked: 0,
        }
    }

    pub(super) fn run(&mut self, code: &EvalCode) -> EvalResult {
        if let EvalCode::Asked(code) = code {
            self.asked = self.asked.wrapping_add(1);
            if self.asked.is_multiple_of(PIECES_PER_ASK) {
                self.budget.ask()?;
            }
            return self.run_one(code);
        }
        self.run_one(code)
    }

    #[inline(always)]
    fn run_one(&mut self, code: &EvalCode) -> EvalResult {
        self.depth += 1;
        if self.depth > self.budget.limits.max_depth {
            return Err(StopReason::Depth(self.budget.limits.max_depth));
        }
        let value = self.dispatch(code)?;
        self.depth -= 1;
        Ok(value)
    }

    fn dispatch(&mut self, code: &EvalCode) -> EvalResult {
        match code {
            EvalCode::Constant(value) => Ok(value.clone()),
            EvalCode::Var(index) => Ok(self.var(*index).clone()),
            EvalCode::Unary(p, a) => {
                let a = self.run(a)?;
                Ok(self.primitive(*p, [&a]))
            }
            EvalCode::Binary(p, a, b) => {
                let a = self.run(a)?;
                let b = self.run(b)?;
                Ok(self.primitive(*p, [&a, &b]))
            }
            EvalCode::Get(array, index) => self.get(array, index),
            EvalCode::Let(value, body) => {
                let value = self.run(value)?;
                self.under(value, body)
            }
            EvalCode::If(number, condition, a, b) => {
                let first = !matches!(self.run(condition)?, Value::Int(0));
                self.observer.chose(*number, first);
                self.run(if first { a } else { b })
            }
            EvalCode::Pair(a, b) => {
                let a = self.run(a)?;
                Ok(Value::pair(a, self.run(b)?))
            }
            EvalCode::Fst(p) => Ok(self.halves(p)?.0.clone()),
            EvalCode::Snd(p) => Ok(self.halves(p)?.1.clone()),
            EvalCode::Fold(n, body, start) => self.fold(*n, body, start),
            EvalCode::FoldBy(n, f, start) => self.fold_by(*n, f, start),
            EvalCode::Build(n, body) => self.build(*n, |machine, i| machine.under(i, body)),
            EvalCode::BuildBy(n, f) => {
                let f = self.run(f)?;
                self.build(*n, |machine, i| machine.apply(&f, i))
            }
            EvalCode::Array(elements) => self.array(elements),
            EvalCode::Closure(captured, body) => self.closure(captured, body),
            EvalCode::Asked(code) => self.run(code),
            EvalCode::Call(function, argument) => {
                let function = self.run(function)?;
                let argument = self.run(argument)?;
                self.apply(&function, argument)
            }
        }
    }

    fn var(&self, index: u32) -> &Value {
        &self.stack[self.stack.len() - 1 - index as usize]
    }

    /// Runs code with one variable more in scope.
    fn under(&mut self, value: Value, body: &EvalCode) -> EvalResult {
        self.stack.push(value);
        let result = self.run(body)?;
        self.stack.pop();
        Ok(result)
    }

    fn halves(&mut self, pair: &EvalCode) -> Result<Rc<(Value, Value)>, StopReason> {
        match self.run(pair)? {
            Value::Pair(pair) => Ok(pair),
            other => unreachable!("a pair, by typing, not {other:?}"),
        }
    }

    fn get(&mut self, array: &EvalCode, index: &EvalCode) -> EvalResult {
        let array = self.run(array)?;
        let index = self.run(index)?;
        self.counts.reads += 1;
        match (&array, index) {
            (Value::Array(array), Value::Index(i)) => Ok(array.item(i as usize).into_owned()),
            other => unreachable!("an array and an index, by typing, not {other:?}"),
        }
    }

    fn iteration(&mut self) -> Result<(), StopReason> {
        self.counts.iterations += 1;
        self.budget.tick()
    }

    fn fold(&mut self, n: u64, body: &EvalCode, start: &EvalCode) -> EvalResult {
        let mut state = self.run(start)?;
        for i in 0..n {
            self.iteration()?;
            self.stack.push(state);
            state = self.under(Value::Index(i), body)?;
            self.stack.pop();
        }
        Ok(state)
    }

    fn fold_by(&mut self, n: u64, f: &EvalCode, start: &EvalCode) -> EvalResult {
        let f = self.run(f)?;
        let mut state = self.run(start)?;
        for i in 0..n {
            self.iteration()?;
            let step = self.apply(&f, state)?;
            state = self.apply(&step, Value::Index(i))?;
        }
        Ok(state)
    }

    fn build(&mut self, n: u64, mut element: impl FnMut(&mut Self, Value) -> EvalResult) -> EvalResult {
        let lease = self.ledger.lease(n)?;
        let mut items = ArrayBuilder::of(n);
        for i in 0..n {
            self.iteration()?;
            items.push(element(self, Value::Index(i))?)?;
            self.counts.writes += 1;
        }
        Ok(Value::Array(Rc::new(items.array(Some(lease)))))
    }

    fn array(&mut self, elements: &[Rc<EvalCode>]) -> EvalResult {
        let lease = self.ledger.lease(elements.len() as u64)?;
        let mut items = ArrayBuilder::of(elements.len() as u64);
        elements.iter().try_for_each(|e| items.push(self.run(e)?))?;
        Ok(Value::Array(Rc::new(items.array(Some(lease)))))
    }

    fn closure(&mut self, captured: &[u32], body: &Rc<EvalCode>) -> EvalResult {
        let lease = self.ledger.lease(captured.len() as u64 + 1)?;
        let captured = captured.iter().map(|index| self.var(*index).clone()).collect();
        Ok(Value::Function(Rc::new(Closure { body: body.clone(), captured, _lease: lease })))
    }

    fn apply(&mut self, function: &Value, argument: Value) -> EvalResult {
        let Value::Function(closure) = function else { unreachable!("a function, by typing, not {function:?}") };
        let height = self.stack.len();
        self.budget.tick()?;
        self.stack.extend(closure.captured.iter().cloned());
        self.stack.push(argument);
        let result = self.run(&closure.body)?;
        self.stack.truncate(height);
        Ok(result)
    }

    /// A primitive of these operands.
    fn primitive<const N: usize>(&mut self, prim: Prim, operands: [&Value; N]) -> Value {
        let scalars = operands.map(scalar);
        let Some(result) = prim.compute(&scalars) else {
            unreachable!("operands of the right type, by typing, not {operands:?}")
        };
        match (prim.charge(), result) {
            (Charge::Compare, _) => self.counts.compares += 1,
            (Charge::FlopIfReal, Scalar::Real(_)) => self.counts.flops += 1,
            (Charge::FlopIfReal | Charge::Free | Charge::Read | Charge::Rounds { .. } | Charge::Call, _) => {}
        }
        match result {
            Scalar::Real(x) => Value::Real(self.observer.real(prim, &scalars, x)),
            Scalar::Int(x) => Value::Int(x),
            Scalar::Fin(x) => Value::Index(x),
        }
    }
}

fn scalar(value: &Value) -> Scalar {
    match value {
        Value::Real(x) => Scalar::Real(*x),
        Value::Int(x) => Scalar::Int(*x),
        Value::Index(x) => Scalar::Fin(*x),
        other => unreachable!("a number, by typing, not {other:?}"),
    }
}
