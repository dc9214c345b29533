//! Sorts slices with one copy of the sorting code, whatever their elements are: the standard library's is some four kilobytes for
//! each place that sorts by a key, and the page that carries the core would be a thirtieth larger.

use std::cmp::Ordering;

/// Stable sorts, for slices that are short or seldom sorted.
pub trait InOrder<T> {
    /// Sorts as `sort_by` does.
    fn order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// Sorts as `sort_by_key` does.
    fn order_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.order_by(|one, other| key(one).cmp(&key(other)));
    }
}

impl<T> InOrder<T> for [T] {
    fn order_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let mut from = ordered(self.len(), &mut |one, other| compare(&self[one], &self[other]));
        // Each round closes one cycle of the permutation; what stands in its place already is a cycle of its own.
        for start in 0..from.len() {
            let mut at = start;
            loop {
                let next = std::mem::replace(&mut from[at], at);
                if next == start {
                    break;
                }
                self.swap(at, next);
                at = next;
            }
        }
    }
}

/// Which element belongs at each place.
fn ordered(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|one, other| compare(*one, *other));
    places
}

#[cfg(test)]
mod tests {
    use super::InOrder;
    use crate::ground::Random;

    #[test]
    fn equal_keys_stay_in_their_order() {
        let mut random = Random::new(1);
        for size in (0..40).chain([1_000]) {
            let numbers: Vec<(usize, usize)> = (0..size).map(|k| (random.below(7), k)).collect();
            let (mut ours, mut theirs) = (numbers.clone(), numbers);
            ours.order_by_key(|(key, _)| std::cmp::Reverse(*key));
            theirs.sort_by_key(|(key, _)| std::cmp::Reverse(*key));
            assert_eq!(ours, theirs);
            ours.order_by(|(_, one), (_, other)| one.cmp(other));
            assert!(ours.is_sorted_by_key(|(_, k)| *k), "{ours:?}");
        }
    }
}
