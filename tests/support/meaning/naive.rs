//! Another evaluator: terms as they are, in an environment of values, and what is executed counted as it comes. It knows
//! nothing of code, captured variables or what is shared, and shares nothing with the evaluator that ships.

use std::collections::VecDeque;
use std::rc::Rc;

use redexter::eval::{Counts, Sizes, Value as Given};
use redexter::term::{Kind, Prim, Size, SizeAtom, Term, Type, TypeView, View};

use super::number::{Doubts, Number};

/// A value.
#[derive(Clone)]
pub enum Value {
    Real(Number),
    /// An `int` or an index.
    Whole(i64),
    Array(Rc<Vec<Value>>),
    Pair(Rc<(Value, Value)>),
    Function(Term, Scope),
}

/// The values of the variables, the innermost first.
#[derive(Clone, Default)]
pub struct Scope(Option<Rc<(Value, Scope)>>);

impl Scope {
    fn with(&self, value: Value) -> Scope {
        Scope(Some(Rc::new((value, self.clone()))))
    }

    fn get(&self, index: u32) -> &Value {
        let mut here = self;
        for _ in 0..index {
            here = &here.0.as_ref().expect("a variable in scope").1;
        }
        &here.0.as_ref().expect("a variable in scope").0
    }
}

/// An evaluation that takes too long.
pub struct TooLong;

type Ran = Result<Value, TooLong>;

/// What was computed, what was executed, and what leaves a comparison open.
pub struct Outcome {
    pub value: Value,
    pub counts: Counts,
    pub doubts: Doubts,
}

/// Applies a term to inputs at these sizes, in at most so many evaluations of subterms.
pub fn run(term: &Term, inputs: &[Given], sizes: &Sizes, most: u64) -> Result<Outcome, TooLong> {
    let mut machine = Machine { sizes, counts: Counts::default(), doubts: Doubts::default(), left: most };
    let mut value = machine.term(term, &Scope::default())?;
    // What stands around the parameters is counted; that they are applied isn't.
    for input in inputs {
        value = machine.apply(&value, taken(input))?;
    }
    Ok(Outcome { value, counts: machine.counts, doubts: machine.doubts })
}

fn taken(input: &Given) -> Value {
    match input {
        Given::Real(x) => Value::Real(Number::exact(*x)),
        Given::Int(k) => Value::Whole(*k),
        Given::Index(k) => Value::Whole(*k as i64),
        Given::Array(all) => Value::Array(Rc::new(all.items().map(|item| taken(&item)).collect())),
        Given::Pair(both) => Value::Pair(Rc::new((taken(&both.0), taken(&both.1)))),
        Given::Function(_) => panic!("a function is no input"),
    }
}

struct Machine<'a> {
    sizes: &'a Sizes,
    counts: Counts,
    doubts: Doubts,
    left: u64,
}

