//! Types and sizes. A size is a binding or a literal; one whose binding ends is unknown, and equals nothing.

use super::parse::{Def, Dim, Exp, File, Pattern, Ty};

#[derive(Clone, Debug, PartialEq)]
enum Size {
    Binding(usize),
    Literal(i64),
    /// Its binding has ended.
    Unknown,
}

#[derive(Clone, Debug, PartialEq)]
enum Type {
    F64,
    I64,
    Bool,
    Array(Size, Box<Type>),
    Tuple(Vec<Type>),
}

type Checked<T> = Result<T, String>;

struct Checker<'a> {
    known: &'a [Def],
    scope: Vec<(String, Type, usize)>,
    /// The bindings of what is nobody else's: only that may be set.
    unique: Vec<usize>,
    next: usize,
}

pub fn check(file: &File) -> Checked<()> {
    for (k, def) in file.0.iter().enumerate() {
        if file.0[..k].iter().any(|d| d.name == def.name) {
            return Err(format!("{} is defined twice", def.name));
        }
        let mut checker = Checker { known: &file.0[..k], scope: Vec::new(), unique: Vec::new(), next: 0 };
        checker.def(def).map_err(|e| format!("in {}: {e}", def.name))?;
    }
    Ok(())
}

impl Checker<'_> {
    fn bind(&mut self, name: &str, ty: Type) -> usize {
        self.next += 1;
        self.scope.push((name.to_owned(), ty, self.next));
        self.next
    }

    fn find(&self, name: &str) -> Checked<&(String, Type, usize)> {
        self.scope.iter().rev().find(|(n, _, _)| n == name).ok_or(format!("{name} is not in scope"))
    }

    /// Ends the scope of the last binding.
    fn unbind(&mut self, ty: Type) -> Type {
        let (_, _, gone) = self.scope.pop().expect("a binding");
        forget(&ty, gone)
    }

    fn def(&mut self, def: &Def) -> Checked<()> {
        let mut names: Vec<&String> = def.sizes.iter().chain(def.params.iter().map(|(n, _)| n)).collect();
        names.retain(|name| *name != "_");
        names.sort();
        if names.windows(2).any(|w| w[0] == w[1]) {
            return Err("a parameter occurs twice".to_owned());
        }
        for size in &def.sizes {
            if !def.params.iter().any(|(_, ty)| fixes(ty, size)) {
                return Err(format!("no parameter fixes the size {size}"));
            }
            self.bind(size, Type::I64);
        }
        for (name, ty) in &def.params {
            let ty = self.ty(ty)?;
            self.bind(name, ty);
        }
        fn opaque(ty: &Ty) -> bool {
            match ty {
                Ty::Tuple(_) => true,
                Ty::Array(_, element) => opaque(element),
                Ty::Unique(ty) => opaque(ty),
                Ty::F64 | Ty::I64 => false,
            }
        }
        let parts = if let Ty::Tuple(parts) = &def.result { parts.as_slice() } else { &[] };
        if def.params.iter().map(|(_, ty)| ty).chain(parts).any(opaque) {
            return Err("a tuple that callers can't read".to_owned());
        }
        let wanted = self.result(&def.result)?;
        let found = self.exp(&def.body)?;
        if fits(&found, &wanted) { Ok(()) } else { Err(format!("gives {found:?} where {wanted:?} is promised")) }
    }

    /// A type in which no size may be left out.
    fn ty(&self, ty: &Ty) -> Checked<Type> {
        let ty = self.result(ty)?;
        if has_unknown(&ty) { Err("a size is left out".to_owned()) } else { Ok(ty) }
    }

    fn result(&self, ty: &Ty) -> Checked<Type> {
        Ok(match ty {
            Ty::F64 => Type::F64,
            Ty::I64 => Type::I64,
            Ty::Unique(ty) => self.result(ty)?,
            Ty::Tuple(parts) => Type::Tuple(parts.iter().map(|t| self.result(t)).collect::<Checked<_>>()?),
            Ty::Array(dim, a) => {
                let size = match dim {
                    Dim::Any => Size::Unknown,
                    Dim::Literal(k) => Size::Literal(*k),
                    Dim::Name(n) => self.size(n)?,
                };
                Type::Array(size, Box::new(self.result(a)?))
            }
        })
    }

    fn size(&self, name: &str) -> Checked<Size> {
        match self.find(name)? {
            (_, Type::I64, id) => Ok(Size::Binding(*id)),
            (_, ty, _) => Err(format!("the size {name} has type {ty:?}")),
        }
    }

    /// A size as an argument: the exporter has names and literals.
    fn size_argument(&self, e: &Exp) -> Checked<Size> {
        match e {
            Exp::Int(k) => Ok(Size::Literal(*k)),
            Exp::Var(n) => self.size(n),
            other => Err(format!("{other:?} as a size")),
        }
    }

    fn is(&mut self, e: &Exp, wanted: &Type) -> Checked<()> {
        let found = self.exp(e)?;
        if found == *wanted && !has_unknown(&found) {
            Ok(())
        } else {
            Err(format!("{e:?} has type {found:?}, not {wanted:?}"))
        }
    }

    fn exp(&mut self, e: &Exp) -> Checked<Type> {
        match e {
            Exp::Var(n) if n == "f64.nan" || n == "f64.inf" || n == "f64.pi" => Ok(Type::F64),
            Exp::Var(n) if n == "i64.lowest" => Ok(Type::I64),
            Exp::Var(n) => Ok(self.find(n)?.1.clone()),
            Exp::Int(_) => Err("a number without a suffix".to_owned()),
            Exp::Int64(_) => Ok(Type::I64),
            Exp::Real(_) => Ok(Type::F64),
            Exp::Bool(_) => Ok(Type::Bool),
            Exp::Operator(_) | Exp::Lambda(..) => Err("a function as a value".to_owned()),
            Exp::Neg(a) => match self.exp(a)? {
                ty @ (Type::F64 | Type::I64) => Ok(ty),
                ty => Err(format!("the negation of {ty:?}")),
            },
            Exp::Not(a) => self.is(a, &Type::Bool).map(|()| Type::Bool),
            Exp::Binary(op, a, b) => self.binary(op, a, b),
            Exp::Apply(f, arguments) => self.apply(f, arguments),
            Exp::Tuple(parts) => Ok(Type::Tuple(parts.iter().map(|p| self.exp(p)).collect::<Checked<_>>()?)),
            Exp::Field(p, k) => match self.exp(p)? {
                Type::Tuple(parts) => parts.get(*k).cloned().ok_or(format!("no field {k}")),
                ty => Err(format!("a field of {ty:?}")),
            },
            Exp::Index(array, indices) => {
                let mut ty = self.exp(array)?;
                for index in indices {
                    self.is(index, &Type::I64)?;
                    let Type::Array(_, a) = ty else { return Err(format!("an index into {ty:?}")) };
                    ty = *a;
                }
                Ok(ty)
            }
            Exp::Array(items) => {
                let Some(first) = items.first() else { return Err("an empty array without a type".to_owned()) };
                let ty = self.exp(first)?;
                items.iter().try_for_each(|i| self.is(i, &ty))?;
                Ok(Type::Array(Size::Literal(items.len() as i64), Box::new(ty)))
            }
            Exp::Ascribe(e, ty) => match (&**e, self.ty(ty)?) {
                (Exp::Array(items), ty @ Type::Array(Size::Literal(0), _)) if items.is_empty() => Ok(ty),
                _ => Err("an ascription that isn't of an empty array".to_owned()),
            },
            Exp::Coerce(e, ty) => {
                let (found, ty) = (self.exp(e)?, self.ty(ty)?);
                if erase(&found) == erase(&ty) { Ok(ty) } else { Err(format!("{found:?} coerced to {ty:?}")) }
            }
            Exp::With(array, index, element) => {
                self.is(index, &Type::I64)?;
                let ty = self.exp(array)?;
                let own = if let Exp::Var(name) = &**array { Some(self.find(name)?.2) } else { None };
                if !own.is_some_and(|id| self.unique.contains(&id)) {
                    return Err(format!("{array:?} may have another name, and is set"));
                }
                let Type::Array(_, own) = &ty else { return Err(format!("{ty:?} is no array that is set")) };
                self.is(element, own)?;
                Ok(ty)
            }
            Exp::If(c, a, b) => {
                self.is(c, &Type::Bool)?;
                let ty = self.exp(a)?;
                self.is(b, &ty)?;
                Ok(ty)
            }
            Exp::Let(name, value, body) => {
                let ty = self.exp(value)?;
                if has_unknown(&ty) {
                    return Err(format!("{name} has an unknown size"));
                }
                self.bind(name, ty);
                let body = self.exp(body)?;
                Ok(self.unbind(body))
            }
            Exp::Loop(names, start, form, body) => self.loop_exp(names, start, form, body),
            Exp::Assert(c, e) => {
                self.is(c, &Type::Bool)?;
                self.exp(e)
            }
        }
    }

    fn loop_exp(
        &mut self,
        names: &[(String, Option<Ty>)],
        start: &Exp,
        form: &Result<(String, Box<Exp>), Box<Exp>>,
        body: &Exp,
    ) -> Checked<Type> {
        let ty = self.exp(start)?;
        if has_unknown(&ty) {
            return Err("a loop over an unknown size".to_owned());
        }
        if names.iter().any(|(_, ty)| matches!(ty, Some(Ty::Unique(_)))) {
            let mut all = Vec::new();
            self.arrays(start, &mut all)?;
            all.sort();
            if all.windows(2).any(|w| w[0] == w[1]) {
                return Err(format!("a loop that sets an array begins with one that has two names: {start:?}"));
            }
        }
        if let Ok((_, bound)) = form {
            self.is(bound, &Type::I64)?;
        }
        let before = self.scope.len();
        let types = match (&ty, names) {
            (ty, [_]) => vec![ty.clone()],
            (Type::Tuple(parts), names) if parts.len() == names.len() => parts.clone(),
            _ => return Err(format!("{names:?} for {ty:?}")),
        };
        for ((name, written), ty) in names.iter().zip(types) {
            match written {
                Some(written) if self.ty(written)? != ty => {
                    return Err(format!("a loop from {ty:?} over {written:?}"));
                }
                None if has_array(&ty) => return Err("a loop over arrays without a type".to_owned()),
                _ => {}
            }
            let id = self.bind(name, ty);
            if let Some(Ty::Unique(_)) = written {
                self.unique.push(id);
            }
        }
        match form {
            Ok((index, _)) => {
                self.bind(index, Type::I64);
            }
            Err(condition) => self.is(condition, &Type::Bool)?,
        }
        self.is(body, &ty)?;
        self.scope.truncate(before);
        Ok(ty)
    }

    /// The bindings that are arrays and stand in a tuple as they are.
    fn arrays(&self, e: &Exp, all: &mut Vec<usize>) -> Checked<()> {
        match e {
            Exp::Tuple(parts) => parts.iter().try_for_each(|part| self.arrays(part, all)),
            Exp::Var(name) if !name.contains('.') => {
                let (_, ty, id) = self.find(name)?;
                all.extend(has_array(ty).then_some(*id));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn binary(&mut self, op: &str, a: &Exp, b: &Exp) -> Checked<Type> {
        let ty = self.exp(a)?;
        self.is(b, &ty)?;
        match (op, ty) {
            ("&&" | "||", Type::Bool) => Ok(Type::Bool),
            ("+" | "-" | "*", ty @ (Type::F64 | Type::I64)) => Ok(ty),
            ("/" | "**", Type::F64) => Ok(Type::F64),
            ("//" | "%%", Type::I64) => Ok(Type::I64),
            ("<" | "<=" | ">" | ">=" | "==" | "!=", Type::F64 | Type::I64) => Ok(Type::Bool),
            (op, ty) => Err(format!("{op} on {ty:?}")),
        }
    }

    /// What a function gives of values of these types.
    fn function(&mut self, f: &Exp, given: &[Type]) -> Checked<Type> {
        match (f, given) {
            (Exp::Operator(_), [a @ (Type::F64 | Type::I64), b]) if a == b => Ok(a.clone()),
            (Exp::Var(f), [Type::F64, Type::F64]) if f == "f64.max" || f == "f64.min" => Ok(Type::F64),
            (Exp::Apply(f, arguments), [a, b]) if f == "map2" => match &arguments[..] {
                [inner] => self.rows(inner, a, b),
                other => Err(format!("map2 of {other:?}")),
            },
            (Exp::Lambda(patterns, body), given) if patterns.len() == given.len() => {
                let before = self.scope.len();
                patterns.iter().zip(given).try_for_each(|(pattern, ty)| self.match_pattern(pattern, ty))?;
                let mut ty = self.exp(body)?;
                while self.scope.len() > before {
                    ty = self.unbind(ty);
                }
                Ok(ty)
            }
            _ => Err(format!("{f:?} of {given:?}")),
        }
    }

    fn rows(&mut self, f: &Exp, a: &Type, b: &Type) -> Checked<Type> {
        match (a, b) {
            (Type::Array(n, a), Type::Array(m, b)) if n == m && *n != Size::Unknown => {
                Ok(Type::Array(n.clone(), Box::new(self.function(f, &[(**a).clone(), (**b).clone()])?)))
            }
            _ => Err(format!("map2 over {a:?} and {b:?}")),
        }
    }

    fn match_pattern(&mut self, pattern: &Pattern, ty: &Type) -> Checked<()> {
        match (pattern, ty) {
            (Pattern::Any, _) => Ok(()),
            (Pattern::Name(name), ty) => {
                self.bind(name, ty.clone());
                Ok(())
            }
            (Pattern::Tuple(parts), Type::Tuple(types)) if parts.len() == types.len() => {
                parts.iter().zip(types).try_for_each(|(part, ty)| self.match_pattern(part, ty))
            }
            _ => Err(format!("{pattern:?} for {ty:?}")),
        }
    }

    fn apply(&mut self, f: &str, arguments: &[Exp]) -> Checked<Type> {
        if self.scope.iter().any(|(n, _, _)| n == f || f.split('.').next() == Some(n)) {
            return Err(format!("{f} is shadowed"));
        }
        match (f, arguments) {
            ("tabulate", [size, f]) => {
                let size = self.size_argument(size)?;
                let ty = self.function(f, &[Type::I64])?;
                if has_unknown(&ty) {
                    return Err("an array of elements of unknown size".to_owned());
                }
                Ok(Type::Array(size, Box::new(ty)))
            }
            ("replicate", [size, element]) => {
                let size = self.size_argument(size)?;
                Ok(Type::Array(size, Box::new(self.exp(element)?)))
            }
            ("copy", [a]) => self.exp(a),
            ("iota", [size]) => Ok(Type::Array(self.size_argument(size)?, Box::new(Type::I64))),
            ("map2", [f, a, b]) => {
                let (a, b) = (self.exp(a)?, self.exp(b)?);
                self.rows(f, &a, &b)
            }
            ("reverse", [array]) => match self.exp(array)? {
                ty @ Type::Array(..) => Ok(ty),
                ty => Err(format!("{ty:?} in reverse")),
            },
            ("scan", [f, zero, array]) => {
                let (ty, array) = (self.exp(zero)?, self.exp(array)?);
                let found = self.function(f, &[ty.clone(), ty.clone()])?;
                match &array {
                    Type::Array(_, element) if **element == ty && found == ty => Ok(array),
                    _ => Err(format!("a scan of {array:?} from {ty:?} by what gives {found:?}")),
                }
            }
            ("reduce", [f, zero, array]) => {
                let (ty, array) = (self.exp(zero)?, self.exp(array)?);
                let Type::Array(_, element) = &array else { return Err(format!("a reduction of {array:?}")) };
                let found = self.function(f, &[ty.clone(), ty.clone()])?;
                if **element == ty && found == ty {
                    Ok(ty)
                } else {
                    Err(format!("a reduction of {array:?} from {ty:?} by what gives {found:?}"))
                }
            }
            ("hist", [f, zero, size, places, values]) => {
                let (ty, size) = (self.exp(zero)?, self.size_argument(size)?);
                let found = self.function(f, &[ty.clone(), ty.clone()])?;
                match (self.exp(places)?, self.exp(values)?) {
                    (Type::Array(m, k), Type::Array(l, v)) if m == l && *k == Type::I64 && *v == ty && found == ty => {
                        Ok(Type::Array(size, Box::new(ty)))
                    }
                    other => Err(format!("a histogram of {other:?} from {ty:?} by what gives {found:?}")),
                }
            }
            ("all", [f, array]) => match self.exp(array)? {
                Type::Array(_, element) => match self.function(f, &[*element])? {
                    Type::Bool => Ok(Type::Bool),
                    ty => Err(format!("all of {ty:?}")),
                },
                ty => Err(format!("all of {ty:?}")),
            },
            ("unzip", [array]) => match self.exp(array)? {
                Type::Array(n, pairs) => match *pairs {
                    Type::Tuple(parts) if parts.len() == 2 => {
                        let parts = parts.into_iter().map(|part| Type::Array(n.clone(), Box::new(part)));
                        Ok(Type::Tuple(parts.collect()))
                    }
                    ty => Err(format!("an array of {ty:?} in two")),
                },
                ty => Err(format!("{ty:?} in two")),
            },
            ("f64.sum" | "f64.product" | "f64.maximum" | "f64.minimum" | "i64.sum" | "i64.product", [array]) => {
                let element = if f.starts_with('f') { Type::F64 } else { Type::I64 };
                match self.exp(array)? {
                    Type::Array(_, own) if *own == element => Ok(element),
                    ty => Err(format!("{f} of {ty:?}")),
                }
            }
            ("i64.bool", [a]) => self.is(a, &Type::Bool).map(|()| Type::I64),
            ("f64.i64", [a]) => self.is(a, &Type::I64).map(|()| Type::F64),
            ("f64.isinf" | "f64.isnan", [a]) => self.is(a, &Type::F64).map(|()| Type::Bool),
            ("f64.min" | "f64.max" | "f64.atan2", [a, b]) => {
                self.is(a, &Type::F64)?;
                self.is(b, &Type::F64).map(|()| Type::F64)
            }
            (
                "f64.exp" | "f64.log" | "f64.sqrt" | "f64.sin" | "f64.cos" | "f64.tan" | "f64.tanh" | "f64.abs"
                | "f64.lgamma" | "f64.round" | "f64.sinh" | "f64.cosh" | "f64.atan" | "f64.erf" | "f64.erfc"
                | "f64.asin" | "f64.acos" | "f64.floor" | "f64.ceil",
                [a],
            ) => self.is(a, &Type::F64).map(|()| Type::F64),
            (f, arguments) if self.known.iter().any(|d| d.name == f && !d.entry) => {
                let given = arguments.iter().map(|a| self.exp(a)).collect::<Checked<Vec<Type>>>()?;
                let def = self.known.iter().find(|d| d.name == f).ok_or("no function")?;
                if def.params.len() != given.len() {
                    return Err(format!("{f} with {} arguments", given.len()));
                }
                let mut sizes = Vec::new();
                for ((_, ty), given) in def.params.iter().zip(&given) {
                    takes(ty, given, &mut sizes).map_err(|e| format!("{f}: {e}"))?;
                }
                promised(&def.result, &sizes)
            }
            _ => Err(format!("{f} with {} arguments", arguments.len())),
        }
    }
}

/// Whether a parameter takes what is given, with sizes that it fixes.
fn takes(ty: &Ty, given: &Type, sizes: &mut Vec<(String, Size)>) -> Checked<()> {
    match (ty, given) {
        (Ty::F64, Type::F64) | (Ty::I64, Type::I64) => Ok(()),
        (Ty::Array(Dim::Name(name), a), Type::Array(n, b)) => {
            match sizes.iter().find(|(own, _)| own == name) {
                Some((_, known)) if known != n => return Err(format!("{known:?} and {n:?} for {name}")),
                Some(_) => {}
                None => sizes.push((name.clone(), n.clone())),
            }
            takes(a, b, sizes)
        }
        _ => Err(format!("{given:?} for {ty:?}")),
    }
}

/// The type of what a call gives.
fn promised(ty: &Ty, sizes: &[(String, Size)]) -> Checked<Type> {
    Ok(match ty {
        Ty::F64 => Type::F64,
        Ty::I64 => Type::I64,
        Ty::Array(Dim::Name(name), a) => {
            let (_, size) = sizes.iter().find(|(own, _)| own == name).ok_or(format!("no size {name}"))?;
            Type::Array(size.clone(), Box::new(promised(a, sizes)?))
        }
        _ => return Err(format!("{ty:?} is given")),
    })
}

fn fixes(ty: &Ty, size: &str) -> bool {
    match ty {
        Ty::F64 | Ty::I64 => false,
        Ty::Array(dim, a) => matches!(dim, Dim::Name(n) if n == size) || fixes(a, size),
        Ty::Tuple(parts) => parts.iter().any(|t| fixes(t, size)),
        Ty::Unique(ty) => fixes(ty, size),
    }
}

fn map_sizes(ty: &Type, to: &dyn Fn(&Size) -> Size) -> Type {
    match ty {
        Type::Array(n, a) => Type::Array(to(n), Box::new(map_sizes(a, to))),
        Type::Tuple(parts) => Type::Tuple(parts.iter().map(|t| map_sizes(t, to)).collect()),
        other => other.clone(),
    }
}

fn forget(ty: &Type, gone: usize) -> Type {
    map_sizes(ty, &|n| if *n == Size::Binding(gone) { Size::Unknown } else { n.clone() })
}

fn erase(ty: &Type) -> Type {
    map_sizes(ty, &|_| Size::Unknown)
}

fn has_unknown(ty: &Type) -> bool {
    match ty {
        Type::Array(n, a) => *n == Size::Unknown || has_unknown(a),
        Type::Tuple(parts) => parts.iter().any(has_unknown),
        _ => false,
    }
}

fn has_array(ty: &Type) -> bool {
    match ty {
        Type::Array(..) => true,
        Type::Tuple(parts) => parts.iter().any(has_array),
        _ => false,
    }
}

/// Whether a body's type is the promised one, in which a size may be left open.
fn fits(found: &Type, wanted: &Type) -> bool {
    match (found, wanted) {
        (Type::Array(n, a), Type::Array(m, b)) => (n == m || *m == Size::Unknown) && fits(a, b),
        (Type::Tuple(a), Type::Tuple(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| fits(a, b)),
        (a, b) => a == b,
    }
}
