//! Sizes: polynomials with natural coefficients in normal form, so that equal sizes are equal data.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::BuildHasher;
use std::rc::Rc;

use rustc_hash::FxBuildHasher;

use crate::ground::Name;
use crate::ground::lately::{self, Lately};

/// What a size polynomial is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Atom {
    /// A size variable that a definition binds, or an open size.
    Var(Name),
    /// A size that inference or matching has yet to find. Never part of a finished term.
    Unknown(u32),
}

/// A product of atoms, sorted, each with its power (at least 1). The empty product is 1.
pub type Monomial = Vec<(Atom, u32)>;

/// The most monomials that a size may have.
const MAX_TERMS: usize = 2_000;

/// The largest size that can be written or computed: 2^63 - 1.
pub const MAX_SIZE: u64 = i64::MAX as u64;

/// A size: a sum of monomials with coefficients of at least 1, the constant part under the empty monomial.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Size(Rc<BTreeMap<Monomial, u64>>);

thread_local! {
    static LATELY: Lately<Size, 256> = const { Lately::new() };
}

impl Size {
    /// A natural number.
    pub fn literal(value: u64) -> Size {
        Size::from_map(BTreeMap::from([(Vec::new(), value)]))
    }

    /// A size variable.
    pub fn var(name: &Name) -> Size {
        Size::atom(Atom::Var(name.clone()))
    }

    /// An unknown, for inference.
    pub fn unknown(id: u32) -> Size {
        Size::atom(Atom::Unknown(id))
    }

    /// A single atom.
    pub fn atom(atom: Atom) -> Size {
        Size::from_map(BTreeMap::from([(vec![(atom, 1)], 1)]))
    }

    /// Where it is in memory: equal where it is the same object.
    pub(super) fn address(&self) -> usize {
        Rc::as_ptr(&self.0).addr()
    }

    /// The size with these terms: the same object as lately, if it was made lately.
    fn from_map(mut map: BTreeMap<Monomial, u64>) -> Size {
        map.retain(|_, c| *c != 0);
        if map.keys().flatten().any(|(atom, _)| matches!(atom, Atom::Unknown(_))) {
            return Size(Rc::new(map));
        }
        let key = FxBuildHasher.hash_one(&map);
        let known = lately::find(&LATELY, key, |size| *size.0 == map);
        known.unwrap_or_else(|| lately::kept(&LATELY, key, Size(Rc::new(map))))
    }

