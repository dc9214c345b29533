//! Transposes an affine map: takes a number that is affine in the numbers of a value apart into the coefficient of each of them,
//! and the rest. It knows terms and which variables depend on a parameter index.

use rustc_hash::FxHashMap;

use super::fold_parts::{SUMMAND_WAY, SumParts};
use super::ring::is_zero;
use crate::rule::condition::EnclosingMarks;
use redexter_language::term::{Kind, Prim, Size, Term, Type, TypeView, View};

/// The way from a value to one of its numbers.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct NumberPath(Vec<NumberAccess>);

#[derive(Clone, PartialEq, Eq)]
enum NumberAccess {
    Element(Size),
    First,
    Second,
}

impl NumberPath {
    fn rank(&self) -> u32 {
        self.0.iter().filter(|access| matches!(access, NumberAccess::Element(_))).count() as u32
    }
}

/// The ways to the numbers of a type of reals.
pub(super) fn leaves(ty: &Type) -> Option<Vec<NumberPath>> {
    let below = |access: NumberAccess, ty: &Type| {
        let all = leaves(ty)?.into_iter().map(|NumberPath(way)| NumberPath([vec![access.clone()], way].concat()));
        Some(all.collect::<Vec<NumberPath>>())
    };
    match ty.view() {
        TypeView::Real => Some(vec![NumberPath(Vec::new())]),
        TypeView::Array(n, element) => below(NumberAccess::Element(n.clone()), element),
        TypeView::Pair(a, b) => Some([below(NumberAccess::First, a)?, below(NumberAccess::Second, b)?].concat()),
        _ => None,
    }
}

/// A reason for which a number isn't taken apart.
type RefusalText = &'static str;

/// A reason, and the way to the part that is in the way.
type NotAffine = (RefusalText, Vec<u32>);

const TOO_LARGE: RefusalText = "a size of the result is too large";

/// A factor of the numbers at the end of one way, where all conditions hold. The indices on the way are variables of its own.
#[derive(Clone)]
struct LinearAddend {
    leaf: usize,
    /// What some of these indices, by their number on the way, must be.
    places: Vec<(usize, Term)>,
    conditions: Vec<Term>,
    factor: Term,
}

/// An affine combination: what stands before the numbers, and the rest that is added.
type AffineParts = (Vec<LinearAddend>, Option<Term>);

/// The value is the variable behind as many others as there are indices on the longest way.
pub(super) struct Transposition<'a> {
    leaves: &'a [NumberPath],
    indices: u32,
    enclosing: &'a EnclosingMarks<'a>,
    /// The parts of terms under so many more binders, where the value may stand in several parts.
    known: FxHashMap<(Term, u32), AffineParts>,
    /// The way to the part that is taken apart, from the body.
    way: Vec<u32>,
}

impl<'a> Transposition<'a> {
    /// What stands before each number of variable 0 of a body, under the indices on the way to it; and the rest. Neither
    /// mentions the variable; the rest has all others as the body has them, what stands before it has them without it.
    pub(super) fn of(
        body: &Term,
        leaves: &'a [NumberPath],
        enclosing: &'a EnclosingMarks<'a>,
    ) -> Result<(Vec<Term>, Option<Term>), NotAffine> {
        let indices = leaves.iter().map(NumberPath::rank).max().unwrap_or(0);
        let mut transpose = Transposition { leaves, indices, enclosing, known: FxHashMap::default(), way: Vec::new() };
        let (addends, rest) = match transpose.affine(&body.shift(indices), 0) {
            Ok(parts) => parts,
            Err(words) => return Err((words, transpose.way)),
        };
        let coefficient = |leaf: usize| {
            let own = addends.iter().filter(|addend| addend.leaf == leaf);
            let all = own.map(|addend| transpose.chosen(addend));
            let sum = all.reduce(|a, b| plus(a?, b?)).unwrap_or(Some(Term::real(0.0)))?;
            let unused = indices - leaves[leaf].rank();
            Some(sum.rename(|i| if i < indices { i - unused } else { i - unused - 1 }))
        };
        let coefficients = (0..leaves.len()).map(coefficient).collect::<Option<Vec<Term>>>();
        let coefficients = coefficients.ok_or((TOO_LARGE, Vec::new()))?;
        Ok((coefficients, rest.map(|rest| rest.rename(|i| i - indices))))
    }

