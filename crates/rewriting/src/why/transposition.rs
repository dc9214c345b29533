//! Says how a run that could transpose derivatives went about it: from which side it took a Jacobian, and which derivative kept
//! its order since it couldn't be transposed, which leaves more than one tangent takes.

use super::case::{PastRun, PastRunEnd};
use super::schedule::Schedule;
use crate::rule::{Focus, Rule, nest};
use crate::strategy::{DiscardedSteps, RefusedDerivative, RunNotes, Step, Strategy};
use redexter_language::cost::{Poly, WorkMeter};
use redexter_language::ground::{Budget, Name, StopReason};
use redexter_language::growth::order;
use redexter_language::term::{Kind, Path, Program, SizeBounds, Term, Type, TypeView, View};

/// The rules by which the transposition of an array of tangents begins: of tangents that are numbers, and of a Jacobian.
const BEGINNING: &str = "pullStart";
const OF_ROWS: &str = "pullRows";

/// So many times the work of one tangent, for all numbers that a derivative goes by, is still its order.
const KEPT: f64 = 12.0;

/// Programs of more nodes aren't looked through, each counted as often as it stands somewhere: what they share makes them longer
/// than anybody can walk.
const MAX_NODES: u64 = 200_000;

/// How a run went about transposing.
#[derive(Clone, Debug)]
pub enum TranspositionReport {
    /// A derivative wasn't transposed.
    Refused(Untransposed),
    /// A Jacobian was taken from the side that takes less.
    Jacobian {
        /// Whether each result was transposed; else each parameter has its tangent.
        by_rows: bool,
        /// The work that the other side would have led to, or the limit that it came to.
        other: Result<Poly, StopReason>,
    },
}

/// A derivative that wasn't transposed.
#[derive(Clone, Debug)]
pub struct Untransposed {
    /// The whole term in which that was tried.
    pub whole: Term,
    /// Where in it the subterm stands that is in the way.
    pub at: Path,
    /// Why it is.
    pub obstacle: TranspositionObstacle,
}

/// What keeps a derivative from being transposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TranspositionObstacle {
    /// A loop has a function in its state.
    CarriesFunction,
    /// A loop, a let or a pair holds values and tangents together, and no rule took it apart.
    HoldsBoth,
    /// A subterm isn't linear in the direction of the tangents.
    NotLinear,
}

/// What is to be said of how a run that ended transposed: of a Jacobian the side that it was taken from; else what couldn't be
/// transposed, where its result takes more than one tangent for all numbers of the parameter would. Where a program's work isn't
/// known, of a run that transposed nothing. Nothing where no rule transposes, or the program has more than `MAX_NODES` nodes.
pub fn transposition(
    strategy: &Strategy,
    start: &Program,
    end: &Program,
    steps: &[Step],
    budget: &Budget,
) -> Option<TranspositionReport> {
    let rules = Schedule::of(strategy).all_rules(0);
    let called = |name: &str| rules.iter().find(|rule| rule.info().name.as_str() == name);
    let (beginning, of_rows) = (called(BEGINNING), called(OF_ROWS));
    if (beginning.is_none() && of_rows.is_none()) || start.term.size() > MAX_NODES {
        return None;
    }
    let plain = without_names(&start.term)?;
    let jacobian = of_rows.filter(|rule| begins(rule, &plain, &start.bounds));
    if jacobian.is_none() && beginning.is_none_or(|rule| keeps_order(rule, &plain, start, end, steps)) {
        return None;
    }
    let ran = PastRun { strategy: strategy.clone(), start: start.clone(), span: 0..0, end: PastRunEnd::Done };
    let notes = ran.again(budget).ok()?;
    let side = jacobian.and_then(|rule| side(rule, end, steps, &notes));
    side.or_else(|| refused(&notes).map(TranspositionReport::Refused))
}

/// Whether a rule by which transposing begins finds such tangents in a term, be they linear or not.
fn begins(rule: &Rule, term: &Term, bounds: &SizeBounds) -> bool {
    let focus = Focus::root(term, bounds);
    rule.apply(&focus).is_ok()
        || rule.not_linear(&focus).is_some()
        || (0..term.kid_count()).any(|k| begins(rule, &term.kid(k), bounds))
}

/// Whether a result takes no more than one tangent for all numbers would, or has no tangents that are numbers.
fn keeps_order(beginning: &Rule, plain: &Term, start: &Program, end: &Program, steps: &[Step]) -> bool {
    let Some(expected) = (TangentSearch { beginning, bounds: &start.bounds, found: 0 }).all(plain) else { return true };
    let ratio = order(&start.with(expected), end).ratio;
    if ratio.is_nan() { steps.iter().any(|step| step.rule() == beginning) } else { ratio <= KEPT }
}

/// From which side a run took a Jacobian, if it tried the other one as well.
fn side(of_rows: &Rule, end: &Program, steps: &[Step], notes: &RunNotes) -> Option<TranspositionReport> {
    let transposes = |steps: &[Step]| steps.iter().any(|step| step.rule() == of_rows);
    let by_rows = transposes(steps);
    let is_other = |discarded: &&DiscardedSteps| {
        transposes(&discarded.steps) != by_rows && (!by_rows || discarded.rival == end.term)
    };
    let other = notes.discarded().iter().find(is_other)?;
    let other = other.limit.clone().map_or_else(|| Ok(WorkMeter::default().total(&other.reached)), Err);
    Some(TranspositionReport::Jacobian { by_rows, other })
}

/// What was found first that couldn't be transposed.
fn refused(notes: &RunNotes) -> Option<Untransposed> {
    let RefusedDerivative { whole, at, within } =
        notes.refused().first().filter(|refused| refused.whole.size() <= MAX_NODES)?;
    let mut way = at.0.clone();
    let tangents = at.find(whole)?;
    let obstacle = if find_loop(&tangents, &mut way) {
        TranspositionObstacle::CarriesFunction
    } else if let Some(holder) = tangents.holding_together(&Path(within.clone())) {
        way.extend(holder.0);
        TranspositionObstacle::HoldsBoth
    } else {
        way.extend(within);
        // A constant says nothing without what it is part of.
        if Path(way.clone()).find(whole)?.kid_count() == 0 {
            way.pop();
        }
        TranspositionObstacle::NotLinear
    };
    Some(Untransposed { whole: whole.clone(), at: Path(way), obstacle })
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
        let expected = self.replaced(term)?;
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
