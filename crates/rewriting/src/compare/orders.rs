//! Runs strategies one after another in every order (`Orders`).

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::attempt::{AttemptEnd, RunSubject};
use crate::strategy::Strategy;
use redexter_language::cost::{self, Poly, WorkMeter};
use redexter_language::ground::{Diagnostic, StopReason, Trouble};
use redexter_language::term::Term;

/// So many orders are tried unless another number is wanted: those of four strategies.
pub const MOST: usize = 24;

/// Strategies in every order.
#[derive(Clone, Debug)]
pub struct Orders {
    /// As they print.
    pub strategies: Vec<String>,
    /// The work before.
    pub start: Rc<Poly>,
    /// The orders that were tried: the least work first, those that came to no term last; else in the order of the numbers
    /// of the strategies.
    pub rows: Vec<OrderRow>,
    /// How many orders there are; None if these are more than can be counted.
    pub all: Option<u64>,
    /// How many runs of one strategy it took: what orders begin with in common runs once, and so does a strategy on equal
    /// terms.
    pub runs: usize,
    /// What ended it before the last order.
    pub stopped: Option<Trouble>,
}

/// One order.
#[derive(Clone, Debug)]
pub struct OrderRow {
    /// The numbers of the strategies, from 0.
    pub order: Vec<usize>,
    /// How many steps it took.
    pub steps: usize,
    /// Those that failed where they stand: they change nothing.
    pub failed: Vec<usize>,
    /// What it came to.
    pub result: OrderResult,
}

/// The result of an order.
#[derive(Clone, Debug)]
pub enum OrderResult {
    /// A term.
    Term {
        /// The term.
        term: Term,
        /// Its work.
        work: Rc<Poly>,
        /// The number of this result among the different ones, from 0.
        number: usize,
        /// It took a step, and the work of no other that did is less.
        is_best: bool,
    },
    /// A strategy, by its number, would go on for ever.
    Endless(usize, Diagnostic),
    /// A limit ended a strategy, by its number.
    Stopped(usize, StopReason),
}

/// More orders than are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyOrders {
    /// How many there are; None if these are more than can be counted.
    pub count: Option<u64>,
}

/// The result of a strategy on a term.
#[derive(Clone)]
struct StrategyResult {
    end: AttemptEnd,
    steps: usize,
}

/// Where an order stands after some strategies.
#[derive(Clone)]
struct OrderState {
    term: Term,
    steps: usize,
    failed: Vec<usize>,
    /// The strategy that came to no term, and why.
    broken: Option<(usize, AttemptEnd)>,
}

/// Runs the strategies one after another in each order, in the order of their numbers, and at most in so many; without such
/// a number in all, if these are few. A strategy that fails changes nothing.
pub fn orders(subject: &RunSubject, strategies: &[Strategy], most: Option<usize>) -> Result<Orders, TooManyOrders> {
    let all = (1..=strategies.len() as u64).try_fold(1u64, u64::checked_mul);
    if most.is_none() && all.is_none_or(|all| all > MOST as u64) {
        return Err(TooManyOrders { count: all });
    }
    let mut meter = WorkMeter::default();
    let mut found = Orders {
        strategies: strategies.iter().map(Strategy::to_string).collect(),
        start: Rc::new(meter.total(&subject.program.term)),
        rows: Vec::new(),
        all,
        runs: 0,
        stopped: None,
    };
    let mut tries = OrderRuns { subject, strategies, known: FxHashMap::default(), runs: 0 };
    let first = OrderState { term: subject.program.term.clone(), steps: 0, failed: Vec::new(), broken: None };
    let (mut order, mut states): (Vec<usize>, _) = ((0..strategies.len()).collect(), vec![first]);
    let mut results: FxHashMap<u128, usize> = FxHashMap::default();
    while found.rows.len() < most.unwrap_or(usize::MAX) {
        if let Err(trouble) = tries.complete(&order, &mut states) {
            found.stopped = Some(trouble);
            break;
        }
        let Some(OrderState { term, steps, failed, broken }) = states.last().cloned() else { break };
        let result = match broken {
            Some((which, AttemptEnd::Endless(finding))) => OrderResult::Endless(which, finding),
            Some((which, AttemptEnd::Stopped(reason))) => OrderResult::Stopped(which, reason),
            _ => {
                let next = results.len();
                let number = *results.entry(term.fingerprint()).or_insert(next);
                let work = Rc::new(meter.total(&term));
                OrderResult::Term { term, work, number, is_best: false }
            }
        };
        found.rows.push(OrderRow { order: order.clone(), steps, failed, result });
        let Some(common) = advance(&mut order) else { break };
        // What both orders begin with has been run, so that its states stay.
        states.truncate(common + 1);
    }
    found.runs = tries.runs;
    rank(subject, &mut found.rows);
    Ok(found)
}

