//! Polynomials with integer coefficients over atoms: sizes, loop indices, integers that a program computes.
//!
//! All arithmetic is checked: what overflows is no polynomial, and nothing is proved of it.

use smallvec::SmallVec;

/// An integer that a polynomial is made of, by its number. What is bound later has a higher one.
pub(super) type Atom = u32;

/// A product of atoms in their order, powers as repetitions.
type Monomial = SmallVec<[Atom; 2]>;

/// Monomials in their order, each with a coefficient that isn't 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Poly(SmallVec<[(Monomial, i128); 3]>);

impl Poly {
    pub(super) fn constant(value: i128) -> Poly {
        Poly::term(Monomial::new(), value)
    }

    pub(super) fn atom(atom: Atom) -> Poly {
        Poly::term(SmallVec::from_slice(&[atom]), 1)
    }

    fn term(monomial: Monomial, coefficient: i128) -> Poly {
        Poly(if coefficient == 0 { SmallVec::new() } else { SmallVec::from_iter([(monomial, coefficient)]) })
    }

    /// This and `factor` times the other.
    fn plus_times(&self, factor: i128, other: &Poly) -> Option<Poly> {
        let (mut all, mut rest) = (SmallVec::new(), other.0.iter().peekable());
        for (monomial, own) in &self.0 {
            while let Some((smaller, coefficient)) = rest.next_if(|(theirs, _)| theirs < monomial) {
                all.push((smaller.clone(), coefficient.checked_mul(factor)?));
            }
            let more = rest.next_if(|(theirs, _)| theirs == monomial).map_or(0, |(_, theirs)| *theirs);
            let sum = own.checked_add(more.checked_mul(factor)?)?;
            if sum != 0 {
                all.push((monomial.clone(), sum));
            }
        }
        for (monomial, coefficient) in rest {
            all.push((monomial.clone(), coefficient.checked_mul(factor)?));
        }
        Some(Poly(all))
    }

    pub(super) fn plus(&self, other: &Poly) -> Option<Poly> {
        self.plus_times(1, other)
    }

    pub(super) fn minus(&self, other: &Poly) -> Option<Poly> {
        self.plus_times(-1, other)
    }

    pub(super) fn plus_constant(&self, value: i128) -> Option<Poly> {
        self.plus(&Poly::constant(value))
    }

    pub(super) fn times(&self, other: &Poly) -> Option<Poly> {
        let mut sum = Poly::default();
        for (monomial, coefficient) in &other.0 {
            let mut all: Vec<(Monomial, i128)> = Vec::new();
            for (own, factor) in &self.0 {
                let mut product: Monomial = own.iter().chain(monomial).copied().collect();
                product.sort_unstable();
                all.push((product, factor.checked_mul(*coefficient)?));
            }
            all.sort();
            sum = sum.plus(&Poly(all.into_iter().collect()))?;
        }
        Some(sum)
    }

    pub(super) fn as_constant(&self) -> Option<i128> {
        match &self.0[..] {
            [] => Some(0),
            [(monomial, value)] if monomial.is_empty() => Some(*value),
            _ => None,
        }
    }

    /// The atom that it is, alone.
    pub(super) fn as_atom(&self) -> Option<Atom> {
        match &self.0[..] {
            [(monomial, 1)] if monomial.len() == 1 => Some(monomial[0]),
            _ => None,
        }
    }

    /// The monomials with their coefficients.
    pub(super) fn terms(&self) -> impl Iterator<Item = (&[Atom], i128)> {
        self.0.iter().map(|(monomial, coefficient)| (&monomial[..], *coefficient))
    }

    pub(super) fn atoms(&self) -> impl Iterator<Item = Atom> {
        self.0.iter().flat_map(|(monomial, _)| monomial.iter().copied())
    }

    pub(super) fn mentions(&self, atom: Atom) -> bool {
        self.atoms().any(|own| own == atom)
    }

    /// Coefficient of an atom and what is left without it; none where it has a power.
    pub(super) fn linear_in(&self, atom: Atom) -> Option<(Poly, Poly)> {
        let (mut factor, mut rest) = (SmallVec::new(), SmallVec::new());
        for (monomial, coefficient) in &self.0 {
            match monomial.iter().position(|own| *own == atom) {
                None => rest.push((monomial.clone(), *coefficient)),
                Some(at) => {
                    let mut others = monomial.clone();
                    others.remove(at);
                    if others.contains(&atom) {
                        return None;
                    }
                    factor.push((others, *coefficient));
                }
            }
        }
        Some((Poly(factor), Poly(rest)))
    }

    /// A part of it, where each coefficient is so many times a whole number.
    pub(super) fn divided(&self, by: i128) -> Option<Poly> {
        let part = |(monomial, c): &(Monomial, i128)| (c % by == 0).then(|| (monomial.clone(), c / by));
        self.0.iter().map(part).collect::<Option<_>>().map(Poly)
    }

    /// With another polynomial for an atom.
    pub(super) fn replaced(&self, atom: Atom, by: &Poly) -> Option<Poly> {
        let mut sum = Poly::default();
        for (monomial, coefficient) in &self.0 {
            let others: Monomial = monomial.iter().copied().filter(|own| *own != atom).collect();
            let mut product = Poly::term(others.clone(), *coefficient);
            for _ in others.len()..monomial.len() {
                product = product.times(by)?;
            }
            sum = sum.plus(&product)?;
        }
        Some(sum)
    }
}
