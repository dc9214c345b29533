//! Lists the sizes to count at.

use crate::eval::Sizes;
use crate::ground::Name;

/// Values for each size variable. Each that has several grows in its turn, while the others keep their first.
#[derive(Clone, Debug, Default)]
pub struct SizeRanges(Vec<(Name, Vec<u64>)>);

impl SizeRanges {
    /// Adds the values of a size variable; at least one.
    pub fn add(&mut self, name: &Name, values: Vec<u64>) {
        if !values.is_empty() {
            self.0.push((name.clone(), values));
        }
    }

    /// The size variables.
    pub fn names(&self) -> Vec<Name> {
        self.0.iter().map(|(name, _)| name.clone()).collect()
    }

    /// For each size that grows, the sizes in its turn; where none does, the one choice that there is.
    pub(super) fn blocks(&self) -> Vec<(Option<Name>, Vec<Sizes>)> {
        let first: Sizes = self.0.iter().map(|(name, values)| (name.clone(), values[0])).collect();
        let growing: Vec<_> = self.0.iter().filter(|(_, values)| values.len() > 1).collect();
        if growing.is_empty() {
            return vec![(None, vec![first])];
        }
        let turn = |(name, values): &(Name, Vec<u64>)| {
            let points = values.iter().map(|value| {
                let mut sizes = first.clone();
                sizes.set(name, *value);
                sizes
            });
            (Some(name.clone()), points.collect())
        };
        growing.into_iter().map(turn).collect()
    }
}