impl Machine<'_> {
    fn size(&self, size: &Size) -> i64 {
        let value = |atom: &SizeAtom| match atom {
            SizeAtom::Var(name) => self.sizes.get(name).expect("a known size") as i64,
            SizeAtom::Unknown(_) => panic!("an unknown size"),
        };
        let product =
            |powers: &[(SizeAtom, u32)]| powers.iter().map(|(atom, power)| value(atom).pow(*power)).product::<i64>();
        size.terms().map(|(powers, count)| count as i64 * product(powers)).sum()
    }

    fn apply(&mut self, function: &Value, argument: Value) -> Ran {
        match function {
            Value::Function(body, scope) => self.term(body, &scope.with(argument)),
            _ => panic!("a function, by typing"),
        }
    }

    fn term(&mut self, term: &Term, scope: &Scope) -> Ran {
        self.left = self.left.checked_sub(1).ok_or(TooLong)?;
        Ok(match term.view() {
            View::Var(index) => scope.get(index).clone(),
            View::Lam(_, _, body) => Value::Function(body, scope.clone()),
            View::App(f, a) => {
                let f = self.term(&f, scope)?;
                let a = self.term(&a, scope)?;
                self.apply(&f, a)?
            }
            View::Let(_, value, body) => {
                let value = self.term(&value, scope)?;
                self.term(&body, &scope.with(value))?
            }
            View::If(c, a, b) => {
                let c = self.whole(&c, scope)?;
                self.term(if c != 0 { &a } else { &b }, scope)?
            }
            View::Ifold(n, f, z) => {
                let f = self.term(&f, scope)?;
                let mut state = self.term(&z, scope)?;
                for i in 0..self.size(&n) {
                    self.counts.iterations += 1;
                    let step = self.apply(&f, state)?;
                    state = self.apply(&step, Value::Whole(i))?;
                }
                state
            }
            View::Scan(n, f, z) | View::Scanr(n, f, z) => {
                let f = self.term(&f, scope)?;
                let mut state = self.term(&z, scope)?;
                let mut order: Vec<i64> = (0..self.size(&n)).collect();
                let is_reversed = matches!(term.kind(), Kind::Scanr(_));
                if is_reversed {
                    order.reverse();
                }
                let mut kept = VecDeque::new();
                for i in order {
                    self.counts.iterations += 1;
                    let step = self.apply(&f, state)?;
                    let Value::Pair(both) = self.apply(&step, Value::Whole(i))? else { panic!("a pair, by typing") };
                    state = both.0.clone();
                    match is_reversed {
                        true => kept.push_front(both.1.clone()),
                        false => kept.push_back(both.1.clone()),
                    }
                    self.counts.writes += 1;
                }
                Value::Pair(Rc::new((state, Value::Array(Rc::new(kept.into())))))
            }
            // What they count is what their meaning counts; what they mean, `machine` knows by itself.
            View::Pull(..) | View::Plus(..) => self.term(&term.meaning(), scope)?,
            View::Scatter(rounds, _, f) => {
                let f = self.term(&f, scope)?;
                let Value::Array(zeros) = self.zero(term.ty()) else { panic!("an array, by typing") };
                let mut entries = Vec::new();
                for i in 0..self.size(&rounds) {
                    self.counts.iterations += 1;
                    let Value::Pair(entry) = self.apply(&f, Value::Whole(i))? else { panic!("a pair, by typing") };
                    let Value::Whole(place) = entry.0 else { panic!("a whole number, by typing") };
                    entries.push((place, entry.1.clone()));
                }
                let mut sums = Vec::new();
                for (k, zero) in (0..).zip(zeros.iter()) {
                    let own = entries.iter().filter(|(place, _)| *place == k);
                    sums.push(own.fold(zero.clone(), |sum, (_, value)| self.plus(&sum, value)));
                }
                Value::Array(Rc::new(sums))
            }
            View::Build(n, f) => {
                let f = self.term(&f, scope)?;
                let mut all = Vec::new();
                for i in 0..self.size(&n) {
                    self.counts.iterations += 1;
                    all.push(self.apply(&f, Value::Whole(i))?);
                    self.counts.writes += 1;
                }
                Value::Array(Rc::new(all))
            }
            View::Array(_, elements) => {
                Value::Array(Rc::new(elements.iter().map(|e| self.term(e, scope)).collect::<Result<_, _>>()?))
            }
            View::Get(array, index) => {
                let Value::Array(array) = self.term(&array, scope)? else { panic!("an array, by typing") };
                let index = self.whole(&index, scope)?;
                self.counts.reads += 1;
                array[index as usize].clone()
            }
            View::Within(size, number) => {
                let index = self.whole(&number, scope)?;
                assert!((0..self.size(&size)).contains(&index), "{term:?} is no index");
                Value::Whole(index)
            }
            View::Guard(_, size, number, inside, other) => {
                let index = self.whole(&number, scope)?;
                self.counts.compares += 1;
                match (0..self.size(&size)).contains(&index) {
                    true => self.term(&inside, &scope.with(Value::Whole(index)))?,
                    false => self.term(&other, scope)?,
                }
            }
            View::Pair(a, b) => {
                let a = self.term(&a, scope)?;
                Value::Pair(Rc::new((a, self.term(&b, scope)?)))
            }
            View::Fst(p) => self.halves(&p, scope)?.0.clone(),
            View::Snd(p) => self.halves(&p, scope)?.1.clone(),
            View::Real(x) => Value::Real(Number::exact(x)),
            View::Int(k) => Value::Whole(k),
            View::Fin(k, _) => Value::Whole(k as i64),
            View::SizeVar(name) => Value::Whole(self.size(&Size::var(&name))),
            View::Prim(prim, operands) => self.primitive(prim, &operands, scope)?,
        })
    }

    /// 0 of a type that is made of reals; of arrays each element is written in a round.
    fn zero(&mut self, ty: &Type) -> Value {
        match ty.view() {
            TypeView::Array(n, element) => {
                let mut all = Vec::new();
                for _ in 0..self.size(n) {
                    self.counts.iterations += 1;
                    all.push(self.zero(element));
                    self.counts.writes += 1;
                }
                Value::Array(Rc::new(all))
            }
            TypeView::Pair(a, b) => Value::Pair(Rc::new((self.zero(a), self.zero(b)))),
            _ => Value::Real(Number::exact(0.0)),
        }
    }

    /// The sum of two values of one type that is made of reals.
    fn plus(&mut self, a: &Value, b: &Value) -> Value {
        match (a, b) {
            (Value::Array(a), Value::Array(b)) => {
                Value::Array(Rc::new(a.iter().zip(b.iter()).map(|(a, b)| self.plus(a, b)).collect()))
            }
            (Value::Pair(a), Value::Pair(b)) => Value::Pair(Rc::new((self.plus(&a.0, &b.0), self.plus(&a.1, &b.1)))),
            (Value::Real(a), Value::Real(b)) => {
                self.counts.flops += 1;
                Value::Real(Number::binary(Prim::Add, *a, *b, &mut self.doubts))
            }
            _ => panic!("reals, by typing"),
        }
    }

    fn whole(&mut self, term: &Term, scope: &Scope) -> Result<i64, TooLong> {
        match self.term(term, scope)? {
            Value::Whole(k) => Ok(k),
            _ => panic!("a whole number, by typing"),
        }
    }

    fn halves(&mut self, term: &Term, scope: &Scope) -> Result<Rc<(Value, Value)>, TooLong> {
        match self.term(term, scope)? {
            Value::Pair(both) => Ok(both),
            _ => panic!("a pair, by typing"),
        }
    }

    fn primitive(&mut self, prim: Prim, operands: &[Term], scope: &Scope) -> Ran {
        let values = operands.iter().map(|operand| self.term(operand, scope)).collect::<Result<Vec<_>, _>>()?;
        match (&values[..], prim) {
            (_, Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge | Prim::Eq | Prim::Ne) => self.counts.compares += 1,
            (_, Prim::Rounded) => {}
            ([Value::Real(_), ..], _) => self.counts.flops += 1,
            _ => {}
        }
        let (doubts, prim) = (&mut self.doubts, prim.unrounded());
        Ok(match values[..] {
            [Value::Real(a)] if prim == Prim::Rounded => Value::Real(a),
            [Value::Whole(k)] => match prim {
                Prim::ToReal => Value::Real(of_whole(k)),
                Prim::ToInt => Value::Whole(k),
                Prim::Offset(by) => Value::Whole(k + by as i64),
                Prim::Neg => Value::Whole(k.wrapping_neg()),
                Prim::Not => Value::Whole(i64::from(k == 0)),
                other => panic!("{other:?} takes no whole number"),
            },
            [Value::Whole(a), Value::Whole(b)] => Value::Whole(wholes(prim, a, b)),
            [Value::Real(a)] => Value::Real(Number::unary(prim, a, doubts)),
            [Value::Real(a), Value::Whole(k)] => Value::Real(a.power(k, doubts)),
            [Value::Real(a), Value::Real(b)] => match prim {
                Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge | Prim::Eq | Prim::Ne => {
                    let close = a.error + b.error > 0.0 && a.agrees(b);
                    doubts.undecided |= close || !a.is_known() || !b.is_known();
                    Value::Whole(i64::from(holds(prim, a.value.partial_cmp(&b.value))))
                }
                Prim::Min | Prim::Max => {
                    doubts.undecided |= !a.is_known() || !b.is_known();
                    Value::Real(Number::binary(prim, a, b, doubts))
                }
                _ => Value::Real(Number::binary(prim, a, b, doubts)),
            },
            _ => panic!("operands of {prim:?}, with {:?}", operands[0].ty().view() as &TypeView),
        })
    }
}

