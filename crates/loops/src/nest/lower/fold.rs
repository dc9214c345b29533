//! Lowers `ifold` to a loop whose accumulator is where the result belongs.

use super::in_place::stays;
use super::{Data, Lower, View};
use crate::first::{Fold, Lowered};
use crate::nest::ir::types::{Tree, leaves};
use crate::nest::ir::{Array, Number, Place, Range, Stmt};

impl Lower {
    /// Arrays of the accumulator are those of the destination; numbers are variables until the loop has ended.
    pub(super) fn fold(&mut self, fold: &Fold, to: &Data, out: &mut Vec<Stmt>) -> Lowered<()> {
        let numbers = self.fresh(&numbers(&leaves(&fold.acc.ty)?), &fold.acc.hint, out);
        let acc = meet(&numbers, to);
        self.write(&fold.init, &acc, out)?;
        let (cell, mut inside) = (self.cell(), Vec::new());
        self.bind(&fold.acc, acc.clone());
        let array = Array { dims: Vec::new(), number: Number::Int };
        self.bind(&fold.index, Tree::Leaf(View { place: Place { cell, indices: Vec::new() }, array }));
        let next = self.next(fold, &acc, &mut Vec::new(), &mut inside);
        self.write(&fold.body, &next, &mut inside)?;
        self.copy(&next, &acc, &mut inside);
        out.push(Stmt::For(Range::of(cell, &fold.index.hint, &fold.size), inside));
        self.copy(&acc, to, out);
        Ok(())
    }

    /// Where a step writes: in place what it reads only where it writes, elsewhere the rest.
    fn next(&mut self, fold: &Fold, acc: &Data, path: &mut Vec<bool>, out: &mut Vec<Stmt>) -> Data {
        match acc {
            Tree::Pair(p) => {
                path.push(true);
                let first = self.next(fold, &p.0, path, out);
                path.pop();
                path.push(false);
                let second = self.next(fold, &p.1, path, out);
                path.pop();
                Tree::Pair(Box::new((first, second)))
            }
            Tree::Leaf(view) => {
                // A single number is set when its next value is known. One in a pair is still read for the other parts, so that
                // its next value has to wait elsewhere.
                let single = path.is_empty() && view.array.dims.is_empty();
                if single || (!view.array.dims.is_empty() && stays(fold, path, view.array.dims.len())) {
                    return acc.clone();
                }
                self.fresh(&Tree::Leaf(view.array.clone()), &fold.acc.hint, out)
            }
        }
    }
}

/// The numbers of a shape; in the place of arrays stands a number that isn't used.
fn numbers(shape: &Tree<Array>) -> Tree<Array> {
    shape.map(&mut |array| Array { dims: Vec::new(), number: array.number })
}

/// Numbers from the one, arrays from the other.
fn meet(numbers: &Data, arrays: &Data) -> Data {
    match (numbers, arrays) {
        (Tree::Pair(a), Tree::Pair(b)) => Tree::Pair(Box::new((meet(&a.0, &b.0), meet(&a.1, &b.1)))),
        (Tree::Leaf(_), Tree::Leaf(array)) if !array.array.dims.is_empty() => arrays.clone(),
        _ => numbers.clone(),
    }
}
