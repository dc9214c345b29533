//! A small interpreter over any kind of number, so that a term runs on doubles and on `num-dual`'s numbers alike.

use std::rc::Rc;

use num_dual::{Dual2_64, Dual64, DualNum};
use redexter::term::{Kind, Prim, Size, Term, Type, TypeView, View};

/// What a `real` is to the interpreter.
pub trait Number: Copy + 'static {
    fn constant(value: f64) -> Self;
    fn primal(self) -> f64;
    fn arithmetic(prim: Prim, a: Self, b: Self) -> Self;
    fn function(prim: Prim, a: Self) -> Self;
    fn power(self, k: i32) -> Self;
}

macro_rules! number {
    ($ty:ty, $constant:expr, $primal:expr, $special:expr) => {
        impl Number for $ty {
            fn constant(value: f64) -> Self {
                $constant(value)
            }
            fn primal(self) -> f64 {
                $primal(self)
            }
            fn arithmetic(prim: Prim, a: Self, b: Self) -> Self {
                match prim {
                    Prim::Add => a + b,
                    Prim::Sub => a - b,
                    Prim::Mul => a * b,
                    Prim::Div => a / b,
                    Prim::Min => {
                        if a.primal() <= b.primal() {
                            a
                        } else {
                            b
                        }
                    }
                    // The branch of the angle changes nothing of how it does.
                    Prim::Atan2 => {
                        let angle = DualNum::atan(&(a / b));
                        let whole = a.primal().atan2(b.primal());
                        angle + Self::constant(whole - angle.primal())
                    }
                    // A number alone may have a negative base.
                    Prim::RealPow if a.primal() <= 0.0 => Self::constant(a.primal().powf(b.primal())),
                    Prim::RealPow => DualNum::exp(&(DualNum::ln(&a) * b)),
                    Prim::Max => {
                        if a.primal() >= b.primal() {
                            a
                        } else {
                            b
                        }
                    }
                    other => panic!("{other:?} takes no two reals"),
                }
            }
            fn function(prim: Prim, a: Self) -> Self {
                match prim {
                    Prim::Neg => -a,
                    Prim::Exp => DualNum::exp(&a),
                    Prim::Log => DualNum::ln(&a),
                    Prim::Sqrt => DualNum::sqrt(&a),
                    Prim::Sin => DualNum::sin(&a),
                    Prim::Cos => DualNum::cos(&a),
                    Prim::Tanh => DualNum::tanh(&a),
                    Prim::Sinh => DualNum::sinh(&a),
                    Prim::Cosh => DualNum::cosh(&a),
                    Prim::Atan => DualNum::atan(&a),
                    Prim::Tan => DualNum::tan(&a),
                    Prim::Asin => DualNum::asin(&a),
                    Prim::Acos => DualNum::acos(&a),
                    Prim::Floor => Self::constant(a.primal().floor()),
                    Prim::Ceil => Self::constant(a.primal().ceil()),
                    Prim::Round => Self::constant(a.primal().round_ties_even()),
                    Prim::Sign => Self::constant(f64::from(i8::from(a.primal() > 0.0) - i8::from(a.primal() < 0.0))),
                    Prim::Log1p => DualNum::ln_1p(&a),
                    Prim::Expm1 => DualNum::exp_m1(&a),
                    Prim::Erf => {
                        // 2/√π · exp(-x²) · Σ_k (2x²)^k x / (1·3·…·(2k+1)): no term cancels another.
                        let (mut term, mut sum) = (a, a);
                        for k in 1..200 {
                            term = term * a * a * Self::constant(2.0 / (2 * k + 1) as f64);
                            sum += term;
                        }
                        DualNum::exp(&-(a * a)) * sum * Self::constant(std::f64::consts::FRAC_2_SQRT_PI)
                    }
                    Prim::Erfc => Self::constant(1.0) - Self::function(Prim::Erf, a),
                    Prim::Abs => {
                        if a.primal() < 0.0 {
                            -a
                        } else {
                            a
                        }
                    }
                    other => $special(other, a),
                }
            }
            fn power(self, k: i32) -> Self {
                DualNum::powi(&self, k)
            }
        }
    };
}

