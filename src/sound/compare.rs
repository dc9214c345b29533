//! Whether two programs agree, in the sense of an exactness, on random inputs of several sizes.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::hints::Hints;
use super::inputs::{Flavour, inputs, to_json};
use super::judge::{Judged, Pair};
use super::watch::Watch;
use crate::ad::{self, AdError};
use crate::eval::{self, Sizes, Value};
use crate::ground::{Budget, Name, Random, StopReason, Trouble};
use crate::rule::Exactness;
use crate::term::{Program, Term, Type};

/// The sizes at which two programs are compared.
pub const SIZES: &[u64] = &[0, 1, 2, 3, 5, 7];

/// Open sizes are at most this and their number where D is run.
const MOST_UNDER_D: u64 = 4;

/// Inputs on which two programs differ.
#[derive(Clone, Debug)]
pub struct Difference {
    /// Values of the open sizes.
    pub sizes: Sizes,
    /// One value for each parameter, of D's types if under D.
    pub inputs: Vec<Value>,
    /// What the first gives.
    pub left: Value,
    /// What the second gives.
    pub right: Value,
    /// Whether D of the programs differs, rather than the programs.
    pub under_d: bool,
}

/// What comparing came to.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// At which sizes both were run and could be compared.
    pub runs: Vec<Sizes>,
    /// How many runs of D could be compared.
    pub dual_runs: u32,
    /// How many runs told nothing: NaN or infinities where the exactness leaves them open, or bad conditioning.
    pub unfit: u32,
    /// How many runs were too long.
    pub long: u32,
    /// The first difference that was found.
    pub difference: Option<Box<Difference>>,
}

/// How two programs are to be compared.
#[derive(Clone, Copy, Debug)]
pub struct Test<'a> {
    /// In this sense.
    pub exactness: Exactness,
    /// One run for each of these: every open size is so much, or at its lower bound if that is greater.
    pub sizes: &'a [u64],
    /// Runs of D.
    pub dual_runs: u32,
    /// Where the random inputs begin.
    pub seed: u64,
    /// A run that asks its budget's watch more often is the last one, and doesn't count.
    pub most: u64,
    /// Where programs may differ: numbers of all magnitudes are tried then, and these, ties and the ends of the
    /// integers, and open sizes that differ; a run that is too long is left out. Without, ordinary numbers.
    pub hints: Option<&'a Hints>,
}

/// Compares two programs of one type that take and give data at sizes from 0 (where their bounds allow it) to 7. Wrong
/// are programs that take or give functions.
pub fn equivalent(
    a: &Program,
    b: &Program,
    exactness: Exactness,
    seed: u64,
    budget: &Budget,
) -> Result<Comparison, Trouble> {
    equivalent_within(a, b, exactness, seed, u64::MAX, budget)
}

/// The same up to the size at which running both asks a budget's watch more often than this.
pub fn equivalent_within(
    a: &Program,
    b: &Program,
    exactness: Exactness,
    seed: u64,
    most: u64,
    budget: &Budget,
) -> Result<Comparison, Trouble> {
    compare(a, b, &Test { exactness, sizes: SIZES, dual_runs: 0, seed, most, hints: None }, budget)
}

/// Runs both programs as the test says, until they differ.
pub fn compare(a: &Program, b: &Program, test: &Test, budget: &Budget) -> Result<Comparison, Trouble> {
    compare_seen(a, b, test, &mut |_| (), budget)
}

/// The same; what was seen of the second program's runs is told.
pub(super) fn compare_seen(
    a: &Program,
    b: &Program,
    test: &Test,
    seen: &mut dyn FnMut(&Watch),
    budget: &Budget,
) -> Result<Comparison, Trouble> {
    let (a, b) = (&applied(a), &applied(b));
    let names: BTreeSet<Name> = open_sizes([a, b]);
    let mut random = Random::new(test.seed);
    let mut result = Comparison::default();
    for (round, size) in test.sizes.iter().enumerate() {
        let sizes = match test.hints {
            Some(_) => uneven(&names, [a, b], test.sizes, round),
            None => sizes_at(&names, [a, b], |k| size + (k * ((round + 1) % 2)) as u64),
        };
        let pair = Pair { programs: [a, b], sizes: &sizes, exactness: test.exactness };
        let run = Run { pair, under_d: false, flavour: Flavour::of(test, round) };
        if !run.within(test, &mut random, &mut result, seen, budget)? || result.difference.is_some() {
            return Ok(result);
        }
    }
    if test.dual_runs > 0
        && let (Some(da), Some(db)) = (dual(a, budget)?, dual(b, budget)?)
    {
        for k in 0..test.dual_runs as usize {
            let last = test.sizes[test.sizes.len() - 1 - k % test.sizes.len()];
            let sizes = sizes_at(&names, [a, b], |k| last.min(MOST_UNDER_D) + k as u64);
            let pair = Pair { programs: [&da, &db], sizes: &sizes, exactness: Exactness::Reassociating };
            let run = Run { pair, under_d: true, flavour: Flavour::under_d(test, k) };
            if !run.within(test, &mut random, &mut result, &mut |_| (), budget)? || result.difference.is_some() {
                break;
            }
        }
    }
    Ok(result)
}

