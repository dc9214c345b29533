//! Defines the polynomials that measure work, reads them from text, and compares how they grow.

use super::factor::{MAX_PRODUCTS, SumFactor, WorkFactor};
use crate::ground::Name;
use crate::ground::polynomial::{Monomial, Polynomial, degree};
use crate::ground::text::{RAISED, begins_name, in_word};
use crate::term::{Size, SizeAtom};

/// A polynomial in size variables, and sums of these.
pub type Poly = Polynomial<WorkFactor>;

impl Poly {
    /// What isn't known.
    pub fn unknown() -> Poly {
        Poly::var(WorkFactor::Unknown)
    }

    /// Whether something of it isn't known.
    pub fn is_unknown(&self) -> bool {
        self.iter().any(|(product, _)| product.iter().any(|(factor, _)| *factor == WorkFactor::Unknown))
    }

    /// A size as a polynomial. An unknown, which no finished term has, counts as 0.
    pub fn size(size: &Size) -> Poly {
        size.polynomial().renamed(|atom| match atom {
            SizeAtom::Var(name) => Some(WorkFactor::Size(name.clone())),
            SizeAtom::Unknown(_) => None,
        })
    }

    /// The same, as one factor if it is a sum.
    pub fn whole_size(size: &Size) -> Poly {
        Poly::size(size).as_factor()
    }

    /// A sum as one factor. What is too much to say stays so.
    pub fn as_factor(self) -> Poly {
        match self.iter().count() {
            0 | 1 => self,
            _ if self.is_vast() => Poly::constant(u128::MAX),
            _ => Poly::var(WorkFactor::Sum(SumFactor::new(self))),
        }
    }

    /// The product of sizes, multiplied out if that isn't long.
    pub fn product<'a>(sizes: impl Iterator<Item = &'a Size> + Clone) -> Poly {
        let one = Poly::constant(1);
        let expanded =
            sizes.clone().try_fold(one.clone(), |all, size| all.times_within(&Poly::size(size), MAX_PRODUCTS));
        expanded.unwrap_or_else(|| sizes.fold(one, |all, size| all.times(&Poly::whole_size(size))))
    }

    /// With its sums multiplied out, if that makes no more than so many products.
    pub fn expanded(&self, most: usize) -> Option<Poly> {
        let mut all = Poly::default();
        for (product, coefficient) in self.iter() {
            let mut own = Poly::constant(coefficient);
            for (factor, power) in product {
                let WorkFactor::Sum(sum) = factor else {
                    let size = [(vec![(factor.clone(), *power)], 1)].into_iter().collect();
                    own = own.times_within(&size, most)?;
                    continue;
                };
                let sum = sum.poly().expanded(most)?;
                for _ in 0..*power {
                    own = own.times_within(&sum, most)?;
                }
            }
            all = all.plus(&own);
            if all.iter().count() > most {
                return None;
            }
        }
        Some(all)
    }

    /// Both with their sums multiplied out, if one has any and that isn't long: so they can be compared product by product.
    fn both_expanded(&self, other: &Poly) -> Option<(Poly, Poly)> {
        let has_sums =
            |poly: &Poly| poly.iter().any(|(product, _)| product.iter().any(|(f, _)| matches!(f, WorkFactor::Sum(_))));
        if !has_sums(self) && !has_sums(other) {
            return None;
        }
        Some((self.expanded(MAX_COMPARED_PRODUCTS)?, other.expanded(MAX_COMPARED_PRODUCTS)?))
    }

    /// Whether something of it is too much to say.
    pub fn is_vast(&self) -> bool {
        self.iter().any(|(_, coefficient)| coefficient == u128::MAX)
    }

    /// Reads a sum of products of numbers, sizes and sums in parentheses, as work prints and as one types it: `3*n^2 + 2k`,
    /// `3n² + 2n·k`. Sums are multiplied out if the whole isn't long.
    pub fn read(text: &str) -> Option<Poly> {
        let read = |is_whole| {
            let (sum, rest) = sum(text, is_whole, MAX_NESTED_SUMS)?;
            rest.is_empty().then_some(sum)
        };
        read(false).or_else(|| read(true))
    }

    /// The products of sizes of its highest degree.
    pub fn highest(&self) -> Vec<Monomial<WorkFactor>> {
        let terms = self.terms();
        let highest = terms.iter().map(|(product, _)| degree(product)).max().unwrap_or(0);
        let first = terms.iter().filter(|(product, _)| degree(product) == highest);
        first.map(|(product, _)| product.to_vec()).collect()
    }

    /// Whether it is less than another as soon as all sizes are large enough: of their difference, each product that
    /// speaks against it divides a higher one that speaks for it. `n*k` and `n^2` are neither below the other.
    pub fn is_below(&self, other: &Poly) -> bool {
        if self.is_vast() || other.is_vast() || self.is_unknown() || other.is_unknown() {
            return false;
        }
        if let Some((one, other)) = self.both_expanded(other) {
            return one.is_below(&other);
        }
        let (against, in_favour) = self.cancel(other);
        !in_favour.is_zero()
            && against.iter().all(|(low, _)| in_favour.iter().any(|(high, _)| low != high && divides(low, high)))
    }

    /// Its order of growth: the products of sizes that divide no other one of it, each once.
    pub fn order(&self) -> Poly {
        let highest =
            |product: &[(WorkFactor, u32)]| self.iter().all(|(more, _)| more == product || !divides(product, more));
        let each = |(product, coefficient): (&Monomial<WorkFactor>, u128)| {
            // Too much to say stays so.
            (product.clone(), if coefficient == u128::MAX { coefficient } else { 1 })
        };
        self.iter().filter(|(product, _)| highest(product)).map(each).collect()
    }

    /// Whether it grows no faster than another, whichever sizes grow: each of its products divides one of the other's.
    /// Numbers without sizes, 0 among them, grow alike. Of what isn't known it isn't known either.
    pub fn grows_within(&self, other: &Poly) -> bool {
        if self.is_unknown() || other.is_unknown() {
            return false;
        }
        if let Some((one, other)) = self.both_expanded(other) {
            return one.grows_within(&other);
        }
        let within = |low: &[(WorkFactor, u32)]| low.is_empty() || other.iter().any(|(high, _)| divides(low, high));
        other.is_vast() || !self.is_vast() && self.iter().all(|(low, _)| within(low))
    }
}

