//! Computes a linear fingerprint of a term's skeleton, and keeps a memory cell in each node: what an engine needs to know in
//! one step whether it has been here before.

use super::kind::{Head, Kind};
use super::node::Node;

/// The factor by which a number is multiplied before it is folded: 2^64 / φ, odd.
pub(super) const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Node {
    /// A number for the skeleton: constructors, primitives and constants with their places; which variables stand
    /// where, names, sizes and types don't count. Equal terms have equal shapes.
    ///
    /// `shape(t) = own(t) + Σ_k weight(k) * shape(kid k)`, modulo 2^64. So where a subterm is replaced, the whole's shape
    /// changes by the difference of the subterm's shapes times the [weights](Kind::weight) on its path: whether a whole
    /// term can be one that was there before shows without walking up to its root.
    pub fn shape(&self) -> u64 {
        self.shape
    }

    /// What [`Node::set_mark`] left in this node; 0 if nothing was.
    pub fn mark(&self) -> u64 {
        self.mark.get()
    }

    /// Leaves a note in the node. Everybody sees it who holds the node, in whatever scope; it is no part of the term's
    /// identity and doesn't go over to equal terms that are other objects.
    pub fn set_mark(&self, mark: u64) {
        self.mark.set(mark);
    }

    /// What [`Node::set_signature`] left in this node; 0 if nothing was.
    pub fn signature(&self) -> u64 {
        self.signature.get()
    }

    /// Leaves in the node what is to be known of the place that a part of its mark is about.
    pub fn set_signature(&self, signature: u64) {
        self.signature.set(signature);
    }
}

impl Kind {
    /// What the shape of child `k` counts in the shape of the whole; odd, so that no difference is lost.
    pub fn weight(&self, k: usize) -> u64 {
        weight(self.head().number() as u8, k)
    }

    /// The shape of a node with this constructor, whose number is given, and whose first two children have these shapes.
    #[inline(always)]
    pub(super) fn shape_around(&self, number: usize, kids: &[u64]) -> u64 {
        let constant = self.constant();
        let Some(known) = NUMBERS.get(number) else { return constant };
        let kids = kids.iter().zip(&known.weights).map(|(shape, weight)| shape.wrapping_mul(*weight));
        kids.fold(known.own.wrapping_add(constant), u64::wrapping_add)
    }
}

/// Numbers of a constructor, from which the shapes of its nodes are computed.
struct ShapeNumbers {
    own: u64,
    weights: [u64; 2],
}

/// The numbers of each constructor.
static NUMBERS: [ShapeNumbers; Head::COUNT] = {
    let mut all = [const { ShapeNumbers { own: 0, weights: [0; 2] } }; _];
    let mut number = 0;
    while number < all.len() {
        all[number] =
            ShapeNumbers { own: mixed(!(number as u64)), weights: [made_weight(number, 0), made_weight(number, 1)] };
        number += 1;
    }
    all
};

/// The shape of a node with two children of these shapes whose constructor, with this number, holds no constant.
#[inline(always)]
pub(super) fn shape_of_two(number: usize, a: u64, b: u64) -> u64 {
    let ShapeNumbers { own, weights } = &NUMBERS[number];
    own.wrapping_add(weights[0].wrapping_mul(a)).wrapping_add(weights[1].wrapping_mul(b))
}

/// What the shape of child `k` counts for a constructor with this number.
#[inline]
pub(super) fn weight(number: u8, k: usize) -> u64 {
    match NUMBERS.get(usize::from(number)).and_then(|known| known.weights.get(k)) {
        Some(weight) => *weight,
        None => made_weight(usize::from(number), k),
    }
}

const fn made_weight(number: usize, k: usize) -> u64 {
    mixed((number as u64) << 32 | k as u64) | 1
}

/// A bijection that spreads a number's bits.
pub(super) const fn mixed(x: u64) -> u64 {
    let x = (x ^ x >> 32).wrapping_mul(GOLDEN);
    let x = (x ^ x >> 29).wrapping_mul(GOLDEN);
    x ^ x >> 32
}
