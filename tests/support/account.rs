//! The engine and the reference interpreter on one strategy and program, step by step.

use std::collections::BTreeMap;

use redexter::cost::cheaper_total;
use redexter::ground::Budget;
use redexter::strategy::{Outcome, Run, Stop, Strategy, run};
use redexter::term::Program;
use redexter_oracle::interpret;

type Ran = Result<Run, Box<Stop>>;

/// What there is to say of a run, and whether it ended.
pub fn account(ran: &Ran) -> (&'static str, String) {
    match ran {
        Ok(Run { outcome: Outcome::Success(term), .. }) => ("success", format!("{term:?}")),
        Ok(Run { outcome: Outcome::Failure(reason), .. }) => ("failure", reason.to_string()),
        Ok(Run { outcome: Outcome::Looping(cycle), .. }) => ("loop", format!("{:?}", cycle.diagnostic())),
        Err(stop) => ("limit", stop.reason.to_string()),
    }
}

/// That both end alike, with the same steps; the endings and the steps are counted. The engine may go on where the
/// interpreter, which goes every way again, meets a limit.
pub fn compare_within(
    budget: &dyn Fn() -> Budget,
    strategy: &Strategy,
    program: &Program,
    tally: &mut BTreeMap<&'static str, u64>,
) {
    let expected = interpret(strategy, program, &budget(), cheaper_total);
    let (ending, said) = account(&expected);
    *tally.entry(ending).or_default() += 1;
    if ending == "limit" {
        return;
    }
    let found = run(strategy, program, &budget(), cheaper_total);
    let context = || format!("{strategy}\non {:?}", program.term);
    assert_eq!(account(&found), (ending, said), "{}", context());
    let (expected, found) = (expected.expect("it ended").trace.steps, found.expect("it ended").trace.steps);
    *tally.entry("steps").or_default() += expected.len() as u64;
    for (k, (e, f)) in expected.iter().zip(&found).enumerate() {
        assert_eq!(e, f, "step {k} of {}", context());
        assert_eq!(e.within(), f.within(), "step {k} of {}", context());
    }
    assert_eq!(expected.len(), found.len(), "{}", context());
}
