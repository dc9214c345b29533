//! Solves for sizes: from lengths of arrays, which are polynomials in them, and from values given outright.
//!
//! Every polynomial has natural coefficients, so that it grows with each variable: an equation in one unknown has at
//! most one solution. Equations with more unknowns wait until others have fixed them.

use std::collections::{BTreeMap, BTreeSet};

use super::sizes::{Sizes, undetermined};
use crate::ground::{Diagnostic, Name, Trouble, code};
use crate::term::{Size, SizeAtom, SizeBounds};

/// An array's length: at `place` there are `length` elements where the type says `size`.
pub(super) struct LengthFact {
    pub(super) size: Size,
    pub(super) length: u64,
    pub(super) place: String,
}

/// The sizes that are known so far, each value with the place that it comes from.
#[derive(Default)]
pub(super) struct SizeSolver {
    known: BTreeMap<Name, (u64, String)>,
}

impl SizeSolver {
    /// Takes a value that was given outright.
    pub(super) fn give(&mut self, name: &Name, value: u64, place: String) -> Result<(), Diagnostic> {
        match self.known.get(name) {
            Some((other, before)) if *other != value => {
                Err(contradiction(format!("the size `{name}` is {other} by {before}, but {value} by {place}"))
                    .help("give it once"))
            }
            _ => {
                self.known.insert(name.clone(), (value, place));
                Ok(())
            }
        }
    }

    /// Solves for all of `needed`. Those in `unseen`, which stand only in types of elements of empty arrays, are their
    /// lower bound where nothing else determines them.
    pub(super) fn solve(
        mut self,
        mut facts: Vec<LengthFact>,
        needed: &BTreeSet<Name>,
        unseen: &BTreeSet<Name>,
        bounds: &SizeBounds,
    ) -> Result<Sizes, Trouble> {
        self.propagate(&mut facts)?;
        for name in unseen {
            if needed.contains(name) && !self.known.contains_key(name) {
                let place = "its lower bound, as the array is empty".to_owned();
                self.known.insert(name.clone(), (bounds.lower(name), place));
                self.propagate(&mut facts)?;
            }
        }
        let missing: Vec<Diagnostic> =
            needed.iter().filter(|name| !self.known.contains_key(*name)).map(undetermined).collect();
        if !missing.is_empty() {
            return Err(Trouble::Wrong(missing));
        }
        for (name, lower) in bounds.iter() {
            if let Some((value, place)) = self.known.get(name)
                && *value < lower
            {
                let headline = format!("the size `{name}` is {value} by {place}, but must be at least {lower}");
                return Err(contradiction(headline).help(format!("give inputs with {name} >= {lower}")).into());
            }
        }
        Ok(self.known.into_iter().map(|(name, (value, _))| (name, value)).collect())
    }

    /// Uses every fact that has at most one unknown, until none is left that does.
    fn propagate(&mut self, facts: &mut Vec<LengthFact>) -> Result<(), Diagnostic> {
        loop {
            let before = facts.len();
            let mut waiting = Vec::new();
            for fact in facts.drain(..) {
                if !self.absorb(&fact)? {
                    waiting.push(fact);
                }
            }
            *facts = waiting;
            if facts.len() == before {
                return Ok(());
            }
        }
    }

    /// Uses a fact; false if it has to wait.
    fn absorb(&mut self, fact: &LengthFact) -> Result<bool, Diagnostic> {
        let known = |atom: &SizeAtom| match atom {
            SizeAtom::Var(name) => self.known.get(name).map(|(value, _)| Size::literal(*value)),
            SizeAtom::Unknown(_) => None,
        };
        let Some(rest) = fact.size.replace(known) else { return Err(self.mismatch(fact)) };
        let mut unknowns: Vec<&SizeAtom> = rest.atoms().collect();
        unknowns.sort();
        unknowns.dedup();
        match unknowns[..] {
            [] if rest.constant() == fact.length => Ok(true),
            [] => Err(self.mismatch(fact)),
            [SizeAtom::Var(name)] => match root(&rest, fact.length) {
                Some(value) => {
                    self.known.insert(name.clone(), (value, format!("`{}`", fact.place)));
                    Ok(true)
                }
                None => Err(self.mismatch(fact)),
            },
            _ => Ok(false),
        }
    }

    fn mismatch(&self, fact: &LengthFact) -> Diagnostic {
        let LengthFact { size, length, place } = fact;
        let elements = if *length == 1 { "element" } else { "elements" };
        if let Some(n) = size.as_literal() {
            let headline = format!("`{place}` must have {n} elements, but has {length}");
            return Diagnostic::error(code::INPUT_SHAPE, headline).help(format!("give an array of {n} elements"));
        }
        let names: BTreeSet<&Name> = size
            .atoms()
            .filter_map(|atom| match atom {
                SizeAtom::Var(name) => Some(name),
                SizeAtom::Unknown(_) => None,
            })
            .collect();
        let from: Vec<String> = names
            .iter()
            .filter_map(|name| self.known.get(*name).map(|(value, place)| format!("{name} is {value} by {place}")))
            .collect();
        if from.is_empty() {
            return contradiction(format!("`{place}` has {length} {elements}, but {size} is never {length}"))
                .help(format!("give it a length of the form {size}"));
        }
        let from = from.join(" and ");
        contradiction(format!("`{place}` has {length} {elements}, which contradicts its size {size}, where {from}"))
            .help("give arrays whose lengths fit each other")
    }
}

pub(super) fn contradiction(headline: String) -> Diagnostic {
    Diagnostic::error(code::INPUT_SIZES, headline)
}

/// The value of the one variable of `size` at which it is `length`.
fn root(size: &Size, length: u64) -> Option<u64> {
    let (mut low, mut high) = (0, length);
    while low < high {
        let middle = low + (high - low) / 2;
        if size.value(|_| middle) < length {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    (size.value(|_| low) == length).then_some(low)
}
