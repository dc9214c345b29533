//! Compares the work of two programs with open sizes, at small and large sizes, so that orders of growth count for more than
//! constant factors.

use super::{Poly, WorkMeter};
use crate::ground::Name;
use crate::ground::order::InOrder;
use crate::term::{SizeBounds, Term};

/// The sizes at which work is compared, where no lower bound is greater: in all combinations, since what is small in one
/// program is large in another.
pub const COMPARED_SIZES: [u64; 2] = [10, 1_000];

/// Of more sizes than this, only all small and all large are compared.
const MAX_COMBINED_SIZES: usize = 6;

/// Work before and after, at the sizes where it rises most, or falls least.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkComparison {
    /// The sizes there, by name.
    pub sizes: Vec<(Name, u64)>,
    /// The work there.
    pub before: u128,
    /// That of the other.
    pub after: u128,
    /// Whether the most by which it rises anywhere is above the most by which it falls.
    pub is_raised: bool,
}

/// How work changes, as quotients, at those of the [`corners`] where it does most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorkChange {
    /// How many times the work before that after is, at most.
    pub rise: f64,
    /// How many times the work after that before is, at most.
    pub fall: f64,
}

/// Work that falls by more than this somewhere is of another order: so many times is the most that a derivative in order takes.
const OTHER_ORDER: f64 = 12.0;

/// Work that falls by less than this everywhere is about the same.
const ABOUT_THE_SAME: f64 = 1.25;

impl WorkChange {
    /// From one amount to another.
    pub fn of(before: u64, after: u64) -> WorkChange {
        WorkChange { rise: ratio(after.into(), before.into()), fall: ratio(before.into(), after.into()) }
    }

    /// Whether it rises by more than it falls: then `cheaper` keeps what was before.
    pub fn is_rise(self) -> bool {
        self.rise > self.fall
    }

    /// Whether `cheapest` leaves its first strategy, which took so many steps, for the second: the work is of a lower order, or
    /// nowhere more and either somewhere clearly less or reached in less than half the steps, but not in none.
    pub fn is_better(self, first: usize, second: usize) -> bool {
        let is_lower = self.fall > self.rise.max(OTHER_ORDER);
        let is_short = second > 0 && 2 * second < first;
        is_lower || self.rise <= 1.0 && (self.fall > ABOUT_THE_SAME || is_short)
    }
}

/// Compares work at all [`corners`].
pub fn compare(before: &Poly, after: &Poly, bounds: &SizeBounds) -> WorkComparison {
    let (change, worst) = extremes(before, after, bounds);
    WorkComparison { is_raised: change.is_rise(), ..worst }
}

/// How work changes at most, and where it rises most.
fn extremes(before: &Poly, after: &Poly, bounds: &SizeBounds) -> (WorkChange, WorkComparison) {
    let (mut rise, mut fall, mut worst) = (0.0, 0.0, WorkComparison::default());
    for sizes in corners(before.sizes().into_iter().chain(after.sizes()), bounds) {
        let at = |work: &Poly| work.at(|name| sizes.iter().find(|(known, _)| known == name).map_or(0, |(_, n)| *n));
        let (before, after) = (at(before), at(after));
        let rises = ratio(after, before);
        fall = ratio(before, after).max(fall);
        if rises > rise {
            (rise, worst) = (rises, WorkComparison { sizes, before, after, is_raised: false });
        }
    }
    (WorkChange { rise, fall }, worst)
}

/// All combinations of [`COMPARED_SIZES`] for these sizes, by name; of many sizes only all small and all large.
pub fn corners(sizes: impl IntoIterator<Item = Name>, bounds: &SizeBounds) -> Vec<Vec<(Name, u64)>> {
    let mut names: Vec<Name> = sizes.into_iter().collect();
    names.order_by(|one, other| one.as_str().cmp(other.as_str()));
    names.dedup();
    // For each combination, which sizes are large.
    let all = if names.len() <= MAX_COMBINED_SIZES { (0..1 << names.len()).collect() } else { vec![0, u64::MAX] };
    let size =
        |name: &Name, is_large: bool| (name.clone(), bounds.lower(name).max(COMPARED_SIZES[usize::from(is_large)]));
    let corner =
        |large: u64| names.iter().enumerate().map(|(k, name)| size(name, large >> k.min(63) & 1 == 1)).collect();
    all.into_iter().map(corner).collect()
}

/// The quotient of two works; that of equal ones, 0 among them, is 1.
fn ratio(one: u128, other: u128) -> f64 {
    if one == other { 1.0 } else { one as f64 / other as f64 }
}

/// Tells how total work changes from the first term to the second one, where open sizes have these lower bounds.
pub type TotalTest = Box<dyn FnMut(&Term, &Term, &SizeBounds) -> WorkChange>;

/// Makes the test that `cheaper(s)` and `cheapest(s, t)` ask. What was computed for earlier terms is remembered for the next as
/// long as it is held.
pub fn cheaper_total() -> TotalTest {
    let mut meter = WorkMeter::default();
    Box::new(move |before, after, bounds| {
        let (before, after) = (meter.total(before), meter.total(after));
        extremes(&before, &after, bounds).0
    })
}
