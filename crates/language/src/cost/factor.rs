//! Defines the factors of products of work: sizes, and, where a formula would have too many products, sums that stay whole.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Poly;
use crate::ground::Name;
use crate::term::FingerprintHasher;

/// The most products that a formula of work has: where there would be more, its sums of sizes stay factors.
pub const MAX_PRODUCTS: usize = 400;

/// What a call of a function takes that comes from outside, as a size: no size has such a name.
pub const CALL: &str = "‹call›";

/// A factor that is a sum of more products is told by their number.
const MAX_READABLE_PRODUCTS: usize = 8;

/// A factor of a product of work.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WorkFactor {
    /// A size.
    Size(Name),
    /// A sum that isn't multiplied out.
    Sum(SumFactor),
    /// What isn't known.
    Unknown,
}

/// A sum of products that is one factor. Sums may have sums in them, and share them.
#[derive(Clone)]
pub struct SumFactor(Rc<SumFactorData>);

struct SumFactorData {
    poly: Poly,
    fingerprint: u128,
    /// How deep sums are in sums; 1 for one of sizes alone.
    depth: u32,
}

impl SumFactor {
    /// A sum as a factor.
    pub fn new(poly: Poly) -> SumFactor {
        let mut mix = FingerprintHasher::new();
        let mut depth = 1;
        for (product, coefficient) in poly.iter() {
            mix.wide(coefficient);
            mix.word(product.len() as u64);
            for (factor, power) in product {
                mix.word(u64::from(*power));
                match factor {
                    WorkFactor::Size(name) => mix.text(name.as_str()),
                    WorkFactor::Sum(inner) => {
                        mix.wide(inner.0.fingerprint);
                        depth = depth.max(inner.0.depth + 1);
                    }
                    WorkFactor::Unknown => {}
                }
            }
        }
        SumFactor(Rc::new(SumFactorData { poly, fingerprint: mix.finish(), depth }))
    }

    /// The sum.
    pub fn poly(&self) -> &Poly {
        &self.0.poly
    }

    /// Whether it is made of sizes alone, and short enough to be read.
    pub fn is_readable(&self) -> bool {
        self.is_flat() && self.poly().iter().count() <= MAX_READABLE_PRODUCTS
    }

    fn is_flat(&self) -> bool {
        self.0.depth == 1
    }
}

impl PartialEq for SumFactor {
    fn eq(&self, other: &SumFactor) -> bool {
        self.0.fingerprint == other.0.fingerprint
    }
}

impl Eq for SumFactor {}

impl Hash for SumFactor {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u128(self.0.fingerprint);
    }
}

impl Ord for SumFactor {
    /// Sums of sizes as formulas are ordered, those with sums in them behind.
    fn cmp(&self, other: &SumFactor) -> Ordering {
        if self == other {
            return Ordering::Equal;
        }
        let by_text = if self.is_flat() && other.is_flat() { self.poly().cmp(other.poly()) } else { Ordering::Equal };
        let (one, other) = (&*self.0, &*other.0);
        one.depth.cmp(&other.depth).then(by_text).then(one.fingerprint.cmp(&other.fingerprint))
    }
}

impl PartialOrd for SumFactor {
    fn partial_cmp(&self, other: &SumFactor) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for SumFactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for SumFactor {
    /// `(n + m)`; of a longer sum how many products it has.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_readable() {
            true => write!(f, "({})", self.poly()),
            false => write!(f, "({} products)", self.poly().iter().count()),
        }
    }
}

impl fmt::Display for WorkFactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WorkFactor::Size(name) => write!(f, "{name}"),
            WorkFactor::Sum(sum) => write!(f, "{sum}"),
            WorkFactor::Unknown => f.write_str("not known"),
        }
    }
}

impl Poly {
    /// Its value where the sizes have these values; saturates at 2^128 - 1, which is also that of what isn't known. Each sum is
    /// looked at once.
    pub fn at(&self, mut value: impl FnMut(&Name) -> u64) -> u128 {
        self.at_known(&mut value, &mut FxHashMap::default())
    }

    fn at_known(&self, value: &mut dyn FnMut(&Name) -> u64, known: &mut FxHashMap<u128, u128>) -> u128 {
        self.evaluated(|factor| match factor {
            WorkFactor::Size(name) => value(name).into(),
            WorkFactor::Unknown => u128::MAX,
            WorkFactor::Sum(sum) => match known.get(&sum.0.fingerprint) {
                Some(known) => *known,
                None => {
                    let own = sum.poly().at_known(value, known);
                    known.insert(sum.0.fingerprint, own);
                    own
                }
            },
        })
    }

    /// The sizes in it, in order.
    pub fn sizes(&self) -> BTreeSet<Name> {
        let (mut sizes, mut seen, mut waiting) = (BTreeSet::new(), FxHashSet::default(), vec![self]);
        while let Some(poly) = waiting.pop() {
            for (factor, _) in poly.iter().flat_map(|(product, _)| product) {
                match factor {
                    WorkFactor::Size(name) => _ = sizes.insert(name.clone()),
                    WorkFactor::Sum(sum) if seen.insert(sum.0.fingerprint) => waiting.push(sum.poly()),
                    WorkFactor::Sum(_) | WorkFactor::Unknown => {}
                }
            }
        }
        sizes
    }
}
