//! Keeps the variables of an interpreter, and how many have each name, so that a line asks for a name without going through all.

use std::collections::BTreeMap;

use rhai::{Dynamic, Scope};

/// Variables in the order in which they were bound; a later one hides an earlier one of its name.
#[derive(Default)]
pub(super) struct Variables {
    scope: Scope<'static>,
    /// How many of those that were counted have a name.
    counts: BTreeMap<String, usize>,
    counted: usize,
}

impl Variables {
    /// How many there are, hidden ones included.
    pub(super) fn len(&self) -> usize {
        self.scope.len()
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        self.counts.contains_key(name)
    }

    /// The value of the newest one of a name.
    pub(super) fn get(&self, name: &str) -> Option<&Dynamic> {
        self.contains(name).then(|| self.scope.get(name)).flatten()
    }

    /// The newest one of a name, unless it is a constant.
    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut Dynamic> {
        self.scope.get_mut(name)
    }

    /// All names with their values, the newest first.
    pub(super) fn newest(&self) -> impl Iterator<Item = (&str, &Dynamic)> {
        self.scope.iter_raw().map(|(name, _, value)| (name, value))
    }

    /// A copy of all.
    pub(super) fn copy(&self) -> Scope<'static> {
        self.scope.clone()
    }

    /// Puts a copy back.
    pub(super) fn restore(&mut self, scope: Scope<'static>) {
        *self = Variables { scope, ..Variables::default() };
        self.count();
    }

    /// Does something with them that may bind more.
    pub(super) fn with<T>(&mut self, work: impl FnOnce(&mut Scope<'static>) -> T) -> T {
        let done = work(&mut self.scope);
        self.count();
        done
    }

    /// Forgets those behind the first so many.
    pub(super) fn rewind(&mut self, size: usize) {
        let gone = self.scope.len().saturating_sub(size);
        let names: Vec<String> = self.newest().take(gone).map(|(name, _)| name.to_owned()).collect();
        names.iter().for_each(|name| self.discount(name));
        self.scope.rewind(size);
    }

    /// Forgets all of a name.
    pub(super) fn remove(&mut self, name: &str) {
        while self.scope.remove::<Dynamic>(name).is_some() {
            self.discount(name);
        }
    }

    fn count(&mut self) {
        let Some(more) = self.scope.len().checked_sub(self.counted) else {
            // Some went that weren't told of.
            let scope = std::mem::take(&mut self.scope);
            return self.restore(scope);
        };
        for (name, ..) in self.scope.iter_raw().take(more) {
            *self.counts.entry(name.to_owned()).or_default() += 1;
        }
        self.counted += more;
    }

    fn discount(&mut self, name: &str) {
        self.counted -= 1;
        if let Some(count) = self.counts.get_mut(name) {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use redexter_language::ground::Random;

    #[test]
    fn names_are_counted_as_they_come_and_go() {
        let (mut variables, mut random) = (Variables::default(), Random::new(3));
        let (mut copies, mut kept) = (Vec::new(), 0);
        for round in 0..2_000_i64 {
            let name = ["a", "b", "c", "d", "e"][random.below(5)];
            match random.below(8) {
                0 => variables.rewind(variables.len().saturating_sub(random.below(4))),
                1 => variables.remove(name),
                2 => copies.push(variables.copy()),
                3 if !copies.is_empty() => variables.restore(copies.swap_remove(random.below(copies.len()))),
                4 => variables.with(|scope| {
                    scope.set_or_push(name, round);
                }),
                _ => variables.with(|scope| {
                    scope.push(name, round).push("f", round);
                }),
            }
            kept += variables.len();
            for name in ["a", "b", "c", "d", "e", "f"] {
                assert_eq!(variables.contains(name), variables.scope.contains(name), "{name} in round {round}");
                assert_eq!(variables.get(name).is_some(), variables.contains(name));
            }
        }
        assert!(kept > 2_000, "{kept}");
    }
}
