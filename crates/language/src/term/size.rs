//! Defines sizes: polynomials with natural coefficients in normal form, so that equal sizes are equal data.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::BuildHasher;
use std::rc::Rc;

use rustc_hash::FxBuildHasher;

use crate::ground::Name;
use crate::ground::cache::{self, Cache};
use crate::ground::polynomial::{Monomial, Polynomial};

/// A variable of a size polynomial.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SizeAtom {
    /// A size variable that a definition binds, or an open size.
    Var(Name),
    /// A size that inference or matching has yet to find. Never part of a finished term.
    Unknown(u32),
}

/// The most monomials that a size may have.
pub const MAX_TERMS: usize = 2_000;

/// The highest power of a variable in a size: a higher one exceeds every size that can be computed, but of 0 and 1, and a
/// size is written factor by factor.
const MAX_POWER: u32 = 64;

/// The largest size that can be written or computed: 2^63 - 1.
pub const MAX_SIZE: u64 = i64::MAX as u64;

/// A size: a polynomial with coefficients up to [`MAX_SIZE`].
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Size(Rc<Polynomial<SizeAtom>>);

thread_local! {
    static SIZES: Cache<Size, 256> = const { Cache::new() };
}

impl Size {
    /// A natural number.
    pub fn literal(value: u64) -> Size {
        Size::known(Polynomial::constant(u128::from(value)))
    }

    /// A size variable.
    pub fn var(name: &Name) -> Size {
        Size::atom(SizeAtom::Var(name.clone()))
    }

    /// An unknown, for inference.
    pub fn unknown(id: u32) -> Size {
        Size::atom(SizeAtom::Unknown(id))
    }

    /// A single atom.
    pub fn atom(atom: SizeAtom) -> Size {
        Size::known(Polynomial::var(atom))
    }

    /// Where it is in memory: equal where it is the same object.
    pub(super) fn address(&self) -> usize {
        Rc::as_ptr(&self.0).addr()
    }

    /// This polynomial as a size; `None` if a coefficient exceeds 2^63-1, there are too many monomials, or a power is too high.
    pub fn of(polynomial: Polynomial<SizeAtom>) -> Option<Size> {
        polynomial.is_within(MAX_TERMS, u128::from(MAX_SIZE), MAX_POWER).then(|| Size::known(polynomial))
    }

    /// The same object as before, if it is in the cache.
    fn known(polynomial: Polynomial<SizeAtom>) -> Size {
        if polynomial.iter().any(|(m, _)| m.iter().any(|(atom, _)| matches!(atom, SizeAtom::Unknown(_)))) {
            return Size(Rc::new(polynomial));
        }
        let key = FxBuildHasher.hash_one(&polynomial);
        let known = cache::find(&SIZES, key, |size| *size.0 == polynomial);
        known.unwrap_or_else(|| cache::kept(&SIZES, key, Size(Rc::new(polynomial))))
    }

    /// The polynomial that it is.
    pub fn polynomial(&self) -> &Polynomial<SizeAtom> {
        &self.0
    }

    /// The polynomial, monomial by monomial.
    pub fn terms(&self) -> impl Iterator<Item = (&Monomial<SizeAtom>, u64)> {
        self.0.iter().map(|(m, c)| (m, c as u64))
    }

    /// The sum; `None` where it is too large.
    pub fn plus(&self, other: &Size) -> Option<Size> {
        Size::of(self.0.plus(&other.0))
    }

    /// The product; `None` where it is too large.
    pub fn times(&self, other: &Size) -> Option<Size> {
        Size::of(self.0.times_within(&other.0, MAX_TERMS)?)
    }

    /// `self - other`, if that is a size for sure: no coefficient falls below zero.
    pub fn minus(&self, other: &Size) -> Option<Size> {
        self.0.minus(&other.0).map(Size::known)
    }

    /// `self / divisor`, if that is a size for sure and leaves no rest.
    pub fn divide(&self, divisor: &Size) -> Option<Size> {
        self.0.divide(&divisor.0).map(Size::known)
    }

