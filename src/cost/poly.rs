//! Polynomials in size variables with natural coefficients: what work is measured in.

use std::collections::BTreeMap;
use std::fmt;

use crate::ground::Name;
use crate::term::{Atom, Size};

/// A product of size variables, sorted, each with its power (at least 1). The empty product is 1.
type Product = Vec<(Name, u32)>;

/// A polynomial in size variables, exact up to 2^128 - 1, where coefficients saturate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Poly(BTreeMap<Product, u128>);

impl Poly {
    /// A number.
    pub fn constant(value: u128) -> Poly {
        Poly(if value == 0 { BTreeMap::new() } else { BTreeMap::from([(Vec::new(), value)]) })
    }

    /// A size as a polynomial. An unknown, which no finished term has, counts as 0.
    pub fn size(size: &Size) -> Poly {
        let mut sum = BTreeMap::new();
        for (monomial, coefficient) in size.terms() {
            let product: Option<Product> = monomial
                .iter()
                .map(|(atom, power)| match atom {
                    Atom::Var(name) => Some((name.clone(), *power)),
                    Atom::Unknown(_) => None,
                })
                .collect();
            if let Some(product) = product {
                sum.insert(product, u128::from(coefficient));
            }
        }
        Poly(sum)
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Each monomial, as variables with powers, with its coefficient (at least 1): highest degree first, then by name.
    pub fn terms(&self) -> Vec<(&[(Name, u32)], u128)> {
        let mut all: Vec<_> = self.0.iter().map(|(product, c)| (product.as_slice(), *c)).collect();
        all.sort_by_key(|(product, _)| std::cmp::Reverse(degree(product)));
        all
    }

    /// The sum.
    pub fn plus(&self, other: &Poly) -> Poly {
        self.merge(other, u128::saturating_add)
    }

    /// The least polynomial that is nowhere below either, coefficient by coefficient.
    pub fn max(&self, other: &Poly) -> Poly {
        self.merge(other, u128::max)
    }

    fn merge(&self, other: &Poly, combine: impl Fn(u128, u128) -> u128) -> Poly {
        let mut sum = self.0.clone();
        for (product, c) in &other.0 {
            let entry = sum.entry(product.clone()).or_insert(0);
            *entry = combine(*entry, *c);
        }
        Poly(sum)
    }

    /// The product.
    pub fn times(&self, other: &Poly) -> Poly {
        let mut sum: BTreeMap<Product, u128> = BTreeMap::new();
        for (p, c) in &self.0 {
            for (q, d) in &other.0 {
                let entry = sum.entry(multiply(p, q)).or_insert(0);
                *entry = entry.saturating_add(c.saturating_mul(*d));
            }
        }
        Poly(sum)
    }

    /// Its value where the variables have these values; saturates at 2^128 - 1.
    pub fn at(&self, value: &impl Fn(&Name) -> u64) -> u128 {
        let mut sum = 0u128;
        for (product, c) in &self.0 {
            let factors = product.iter().map(|(name, power)| u128::from(value(name)).saturating_pow(*power));
            let product = factors.fold(1, u128::saturating_mul);
            sum = sum.saturating_add(c.saturating_mul(product));
        }
        sum
    }
}

fn degree(product: &[(Name, u32)]) -> u64 {
    product.iter().map(|(_, power)| u64::from(*power)).sum()
}

fn multiply(p: &Product, q: &Product) -> Product {
    let mut powers: BTreeMap<&Name, u32> = p.iter().map(|(name, power)| (name, *power)).collect();
    for (name, power) in q {
        let entry = powers.entry(name).or_insert(0);
        *entry = entry.saturating_add(*power);
    }
    powers.into_iter().map(|(name, power)| (name.clone(), power)).collect()
}

impl fmt::Display for Poly {
    /// Highest degree first: `n^2 + 3*n + 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("0");
        }
        for (k, (product, c)) in self.terms().into_iter().enumerate() {
            if k > 0 {
                f.write_str(" + ")?;
            }
            let mut factors = Vec::new();
            if c != 1 || product.is_empty() {
                factors.push(c.to_string());
            }
            for (name, power) in product {
                factors.push(if *power == 1 { name.to_string() } else { format!("{name}^{power}") });
            }
            f.write_str(&factors.join("*"))?;
        }
        Ok(())
    }
}
