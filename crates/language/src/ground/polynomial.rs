//! Computes with polynomials in normal form, over any variables, with natural coefficients: equal ones are equal data.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;
use std::fmt;

/// A product of variables, sorted, each with its power (at least 1). The empty product is 1.
pub type Monomial<V> = Vec<(V, u32)>;

/// A sum of monomials with coefficients of at least 1. Coefficients saturate at 2^128 - 1, powers at 2^32 - 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Polynomial<V>(BTreeMap<Monomial<V>, u128>);

impl<V> Default for Polynomial<V> {
    fn default() -> Polynomial<V> {
        Polynomial(BTreeMap::new())
    }
}

impl<V: Ord + Clone> Polynomial<V> {
    /// A number.
    pub fn constant(value: u128) -> Polynomial<V> {
        Polynomial(if value == 0 { BTreeMap::new() } else { BTreeMap::from([(Vec::new(), value)]) })
    }

    /// A variable.
    pub fn var(name: V) -> Polynomial<V> {
        Polynomial(BTreeMap::from([(vec![(name, 1)], 1)]))
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The coefficient of a monomial.
    pub fn coefficient(&self, monomial: &[(V, u32)]) -> u128 {
        self.0.get(monomial).copied().unwrap_or(0)
    }

    /// Each monomial with its coefficient, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&Monomial<V>, u128)> {
        self.0.iter().map(|(product, c)| (product, *c))
    }

    /// Each monomial with its coefficient: highest degree first, then in order.
    pub fn terms(&self) -> Vec<(&[(V, u32)], u128)> {
        let mut all: Vec<_> = self.iter().collect();
        all.sort_by_key(|(product, _)| Reverse(degree(product)));
        all.into_iter().map(|(product, c)| (product.as_slice(), c)).collect()
    }

    /// The sum.
    pub fn plus(&self, other: &Polynomial<V>) -> Polynomial<V> {
        let mut sum = self.0.clone();
        for (product, c) in &other.0 {
            let known = sum.entry(product.clone()).or_insert(0);
            *known = known.saturating_add(*c);
        }
        Polynomial(sum)
    }

    /// The product.
    pub fn times(&self, other: &Polynomial<V>) -> Polynomial<V> {
        self.times_within(other, usize::MAX).unwrap_or_default()
    }

    /// The product; `None` if it takes more than so many monomials.
    pub fn times_within(&self, other: &Polynomial<V>, most: usize) -> Option<Polynomial<V>> {
        let mut sum: BTreeMap<Monomial<V>, u128> = BTreeMap::new();
        for (p, c) in &self.0 {
            for (q, d) in &other.0 {
                let known = sum.entry(multiply(p, q)).or_insert(0);
                *known = known.saturating_add(c.saturating_mul(*d));
                if sum.len() > most {
                    return None;
                }
            }
        }
        Some(Polynomial(sum))
    }

    /// `self - other`, where no coefficient falls below zero.
    pub fn minus(&self, other: &Polynomial<V>) -> Option<Polynomial<V>> {
        let mut rest = self.0.clone();
        for (product, c) in &other.0 {
            let known = rest.get_mut(product)?;
            *known = known.checked_sub(*c)?;
        }
        rest.retain(|_, c| *c > 0);
        Some(Polynomial(rest))
    }

    /// `self / divisor`, if that is such a polynomial and leaves no rest.
    pub fn divide(&self, divisor: &Polynomial<V>) -> Option<Polynomial<V>> {
        let greatest = |p: &Polynomial<V>| {
            p.iter().max_by(|(a, _), (b, _)| by_first_variable(a, b)).map(|(product, c)| (product.clone(), c))
        };
        let (by, d) = greatest(divisor)?;
        let (mut rest, mut all) = (self.clone(), Polynomial::default());
        // What is taken away has the greatest monomial of the rest, and brings in no other, so that the rest gets shorter.
        while let Some((product, c)) = greatest(&rest) {
            let (product, c) = (quotient(&product, &by)?, (c % d == 0).then_some(c / d)?);
            let next = Polynomial(BTreeMap::from([(product, c)]));
            rest = rest.minus(&next.times(divisor))?;
            all = all.plus(&next);
        }
        Some(all)
    }

