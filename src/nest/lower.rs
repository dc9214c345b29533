//! First-order programs to loop nests.

use rustc_hash::FxHashMap;

use super::code::{Array, Nest, Number, Place, Slot, Stmt, Value};
use super::tree::{Tree, leaves, under};
use crate::first::{Expr, FirstOrder, Lowered, Refusal, Var};
use crate::ground::Name;
use crate::ground::writing::goes_on;
use crate::term::{Class, Prim, Type};

/// A part of a slot, and what it is.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) place: Place,
    pub(super) array: Array,
}

pub(super) type Data = Tree<View>;

#[derive(Default)]
pub(super) struct Lower {
    cells: u32,
    temporaries: Vec<Slot>,
    /// What the variables in scope stand for.
    scope: FxHashMap<u32, Data>,
}

pub(super) fn lower(parts: &FirstOrder, sizes: Vec<Name>) -> Lowered<Nest> {
    let mut lower = Lower::default();
    let (mut parameters, mut results) = (Vec::new(), Vec::new());
    for var in &parts.parameters {
        let data = lower.slots(&leaves(&var.ty)?, &var.hint, &mut parameters);
        lower.scope.insert(var.number, data);
    }
    let result = lower.slots(&leaves(&parts.result)?, "out", &mut results);
    let mut body = Vec::new();
    lower.write(&parts.body, &result, &mut body)?;
    Ok(Nest { sizes, parameters, results, temporaries: lower.temporaries, body })
}

impl Lower {
    pub(super) fn cell(&mut self) -> u32 {
        self.cells += 1;
        self.cells
    }

    fn slot(&mut self, hint: &str, array: &Array) -> Slot {
        Slot { cell: self.cell(), hint: hint.into(), array: array.clone() }
    }

    /// A new slot for each leaf.
    fn slots(&mut self, shape: &Tree<Array>, hint: &str, all: &mut Vec<Slot>) -> Data {
        shape.map(&mut |array| {
            let slot = self.slot(hint, array);
            all.push(slot.clone());
            View::of(&slot)
        })
    }

    /// A temporary for each array, a variable for each number.
    pub(super) fn fresh(&mut self, shape: &Tree<Array>, hint: &str, out: &mut Vec<Stmt>) -> Data {
        let mut all = Vec::new();
        let data = self.slots(shape, hint, &mut all);
        for slot in all {
            match slot.array.dims.is_empty() {
                true => out.push(Stmt::Var(slot)),
                false => self.temporaries.push(slot),
            }
        }
        data
    }

    pub(super) fn bind(&mut self, var: &Var, data: Data) {
        self.scope.insert(var.number, data);
    }

    /// A variable for a number that is computed once.
    fn bind_number(&mut self, var: &Var, value: Value, number: Number, out: &mut Vec<Stmt>) {
        let slot = self.slot(&var.hint, &Array { dims: Vec::new(), number });
        self.bind(var, Tree::Leaf(View::of(&slot)));
        out.push(Stmt::Let(slot, value));
    }

    fn lets(&mut self, lets: &[(Var, Expr)], out: &mut Vec<Stmt>) -> Lowered<()> {
        for (var, value) in lets {
            match leaves(&var.ty)? {
                Tree::Leaf(array) if array.dims.is_empty() => {
                    let value = self.number(value, out)?;
                    self.bind_number(var, value, array.number, out);
                }
                _ => {
                    let data = self.data(value, &var.hint, out)?;
                    self.bind(var, data);
                }
            }
        }
        Ok(())
    }

    /// An index as something that costs nothing to repeat.
    fn atom(&mut self, index: &Expr, out: &mut Vec<Stmt>) -> Lowered<Value> {
        let value = self.number(index, out)?;
        if value.is_atom() {
            return Ok(value);
        }
        let slot = self.slot("i", &Array { dims: Vec::new(), number: Number::Int });
        let place = View::of(&slot).place;
        out.push(Stmt::Let(slot, value));
        Ok(Value::Load(place))
    }

