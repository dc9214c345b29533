//! Lowers `ifold` to a loop whose accumulator is where the result belongs.

use super::in_place::stays;
use super::{NestLowering, SlotView, SlotViews};
use crate::first::{Fold, Lowered};
use crate::nest::ir::types::{PairTree, leaves};
use crate::nest::ir::{DenseArray, LoopRange, NestPlace, ScalarKind, Stmt};

impl NestLowering {
    /// Arrays of the accumulator are those of the destination; numbers are variables until the loop has ended.
    pub(super) fn fold(&mut self, fold: &Fold, to: &SlotViews, out: &mut Vec<Stmt>) -> Lowered<()> {
        let numbers = self.fresh(&numbers(&leaves(&fold.acc.ty)?), &fold.acc.hint, out);
        let acc = meet(&numbers, to);
        self.write(&fold.init, &acc, out)?;
        let (cell, mut inside) = (self.cell(), Vec::new());
        self.bind(&fold.acc, acc.clone());
        let array = DenseArray { dims: Vec::new(), number: ScalarKind::Int };
        self.bind(&fold.index, PairTree::Leaf(SlotView { place: NestPlace { cell, indices: Vec::new() }, array }));
        let next = self.next(fold, &acc, &mut Vec::new(), &mut inside);
        self.write(&fold.body, &next, &mut inside)?;
        self.copy(&next, &acc, &mut inside);
        out.push(Stmt::For(LoopRange::of(cell, &fold.index.hint, &fold.size), inside));
        self.copy(&acc, to, out);
        Ok(())
    }

    /// Where a step writes: in place what it reads only where it writes, elsewhere the rest.
    fn next(&mut self, fold: &Fold, acc: &SlotViews, path: &mut Vec<bool>, out: &mut Vec<Stmt>) -> SlotViews {
        match acc {
            PairTree::Pair(p) => {
                path.push(true);
                let first = self.next(fold, &p.0, path, out);
                path.pop();
                path.push(false);
                let second = self.next(fold, &p.1, path, out);
                path.pop();
                PairTree::Pair(Box::new((first, second)))
            }
            PairTree::Leaf(view) => {
                // A single number is set when its next value is known. One in a pair is still read for the other parts, so that
                // its next value has to wait elsewhere.
                let single = path.is_empty() && view.array.dims.is_empty();
                if single || (!view.array.dims.is_empty() && stays(fold, path, view.array.dims.len())) {
                    return acc.clone();
                }
                self.fresh(&PairTree::Leaf(view.array.clone()), &fold.acc.hint, out)
            }
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
