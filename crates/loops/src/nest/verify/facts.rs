//! Holds what is known of integers where a statement stands, and proves what follows from it.
//!
//! A fact is a polynomial that is at least 0, or a choice between some. To show that a polynomial is at least 0, atoms are
//! taken out of it one by one, each by a fact that bounds it, until sizes are left whose coefficients have no negative ones.
//! Each step replaces the polynomial by one that is at most as large, so that what is shown holds for all sizes; what isn't
//! shown may still hold.

use std::borrow::Borrow;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::poly::{AtomPoly, PolyAtom};

/// The most steps of one proof.
const MOST_STEPS: u32 = 200;

/// The most facts of ranges that one proof takes together.
const MOST_RANGES: u32 = 2;

/// The most facts of ranges that are tried, the innermost ones.
const MOST_TRIED: usize = 12;

/// The most choices between facts that a proof goes through one by one.
const MOST_SPLITS: u32 = 2;

/// A condition on integers, without negations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cond {
    /// At least 0.
    AtLeastZero(AtomPoly),
    /// A condition that nothing is known of, by its number, and whether it holds.
    Unknown(u32, bool),
    All(Vec<Cond>),
    Any(Vec<Cond>),
}

impl Cond {
    pub(super) const TRUE: Cond = Cond::All(Vec::new());

    /// `a <= b`; any numbers where that is no polynomial.
    pub(super) fn at_most(a: &AtomPoly, b: &AtomPoly) -> Option<Cond> {
        b.minus(a).map(Cond::AtLeastZero)
    }

    /// `a < b`.
    pub(super) fn below(a: &AtomPoly, b: &AtomPoly) -> Option<Cond> {
        b.minus(a)?.plus_constant(-1).map(Cond::AtLeastZero)
    }

    pub(super) fn negated(&self) -> Option<Cond> {
        let each = |all: &[Cond]| all.iter().map(Cond::negated).collect::<Option<Vec<Cond>>>();
        Some(match self {
            Cond::AtLeastZero(poly) => Cond::below(poly, &AtomPoly::default())?,
            Cond::Unknown(key, holds) => Cond::Unknown(*key, !holds),
            Cond::All(all) => Cond::Any(each(all)?),
            Cond::Any(all) => Cond::All(each(all)?),
        })
    }

    /// With another polynomial for an atom.
    pub(super) fn replaced(&self, atom: PolyAtom, by: &AtomPoly) -> Option<Cond> {
        let each = |all: &[Cond]| all.iter().map(|cond| cond.replaced(atom, by)).collect::<Option<Vec<Cond>>>();
        Some(match self {
            Cond::AtLeastZero(poly) => Cond::AtLeastZero(poly.replaced(atom, by)?),
            Cond::Unknown(..) => self.clone(),
            Cond::All(all) => Cond::All(each(all)?),
            Cond::Any(all) => Cond::Any(each(all)?),
        })
    }

    pub(super) fn atoms(&self, each: &mut dyn FnMut(PolyAtom)) {
        match self {
            Cond::AtLeastZero(poly) => poly.atoms().for_each(each),
            Cond::Unknown(..) => {}
            Cond::All(all) | Cond::Any(all) => all.iter().for_each(|cond| cond.atoms(each)),
        }
    }
}

/// What holds at a place; facts of inner places stand behind those of outer ones.
#[derive(Clone, Debug, Default)]
pub(super) struct IntegerFacts {
    /// At least 0 each.
    known: Vec<AtomPoly>,
    /// Which of them mention an atom, by its number.
    about: Vec<SmallVec<[u32; 4]>>,
    choices: Vec<Vec<Cond>>,
    unknown: Vec<(u32, bool)>,
    /// How many facts can't be.
    false_ones: u32,
    /// Whether each atom can't be negative, by its number.
    natural: Vec<bool>,
    /// Sizes come first: so many are atoms.
    sizes: PolyAtom,
    /// The number of these very facts; the facts of other places have others.
    state: u32,
    /// How many numbers of facts there were.
    states: u32,
    shown: ProofMemo,
}

/// What was found of polynomials where these facts held, by their number.
#[derive(Debug, Default)]
struct ProofMemo(FxHashMap<(u32, AtomPoly), Option<AtomPoly>>);

