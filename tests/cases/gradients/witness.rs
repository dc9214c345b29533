//! Two witnesses of derivatives that know nothing of D: `num-dual`'s numbers in an interpreter of their own, and central
//! differences.

use std::rc::Rc;

use num_dual::{Dual2_64, Dual64};
use redexter::eval::{Sizes, Value, parameters};
use redexter::term::{Assignment, Program, Size, SizeAtom, Term, Type, TypeMemo, TypeView};

use crate::gradients::{Kind, bench};
use crate::support::machine::{self, Number, apply};

/// The step of differences.
const STEP: f64 = 1e-6;

/// Sizes as literals.
struct Literals<'a>(&'a Sizes);

impl Assignment for Literals<'_> {
    fn size(&self, atom: &SizeAtom) -> Option<Size> {
        match atom {
            SizeAtom::Var(name) => self.0.get(name).map(Size::literal),
            SizeAtom::Unknown(_) => None,
        }
    }

    fn ty(&self, _: &TypeView, _: &mut TypeMemo) -> Option<Type> {
        None
    }
}

/// The places of the parameters among all inputs.
fn places(f: &Program, by: &[&str]) -> Vec<usize> {
    let all = parameters(f);
    let place = |name: &&str| all.iter().position(|p| p.name.as_str() == *name).expect("the parameter");
    by.iter().map(place).collect()
}

/// The derivatives by each number of the parameters in turn, of all numbers of the result.
pub fn dual(f: &Program, inputs: &[Value], by: &[&str], sizes: &Sizes, kind: Kind) -> Vec<f64> {
    let term = f.term.assign(&Literals(sizes)).expect("moderate sizes");
    let mut all = Vec::new();
    for place in places(f, by) {
        for k in 0..bench::reals(&inputs[place]).len() {
            match kind {
                Kind::First => {
                    let seed = |x: f64, hot: bool| Dual64::new(x, f64::from(u8::from(hot)));
                    all.extend(result(&term, inputs, place, k, seed).iter().map(|x| x.eps));
                }
                Kind::Second | Kind::Step => {
                    let seed = |x: f64, hot: bool| Dual2_64::new(x, f64::from(u8::from(hot)), 0.0);
                    let found = result(&term, inputs, place, k, seed);
                    all.extend(found.iter().map(|x| if kind == Kind::Step { x.v1 / x.v2 } else { x.v2 }));
                }
            }
        }
    }
    all
}

/// The numbers of the result where real `k` of an input is hot.
fn result<T: Number>(term: &Term, inputs: &[Value], place: usize, k: usize, seed: impl Fn(f64, bool) -> T) -> Vec<T> {
    let mut value = machine::run::<T>(term, &None);
    for (at, input) in inputs.iter().enumerate() {
        let mut next = 0;
        let mut number = |x: f64| {
            next += 1;
            seed(x, at == place && next == k + 1)
        };
        value = apply(value, lifted(input, &mut number));
    }
    let mut all = Vec::new();
    numbers(value, &mut all);
    all
}

fn lifted<T: Number>(value: &Value, number: &mut impl FnMut(f64) -> T) -> machine::Value<T> {
    match value {
        Value::Real(x) => machine::Value::Real(number(*x)),
        Value::Int(k) => machine::Value::Int(*k),
        Value::Index(k) => machine::Value::Int(*k as i64),
        Value::Array(array) => {
            machine::Value::Array(Rc::new(array.items().map(|item| lifted(&item, number)).collect()))
        }
        Value::Pair(pair) => {
            let first = lifted(&pair.0, number);
            machine::pair(first, lifted(&pair.1, number))
        }
        Value::Function(_) => panic!("a function as data"),
    }
}

fn numbers<T: Number>(value: machine::Value<T>, all: &mut Vec<T>) {
    match value {
        machine::Value::Real(x) => all.push(x),
        machine::Value::Array(items) => items.iter().for_each(|item| numbers(item.clone(), all)),
        machine::Value::Pair(pair) => {
            numbers(pair.0.clone(), all);
            numbers(pair.1.clone(), all);
        }
        machine::Value::Int(_) | machine::Value::Fun(..) => {}
    }
}

/// The same by central differences.
pub fn differences(f: &Program, inputs: &[Value], by: &[&str], sizes: &Sizes) -> Vec<f64> {
    let mut all = Vec::new();
    for place in places(f, by) {
        let numbers = bench::reals(&inputs[place]);
        for k in 0..numbers.len() {
            let at = |step: f64| {
                let mut moved = inputs.to_vec();
                let mut from = numbers.iter().enumerate().map(|(j, x)| if j == k { x + step } else { *x });
                moved[place] = bench::with_reals(&inputs[place], &mut from);
                bench::reals(&bench::run(f, &moved, sizes))
            };
            all.extend(at(STEP).iter().zip(at(-STEP)).map(|(more, less)| (more - less) / (2.0 * STEP)));
        }
    }
    all
}
