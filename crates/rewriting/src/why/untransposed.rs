//! Says which derivative kept its order since it couldn't be transposed: only of a run that could transpose, and that leaves more
//! than one tangent takes.

use super::case::{PastRun, PastRunEnd};
use super::schedule::Schedule;
use crate::rule::{Focus, Rule, nest};
use crate::strategy::{RefusedDerivative, Step, Strategy};
use redexter_language::ground::{Budget, Name};
use redexter_language::growth::order;
use redexter_language::term::{Kind, Path, Program, SizeBounds, Term, Type, TypeView, View};

/// The rule by which the transposition of an array of tangents begins.
const BEGINNING: &str = "pullStart";

/// So many times the work of one tangent, for all numbers that a derivative goes by, is still its order.
const KEPT: f64 = 12.0;

/// A derivative that wasn't transposed.
#[derive(Clone, Debug)]
pub struct Untransposed {
    /// The whole term in which that was tried.
    pub whole: Term,
    /// Where in it the subterm stands that is in the way.
    pub at: Path,
    /// Whether that is a loop which has a function in its state; else it isn't linear in the direction of the tangents.
    pub carries_function: bool,
}

/// What a run that ended couldn't transpose, where its result takes more than one tangent for all numbers of the parameter would.
/// Where a program's work isn't known, of a run that transposed nothing.
pub fn untransposed(
    strategy: &Strategy,
    start: &Program,
    end: &Program,
    steps: &[Step],
    budget: &Budget,
) -> Option<Untransposed> {
    let rules = Schedule::of(strategy).all_rules(0);
    let beginning = rules.iter().find(|rule| rule.info().name.as_str() == BEGINNING)?;
    let expected = TangentSearch { beginning, bounds: &start.bounds, found: 0 }.all(&start.term)?;
    let ratio = order(&start.with(expected), end).ratio;
    let is_kept = if ratio.is_nan() { steps.iter().any(|step| step.rule() == beginning) } else { ratio <= KEPT };
    if is_kept {
        return None;
    }
    let ran = PastRun { strategy: strategy.clone(), start: start.clone(), span: 0..0, end: PastRunEnd::Done };
    let notes = ran.again(budget).ok()?;
    let RefusedDerivative { whole, at, within } = notes.refused().first()?;
    let mut way = at.0.clone();
    let carries_function = find_loop(&at.find(whole)?, &mut way);
    if !carries_function {
        way.extend(within);
        // A constant says nothing without what it is part of.
        if Path(way.clone()).find(whole)?.kid_count() == 0 {
            way.pop();
        }
    }
    Some(Untransposed { whole: whole.clone(), at: Path(way), carries_function })
}

/// Finds a loop that has a function in its state: the way to the first.
fn find_loop(term: &Term, way: &mut Vec<u32>) -> bool {
    if matches!(term.kind(), Kind::Ifold(_) | Kind::Scan(_) | Kind::Scanr(_)) && term.ty().has_function() {
        return true;
    }
    (0..term.kid_count()).any(|k| {
        way.push(k as u32);
        let found = find_loop(&term.kid(k), way);
        if !found {
            way.pop();
        }
        found
    })
}

/// Replaces arrays of tangents, one for each number of a parameter, by one tangent everywhere.
struct TangentSearch<'a> {
    beginning: &'a Rule,
    bounds: &'a SizeBounds,
    found: usize,
}

impl TangentSearch<'_> {
    /// The term with all of its gradients as cheap as they should be; none where there are none.
    fn all(mut self, term: &Term) -> Option<Term> {
        let expected = self.replaced(&without_names(term)?)?;
        (self.found > 0).then_some(expected)
    }

    fn replaced(&mut self, term: &Term) -> Option<Term> {
        if let Some(one) = self.one_tangent(term) {
            self.found += 1;
            return Some(one);
        }
        let kids = (0..term.kid_count()).map(|k| self.replaced(&term.kid(k)));
        term.with_kids(kids.collect::<Option<_>>()?).ok()
    }

    /// Of tangents that are numbers, one for each index, an array of the first.
    fn one_tangent(&self, term: &Term) -> Option<Term> {
        let (indices, body) = nest(term).filter(|(indices, _)| !indices.is_empty())?;
        let focus = Focus::root(term, self.bounds);
        let is_such = || self.beginning.apply(&focus).is_ok() || self.beginning.not_linear(&focus).is_some();
        if !matches!(body.ty().view(), TypeView::Real) || !is_such() {
            return None;
        }
        let mut tangent = body;
        for (n, _) in indices.iter().rev() {
            tangent = tangent.instantiate(&Term::fin(0, n.clone()).ok()?).ok()?;
        }
        let value = Term::var(indices.len() as u32, &Type::real());
        let array = indices.into_iter().rev().try_fold(value, |element, (n, index)| {
            Term::build(n.clone(), Term::lam(&index, &Type::fin(n), element).ok()?).ok()
        })?;
        Term::let_in(&Name::new("tangent"), tangent, array).ok()
    }
}

/// Without second names of variables, so that a one-hot says of which index it is.
fn without_names(term: &Term) -> Option<Term> {
    let kids = (0..term.kid_count()).map(|k| without_names(&term.kid(k)));
    let term = term.with_kids(kids.collect::<Option<_>>()?).ok()?;
    match term.view() {
        View::Let(_, value, body) if matches!(value.kind(), Kind::Var) => body.instantiate(&value).ok(),
        _ => Some(term),
    }
}