impl Clone for ProofMemo {
    /// A copy of the facts goes its own way, with numbers of its own.
    fn clone(&self) -> ProofMemo {
        ProofMemo::default()
    }
}

/// How many facts there were, and their number.
#[derive(Clone, Copy)]
pub(super) struct FactMark(usize, usize, usize, u32, u32);

impl IntegerFacts {
    /// A new atom, and whether it can't be negative.
    pub(super) fn atom(&mut self, natural: bool) -> PolyAtom {
        self.natural.push(natural);
        self.about.push(SmallVec::new());
        self.natural.len() as PolyAtom - 1
    }

    /// A new atom that is a size: all others come behind.
    pub(super) fn size(&mut self) -> PolyAtom {
        self.sizes += 1;
        self.atom(true)
    }

    pub(super) fn mark(&self) -> FactMark {
        FactMark(self.known.len(), self.choices.len(), self.unknown.len(), self.false_ones, self.state)
    }

    /// Forgets what was assumed since.
    pub(super) fn back(&mut self, mark: FactMark) {
        // Numbers in `about` grow, so that those of facts since the mark stand at its ends.
        for fact in self.known.drain(mark.0..).rev() {
            fact.atoms().for_each(|atom| {
                let about = &mut self.about[atom as usize];
                while about.last().is_some_and(|last| *last as usize >= mark.0) {
                    about.pop();
                }
            });
        }
        self.choices.truncate(mark.1);
        self.unknown.truncate(mark.2);
        self.false_ones = mark.3;
        // The facts are those of the mark again, so that what was found under its number holds again.
        self.state = mark.4;
    }

    /// Knows the atoms that others know, too, that came later.
    pub(super) fn grow(&mut self, other: &IntegerFacts) {
        self.natural.clone_from(&other.natural);
        self.about.resize(self.natural.len(), SmallVec::new());
    }

    pub(super) fn assume(&mut self, cond: &Cond) {
        match cond {
            Cond::AtLeastZero(poly) => return self.know(poly),
            Cond::Unknown(key, holds) => self.unknown.push((*key, *holds)),
            Cond::All(all) => return all.iter().for_each(|cond| self.assume(cond)),
            Cond::Any(all) if all.is_empty() => self.false_ones += 1,
            Cond::Any(all) => self.choices.push(all.clone()),
        }
        self.other_state();
    }

    fn other_state(&mut self) {
        self.states += 1;
        self.state = self.states;
    }

    fn know(&mut self, poly: &AtomPoly) {
        // A constant tells nothing, unless it is negative: then this place can't be reached.
        let Some(last) = poly.atoms().max() else {
            self.false_ones += u32::from(poly.as_constant().is_some_and(|value| value < 0));
            return self.other_state();
        };
        if self.about[last as usize].iter().any(|k| self.known[*k as usize] == *poly) {
            return;
        }
        let number = self.known.len() as u32;
        for atom in poly.atoms() {
            let about = &mut self.about[atom as usize];
            if about.last() != Some(&number) {
                about.push(number);
            }
        }
        self.known.push(poly.clone());
        self.other_state();
    }

    pub(super) fn is_size(&self, atom: PolyAtom) -> bool {
        atom < self.sizes
    }

    pub(super) fn assume_all<C: Borrow<Cond>>(&mut self, all: impl IntoIterator<Item = C>) {
        all.into_iter().for_each(|cond| self.assume(cond.borrow()));
    }

