//! A [`InspectionTrie`] knows which subterms are inspected, by the paths to them, and which constructors are wanted there.

use super::sets::HeadSet;

/// A node whose constructor is inspected, and the ways below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct InspectionTrie {
    /// The constructors that are wanted there, by some law at least: with any other it is as good as none of them.
    wanted: HeadSet,
    /// What is wanted of the first children.
    near: [HeadSet; NEAR_KIDS],
    kids: Vec<(u32, InspectionTrie)>,
}

/// The number of first children that are looked up at once, not searched for.
const NEAR_KIDS: usize = 3;

/// Stands for each child in a way.
pub(in super::super) const ANY_KID: u32 = u32::MAX;

impl InspectionTrie {
    /// Where this way ends one of these constructors is wanted. What stands on it and wasn't added yet may be anything.
    pub(super) fn add(&mut self, way: &[u32], wanted: HeadSet) {
        let Some((first, rest)) = way.split_first() else { return self.wanted.join(wanted) };
        match self.kids.iter_mut().find(|(k, _)| k == first) {
            Some((_, below)) => below.add(rest, wanted),
            None => {
                let on_the_way = if rest.is_empty() { HeadSet::default() } else { HeadSet::ANY };
                let mut below = InspectionTrie { wanted: on_the_way, ..InspectionTrie::default() };
                below.add(rest, wanted);
                self.kids.push((*first, below));
            }
        }
        self.count_near();
    }

    pub(super) fn join(&mut self, other: &InspectionTrie) {
        self.wanted.join(other.wanted);
        for (k, theirs) in &other.kids {
            match self.kids.iter_mut().find(|(own, _)| own == k) {
                Some((_, below)) => below.join(theirs),
                None => self.kids.push((*k, theirs.clone())),
            }
        }
        self.count_near();
    }

    fn count_near(&mut self) {
        for (k, near) in (0..).zip(&mut self.near) {
            self.kids
                .iter()
                .filter(|(own, _)| *own == k || *own == ANY_KID)
                .for_each(|(_, below)| near.join(below.wanted));
        }
    }

    /// Whether `now` is wanted at the end of this way.
    #[inline(always)]
    pub(super) fn want(&self, mut way: impl Iterator<Item = u32> + Clone, now: HeadSet) -> bool {
        let Some(first) = way.next() else { return self.wanted.meet(now) };
        match self.near.get(first as usize) {
            // The last step, to one of the first children: what all entries want there was put together beforehand.
            Some(near) if way.clone().next().is_none() => near.meet(now),
            _ => self.want_far(first, way, now),
        }
    }

    #[inline(never)]
    fn want_far(&self, first: u32, way: impl Iterator<Item = u32> + Clone, now: HeadSet) -> bool {
        self.kids.iter().any(|(k, below)| (*k == first || *k == ANY_KID) && below.want(way.clone(), now))
    }

    /// What is wanted at the end of some way, of at least one step.
    pub(super) fn sought(&self) -> HeadSet {
        let mut all = HeadSet::default();
        for (_, below) in &self.kids {
            all.join(below.wanted);
            all.join(below.sought());
        }
        all
    }

    pub(super) fn longest(&self) -> u32 {
        self.kids.iter().map(|(_, below)| below.longest() + 1).max().unwrap_or(0)
    }
}
