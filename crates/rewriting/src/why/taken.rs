//! Explains why a rule didn't take a step that another one took.

use super::case::{PastRun, WhyCase};
use super::schedule::{PartOrder, Schedule, TraversalOrder, agreed, is_of};
use crate::redex::{Finder, Redex, RuleFamily};
use redexter_language::ground::StopReason;
use redexter_language::term::Path;

/// So many redexes of the rule are looked at.
const MAX_REDEXES: usize = 1_000;

/// A step that another rule took while the wanted one applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenStep {
    /// The number of the step.
    pub number: usize,
    /// The rule that took it.
    pub rule: String,
    /// Where, as an address in the term before.
    pub address: String,
    /// The wanted rule, with the arguments with which it applied.
    pub wanted: String,
    /// Where it applied then: as an address in the same term.
    pub place: String,
    /// Why it had to wait.
    pub cause: WaitCause,
}

/// The reason why a rule that applies has to wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaitCause {
    /// It isn't in the strategy that ran.
    Absent {
        /// The strategy.
        strategy: String,
    },
    /// Both apply at one place, and the other rule is an alternative to its left.
    Alternative {
        /// The choice, as it prints.
        choice: String,
    },
    /// The traversal came to the other place first.
    Traversal {
        /// The traversal, as it prints.
        strategy: String,
        /// The place that it came to first is around the other one, or within it where false; None: beside it.
        around: Option<bool>,
    },
    /// What it is in comes later.
    Later {
        /// What ran, as an address.
        running: String,
        /// What it is in.
        own: String,
    },
    /// What it is in was done.
    Earlier {
        /// What ran, as an address.
        running: String,
        /// What it is in.
        own: String,
    },
    /// An alternative to the left of the one that it is in succeeded.
    Left {
        /// The choice, as it prints.
        choice: String,
        /// That alternative.
        left: String,
    },
    /// Nothing that is known: both stand in a loop, or one in a test, or the other rule in several places.
    Open,
    /// Something else of what it is in failed, or the strategy chose in a way of its own.
    Other {
        /// What it is in, as it prints.
        alternative: String,
    },
}

/// Explains why a rule didn't take the step with this number, less one; None where it applied nowhere before it, or took it.
/// Where it applies in several places the redex of the step counts first.
pub fn taken(case: &WhyCase, run: &PastRun, family: &RuleFamily, step: usize) -> Result<Option<TakenStep>, StopReason> {
    let schedule = Schedule::of(&run.strategy);
    let own = schedule.rules(0, family);
    let done = &case.derivation.steps()[step];
    let program = case.program(step);
    let mut finder = Finder::new(vec![family.clone()]);
    let places = finder.redexes(&program, MAX_REDEXES, case.budget)?.found;
    let path = done.path();
    let here = places.iter().find(|place| place.path == path);
    if here.is_some() && is_of(family, done.rule()) {
        return Ok(None);
    }
    let running = schedule.of_step(done);
    let best = own.iter().copied().min_by_key(|at| match schedule.order_of(&running, *at) {
        PartOrder::Choice(_) => 0,
        PartOrder::ChoiceReversed(_) => 1,
        PartOrder::Same => 2,
        PartOrder::Sequence => 3,
        // One that isn't known to be done may come back.
        PartOrder::Open => 4,
        PartOrder::SequenceReversed => 5,
    });
    let traversal = agreed(running.iter().map(|at| schedule.traversal(*at))).flatten();
    let in_order = |place: &&Redex| match traversal {
        Some((_, traversal)) => traversal.is_before(&path.0, &place.path.0),
        None => true,
    };
    let Some(place) = here.or_else(|| places.iter().find(in_order)).or(places.first()) else { return Ok(None) };
    let cause = match best {
        None => WaitCause::Absent { strategy: run.strategy.to_string() },
        Some(at) => cause(&schedule, (&running, at), (&path, &place.path), traversal),
    };
    let address = |path: &Path| path.address(&program.term);
    Ok(Some(TakenStep {
        number: step + 1,
        rule: done.rule().to_string(),
        address: address(&path),
        wanted: place.rule.to_string(),
        place: address(&place.path),
        cause,
    }))
}

/// Why what ran at one place, any of these parts, comes before a part that applies at another place, or at the same one.
fn cause(
    schedule: &Schedule,
    (running, at): (&[usize], usize),
    (path, place): (&Path, &Path),
    traversal: Option<(usize, TraversalOrder)>,
) -> WaitCause {
    let text = |at: usize| schedule.part(at).strategy.to_string();
    let is_beside = agreed(running.iter().map(|one| schedule.traversal(*one))) == Some(schedule.traversal(at));
    let waits = || {
        let (whole, order) = traversal.filter(|_| is_beside)?;
        (schedule.is_at_root(whole) && order.is_before(&path.0, &place.0))
            .then(|| WaitCause::Traversal { strategy: text(whole), around: position(path, place) })
    };
    let other = || WaitCause::Other { alternative: text(schedule.choice(at).unwrap_or(at)) };
    let names = || agreed(running.iter().map(|one| schedule.apart(*one, at)));
    let found = match schedule.order_of(running, at) {
        PartOrder::Choice(choice) if is_beside && path == place => {
            Some(WaitCause::Alternative { choice: text(schedule.choice(at).unwrap_or(choice)) })
        }
        PartOrder::Choice(choice) => {
            let left = || WaitCause::Left { choice: text(choice), left: text(choice + 1) };
            waits().or_else(|| schedule.is_at_root(choice).then(left))
        }
        PartOrder::Same | PartOrder::ChoiceReversed(_) => Some(waits().unwrap_or_else(other)),
        PartOrder::Sequence => names().map(|(running, own)| WaitCause::Later { running, own }),
        PartOrder::SequenceReversed => names().map(|(running, own)| WaitCause::Earlier { running, own }),
        PartOrder::Open => None,
    };
    found.unwrap_or(WaitCause::Open)
}

/// Whether one place is around another or within it.
fn position(one: &Path, other: &Path) -> Option<bool> {
    match (other.0.starts_with(&one.0), one.0.starts_with(&other.0)) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}
