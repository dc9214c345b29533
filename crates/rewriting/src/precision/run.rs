//! Runs a term on numbers of twice the digits, as the evaluator runs it on doubles. What is kept rounds as doubles do.

use std::rc::Rc;

use super::double_double::DoubleDouble;
use super::primitives::LongPrimitive;
use redexter_language::eval::{Sizes, Value};
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{Kind, Prim, Scalar, Term, Type, TypeView, View};

/// A value whose reals have twice the digits.
#[derive(Clone)]
enum LongValue {
    Real(DoubleDouble),
    /// An `int` or an index.
    Whole(i64),
    Array(Rc<[LongValue]>),
    Pair(Rc<(LongValue, LongValue)>),
    /// A function's body with what it mentions.
    Function(Term, LongScope),
}

/// The values of the variables in scope, innermost first.
#[derive(Clone, Default)]
struct LongScope(Option<Rc<(LongValue, LongScope)>>);

impl LongScope {
    fn with(&self, value: LongValue) -> LongScope {
        LongScope(Some(Rc::new((value, self.clone()))))
    }

    fn at(&self, index: u32) -> Option<LongValue> {
        let mut here = self;
        for _ in 0..index {
            here = &here.0.as_ref()?.1;
        }
        Some(here.0.as_ref()?.0.clone())
    }
}

/// The reals of a term's value, from left to right; `None` where it has functions, or isn't defined. Recursion goes as deep as
/// the term, so that deep ones need a stack made for that.
pub(super) fn reals(
    term: &Term,
    inputs: &[Value],
    sizes: &Sizes,
    budget: &Budget,
) -> Result<Option<Vec<DoubleDouble>>, StopReason> {
    let scope = inputs.iter().try_fold(LongScope::default(), |scope, input| Some(scope.with(long(input)?)));
    let Some(scope) = scope else { return Ok(None) };
    let Some(value) = (LongRun { sizes, budget }).value(&term.applied().1, &scope)? else { return Ok(None) };
    let mut all = Vec::new();
    Ok(leaves(&value, &mut all).then_some(all))
}

fn long(value: &Value) -> Option<LongValue> {
    Some(match value {
        Value::Real(x) => LongValue::Real(DoubleDouble::of(*x)),
        Value::Int(k) => LongValue::Whole(*k),
        Value::Index(k) => LongValue::Whole(*k as i64),
        Value::Pair(p) => LongValue::Pair(Rc::new((long(&p.0)?, long(&p.1)?))),
        Value::Array(items) => LongValue::Array(items.items().map(|item| long(&item)).collect::<Option<_>>()?),
        Value::Function(_) => return None,
    })
}

fn leaves(value: &LongValue, all: &mut Vec<DoubleDouble>) -> bool {
    match value {
        LongValue::Real(x) => {
            all.push(*x);
            true
        }
        LongValue::Whole(_) => true,
        LongValue::Array(items) => items.iter().all(|item| leaves(item, all)),
        LongValue::Pair(p) => leaves(&p.0, all) && leaves(&p.1, all),
        LongValue::Function(..) => false,
    }
}

struct LongRun<'a> {
    sizes: &'a Sizes,
    budget: &'a Budget,
}

/// Nothing where a term isn't defined, as of an index beyond its array: well-typed terms of known sizes always are.
type LongResult = Result<Option<LongValue>, StopReason>;