/// The open sizes of programs.
pub(crate) fn open_sizes(programs: [&Program; 2]) -> BTreeSet<Name> {
    programs.iter().flat_map(|program| eval::open_sizes(&program.term)).collect()
}

/// Every open size as its number among them says; never below its bound.
pub(crate) fn sizes_at(names: &BTreeSet<Name>, programs: [&Program; 2], size: impl Fn(usize) -> u64) -> Sizes {
    let least = |name: &Name| programs[0].bounds.lower(name).max(programs[1].bounds.lower(name));
    names.iter().enumerate().map(|(k, name)| (name.clone(), least(name).max(size(k)))).collect()
}

/// Sizes of a round: all as large, each larger by one than the one before, or others of the list.
fn uneven(names: &BTreeSet<Name>, programs: [&Program; 2], all: &[u64], round: usize) -> Sizes {
    sizes_at(names, programs, |k| match round % 3 {
        0 => all[round] + k as u64,
        1 => all[round],
        _ => all[(round + 2 * k) % all.len()],
    })
}

/// D of a program; `None` where it has none.
fn dual(program: &Program, budget: &Budget) -> Result<Option<Program>, StopReason> {
    match ad::dual_within(&program.term, budget) {
        Ok(term) => Ok(Some(program.with(term))),
        Err(AdError::Stopped(reason)) => Err(reason),
        Err(_) => Ok(None),
    }
}

/// The program as a λ for each argument that it takes, whatever makes it a function.
fn applied(program: &Program) -> Program {
    let (parameters, body) = program.term.applied();
    let close = |body, (name, ty): &(Name, Type)| Term::lam(name, ty, body);
    let closed = parameters.iter().rev().try_fold(body, close);
    closed.map_or_else(|_| program.clone(), |term| program.with(term))
}

struct Run<'a> {
    pair: Pair<'a>,
    under_d: bool,
    flavour: Flavour<'a>,
}

impl Comparison {
    /// Whether every run gave the same on both sides, as far as the exactness asks.
    pub fn agrees(&self) -> bool {
        self.difference.is_none() && self.unfit == 0
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

impl Run<'_> {
    /// Goes on while its budget's watch is asked at most so often; whether that was enough.
    fn within(
        &self,
        test: &Test,
        random: &mut Random,
        result: &mut Comparison,
        seen: &mut dyn FnMut(&Watch),
        budget: &Budget,
    ) -> Result<bool, Trouble> {
        let most = test.most;
        match self.go(random, result, seen, &budget.asked_at_most(most, Rc::default())) {
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
        result: &mut Comparison,
        seen: &mut dyn FnMut(&Watch),
        budget: &Budget,
    ) -> Result<(), Trouble> {
        let Some(inputs) = inputs(self.pair.programs[0], self.pair.sizes, &self.flavour, random, budget)? else {
            return Ok(());
        };
        match self.pair.judge(&inputs, seen, budget)? {
            Judged::Same if self.under_d => result.dual_runs += 1,
            Judged::Same => result.runs.push(self.pair.sizes.clone()),
            Judged::Unfit => result.unfit += 1,
            Judged::Different(left, right) => {
                result.difference = Some(Difference::of(self.pair.sizes, inputs, [left, right], self.under_d));
            }
        }
        Ok(())
    }
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
    let pair = Pair { programs: [&a, &b], sizes: &known.sizes, exactness };
    match pair.judge(&inputs, &mut |_| (), budget) {
        Ok(Judged::Different(left, right)) => {
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