number!(f64, |v| v, |v| v, special);
number!(Dual64, Dual64::from_re, |v: Dual64| v.re, constant);
number!(Dual2_64, Dual2_64::from_re, |v: Dual2_64| v.re, |p, _| panic!("no second-order {p:?}"));

/// What `num-dual` lacks, where it doesn't change.
fn constant(prim: Prim, a: Dual64) -> Dual64 {
    assert!(a.eps == 0.0, "no dual {prim:?}");
    Dual64::from_re(special(prim, a.re))
}

/// `lgamma`, `digamma` and `trigamma` of a positive number, by their asymptotic series.
fn special(prim: Prim, mut a: f64) -> f64 {
    let mut correction = 0.0;
    while a < 12.0 {
        correction += match prim {
            Prim::Lgamma => a.ln(),
            Prim::Trigamma => -1.0 / (a * a),
            _ => 1.0 / a,
        };
        a += 1.0;
    }
    let s = 1.0 / (a * a);
    if prim == Prim::Trigamma {
        let series = s * (1.0 / 6.0 - s * (1.0 / 30.0 - s * (1.0 / 42.0 - s * (1.0 / 30.0 - s * 5.0 / 66.0))));
        return (1.0 + 0.5 / a + series) / a - correction;
    }
    if prim == Prim::Lgamma {
        let series = (1.0 / 12.0 - s * (1.0 / 360.0 - s * (1.0 / 1260.0 - s / 1680.0))) / a;
        (a - 0.5) * a.ln() - a + 0.5 * (2.0 * std::f64::consts::PI).ln() + series - correction
    } else {
        a.ln() - 0.5 / a - s * (1.0 / 12.0 - s * (1.0 / 120.0 - s * (1.0 / 252.0 - s / 240.0))) - correction
    }
}

#[derive(Clone)]
pub enum Value<T> {
    Real(T),
    Int(i64),
    Array(Rc<Vec<Value<T>>>),
    Pair(Rc<(Value<T>, Value<T>)>),
    Fun(Term, Env<T>),
}

/// The values of the variables, the innermost first.
pub type Env<T> = Option<Rc<(Value<T>, Scope<T>)>>;

#[derive(Clone)]
pub struct Scope<T>(Env<T>);

impl<T: Number> Value<T> {
    pub fn real(self) -> T {
        match self {
            Value::Real(a) => a,
            _ => panic!("not a real"),
        }
    }

    pub fn int(self) -> i64 {
        match self {
            Value::Int(a) => a,
            _ => panic!("not an integer"),
        }
    }

    pub fn halves(self) -> (Value<T>, Value<T>) {
        match self {
            Value::Pair(p) => (*p).clone(),
            _ => panic!("not a pair"),
        }
    }

    pub fn elements(self) -> Vec<Value<T>> {
        match self {
            Value::Array(a) => (*a).clone(),
            _ => panic!("not an array"),
        }
    }
}

pub fn pair<T>(a: Value<T>, b: Value<T>) -> Value<T> {
    Value::Pair(Rc::new((a, b)))
}

pub fn bound<T>(value: Value<T>, outer: Env<T>) -> Env<T> {
    Some(Rc::new((value, Scope(outer))))
}

/// 0 of a type that is made of reals.
fn zero<T: Number>(ty: &Type) -> Value<T> {
    match ty.view() {
        TypeView::Array(n, element) => Value::Array(Rc::new((0..literal(n)).map(|_| zero(element)).collect())),
        TypeView::Pair(a, b) => pair(zero(a), zero(b)),
        _ => Value::Real(T::constant(0.0)),
    }
}

/// The sum of two values of one type that is made of reals.
fn plus<T: Number>(a: Value<T>, b: Value<T>) -> Value<T> {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            Value::Array(Rc::new(a.iter().zip(b.iter()).map(|(a, b)| plus(a.clone(), b.clone())).collect()))
        }
        (Value::Pair(a), Value::Pair(b)) => pair(plus(a.0.clone(), b.0.clone()), plus(a.1.clone(), b.1.clone())),
        (a, b) => Value::Real(T::arithmetic(Prim::Add, a.real(), b.real())),
    }
}