    /// Assumes what is known where other integers are at hand than here, but for sizes, and that these of theirs are those.
    pub(super) fn assume_elsewhere(&mut self, other: &IntegerFacts, same: &[(AtomPoly, AtomPoly)]) {
        let mut all: Vec<PolyAtom> = other.known.iter().flat_map(AtomPoly::atoms).collect();
        other.choices.iter().flatten().for_each(|cond| cond.atoms(&mut |atom| all.push(atom)));
        all.extend(same.iter().flat_map(|(own, _)| own.atoms()));
        all.retain(|atom| *atom >= self.sizes);
        all.sort_unstable();
        all.dedup();
        let mut names: Vec<(PolyAtom, AtomPoly)> =
            all.into_iter().map(|atom| (atom, AtomPoly::atom(self.atom(other.natural[atom as usize])))).collect();
        // An index that is an integer itself is named as the one here.
        for (own, here) in same {
            let known = names.iter().find(|(atom, _)| Some(*atom) == own.as_atom());
            if let Some(fresh) = known.and_then(|(_, name)| name.as_atom()) {
                names.push((fresh, here.clone()));
            }
        }
        let renamed = |cond: &Cond| names.iter().try_fold(cond.clone(), |cond, (atom, by)| cond.replaced(*atom, by));
        let equal = |(own, here): &(AtomPoly, AtomPoly)| {
            let own = names.iter().try_fold(own.clone(), |own, (atom, by)| own.replaced(*atom, by))?;
            Some(Cond::All(vec![Cond::at_most(&own, here)?, Cond::at_most(here, &own)?]))
        };
        self.assume_all(other.known.iter().filter_map(|poly| renamed(&Cond::AtLeastZero(poly.clone()))));
        self.assume_all(other.choices.iter().filter_map(|choice| renamed(&Cond::Any(choice.clone()))));
        self.assume_all(same.iter().filter_map(equal));
    }

    /// Whether the facts contradict each other, so that nothing is done where they stand.
    pub(super) fn are_impossible(&mut self) -> bool {
        self.false_ones > 0
            || self.unknown.iter().any(|(key, holds)| self.unknown.contains(&(*key, !holds)))
            || self.known.clone().iter().rev().any(|fact| {
                let negative = AtomPoly::constant(-1).minus(fact);
                // If `-1 - fact` is at least 0 the fact is negative, though it is known to be at least 0.
                negative.is_some_and(|negative| self.at_least_zero(&negative).is_some())
            })
    }

    /// Whether `a <= b` follows.
    pub(super) fn at_most(&mut self, a: &AtomPoly, b: &AtomPoly) -> bool {
        Cond::at_most(a, b).is_some_and(|cond| self.holds(&cond))
    }

    /// Whether a condition follows.
    pub(super) fn holds(&mut self, cond: &Cond) -> bool {
        match cond {
            Cond::AtLeastZero(poly) => self.at_least_zero(poly).is_some(),
            Cond::Unknown(key, holds) => self.unknown.contains(&(*key, *holds)),
            Cond::All(all) => all.iter().all(|cond| self.holds(cond)),
            Cond::Any(all) => {
                if self.choices.contains(all) || all.iter().any(|cond| self.holds(cond)) {
                    return true;
                }
                // Where all but the last don't hold the last one has to.
                let Some((last, others)) = all.split_last() else { return false };
                let Some(others) = others.iter().map(Cond::negated).collect::<Option<Vec<Cond>>>() else {
                    return false;
                };
                let mark = self.mark();
                self.assume_all(&others);
                let holds = self.holds(last);
                self.back(mark);
                holds
            }
        }
    }

    /// What is left of a polynomial that is at least 0: sizes alone, none with a negative coefficient. None where that can't
    /// be shown.
    pub(super) fn at_least_zero(&mut self, goal: &AtomPoly) -> Option<AtomPoly> {
        let key = (self.state, goal.clone());
        if let Some(known) = self.shown.0.get(&key) {
            return known.clone();
        }
        let found = self.by_cases(goal, MOST_SPLITS);
        self.shown.0.insert(key, found.clone());
        found
    }

    fn by_cases(&mut self, goal: &AtomPoly, splits: u32) -> Option<AtomPoly> {
        if self.false_ones > 0 {
            // From what can't be everything follows.
            return Some(AtomPoly::default());
        }
        if goal.as_constant().is_some_and(|value| value < 0) {
            return None;
        }
        // What is known as it stands may be no sum from which atoms can be taken.
        let beyond = |fact: &AtomPoly| goal.minus(fact).filter(|rest| rest.as_constant().is_some_and(|rest| rest >= 0));
        if let Some(rest) = self.known.iter().rev().find_map(beyond) {
            return Some(rest);
        }
        let short = |ranges: u32| self.reduced(goal, &mut SmallVec::new(), (&mut { MOST_STEPS }, ranges));
        // Mostly no fact of a range is needed, so that proofs without are tried first.
        if let Some(rest) = (0..=MOST_RANGES).find_map(short) {
            return Some(rest);
        }
        if splits == 0 {
            return None;
        }
        for k in (0..self.choices.len()).rev() {
            let choice = self.choices[k].clone();
            let mut rest = None;
            let mark = self.mark();
            // A choice that is gone through isn't gone through again.
            let kept = std::mem::take(&mut self.choices[k]);
            let shown = !choice.is_empty()
                && choice.iter().all(|case| {
                    self.assume(case);
                    rest = self.by_cases(goal, splits - 1);
                    self.back(mark);
                    rest.is_some()
                });
            self.choices[k] = kept;
            if shown {
                return rest;
            }
        }
        None
    }

