//! Whether two programs agree, in the sense of an exactness, on random inputs of several sizes.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::inputs::{Flavour, inputs, moved, to_json};
use crate::ad::{self, AdError};
use crate::eval::{Sizes, Value, evaluate, open_sizes};
use crate::ground::{Budget, Name, Random, StopReason, Trouble};
use crate::rule::Exactness;
use crate::term::{Program, Term, Type};

/// The sizes at which two programs are compared.
pub const SIZES: &[u64] = &[0, 1, 2, 3, 5, 7];

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
    /// The first difference that was found.
    pub difference: Option<Box<Difference>>,
}

/// How two programs are to be compared.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    /// In this sense.
    pub exactness: Exactness,
    /// One run for each of these: every open size is so much, or at its lower bound if that is greater.
    pub sizes: &'static [u64],
    /// Runs of D at the last sizes.
    pub dual_runs: u32,
    /// Where the random inputs begin.
    pub seed: u64,
    /// A run that asks its budget's watch more often is the last one, and doesn't count.
    pub most: u64,
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
    compare(a, b, &Test { exactness, sizes: SIZES, dual_runs: 0, seed, most }, budget)
}

/// Runs both programs as the test says, until they differ.
pub fn compare(a: &Program, b: &Program, test: &Test, budget: &Budget) -> Result<Comparison, Trouble> {
    let (a, b) = (&applied(a), &applied(b));
    let names: BTreeSet<Name> = open_sizes(&a.term).into_iter().chain(open_sizes(&b.term)).collect();
    let mut random = Random::new(test.seed);
    let mut result = Comparison::default();
    let rough = if test.exactness == Exactness::Exact { Flavour::Wild } else { Flavour::Moderate };
    for (round, size) in test.sizes.iter().enumerate() {
        let sizes = sizes_at(&names, [a, b], *size, (round + 1) % 2);
        let flavour = if round % 2 == 1 { rough } else { Flavour::Moderate };
        let run = Run { programs: [a, b], sizes: &sizes, exactness: test.exactness, under_d: false };
        if !run.within(test.most, flavour, &mut random, &mut result, budget)? || result.difference.is_some() {
            return Ok(result);
        }
    }
    if test.dual_runs > 0
        && let (Some(da), Some(db)) = (dual(a, budget)?, dual(b, budget)?)
    {
        for k in 0..test.dual_runs as usize {
            let last = test.sizes[test.sizes.len() - 1 - k % test.sizes.len()];
            let sizes = sizes_at(&names, [a, b], last, 1);
            let exactness = test.exactness.max(Exactness::RealExact);
            let run = Run { programs: [&da, &db], sizes: &sizes, exactness, under_d: true };
            if !run.within(test.most, Flavour::Generic, &mut random, &mut result, budget)? {
                break;
            }
        }
    }
    Ok(result)
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

/// Every size at `size`, or with a skew at others around it; never below its bound.
fn sizes_at(names: &BTreeSet<Name>, programs: [&Program; 2], size: u64, skew: usize) -> Sizes {
    let value = |(k, name): (usize, &Name)| {
        let least = programs[0].bounds.lower(name).max(programs[1].bounds.lower(name));
        (name.clone(), least.max(size + (k * skew) as u64))
    };
    names.iter().enumerate().map(value).collect()
}

struct Run<'a> {
    programs: [&'a Program; 2],
    sizes: &'a Sizes,
    exactness: Exactness,
    under_d: bool,
}

impl Comparison {
    /// Whether every run gave the same on both sides, as far as the exactness asks.
    pub fn agrees(&self) -> bool {
        self.difference.is_none() && self.unfit == 0
    }
}

impl Difference {
    /// The inputs of a program as a JSON object, open sizes included.
    pub fn inputs_json(&self, program: &Program) -> String {
        to_json(program, &self.inputs, &self.sizes)
    }
}

impl Run<'_> {
    /// Goes on while its budget's watch is asked at most so often; whether that was enough.
    fn within(
        &self,
        most: u64,
        flavour: Flavour,
        random: &mut Random,
        result: &mut Comparison,
        budget: &Budget,
    ) -> Result<bool, Trouble> {
        match self.go(flavour, random, result, &budget.asked_at_most(most, Rc::default())) {
            Err(Trouble::Stopped { reason: StopReason::Operations(n), .. }) if n == most => Ok(false),
            done => done.map(|()| true),
        }
    }

    fn go(
        &self,
        flavour: Flavour,
        random: &mut Random,
        result: &mut Comparison,
        budget: &Budget,
    ) -> Result<(), Trouble> {
        let Some(inputs) = inputs(self.programs[0], self.sizes, flavour, random, budget)? else { return Ok(()) };
        match self.on(inputs, random, budget)? {
            Found::Same if self.under_d => result.dual_runs += 1,
            Found::Same => result.runs.push(self.sizes.clone()),
            Found::Unfit => result.unfit += 1,
            Found::Different(difference) => result.difference = Some(difference),
        }
        Ok(())
    }

    fn on(&self, inputs: Vec<Value>, random: &mut Random, budget: &Budget) -> Result<Found, Trouble> {
        let value = |k: usize, inputs: &[Value]| evaluate(self.programs[k], inputs, self.sizes, budget).map(|v| v.0);
        let (left, right) = (value(0, &inputs)?, value(1, &inputs)?);
        if agree(self.exactness, &left, &right) {
            return Ok(Found::Same);
        }
        if self.exactness != Exactness::Exact {
            if !moderate(&left) || !moderate(&right) {
                return Ok(Found::Unfit);
            }
            let near: Vec<Value> = inputs.iter().map(|v| moved(v, random)).collect();
            if !value(0, &near)?.close(&left, 1e-4) {
                return Ok(Found::Unfit);
            }
        }
        let (sizes, under_d) = (self.sizes.clone(), self.under_d);
        Ok(Found::Different(Box::new(Difference { sizes, inputs, left, right, under_d })))
    }
}

enum Found {
    Same,
    Unfit,
    Different(Box<Difference>),
}

fn agree(exactness: Exactness, left: &Value, right: &Value) -> bool {
    match exactness {
        Exactness::Exact => left.same(right),
        Exactness::RealExact => left.close(right, 1e-9),
        Exactness::Reassociating => left.close(right, 1e-6),
    }
}

/// Neither NaN nor too large to be told from an overflow on its way.
fn moderate(value: &Value) -> bool {
    let is_extreme = |number: &Value| matches!(number, Value::Real(x) if x.abs() >= 1e12 || x.is_nan());
    value.sum(&|number| is_extreme(number).into()) == 0
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
        true => (dual(a, budget)?, dual(b, budget)?, exactness.max(Exactness::RealExact)),
    };
    let (Some(a), Some(b)) = (a, b) else { return Ok(None) };
    let run = Run { programs: [&a, &b], sizes: &known.sizes, exactness, under_d: known.under_d };
    match run.on(inputs, &mut Random::new(1), budget) {
        Ok(Found::Different(difference)) => Ok(Some(difference)),
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