    /// The polynomial, monomial by monomial.
    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, u64)> {
        self.0.iter().map(|(m, c)| (m, *c))
    }

    /// The sum; `None` if a coefficient exceeds 2^63-1 or there are too many monomials.
    pub fn plus(&self, other: &Size) -> Option<Size> {
        let mut map = (*self.0).clone();
        for (m, c) in other.0.iter() {
            let sum = map.get(m).copied().unwrap_or(0).checked_add(*c).filter(|c| *c <= MAX_SIZE)?;
            map.insert(m.clone(), sum);
        }
        (map.len() <= MAX_TERMS).then(|| Size::from_map(map))
    }

    /// The product; `None` as for [`Size::plus`].
    pub fn times(&self, other: &Size) -> Option<Size> {
        let mut map: BTreeMap<Monomial, u64> = BTreeMap::new();
        for (m1, c1) in self.0.iter() {
            for (m2, c2) in other.0.iter() {
                let entry = map.entry(multiply(m1, m2)?).or_insert(0);
                *entry = entry.checked_add(c1.checked_mul(*c2)?).filter(|c| *c <= MAX_SIZE)?;
                if map.len() > MAX_TERMS {
                    return None;
                }
            }
        }
        Some(Size::from_map(map))
    }

    /// `self - other`, if that is a size for sure: no coefficient falls below zero.
    pub fn minus(&self, other: &Size) -> Option<Size> {
        let mut map = (*self.0).clone();
        for (m, c) in other.0.iter() {
            let rest = map.get(m)?.checked_sub(*c)?;
            map.insert(m.clone(), rest);
        }
        Some(Size::from_map(map))
    }

    /// `self / divisor` for a divisor of one monomial, if it leaves no rest.
    pub fn divide(&self, divisor: &Size) -> Option<Size> {
        let mut only = divisor.0.iter();
        let (m, c) = only.next()?;
        if only.next().is_some() {
            return None;
        }
        let mut map = BTreeMap::new();
        for (m1, c1) in self.0.iter() {
            if c1 % c != 0 {
                return None;
            }
            map.insert(quotient(m1, m)?, c1 / c);
        }
        Some(Size::from_map(map))
    }

    /// What an atom must stand for so that this size, in which it occurs, is `value`; the other atoms stand for themselves.
    /// `None` where there is no such size, or the equation isn't linear in the atom.
    pub fn solved_for(&self, atom: &Atom, value: &Size) -> Option<Size> {
        let with = |size: Size| self.replace(|a| (a == atom).then(|| size.clone()));
        let rest = with(Size::literal(0))?;
        let factor = with(Size::literal(1))?.minus(&rest)?;
        let found = value.minus(&rest)?.divide(&factor)?;
        (with(found.clone()).as_ref() == Some(value)).then_some(found)
    }

    /// What both have in common taken away from both: an equation's sides in smallest form.
    pub fn cancel(&self, other: &Size) -> (Size, Size) {
        let (mut left, mut right) = ((*self.0).clone(), (*other.0).clone());
        for (m, c) in left.iter_mut() {
            if let Some(d) = right.get_mut(m) {
                let common = (*c).min(*d);
                *c -= common;
                *d -= common;
            }
        }
        (Size::from_map(left), Size::from_map(right))
    }

    /// The number, if it is one.
    pub fn as_literal(&self) -> Option<u64> {
        match self.0.len() {
            0 => Some(0),
            1 => self.0.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// The atom, if it is a single one.
    pub fn as_atom(&self) -> Option<&Atom> {
        let mut all = self.0.iter();
        match (all.next(), all.next()) {
            (Some((m, 1)), None) if m.len() == 1 && m[0].1 == 1 => Some(&m[0].0),
            _ => None,
        }
    }

    /// The constant part.
    pub fn constant(&self) -> u64 {
        self.0.get(&Vec::new()).copied().unwrap_or(0)
    }

    /// Every atom in it, in order, once for each monomial that has it.
    pub fn atoms(&self) -> impl Iterator<Item = &Atom> {
        self.0.keys().flatten().map(|(a, _)| a)
    }

    /// Its value where each atom has the value that `value` says; saturates at 2^64-1.
    pub fn value(&self, mut value: impl FnMut(&Atom) -> u64) -> u64 {
        let mut sum = 0u64;
        for (m, c) in self.0.iter() {
            let mut product = *c;
            for (a, power) in m {
                product = product.saturating_mul(value(a).saturating_pow(*power));
            }
            sum = sum.saturating_add(product);
        }
        sum
    }

    /// The least value it can take.
    pub fn least(&self, bounds: &Bounds) -> u64 {
        self.value(|a| match a {
            Atom::Var(n) => bounds.lower(n),
            Atom::Unknown(_) => 0,
        })
    }

    /// Replaces atoms; `None` where the result is too large. The same object where nothing is replaced.
    pub fn replace(&self, find: impl FnMut(&Atom) -> Option<Size>) -> Option<Size> {
        let found: Vec<Option<Size>> = self.atoms().map(find).collect();
        if found.iter().all(Option::is_none) {
            return Some(self.clone());
        }
        let mut found = found.into_iter();
        let mut sum = Size::literal(0);
        for (m, c) in self.0.iter() {
            let mut product = Size::literal(*c);
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

fn multiply(a: &Monomial, b: &Monomial) -> Option<Monomial> {
    let mut powers: BTreeMap<&Atom, u32> = a.iter().map(|(x, p)| (x, *p)).collect();
    for (x, p) in b {
        let entry = powers.entry(x).or_insert(0);
        *entry = entry.checked_add(*p)?;
    }
    Some(powers.into_iter().map(|(x, p)| (x.clone(), p)).collect())
}

fn quotient(a: &Monomial, b: &Monomial) -> Option<Monomial> {
    let mut powers: BTreeMap<&Atom, u32> = a.iter().map(|(x, p)| (x, *p)).collect();
    for (x, p) in b {
        let entry = powers.get_mut(x)?;
        *entry = entry.checked_sub(*p)?;
    }
    Some(powers.into_iter().filter(|(_, p)| *p > 0).map(|(x, p)| (x.clone(), p)).collect())
}

impl fmt::Display for Size {
    /// In the notation of the language, highest degree first: `n * m + 2 * n + 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut terms: Vec<_> = self.0.iter().collect();
        terms.sort_by_key(|(m, _)| std::cmp::Reverse(m.iter().map(|(_, p)| u64::from(*p)).sum::<u64>()));
        if terms.is_empty() {
            return f.write_str("0");
        }
        for (k, (m, c)) in terms.into_iter().enumerate() {
            if k > 0 {
                f.write_str(" + ")?;
            }
            let mut factors: Vec<String> = Vec::new();
            if *c != 1 || m.is_empty() {
                factors.push(c.to_string());
            }
            for (a, power) in m {
                for _ in 0..(*power).min(64) {
                    factors.push(a.to_string());
                }
            }
            f.write_str(&factors.join(" * "))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Atom::Var(n) => write!(f, "{n}"),
            Atom::Unknown(_) => f.write_str("_"),
        }
    }
}

/// The lower bounds of open sizes; 0 for those not named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounds(BTreeMap<Name, u64>);

impl Bounds {
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
