//! Hashes the terms of a derivation: each gets a number, worked out from what steps change and not from whole terms.
//!
//! The hash of a term is linear in those of its children, `h(t) = own(t) + Σ_k W(k) h(kid k)`, with a matrix for each
//! number of a child: so where a subterm is replaced, the whole's changes by the difference of the subterm's, times the
//! matrices on its path. Matrices, since those don't commute: a subterm counts another number at each path. The fingerprint that
//! a term has (`term::fingerprint`) is keyed and can't be linear: after a step, all terms above the redex would have to be made
//! to have theirs.

use rustc_hash::FxHashMap;

use crate::strategy::Step;
use redexter_language::term::{Kind, Term};

/// The hash of a term: different ones are different terms, and equal ones, but for one chance in 2^64 and more, equal terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TermHash([u64; 2]);

type HashMatrix = [[u64; 2]; 2];

/// The hashes of subterms that were met.
#[derive(Default)]
pub(super) struct TermHashes(FxHashMap<Term, TermHash>);

impl TermHashes {
    pub(super) fn of(&mut self, term: &Term) -> TermHash {
        if let Some(known) = self.0.get(term) {
            return *known;
        }
        let mut hash = TermHash(own(term));
        for k in 0..term.kid_count() {
            hash = hash.plus(times(&weight(k as u32), self.of(&term.kid(k))));
        }
        self.0.insert(term.clone(), hash);
        hash
    }

    /// The hash of the whole term after a step, from the one before.
    pub(super) fn after(&mut self, step: &Step, before: TermHash) -> TermHash {
        let [then, now] = [&step.redex, &step.contractum].map(|term| self.of(term));
        let change = now.plus(TermHash(then.0.map(u64::wrapping_neg)));
        // From the redex up, because matrices don't commute: that of the root stands outermost.
        before.plus(step.path().0.iter().rev().fold(change, |change, kid| times(&weight(*kid), change)))
    }
}

impl TermHash {
    fn plus(self, other: TermHash) -> TermHash {
        TermHash([0, 1].map(|k| self.0[k].wrapping_add(other.0[k])))
    }
}

fn times(matrix: &HashMatrix, hash: TermHash) -> TermHash {
    TermHash([0, 1].map(|k| matrix[k][0].wrapping_mul(hash.0[0]).wrapping_add(matrix[k][1].wrapping_mul(hash.0[1]))))
}

/// Odd on the diagonal and even beside it, so that no difference is lost.
fn weight(kid: u32) -> HashMatrix {
    let number = |k: u64| mixed(u64::from(kid) << 2 | k) << 1;
    [[number(0) | 1, number(1)], [number(2), number(3) | 1]]
}

/// What a term is besides its children: constructor, type, constant, variable.
fn own(term: &Term) -> [u64; 2] {
    let of = match term.kind() {
        Kind::Var => term.ty().fingerprint() ^ u128::from(mixed(1 + u64::from(term.places()[0]))),
        _ if term.kid_count() == 0 => term.fingerprint(),
        _ => term.ty().fingerprint() ^ u128::from(mixed(!(term.number() as u64))) << 64,
    };
    [mixed(of as u64 ^ mixed((of >> 64) as u64)), mixed((of >> 64) as u64 ^ mixed(!(of as u64)))]
}

/// A bijection that spreads a number's bits.
fn mixed(x: u64) -> u64 {
    let x = (x ^ x >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^ x >> 32
}
