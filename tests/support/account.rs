//! The engine and the reference interpreter on one strategy and program, step by step.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use redexter::cost::cheaper_total;
use redexter::ground::{Budget, Limits, StopReason};
use redexter::strategy::{Execution, Outcome, Step, Stop, Strategy, StrategyRun, run, run_hollow};
use redexter::term::Program;
use redexter_reference::interpret;

type Ran = Result<StrategyRun, Box<Stop>>;

/// How many runs ended in which way, and how many steps they took.
pub type Tally = BTreeMap<&'static str, u64>;

/// All of them together.
pub fn add(tallies: Vec<Tally>) -> Tally {
    let mut all = Tally::new();
    tallies.into_iter().flatten().for_each(|(what, count)| *all.entry(what).or_default() += count);
    all
}

/// A budget within these limits, used up, too, after so many times 256 looks at a strategy.
pub fn short(limits: Limits, looks: u64) -> Budget {
    let left = Cell::new(looks);
    let watch = move |_: &Budget| {
        left.set(left.get().saturating_sub(1));
        (left.get() == 0).then_some(StopReason::Interrupted)
    };
    Budget::new(limits, Some(Rc::new(watch)))
}

/// What there is to say of a run, and whether it ended.
pub fn account(ran: &Ran) -> (&'static str, String) {
    match ran {
        Ok(StrategyRun { outcome: Outcome::Success(term), .. }) => ("success", format!("{term:?}")),
        Ok(StrategyRun { outcome: Outcome::Failure(reason), .. }) => ("failure", reason.to_string()),
        Ok(StrategyRun { outcome: Outcome::Looping(cycle), .. }) => ("loop", format!("{:?}", cycle.diagnostic())),
        Err(stop) => ("limit", stop.reason.to_string()),
    }
}

/// That both end alike, with the same steps; the endings and the steps are counted. The engine may go on where the
/// interpreter, which goes every way again, meets a limit; it runs in one go, and again with a pause after each step.
pub fn compare_within(budget: &dyn Fn() -> Budget, strategy: &Strategy, program: &Program, tally: &mut Tally) {
    let expected = interpret(strategy, program, &budget(), cheaper_total);
    let (ending, said) = account(&expected);
    *tally.entry(ending).or_default() += 1;
    let Ok(expected) = expected else { return };
    let budget = Budget::new(budget().limits, None);
    let found = run(strategy, program, &budget.fresh(), cheaper_total);
    let context = || format!("{strategy}\non {:?}", program.term);
    assert_eq!(account(&found), (ending, said.clone()), "{}", context());
    let hollow = run_hollow(strategy, program, &budget.fresh(), cheaper_total);
    assert_eq!(account(&hollow), (ending, said), "without terms: {}", context());
    let told = |step: &Step| (step.rule().to_string(), step.path(), step.within().clone());
    let hollow = hollow.expect("it ended").trace.steps;
    assert!(hollow.iter().map(told).eq(expected.trace.steps.iter().map(told)), "without terms: {}", context());
    let (expected, found) = (expected.trace.steps, found.expect("it ended").trace.steps);
    *tally.entry("steps").or_default() += expected.len() as u64;
    for (k, (e, f)) in expected.iter().zip(&found).enumerate() {
        assert_eq!(e, f, "step {k} of {}", context());
        assert_eq!(e.within(), f.within(), "step {k} of {}", context());
    }
    assert_eq!(expected.len(), found.len(), "{}", context());
    let mut execution = Execution::new(strategy, program, cheaper_total);
    while execution.outcome().is_none() {
        execution.advance(execution.steps().len() + 1, &budget).expect("no limit");
    }
    assert!(ending == "loop" || execution.steps() == expected, "with pauses: {}", context());
}
