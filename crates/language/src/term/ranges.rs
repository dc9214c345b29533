//! Shows that a whole number is an index below a size, wherever its variables are what their types say.
//!
//! The number is read as a polynomial in sizes and indices; quotients and remainders by a size count as indices of their own.
//! It is linear in each index (a power counts as one more), so that it is least and greatest where each index is 0 or its last
//! one. There it is a polynomial in sizes alone, which isn't negative if, counted from the least sizes, no coefficient is. Since
//! that is said of a normal form, laws of integers don't change what can be shown; and since numbers wrap as that form does, it
//! doesn't matter what they are on the way. What an index in the number shows is used, too: it exists, so that its size isn't 0.

use std::fmt;

use rustc_hash::FxHashMap;

use super::kind::Kind;
use super::node::Term;
use super::prim::Prim;
use super::size::{MAX_SIZE, Size, SizeAtom, SizeBounds};
use super::types::TypeView;
use crate::ground::polynomial::{Monomial, Polynomial};

/// What has to be at least 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeEnd {
    /// The number.
    Number,
    /// What it lacks to the last index.
    Room,
    /// What something is divided by, less 1.
    Divisor,
}

/// What can't be shown to be at least 0: of a number, or of what it lacks to a size.
#[derive(Clone, Debug)]
pub struct RangeGap {
    /// What it is.
    pub of: RangeEnd,
    /// What is added, at the place where too little is known.
    pub plus: Polynomial<SizeAtom>,
    /// What is taken away from it.
    pub minus: Polynomial<SizeAtom>,
}

impl RangeGap {
    /// The size that has to be at least so much, if that is all that is missing.
    pub fn lacking(&self) -> Option<(Size, u64)> {
        let least = u64::try_from(self.minus.coefficient(&[])).ok()?;
        let only = self.minus.iter().all(|(product, _)| product.is_empty()) && !self.plus.is_zero();
        Size::of(self.plus.clone()).filter(|_| only).map(|size| (size, least))
    }
}

impl fmt::Display for RangeGap {
    /// `n - 1`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text =
            |p: &Polynomial<SizeAtom>| Size::of(p.clone()).map_or_else(|| "…".to_owned(), |size| size.to_string());
        match self.plus.is_zero() {
            true if self.minus.iter().count() > 1 => write!(f, "-({})", text(&self.minus)),
            true => write!(f, "-{}", text(&self.minus)),
            false if self.minus.iter().count() > 1 => write!(f, "{} - ({})", text(&self.plus), text(&self.minus)),
            false => write!(f, "{} - {}", text(&self.plus), text(&self.minus)),
        }
    }
}

/// The most monomials of a number, and of what it is at an end.
const MAX_MONOMIALS: usize = 40;

/// The highest power of a size or an index.
const MAX_POWER: u32 = 8;

/// The most powers of indices in a number: it is looked at at two to that many places.
const MAX_INDICES: usize = 6;

/// The number of an index among those that were met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct IndexNumber(usize);

/// A size or an index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum RangeAtom {
    Size(SizeAtom),
    Index(IndexNumber),
}

/// A polynomial with integer coefficients, as a difference in lowest terms.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PolynomialDifference<V> {
    plus: Polynomial<V>,
    minus: Polynomial<V>,
}

impl<V: Ord + Clone> PolynomialDifference<V> {
    /// `None` where it is too large to be looked at.
    fn of(plus: &Polynomial<V>, minus: &Polynomial<V>) -> Option<PolynomialDifference<V>> {
        let (plus, minus) = plus.cancel(minus);
        let small = |p: &Polynomial<V>| p.is_within(MAX_MONOMIALS, u128::MAX - 1, MAX_POWER);
        (small(&plus) && small(&minus)).then_some(PolynomialDifference { plus, minus })
    }

    fn natural(plus: Polynomial<V>) -> PolynomialDifference<V> {
        PolynomialDifference { plus, minus: Polynomial::default() }
    }

