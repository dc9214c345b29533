//! What work is measured in.

use crate::ground::Name;
use crate::ground::polynomial::{Monomial, Polynomial};
use crate::ground::text::{RAISED, begins_name, in_word};
use crate::term::{Atom, Size};

/// A polynomial in size variables.
pub type Poly = Polynomial<Name>;

impl Poly {
    /// A size as a polynomial. An unknown, which no finished term has, counts as 0.
    pub fn size(size: &Size) -> Poly {
        size.polynomial().renamed(|atom| match atom {
            Atom::Var(name) => Some(name.clone()),
            Atom::Unknown(_) => None,
        })
    }

    /// Reads a sum of products of numbers and sizes, as work prints and as one types it: `3*n^2 + 2k`, `3n² + 2n·k`.
    pub fn read(text: &str) -> Option<Poly> {
        text.split('+').map(product).try_fold(Poly::default(), |sum, more| Some(sum.plus(&more?)))
    }

    /// The products of sizes of its highest degree.
    pub fn highest(&self) -> Vec<Monomial<Name>> {
        let terms = self.terms();
        let degree = |product: &[(Name, u32)]| product.iter().map(|(_, power)| *power).sum::<u32>();
        let highest = terms.iter().map(|(product, _)| degree(product)).max().unwrap_or(0);
        let first = terms.iter().filter(|(product, _)| degree(product) == highest);
        first.map(|(product, _)| product.to_vec()).collect()
    }

    /// Whether it is less than another as soon as all sizes are large enough: of their difference, each product that
    /// speaks against it divides a higher one that speaks for it. `n*k` and `n^2` are neither below the other.
    pub fn is_below(&self, other: &Poly) -> bool {
        let saturated = |poly: &Poly| poly.iter().any(|(_, coefficient)| coefficient == u128::MAX);
        if saturated(self) || saturated(other) {
            return false;
        }
        let (against, in_favour) = self.cancel(other);
        !in_favour.is_zero()
            && against.iter().all(|(low, _)| in_favour.iter().any(|(high, _)| low != high && divides(low, high)))
    }

    /// Its order of growth: the products of sizes that divide no other one of it, each once.
    pub fn order(&self) -> Poly {
        let highest = |product: &[(Name, u32)]| self.iter().all(|(more, _)| more == product || !divides(product, more));
        let each = |(product, coefficient): (&Vec<(Name, u32)>, u128)| {
            // Too much to say stays so.
            (product.clone(), if coefficient == u128::MAX { coefficient } else { 1 })
        };
        self.iter().filter(|(product, _)| highest(product)).map(each).collect()
    }

    /// Whether it grows no faster than another, whichever sizes grow: each of its products divides one of the other's.
    /// Numbers without sizes, 0 among them, grow alike.
    pub fn grows_within(&self, other: &Poly) -> bool {
        let saturated = |poly: &Poly| poly.iter().any(|(_, coefficient)| coefficient == u128::MAX);
        let within = |low: &[(Name, u32)]| low.is_empty() || other.iter().any(|(high, _)| divides(low, high));
        saturated(other) || !saturated(self) && self.iter().all(|(low, _)| within(low))
    }
}

/// Whether each size of one product is in another, with as high a power.
fn divides(one: &[(Name, u32)], other: &[(Name, u32)]) -> bool {
    one.iter().all(|(size, power)| other.iter().any(|(same, higher)| size == same && power <= higher))
}

/// `3*n^2*k`, `3n²·k`
fn product(text: &str) -> Option<Poly> {
    let (mut rest, mut product, mut first) = (text.trim(), Poly::constant(1), true);
    while first || !rest.is_empty() {
        let separated = rest.strip_prefix(['*', '·']).map(str::trim_start);
        rest = if first { rest } else { separated.unwrap_or(rest) };
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let factor;
        if digits > 0 {
            factor = Poly::constant(rest[..digits].parse().ok()?);
            rest = &rest[digits..];
        } else if begins_name(rest) {
            let end = rest.find(|c: char| !in_word(c) || RAISED.contains(&c)).unwrap_or(rest.len());
            let power;
            (power, rest) = raised(&rest[end..], &rest[..end])?;
            factor = power;
        } else {
            return None;
        }
        product = product.times_within(&factor, 1)?;
        (rest, first) = (rest.trim_start(), false);
    }
    Some(product)
}

/// A size to the power that a text begins with, and what follows it.
fn raised<'a>(text: &'a str, size: &str) -> Option<(Poly, &'a str)> {
    let end = |text: &str, digit: &dyn Fn(char) -> bool| text.find(|c| !digit(c)).unwrap_or(text.len());
    let (power, rest) = match text.strip_prefix('^') {
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
    let base = Poly::var(Name::new(size));
    let power: u32 = power;
    // Works have small powers.
    (power <= 100).then(|| ((0..power).fold(Poly::constant(1), |product, _| product.times(&base)), rest))
}

#[cfg(test)]
mod tests {
    use super::Poly;

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
        ] {
            assert_eq!(read(text).to_string(), meant, "{text}");
        }
        for text in
            ["", "+", "n +", "* n", "n ^", "n^-1", "n^101", "(n)", "n *", "n - 1", "3 .", "`", "n^99999999999", "¹"]
        {
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
