//! Computes with polynomials with integer coefficients over atoms: sizes, loop indices, integers that a program computes.
//!
//! All arithmetic is checked: what overflows is no polynomial, and nothing is proved of it.

use std::cmp::Ordering;

use smallvec::SmallVec;

/// An integer that a polynomial is made of, by its number. What is bound later has a higher one.
pub(super) type PolyAtom = u32;

/// The most atoms that are multiplied with each other: no array has as many dimensions of different sizes.
const MOST_FACTORS: usize = 11;

/// A product of atoms in their order, powers as repetitions. It is copied by the thousand: so it owns no memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct AtomMonomial {
    count: u8,
    /// Those behind the count are 0, so that derived equality and hashes see the atoms alone.
    atoms: [PolyAtom; MOST_FACTORS],
}

impl AtomMonomial {
    /// These in their order, if they aren't too many.
    fn of(atoms: impl IntoIterator<Item = PolyAtom>) -> Option<AtomMonomial> {
        let mut own = AtomMonomial::default();
        for atom in atoms {
            *own.atoms.get_mut(usize::from(own.count))? = atom;
            own.count += 1;
        }
        own.atoms[..usize::from(own.count)].sort_unstable();
        Some(own)
    }

    fn atoms(&self) -> &[PolyAtom] {
        &self.atoms[..usize::from(self.count)]
    }
}

impl Ord for AtomMonomial {
    fn cmp(&self, other: &AtomMonomial) -> Ordering {
        self.atoms().cmp(other.atoms())
    }
}

impl PartialOrd for AtomMonomial {
    fn partial_cmp(&self, other: &AtomMonomial) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Monomials in their order, each with a coefficient that isn't 0.
#[derive(Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct AtomPoly(SmallVec<[(AtomMonomial, i128); 2]>);

impl Clone for AtomPoly {
    fn clone(&self) -> AtomPoly {
        // Terms own no memory, so that they are copied as a whole; a derived clone would go one by one.
        AtomPoly(SmallVec::from_slice(&self.0))
    }
}

impl AtomPoly {
    pub(super) fn constant(value: i128) -> AtomPoly {
        AtomPoly::term(AtomMonomial::default(), value)
    }

    pub(super) fn atom(atom: PolyAtom) -> AtomPoly {
        let mut own = AtomMonomial { count: 1, ..AtomMonomial::default() };
        own.atoms[0] = atom;
        AtomPoly::term(own, 1)
    }

    fn term(monomial: AtomMonomial, coefficient: i128) -> AtomPoly {
        AtomPoly(if coefficient == 0 { SmallVec::new() } else { SmallVec::from_slice(&[(monomial, coefficient)]) })
    }

    /// This and `factor` times the other.
    fn plus_times(&self, factor: i128, other: &AtomPoly) -> Option<AtomPoly> {
        let (mut all, mut rest) = (SmallVec::new(), other.0.iter().peekable());
        for (monomial, own) in &self.0 {
            while let Some((smaller, coefficient)) = rest.next_if(|(theirs, _)| theirs < monomial) {
                // The factor is 1 or -1, so that no coefficient becomes 0 here.
                all.push((*smaller, coefficient.checked_mul(factor)?));
            }
            let more = rest.next_if(|(theirs, _)| theirs == monomial).map_or(0, |(_, theirs)| *theirs);
            let sum = own.checked_add(more.checked_mul(factor)?)?;
            if sum != 0 {
                all.push((*monomial, sum));
            }
        }
        for (monomial, coefficient) in rest {
            all.push((*monomial, coefficient.checked_mul(factor)?));
        }
        Some(AtomPoly(all))
    }

    pub(super) fn plus(&self, other: &AtomPoly) -> Option<AtomPoly> {
        self.plus_times(1, other)
    }

    pub(super) fn minus(&self, other: &AtomPoly) -> Option<AtomPoly> {
        self.plus_times(-1, other)
    }

    pub(super) fn plus_constant(&self, value: i128) -> Option<AtomPoly> {
        self.plus(&AtomPoly::constant(value))
    }

    pub(super) fn times(&self, other: &AtomPoly) -> Option<AtomPoly> {
        let mut sum = AtomPoly::default();
        for (monomial, coefficient) in &other.0 {
            let mut all: Vec<(AtomMonomial, i128)> = Vec::new();
            for (own, factor) in &self.0 {
                let product = AtomMonomial::of(own.atoms().iter().chain(monomial.atoms()).copied())?;
                all.push((product, factor.checked_mul(*coefficient)?));
            }
            // Multiplied, monomials may stand in another order; different ones stay different, since all got the same factor.
            all.sort();
            sum = sum.plus(&AtomPoly(all.into_iter().collect()))?;
        }
        Some(sum)
    }

