//! Searches for a lexicographic path order under which each law's left side is above its right side: depth first, without a
//! solver. Constructors are put above each other, or on one level, as the comparison of some sides asks for it, and taken back
//! where that leads to nothing.

use super::encoded::{EncodedLaw, Form};
use redexter_language::ground::{Budget, StopReason};

/// So many comparisons are made before the search gives up.
const MAX_COMPARISONS: usize = 20_000;

/// More constructors than these are not ordered.
const MAX_SYMBOLS: usize = 128;

/// In which order the children of a constructor are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChildOrder {
    FromLeft,
    FromRight,
    /// The last, and then the others from the left, as the branch behind `else` and then the condition.
    LastFirst,
}

/// An order of constructors, and in which order the children of each are compared.
#[derive(Clone, Debug)]
pub(super) struct PathOrder {
    /// For each constructor those that are below it, as bits; closed under going on.
    below: Vec<u128>,
    /// For each those on its level, itself among them.
    level: Vec<u128>,
    /// None where it doesn't matter.
    children: Vec<Option<ChildOrder>>,
}

/// What is still to be shown: that the first is above the second, both of a law.
#[derive(Clone, Copy)]
struct Goal<'a> {
    above: &'a Form,
    below: &'a Form,
    law: &'a EncodedLaw,
}

/// Goals as a list whose tails are shared.
enum Goals<'a, 'b> {
    None,
    And(Goal<'a>, &'b Goals<'a, 'b>),
}

struct OrderSearch<'a> {
    budget: &'a Budget,
    compared: usize,
    /// Whether constructors may be put on one level.
    levels: bool,
}