impl LongRun<'_> {
    fn value(&self, term: &Term, scope: &LongScope) -> LongResult {
        self.budget.tick()?;
        macro_rules! get {
            ($value:expr) => {
                match $value {
                    Some(value) => value,
                    None => return Ok(None),
                }
            };
        }
        Ok(Some(match term.view() {
            View::Var(index) => return Ok(scope.at(index)),
            View::Lam(_, _, body) => LongValue::Function(body, scope.clone()),
            View::App(f, a) => {
                let (f, a) = (get!(self.value(&f, scope)?), get!(self.value(&a, scope)?));
                return self.apply(&f, a);
            }
            View::Let(_, value, body) => return self.value(&body, &scope.with(get!(self.value(&value, scope)?))),
            View::If(c, a, b) => match get!(self.value(&c, scope)?) {
                LongValue::Whole(0) => return self.value(&b, scope),
                _ => return self.value(&a, scope),
            },
            View::Guard(_, n, number, a, b) => match get!(self.value(&number, scope)?) {
                LongValue::Whole(i) if u64::try_from(i).is_ok_and(|i| i < self.sizes.value(&n)) => {
                    return self.value(&a, &scope.with(LongValue::Whole(i)));
                }
                _ => return self.value(&b, scope),
            },
            View::Ifold(n, f, z) => {
                let (f, mut state) = (get!(self.value(&f, scope)?), get!(self.value(&z, scope)?));
                for i in 0..self.sizes.value(&n) {
                    let step = get!(self.apply(&f, state)?);
                    state = get!(self.apply(&step, LongValue::Whole(i as i64))?);
                }
                state
            }
            View::Scan(n, f, z) | View::Scanr(n, f, z) => {
                let (f, mut state) = (get!(self.value(&f, scope)?), get!(self.value(&z, scope)?));
                let (mut all, n) = (Vec::new(), self.sizes.value(&n));
                let is_reversed = matches!(term.kind(), Kind::Scanr(_));
                for round in 0..n {
                    let index = if is_reversed { n - 1 - round } else { round };
                    let step = get!(self.apply(&f, state)?);
                    let LongValue::Pair(stepped) = get!(self.apply(&step, LongValue::Whole(index as i64))?) else {
                        return Ok(None);
                    };
                    state = stepped.0.clone();
                    all.push(stepped.1.clone());
                }
                if is_reversed {
                    all.reverse();
                }
                LongValue::Pair((state, LongValue::Array(all.into())).into())
            }
            View::Pull(..) | View::Plus(..) => return self.value(&term.meaning(), scope),
            View::Scatter(rounds, places, f) => {
                let f = get!(self.value(&f, scope)?);
                let TypeView::Array(_, value) = term.ty().view() else { return Ok(None) };
                let mut sums = vec![self.zero(value)?; self.sizes.value(&places) as usize];
                for i in 0..self.sizes.value(&rounds) {
                    let LongValue::Pair(entry) = get!(self.apply(&f, LongValue::Whole(i as i64))?) else {
                        return Ok(None);
                    };
                    let (LongValue::Whole(place), value) = &*entry else { return Ok(None) };
                    if let Some(sum) = usize::try_from(*place).ok().and_then(|place| sums.get_mut(place)) {
                        *sum = get!(added(sum, value));
                    }
                }
                LongValue::Array(sums.into())
            }
            View::Build(n, f) => {
                let f = get!(self.value(&f, scope)?);
                let mut all = Vec::new();
                for i in 0..self.sizes.value(&n) {
                    all.push(get!(self.apply(&f, LongValue::Whole(i as i64))?));
                }
                LongValue::Array(all.into())
            }
            View::Array(_, elements) => {
                let mut all = Vec::with_capacity(elements.len());
                for element in &elements {
                    all.push(get!(self.value(element, scope)?));
                }
                LongValue::Array(all.into())
            }
            View::Get(array, index) => match (get!(self.value(&array, scope)?), get!(self.value(&index, scope)?)) {
                (LongValue::Array(all), LongValue::Whole(i)) => {
                    return Ok(usize::try_from(i).ok().and_then(|i| all.get(i).cloned()));
                }
                _ => return Ok(None),
            },
            View::Within(_, number) => get!(self.value(&number, scope)?),
            View::Pair(a, b) => LongValue::Pair(Rc::new((get!(self.value(&a, scope)?), get!(self.value(&b, scope)?)))),
            View::Fst(p) => match get!(self.value(&p, scope)?) {
                LongValue::Pair(p) => p.0.clone(),
                _ => return Ok(None),
            },
            View::Snd(p) => match get!(self.value(&p, scope)?) {
                LongValue::Pair(p) => p.1.clone(),
                _ => return Ok(None),
            },
            View::Real(x) => LongValue::Real(DoubleDouble::of(x)),
            View::Int(k) => LongValue::Whole(k),
            View::Fin(k, _) => LongValue::Whole(k as i64),
            View::SizeVar(name) => LongValue::Whole(self.sizes.get(&name).unwrap_or(0) as i64),
            View::Prim(prim, operands) => {
                let mut all = Vec::with_capacity(operands.len());
                for operand in &operands {
                    all.push(get!(self.value(operand, scope)?));
                }
                let on_indices = matches!(operands[0].ty().view(), redexter_language::term::TypeView::Fin(_));
                return Ok(primitive(prim, &all, on_indices));
            }
        }))
    }

    /// 0 of a type that is made of reals.
    fn zero(&self, ty: &Type) -> Result<LongValue, StopReason> {
        self.budget.tick()?;
        Ok(match ty.view() {
            TypeView::Array(n, element) => {
                let n = self.sizes.value(n) as usize;
                LongValue::Array(vec![self.zero(element)?; n].into())
            }
            TypeView::Pair(a, b) => LongValue::Pair(Rc::new((self.zero(a)?, self.zero(b)?))),
            _ => LongValue::Real(DoubleDouble::of(0.0)),
        })
    }

    fn apply(&self, function: &LongValue, argument: LongValue) -> LongResult {
        match function {
            LongValue::Function(body, scope) => self.value(body, &scope.with(argument)),
            _ => Ok(None),
        }
    }
}

