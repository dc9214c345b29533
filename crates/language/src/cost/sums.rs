//! Adds up work, all kinds at once: products of sizes are known by numbers, so that an addition merges two short sorted lists.
//! They stay short: of a sum of more than [`MAX_PRODUCTS`] products it is only known that it has [too many](is_beyond), or,
//! where sums stay whole, each kind of work becomes a single factor. A sum of which something [isn't known](is_unknown) isn't
//! known.

use std::cmp::Ordering;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::factor::{CALL, MAX_PRODUCTS, WorkFactor};
use super::{Poly, Work};
use crate::ground::Name;
use crate::ground::polynomial::{Monomial, multiply};
use crate::term::Size;

/// A count for each kind of work: flops, compares, reads, writes, iterations.
pub(super) type KindCounts = [u128; 5];

/// Products of sizes, ascending by their numbers, each with how often it is counted; none with nothing.
pub(super) type WorkSum = Rc<[(u32, KindCounts)]>;

/// The number of the empty product.
const ONE: u32 = 0;

/// Stands for more products than are written.
const BEYOND: u32 = u32::MAX;

/// Stands for what isn't known.
const UNKNOWN: u32 = u32::MAX - 1;

/// Whether a sum had too many products.
pub(super) fn is_beyond(sum: &WorkSum) -> bool {
    sum.last().is_some_and(|(n, _)| *n == BEYOND)
}

/// Whether something of a sum isn't known.
pub(super) fn is_unknown(sum: &WorkSum) -> bool {
    sum.last().is_some_and(|(n, _)| *n == UNKNOWN)
}

/// Every product of sizes that was met.
pub(super) struct ProductTable {
    all: Vec<Monomial<WorkFactor>>,
    numbers: FxHashMap<Monomial<WorkFactor>, u32>,
    multiplied: FxHashMap<(u32, u32), u32>,
    /// Whether sums stay whole.
    are_whole: bool,
}

impl ProductTable {
    pub(super) fn new(are_whole: bool) -> ProductTable {
        let numbers = FxHashMap::from_iter([(Vec::new(), ONE)]);
        ProductTable { all: vec![Vec::new()], numbers, multiplied: FxHashMap::default(), are_whole }
    }

    /// Whether sums stay whole.
    pub(super) fn are_whole(&self) -> bool {
        self.are_whole
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.all.len()
    }

    fn number(&mut self, product: Monomial<WorkFactor>) -> u32 {
        if let Some(known) = self.numbers.get(&product) {
            return *known;
        }
        let number = self.all.len() as u32;
        self.all.push(product.clone());
        self.numbers.insert(product, number);
        number
    }

    fn multiply(&mut self, a: u32, b: u32) -> u32 {
        match (a, b) {
            (ONE, other) | (other, ONE) => other,
            _ => match self.multiplied.get(&(a, b)) {
                Some(known) => *known,
                None => {
                    let number = self.number(multiply(&self.all[a as usize], &self.all[b as usize]));
                    self.multiplied.insert((a, b), number);
                    number
                }
            },
        }
    }

    /// A sum, so many times.
    pub(super) fn times(&mut self, sum: &WorkSum, count: &Size) -> WorkSum {
        if is_beyond(sum) || is_unknown(sum) {
            return if count.as_literal() == Some(0) { constant(KindCounts::default()) } else { sum.clone() };
        }
        let count = if self.are_whole { Poly::whole_size(count) } else { Poly::size(count) };
        let factors: Vec<(u32, u128)> = count.iter().map(|(product, c)| (self.number(product.clone()), c)).collect();
        let mut all: Vec<(u32, KindCounts)> = Vec::with_capacity(sum.len() * factors.len().min(2));
        for (factor, c) in factors {
            all.extend(sum.iter().map(|(n, kinds)| (self.multiply(*n, factor), kinds.map(|k| k.saturating_mul(c)))));
            if all.len() > 2 * MAX_PRODUCTS {
                joined(&mut all);
            }
            // What the other factors make can only be more.
            if all.len() > 2 * MAX_PRODUCTS {
                break;
            }
        }
        joined(&mut all);
        self.short(all)
    }

    pub(super) fn plus(&mut self, a: &WorkSum, b: &WorkSum) -> WorkSum {
        self.merged(a, b, u128::saturating_add)
    }