    /// Whether it is at least 0 since nothing in it is negative.
    pub(super) fn is_natural(&self, poly: &AtomPoly) -> bool {
        poly.terms()
            .all(|(monomial, coefficient)| coefficient >= 0 && monomial.iter().all(|atom| self.natural[*atom as usize]))
    }

    /// Takes atoms out of it, those bound last first.
    fn reduced(
        &self,
        goal: &AtomPoly,
        gone: &mut SmallVec<[PolyAtom; 8]>,
        (steps, ranges): (&mut u32, u32),
    ) -> Option<AtomPoly> {
        *steps = steps.checked_sub(1)?;
        // An atom may come back with a fact: it isn't taken out again, otherwise proofs would go in circles.
        let inner = goal.atoms().filter(|atom| *atom >= self.sizes && !gone.contains(atom)).max();
        let Some(atom) = inner else {
            return if self.is_natural(goal) { Some(goal.clone()) } else { self.by_a_range(goal, (steps, ranges)) };
        };
        let (factor, rest) = goal.linear_in(atom)?;
        // A factor that is at least 0 asks for a fact that bounds the atom from below, one that is at most 0 from above; any
        // other would need both, so that only a fact that takes it away as a whole may help.
        let raised = self.is_natural(&factor);
        let lowered = AtomPoly::default().minus(&factor)?;
        if !raised && !self.is_natural(&lowered) {
            return self.by_a_range(goal, (steps, ranges));
        }
        gone.push(atom);
        let mut found = None;
        // Facts that say something of the atom alone and of older ones come first: its own range.
        let about = || self.about[atom as usize].iter().rev().map(|k| &self.known[*k as usize]);
        let is_own = |fact: &&AtomPoly| fact.atoms().all(|other| other <= atom);
        for fact in about().filter(is_own).chain(about().filter(|fact| !is_own(fact))) {
            let Some((own, others)) = fact.linear_in(atom) else { continue };
            // The fact bounds so many of the atom, from below or from above.
            let next = match own.as_constant() {
                Some(times) if raised && times > 0 => factor.divided(times).map(|f| (f, others)),
                Some(times) if !raised && times < 0 => lowered.divided(-times).map(|f| (f, others)),
                _ => continue,
            };
            let next = next.and_then(|(factor, others)| rest.minus(&factor.times(&others)?));
            found = next.and_then(|next| self.reduced(&next, gone, (&mut *steps, ranges)));
            if found.is_some() {
                break;
            }
        }
        // Each part of the factor may need another fact, as where the rows of a square and its columns have one index.
        let size = if raised { &factor } else { &lowered };
        let parts = match size.as_constant() {
            Some(times) if times > 1 => SmallVec::from_buf([AtomPoly::constant(1), AtomPoly::constant(times - 1)]),
            _ => size.each_term(),
        };
        if let (None, [first, second]) = (&found, &parts[..]) {
            let bound = |part: &AtomPoly, fact: &AtomPoly| {
                let (own, others) = fact.linear_in(atom)?;
                let times = own.as_constant().filter(|times| *times != 0 && raised == (*times > 0))?;
                part.divided(times.abs())?.times(&others)
            };
            let all = |part: &AtomPoly| about().filter_map(|fact| bound(part, fact)).collect::<Vec<AtomPoly>>();
            let (of_first, of_second) = (all(first), all(second));
            let both = of_first.iter().flat_map(|a| of_second.iter().map(move |b| (a, b)));
            found = both
                .into_iter()
                .find_map(|(a, b)| self.reduced(&rest.minus(a)?.minus(b)?, gone, (&mut *steps, ranges)));
        }
        // What is at least 0 may be left out of a sum: what remains is at most as large.
        if found.is_none() && raised && self.natural[atom as usize] {
            found = self.reduced(&rest, gone, (steps, ranges));
        }
        gone.pop();
        found
    }