/// An order that takes all of the laws, if one is found: first one without levels is looked for.
pub(super) fn path_order(
    laws: &[&EncodedLaw],
    symbols: usize,
    budget: &Budget,
) -> Result<Option<PathOrder>, StopReason> {
    if symbols > MAX_SYMBOLS {
        return Ok(None);
    }
    let order = PathOrder {
        below: vec![0; symbols],
        level: (0..symbols).map(|f| 1 << f).collect(),
        children: vec![None; symbols],
    };
    for levels in [false, true] {
        let mut search = OrderSearch { budget, compared: 0, levels };
        if let Some(found) = search.laws(laws, order.clone())? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

impl PathOrder {
    fn is_above(&self, f: usize, g: usize) -> bool {
        self.below[f] >> g & 1 == 1
    }

    /// The same with one constructor above another; none where it is below or on its level.
    fn with(&self, f: usize, g: usize) -> Option<PathOrder> {
        if self.level[f] >> g & 1 == 1 || self.is_above(g, f) {
            return None;
        }
        let mut next = self.clone();
        let more = self.level[g] | self.below[g];
        for (k, below) in next.below.iter_mut().enumerate() {
            if self.level[f] >> k & 1 == 1 || *below & self.level[f] != 0 {
                *below |= more;
            }
        }
        Some(next)
    }

    /// The same with two constructors on one level; none where one is above the other.
    fn level_with(&self, f: usize, g: usize) -> Option<PathOrder> {
        if self.is_above(f, g) || self.is_above(g, f) {
            return None;
        }
        let children = match (self.children[f], self.children[g]) {
            (Some(a), Some(b)) if a != b => return None,
            (a, b) => a.or(b),
        };
        let mut next = self.clone();
        let (all, under) = (self.level[f] | self.level[g], self.below[f] | self.below[g]);
        for k in 0..next.below.len() {
            if all >> k & 1 == 1 {
                (next.level[k], next.below[k], next.children[k]) = (all, under, children);
            } else if self.below[k] & all != 0 {
                next.below[k] |= all | under;
            }
        }
        Some(next)
    }

    /// The same with the children of a constructor and of those on its level compared in this order; none where it is
    /// another.
    fn comparing(&self, f: usize, by: ChildOrder) -> Option<PathOrder> {
        if self.children[f].is_some_and(|known| known != by) {
            return None;
        }
        let mut next = self.clone();
        for (k, children) in next.children.iter_mut().enumerate() {
            if self.level[f] >> k & 1 == 1 {
                *children = Some(by);
            }
        }
        Some(next)
    }

    /// The pairs from which the others follow: the first above the second.
    pub(super) fn pairs(&self) -> Vec<(usize, usize)> {
        let below = |f: usize| (0..self.below.len()).filter(move |g| self.is_above(f, *g));
        let direct = |f: usize, g: usize| !below(f).any(|h| self.is_above(h, g));
        (0..self.below.len()).flat_map(|f| below(f).filter(move |g| direct(f, *g)).map(move |g| (f, g))).collect()
    }

    /// The pairs of constructors on one level.
    pub(super) fn levels(&self) -> Vec<(usize, usize)> {
        let count = self.level.len();
        (0..count)
            .flat_map(|f| (f + 1..count).filter(move |g| self.level[f] >> g & 1 == 1).map(move |g| (f, g)))
            .collect()
    }

    /// The constructors whose children are compared in this order.
    pub(super) fn compared(&self, by: ChildOrder) -> impl Iterator<Item = usize> {
        (0..self.children.len()).filter(move |f| self.children[*f] == Some(by))
    }
}

impl ChildOrder {
    fn of(self, kids: &[Form]) -> Vec<&Form> {
        match self {
            ChildOrder::FromLeft => kids.iter().collect(),
            ChildOrder::FromRight => kids.iter().rev().collect(),
            ChildOrder::LastFirst => kids.last().into_iter().chain(&kids[..kids.len().saturating_sub(1)]).collect(),
        }
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
        let Goal { above, below, law } = *goal;
        let part = |above, below| Goal { above, below, law };
        let (f, kids) = match (above, below) {
            (Form::Node(..), Form::Zero | Form::Number | Form::Numeral(_) | Form::Bound)
            | (Form::Bound, Form::Zero | Form::Number | Form::Numeral(_))
            | (Form::Number, Form::Zero) => return self.solve(rest, order),
            (Form::Var(j), Form::Zero | Form::Number | Form::Numeral(_)) if law.no_numbers.contains(j) => {
                return self.solve(rest, order);
            }
            (Form::Var(j), Form::Zero) if law.no_zeros.contains(j) => return self.solve(rest, order),
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
        if let Some(higher) = order.with(f, *g) {
            let all: Vec<Goal> = others.iter().map(|other| part(above, other)).collect();
            let found = self.all(&all, rest, higher)?;
            if found.is_some() || !self.levels {
                return Ok(found);
            }
        }
        let same = if f == *g || order.level[f] >> g & 1 == 1 {
            Some(order)
        } else {
            self.on_one_level(order, f, kids, *g, others)
        };
        let Some(order) = same else { return Ok(None) };
        for by in [ChildOrder::FromLeft, ChildOrder::FromRight, ChildOrder::LastFirst] {
            // Of two children there is no third order.
            if by == ChildOrder::LastFirst && kids.len() < 3 {
                continue;
            }
            let Some(next) = order.comparing(f, by) else { continue };
            let pairs: Vec<(&Form, &Form)> = by.of(kids).into_iter().zip(by.of(others)).collect();
            let Some(k) = pairs.iter().position(|(kid, other)| kid != other) else { return Ok(None) };
            let mut all = vec![part(pairs[k].0, pairs[k].1)];
            all.extend(pairs[k + 1..].iter().map(|(_, other)| part(above, other)));
            if let Some(found) = self.all(&all, rest, next)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// An order with both on one level, where they have as many children.
    fn on_one_level(&self, order: PathOrder, f: usize, kids: &[Form], g: usize, others: &[Form]) -> Option<PathOrder> {
        if self.levels && !kids.is_empty() && kids.len() == others.len() { order.level_with(f, g) } else { None }
    }
}

impl<'a> Goal<'a> {
    fn of(law: &'a EncodedLaw) -> Goal<'a> {
        Goal { above: &law.left, below: &law.right, law }
    }
}
