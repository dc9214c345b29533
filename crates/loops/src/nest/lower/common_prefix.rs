//! Hoists what both branches of a conditional begin with: it is done once, before it.

use rustc_hash::FxHashMap;

use crate::nest::ir::value::{load, replace, replace_at};
use crate::nest::ir::walk::moved;
use crate::nest::ir::{NestSlot, NestValue, Stmt};

/// What is declared in the first branch for each name of the second.
type BranchRenaming = FxHashMap<u32, NestValue>;

/// Takes the statements with which both branches begin out of them: they are done in any case. The second branch, and its value,
/// go on with what the first has declared.
pub(super) fn common(left: &mut Vec<Stmt>, right: &mut Vec<Stmt>, value: &mut NestValue) -> Vec<Stmt> {
    let (mut names, mut count) = (BranchRenaming::default(), 0);
    for (a, b) in left.iter().zip(&*right) {
        // A pair that turns out to differ may have added names: they must be forgotten.
        let mut more = names.clone();
        if !are_same(a, b, &mut more) {
            break;
        }
        (names, count) = (more, count + 1);
    }
    if count == 0 {
        return Vec::new();
    }
    right.drain(..count);
    let place = |place| replace_at(&place, &names);
    *right = moved(std::mem::take(right), &|own| replace(own, &names), &place);
    *value = replace(value, &names);
    left.drain(..count).collect()
}

fn are_same(a: &Stmt, b: &Stmt, names: &mut BranchRenaming) -> bool {
    match (a, b) {
        (Stmt::Let(a, x), Stmt::Let(b, y)) => *x == replace(y, names) && declares(a, b, names),
        (Stmt::Var(a), Stmt::Var(b)) => declares(a, b, names),
        (Stmt::Set(a, x), Stmt::Set(b, y)) => *a == replace_at(b, names) && *x == replace(y, names),
        (Stmt::For(a, inside), Stmt::For(b, other)) => {
            // The bounds stand outside of the index's scope, so that they are read before it is named.
            let bounds = (replace(&b.from, names), replace(&b.to, names));
            names.insert(b.cell, load(a.cell));
            (&a.from, &a.to) == (&bounds.0, &bounds.1)
                && inside.len() == other.len()
                && inside.iter().zip(other).all(|(a, b)| are_same(a, b, names))
        }
        _ => false,
    }
}

fn declares(a: &NestSlot, b: &NestSlot, names: &mut BranchRenaming) -> bool {
    names.insert(b.cell, load(a.cell));
    a.array.number == b.array.number
}