    /// What both have in common taken away from both: an equation's sides in smallest form.
    pub fn cancel(&self, other: &Polynomial<V>) -> (Polynomial<V>, Polynomial<V>) {
        let without = |a: &Polynomial<V>, b: &Polynomial<V>| {
            let rest = |(m, c): (&Monomial<V>, u128)| (m.clone(), c.saturating_sub(b.coefficient(m)));
            Polynomial(a.iter().map(rest).filter(|(_, c)| *c > 0).collect())
        };
        (without(self, other), without(other, self))
    }

    /// Its value where the variables have these values; saturates at 2^128 - 1.
    pub fn evaluated(&self, mut value: impl FnMut(&V) -> u128) -> u128 {
        let mut sum = 0u128;
        for (product, c) in &self.0 {
            let factors = product.iter().map(|(name, power)| value(name).saturating_pow(*power));
            sum = sum.saturating_add(factors.fold(*c, u128::saturating_mul));
        }
        sum
    }

    /// The same in other variables, in the same order; monomials with a variable that is none there count as 0.
    pub fn renamed<W: Ord>(&self, name: impl Fn(&V) -> Option<W>) -> Polynomial<W> {
        let each = |(product, c): (&Monomial<V>, u128)| {
            let product: Option<Monomial<W>> = product.iter().map(|(v, power)| Some((name(v)?, *power))).collect();
            Some((product?, c))
        };
        Polynomial(self.iter().filter_map(each).collect())
    }

    /// Whether it has at most so many monomials, every coefficient is at most this, and so is every power.
    pub fn is_within(&self, monomials: usize, coefficient: u128, most: u32) -> bool {
        let small =
            |(product, c): (&Monomial<V>, u128)| c <= coefficient && product.iter().all(|(_, power)| *power <= most);
        self.0.len() <= monomials && self.iter().all(small)
    }
}

/// The sum of its powers.
pub fn degree<V>(product: &[(V, u32)]) -> u64 {
    product.iter().map(|(_, power)| u64::from(*power)).sum()
}

/// The product of two.
pub fn multiply<V: Ord + Clone>(a: &Monomial<V>, b: &Monomial<V>) -> Monomial<V> {
    let mut powers: BTreeMap<&V, u32> = a.iter().map(|(x, power)| (x, *power)).collect();
    for (x, power) in b {
        let known = powers.entry(x).or_insert(0);
        *known = known.saturating_add(*power);
    }
    powers.into_iter().map(|(x, power)| (x.clone(), power)).collect()
}

/// Which of two products has the higher power of the first variable in which they differ. A common factor doesn't change that.
fn by_first_variable<V: Ord>(a: &Monomial<V>, b: &Monomial<V>) -> Ordering {
    let differing = a.iter().zip(b).find(|(x, y)| x != y);
    differing.map_or_else(|| a.len().cmp(&b.len()), |((x, power), (y, other))| y.cmp(x).then(power.cmp(other)))
}

fn quotient<V: Ord + Clone>(a: &Monomial<V>, b: &Monomial<V>) -> Option<Monomial<V>> {
    let mut powers: BTreeMap<&V, u32> = a.iter().map(|(x, power)| (x, *power)).collect();
    for (x, power) in b {
        let known = powers.get_mut(x)?;
        *known = known.checked_sub(*power)?;
    }
    Some(powers.into_iter().filter(|(_, power)| *power > 0).map(|(x, power)| (x.clone(), power)).collect())
}

impl<V: Ord> FromIterator<(Monomial<V>, u128)> for Polynomial<V> {
    /// The sum of different monomials, each with its coefficient.
    fn from_iter<I: IntoIterator<Item = (Monomial<V>, u128)>>(terms: I) -> Polynomial<V> {
        Polynomial(terms.into_iter().filter(|(_, c)| *c > 0).collect())
    }
}

impl<V: Ord + Clone + fmt::Display> fmt::Display for Polynomial<V> {
    /// Highest degree first: `n^2 + 3*n + 1`. Where a coefficient has saturated, no number is told for one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.values().any(|c| *c == u128::MAX) {
            return f.write_str("too much to say");
        }
        let term = |(product, c): (&[(V, u32)], u128)| {
            let number = (c != 1 || product.is_empty()).then(|| c.to_string());
            let power = |(x, power): &(V, u32)| if *power == 1 { x.to_string() } else { format!("{x}^{power}") };
            number.into_iter().chain(product.iter().map(power)).collect::<Vec<_>>().join("*")
        };
        let terms: Vec<String> = self.terms().into_iter().map(term).collect();
        f.write_str(&if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") })
    }
}