/// Runs of strategies, each on each term once.
struct OrderRuns<'a> {
    subject: &'a RunSubject<'a>,
    strategies: &'a [Strategy],
    known: FxHashMap<(u128, usize), StrategyResult>,
    runs: usize,
}

impl OrderRuns<'_> {
    /// Runs the strategies of an order behind those whose states are known.
    fn complete(&mut self, order: &[usize], states: &mut Vec<OrderState>) -> Result<(), Trouble> {
        for which in order[states.len() - 1..].iter().copied() {
            let Some(OrderState { term, steps, failed, broken }) = states.last().cloned() else { break };
            let mut state = OrderState { term, steps, failed, broken };
            if state.broken.is_none() {
                let ran = self.run(which, &state.term)?;
                state.steps += ran.steps;
                match ran.end {
                    AttemptEnd::Done(term) => state.term = term,
                    AttemptEnd::Failed(_) => state.failed.push(which),
                    end => state.broken = Some((which, end)),
                }
            }
            states.push(state);
        }
        Ok(())
    }

    fn run(&mut self, which: usize, term: &Term) -> Result<StrategyResult, Trouble> {
        let key = (term.fingerprint(), which);
        if let Some(known) = self.known.get(&key) {
            // Asked here, because what is known takes no run that would ask.
            self.subject.budget.ask()?;
            return Ok(known.clone());
        }
        let attempt = self.subject.attempt(&self.strategies[which], term);
        self.runs += 1;
        if let Some(trouble) = attempt.trouble {
            return Err(trouble);
        }
        let ran = StrategyResult { end: attempt.end, steps: attempt.trace.steps.len() };
        self.known.insert(key, ran.clone());
        Ok(ran)
    }
}

/// The next order, if there is one: with how many strategies it begins as the one before does.
fn advance(order: &mut [usize]) -> Option<usize> {
    let at = order.windows(2).rposition(|pair| pair[0] < pair[1])?;
    let with = order.iter().rposition(|other| *other > order[at])?;
    order.swap(at, with);
    order[at + 1..].reverse();
    Some(at)
}

/// Marks those whose work no other's is below for large sizes, of several the least at typical sizes; sorts them all, and
/// numbers their results anew.
fn rank(subject: &RunSubject, rows: &mut [OrderRow]) {
    let mut works: Vec<Rc<Poly>> = Vec::new();
    for row in rows.iter().filter(|row| row.steps > 0) {
        if let OrderResult::Term { work, .. } = &row.result
            && !works.contains(work)
        {
            works.push(work.clone());
        }
    }
    let typical = |work: &Poly| cost::typical(work, &subject.program.bounds);
    let is_unbeaten = |work: &&Rc<Poly>| !works.iter().any(|other| other.is_below(work));
    let best = works.iter().filter(|work| !work.is_unknown()).filter(is_unbeaten).min_by_key(|work| typical(work));
    for row in rows.iter_mut() {
        if let OrderResult::Term { work, is_best, .. } = &mut row.result {
            *is_best = row.steps > 0 && best == Some(work);
        }
    }
    rows.sort_by_cached_key(|row| match &row.result {
        OrderResult::Term { work, is_best, .. } => (u8::from(!is_best), typical(work)),
        _ => (2, 0),
    });
    let mut numbers: Vec<usize> = Vec::new();
    for row in rows {
        if let OrderResult::Term { number, .. } = &mut row.result {
            let old = std::mem::replace(number, numbers.len());
            match numbers.iter().position(|known| *known == old) {
                Some(known) => *number = known,
                None => numbers.push(old),
            }
        }
    }
}