/// For each place of a type that is made of reals the number that is given for the one-hot there.
fn places<T: Number>(ty: &Type, at: &dyn Fn(Value<T>) -> T) -> Value<T> {
    match ty.view() {
        TypeView::Array(n, element) => {
            let count = literal(n);
            let place = |i: i64| {
                let around = |x: Value<T>| {
                    let all = (0..count).map(|j| if i == j { x.clone() } else { zero(element) });
                    at(Value::Array(Rc::new(all.collect())))
                };
                places(element, &around)
            };
            Value::Array(Rc::new((0..count).map(place).collect()))
        }
        TypeView::Pair(a, b) => {
            let first = places(a, &|x| at(pair(x, zero(b))));
            pair(first, places(b, &|x| at(pair(zero(a), x))))
        }
        _ => Value::Real(at(Value::Real(T::constant(1.0)))),
    }
}

/// The sum of the products of the numbers of two values of one type.
fn product<T: Number>(a: &Value<T>, b: &Value<T>) -> T {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            let products = a.iter().zip(b.iter()).map(|(a, b)| product(a, b));
            products.fold(T::constant(0.0), |sum, one| T::arithmetic(Prim::Add, sum, one))
        }
        (Value::Pair(a), Value::Pair(b)) => T::arithmetic(Prim::Add, product(&a.0, &b.0), product(&a.1, &b.1)),
        (a, b) => T::arithmetic(Prim::Mul, a.clone().real(), b.clone().real()),
    }
}

/// A function's value at an argument.
pub fn apply<T: Number>(function: Value<T>, argument: Value<T>) -> Value<T> {
    match function {
        Value::Fun(body, env) => run(&body, &bound(argument, env)),
        _ => panic!("not a function"),
    }
}

fn literal(n: &Size) -> i64 {
    n.as_literal().expect("a known size") as i64
}

/// The value of a term in a scope. Sizes must be literals.
pub fn run<T: Number>(term: &Term, env: &Env<T>) -> Value<T> {
    match term.view() {
        View::Var(index) => {
            let mut here = env.clone();
            for _ in 0..index {
                here = here.and_then(|scope| scope.1.0.clone());
            }
            here.expect("a bound variable").0.clone()
        }
        View::Lam(_, _, body) => Value::Fun(body, env.clone()),
        View::App(f, a) => apply(run(&f, env), run(&a, env)),
        View::Let(_, value, body) => run(&body, &bound(run(&value, env), env.clone())),
        View::If(test, a, b) => run(if run(&test, env).int() != 0 { &a } else { &b }, env),
        View::Ifold(n, f, z) => {
            let f = run(&f, env);
            (0..literal(&n)).fold(run(&z, env), |acc, i| apply(apply(f.clone(), acc), Value::Int(i)))
        }
        View::Scan(n, f, z) | View::Scanr(n, f, z) => {
            let (f, mut state, n) = (run(&f, env), run(&z, env), literal(&n));
            let is_reversed = matches!(term.kind(), Kind::Scanr(_));
            let mut kept = vec![None; n as usize];
            for round in 0..n {
                let i = if is_reversed { n - 1 - round } else { round };
                let (next, own) = apply(apply(f.clone(), state), Value::Int(i)).halves();
                state = next;
                kept[i as usize] = Some(own);
            }
            pair(state, Value::Array(Rc::new(kept.into_iter().flatten().collect())))
        }
        View::Scatter(rounds, _, f) => {
            let f = run(&f, env);
            let mut sums = zero::<T>(term.ty());
            for i in 0..literal(&rounds) {
                let (place, value) = apply(f.clone(), Value::Int(i)).halves();
                let place = place.int();
                let one = |(k, sum): (i64, Value<T>)| if k == place { plus(sum, value.clone()) } else { sum };
                sums = Value::Array(Rc::new((0..).zip(sums.elements()).map(one).collect()));
            }
            sums
        }
        View::Plus(a, b) => plus(run(&a, env), run(&b, env)),
        View::Pull(f, w) => {
            let (f, w, ty) = (run(&f, env), run(&w, env), term.ty().clone());
            places(&ty, &|one_hot| product(&w, &apply(f.clone(), one_hot)))
        }
        View::Build(n, f) => {
            let f = run(&f, env);
            Value::Array(Rc::new((0..literal(&n)).map(|i| apply(f.clone(), Value::Int(i))).collect()))
        }
        View::Array(_, elements) => Value::Array(Rc::new(elements.iter().map(|e| run(e, env)).collect())),
        View::Get(a, i) => run(&a, env).elements()[run(&i, env).int() as usize].clone(),
        View::Within(_, number) => run(&number, env),
        View::Guard(_, n, number, inside, other) => match run(&number, env).int() {
            k if (0..literal(&n)).contains(&k) => run(&inside, &bound(Value::Int(k), env.clone())),
            _ => run(&other, env),
        },
        View::Pair(a, b) => pair(run(&a, env), run(&b, env)),
        View::Fst(p) => run(&p, env).halves().0,
        View::Snd(p) => run(&p, env).halves().1,
        View::Real(a) => Value::Real(T::constant(a)),
        View::Int(a) => Value::Int(a),
        View::Fin(a, _) => Value::Int(a as i64),
        View::SizeVar(_) => panic!("an open size"),
        View::Prim(prim, operands) => primitive(prim, &operands, env),
    }
}

