//! Tells what `cheaper` threw away: the steps, and the work that they would have led to.

use super::case::{PastRun, PastRunEnd};
use super::schedule::Schedule;
use crate::strategy::{DiscardedSteps, Step, Strategy, StrategyForm};
use redexter_language::cost::{Poly, WorkComparison, WorkMeter, compare};
use redexter_language::ground::order::InOrder;
use redexter_language::ground::{Budget, StopReason};
use redexter_language::term::Program;

/// Steps that `cheaper` threw away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiscardReport {
    /// The named strategies around `cheaper`, as an address; empty where there are none.
    pub within: String,
    /// After how many steps of the run it began.
    pub after: usize,
    /// The place that it was given, as an address; None for the whole term.
    pub address: Option<String>,
    /// How many steps were thrown away.
    pub steps: usize,
    /// How many each rule took, the most first.
    pub rules: Vec<(String, usize)>,
    /// Why they were thrown away.
    pub cause: DiscardCause,
}

/// Why `cheaper` threw steps away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiscardCause {
    /// The work of what it was compared with, and of what it gave; and the same in numbers, at the sizes where it rises most.
    Work((Poly, Poly), WorkComparison),
    /// They came to this limit.
    Limit(StopReason),
}

/// Finds what was thrown away in a run: the first so many of those that have a step for which `wanted` holds; and how many there
/// are in all.
pub fn discards(
    ran: &PastRun,
    most: usize,
    budget: &Budget,
    wanted: impl Fn(&Step) -> bool,
) -> Result<(Vec<DiscardReport>, usize), StopReason> {
    let unseen = ran.again(budget)?;
    let with = |discarded: &&DiscardedSteps| discarded.steps.iter().any(&wanted);
    let all: Vec<&DiscardedSteps> = unseen.discarded().iter().filter(with).collect();
    let told = all.iter().take(most).map(|discarded| told(discarded, ran)).collect();
    // What wasn't kept can't be asked, so that it counts as wanted.
    let beyond = unseen.discards() - unseen.discarded().len();
    Ok((told, all.len() + beyond))
}

/// Finds what was thrown away first in a run that ended without a step, before all where a limit was the reason; and how often
/// something was.
pub fn without_steps(strategy: &Strategy, start: &Program, budget: &Budget) -> Option<(DiscardReport, usize)> {
    if !may_discard(strategy) {
        return None;
    }
    let ran = PastRun { strategy: strategy.clone(), start: start.clone(), span: 0..0, end: PastRunEnd::Done };
    let (mut all, count) = discards(&ran, usize::MAX, budget, |_| true).ok()?;
    let at = all.iter().position(|discard| matches!(discard.cause, DiscardCause::Limit(_))).unwrap_or(0);
    (at < all.len()).then(|| (all.swap_remove(at), count))
}

/// Whether a strategy compares work, so that it may throw steps away.
fn may_discard(strategy: &Strategy) -> bool {
    let schedule = Schedule::of(strategy);
    schedule.find(StrategyForm::compares).is_some()
}

fn told(discarded: &DiscardedSteps, ran: &PastRun) -> DiscardReport {
    let mut rules: Vec<(String, usize)> = Vec::new();
    for step in &discarded.steps {
        let name = step.rule().info().name.as_str();
        match rules.iter_mut().find(|(known, _)| known == name) {
            Some((_, count)) => *count += 1,
            None => rules.push((name.to_owned(), 1)),
        }
    }
    rules.order_by_key(|(_, count)| std::cmp::Reverse(*count));
    let way: Vec<String> = discarded.way.iter().map(ToString::to_string).collect();
    DiscardReport {
        within: discarded.within.join("/"),
        after: discarded.after,
        address: (!way.is_empty()).then(|| format!(".{}", way.join("."))),
        steps: discarded.steps.len(),
        rules,
        cause: discarded.limit.clone().map_or_else(|| raised(discarded, ran), DiscardCause::Limit),
    }
}

fn raised(discarded: &DiscardedSteps, ran: &PastRun) -> DiscardCause {
    let mut meter = WorkMeter::default();
    let [before, after] = [&discarded.rival, &discarded.reached].map(|term| meter.total(term));
    let compared = compare(&before, &after, &ran.start.bounds);
    DiscardCause::Work((before, after), compared)
}