    /// What an atom must stand for so that this size, in which it occurs, is `value`; the other atoms stand for themselves.
    /// `None` where there is no such size, or the equation isn't linear in the atom.
    pub fn solved_for(&self, atom: &SizeAtom, value: &Size) -> Option<Size> {
        let with = |size: Size| self.replace(|a| (a == atom).then(|| size.clone()));
        let rest = with(Size::literal(0))?;
        let factor = with(Size::literal(1))?.minus(&rest)?;
        let found = value.minus(&rest)?.divide(&factor)?;
        (with(found.clone()).as_ref() == Some(value)).then_some(found)
    }

    /// What both have in common taken away from both: an equation's sides in smallest form.
    pub fn cancel(&self, other: &Size) -> (Size, Size) {
        let (left, right) = self.0.cancel(&other.0);
        (Size::known(left), Size::known(right))
    }

    /// The number, if it is one.
    pub fn as_literal(&self) -> Option<u64> {
        let constant = self.constant();
        self.0.iter().all(|(monomial, _)| monomial.is_empty()).then_some(constant)
    }

    /// The atom, if it is a single one.
    pub fn as_atom(&self) -> Option<&SizeAtom> {
        let mut all = self.terms();
        match (all.next(), all.next()) {
            (Some((m, 1)), None) if m.len() == 1 && m[0].1 == 1 => Some(&m[0].0),
            _ => None,
        }
    }

    /// The constant part.
    pub fn constant(&self) -> u64 {
        self.0.coefficient(&[]) as u64
    }

    /// Every atom in it, in order, once for each monomial that has it.
    pub fn atoms(&self) -> impl Iterator<Item = &SizeAtom> {
        self.0.iter().flat_map(|(m, _)| m).map(|(a, _)| a)
    }

    /// Its value where each atom has the value that `value` says; saturates at 2^64-1.
    pub fn value(&self, mut value: impl FnMut(&SizeAtom) -> u64) -> u64 {
        u64::try_from(self.0.evaluated(|atom| value(atom).into())).unwrap_or(u64::MAX)
    }

    /// The least value it can take.
    pub fn least(&self, bounds: &SizeBounds) -> u64 {
        self.value(|a| match a {
            SizeAtom::Var(n) => bounds.lower(n),
            SizeAtom::Unknown(_) => 0,
        })
    }

    /// Replaces atoms; `None` where the result is too large. The same object where nothing is replaced.
    pub fn replace(&self, find: impl FnMut(&SizeAtom) -> Option<Size>) -> Option<Size> {
        let found: Vec<Option<Size>> = self.atoms().map(find).collect();
        if found.iter().all(Option::is_none) {
            return Some(self.clone());
        }
        let mut found = found.into_iter();
        let mut sum = Size::literal(0);
        for (m, c) in self.terms() {
            let mut product = Size::literal(c);
            for (a, power) in m {
                let factor = found.next().flatten().unwrap_or_else(|| Size::atom(a.clone()));
                for _ in 0..*power {
                    product = product.times(&factor)?;
                }
            }
            sum = sum.plus(&product)?;
        }
        Some(sum)
    }
}

impl fmt::Display for Size {
    /// In the notation of the language, highest degree first: `n * m + 2 * n + 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let term = |(monomial, c): (&[(SizeAtom, u32)], u128)| {
            let number = (c != 1 || monomial.is_empty()).then(|| c.to_string());
            let power = |(atom, power): &(SizeAtom, u32)| vec![atom.to_string(); *power as usize];
            number.into_iter().chain(monomial.iter().flat_map(power)).collect::<Vec<_>>().join(" * ")
        };
        let terms: Vec<String> = self.0.terms().into_iter().map(term).collect();
        f.write_str(&if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") })
    }
}

impl fmt::Debug for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for SizeAtom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SizeAtom::Var(n) => write!(f, "{n}"),
            SizeAtom::Unknown(_) => f.write_str("_"),
        }
    }
}

/// The lower bounds of open sizes; 0 for those not named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SizeBounds(BTreeMap<Name, u64>);

impl SizeBounds {
    /// The least value of this size variable.
    pub fn lower(&self, name: &Name) -> u64 {
        self.0.get(name).copied().unwrap_or(0)
    }

    /// Raises a bound; a lower one changes nothing.
    pub fn require(&mut self, name: &Name, lower: u64) {
        if lower > self.lower(name) {
            self.0.insert(name.clone(), lower);
        }
    }

    /// The bounds above 0, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&Name, u64)> {
        self.0.iter().map(|(n, b)| (n, *b))
    }
}
