//! Finds the steps of a derivation that rewrote at a place, around it or in it.

use rustc_hash::FxHashMap;

use crate::strategy::Step;
use redexter_language::term::Path;

/// The places of steps, as a tree that is their terms' tree as far as steps went there.
pub(super) struct StepPlaces {
    all: Vec<StepPlace>,
    kids: FxHashMap<(u32, u32), u32>,
    /// By the steps.
    paths: Vec<Path>,
}

/// Steps by their numbers less one, in order.
#[derive(Default)]
struct StepPlace {
    here: Vec<u32>,
    /// Here and further in.
    within: Vec<u32>,
}

impl StepPlaces {
    /// Of these steps.
    pub(super) fn of(steps: &[Step]) -> StepPlaces {
        let mut places = StepPlaces { all: vec![StepPlace::default()], kids: FxHashMap::default(), paths: Vec::new() };
        for (k, step) in steps.iter().enumerate() {
            let (mut at, k, path) = (0, k as u32, step.path());
            places.all[0].within.push(k);
            for kid in &path.0 {
                let next = places.all.len() as u32;
                at = *places.kids.entry((at, *kid)).or_insert(next);
                if at == next {
                    places.all.push(StepPlace::default());
                }
                places.all[at as usize].within.push(k);
            }
            places.all[at as usize].here.push(k);
            places.paths.push(path);
        }
        places
    }

    /// Where a step rewrote.
    pub(super) fn path(&self, k: usize) -> &[u32] {
        &self.paths[k].0
    }

    /// The last of the steps before this one that rewrote the place at a path, what is around it or what is in it.
    pub(super) fn last(&self, path: &[u32], before: usize) -> Option<usize> {
        let last = |steps: &[u32]| {
            let count = steps.partition_point(|k| (*k as usize) < before);
            count.checked_sub(1).map(|k| steps[k] as usize)
        };
        let (mut at, mut found) = (0, None);
        for kid in path {
            found = found.max(last(&self.all[at].here));
            match self.kids.get(&(at as u32, *kid)) {
                Some(next) => at = *next as usize,
                None => return found,
            }
        }
        found.max(last(&self.all[at].within))
    }
}
