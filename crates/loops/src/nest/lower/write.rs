//! Lowers expressions: numbers are computed where they stand, other data is written where it belongs.

use super::common_prefix::common;
use super::shape::number_of;
use super::{Data, Lower, View, ended};
use crate::first::{Expr, Lowered};
use crate::nest::ir::types::Tree;
use crate::nest::ir::{Array, Number, Place, Range, Stmt, Value};
use redexter_language::ground::writing::goes_on;

impl Lower {
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
                let (a, mut b) = (self.number(&p.1, &mut left)?, self.number(&p.2, &mut right)?);
                // What both need is taken out first, so that fewer choices become branches.
                out.extend(common(&mut left, &mut right, &mut b));
                // A choice holds values alone: statements have to be done in their own branch, since they may be a loop that the
                // other side doesn't need.
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
                out.push(Stmt::For(Range::of(cell, &index.hint, n), inside));
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
        out.push(Stmt::For(Range::of(cell, &"i".into(), &n), inside));
    }
}