    /// The least that is nowhere below either, count by count.
    pub(super) fn larger(&mut self, a: &WorkSum, b: &WorkSum) -> WorkSum {
        if a == b { a.clone() } else { self.merged(a, b, u128::max) }
    }

    fn merged(&mut self, a: &WorkSum, b: &WorkSum, combine: impl Fn(u128, u128) -> u128) -> WorkSum {
        if a.is_empty() || b.is_empty() {
            return if a.is_empty() { b.clone() } else { a.clone() };
        }
        if let Some(whole) = [is_unknown, is_beyond].iter().find_map(|is| [a, b].into_iter().find(|sum| is(sum))) {
            return whole.clone();
        }
        let (mut left, mut right) = (&a[..], &b[..]);
        let mut all = Vec::with_capacity(a.len() + b.len());
        while let ([x, xs @ ..], [y, ys @ ..]) = (left, right) {
            let order = x.0.cmp(&y.0);
            all.push(match order {
                Ordering::Less => *x,
                Ordering::Equal => (x.0, both(&x.1, &y.1, &combine)),
                Ordering::Greater => *y,
            });
            left = if order == Ordering::Greater { left } else { xs };
            right = if order == Ordering::Less { right } else { ys };
        }
        all.extend(left);
        all.extend(right);
        self.short(all)
    }

    /// The sum of these products, which are in order.
    fn short(&mut self, all: Vec<(u32, KindCounts)>) -> WorkSum {
        if all.len() <= MAX_PRODUCTS {
            return all.into();
        }
        if !self.are_whole {
            return Rc::from([(BEYOND, [1; 5])]);
        }
        let work = self.work(&all.into());
        let mut short = Vec::new();
        for (k, poly) in work.kinds().into_iter().enumerate() {
            for (product, c) in poly.clone().as_factor().iter() {
                let mut kinds = KindCounts::default();
                kinds[k] = c;
                short.push((self.number(product.clone()), kinds));
            }
        }
        joined(&mut short);
        short.into()
    }

    /// A call of a function that comes from outside.
    pub(super) fn call(&mut self) -> WorkSum {
        let call = self.number(vec![(WorkFactor::Size(Name::new(CALL)), 1)]);
        Rc::from([(call, [1, 0, 0, 0, 0])])
    }

    /// Flops, compares, reads and writes together.
    pub(super) fn total(&self, sum: &WorkSum) -> Poly {
        if is_unknown(sum) {
            return Poly::unknown();
        }
        let counted = |kinds: &KindCounts| kinds[..4].iter().fold(0, |all: u128, kind| all.saturating_add(*kind));
        let each = sum.iter().map(|(n, kinds)| (*n, counted(kinds))).filter(|(_, count)| *count > 0);
        each.map(|(n, count)| (self.all[n as usize].clone(), count)).collect()
    }

    /// Each kind by itself.
    pub(super) fn work(&self, sum: &WorkSum) -> Work {
        if is_unknown(sum) {
            let [flops, compares, reads, writes, iterations] = std::array::from_fn(|_| Poly::unknown());
            return Work { flops, compares, reads, writes, iterations };
        }
        let kind = |k: usize| {
            let counted = sum.iter().filter(|(_, kinds)| kinds[k] > 0);
            counted.map(|(n, kinds)| (self.all[*n as usize].clone(), kinds[k])).collect()
        };
        Work { flops: kind(0), compares: kind(1), reads: kind(2), writes: kind(3), iterations: kind(4) }
    }
}

/// A sum that is the same at all sizes.
pub(super) fn constant(kinds: KindCounts) -> WorkSum {
    if kinds == KindCounts::default() { Rc::from([]) } else { Rc::from([(ONE, kinds)]) }
}

/// A sum of which something isn't known.
pub(super) fn unknown() -> WorkSum {
    Rc::from([(UNKNOWN, [1; 5])])
}

/// Puts products in order, each once.
fn joined(all: &mut Vec<(u32, KindCounts)>) {
    all.sort_unstable_by_key(|(n, _)| *n);
    all.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 = both(&kept.1, &next.1, u128::saturating_add);
        }
        same
    });
}

fn both(a: &KindCounts, b: &KindCounts, combine: impl Fn(u128, u128) -> u128) -> KindCounts {
    std::array::from_fn(|k| combine(a[k], b[k]))
}
