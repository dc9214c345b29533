//! Turns values of a nest into polynomials, and conditions into facts.
//!
//! Arithmetic wraps, so that it is that of polynomials only where the result is known to fit in 64 bits: sums of few sizes and
//! indices do, since no size is as large as [`LARGEST_SIZE`], and products that are at most the length of an array, or its number
//! of elements, since none is as large as [`LARGEST_LENGTH`]. Any other result is an atom that nothing is known of.

use super::facts::Cond;
use super::poly::AtomPoly;
use super::walk::NestVerifier;
use crate::nest::ir::{NestPlace, NestValue, ScalarKind};
use crate::nest::{LARGEST_LENGTH, LARGEST_SIZE};
use redexter_language::term::{Prim, Size, SizeAtom};

/// Any integer of 64 bits may be as far from 0.
const INT_MAGNITUDE: u128 = 1 << 63;

impl NestVerifier<'_> {
    /// A size.
    pub(super) fn size(&self, size: &Size) -> Option<AtomPoly> {
        let mut sum = AtomPoly::default();
        for (monomial, coefficient) in size.terms() {
            let mut product = AtomPoly::constant(coefficient.into());
            for (atom, power) in monomial {
                let SizeAtom::Var(name) = atom else { return None };
                for _ in 0..*power {
                    product = product.times(self.sizes.get(name)?)?;
                }
            }
            sum = sum.plus(&product)?;
        }
        Some(sum)
    }

    /// An integer; a new atom where it is no polynomial.
    pub(super) fn poly(&mut self, value: &NestValue) -> AtomPoly {
        self.known(value).unwrap_or_else(|| self.unknown())
    }

    /// An atom that nothing is known of.
    pub(super) fn unknown(&mut self) -> AtomPoly {
        let atom = self.facts.atom(false);
        AtomPoly::atom(atom)
    }

    fn known(&mut self, value: &NestValue) -> Option<AtomPoly> {
        match value {
            NestValue::Real(_) => None,
            NestValue::Int(k) => Some(AtomPoly::constant((*k).into())),
            NestValue::Size(name) => self.sizes.get(name).cloned(),
            NestValue::Load(place) if place.indices.is_empty() => self.ints.get(&place.cell).cloned(),
            NestValue::Load(place) => self.element(place),
            NestValue::Truth(_) => Some(self.truth()),
            NestValue::Select(p) => self.chosen(&p.0, &p.1, &p.2),
            NestValue::Prim(prim, ScalarKind::Int, operands) => self.computed(*prim, operands),
            NestValue::Prim(..) => None,
        }
    }

    /// An element of an integer array: the same one is the same atom.
    fn element(&mut self, place: &NestPlace) -> Option<AtomPoly> {
        if !self.int_arrays.contains(&place.cell) {
            return None;
        }
        let indices = place.indices.iter().map(|index| self.poly(index)).collect();
        let sizes = self.below.get(&place.cell).cloned().unwrap_or_default();
        let key = (place.cell, indices);
        let element = match self.elements.get(&key) {
            Some(known) => known.clone(),
            None => {
                let element = if sizes.is_empty() { self.unknown() } else { self.atom_within(true, &[&sizes]) };
                self.elements.insert(key, element.clone());
                element
            }
        };
        // The atom is kept for good, but facts go with the place at which they were assumed: so they are assumed again.
        self.facts.assume_all(sizes.iter().filter_map(|size| Cond::below(&element, size)));
        Some(element)
    }

    /// An integer from 0 to below a polynomial.
    pub(super) fn index_below(&mut self, size: &AtomPoly) -> AtomPoly {
        let index = self.atom_within(true, &[std::slice::from_ref(size)]);
        self.facts.assume_all(Cond::below(&index, size));
        index
    }

    /// 0 or 1.
    fn truth(&mut self) -> AtomPoly {
        self.index_below(&AtomPoly::constant(2))
    }

    fn computed(&mut self, prim: Prim, operands: &[NestValue]) -> Option<AtomPoly> {
        let result = match prim {
            Prim::ToInt => return self.known(&operands[0]),
            Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge | Prim::Eq | Prim::Ne | Prim::And | Prim::Or | Prim::Not => {
                operands.iter().map(|operand| self.known(operand)).collect::<Option<Vec<AtomPoly>>>()?;
                return Some(self.truth());
            }
            Prim::Offset(c) => self.known(&operands[0])?.plus_constant(c.into())?,
            Prim::Quot | Prim::Rem => {
                let (a, b) = (self.known(&operands[0])?, self.known(&operands[1])?);
                return self.divided(prim, &a, &b);
            }
            _ => self.wrapped(prim, operands)?,
        };
        // Only what can't wrap is the polynomial that it looks like.
        (self.largest(&result) < INT_MAGNITUDE).then_some(result)
    }

    /// The quotient or the rest of what isn't negative, by what isn't 0: that is so where a multiple of it is larger, too.
    fn divided(&mut self, prim: Prim, a: &AtomPoly, b: &AtomPoly) -> Option<AtomPoly> {
        if !self.facts.at_most(&AtomPoly::default(), a) || !self.facts.is_natural(b) {
            return None;
        }
        let next = a.plus_constant(1)?;
        let mut factors: Vec<AtomPoly> =
            self.nest.sizes.iter().filter_map(|name| self.sizes.get(name)).cloned().collect();
        factors.extend(self.held.iter().cloned());
        // Of loops that are one loop, each index but the last is below what is left of the rounds without those behind it.
        let ends = self.last.iter().filter_map(|last| last.plus_constant(1)).chain(self.quotients.iter().cloned());
        factors.extend(ends.filter_map(|end| end.over(b)).collect::<Vec<_>>());
        factors.retain(|factor| factor.times(b).is_some_and(|all| self.facts.at_most(&next, &all)));
        if factors.is_empty() && !self.facts.at_most(&AtomPoly::constant(1), b) {
            return None;
        }
        // The same numbers have the same quotient, so that what a condition says of it holds of it elsewhere.
        let end = if prim == Prim::Rem { b } else { a };
        let found = self.divisions.get(&(prim, a.clone(), b.clone())).cloned();
        let part = found.unwrap_or_else(|| AtomPoly::atom(self.facts.atom(true)));
        self.divisions.insert((prim, a.clone(), b.clone()), part.clone());
        let largest = self.largest(end);
        // It may have been met where less was known of the numbers.
        part.atoms().for_each(|atom| {
            let own = self.largest.entry(atom).or_insert(0);
            *own = largest.min(INT_MAGNITUDE).max(*own);
        });
        if prim == Prim::Rem {
            self.facts.assume_all(Cond::below(&part, b));
            return Some(part);
        }
        self.facts.assume_all(Cond::at_most(&part, a));
        self.facts.assume_all(factors.iter().filter_map(|factor| Cond::below(&part, factor)));
        for factor in factors.into_iter().filter(|factor| factor.as_product().is_some()) {
            if !self.quotients.contains(&factor) {
                self.quotients.push(factor);
            }
        }
        Some(part)
    }

    /// The same but for multiples of 2^64, which what is computed of it doesn't notice.
    fn wrapped(&mut self, prim: Prim, operands: &[NestValue]) -> Option<AtomPoly> {
        let mut part = |operand: &NestValue| match operand {
            NestValue::Prim(prim @ (Prim::Add | Prim::Sub | Prim::Mul | Prim::Neg), ScalarKind::Int, operands) => {
                self.wrapped(*prim, operands)
            }
            operand => self.known(operand),
        };
        match (prim, operands) {
            (Prim::Add, [a, b]) => part(a)?.plus(&part(b)?),
            (Prim::Sub, [a, b]) => part(a)?.minus(&part(b)?),
            (Prim::Mul, [a, b]) => part(a)?.times(&part(b)?),
            (Prim::Neg, [a]) => AtomPoly::default().minus(&part(a)?),
            _ => None,
        }
    }

    /// What a polynomial's value is at most, with either sign.
    fn largest(&mut self, poly: &AtomPoly) -> u128 {
        poly.each_term().iter().map(|term| self.largest_term(term)).fold(0, u128::saturating_add)
    }

    fn largest_term(&mut self, term: &AtomPoly) -> u128 {
        let of = |atom| match self.largest.get(&atom).copied() {
            Some(known) if known < INT_MAGNITUDE => known,
            // Sizes are the first atoms.
            _ if (atom as usize) < self.nest.sizes.len() => LARGEST_SIZE.into(),
            _ if self.is_length(&AtomPoly::atom(atom)) => LARGEST_LENGTH.into(),
            _ => INT_MAGNITUDE,
        };
        let factor = term.terms().map(|(_, coefficient)| coefficient.unsigned_abs()).sum();
        let product = term.atoms().map(of).fold(factor, u128::saturating_mul);
        // A product of sizes may look too large to be one of 64 bits, and yet be at most the length of an array, which isn't.
        if product < INT_MAGNITUDE || self.facts.at_least_zero(term).is_none() {
            return product;
        }
        if self.held.iter().any(|all| self.facts.at_most(term, all)) {
            return LARGEST_LENGTH.into();
        }
        // In a loop that has a round no factor of how many it has is larger than that, either.
        let mut ends = self.last.iter().filter_map(|last| last.plus_constant(1));
        let divides = |end: AtomPoly| end.over(term).is_some() && self.facts.at_most(&AtomPoly::constant(1), &end);
        if ends.any(divides) { LARGEST_LENGTH.into() } else { product }
    }

    /// Whether it is known here to be from 0 to a size, or to the length of an array.
    fn is_length(&mut self, atom: &AtomPoly) -> bool {
        self.facts.at_most(&AtomPoly::default(), atom)
            && self.sizes.values().chain(&self.held).any(|all| self.facts.at_most(atom, all))
    }

    /// A new atom that is no further from 0 than one of each of these lists.
    pub(super) fn atom_within(&mut self, natural: bool, ends: &[&[AtomPoly]]) -> AtomPoly {
        let of = |ends: &&[AtomPoly]| ends.iter().map(|end| self.largest(end)).min().unwrap_or(INT_MAGNITUDE);
        let largest = ends.iter().map(of).max().unwrap_or(INT_MAGNITUDE);
        let atom = self.facts.atom(natural);
        self.largest.insert(atom, largest.min(INT_MAGNITUDE));
        AtomPoly::atom(atom)
    }

    /// Whether elements are read that may not have been written.
    fn finds_in_temporaries(&self, value: &NestValue) -> bool {
        let mut found = false;
        value.places(&mut |place| found |= !place.indices.is_empty() && !self.is_given(place.cell));
        found
    }

    /// What holds of the elements that a side of a choice finds, where it is taken: not of those that a choice inside finds.
    fn ranges(&mut self, side: &NestValue) -> Vec<Cond> {
        let mut all = Vec::new();
        match side {
            NestValue::Select(p) => return self.ranges(&p.0),
            NestValue::Load(place) if !place.indices.is_empty() => {
                let mark = self.facts.mark();
                if let (Some(element), Some(sizes)) = (self.element(place), self.below.get(&place.cell)) {
                    all.extend(sizes.iter().filter_map(|size| Cond::below(&element, size)));
                }
                self.facts.back(mark);
            }
            _ => {}
        }
        side.each_part(&mut |part| all.extend(self.ranges(part)));
        all
    }

    /// One of two.
    fn chosen(&mut self, condition: &NestValue, a: &NestValue, b: &NestValue) -> Option<AtomPoly> {
        let cond = self.cond(condition);
        let mark = self.facts.mark();
        let unsure = [a, b].into_iter().any(|side| self.finds_in_temporaries(side));
        let both = [a, b];
        let (a, b) = (self.known(a)?, self.known(b)?);
        let mut ranges = [Vec::new(), Vec::new()];
        if unsure {
            // An element that was never written is no index of anything: its range holds only where its side is taken.
            self.facts.back(mark);
            ranges = both.map(|side| self.ranges(side));
        }
        if a == b {
            let [own, other] = &ranges;
            self.facts.assume_all(own.iter().filter(|range| other.contains(range)));
            return Some(a);
        }
        let mut sides = Vec::new();
        let (mut lower, mut upper) = (vec![a.clone(), b.clone(), AtomPoly::default()], vec![a.clone(), b.clone()]);
        // What the condition keeps the one side below may be above the other, too: the size of a guard.
        let parts = if let Cond::All(all) = &cond { &all[..] } else { std::slice::from_ref(&cond) };
        upper.extend(parts.iter().filter_map(|part| match part {
            Cond::AtLeastZero(room) => a.plus(room),
            _ => None,
        }));
        for ((cond, value), ranges) in [(Some(cond.clone()), &a), (cond.negated(), &b)].into_iter().zip(ranges) {
            let cond = Cond::All([vec![cond.unwrap_or(Cond::TRUE)], ranges].concat());
            let mark = self.facts.mark();
            self.facts.assume(&cond);
            let facts = &mut self.facts;
            lower.retain(|bound| facts.at_most(bound, value));
            upper.retain(|bound| facts.at_most(value, bound));
            facts.back(mark);
            sides.push((cond, value));
        }
        let one = std::slice::from_ref::<AtomPoly>;
        let own = self.atom_within(lower.contains(&AtomPoly::default()), &[one(&a), one(&b)]);
        self.facts.assume_all(lower.iter().filter_map(|bound| Cond::at_most(bound, &own)));
        self.facts.assume_all(upper.iter().filter_map(|bound| Cond::at_most(&own, bound)));
        // Bounds mostly suffice. A choice is kept where they say little, since proofs go through each of them case by case.
        if lower.len() < 2 || upper.is_empty() {
            let side = |(cond, value): (Cond, &AtomPoly)| {
                Some(Cond::All(vec![cond, Cond::at_most(&own, value)?, Cond::at_most(value, &own)?]))
            };
            if let Some(sides) = sides.into_iter().map(side).collect() {
                self.facts.assume(&Cond::Any(sides));
            }
        }
        Some(own)
    }

    /// What holds where a value isn't 0.
    pub(super) fn cond(&mut self, value: &NestValue) -> Cond {
        let known = match value {
            NestValue::Load(place) if place.indices.is_empty() => self.truths.get(&place.cell).cloned(),
            NestValue::Int(k) => Some(if *k == 0 { Cond::Any(Vec::new()) } else { Cond::TRUE }),
            NestValue::Truth(a) => return self.cond(a),
            NestValue::Prim(Prim::Not, _, operands) => self.cond(&operands[0]).negated(),
            NestValue::Prim(Prim::And, _, operands) => {
                Some(Cond::All(operands.iter().map(|operand| self.cond(operand)).collect()))
            }
            NestValue::Prim(Prim::Or, _, operands) => {
                Some(Cond::Any(operands.iter().map(|operand| self.cond(operand)).collect()))
            }
            NestValue::Prim(prim, ScalarKind::Int, operands) if operands.len() == 2 => self.compared(*prim, operands),
            _ => None,
        };
        known.unwrap_or_else(|| self.named(value))
    }

    fn compared(&mut self, prim: Prim, operands: &[NestValue]) -> Option<Cond> {
        if !matches!(prim, Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge | Prim::Eq | Prim::Ne) {
            return None;
        }
        // A truth would be another number wherever it stands.
        if operands.iter().any(is_truth) {
            return None;
        }
        let (a, b) = (self.known(&operands[0])?, self.known(&operands[1])?);
        match prim {
            Prim::Lt => Cond::below(&a, &b),
            Prim::Le => Cond::at_most(&a, &b),
            Prim::Gt => Cond::below(&b, &a),
            Prim::Ge => Cond::at_most(&b, &a),
            Prim::Eq => Some(Cond::All(vec![Cond::at_most(&a, &b)?, Cond::at_most(&b, &a)?])),
            _ => Some(Cond::Any(vec![Cond::below(&a, &b)?, Cond::below(&b, &a)?])),
        }
    }

    /// A condition on data: the same text is the same condition until something that it reads is stored.
    fn named(&mut self, value: &NestValue) -> Cond {
        let next = self.conditions_met;
        let key = *self.conditions.entry(value.clone()).or_insert(next);
        self.conditions_met += u32::from(key == next);
        Cond::Unknown(key, true)
    }
}

/// Whether it is 0 or 1 by what computes it.
pub(super) fn is_truth(value: &NestValue) -> bool {
    match value {
        NestValue::Truth(_) => true,
        NestValue::Prim(prim, ..) => prim.class().is_truth(),
        _ => false,
    }
}
