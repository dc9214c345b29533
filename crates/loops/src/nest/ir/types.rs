//! Takes types apart: each array of numbers in a type of data, and which of them hold indices.

use super::{DenseArray, ScalarKind};
use crate::first::{Lowered, Refusal};
use redexter_language::term::{Size, Type, TypeView};

/// What has the shape of a type's pairs, those in arrays among them.
#[derive(Clone, Debug)]
pub enum PairTree<T> {
    /// No pair.
    Leaf(T),
    /// Of both halves.
    Pair(Box<(PairTree<T>, PairTree<T>)>),
}

impl<T> PairTree<T> {
    pub(in crate::nest) fn map<U>(&self, each: &mut impl FnMut(&T) -> U) -> PairTree<U> {
        match self {
            PairTree::Leaf(leaf) => PairTree::Leaf(each(leaf)),
            PairTree::Pair(p) => PairTree::Pair(Box::new((p.0.map(each), p.1.map(each)))),
        }
    }

    /// The leaves, from left to right.
    pub fn leaves(&self) -> Vec<&T> {
        match self {
            PairTree::Leaf(leaf) => vec![leaf],
            PairTree::Pair(p) => [p.0.leaves(), p.1.leaves()].concat(),
        }
    }

    /// The first half or the second; of what is no pair, itself.
    pub(in crate::nest) fn half(&self, first: bool) -> &PairTree<T> {
        match self {
            PairTree::Leaf(_) => self,
            PairTree::Pair(p) => {
                if first {
                    &p.0
                } else {
                    &p.1
                }
            }
        }
    }
}

/// The arrays that values of a type come to, numbers being arrays without dimensions.
pub fn leaves(ty: &Type) -> Lowered<PairTree<DenseArray>> {
    Ok(match ty.view() {
        TypeView::Real => PairTree::Leaf(DenseArray { dims: Vec::new(), number: ScalarKind::Real }),
        TypeView::Int | TypeView::Fin(_) => PairTree::Leaf(DenseArray { dims: Vec::new(), number: ScalarKind::Int }),
        TypeView::Array(n, a) => under(n, &leaves(a)?),
        TypeView::Pair(a, b) => PairTree::Pair(Box::new((leaves(a)?, leaves(b)?))),
        TypeView::Fun(..) => return Err(open(format!("a function of type `{ty}` is left in it"))),
        TypeView::Var(_) | TypeView::Unknown(_) => return Err(open(format!("the type `{ty}` is left open"))),
    })
}

/// Below which size the integers of each array of a type are, where they are indices.
pub(in crate::nest) fn index_ranges(ty: &Type) -> Vec<Option<Size>> {
    match ty.view() {
        TypeView::Fin(n) => vec![Some(n.clone())],
        TypeView::Array(_, a) => index_ranges(a),
        TypeView::Pair(a, b) => [index_ranges(a), index_ranges(b)].concat(),
        _ => vec![None],
    }
}

/// `n` of these, one beside the other.
pub(in crate::nest) fn under(n: &Size, inner: &PairTree<DenseArray>) -> PairTree<DenseArray> {
    inner.map(&mut |array| {
        let dims = std::iter::once(n.clone()).chain(array.dims.iter().cloned()).collect();
        DenseArray { dims, number: array.number }
    })
}

fn open(reason: String) -> Refusal {
    Refusal { reason, help: "export a definition that uses it at one type of data" }
}