/// The least number from 0 that differs from a by a multiple of b.
fn euclid(a: i64, b: i64) -> i64 {
    (a % b + b.abs()) % b.abs()
}

fn primitive<T: Number>(prim: Prim, operands: &[Term], env: &Env<T>) -> Value<T> {
    let on_reals = matches!(operands[0].ty().view(), TypeView::Real);
    let values: Vec<Value<T>> = operands.iter().map(|o| run(o, env)).collect();
    let reals = |k: usize| values[k].clone().real();
    let ints = |k: usize| values[k].clone().int();
    let compare = || match on_reals {
        true => reals(0).primal().partial_cmp(&reals(1).primal()),
        false => Some(ints(0).cmp(&ints(1))),
    };
    let truth = |b: bool| Value::Int(i64::from(b));
    match prim.unrounded() {
        Prim::Rounded => values[0].clone(),
        Prim::Lt => truth(compare().is_some_and(|o| o.is_lt())),
        Prim::Le => truth(compare().is_some_and(|o| o.is_le())),
        Prim::Gt => truth(compare().is_some_and(|o| o.is_gt())),
        Prim::Ge => truth(compare().is_some_and(|o| o.is_ge())),
        Prim::Eq => truth(compare().is_some_and(|o| o.is_eq())),
        Prim::Ne => truth(!compare().is_some_and(|o| o.is_eq())),
        Prim::And => truth(ints(0) != 0 && ints(1) != 0),
        Prim::Or => truth(ints(0) != 0 || ints(1) != 0),
        Prim::Not => truth(ints(0) == 0),
        Prim::ToReal => Value::Real(T::constant(ints(0) as f64)),
        Prim::ToInt => values[0].clone(),
        Prim::Offset(by) => Value::Int(ints(0) + by as i64),
        Prim::Pow => Value::Real(reals(0).power(ints(1) as i32)),
        Prim::Add if !on_reals => Value::Int(ints(0).wrapping_add(ints(1))),
        Prim::Sub if !on_reals => Value::Int(ints(0).wrapping_sub(ints(1))),
        Prim::Mul if !on_reals => Value::Int(ints(0).wrapping_mul(ints(1))),
        Prim::Quot if ints(1) == 0 => Value::Int(0),
        Prim::Quot => Value::Int((ints(0) - euclid(ints(0), ints(1))) / ints(1)),
        Prim::Rem if ints(1) == 0 => values[0].clone(),
        Prim::Rem => Value::Int(euclid(ints(0), ints(1))),
        Prim::Neg if !on_reals => Value::Int(ints(0).wrapping_neg()),
        prim if operands.len() == 1 => Value::Real(T::function(prim, reals(0))),
        prim => Value::Real(T::arithmetic(prim, reals(0), reals(1))),
    }
}