    fn add(&self, other: &PolynomialDifference<V>) -> Option<PolynomialDifference<V>> {
        PolynomialDifference::of(&self.plus.plus(&other.plus), &self.minus.plus(&other.minus))
    }

    fn subtract(&self, other: &PolynomialDifference<V>) -> Option<PolynomialDifference<V>> {
        PolynomialDifference::of(&self.plus.plus(&other.minus), &self.minus.plus(&other.plus))
    }

    fn multiply(&self, other: &PolynomialDifference<V>) -> Option<PolynomialDifference<V>> {
        let times = |a: &Polynomial<V>, b: &Polynomial<V>| a.times_within(b, MAX_MONOMIALS);
        let plus = times(&self.plus, &other.plus)?.plus(&times(&self.minus, &other.minus)?);
        let minus = times(&self.plus, &other.minus)?.plus(&times(&self.minus, &other.plus)?);
        PolynomialDifference::of(&plus, &minus)
    }

    /// The same where each atom, with its power, is what is given.
    fn replaced<W: Ord + Clone>(
        &self,
        by: impl Fn(&V, u32) -> Option<PolynomialDifference<W>>,
    ) -> Option<PolynomialDifference<W>> {
        let mut sum = PolynomialDifference::natural(Polynomial::default());
        for (all, sign) in [(&self.plus, true), (&self.minus, false)] {
            for (monomial, c) in all.iter() {
                let mut product = PolynomialDifference::natural(Polynomial::constant(c));
                for (atom, power) in monomial {
                    product = product.multiply(&by(atom, *power)?)?;
                }
                sum = if sign { sum.add(&product)? } else { sum.subtract(&product)? };
            }
        }
        Some(sum)
    }
}

/// An index that a number is made of.
struct RangeIndex {
    /// The variable, by its number from the outermost binder that is known, or what is divided by what.
    what: IndexOrigin,
    /// What it is below.
    below: Size,
    /// Sizes that are at least 1 where it exists.
    shows: Vec<SizeAtom>,
}

#[derive(PartialEq)]
enum IndexOrigin {
    Variable(i64),
    Divided(Prim, PolynomialDifference<RangeAtom>, Size),
    Other,
}

/// Reads numbers and asks for their ranges.
pub struct RangeProver<'a> {
    /// The least sizes.
    bounds: &'a SizeBounds,
    /// What the variables in scope that hold whole numbers are, outermost first, each in the scope of those before it.
    values: &'a [Option<Term>],
    indices: Vec<RangeIndex>,
    /// Numbers that were read, in the scope of so many variables: a term may hold one often.
    read: FxHashMap<(Term, usize), Option<PolynomialDifference<RangeAtom>>>,
    /// Why the number couldn't be read, where that can be said.
    gap: Option<RangeGap>,
}