/// Whether each size of one product is in another, with as high a power.
fn divides(one: &[(WorkFactor, u32)], other: &[(WorkFactor, u32)]) -> bool {
    one.iter().all(|(size, power)| other.iter().any(|(same, higher)| size == same && power <= higher))
}

/// Sums are multiplied out for a comparison where that makes no more products.
const MAX_COMPARED_PRODUCTS: usize = 1_000;

/// Sums are read in sums so deep.
const MAX_NESTED_SUMS: u32 = 100;

/// A sum, and what follows it. Sums in it are multiplied out, or stay whole.
fn sum(text: &str, is_whole: bool, deeper: u32) -> Option<(Poly, &str)> {
    let (mut sum, mut rest) = product(text, is_whole, deeper)?;
    while let Some(behind) = rest.strip_prefix('+') {
        let more;
        (more, rest) = product(behind, is_whole, deeper)?;
        sum = sum.plus(&more);
    }
    Some((sum, rest))
}

/// `3*n^2*k`, `3n²·k`, and what follows it.
fn product(text: &str, is_whole: bool, deeper: u32) -> Option<(Poly, &str)> {
    let (mut rest, mut product, mut first) = (text.trim(), Poly::constant(1), true);
    while first || !(rest.is_empty() || rest.starts_with(['+', ')'])) {
        let separated = rest.strip_prefix(['*', '·']).map(str::trim_start);
        rest = if first { rest } else { separated.unwrap_or(rest) };
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let factor;
        if digits > 0 {
            factor = Poly::constant(rest[..digits].parse().ok()?);
            rest = &rest[digits..];
        } else if begins_name(rest) {
            let end = rest.find(|c: char| !in_word(c) || RAISED.contains(&c)).unwrap_or(rest.len());
            let base = Poly::var(WorkFactor::Size(Name::new(&rest[..end])));
            (factor, rest) = raised(&rest[end..], &base)?;
        } else {
            let (inner, behind) = sum(rest.strip_prefix('(')?, is_whole, deeper.checked_sub(1)?)?;
            let base = if is_whole { inner.as_factor() } else { inner };
            (factor, rest) = raised(behind.strip_prefix(')')?, &base)?;
        }
        product = product.times_within(&factor, MAX_PRODUCTS)?;
        (rest, first) = (rest.trim_start(), false);
    }
    Some((product, rest))
}