    /// A loop that runs has an iteration, so that its size isn't 0: what is asked less such a fact.
    fn by_a_range(&self, goal: &AtomPoly, (steps, ranges): (&mut u32, u32)) -> Option<AtomPoly> {
        let ranges = ranges.checked_sub(1)?;
        let is_wanted = |monomial: &[PolyAtom]| goal.terms().any(|(own, c)| c < 0 && own == monomial);
        // It helps where it takes a negative monomial away.
        let helps = |fact: &AtomPoly| fact.terms().any(|(monomial, c)| c < 0 && is_wanted(monomial));
        let known = self.known.iter().rev().filter(|fact| helps(fact)).take(MOST_TRIED);
        // So may a fact times a size, where the product that this makes is one of what is asked.
        let sizes: Vec<PolyAtom> = goal.atoms().filter(|atom| self.is_size(*atom)).collect();
        let is_there = |monomial: &[PolyAtom]| goal.terms().any(|(own, c)| c > 0 && own == monomial);
        let products = sizes.iter().flat_map(|size| {
            let times = |fact: &AtomPoly| fact.times(&AtomPoly::atom(*size));
            self.known.iter().rev().filter_map(times)
        });
        let products = products.filter(|fact| helps(fact) && fact.terms().all(|(own, c)| c < 0 || is_there(own)));
        known.cloned().chain(products.take(MOST_TRIED)).find_map(|fact| {
            let next = goal.minus(&fact)?;
            self.reduced(&next, &mut SmallVec::new(), (&mut *steps, ranges))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minus(a: &AtomPoly, b: &AtomPoly) -> AtomPoly {
        a.minus(b).unwrap()
    }

    /// An index from 0 to below a size.
    fn index(facts: &mut IntegerFacts, size: &AtomPoly) -> AtomPoly {
        let index = AtomPoly::atom(facts.atom(true));
        facts.assume(&Cond::below(&index, size).unwrap());
        index
    }

    #[test]
    fn indices_of_loops_are_in_their_sizes_and_not_in_others() {
        let mut facts = IntegerFacts::default();
        let (n, m) = (AtomPoly::atom(facts.size()), AtomPoly::atom(facts.size()));
        let i = index(&mut facts, &n);
        let j = index(&mut facts, &i.plus_constant(1).unwrap());
        assert!(facts.holds(&Cond::below(&i, &n).unwrap()) && facts.holds(&Cond::below(&j, &n).unwrap()));
        assert!(facts.holds(&Cond::at_most(&j, &i).unwrap()) && !facts.holds(&Cond::at_most(&i, &j).unwrap()));
        assert!(!facts.holds(&Cond::below(&i, &m).unwrap()) && !facts.holds(&Cond::below(&j, &m).unwrap()));
        assert!(facts.holds(&Cond::below(&AtomPoly::default(), &n).unwrap()), "a loop over n runs");
        assert!(!facts.holds(&Cond::below(&AtomPoly::default(), &m).unwrap()));
    }

    #[test]
    fn two_indices_are_one_of_the_product() {
        let mut facts = IntegerFacts::default();
        let (n, m) = (AtomPoly::atom(facts.size()), AtomPoly::atom(facts.size()));
        let (i, j) = (index(&mut facts, &n), index(&mut facts, &m));
        let (flat, all) = (i.times(&m).unwrap().plus(&j).unwrap(), n.times(&m).unwrap());
        assert!(facts.holds(&Cond::below(&flat, &all).unwrap()));
        let turned = i.times(&n).unwrap().plus(&j).unwrap();
        assert!(!facts.holds(&Cond::below(&turned, &all).unwrap()));
    }

    #[test]
    fn facts_are_multiplied_by_sizes() {
        let mut facts = IntegerFacts::default();
        let (n, m) = (AtomPoly::atom(facts.size()), AtomPoly::atom(facts.size()));
        facts.assume(&Cond::below(&AtomPoly::constant(2), &n).unwrap());
        facts.assume(&Cond::below(&AtomPoly::constant(1), &m).unwrap());
        let all = n.times(&m).unwrap();
        assert!(facts.holds(&Cond::below(&n.plus_constant(2).unwrap(), &all).unwrap()));
        assert!(!facts.holds(&Cond::below(&n.plus_constant(3).unwrap(), &all).unwrap()));
    }

    #[test]
    fn parts_of_a_factor_are_bounded_apart() {
        let mut facts = IntegerFacts::default();
        let (n, m) = (AtomPoly::atom(facts.size()), AtomPoly::atom(facts.size()));
        let i = index(&mut facts, &n);
        facts.assume(&Cond::below(&i, &m).unwrap());
        let (flat, all) = (i.times(&n).unwrap().plus(&i).unwrap(), n.times(&m).unwrap());
        assert!(facts.holds(&Cond::below(&flat, &all).unwrap()));
        assert!(!facts.holds(&Cond::below(&flat.plus_constant(1).unwrap(), &all).unwrap()));
        let (twice, both) = (i.plus(&i).unwrap(), n.plus(&m).unwrap());
        assert!(facts.holds(&Cond::below(&twice.plus_constant(1).unwrap(), &both).unwrap()));
        assert!(!facts.holds(&Cond::below(&twice.plus_constant(2).unwrap(), &both).unwrap()));
    }

    #[test]
    fn factors_of_unknown_sign_are_taken_away_as_they_are_known() {
        let mut facts = IntegerFacts::default();
        let (n, m) = (AtomPoly::atom(facts.size()), AtomPoly::atom(facts.size()));
        let rest = AtomPoly::atom(facts.atom(true));
        let at = rest.times(&n.plus_constant(-2).unwrap()).unwrap();
        let all = n.times(&m).unwrap();
        let guard = Cond::All(vec![Cond::AtLeastZero(at.clone()), Cond::below(&at, &all).unwrap()]);
        facts.assume(&Cond::at_most(&all, &AtomPoly::default()).unwrap());
        assert!(facts.holds(&guard.negated().unwrap()) && !facts.holds(&guard));
    }

    #[test]
    fn strips_end_with_their_size() {
        let mut facts = IntegerFacts::default();
        let n = AtomPoly::atom(facts.size());
        let base = AtomPoly::atom(facts.atom(true));
        let count = AtomPoly::atom(facts.atom(true));
        let end = base.plus(&count).unwrap();
        facts.assume(&Cond::at_most(&count, &AtomPoly::constant(32)).unwrap());
        facts.assume(&Cond::at_most(&end, &n).unwrap());
        let lane = index(&mut facts, &count);
        let at = base.plus(&lane).unwrap();
        assert!(
            facts.holds(&Cond::below(&at, &n).unwrap())
                && facts.holds(&Cond::below(&lane, &AtomPoly::constant(32)).unwrap())
        );
        assert!(!facts.holds(&Cond::below(&at, &AtomPoly::constant(32)).unwrap()));
    }

    #[test]
    fn choices_are_gone_through() {
        let mut facts = IntegerFacts::default();
        let (n, m) = (AtomPoly::atom(facts.size()), AtomPoly::atom(facts.size()));
        let least = AtomPoly::atom(facts.atom(false));
        let i = index(&mut facts, &least);
        let by = |bound: &AtomPoly, other: &AtomPoly| {
            Cond::All(vec![Cond::at_most(&least, bound).unwrap(), Cond::at_most(bound, other).unwrap()])
        };
        facts.assume(&Cond::Any(vec![by(&n, &m), by(&m, &n)]));
        assert!(facts.holds(&Cond::below(&i, &n).unwrap()) && facts.holds(&Cond::below(&i, &m).unwrap()));
        let mark = facts.mark();
        facts.assume(&Cond::Unknown(3, true));
        assert!(facts.holds(&Cond::Unknown(3, true)) && !facts.holds(&Cond::Unknown(3, false)));
        let either =
            Cond::Any(vec![Cond::Unknown(3, false), Cond::below(&i, &minus(&n, &AtomPoly::default())).unwrap()]);
        assert!(facts.holds(&either));
        facts.back(mark);
        assert!(!facts.holds(&Cond::Unknown(3, true)));
    }
}
