//! What a file's entries compute. The file has been checked.

use std::collections::HashMap;

use redexter::term::{Prim, Scalar};

use super::parse::{Def, Dim, Exp, File, Pattern, Ty};

#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    F64(f64),
    I64(i64),
    Bool(bool),
    Array(Vec<Datum>),
    Tuple(Vec<Datum>),
}

type Ran<T> = Result<T, String>;

struct Machine<'a> {
    file: &'a File,
    scope: Vec<(String, Datum)>,
}

/// Applies an entry to arguments; `sizes` has those that the arguments leave open.
pub fn run(file: &File, entry: &str, arguments: Vec<Datum>, sizes: &HashMap<String, i64>) -> Ran<Datum> {
    let def = file.0.iter().find(|d| d.name == entry).ok_or(format!("no entry {entry}"))?;
    call(file, def, arguments, sizes)
}

fn call(file: &File, def: &Def, arguments: Vec<Datum>, sizes: &HashMap<String, i64>) -> Ran<Datum> {
    if arguments.len() != def.params.len() {
        return Err(format!("{} takes {} arguments, not {}", def.name, def.params.len(), arguments.len()));
    }
    let mut own: HashMap<String, i64> = HashMap::new();
    for ((_, ty), argument) in def.params.iter().zip(&arguments) {
        learn(ty, argument, &mut own)?;
    }
    let mut machine = Machine { file, scope: Vec::new() };
    for size in &def.sizes {
        let value = own.get(size).or(sizes.get(size)).copied().unwrap_or(0);
        machine.scope.push((size.clone(), Datum::I64(value)));
    }
    for ((name, _), argument) in def.params.iter().zip(arguments) {
        machine.scope.push((name.clone(), argument));
    }
    machine.exp(&def.body)
}

/// Takes sizes from an argument, which must agree.
fn learn(ty: &Ty, value: &Datum, sizes: &mut HashMap<String, i64>) -> Ran<()> {
    match (ty, value) {
        (Ty::Array(dim, a), Datum::Array(items)) => {
            let length = items.len() as i64;
            let expected = match dim {
                Dim::Name(n) => *sizes.entry(n.clone()).or_insert(length),
                Dim::Literal(k) => *k,
                Dim::Any => length,
            };
            if expected != length {
                return Err(format!("an array of {length} where {expected} is the size"));
            }
            items.iter().try_for_each(|item| learn(a, item, sizes))
        }
        (Ty::Unique(ty), value) => learn(ty, value, sizes),
        (Ty::Tuple(types), Datum::Tuple(parts)) => types.iter().zip(parts).try_for_each(|(t, p)| learn(t, p, sizes)),
        (Ty::F64, Datum::F64(_)) | (Ty::I64, Datum::I64(_)) => Ok(()),
        _ => Err(format!("{value:?} is no {ty:?}")),
    }
}