/// A factor to the power that a text begins with, and what follows it.
fn raised<'a>(text: &'a str, base: &Poly) -> Option<(Poly, &'a str)> {
    let end = |text: &str, digit: &dyn Fn(char) -> bool| text.find(|c| !digit(c)).unwrap_or(text.len());
    let (power, rest): (u32, &str) = match text.strip_prefix('^') {
        Some(behind) => {
            let (digits, rest) = behind.split_at(end(behind, &|c| c.is_ascii_digit()));
            (digits.parse().ok()?, rest)
        }
        None => {
            let (digits, rest) = text.split_at(end(text, &|c| RAISED.contains(&c)));
            let value = |power: u32, c: char| {
                let digit = RAISED.iter().position(|raised| *raised == c)?;
                power.checked_mul(10)?.checked_add(digit as u32)
            };
            (if digits.is_empty() { 1 } else { digits.chars().try_fold(0, value)? }, rest)
        }
    };
    // Works have small powers.
    let all = if power <= 100 { 0..power } else { return None };
    let product = all.into_iter().try_fold(Poly::constant(1), |product, _| product.times_within(base, MAX_PRODUCTS))?;
    Some((product, rest))
}

#[cfg(test)]
mod tests {
    use super::{Name, Poly, WorkFactor};

    fn read(text: &str) -> Poly {
        Poly::read(text).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn formulas_are_read_as_they_are_typed_and_as_they_are_shown() {
        for (text, meant) in [
            ("3*n", "3*n"),
            (" 3n ", "3*n"),
            ("4n² + 2n·k + 1", "2*k*n + 4*n^2 + 1"),
            ("n^2*n", "n^3"),
            ("n¹² + n^12", "2*n^12"),
            ("n^0", "1"),
            ("0", "0"),
            ("0 * n + 2", "2"),
            ("n1 k", "k*n1"),
            ("2 (n + 1)² k", "2*k*n^2 + 4*k*n + 2*k"),
            ("1 + (a + b + c + d)^12 n", "n*(a + b + c + d)^12 + 1"),
            ("((a + b + c + d)^12 + 1)^2", "(2 products)^2"),
        ] {
            assert_eq!(read(text).to_string(), meant, "{text}");
        }
        for text in [
            "",
            "+",
            "n +",
            "* n",
            "n ^",
            "n^-1",
            "n^101",
            "(n",
            "n)",
            "()",
            "n *",
            "n - 1",
            "3 .",
            "`",
            "n^99999999999",
            "¹",
        ] {
            assert_eq!(Poly::read(text), None, "{text}");
        }
    }

    #[test]
    fn an_order_is_what_grows_fastest() {
        for (work, order) in
            [("15n^2 + 3n + 1", "n^2"), ("n^2 + 4n*k + k", "k*n + n^2"), ("n^2 + k", "n^2 + k"), ("7", "1"), ("0", "0")]
        {
            assert_eq!(read(work).order().to_string(), order, "{work}");
        }
        for (one, other) in [("3n", "n"), ("n*k", "n^2*k"), ("n + k", "n*k"), ("5", "0"), ("0", "5"), ("n", "n^2 + k")]
        {
            assert!(read(one).grows_within(&read(other)), "{one} {other}");
        }
        for (one, other) in [("n^2", "n"), ("n*k", "n^2"), ("n + k", "n"), ("n", "5")] {
            assert!(!read(one).grows_within(&read(other)), "{one} {other}");
        }
        let powers = |all: &[(&str, u32)]| {
            let product = all.iter().map(|(name, power)| (WorkFactor::Size(Name::new(name)), *power)).collect();
            Poly::from_iter([(product, 1)])
        };
        let highest = powers(&[("k", 1), ("n", u32::MAX)]);
        assert_eq!(highest.plus(&powers(&[("n", u32::MAX)])).highest().len(), 1, "a degree beyond 2^32 - 1");
        let vast = Poly::constant(u128::MAX);
        assert!(!vast.grows_within(&read("n")) && read("n").grows_within(&vast) && vast.grows_within(&vast));
    }

    #[test]
    fn works_compare_by_what_decides_for_large_sizes() {
        for (less, more) in [
            ("3*n", "4*n"),
            ("3*n + 1000", "4*n"),
            ("1000*n", "n^2"),
            ("n*k + 5*k", "n^2*k"),
            ("5*n + 7*k", "n*k"),
            ("0", "1"),
            ("n^2", "n^2 + 1"),
        ] {
            assert!(read(less).is_below(&read(more)), "{less} < {more}");
            assert!(!read(more).is_below(&read(less)), "{less} < {more}");
        }
        for (one, other) in [("n", "n"), ("n", "k"), ("n*k", "n^2"), ("n^2 + k", "n^2 + n"), ("n*k", "n^2 + k^2")] {
            assert!(!read(one).is_below(&read(other)), "{one} {other}");
            assert!(!read(other).is_below(&read(one)), "{one} {other}");
        }
        let vast = Poly::constant(u128::MAX);
        assert!(!vast.is_below(&read("n")) && !read("1").is_below(&vast));
    }
}
