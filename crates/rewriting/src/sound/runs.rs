//! Runs two programs once on the same inputs, and a known difference again on other inputs.

use std::rc::Rc;

use super::compare::{ComparisonPlan, Difference, ProgramComparison};
use super::inputs::{InputDistribution, inputs, to_json};
use super::judge::{ProgramPair, RunJudgement};
use super::watch::RunWatch;
use crate::rule::Exactness;
use redexter_language::ad::{self, AdError};
use redexter_language::eval::{Sizes, Value};
use redexter_language::ground::{Budget, Name, Random, StopReason, Trouble};
use redexter_language::term::{Program, Term, Type};

/// Two programs with all that one run of both needs.
pub(super) struct PairedRun<'a> {
    pub(super) pair: ProgramPair<'a>,
    pub(super) under_d: bool,
    pub(super) flavour: InputDistribution<'a>,
}

impl PairedRun<'_> {
    /// Goes on while its budget's watch is asked at most so often; whether that was enough.
    pub(super) fn within(
        &self,
        test: &ComparisonPlan,
        random: &mut Random,
        result: &mut ProgramComparison,
        seen: &mut dyn FnMut(&RunWatch),
        budget: &Budget,
    ) -> Result<bool, Trouble> {
        let most = test.most;
        match self.go(random, result, seen, &budget.asked_at_most(most, Rc::default())) {
            // The run's own limit. With hints sizes come in any order, so that runs behind this one may well be shorter.
            Err(Trouble::Stopped { reason: StopReason::Operations(n), .. }) if n == most => {
                result.long += 1;
                Ok(test.hints.is_some())
            }
            done => done.map(|()| true),
        }
    }

    fn go(
        &self,
        random: &mut Random,
        result: &mut ProgramComparison,
        seen: &mut dyn FnMut(&RunWatch),
        budget: &Budget,
    ) -> Result<(), Trouble> {
        let Some(inputs) = inputs(self.pair.programs[0], self.pair.sizes, &self.flavour, random, budget)? else {
            return Ok(());
        };
        match self.pair.judge(&inputs, seen, budget)? {
            RunJudgement::Same if self.under_d => result.dual_runs += 1,
            RunJudgement::Same => result.runs.push(self.pair.sizes.clone()),
            RunJudgement::Unfit { steep } => {
                result.unfit += 1;
                result.steep += u32::from(steep);
            }
            RunJudgement::Different(left, right) => {
                result.difference = Some(Difference::of(self.pair.sizes, inputs, [left, right], self.under_d));
            }
        }
        Ok(())
    }
}

impl Difference {
    fn of(sizes: &Sizes, inputs: Vec<Value>, [left, right]: [Value; 2], under_d: bool) -> Box<Difference> {
        Box::new(Difference { sizes: sizes.clone(), inputs, left, right, under_d })
    }

    /// The inputs of a program as a JSON object, open sizes included.
    pub fn inputs_json(&self, program: &Program) -> String {
        to_json(program, &self.inputs, &self.sizes)
    }
}

/// D of a program; `None` where it has none.
pub(super) fn dual(program: &Program, budget: &Budget) -> Result<Option<Program>, StopReason> {
    match ad::dual_within(&program.term, budget) {
        Ok(term) => Ok(Some(program.with(term))),
        Err(AdError::Stopped(reason)) => Err(reason),
        Err(_) => Ok(None),
    }
}

/// The program as a λ for each argument that it takes, whatever makes it a function.
pub(super) fn applied(program: &Program) -> Program {
    let (parameters, body) = program.term.applied();
    let close = |body, (name, ty): &(Name, Type)| Term::lam(name, ty, body);
    let closed = parameters.iter().rev().try_fold(body, close);
    closed.map_or_else(|_| program.clone(), |term| program.with(term))
}

/// The programs of a difference run again on other inputs: the difference there, if there still is one.
pub(super) fn again(
    a: &Program,
    b: &Program,
    exactness: Exactness,
    known: &Difference,
    inputs: Vec<Value>,
    budget: &Budget,
) -> Result<Option<Box<Difference>>, StopReason> {
    let (a, b) = (&applied(a), &applied(b));
    let (a, b, exactness) = match known.under_d {
        false => (Some(a.clone()), Some(b.clone()), exactness),
        true => (dual(a, budget)?, dual(b, budget)?, Exactness::Reassociating),
    };
    let (Some(a), Some(b)) = (a, b) else { return Ok(None) };
    let pair = ProgramPair { programs: [&a, &b], sizes: &known.sizes, exactness };
    match pair.judge(&inputs, &mut |_| (), budget) {
        Ok(RunJudgement::Different(left, right)) => {
            Ok(Some(Difference::of(&known.sizes, inputs, [left, right], known.under_d)))
        }
        Ok(_) | Err(Trouble::Wrong(_)) => Ok(None),
        Err(Trouble::Stopped { reason, .. }) => Err(reason),
    }
}

/// The difference between two programs on the inputs of a known one, if there is one.
pub fn differ_on(
    [a, b]: [&Program; 2],
    exactness: Exactness,
    known: &Difference,
    budget: &Budget,
) -> Result<Option<Box<Difference>>, StopReason> {
    again(a, b, exactness, known, known.inputs.clone(), budget)
}