impl Machine<'_> {
    fn under(&mut self, bound: &[(&str, Datum)], body: &Exp) -> Ran<Datum> {
        let before = self.scope.len();
        self.scope.extend(bound.iter().map(|(n, d)| ((*n).to_owned(), d.clone())));
        let result = self.exp(body);
        self.scope.truncate(before);
        result
    }

    /// What a function gives of values.
    fn function(&mut self, f: &Exp, given: &[Datum]) -> Ran<Datum> {
        match (f, given) {
            (Exp::Operator(op), [a, b]) => binary(op, a, b),
            (Exp::Var(f), [a, b]) => binary(f, a, b),
            (Exp::Apply(_, inner), [a, b]) => self.rows(&inner[0], a, b),
            (Exp::Lambda(patterns, body), given) => {
                let mut bound = Vec::new();
                patterns.iter().zip(given).try_for_each(|(pattern, value)| matched(pattern, value, &mut bound))?;
                self.under(&bound, body)
            }
            _ => Err(format!("{f:?} is no function")),
        }
    }

    fn rows(&mut self, f: &Exp, a: &Datum, b: &Datum) -> Ran<Datum> {
        let (Datum::Array(a), Datum::Array(b)) = (a, b) else { return Err(format!("map2 over {a:?} and {b:?}")) };
        let items = a.iter().zip(b).map(|(a, b)| self.function(f, &[a.clone(), b.clone()]));
        Ok(Datum::Array(items.collect::<Ran<_>>()?))
    }

    fn array(&mut self, e: &Exp) -> Ran<Vec<Datum>> {
        match self.exp(e)? {
            Datum::Array(items) => Ok(items),
            other => Err(format!("{other:?} is no array")),
        }
    }

    fn f64(&mut self, e: &Exp) -> Ran<f64> {
        match self.exp(e)? {
            Datum::F64(x) => Ok(x),
            other => Err(format!("{other:?} is no f64")),
        }
    }

    fn i64(&mut self, e: &Exp) -> Ran<i64> {
        match self.exp(e)? {
            Datum::I64(x) => Ok(x),
            other => Err(format!("{other:?} is no i64")),
        }
    }

    fn bool(&mut self, e: &Exp) -> Ran<bool> {
        match self.exp(e)? {
            Datum::Bool(x) => Ok(x),
            other => Err(format!("{other:?} is no bool")),
        }
    }

    fn exp(&mut self, e: &Exp) -> Ran<Datum> {
        match e {
            Exp::Var(n) => match n.as_str() {
                "f64.nan" => Ok(Datum::F64(f64::NAN)),
                "f64.inf" => Ok(Datum::F64(f64::INFINITY)),
                "f64.pi" => Ok(Datum::F64(std::f64::consts::PI)),
                "i64.lowest" => Ok(Datum::I64(i64::MIN)),
                n => {
                    let found = self.scope.iter().rev().find(|(name, _)| name == n);
                    found.map(|(_, d)| d.clone()).ok_or(format!("{n} has no value"))
                }
            },
            Exp::Int(k) | Exp::Int64(k) => Ok(Datum::I64(*k)),
            Exp::Real(x) => Ok(Datum::F64(*x)),
            Exp::Bool(b) => Ok(Datum::Bool(*b)),
            Exp::Operator(_) | Exp::Lambda(..) => Err("a function as a value".to_owned()),
            Exp::Neg(a) => Ok(match self.exp(a)? {
                Datum::F64(x) => Datum::F64(-x),
                Datum::I64(k) => Datum::I64(k.wrapping_neg()),
                other => return Err(format!("the negation of {other:?}")),
            }),
            Exp::Not(a) => Ok(Datum::Bool(!self.bool(a)?)),
            Exp::Binary(op, a, b) => {
                let (a, b) = (self.exp(a)?, self.exp(b)?);
                binary(op, &a, &b)
            }
            Exp::Apply(f, arguments) => self.apply(f, arguments),
            Exp::Tuple(parts) => Ok(Datum::Tuple(parts.iter().map(|p| self.exp(p)).collect::<Ran<_>>()?)),
            Exp::Field(p, k) => match self.exp(p)? {
                Datum::Tuple(parts) => Ok(parts[*k].clone()),
                other => Err(format!("a field of {other:?}")),
            },
            Exp::Index(array, indices) => {
                let mut value = self.exp(array)?;
                for index in indices {
                    let index = self.i64(index)?;
                    let Datum::Array(items) = value else { return Err(format!("an index into {value:?}")) };
                    value = items.get(index as usize).cloned().ok_or(format!("{index} of {}", items.len()))?;
                }
                Ok(value)
            }
            Exp::With(array, index, element) => {
                let (array, index, element) = (self.exp(array)?, self.i64(index)?, self.exp(element)?);
                let Datum::Array(mut items) = array else { return Err(format!("{array:?} is set")) };
                let own = items.get_mut(index as usize).ok_or(format!("{index} is set"))?;
                *own = element;
                Ok(Datum::Array(items))
            }
            Exp::Array(items) => Ok(Datum::Array(items.iter().map(|i| self.exp(i)).collect::<Ran<_>>()?)),
            Exp::Ascribe(e, _) => self.exp(e),
            Exp::Coerce(e, ty) => {
                let value = self.exp(e)?;
                let mut sizes: HashMap<String, i64> = HashMap::new();
                for (name, value) in &self.scope {
                    if let Datum::I64(k) = value {
                        sizes.insert(name.clone(), *k);
                    }
                }
                learn(ty, &value, &mut sizes)?;
                Ok(value)
            }
            Exp::If(c, a, b) => {
                if self.bool(c)? {
                    self.exp(a)
                } else {
                    self.exp(b)
                }
            }
            Exp::Let(name, value, body) => {
                let value = self.exp(value)?;
                self.under(&[(name, value)], body)
            }
            Exp::Loop(names, start, form, body) => self.loop_exp(names, start, form, body),
            Exp::Assert(c, e) => {
                if self.bool(c)? {
                    self.exp(e)
                } else {
                    Err("an assertion failed".to_owned())
                }
            }
        }
    }

    fn loop_exp(
        &mut self,
        names: &[(String, Option<Ty>)],
        start: &Exp,
        form: &Result<(String, Box<Exp>), Box<Exp>>,
        body: &Exp,
    ) -> Ran<Datum> {
        let mut state = self.exp(start)?;
        let bound = match form {
            Ok((_, bound)) => self.i64(bound)?,
            Err(_) => i64::MAX,
        };
        for i in 0..bound {
            let mut bindings: Vec<(&str, Datum)> = match (names, &state) {
                ([(name, _)], state) => vec![(name, state.clone())],
                (names, Datum::Tuple(parts)) => {
                    names.iter().map(|(n, _)| n.as_str()).zip(parts.iter().cloned()).collect()
                }
                _ => return Err("a pattern that doesn't fit".to_owned()),
            };
            match form {
                Ok((index, _)) => bindings.push((index, Datum::I64(i))),
                Err(condition) if self.under(&bindings, condition)? != Datum::Bool(true) => break,
                Err(_) => {}
            }
            state = self.under(&bindings, body)?;
        }
        Ok(state)
    }

    fn apply(&mut self, f: &str, arguments: &[Exp]) -> Ran<Datum> {
        match (f, arguments) {
            ("tabulate", [size, f]) => {
                let size = self.i64(size)?;
                let items = (0..size).map(|i| self.function(f, &[Datum::I64(i)]));
                Ok(Datum::Array(items.collect::<Ran<_>>()?))
            }
            ("replicate", [size, element]) => {
                let element = self.exp(element)?;
                Ok(Datum::Array(vec![element; self.i64(size)?.max(0) as usize]))
            }
            ("copy", [a]) => self.exp(a),
            ("iota", [size]) => Ok(Datum::Array((0..self.i64(size)?).map(Datum::I64).collect())),
            ("map2", [f, a, b]) => {
                let (a, b) = (self.exp(a)?, self.exp(b)?);
                self.rows(f, &a, &b)
            }
            ("reverse", [array]) => Ok(Datum::Array(self.array(array)?.into_iter().rev().collect())),
            // Without what is neutral, which may stand anywhere in it.
            ("scan", [f, _, array]) => {
                let mut all: Vec<Datum> = Vec::new();
                for item in self.array(array)? {
                    let next = match all.last() {
                        Some(before) => self.function(f, &[before.clone(), item])?,
                        None => item,
                    };
                    all.push(next);
                }
                Ok(Datum::Array(all))
            }
            ("reduce", [f, zero, array]) => {
                let (zero, items) = (self.exp(zero)?, self.array(array)?);
                // In parts, each of which begins with what is to be neutral, as several threads do.
                let mut parts = items
                    .chunks(items.len().div_ceil(3).max(1))
                    .map(|part| part.iter().try_fold(zero.clone(), |sum, item| self.function(f, &[sum, item.clone()])));
                let parts = parts.by_ref().collect::<Ran<Vec<Datum>>>()?;
                parts.into_iter().try_fold(zero.clone(), |sum, part| self.function(f, &[sum, part]))
            }
            // A place that is none is left out.
            ("hist", [f, zero, size, places, values]) => {
                let (zero, size) = (self.exp(zero)?, self.i64(size)?);
                let (places, values) = (self.array(places)?, self.array(values)?);
                let mut all = vec![zero; size.max(0) as usize];
                for (place, value) in places.iter().zip(values) {
                    let Datum::I64(place) = place else { return Err("a place is a number".to_owned()) };
                    if let Some(own) = usize::try_from(*place).ok().and_then(|place| all.get_mut(place)) {
                        *own = self.function(f, &[own.clone(), value])?;
                    }
                }
                Ok(Datum::Array(all))
            }
            ("all", [f, array]) => {
                let items = self.array(array)?;
                let all = items.into_iter().map(|item| self.function(f, &[item])).collect::<Ran<Vec<Datum>>>()?;
                Ok(Datum::Bool(all.iter().all(|one| *one == Datum::Bool(true))))
            }
            ("unzip", [array]) => {
                let mut parts = [Vec::new(), Vec::new()];
                for item in self.array(array)? {
                    let Datum::Tuple(halves) = item else { return Err(format!("{item:?} in two")) };
                    parts.iter_mut().zip(halves).for_each(|(all, half)| all.push(half));
                }
                Ok(Datum::Tuple(parts.map(Datum::Array).to_vec()))
            }
            ("f64.sum" | "f64.product" | "f64.maximum" | "f64.minimum" | "i64.sum" | "i64.product", [array]) => {
                let (neutral, op) = match f {
                    "f64.sum" => (Datum::F64(0.0), "+"),
                    "f64.product" => (Datum::F64(1.0), "*"),
                    "i64.sum" => (Datum::I64(0), "+"),
                    "i64.product" => (Datum::I64(1), "*"),
                    "f64.maximum" => (Datum::F64(f64::NEG_INFINITY), "f64.max"),
                    _ => (Datum::F64(f64::INFINITY), "f64.min"),
                };
                self.array(array)?.iter().try_fold(neutral, |all, item| binary(op, &all, item))
            }
            ("i64.bool", [a]) => Ok(Datum::I64(i64::from(self.bool(a)?))),
            ("f64.i64", [a]) => Ok(Datum::F64(self.i64(a)? as f64)),
            ("f64.isnan", [a]) => Ok(Datum::Bool(self.f64(a)?.is_nan())),
            ("f64.isinf", [a]) => Ok(Datum::Bool(self.f64(a)?.is_infinite())),
            ("f64.min", [a, b]) => Ok(Datum::F64(self.f64(a)?.min(self.f64(b)?))),
            ("f64.max", [a, b]) => Ok(Datum::F64(self.f64(a)?.max(self.f64(b)?))),
            ("f64.atan2", [a, b]) => Ok(Datum::F64(self.f64(a)?.atan2(self.f64(b)?))),
            (f, given) if self.file.0.iter().any(|d| d.name == f) => {
                let given = given.iter().map(|a| self.exp(a)).collect::<Ran<Vec<Datum>>>()?;
                let def = self.file.0.iter().find(|d| d.name == f).ok_or(format!("no function {f}"))?;
                call(self.file, def, given, &HashMap::new())
            }
            (f, [a]) => {
                let x = self.f64(a)?;
                Ok(Datum::F64(match f {
                    "f64.exp" => x.exp(),
                    "f64.log" => x.ln(),
                    "f64.sqrt" => x.sqrt(),
                    "f64.sin" => x.sin(),
                    "f64.cos" => x.cos(),
                    "f64.tan" => x.tan(),
                    "f64.tanh" => x.tanh(),
                    "f64.abs" => x.abs(),
                    "f64.sinh" => x.sinh(),
                    "f64.cosh" => x.cosh(),
                    "f64.atan" => x.atan(),
                    "f64.asin" => x.asin(),
                    "f64.acos" => x.acos(),
                    "f64.floor" => x.floor(),
                    "f64.ceil" => x.ceil(),
                    "f64.erfc" => computed(Prim::Erfc, &[Scalar::Real(x)]),
                    "f64.erf" => computed(Prim::Erf, &[Scalar::Real(x)]),
                    "f64.lgamma" => computed(Prim::Lgamma, &[Scalar::Real(x)]),
                    "f64.round" => x.round_ties_even(),
                    f => return Err(format!("no function {f}")),
                }))
            }
            _ => Err(format!("{f} with {} arguments", arguments.len())),
        }
    }
}