/// The sum of two values of one type that is made of reals.
fn added(a: &LongValue, b: &LongValue) -> Option<LongValue> {
    Some(match (a, b) {
        (LongValue::Pair(a), LongValue::Pair(b)) => LongValue::Pair(Rc::new((added(&a.0, &b.0)?, added(&a.1, &b.1)?))),
        (LongValue::Array(a), LongValue::Array(b)) => {
            LongValue::Array(a.iter().zip(b.iter()).map(|(a, b)| added(a, b)).collect::<Option<Vec<_>>>()?.into())
        }
        _ => primitive(Prim::Add, &[a.clone(), b.clone()], false)?,
    })
}

/// What a primitive gives.
fn primitive(prim: Prim, operands: &[LongValue], on_indices: bool) -> Option<LongValue> {
    Some(match (LongPrimitive::of(prim), operands) {
        (LongPrimitive::One(f), [LongValue::Real(x)]) => LongValue::Real(f(*x)),
        (LongPrimitive::Two(f), [LongValue::Real(x), LongValue::Real(y)]) => LongValue::Real(f(*x, *y)),
        (LongPrimitive::Test(f), [LongValue::Real(x), LongValue::Real(y)]) => LongValue::Whole(i64::from(f(*x, *y))),
        (LongPrimitive::Power(f), [LongValue::Real(x), LongValue::Whole(k)]) => LongValue::Real(f(*x, *k)),
        (LongPrimitive::OfWhole(f), [LongValue::Whole(k)]) => LongValue::Real(f(*k)),
        _ => return as_doubles(prim, operands, on_indices),
    })
}

/// What it gives of the nearest doubles.
fn as_doubles(prim: Prim, operands: &[LongValue], on_indices: bool) -> Option<LongValue> {
    let scalar = |operand: &LongValue| match operand {
        LongValue::Real(x) => Some(Scalar::Real(x.rounded())),
        LongValue::Whole(k) if on_indices => Some(Scalar::Fin(*k as u64)),
        LongValue::Whole(k) => Some(Scalar::Int(*k)),
        _ => None,
    };
    let operands: Vec<Scalar> = operands.iter().map(scalar).collect::<Option<_>>()?;
    Some(match prim.compute(&operands)? {
        Scalar::Real(x) => LongValue::Real(DoubleDouble::of(x)),
        Scalar::Int(k) => LongValue::Whole(k),
        Scalar::Fin(k) => LongValue::Whole(k as i64),
    })
}
