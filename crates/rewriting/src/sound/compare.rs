//! Compares two programs, in the sense of an exactness, on random inputs of several sizes.

use std::collections::BTreeSet;

use super::hints::Hints;
use super::inputs::InputDistribution;
use super::judge::ProgramPair;
use super::runs::{PairedRun, applied, dual};
use super::sizes::{open_sizes, sizes_at, uneven};
use super::watch::RunWatch;
use crate::rule::Exactness;
use redexter_language::eval::{Sizes, Value};
use redexter_language::ground::{Budget, Name, Random, Trouble};
use redexter_language::term::Program;

/// The sizes at which two programs are compared.
pub const SIZES: &[u64] = &[0, 1, 2, 3, 5, 7];

/// Where the random inputs begin, unless a user says.
pub const SEED: u64 = 1;

/// Open sizes are at most this and their number where D is run.
const MAX_SIZE_UNDER_D: u64 = 4;

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

/// The outcome of a comparison of two programs.
#[derive(Clone, Debug, Default)]
pub struct ProgramComparison {
    /// At which sizes both were run and could be compared.
    pub runs: Vec<Sizes>,
    /// How many runs of D could be compared.
    pub dual_runs: u32,
    /// How many runs told nothing: NaN or infinities where the exactness leaves them open, or bad conditioning.
    pub unfit: u32,
    /// Of these, in how many a NaN comes of a zero times an infinite slope.
    pub steep: u32,
    /// How many runs were too long.
    pub long: u32,
    /// The first difference that was found.
    pub difference: Option<Box<Difference>>,
}

/// The plan by which two programs are compared.
#[derive(Clone, Copy, Debug)]
pub struct ComparisonPlan<'a> {
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
) -> Result<ProgramComparison, Trouble> {
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
) -> Result<ProgramComparison, Trouble> {
    compare(a, b, &ComparisonPlan { exactness, sizes: SIZES, dual_runs: 0, seed, most, hints: None }, budget)
}

/// Runs both programs as the test says, until they differ.
pub fn compare(a: &Program, b: &Program, test: &ComparisonPlan, budget: &Budget) -> Result<ProgramComparison, Trouble> {
    compare_seen(a, b, test, &mut |_| (), budget)
}

/// The same; what was seen of the second program's runs is told.
pub(super) fn compare_seen(
    a: &Program,
    b: &Program,
    test: &ComparisonPlan,
    seen: &mut dyn FnMut(&RunWatch),
    budget: &Budget,
) -> Result<ProgramComparison, Trouble> {
    let (a, b) = (&applied(a), &applied(b));
    let names: BTreeSet<Name> = open_sizes([a, b]);
    let mut random = Random::new(test.seed);
    let mut result = ProgramComparison::default();
    for (round, size) in test.sizes.iter().enumerate() {
        let sizes = match test.hints {
            Some(_) => uneven(&names, [a, b], test.sizes, round),
            // In every other run the open sizes differ, so that programs which mix them up differ, too.
            None => sizes_at(&names, [a, b], |k| size + (k * ((round + 1) % 2)) as u64),
        };
        let pair = ProgramPair { programs: [a, b], sizes: &sizes, exactness: test.exactness };
        let run = PairedRun { pair, under_d: false, flavour: InputDistribution::of(test, round) };
        if !run.within(test, &mut random, &mut result, seen, budget)? || result.difference.is_some() {
            return Ok(result);
        }
    }
    if test.dual_runs > 0
        && let (Some(da), Some(db)) = (dual(a, budget)?, dual(b, budget)?)
    {
        for k in 0..test.dual_runs as usize {
            let last = test.sizes[test.sizes.len() - 1 - k % test.sizes.len()];
            let sizes = sizes_at(&names, [a, b], |k| last.min(MAX_SIZE_UNDER_D) + k as u64);
            // D may add up the tangents of equal programs in another order, so that only rounding can be asked of it.
            let pair = ProgramPair { programs: [&da, &db], sizes: &sizes, exactness: Exactness::Reassociating };
            let run = PairedRun { pair, under_d: true, flavour: InputDistribution::under_d(test, k) };
            if !run.within(test, &mut random, &mut result, &mut |_| (), budget)? || result.difference.is_some() {
                break;
            }
        }
    }
    Ok(result)
}

impl ProgramComparison {
    /// Whether every run gave the same on both sides, as far as the exactness asks.
    pub fn agrees(&self) -> bool {
        self.difference.is_none() && self.unfit == 0
    }
}
