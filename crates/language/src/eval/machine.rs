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
        match code {
            EvalCode::Asked(code) => {
                self.asked = self.asked.wrapping_add(1);
                if self.asked.is_multiple_of(PIECES_PER_ASK) {
                    self.budget.ask()?;
                }
                self.run_one(code)
            }
            EvalCode::Placed(way, code) => self.placed(*way, code),
            _ => self.run_one(code),
        }
    }

    fn placed(&mut self, way: u32, code: &EvalCode) -> EvalResult {
        if !self.observer.enter(way) {
            return Err(StopReason::Interrupted);
        }
        let value = self.run(code)?;
        self.observer.leave();
        Ok(value)
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
            EvalCode::Within(number) => match self.run(number)? {
                Value::Int(i) => Ok(Value::Index(i as u64)),
                other => unreachable!("a whole number, by typing, not {other:?}"),
            },
            EvalCode::Guard(below, number, inside, other) => {
                let Value::Int(number) = self.run(number)? else { unreachable!("a whole number, by typing") };
                self.counts.compares += 1;
                match u64::try_from(number).ok().filter(|index| index < below) {
                    Some(index) => self.under(Value::Index(index), inside),
                    None => self.run(other),
                }
            }
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
            EvalCode::Scan(n, is_reversed, body, start) => {
                let start = self.run(start)?;
                self.scan(*n, *is_reversed, start, |machine, state, i| {
                    machine.stack.push(state);
                    let stepped = machine.under(i, body)?;
                    machine.stack.pop();
                    Ok(stepped)
                })
            }
            EvalCode::ScanBy(n, is_reversed, f, start) => {
                let f = self.run(f)?;
                let start = self.run(start)?;
                self.scan(*n, *is_reversed, start, |machine, state, i| {
                    let step = machine.apply(&f, state)?;
                    machine.apply(&step, i)
                })
            }
            EvalCode::Scatter(n, zeros, body) => self.scatter(*n, zeros, body),
            EvalCode::Build(n, body) => self.build(*n, |machine, i| machine.under(i, body)),
            EvalCode::BuildBy(n, f) => {
                let f = self.run(f)?;
                self.build(*n, |machine, i| machine.apply(&f, i))
            }
            EvalCode::Array(elements) => self.array(elements),
            EvalCode::Closure(captured, body) => self.closure(captured, body),
            EvalCode::Asked(_) | EvalCode::Placed(..) => self.run(code),
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

    fn iteration(&mut self, index: u64) -> Result<(), StopReason> {
        self.counts.iterations += 1;
        self.observer.round(index);
        self.budget.tick()
    }

    fn fold(&mut self, n: u64, body: &EvalCode, start: &EvalCode) -> EvalResult {
        let mut state = self.run(start)?;
        self.observer.begin_loop();
        for i in 0..n {
            self.iteration(i)?;
            self.stack.push(state);
            state = self.under(Value::Index(i), body)?;
            self.stack.pop();
        }
        self.observer.end_loop();
        Ok(state)
    }

    fn fold_by(&mut self, n: u64, f: &EvalCode, start: &EvalCode) -> EvalResult {
        let f = self.run(f)?;
        let mut state = self.run(start)?;
        self.observer.begin_loop();
        for i in 0..n {
            self.iteration(i)?;
            let step = self.apply(&f, state)?;
            state = self.apply(&step, Value::Index(i))?;
        }
        self.observer.end_loop();
        Ok(state)
    }

    fn scan(
        &mut self,
        n: u64,
        is_reversed: bool,
        mut state: Value,
        mut step: impl FnMut(&mut Self, Value, Value) -> EvalResult,
    ) -> EvalResult {
        let lease = self.ledger.lease(n)?;
        let mut items = ArrayBuilder::of(n);
        self.observer.begin_loop();
        for round in 0..n {
            let index = if is_reversed { n - 1 - round } else { round };
            self.iteration(index)?;
            let Value::Pair(stepped) = step(self, state, Value::Index(index))? else {
                unreachable!("a pair, by typing")
            };
            let (next, item) = Rc::unwrap_or_clone(stepped);
            items.push(item)?;
            self.counts.writes += 1;
            state = next;
        }
        self.observer.end_loop();
        let mut items = items.array(Some(lease));
        if is_reversed {
            items.reverse();
        }
        Ok(Value::pair(state, Value::Array(Rc::new(items))))
    }

    fn scatter(&mut self, n: u64, zeros: &EvalCode, body: &EvalCode) -> EvalResult {
        let Value::Array(mut sums) = self.run(zeros)? else { unreachable!("zeros of an array") };
        self.observer.begin_loop();
        for i in 0..n {
            self.iteration(i)?;
            let entry = self.under(Value::Index(i), body)?;
            let Value::Pair(entry) = entry else { unreachable!("a pair, by typing") };
            let (Value::Int(place), value) = &*entry else { unreachable!("a whole number, by typing") };
            if let Some(place) = usize::try_from(*place).ok().filter(|place| *place < sums.len()) {
                let sum = self.sum(&sums.item(place), value)?;
                let Some(sums) = Rc::get_mut(&mut sums) else { unreachable!("nothing else has it yet") };
                sums.set(place, sum);
            }
        }
        self.observer.end_loop();
        Ok(Value::Array(sums))
    }

    /// The sum of two values of one type that is made of reals, number by number.
    fn sum(&mut self, a: &Value, b: &Value) -> EvalResult {
        match (a, b) {
            (Value::Pair(a), Value::Pair(b)) => {
                let first = self.sum(&a.0, &b.0)?;
                Ok(Value::pair(first, self.sum(&a.1, &b.1)?))
            }
            (Value::Array(a), Value::Array(b)) => {
                let n = a.len() as u64;
                let lease = self.ledger.lease(n)?;
                let mut items = ArrayBuilder::of(n);
                for (a, b) in a.items().zip(b.items()) {
                    items.push(self.sum(&a, &b)?)?;
                }
                Ok(Value::Array(Rc::new(items.array(Some(lease)))))
            }
            _ => Ok(self.primitive(Prim::Add, [a, b])),
        }
    }

    fn build(&mut self, n: u64, mut element: impl FnMut(&mut Self, Value) -> EvalResult) -> EvalResult {
        let lease = self.ledger.lease(n)?;
        let mut items = ArrayBuilder::of(n);
        self.observer.begin_loop();
        for i in 0..n {
            self.iteration(i)?;
            items.push(element(self, Value::Index(i))?)?;
            self.counts.writes += 1;
        }
        self.observer.end_loop();
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
        let made = self.observer.made();
        Ok(Value::Function(Rc::new(Closure { body: body.clone(), captured, made, _lease: lease })))
    }

    fn apply(&mut self, function: &Value, argument: Value) -> EvalResult {
        let Value::Function(closure) = function else { unreachable!("a function, by typing, not {function:?}") };
        let height = self.stack.len();
        self.budget.tick()?;
        self.stack.extend(closure.captured.iter().cloned());
        self.stack.push(argument);
        self.observer.call(closure.made);
        let result = self.run(&closure.body)?;
        self.observer.leave();
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