    fn affine(&mut self, term: &Term, under: u32) -> Result<AffineParts, RefusalText> {
        if term.free_at(self.indices + under).is_none() {
            return Ok((Vec::new(), Some(term.clone())));
        }
        // Only where several children may hold the value is a part worth keeping: elsewhere the way goes on to one of them.
        if !matches!(term.kind(), Kind::Prim(Prim::Add | Prim::Sub) | Kind::If) {
            return self.taken_apart(term, under);
        }
        let key = (term.clone(), under);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let parts = self.taken_apart(term, under)?;
        self.known.insert(key, parts.clone());
        Ok(parts)
    }

    /// A part below the one that is taken apart. What isn't affine is where the way ends then.
    fn below(&mut self, kids: &[u32], term: &Term, under: u32) -> Result<AffineParts, RefusalText> {
        let above = self.way.len();
        self.way.extend(kids);
        // On failure the way isn't taken back, so that it leads to the part that is in the way.
        let parts = self.affine(term, under)?;
        self.way.truncate(above);
        Ok(parts)
    }

    fn taken_apart(&mut self, term: &Term, under: u32) -> Result<AffineParts, RefusalText> {
        let t = self.indices + under;
        if let Some(addend) = self.number(term, under)? {
            return Ok((vec![addend], None));
        }
        match term.view() {
            View::Prim(op, operands) => self.primitive(op, &operands, under),
            View::If(c, ..) if c.free_at(t).is_some() || self.is_tangent(&c, under) => {
                self.way.push(0);
                Err("a condition depends on the parameter's index")
            }
            View::If(c, a, b) => {
                let ((a, x), (b, y)) = (self.below(&[1], &a, under)?, self.below(&[2], &b, under)?);
                let rest = match (x, y) {
                    (None, None) => None,
                    (x, y) => {
                        let zero = || Term::real(0.0);
                        let both = (x.unwrap_or_else(zero), y.unwrap_or_else(zero));
                        Some(Term::if_else(c.clone(), both.0, both.1).map_err(|_| TOO_LARGE)?)
                    }
                };
                Ok((chosen_between(&c, a, b).ok_or(TOO_LARGE)?, rest))
            }
            View::Let(_, value, _) if value.free_at(t).is_some() || self.is_tangent(&value, under) => {
                self.way.push(0);
                Err("a let of another tangent stands in between")
            }
            View::Let(name, value, body) => {
                let (addends, rest) = self.below(&[1], &body, under + 1)?;
                let around = |part: &Term| match part.lower(1) {
                    Some(lower) => Some(lower),
                    None => Term::let_in(&name, value.clone(), part.clone()).ok(),
                };
                let addends = addends.iter().map(|addend| addend.with(&around)).collect::<Option<_>>();
                let rest = rest.map(|rest| around(&rest).ok_or(TOO_LARGE)).transpose()?;
                Ok((addends.ok_or(TOO_LARGE)?, rest))
            }
            _ => {
                let sum = SumParts::of(term).ok_or("it stands in what isn't linear, or as a whole")?;
                let (addends, rest) = self.below(SUMMAND_WAY, &sum.body, under + 1)?;
                let around = |body: Term| SumParts { body, ..sum.clone() }.term();
                let rest = rest.map(|body| around(body).ok_or(TOO_LARGE)).transpose()?;
                Ok((self.summed(addends, &around, under)?, rest))
            }
        }
    }

    /// One of the numbers itself.
    fn number(&self, term: &Term, under: u32) -> Result<Option<LinearAddend>, RefusalText> {
        let (mut head, mut way, mut indices) = (term.clone(), Vec::new(), Vec::new());
        loop {
            head = match head.view() {
                View::Get(array, index) => {
                    let TypeView::Array(n, _) = array.ty().view() else { return Ok(None) };
                    way.push(NumberAccess::Element(n.clone()));
                    indices.push(index);
                    array
                }
                View::Fst(pair) => {
                    way.push(NumberAccess::First);
                    pair
                }
                View::Snd(pair) => {
                    way.push(NumberAccess::Second);
                    pair
                }
                View::Var(i) if i == self.indices + under => break,
                _ => return Ok(None),
            };
        }
        way.reverse();
        let Some(leaf) = self.leaves.iter().position(|leaf| leaf.0 == way) else { return Ok(None) };
        // The index would itself vary with the parameter, so that the number wouldn't be linear in the value.
        let depends = |index: &Term| index.free_at(self.indices + under).is_some() || self.is_tangent(index, under);
        if indices.iter().any(depends) {
            return Err("an index depends on the parameter's index");
        }
        let places = indices.into_iter().rev().enumerate().collect();
        Ok(Some(LinearAddend { leaf, places, conditions: Vec::new(), factor: Term::real(1.0) }))
    }

