//! Finds sums of opposite terms, such as `(x + y) - x`: as real numbers these cancel, as doubles their rounding stays.

use rustc_hash::FxHashSet;

use super::trace::{Step, fired};
use crate::rule::{Exactness, Rule};
use redexter_language::ground::{Diagnostic, code, text::listed};
use redexter_language::term::{ConstructorGroups, Head, Kind, Node, Path, Prim, Term};

/// So many terms of a sum are looked at.
const MAX_TERMS: usize = 32;

/// So many nodes of a term are looked at.
const MAX_NODES: usize = 50_000;

/// The warning that rules for real numbers took a sum of opposite terms apart, or put it in another order; names the rules.
pub(super) fn taken_for_numbers(start: &Term, steps: &[Step], end: &Term) -> Option<Diagnostic> {
    let (before, after) = (opposites(start), opposites(end));
    let count = |all: &[OppositeSum], sum: &OppositeSum| all.iter().filter(|other| other.order == sum.order).count();
    let gone: Vec<&OppositeSum> = before.iter().filter(|sum| count(&before, sum) > count(&after, sum)).collect();
    let sums = |rule: &&Rule| gone.iter().any(|sum| rule.footprint().may_apply_to(&sum.term));
    let inexact = fired(steps).into_iter().map(|(rule, _)| rule);
    let inexact = inexact.filter(|rule| rule.info().exactness != Exactness::Exact).filter(sums);
    let named: Vec<String> = inexact.map(Rule::quoted).collect();
    if named.is_empty() {
        return None;
    }
    let place = gone.first().map_or(".".to_owned(), |sum| sum.place.address(start));
    let headline = format!(
        "a sum of opposite terms, at {place}, which cancel as real numbers, was rewritten as such by {}",
        listed(named)
    );
    let help =
        "where its rounding counts, write `keep (…)` around the formula in the model, or take `exactly(s)` for s";
    Some(Diagnostic::warning(code::CANCELLED, headline).help(help))
}

/// A sum of opposite terms.
struct OppositeSum {
    term: Term,
    /// Where it stands.
    place: Path,
    /// Its operators and terms in the order in which they stand: a number for each, the same for equal terms.
    order: Vec<usize>,
}

/// Whether a sum of opposite terms stands somewhere in a term.
pub fn has_opposites(term: &Term) -> bool {
    !opposites(term).is_empty()
}

/// Each sum of opposite terms; names that `let` binds count as what they stand for.
fn opposites(term: &Term) -> Vec<OppositeSum> {
    let mut search =
        OppositesSearch { scope: Vec::new(), place: Path::default(), seen: FxHashSet::default(), found: Vec::new() };
    search.go(term, false);
    search.found
}

struct OppositesSearch {
    /// The values of the variables around, outermost first, each in the scope before it; nothing of parameters.
    scope: Vec<Option<Term>>,
    /// The way to what is looked at.
    place: Path,
    /// What was looked at; `found` and the walked term keep nodes alive.
    seen: FxHashSet<*const Node>,
    found: Vec<OppositeSum>,
}

impl OppositesSearch {
    /// `within`: a sum stands around it, of which it is a term.
    fn go(&mut self, term: &Term, within: bool) {
        let holds = term.held().holds_any(sums());
        if !holds || self.seen.len() >= MAX_NODES || !self.seen.insert(&**term.held()) {
            return;
        }
        let is_sum = is_sum(term);
        if is_sum && !within {
            let order = self.cancels(term);
            self.found.extend(order.map(|order| OppositeSum { term: term.clone(), place: self.place.clone(), order }));
        }
        for k in 0..term.kid_count() {
            let binders = term.binders(k);
            let value = matches!(term.kind(), Kind::Let(_)).then(|| term.kid(0));
            self.scope.extend((0..binders).map(|_| value.clone()));
            self.place.0.push(k as u32);
            self.go(&term.kid(k), is_sum);
            self.place.0.pop();
            self.scope.truncate(self.scope.len() - binders as usize);
        }
    }

    /// The order of a sum of which two terms are opposite.
    fn cancels(&self, sum: &Term) -> Option<Vec<usize>> {
        let (mut terms, mut order): (Vec<(bool, Term)>, _) = (Vec::new(), Vec::new());
        let mut waiting = vec![(false, sum.clone())];
        while let Some((minus, next)) = waiting.pop() {
            if terms.len() + waiting.len() > MAX_TERMS {
                return None;
            }
            order.push(next.number());
            match next.kind() {
                Kind::Prim(Prim::Add) => waiting.extend([(minus, next.kid(1)), (minus, next.kid(0))]),
                Kind::Prim(Prim::Sub) => waiting.extend([(!minus, next.kid(1)), (minus, next.kid(0))]),
                Kind::Prim(Prim::Neg) => waiting.push((!minus, next.kid(0))),
                _ => match self.value(&next).filter(is_sum) {
                    Some(value) => waiting.push((minus, value)),
                    None => {
                        let known = terms.iter().position(|(_, other)| *other == next);
                        order.push(known.unwrap_or(terms.len()));
                        terms.push((minus, next));
                    }
                },
            }
        }
        let has_opposite = |(minus, term): &(bool, Term)| {
            !is_zero(term) && terms.iter().any(|(sign, other)| sign != minus && other == term)
        };
        terms.iter().any(has_opposite).then_some(order)
    }

    /// What a variable stands for, in the scope that it stands in.
    fn value(&self, variable: &Term) -> Option<Term> {
        let Kind::Var = variable.kind() else { return None };
        let index = variable.free().next()?.0;
        let at = self.scope.len().checked_sub(index as usize + 1)?;
        Some(self.scope[at].as_ref()?.shift(index + 1))
    }
}

/// What a sum that is looked for has.
fn sums() -> ConstructorGroups {
    ConstructorGroups::of(Head::Prim(Prim::Sub)).and(ConstructorGroups::of(Head::Prim(Prim::Neg)))
}

fn is_sum(term: &Term) -> bool {
    let is_real = matches!(term.ty().view(), redexter_language::term::TypeView::Real);
    is_real && matches!(term.kind(), Kind::Prim(Prim::Add | Prim::Sub | Prim::Neg))
}

fn is_zero(term: &Term) -> bool {
    matches!(term.kind(), Kind::Real(x) if *x == 0.0)
}
