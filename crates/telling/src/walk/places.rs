//! Finds where a pattern matches in a term. Equal subterms are looked at once, and places are counted, not listed.

use rustc_hash::FxHashMap;

use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::{Path, Term};
use redexter_rewriting::rule::Pattern;

/// The places where a pattern matches, from the root down and from left to right.
pub struct PatternPlaces {
    /// The term in which they are.
    pub whole: Term,
    /// The place within which they were looked for.
    pub within: Path,
    /// The pattern as it was written.
    pub pattern: String,
    /// The term at that place.
    root: Term,
    /// By fingerprint: whether the pattern matches at a term itself, and at how many places in all.
    counts: FxHashMap<u128, (bool, usize)>,
}

impl PatternPlaces {
    /// Looks for a pattern, which is written so, in a term at a place and below.
    pub fn find(
        (pattern, written): (&Pattern, &str),
        whole: &Term,
        within: Path,
        budget: &Budget,
    ) -> Result<PatternPlaces, StopReason> {
        let root = within.find(whole).unwrap_or_else(|| whole.clone());
        let mut counts = FxHashMap::default();
        count(&root, pattern, budget, &mut counts)?;
        Ok(PatternPlaces { whole: whole.clone(), within, pattern: written.to_owned(), root, counts })
    }

    /// How many they are.
    pub fn count(&self) -> usize {
        self.at(&self.root).1
    }

    fn at(&self, term: &Term) -> (bool, usize) {
        self.counts.get(&term.fingerprint()).copied().unwrap_or_default()
    }

    /// The path to the one with this number, from 1.
    pub fn nth(&self, number: usize) -> Option<Path> {
        let (mut here, mut way) = (self.root.clone(), self.within.clone());
        let mut before = number.checked_sub(1).filter(|before| *before < self.count())?;
        loop {
            let (is_one, _) = self.at(&here);
            if is_one && before == 0 {
                return Some(way);
            }
            before -= usize::from(is_one);
            let mut kids = here.kids().into_iter().enumerate();
            let (k, kid) = kids.find(|(_, kid)| {
                let inside = self.at(kid).1;
                let found = before < inside;
                before -= if found { 0 } else { inside };
                found
            })?;
            way.0.push(k as u32);
            here = kid;
        }
    }
}

fn count(
    term: &Term,
    pattern: &Pattern,
    budget: &Budget,
    counts: &mut FxHashMap<u128, (bool, usize)>,
) -> Result<usize, StopReason> {
    if let Some((_, known)) = counts.get(&term.fingerprint()) {
        return Ok(*known);
    }
    budget.tick()?;
    let is_one = pattern.matches(term);
    let mut all = usize::from(is_one);
    for kid in term.kids() {
        // A small term that shares its subterms may have more places than can be counted.
        all = all.saturating_add(count(&kid, pattern, budget, counts)?);
    }
    counts.insert(term.fingerprint(), (is_one, all));
    Ok(all)
}
