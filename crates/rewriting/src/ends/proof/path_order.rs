//! Searches for a lexicographic path order under which each law's left side is above its right side: depth first, without a
//! solver. Constructors are put above each other as the comparison of some sides asks for it, and taken back where that leads to
//! nothing.

use super::encoded::{EncodedLaw, Form};
use redexter_language::ground::{Budget, StopReason};

/// So many comparisons are made before the search gives up.
const MAX_COMPARISONS: usize = 20_000;

/// More constructors than these are not ordered.
const MAX_SYMBOLS: usize = 128;

/// An order of constructors, and from which side the children of each are compared.
#[derive(Clone, Debug)]
pub(super) struct PathOrder {
    /// For each constructor those that are below it, as bits; closed under going on.
    below: Vec<u128>,
    /// Whether from the right; none where it doesn't matter.
    from_right: Vec<Option<bool>>,
}

/// What is still to be shown: that the first is above the second, in a law that knows these variables to be no numbers.
#[derive(Clone, Copy)]
struct Goal<'a> {
    above: &'a Form,
    below: &'a Form,
    no_numbers: &'a [usize],
}

/// Goals as a list whose tails are shared.
enum Goals<'a, 'b> {
    None,
    And(Goal<'a>, &'b Goals<'a, 'b>),
}

struct OrderSearch<'a> {
    budget: &'a Budget,
    compared: usize,
}

/// An order that takes all of the laws, if one is found.
pub(super) fn path_order(
    laws: &[&EncodedLaw],
    symbols: usize,
    budget: &Budget,
) -> Result<Option<PathOrder>, StopReason> {
    if symbols > MAX_SYMBOLS {
        return Ok(None);
    }
    let order = PathOrder { below: vec![0; symbols], from_right: vec![None; symbols] };
    let mut search = OrderSearch { budget, compared: 0 };
    search.laws(laws, order)
}

impl PathOrder {
    /// The same with one constructor above another; none where it is below.
    fn with(&self, f: usize, g: usize) -> Option<PathOrder> {
        if f == g || self.below[g] >> f & 1 == 1 {
            return None;
        }
        let mut next = self.clone();
        let more = 1_u128 << g | self.below[g];
        for (k, below) in next.below.iter_mut().enumerate() {
            if k == f || self.below[k] >> f & 1 == 1 {
                *below |= more;
            }
        }
        Some(next)
    }

    /// The pairs from which the others follow.
    pub(super) fn pairs(&self) -> Vec<(usize, usize)> {
        let below = |f: usize| (0..self.below.len()).filter(move |g| self.below[f] >> g & 1 == 1);
        let direct = |f: usize, g: usize| !below(f).any(|h| self.below[h] >> g & 1 == 1);
        (0..self.below.len()).flat_map(|f| below(f).filter(move |g| direct(f, *g)).map(move |g| (f, g))).collect()
    }

    /// The constructors whose children are compared from the right.
    pub(super) fn reversed(&self) -> impl Iterator<Item = usize> {
        (0..self.from_right.len()).filter(|f| self.from_right[*f] == Some(true))
    }
}

impl OrderSearch<'_> {
    /// All laws, one after another: where a later one can't be taken, an earlier one is taken in another way.
    fn laws(&mut self, laws: &[&EncodedLaw], order: PathOrder) -> Result<Option<PathOrder>, StopReason> {
        let goals: Vec<Goal> = laws.iter().map(|law| Goal::of(law)).collect();
        self.all(&goals, &Goals::None, order)
    }

    /// First those of the slice, then those of the list.
    fn all(&mut self, first: &[Goal], then: &Goals, order: PathOrder) -> Result<Option<PathOrder>, StopReason> {
        match first.split_last() {
            None => self.solve(then, order),
            Some((last, rest)) => self.all(rest, &Goals::And(*last, then), order),
        }
    }

    fn solve(&mut self, goals: &Goals, order: PathOrder) -> Result<Option<PathOrder>, StopReason> {
        let Goals::And(goal, rest) = goals else { return Ok(Some(order)) };
        self.budget.tick()?;
        self.compared += 1;
        if self.compared > MAX_COMPARISONS {
            return Ok(None);
        }
        let Goal { above, below, no_numbers } = *goal;
        let part = |above, below| Goal { above, below, no_numbers };
        let (f, kids) = match (above, below) {
            (Form::Node(..), Form::Number | Form::Bound) | (Form::Bound, Form::Number) => {
                return self.solve(rest, order);
            }
            (Form::Var(j), Form::Number) if no_numbers.contains(j) => return self.solve(rest, order),
            (Form::Node(f, kids), _) => (*f, kids),
            _ => return Ok(None),
        };
        // A child is the right side already, or above it.
        if kids.iter().any(|kid| kid == below) {
            return self.solve(rest, order);
        }
        for kid in kids {
            if let Some(found) = self.solve(&Goals::And(part(kid, below), rest), order.clone())? {
                return Ok(Some(found));
            }
        }
        let Form::Node(g, others) = below else { return Ok(None) };
        if let Some(order) = order.with(f, *g) {
            let all: Vec<Goal> = others.iter().map(|other| part(above, other)).collect();
            return self.all(&all, rest, order);
        }
        if f != *g {
            return Ok(None);
        }
        for from_right in [false, true] {
            if order.from_right[f].is_some_and(|known| known != from_right) {
                continue;
            }
            let pairs: Vec<(&Form, &Form)> = match from_right {
                true => kids.iter().rev().zip(others.iter().rev()).collect(),
                false => kids.iter().zip(others).collect(),
            };
            let Some(k) = pairs.iter().position(|(kid, other)| kid != other) else { return Ok(None) };
            let mut next = order.clone();
            next.from_right[f] = Some(from_right);
            let mut all = vec![part(pairs[k].0, pairs[k].1)];
            all.extend(pairs[k + 1..].iter().map(|(_, other)| part(above, other)));
            if let Some(found) = self.all(&all, rest, next)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}

impl<'a> Goal<'a> {
    fn of(law: &'a EncodedLaw) -> Goal<'a> {
        Goal { above: &law.left, below: &law.right, no_numbers: &law.no_numbers }
    }
}
