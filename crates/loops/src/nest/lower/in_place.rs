//! Decides which arrays of an accumulator a step may change in place: those of which it reads an element only where it computes
//! this very element, and nothing else of them.

use crate::first::{Expr, Fold, Var};
use redexter_language::term::TypeView;

/// An array of the accumulator: the halves of the accumulator that lead to it, and how many indices lead to its numbers.
struct AccumulatedArray<'a> {
    acc: u32,
    halves: &'a [bool],
    dims: usize,
}

/// Whether a step may change the array with so many dimensions in place; `halves` lead to it in the step's value, all but the
/// `outer` first of them in the accumulator. Arrays of pairs that it reads may not be.
pub(super) fn stays(fold: &Fold, halves: &[bool], outer: usize, dims: usize) -> bool {
    let own = &halves[outer..];
    AccumulatedArray { acc: fold.acc.number, halves: own, dims }.written(&fold.body, halves, &mut Vec::new())
}

impl AccumulatedArray<'_> {
    /// Whether `code`, whose value is written where `halves` and then `indices` lead, may be written there at once.
    fn written(&self, code: &Expr, halves: &[bool], indices: &mut Vec<u32>) -> bool {
        // Only with all indices is it one number that is read: with fewer it may be one that was written before.
        let known: &[u32] = if indices.len() == self.dims { indices } else { &[] };
        match (code, halves) {
            _ if halves.is_empty() && self.is_element(code, indices) => true,
            (Expr::Lets(lets, body), _) => {
                // Before anything is written a number may be computed of all of it.
                let free = |var: &Var| indices.is_empty() && matches!(var.ty.view(), TypeView::Real | TypeView::Int);
                lets.iter().all(|(var, value)| free(var) || self.spared(value, known))
                    && self.written(body, halves, indices)
            }
            (Expr::If(p), _) => {
                // Outside of all builds the condition is asked before anything is written.
                (indices.is_empty() || self.spared(&p.0, known))
                    && self.written(&p.1, halves, indices)
                    && self.written(&p.2, halves, indices)
            }
            (Expr::Guard(guard), _) => {
                (indices.is_empty() || self.spared(&guard.number, known))
                    && self.written(&guard.inside, halves, indices)
                    && self.written(&guard.other, halves, indices)
            }
            (Expr::Pair(p), [half, rest @ ..]) => {
                let (own, other) = if *half { (&p.0, &p.1) } else { (&p.1, &p.0) };
                // The other half is written before or behind this one, so that it may read nothing of the array.
                self.spared(other, &[]) && self.written(own, rest, indices)
            }
            (Expr::Build(_, index, body), []) => {
                indices.push(index.number);
                let stays = self.written(body, halves, indices);
                indices.pop();
                stays
            }
            _ => self.spared(code, known),
        }
    }

    /// Whether `code` is the element at these indices, or, without any, the whole leaf.
    fn is_element(&self, code: &Expr, indices: &[u32]) -> bool {
        let mut here = code;
        for index in indices.iter().rev() {
            match here {
                Expr::Index(p) if matches!(&p.1, Expr::Var(var) if var.number == *index) => here = &p.0,
                _ => return false,
            }
        }
        for half in self.halves.iter().rev() {
            match here {
                Expr::Half(p, own) if own == half => here = p,
                _ => return false,
            }
        }
        matches!(here, Expr::Var(var) if var.number == self.acc)
    }

    /// Whether `code` is another leaf, or leads only there.
    fn is_other(&self, code: &Expr) -> bool {
        let (mut here, mut path) = (code, Vec::new());
        while let Expr::Half(p, half) = here {
            path.push(*half);
            here = p;
        }
        path.reverse();
        let apart = path.iter().zip(self.halves).any(|(a, b)| a != b);
        apart && matches!(here, Expr::Var(var) if var.number == self.acc)
    }

    /// Whether of the leaf nothing is read but, where there are `indices`, its number there.
    fn spared(&self, code: &Expr, indices: &[u32]) -> bool {
        if (!indices.is_empty() && self.is_element(code, indices)) || self.is_other(code) {
            return true;
        }
        let mut spared = !matches!(code, Expr::Var(var) if var.number == self.acc);
        code.each(&mut |part| spared = spared && self.spared(part, indices));
        spared
    }
}