    /// The variable of an index on the way, under so many more binders.
    fn own(&self, depth: usize, under: u32) -> u32 {
        self.indices - 1 - depth as u32 + under
    }

    fn primitive(&mut self, op: Prim, operands: &[Term], under: u32) -> Result<AffineParts, RefusalText> {
        let t = self.indices + under;
        let apply = |a: Term, b: Term| Term::prim(op, vec![a, b]).ok();
        let negative = |a: &Term| Term::prim(Prim::Neg, vec![a.clone()]).ok();
        let mapped = |(addends, rest): AffineParts, f: &dyn Fn(&Term) -> Option<Term>| {
            let addends = addends.iter().map(|addend| addend.times(f)).collect::<Option<Vec<LinearAddend>>>();
            let rest = rest.filter(|rest| !is_zero(rest)).map(|rest| f(&rest).ok_or(TOO_LARGE)).transpose()?;
            Ok((addends.ok_or(TOO_LARGE)?, rest))
        };
        match (op, operands) {
            (Prim::Add | Prim::Sub, [a, b]) => {
                let ((a, x), right) = (self.below(&[0], a, under)?, self.below(&[1], b, under)?);
                let (b, y) = if op == Prim::Add { right } else { mapped(right, &negative)? };
                let rest = match (x, y) {
                    (Some(x), Some(y)) => Some(plus(x, y).ok_or(TOO_LARGE)?),
                    (x, y) => x.or(y),
                };
                Ok((merged(a.into_iter().chain(b)).ok_or(TOO_LARGE)?, rest))
            }
            (Prim::Neg, [a]) => mapped(self.below(&[0], a, under)?, &negative),
            (Prim::Mul | Prim::Div, [a, b]) => {
                let left = a.free_at(t).is_some();
                let (inside, factor) = if left { (a, b) } else { (b, a) };
                if factor.free_at(t).is_some() || self.is_tangent(factor, under) || (op == Prim::Div && !left) {
                    return Err("it stands beside a factor that depends on the parameter's index");
                }
                let scale =
                    |a: &Term| if left { apply(a.clone(), factor.clone()) } else { apply(factor.clone(), a.clone()) };
                mapped(self.below(&[u32::from(!left)], inside, under)?, &scale)
            }
            _ => Err("it stands in what isn't linear, or as a whole"),
        }
    }

    /// The sums over variable 0 of addends: none is left where that is one of their indices.
    fn summed(
        &self,
        addends: Vec<LinearAddend>,
        around: &dyn Fn(Term) -> Option<Term>,
        under: u32,
    ) -> Result<Vec<LinearAddend>, RefusalText> {
        let (mut done, mut left) = (Vec::new(), Vec::new());
        for mut addend in addends {
            if let Some(at) = addend.places.iter().position(|(_, index)| matches!(index.view(), View::Var(0))) {
                let (depth, _) = addend.places.remove(at);
                // Only the iteration at that index counts, so that the sum goes, and its index becomes the one on the way.
                let own = self.own(depth, under + 1);
                let without = |part: &Term| part.rename(|j| if j == 0 { own } else { j }).lower(1);
                done.push(addend.with(&without).ok_or(TOO_LARGE)?);
                continue;
            }
            if addend.places.iter().any(|(_, index)| index.free_at(0).is_some()) {
                // The iteration that counts would have to be solved for.
                return Err("an index isn't a sum's own");
            }
            let conditions = std::mem::take(&mut addend.conditions);
            let (inside, outside): (Vec<Term>, Vec<Term>) =
                conditions.into_iter().partition(|c| c.free_at(0).is_some());
            addend.factor = under_all(&inside, addend.factor).ok_or(TOO_LARGE)?;
            left.push(LinearAddend { conditions: outside, ..addend });
        }
        for mut addend in merged(left).ok_or(TOO_LARGE)? {
            let body = std::mem::replace(&mut addend.factor, Term::real(0.0));
            let outside = addend.with(&|part| part.lower(1)).ok_or(TOO_LARGE)?;
            done.push(LinearAddend { factor: around(body).ok_or(TOO_LARGE)?, ..outside });
        }
        merged(done).ok_or(TOO_LARGE)
    }