impl<'a> RangeProver<'a> {
    /// A reader where sizes have these lower bounds, and variables these values, as far as they are known.
    pub fn new(bounds: &'a SizeBounds, values: &'a [Option<Term>]) -> RangeProver<'a> {
        RangeProver { bounds, values, indices: Vec::new(), read: FxHashMap::default(), gap: None }
    }

    /// Shows that a number is an index below this size; else says what is missing, as far as that can be said.
    pub fn is_index(&mut self, number: &Term, size: &Size) -> Result<(), Option<RangeGap>> {
        let read = self.number(number, self.values.len(), &[size]);
        let number = read.ok_or_else(|| self.gap.take())?;
        self.at_least_zero(&number)?;
        let room = self.natural(size).subtract(&constant(1)).and_then(|last| last.subtract(&number)).ok_or(None)?;
        self.at_least_zero_within(&room, &number, RangeEnd::Room)
    }

    /// Shows that a number is no index below this size: that it is negative, or at least the size.
    pub fn is_no_index(&mut self, number: &Term, size: &Size) -> bool {
        let Some(number) = self.number(number, self.values.len(), &[]) else { return false };
        // Else it could wrap into the range: a size can be as large as any whole number.
        let is_within = |p: &Polynomial<RangeAtom>, most: u128| largest(p).is_some_and(|value| value <= most);
        let negative =
            || is_within(&number.minus, 1 << 63).then(|| constant(0).subtract(&constant(1))?.subtract(&number))?;
        let beyond = || is_within(&number.plus, u64::MAX.into()).then(|| number.subtract(&self.natural(size)))?;
        let shown =
            |rest: PolynomialDifference<RangeAtom>| self.at_least_zero_within(&rest, &number, RangeEnd::Number).is_ok();
        negative().is_some_and(shown) || beyond().is_some_and(shown)
    }

    fn natural(&self, size: &Size) -> PolynomialDifference<RangeAtom> {
        PolynomialDifference::natural(size.polynomial().renamed(|atom| Some(RangeAtom::Size(atom.clone()))))
    }

    /// The number that a term is, in the scope of so many variables. What it reads are indices that exist; an array of each
    /// of `sizes` does, too.
    fn number(&mut self, term: &Term, depth: usize, sizes: &[&Size]) -> Option<PolynomialDifference<RangeAtom>> {
        let key = (term.clone(), depth);
        if let Some(known) = self.read.get(&key) {
            return known.clone();
        }
        let number = self.number_anew(term, depth, sizes);
        self.read.insert(key, number.clone());
        number
    }

    fn number_anew(&mut self, term: &Term, depth: usize, sizes: &[&Size]) -> Option<PolynomialDifference<RangeAtom>> {
        match term.kind() {
            Kind::Int(x) if *x >= 0 => {
                Some(PolynomialDifference::natural(Polynomial::constant(x.unsigned_abs().into())))
            }
            Kind::Int(x) => {
                constant(0).subtract(&PolynomialDifference::natural(Polynomial::constant(x.unsigned_abs().into())))
            }
            Kind::SizeVar(name) => Some(self.natural(&Size::var(name))),
            Kind::Prim(Prim::ToInt) => self.index(&term.kid(0), depth, sizes),
            Kind::Prim(Prim::Neg) => constant(0).subtract(&self.number(&term.kid(0), depth, sizes)?),
            Kind::Prim(op @ (Prim::Add | Prim::Sub | Prim::Mul | Prim::Quot | Prim::Rem)) => {
                let a = self.number(&term.kid(0), depth, sizes)?;
                let b = self.number(&term.kid(1), depth, sizes)?;
                match op {
                    Prim::Add => a.add(&b),
                    Prim::Sub => a.subtract(&b),
                    Prim::Mul => a.multiply(&b),
                    _ => self.divided(*op, a, &b, sizes),
                }
            }
            Kind::Var => {
                let level = depth.checked_sub(1 + term.places()[0] as usize)?;
                let value = self.values[level].as_ref()?;
                self.number(value, level, sizes)
            }
            _ => None,
        }
    }

    /// The number of an index.
    fn index(&mut self, term: &Term, depth: usize, sizes: &[&Size]) -> Option<PolynomialDifference<RangeAtom>> {
        let TypeView::Fin(below) = term.ty().view() else { return None };
        match term.kind() {
            Kind::Fin(c, _) => Some(PolynomialDifference::natural(Polynomial::constant((*c).into()))),
            Kind::Within(_) => self.number(&term.kid(0), depth, sizes),
            Kind::Prim(Prim::Offset(c)) => {
                let offset = PolynomialDifference::natural(Polynomial::constant((*c).into()));
                self.index(&term.kid(0), depth, sizes)?.add(&offset)
            }
            Kind::Prim(Prim::Add) => {
                let a = self.index(&term.kid(0), depth, sizes)?;
                a.add(&self.index(&term.kid(1), depth, sizes)?)
            }
            Kind::Var => {
                let level = depth as i64 - 1 - i64::from(term.places()[0]);
                self.atom(IndexOrigin::Variable(level), below.clone(), Vec::new())
            }
            _ => self.atom(IndexOrigin::Other, below.clone(), Vec::new()),
        }
    }

    /// An index, which is the same where it is of the same origin.
    fn atom(
        &mut self,
        what: IndexOrigin,
        below: Size,
        shows: Vec<SizeAtom>,
    ) -> Option<PolynomialDifference<RangeAtom>> {
        let is_same = |index: &RangeIndex| what != IndexOrigin::Other && index.what == what;
        let known = self.indices.iter().position(is_same);
        let number = known.unwrap_or_else(|| {
            let mut shows = shows;
            // A product is at least 1 where each factor is; that a sum is not 0 is asked where it matters.
            if below.terms().count() == 1 {
                shows.extend(below.atoms().cloned());
            }
            self.indices.push(RangeIndex { what, below, shows });
            self.indices.len() - 1
        });
        Some(PolynomialDifference::natural(Polynomial::var(RangeAtom::Index(IndexNumber(number)))))
    }

    /// `a / b` and `a % b` for an a that isn't negative and below a size that exists, and a size b that isn't 0.
    fn divided(
        &mut self,
        op: Prim,
        a: PolynomialDifference<RangeAtom>,
        b: &PolynomialDifference<RangeAtom>,
        sizes: &[&Size],
    ) -> Option<PolynomialDifference<RangeAtom>> {
        let by = b.minus.is_zero().then(|| b.plus.renamed(size_alone))?;
        let by = (self.natural(&Size::of(by.clone())?) == *b).then(|| Size::of(by))??;
        self.at_least_zero(&a).ok()?;
        let mut all: Vec<Size> = sizes.iter().map(|size| (*size).clone()).collect();
        all.extend(self.of(&a).map(|index| index.below.clone()));
        all.push(Size::literal(MAX_SIZE));
        all.retain(|size| self.is_below(&a, size));
        let rounded_up = |size: &Size| {
            let (by, over) = (by.as_literal()?, u64::try_from(size.polynomial().coefficient(&[])).ok()?);
            size.plus(&Size::literal(over.next_multiple_of(by.max(1)).checked_sub(over)?))
        };
        let exact = all.iter().find_map(|size| rounded_up(size).unwrap_or_else(|| size.clone()).divide(&by));
        let exists = exact.is_some() || self.exceeds_zero(&by, &a);
        let below = match op {
            Prim::Rem => by.clone(),
            _ => exact.or_else(|| all.first().cloned())?,
        };
        if !exists {
            self.gap =
                Some(RangeGap { of: RangeEnd::Divisor, plus: by.polynomial().clone(), minus: Polynomial::constant(1) });
        }
        if !exists || all.is_empty() {
            return None;
        }
        let shows = self.shown(&a);
        self.atom(IndexOrigin::Divided(op, a, by), below, shows)
    }

    fn is_below(&self, number: &PolynomialDifference<RangeAtom>, size: &Size) -> bool {
        let last = self.natural(size).subtract(&constant(1));
        let room = last.and_then(|last| last.subtract(number));
        room.is_some_and(|room| self.at_least_zero_within(&room, number, RangeEnd::Room).is_ok())
    }

    /// Whether a size isn't 0 where this number exists.
    fn exceeds_zero(&self, size: &Size, number: &PolynomialDifference<RangeAtom>) -> bool {
        let rest = self.natural(size).subtract(&constant(1));
        rest.is_some_and(|rest| self.at_least_zero_within(&rest, number, RangeEnd::Room).is_ok())
    }

    /// The indices in a number.
    fn of(&self, number: &PolynomialDifference<RangeAtom>) -> impl Iterator<Item = &RangeIndex> {
        powers(number).into_iter().map(|(IndexNumber(k), _)| &self.indices[k])
    }

    /// The sizes that aren't 0 where a number exists.
    fn shown(&self, number: &PolynomialDifference<RangeAtom>) -> Vec<SizeAtom> {
        self.of(number).flat_map(|index| &index.shows).cloned().collect()
    }

    fn at_least_zero(&self, number: &PolynomialDifference<RangeAtom>) -> Result<(), Option<RangeGap>> {
        self.at_least_zero_within(number, number, RangeEnd::Number)
    }

    /// Whether a number is at least 0 at each end of its indices, where another one exists.
    fn at_least_zero_within(
        &self,
        number: &PolynomialDifference<RangeAtom>,
        of: &PolynomialDifference<RangeAtom>,
        end_of: RangeEnd,
    ) -> Result<(), Option<RangeGap>> {
        let powers = powers(number);
        if powers.len() > MAX_INDICES {
            return Err(None);
        }
        let shown = self.shown(of);
        let mut found: Option<RangeGap> = None;
        for end in 0..1usize << powers.len() {
            let at = |atom: &RangeAtom, power: u32| match atom {
                RangeAtom::Size(atom) => {
                    Some(power_of(&PolynomialDifference::natural(Polynomial::var(atom.clone())), power)?)
                }
                RangeAtom::Index(index) => {
                    let k = powers.iter().position(|known| *known == (*index, power))?;
                    let last =
                        PolynomialDifference::of(self.indices[index.0].below.polynomial(), &Polynomial::constant(1))?;
                    if end >> k & 1 == 1 {
                        power_of(&last, power)
                    } else {
                        Some(PolynomialDifference::natural(Polynomial::default()))
                    }
                }
            };
            let there = number.replaced(at).ok_or(None)?;
            let least = |atom: &SizeAtom, power: u32| {
                let SizeAtom::Var(name) = atom else { return None };
                let bound = self.bounds.lower(name).max(shown.contains(atom).into());
                let sum = Polynomial::var(atom.clone()).plus(&Polynomial::constant(bound.into()));
                power_of(&PolynomialDifference::natural(sum), power)
            };
            let is_natural = |sum: &PolynomialDifference<SizeAtom>| Some(sum.replaced(least)?.minus.is_zero());
            // An index exists, so that its size less 1 is at least 0, and so is what is at least that.
            let exceeds_last = |index: &RangeIndex| {
                let last = PolynomialDifference::of(index.below.polynomial(), &Polynomial::constant(1))?;
                is_natural(&there.subtract(&last)?)
            };
            if !is_natural(&there).ok_or(None)? && !self.of(of).any(|index| exceeds_last(index) == Some(true)) {
                let gap = RangeGap { of: end_of, plus: there.plus, minus: there.minus };
                // What larger sizes wouldn't help is told first.
                if found.as_ref().is_none_or(|known| known.lacking().is_some()) {
                    found = Some(gap);
                }
            }
        }
        found.map_or(Ok(()), |gap| Err(Some(gap)))
    }
}

