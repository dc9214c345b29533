//! Lowers `ifold`, `scan` and `scatter` to loops whose accumulator is where the result belongs.

use super::in_place::stays;
use super::{NestLowering, SlotView, SlotViews};
use crate::first::{Expr, Fold, Lowered, Scan, Scatter};
use crate::nest::ir::types::{PairTree, leaves};
use crate::nest::ir::value::{applied, is_index, load};
use crate::nest::ir::{DenseArray, LoopRange, NestPlace, NestValue, ScalarKind, Stmt};
use redexter_language::term::Prim;

impl NestLowering {
    /// Arrays of the accumulator are those of the destination; numbers are variables until the loop has ended.
    pub(super) fn fold(&mut self, fold: &Fold, to: &SlotViews, out: &mut Vec<Stmt>) -> Lowered<()> {
        self.rounds(fold, None, to, out)
    }

    /// The same, and what each step gives besides the next state is written at its index.
    pub(super) fn scan(
        &mut self,
        scan: &Scan,
        state: &SlotViews,
        kept: &SlotViews,
        out: &mut Vec<Stmt>,
    ) -> Lowered<()> {
        self.rounds(&scan.fold, Some((scan.is_reversed, kept)), state, out)
    }

    fn rounds(
        &mut self,
        fold: &Fold,
        kept: Option<(bool, &SlotViews)>,
        to: &SlotViews,
        out: &mut Vec<Stmt>,
    ) -> Lowered<()> {
        let numbers = self.fresh(&numbers(&leaves(&fold.acc.ty)?), &fold.acc.hint, out);
        let acc = meet(&numbers, to);
        self.write(&fold.init, &acc, out)?;
        let (cell, mut inside) = (self.cell(), Vec::new());
        self.bind(&fold.acc, acc.clone());
        let round = load(cell);
        match kept {
            Some((true, _)) => {
                let minus = |a, b| NestValue::Prim(Prim::Sub, ScalarKind::Int, vec![a, b]);
                let index = minus(minus(NestValue::of(&fold.size), NestValue::Int(1)), round.clone());
                self.bind_number(&fold.index, index, ScalarKind::Int, &mut inside);
            }
            _ => {
                let array = DenseArray { dims: Vec::new(), number: ScalarKind::Int };
                let view = SlotView { place: NestPlace { cell, indices: Vec::new() }, array };
                self.bind(&fold.index, PairTree::Leaf(view));
            }
        }
        // In a scan's step the state stands in the first half.
        let mut path = if kept.is_some() { vec![true] } else { Vec::new() };
        let next = self.next(fold, &acc, (&mut path, usize::from(kept.is_some())), &mut inside);
        match kept {
            None => self.write(&fold.body, &next, &mut inside)?,
            Some((_, kept)) => {
                let index = self.number(&Expr::Var(fold.index.clone()), &mut inside)?;
                let element = kept.map(&mut |view| view.at(index.clone()));
                self.write(&fold.body, &PairTree::Pair(Box::new((next.clone(), element))), &mut inside)?;
            }
        }
        self.copy(&next, &acc, &mut inside);
        out.push(Stmt::For(LoopRange::of(cell, &fold.index.hint, &fold.size), inside));
        self.copy(&acc, to, out);
        Ok(())
    }

    /// Where a step writes: in place what it reads only where it writes, elsewhere the rest. The accumulator stands in the step's
    /// value behind the `outer` first halves of the path.
    fn next(
        &mut self,
        fold: &Fold,
        acc: &SlotViews,
        (path, outer): (&mut Vec<bool>, usize),
        out: &mut Vec<Stmt>,
    ) -> SlotViews {
        match acc {
            PairTree::Pair(p) => {
                path.push(true);
                let first = self.next(fold, &p.0, (path, outer), out);
                path.pop();
                path.push(false);
                let second = self.next(fold, &p.1, (path, outer), out);
                path.pop();
                PairTree::Pair(Box::new((first, second)))
            }
            PairTree::Leaf(view) => {
                // A single number is set when its next value is known. One in a pair is still read for the other parts, so that
                // its next value has to wait elsewhere.
                let single = path.is_empty() && view.array.dims.is_empty();
                if single || (!view.array.dims.is_empty() && stays(fold, path, outer, view.array.dims.len())) {
                    return acc.clone();
                }
                self.fresh(&PairTree::Leaf(view.array.clone()), &fold.acc.hint, out)
            }
        }
    }
}

impl NestLowering {
    /// Zeros where the result belongs, and a loop that adds there what each step gives, where it says.
    pub(super) fn scatter(&mut self, scatter: &Scatter, to: &SlotViews, out: &mut Vec<Stmt>) -> Lowered<()> {
        self.zeros(to, out);
        let (cell, mut inside, mut adding) = (self.cell(), Vec::new(), Vec::new());
        let array = DenseArray { dims: Vec::new(), number: ScalarKind::Int };
        let view = SlotView { place: NestPlace { cell, indices: Vec::new() }, array };
        self.bind(&scatter.index, PairTree::Leaf(view));
        let mut entry = &scatter.entry;
        while let Expr::Lets(lets, body) = entry {
            self.lets(lets, &mut inside)?;
            entry = body;
        }
        let (place, value) = match entry {
            Expr::Pair(both) => {
                let place = self.atom(&both.0, &mut inside)?;
                (place, self.data(&both.1, "x", &mut adding)?)
            }
            entry => match self.data(entry, "x", &mut inside)? {
                PairTree::Pair(both) => match both.0 {
                    PairTree::Leaf(place) => (NestValue::Load(place.place), both.1),
                    PairTree::Pair(_) => return Ok(()),
                },
                PairTree::Leaf(_) => return Ok(()),
            },
        };
        self.add(&value, &to.map(&mut |view| view.at(place.clone())), &mut adding);
        inside.push(Stmt::If(is_index(&place, &scatter.places), adding, Vec::new()));
        out.push(Stmt::For(LoopRange::of(cell, &scatter.index.hint, &scatter.rounds), inside));
        Ok(())
    }

    fn zeros(&mut self, to: &SlotViews, out: &mut Vec<Stmt>) {
        for leaf in to.leaves() {
            self.each_number(leaf, Vec::new(), &|_, _| NestValue::Real(0.0), out);
        }
    }

    fn add(&mut self, from: &SlotViews, to: &SlotViews, out: &mut Vec<Stmt>) {
        for (from, to) in from.leaves().into_iter().zip(to.leaves()) {
            let reorders = self.reorders;
            let sum = |to: &NestPlace, indices: &[NestValue]| {
                let more = NestValue::Load(from.place.at(indices));
                applied(Prim::Add, ScalarKind::Real, vec![NestValue::Load(to.clone()), more], reorders)
            };
            self.each_number(to, Vec::new(), &sum, out);
        }
    }
}

/// The numbers of a shape; in the place of arrays stands a number that isn't used.
fn numbers(shape: &PairTree<DenseArray>) -> PairTree<DenseArray> {
    shape.map(&mut |array| DenseArray { dims: Vec::new(), number: array.number })
}

/// Numbers from the one, arrays from the other.
fn meet(numbers: &SlotViews, arrays: &SlotViews) -> SlotViews {
    match (numbers, arrays) {
        (PairTree::Pair(a), PairTree::Pair(b)) => PairTree::Pair(Box::new((meet(&a.0, &b.0), meet(&a.1, &b.1)))),
        (PairTree::Leaf(_), PairTree::Leaf(array)) if !array.array.dims.is_empty() => arrays.clone(),
        _ => numbers.clone(),
    }
}