    /// The factor where all conditions hold and the indices are where they must be, 0 elsewhere.
    fn chosen(&self, addend: &LinearAddend) -> Option<Term> {
        let place = |(depth, index): &(usize, Term)| {
            Term::prim(Prim::Eq, vec![index.clone(), Term::var(self.own(*depth, 0), index.ty())]).ok()
        };
        let places = addend.places.iter().map(place).collect::<Option<Vec<Term>>>()?;
        under_all(&places, under_all(&addend.conditions, addend.factor.clone())?)
    }

    fn is_tangent(&self, term: &Term, under: u32) -> bool {
        let outer = self.indices + under;
        term.free().any(|(i, _)| i.checked_sub(outer).is_some_and(|i| self.enclosing.is_marked(i)))
    }
}

impl LinearAddend {
    /// Whether both are factors of the same number under the same conditions.
    fn is_beside(&self, other: &LinearAddend) -> bool {
        (self.leaf, &self.places, &self.conditions) == (other.leaf, &other.places, &other.conditions)
    }

    fn under(mut self, condition: Term) -> LinearAddend {
        self.conditions.insert(0, condition);
        self
    }

    fn times(&self, f: &dyn Fn(&Term) -> Option<Term>) -> Option<LinearAddend> {
        Some(LinearAddend { factor: f(&self.factor)?, ..self.clone() })
    }

    fn with(&self, f: &dyn Fn(&Term) -> Option<Term>) -> Option<LinearAddend> {
        let places = self.places.iter().map(|(depth, index)| Some((*depth, f(index)?))).collect::<Option<_>>()?;
        let conditions = self.conditions.iter().map(f).collect::<Option<_>>()?;
        Some(LinearAddend { leaf: self.leaf, places, conditions, factor: f(&self.factor)? })
    }
}

/// With the factors of equal conditions added up.
fn merged(addends: impl IntoIterator<Item = LinearAddend>) -> Option<Vec<LinearAddend>> {
    let mut all: Vec<LinearAddend> = Vec::new();
    for addend in addends {
        match all.iter_mut().find(|known| known.is_beside(&addend)) {
            Some(known) => known.factor = plus(known.factor.clone(), addend.factor)?,
            None => all.push(addend),
        }
    }
    Some(all)
}

/// The first ones where the condition holds, the others elsewhere.
fn chosen_between(c: &Term, then: Vec<LinearAddend>, mut otherwise: Vec<LinearAddend>) -> Option<Vec<LinearAddend>> {
    let not = Term::prim(Prim::Not, vec![c.clone()]).ok()?;
    let mut all = Vec::new();
    for addend in then {
        all.push(match otherwise.iter().position(|other| other.is_beside(&addend)) {
            Some(at) => {
                let other = otherwise.remove(at);
                LinearAddend { factor: Term::if_else(c.clone(), addend.factor.clone(), other.factor).ok()?, ..addend }
            }
            None => addend.under(c.clone()),
        });
    }
    all.extend(otherwise.into_iter().map(|addend| addend.under(not.clone())));
    Some(all)
}

fn plus(a: Term, b: Term) -> Option<Term> {
    match b.view() {
        View::Prim(Prim::Neg, operands) => Term::prim(Prim::Sub, vec![a, operands.first()?.clone()]).ok(),
        _ => Term::prim(Prim::Add, vec![a, b]).ok(),
    }
}

/// Where all conditions hold the term, 0 elsewhere.
fn under_all(conditions: &[Term], term: Term) -> Option<Term> {
    conditions.iter().rev().try_fold(term, |inner, c| Term::if_else(c.clone(), inner, Term::real(0.0)).ok())
}
