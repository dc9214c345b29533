//! A linear fingerprint of a term's skeleton, and a memory cell in each node: what an engine needs to know in one step
//! whether it has been here before.

use super::node::{Kind, Term};

/// What a number is multiplied with before it is folded: 2^64 / φ, odd.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

impl Term {
    /// A number for the skeleton: constructors, primitives and constants with their places; which variables stand
    /// where, names, sizes and types don't count. Equal terms have equal shapes.
    ///
    /// `shape(t) = own(t) + Σ_k weight(k) * shape(kid k)`, modulo 2^64. So where a subterm is replaced, the whole's shape
    /// changes by the difference of the subterm's shapes times the [weights](Kind::weight) on its path: whether a whole
    /// term can be one that was there before shows without walking up to its root.
    pub fn shape(&self) -> u64 {
        self.node.shape
    }

    /// What [`Term::set_mark`] left in this node; 0 if nothing was.
    pub fn mark(&self) -> u64 {
        self.node.mark.get()
    }

    /// Leaves a note in the node. Everybody sees it who holds the node, in whatever scope; it is no part of the term's
    /// identity and doesn't go over to equal terms that are other objects.
    pub fn set_mark(&self, mark: u64) {
        self.node.mark.set(mark);
    }
}

impl Kind {
    /// What the shape of child `k` counts in the shape of the whole; odd, so that no difference is lost.
    pub fn weight(&self, k: usize) -> u64 {
        mixed(self.number() << 32 | k as u64) | 1
    }

    /// What a node adds to its shape besides its children.
    pub(super) fn own_shape(&self) -> u64 {
        let constant = match self {
            Kind::Real(x) => mixed(x.to_bits()),
            Kind::Int(x) => mixed(*x as u64),
            Kind::Fin(c, _) => mixed(*c),
            Kind::Prim(super::Prim::Offset(c)) => mixed(*c),
            _ => 0,
        };
        mixed(!self.number()).wrapping_add(constant)
    }

    /// A number for the constructor, the primitive included.
    fn number(&self) -> u64 {
        match self {
            Kind::Var => 1,
            Kind::Lam(..) => 2,
            Kind::App => 3,
            Kind::Let(_) => 4,
            Kind::If => 5,
            Kind::Ifold(_) => 6,
            Kind::Build(_) => 7,
            Kind::Array(_) => 8,
            Kind::Get => 9,
            Kind::Pair => 10,
            Kind::Fst => 11,
            Kind::Snd => 12,
            Kind::Real(_) => 13,
            Kind::Int(_) => 14,
            Kind::Fin(..) => 15,
            Kind::SizeVar(_) => 16,
            Kind::Prim(p) => 17 + p.number(),
        }
    }
}

/// A bijection that spreads a number's bits.
fn mixed(x: u64) -> u64 {
    let x = (x ^ x >> 32).wrapping_mul(GOLDEN);
    let x = (x ^ x >> 29).wrapping_mul(GOLDEN);
    x ^ x >> 32
}