/// What the names of a pattern stand for.
fn matched<'a>(pattern: &'a Pattern, value: &Datum, bound: &mut Vec<(&'a str, Datum)>) -> Ran<()> {
    match (pattern, value) {
        (Pattern::Any, _) => Ok(()),
        (Pattern::Name(name), value) => {
            bound.push((name, value.clone()));
            Ok(())
        }
        (Pattern::Tuple(parts), Datum::Tuple(values)) => {
            parts.iter().zip(values).try_for_each(|(part, value)| matched(part, value, bound))
        }
        _ => Err(format!("{pattern:?} for {value:?}")),
    }
}

/// What std lacks, by the language's own table.
fn computed(prim: Prim, operands: &[Scalar]) -> f64 {
    match prim.compute(operands) {
        Some(Scalar::Real(x)) => x,
        other => panic!("{prim:?} gave {other:?}"),
    }
}

fn binary(op: &str, a: &Datum, b: &Datum) -> Ran<Datum> {
    let compared = |order: Option<std::cmp::Ordering>| match op {
        "<" => order.is_some_and(|o| o.is_lt()),
        "<=" => order.is_some_and(|o| o.is_le()),
        ">" => order.is_some_and(|o| o.is_gt()),
        ">=" => order.is_some_and(|o| o.is_ge()),
        "==" => order.is_some_and(|o| o.is_eq()),
        _ => !order.is_some_and(|o| o.is_eq()),
    };
    Ok(match (op, a, b) {
        ("&&", Datum::Bool(a), Datum::Bool(b)) => Datum::Bool(*a && *b),
        ("||", Datum::Bool(a), Datum::Bool(b)) => Datum::Bool(*a || *b),
        ("+", Datum::F64(a), Datum::F64(b)) => Datum::F64(a + b),
        ("-", Datum::F64(a), Datum::F64(b)) => Datum::F64(a - b),
        ("*", Datum::F64(a), Datum::F64(b)) => Datum::F64(a * b),
        ("f64.max", Datum::F64(a), Datum::F64(b)) => Datum::F64(a.max(*b)),
        ("f64.min", Datum::F64(a), Datum::F64(b)) => Datum::F64(a.min(*b)),
        ("/", Datum::F64(a), Datum::F64(b)) => Datum::F64(a / b),
        // Rounded as in the evaluator; the compiler's rounds once.
        ("**", Datum::F64(a), Datum::F64(b)) if b.fract() == 0.0 && b.abs() <= (1_u64 << 53) as f64 => {
            Datum::F64(computed(Prim::Pow, &[Scalar::Real(*a), Scalar::Int(*b as i64)]))
        }
        ("**", Datum::F64(a), Datum::F64(b)) => Datum::F64(a.powf(*b)),
        ("//" | "%%", Datum::I64(_), Datum::I64(0)) => return Err("a division by 0".to_owned()),
        ("//", Datum::I64(a), Datum::I64(b)) => Datum::I64(a.wrapping_div(*b)),
        ("%%", Datum::I64(a), Datum::I64(b)) => Datum::I64(a.wrapping_rem(*b)),
        ("+", Datum::I64(a), Datum::I64(b)) => Datum::I64(a.wrapping_add(*b)),
        ("-", Datum::I64(a), Datum::I64(b)) => Datum::I64(a.wrapping_sub(*b)),
        ("*", Datum::I64(a), Datum::I64(b)) => Datum::I64(a.wrapping_mul(*b)),
        (_, Datum::F64(a), Datum::F64(b)) => Datum::Bool(compared(a.partial_cmp(b))),
        (_, Datum::I64(a), Datum::I64(b)) => Datum::Bool(compared(a.partial_cmp(b))),
        _ => return Err(format!("{a:?} {op} {b:?}")),
    })
}