    /// Where the data of an expression stands: where it does already, or in a temporary.
    fn data(&mut self, code: &Expr, hint: &str, out: &mut Vec<Stmt>) -> Lowered<Data> {
        Ok(match code {
            _ if !goes_on() => return Err(ended()),
            Expr::Var(var) => self.var(var)?,
            Expr::Lets(lets, body) => {
                self.lets(lets, out)?;
                self.data(body, hint, out)?
            }
            Expr::Half(p, first) => match &**p {
                Expr::Pair(both) => self.data(if *first { &both.0 } else { &both.1 }, hint, out)?,
                p => self.data(p, hint, out)?.half(*first).clone(),
            },
            Expr::Index(p) => {
                let index = self.atom(&p.1, out)?;
                match &p.0 {
                    Expr::Build(_, i, body) => {
                        self.bind_number(i, index, Number::Int, out);
                        self.data(body, hint, out)?
                    }
                    array => self.data(array, hint, out)?.map(&mut |view| view.at(index.clone())),
                }
            }
            code => {
                let data = self.fresh(&shape(code)?, hint, out);
                self.write(code, &data, out)?;
                data
            }
        })
    }

    fn var(&self, var: &Var) -> Lowered<Data> {
        self.scope.get(&var.number).cloned().ok_or_else(|| Refusal {
            reason: format!("its variable `{}` is bound nowhere", var.hint),
            help: "report this as a bug",
        })
    }

    /// The value of an expression that is a number.
    pub(super) fn number(&mut self, code: &Expr, out: &mut Vec<Stmt>) -> Lowered<Value> {
        Ok(match code {
            _ if !goes_on() => return Err(ended()),
            Expr::Real(x) => Value::Real(*x),
            Expr::Int(k) => Value::Int(*k),
            Expr::Size(name) => Value::Size(name.clone()),
            Expr::Truth(a) => Value::Truth(Box::new(self.number(a, out)?)),
            Expr::Prim(p, operands) => {
                let first = operands.first().map_or(Ok(Number::Int), number_of)?;
                let operands = operands.iter().map(|o| self.number(o, out)).collect::<Lowered<Vec<Value>>>()?;
                Value::Prim(*p, first, operands)
            }
            Expr::Lets(lets, body) => {
                self.lets(lets, out)?;
                self.number(body, out)?
            }
            Expr::If(p) => {
                let condition = self.number(&p.0, out)?;
                let (mut left, mut right) = (Vec::new(), Vec::new());
                let (a, b) = (self.number(&p.1, &mut left)?, self.number(&p.2, &mut right)?);
                if left.is_empty() && right.is_empty() {
                    return Ok(Value::Select(Box::new((condition, a, b))));
                }
                let slot = self.slot("choice", &Array { dims: Vec::new(), number: number_of(code)? });
                let place = View::of(&slot).place;
                left.push(Stmt::Set(place.clone(), a));
                right.push(Stmt::Set(place.clone(), b));
                out.extend([Stmt::Var(slot), Stmt::If(condition, left, right)]);
                Value::Load(place)
            }
            code => match self.data(code, "x", out)? {
                Tree::Leaf(view) => Value::Load(view.place),
                Tree::Pair(_) => Value::Int(0),
            },
        })
    }

    /// Writes the data of an expression where it belongs.
    pub(super) fn write(&mut self, code: &Expr, to: &Data, out: &mut Vec<Stmt>) -> Lowered<()> {
        match (code, to) {
            _ if !goes_on() => return Err(ended()),
            (Expr::Lets(lets, body), _) => {
                self.lets(lets, out)?;
                self.write(body, to, out)?;
            }
            (Expr::Fold(fold), _) => self.fold(fold, to, out)?,
            (_, Tree::Leaf(view)) if view.array.dims.is_empty() => {
                let value = self.number(code, out)?;
                out.push(Stmt::Set(view.place.clone(), value));
            }
            (Expr::If(p), _) => {
                let condition = self.number(&p.0, out)?;
                let (mut left, mut right) = (Vec::new(), Vec::new());
                self.write(&p.1, to, &mut left)?;
                self.write(&p.2, to, &mut right)?;
                out.push(Stmt::If(condition, left, right));
            }
            (Expr::Pair(p), Tree::Pair(both)) => {
                self.write(&p.0, &both.0, out)?;
                self.write(&p.1, &both.1, out)?;
            }
            (Expr::Build(n, index, body), _) => {
                let (cell, mut inside) = (self.cell(), Vec::new());
                let place = Place { cell, indices: Vec::new() };
                let array = Array { dims: Vec::new(), number: Number::Int };
                self.bind(index, Tree::Leaf(View { place: place.clone(), array }));
                self.write(body, &to.map(&mut |view| view.at(Value::Load(place.clone()))), &mut inside)?;
                out.push(Stmt::For(cell, index.hint.clone(), n.clone(), inside));
            }
            (Expr::Array(_, items), _) => {
                for (k, item) in (0..).zip(items) {
                    self.write(item, &to.map(&mut |view| view.at(Value::Int(k))), out)?;
                }
            }
            _ => {
                let from = self.data(code, "x", out)?;
                self.copy(&from, to, out);
            }
        }
        Ok(())
    }