/// What a sum of sizes and indices is at most, each being at most the largest size; `None` for products of these.
fn largest(sum: &Polynomial<RangeAtom>) -> Option<u128> {
    sum.iter().try_fold(0u128, |all, (product, c)| {
        let each: u128 = match &product[..] {
            [] => 1,
            [(_, 1)] => MAX_SIZE.into(),
            _ => return None,
        };
        all.checked_add(each.checked_mul(c)?)
    })
}

fn constant(value: u128) -> PolynomialDifference<RangeAtom> {
    PolynomialDifference::natural(Polynomial::constant(value))
}

fn size_alone(atom: &RangeAtom) -> Option<SizeAtom> {
    match atom {
        RangeAtom::Size(atom) => Some(atom.clone()),
        RangeAtom::Index(_) => None,
    }
}

fn power_of<V: Ord + Clone>(base: &PolynomialDifference<V>, power: u32) -> Option<PolynomialDifference<V>> {
    (1..power).try_fold(base.clone(), |product, _| product.multiply(base))
}

/// The indices of a number with their powers, each once.
fn powers(number: &PolynomialDifference<RangeAtom>) -> Vec<(IndexNumber, u32)> {
    let mut all: Vec<(IndexNumber, u32)> = Vec::new();
    let of = |product: &Monomial<RangeAtom>| product.clone();
    for (atom, power) in number.plus.iter().chain(number.minus.iter()).flat_map(|(product, _)| of(product)) {
        if let RangeAtom::Index(index) = atom
            && !all.contains(&(index, power))
        {
            all.push((index, power));
        }
    }
    all
}
