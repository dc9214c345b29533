//! Lowers expressions: numbers are computed where they stand, other data is written where it belongs.

use super::common_prefix::common;
use super::shape::{number_of, shape};
use super::{NestLowering, SlotView, SlotViews, ended};
use crate::first::{Expr, Guard, Lowered};
use crate::nest::ir::types::PairTree;
use crate::nest::ir::value::{applied, is_index};
use crate::nest::ir::{DenseArray, LoopRange, NestPlace, NestValue, ScalarKind, Stmt};
use redexter_language::ground::writing::goes_on;
use redexter_language::term::Prim;

impl NestLowering {
    /// The value of an expression that is a number.
    pub(super) fn number(&mut self, code: &Expr, out: &mut Vec<Stmt>) -> Lowered<NestValue> {
        Ok(match code {
            _ if !goes_on() => return Err(ended()),
            Expr::Real(x) => NestValue::Real(*x),
            Expr::Int(k) => NestValue::Int(*k),
            Expr::Size(name) => NestValue::Size(name.clone()),
            Expr::Truth(a) => NestValue::Truth(Box::new(self.number(a, out)?)),
            Expr::Prim(p, operands) => {
                let first = operands.first().map_or(Ok(ScalarKind::Int), number_of)?;
                let operands = operands.iter().map(|o| self.number(o, out)).collect::<Lowered<Vec<NestValue>>>()?;
                applied(*p, first, operands, self.reorders)
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
                    return Ok(NestValue::Select(Box::new((condition, a, b))));
                }
                let slot = self.slot("choice", &DenseArray { dims: Vec::new(), number: number_of(code)? });
                let place = SlotView::of(&slot).place;
                left.push(Stmt::Set(place.clone(), a));
                right.push(Stmt::Set(place.clone(), b));
                out.extend([Stmt::Var(slot), Stmt::If(condition, left, right)]);
                NestValue::Load(place)
            }
            Expr::Guard(guard) => {
                let slot = self.slot("choice", &DenseArray { dims: Vec::new(), number: number_of(code)? });
                let view = SlotView::of(&slot);
                let place = view.place.clone();
                out.push(Stmt::Var(slot));
                self.guard(guard, &PairTree::Leaf(view), out)?;
                NestValue::Load(place)
            }
            code if let Some(parts) = LiteralElement::of(code) => self.literal_element(&parts, out)?,
            code => match self.data(code, "x", out)? {
                PairTree::Leaf(view) => NestValue::Load(view.place),
                PairTree::Pair(_) => NestValue::Int(0),
            },
        })
    }

    /// The number that an array written out has at an index, chosen among those that it is made of: the array isn't made.
    fn literal_element(&mut self, parts: &LiteralElement, out: &mut Vec<Stmt>) -> Lowered<NestValue> {
        let LiteralElement { items, index, further } = parts;
        let index = self.atom(index, out)?;
        let mut number = |item: &Expr| {
            let element = further
                .iter()
                .rev()
                .fold(item.clone(), |array, index| Expr::Index(Box::new((array, (*index).clone()))));
            self.number(&element, out)
        };
        let (last, others) = items.split_last().ok_or_else(ended)?;
        let mut chosen = number(last)?;
        for (k, item) in others.iter().enumerate().rev() {
            let is_this = NestValue::Prim(Prim::Eq, ScalarKind::Int, vec![index.clone(), NestValue::Int(k as i64)]);
            chosen = NestValue::Select(Box::new((is_this, number(item)?, chosen)));
        }
        Ok(chosen)
    }

    /// Writes the data of an expression where it belongs.
    pub(super) fn write(&mut self, code: &Expr, to: &SlotViews, out: &mut Vec<Stmt>) -> Lowered<()> {
        match (code, to) {
            _ if !goes_on() => return Err(ended()),
            (Expr::Lets(lets, body), _) => {
                self.lets(lets, out)?;
                self.write(body, to, out)?;
            }
            (Expr::Fold(fold), _) => self.fold(fold, to, out)?,
            (Expr::Scan(scan), PairTree::Pair(both)) => self.scan(scan, &both.0, &both.1, out)?,
            // The half that is asked for is written where it belongs.
            (Expr::Half(p, first), _) if let Expr::Scan(scan) = &**p => {
                let other = self.fresh(shape(p)?.half(!first), &scan.fold.acc.hint, out);
                let (state, kept) = if *first { (to, &other) } else { (&other, to) };
                self.scan(scan, state, kept, out)?;
            }
            (Expr::Guard(guard), _) => self.guard(guard, to, out)?,
            (Expr::Scatter(scatter), _) => self.scatter(scatter, to, out)?,
            (_, PairTree::Leaf(view)) if view.array.dims.is_empty() => {
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
            (Expr::Pair(p), PairTree::Pair(both)) => {
                self.write(&p.0, &both.0, out)?;
                self.write(&p.1, &both.1, out)?;
            }
            (Expr::Build(n, index, body), _) => {
                let (cell, mut inside) = (self.cell(), Vec::new());
                let place = NestPlace { cell, indices: Vec::new() };
                let array = DenseArray { dims: Vec::new(), number: ScalarKind::Int };
                self.bind(index, PairTree::Leaf(SlotView { place: place.clone(), array }));
                self.write(body, &to.map(&mut |view| view.at(NestValue::Load(place.clone()))), &mut inside)?;
                out.push(Stmt::For(LoopRange::of(cell, &index.hint, n), inside));
            }
            (Expr::Array(_, items), _) => {
                for (k, item) in (0..).zip(items) {
                    self.write(item, &to.map(&mut |view| view.at(NestValue::Int(k))), out)?;
                }
            }
            _ => {
                let from = self.data(code, "x", out)?;
                self.copy(&from, to, out);
            }
        }
        Ok(())
    }

    /// Writes one of both branches: what the first one reads at its index exists only where it is taken.
    fn guard(&mut self, guard: &Guard, to: &SlotViews, out: &mut Vec<Stmt>) -> Lowered<()> {
        let number = self.atom(&guard.number, out)?;
        let (mut left, mut right) = (Vec::new(), Vec::new());
        self.bind_number(&guard.index, number.clone(), ScalarKind::Int, &mut left);
        self.write(&guard.inside, to, &mut left)?;
        self.write(&guard.other, to, &mut right)?;
        out.push(Stmt::If(is_index(&number, &guard.size), left, right));
        Ok(())
    }

    /// Copies what isn't there already.
    pub(super) fn copy(&mut self, from: &SlotViews, to: &SlotViews, out: &mut Vec<Stmt>) {
        match (from, to) {
            (PairTree::Pair(from), PairTree::Pair(to)) => {
                self.copy(&from.0, &to.0, out);
                self.copy(&from.1, &to.1, out);
            }
            (PairTree::Leaf(from), PairTree::Leaf(to)) if from.place != to.place => self.copy_array(from, to, out),
            _ => {}
        }
    }

    fn copy_array(&mut self, from: &SlotView, to: &SlotView, out: &mut Vec<Stmt>) {
        self.each_number(to, Vec::new(), &|_, indices| NestValue::Load(from.place.at(indices)), out);
    }

    /// Sets each number of an array, or a single number, to what is computed of its place and of the indices in the array.
    pub(super) fn each_number(
        &mut self,
        to: &SlotView,
        mut indices: Vec<NestValue>,
        value: &dyn Fn(&NestPlace, &[NestValue]) -> NestValue,
        out: &mut Vec<Stmt>,
    ) {
        let Some(n) = to.array.dims.first().cloned() else {
            return out.push(Stmt::Set(to.place.clone(), value(&to.place, &indices)));
        };
        let (cell, mut inside) = (self.cell(), Vec::new());
        let index = NestValue::Load(NestPlace { cell, indices: Vec::new() });
        indices.push(index.clone());
        self.each_number(&to.at(index), indices, value, &mut inside);
        out.push(Stmt::For(LoopRange::of(cell, &"i".into(), &n), inside));
    }
}

/// `[a, b, …][index]…[further]`, of elements that stand somewhere already.
struct LiteralElement<'a> {
    items: &'a [Expr],
    index: &'a Expr,
    /// The indices in the element, the last one first.
    further: Vec<&'a Expr>,
}

impl<'a> LiteralElement<'a> {
    fn of(mut code: &'a Expr) -> Option<LiteralElement<'a>> {
        let mut further = Vec::new();
        loop {
            let Expr::Index(p) = code else { return None };
            let (array, index) = (&p.0, &p.1);
            match array {
                // An empty array has no index: whoever asks for its element never comes there.
                Expr::Array(_, items) if !items.is_empty() && items.iter().all(is_known) => {
                    return Some(LiteralElement { items, index, further });
                }
                _ if !is_known(index) => return None,
                _ => further.push(index),
            }
            code = array;
        }
    }
}

/// Whether it stands somewhere already, so that it can be asked for as often as one likes.
fn is_known(code: &Expr) -> bool {
    match code {
        Expr::Var(_) | Expr::Real(_) | Expr::Int(_) | Expr::Size(_) => true,
        Expr::Index(p) => is_known(&p.0) && is_known(&p.1),
        Expr::Half(p, _) => is_known(p),
        _ => false,
    }
}