    /// Copies what isn't there already.
    pub(super) fn copy(&mut self, from: &Data, to: &Data, out: &mut Vec<Stmt>) {
        match (from, to) {
            (Tree::Pair(from), Tree::Pair(to)) => {
                self.copy(&from.0, &to.0, out);
                self.copy(&from.1, &to.1, out);
            }
            (Tree::Leaf(from), Tree::Leaf(to)) if from.place != to.place => self.copy_array(from, to, out),
            _ => {}
        }
    }

    fn copy_array(&mut self, from: &View, to: &View, out: &mut Vec<Stmt>) {
        let Some(n) = to.array.dims.first().cloned() else {
            return out.push(Stmt::Set(to.place.clone(), Value::Load(from.place.clone())));
        };
        let (cell, mut inside) = (self.cell(), Vec::new());
        let index = Value::Load(Place { cell, indices: Vec::new() });
        self.copy_array(&from.at(index.clone()), &to.at(index), &mut inside);
        out.push(Stmt::For(cell, "i".into(), n, inside));
    }
}

impl View {
    pub(super) fn of(slot: &Slot) -> View {
        View { place: Place { cell: slot.cell, indices: Vec::new() }, array: slot.array.clone() }
    }

    fn at(&self, index: Value) -> View {
        let mut view = self.clone();
        view.place.indices.push(index);
        view.array.dims = view.array.dims.into_iter().skip(1).collect();
        view
    }
}

/// The arrays that an expression comes to.
fn shape(code: &Expr) -> Lowered<Tree<Array>> {
    Ok(match code {
        Expr::Var(var) => leaves(&var.ty)?,
        Expr::Real(_) => leaves(&Type::real())?,
        Expr::Int(_) | Expr::Size(_) | Expr::Truth(_) => leaves(&Type::int())?,
        Expr::Prim(p, operands) => match (p.class(), p) {
            (Class::Function, _) | (_, Prim::ToReal) => leaves(&Type::real())?,
            (Class::Arithmetic, Prim::Offset(_)) => leaves(&Type::int())?,
            (Class::Arithmetic, _) => operands.first().map_or_else(|| leaves(&Type::int()), shape)?,
            (Class::Comparison | Class::Connective | Class::Conversion, _) => leaves(&Type::int())?,
        },
        Expr::Pair(p) => Tree::Pair(Box::new((shape(&p.0)?, shape(&p.1)?))),
        Expr::Half(p, first) => shape(p)?.half(*first).clone(),
        Expr::Index(p) => shape(&p.0)?
            .map(&mut |array| Array { dims: array.dims.iter().skip(1).cloned().collect(), number: array.number }),
        Expr::Array(element, items) => under(&crate::term::Size::literal(items.len() as u64), &leaves(element)?),
        Expr::If(p) => shape(&p.1)?,
        Expr::Lets(_, body) => shape(body)?,
        Expr::Fold(fold) => leaves(&fold.acc.ty)?,
        Expr::Build(n, _, body) => under(n, &shape(body)?),
    })
}

fn number_of(code: &Expr) -> Lowered<Number> {
    Ok(match shape(code)? {
        Tree::Leaf(array) => array.number,
        Tree::Pair(_) => Number::Int,
    })
}

fn ended() -> Refusal {
    Refusal { reason: "writing it was ended".to_owned(), help: "allow it more time" }
}