fn of_whole(k: i64) -> Number {
    let value = k as f64;
    let error = if k.unsigned_abs() <= 1 << 53 { 0.0 } else { value.abs() * f64::EPSILON };
    Number { value, error }
}

fn wholes(prim: Prim, a: i64, b: i64) -> i64 {
    match prim {
        Prim::Add => a.wrapping_add(b),
        Prim::Sub => a.wrapping_sub(b),
        Prim::Mul => a.wrapping_mul(b),
        Prim::Quot if b == 0 => 0,
        Prim::Rem if b == 0 => a,
        Prim::Quot => ((i128::from(a) - least_rest(a, b)) / i128::from(b)) as i64,
        Prim::Rem => least_rest(a, b) as i64,
        Prim::And => i64::from(a != 0 && b != 0),
        Prim::Or => i64::from(a != 0 || b != 0),
        comparison => i64::from(holds(comparison, Some(a.cmp(&b)))),
    }
}

/// The least number from 0 that differs from a by a multiple of b.
fn least_rest(a: i64, b: i64) -> i128 {
    let size = i128::from(b).abs();
    (i128::from(a) % size + size) % size
}

fn holds(prim: Prim, order: Option<std::cmp::Ordering>) -> bool {
    match prim {
        Prim::Lt => order.is_some_and(|o| o.is_lt()),
        Prim::Le => order.is_some_and(|o| o.is_le()),
        Prim::Gt => order.is_some_and(|o| o.is_gt()),
        Prim::Ge => order.is_some_and(|o| o.is_ge()),
        Prim::Eq => order.is_some_and(|o| o.is_eq()),
        Prim::Ne => !order.is_some_and(|o| o.is_eq()),
        other => panic!("{other:?} compares nothing"),
    }
}