    pub(super) fn as_constant(&self) -> Option<i128> {
        match &self.0[..] {
            [] => Some(0),
            [(monomial, value)] if monomial.count == 0 => Some(*value),
            _ => None,
        }
    }

    /// The atom that it is, alone.
    pub(super) fn as_atom(&self) -> Option<PolyAtom> {
        match &self.0[..] {
            [(monomial, 1)] if monomial.count == 1 => Some(monomial.atoms[0]),
            _ => None,
        }
    }

    /// The factors of the product that it is, alone: of two or more.
    pub(super) fn as_product(&self) -> Option<Vec<PolyAtom>> {
        match &self.0[..] {
            [(monomial, 1..)] if monomial.count > 1 => Some(monomial.atoms().to_vec()),
            _ => None,
        }
    }

    /// What must be multiplied by a product to be this product; nothing where one of the two is none, or it isn't whole.
    pub(super) fn over(&self, by: &AtomPoly) -> Option<AtomPoly> {
        let ([(own, factor)], [(of, divisor)]) = (&self.0[..], &by.0[..]) else { return None };
        let mut left: SmallVec<[PolyAtom; 4]> = own.atoms().into();
        for atom in of.atoms() {
            left.remove(left.iter().position(|own| own == atom)?);
        }
        (factor % divisor == 0).then_some(())?;
        Some(AtomPoly::term(AtomMonomial::of(left)?, factor / divisor))
    }

    /// Its monomials with their coefficients, which are taken as positive.
    pub(super) fn each_term(&self) -> SmallVec<[AtomPoly; 2]> {
        self.0.iter().map(|(monomial, coefficient)| AtomPoly::term(*monomial, coefficient.saturating_abs())).collect()
    }

    /// The monomials with their coefficients.
    pub(super) fn terms(&self) -> impl Iterator<Item = (&[PolyAtom], i128)> {
        self.0.iter().map(|(monomial, coefficient)| (monomial.atoms(), *coefficient))
    }

    pub(super) fn atoms(&self) -> impl Iterator<Item = PolyAtom> {
        self.0.iter().flat_map(|(monomial, _)| monomial.atoms().iter().copied())
    }

    pub(super) fn mentions(&self, atom: PolyAtom) -> bool {
        self.atoms().any(|own| own == atom)
    }

    /// Coefficient of an atom and what is left without it; none where it has a power.
    pub(super) fn linear_in(&self, atom: PolyAtom) -> Option<(AtomPoly, AtomPoly)> {
        let (mut factor, mut rest) = (SmallVec::new(), SmallVec::new());
        for (monomial, coefficient) in &self.0 {
            let others = || monomial.atoms().iter().copied().filter(|own| *own != atom);
            match usize::from(monomial.count) - others().count() {
                0 => rest.push((*monomial, *coefficient)),
                1 => factor.push((AtomMonomial::of(others())?, *coefficient)),
                _ => return None,
            }
        }
        Some((AtomPoly(factor), AtomPoly(rest)))
    }

    /// A part of it, where each coefficient is so many times a whole number.
    pub(super) fn divided(&self, by: i128) -> Option<AtomPoly> {
        let part = |(monomial, c): &(AtomMonomial, i128)| (c % by == 0).then_some((*monomial, c / by));
        self.0.iter().map(part).collect::<Option<_>>().map(AtomPoly)
    }

    /// The same but for multiples of 2.
    pub(super) fn modulo_2(&self) -> AtomPoly {
        let rest = |(monomial, c): &(AtomMonomial, i128)| (c % 2 != 0).then_some((*monomial, 1));
        AtomPoly(self.0.iter().filter_map(rest).collect())
    }

    /// With another polynomial for an atom.
    pub(super) fn replaced(&self, atom: PolyAtom, by: &AtomPoly) -> Option<AtomPoly> {
        if !self.mentions(atom) {
            return Some(self.clone());
        }
        let mut sum = AtomPoly::default();
        for (monomial, coefficient) in &self.0 {
            let others = AtomMonomial::of(monomial.atoms().iter().copied().filter(|own| *own != atom))?;
            let mut product = AtomPoly::term(others, *coefficient);
            for _ in others.count..monomial.count {
                product = product.times(by)?;
            }
            sum = sum.plus(&product)?;
        }
        Some(sum)
    }
}
