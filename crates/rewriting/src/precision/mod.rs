//! Finds steps that lose digits: a derivation's terms run on doubles, and its first term on numbers of twice the digits as well.
//!
//! Equal as real numbers, two terms may differ as doubles: rules for real numbers may take a formula apart that rounds with care.
//! [`lost_digits`] runs the first and the last term on random inputs of all magnitudes. Where the last is much farther from what
//! the numbers give than the first was, and that more often than the other way round, halving finds a step that does it. It is
//! a test: inputs that it doesn't draw may show more.

mod double_double;
mod primitives;
mod run;
mod special;

pub use double_double::DoubleDouble;
pub use primitives::LongPrimitive;

use crate::derivation::Derivation;
use crate::rule::Rule;
use crate::sound::open_sizes;
use crate::strategy::Trace;
use redexter_language::cost::work;
use redexter_language::eval::{NumberSource, Sizes, Value, drawn_inputs, evaluate, parameters, value_to_json};
use redexter_language::ground::text::{listed, shortened};
use redexter_language::ground::{Budget, Diagnostic, Name, Random, StopReason, Trouble, code};
use redexter_language::term::{Program, SizeBounds, Term};

/// So many inputs are drawn.
const RUNS: usize = 60;

/// The open sizes of each.
const SIZES: [u64; 4] = [3, 5, 2, 8];

/// Those where all reals of the inputs are one, so that a sum rounds the same way again and again: the first that takes no more
/// than [`MAX_WORK`].
const LARGE_SIZES: [u64; 3] = [1_000, 100, 10];
const MAX_WORK: u128 = 100_000;

/// A result that is so many times as far off as before has lost digits.
const FACTOR: f64 = 8.0;

/// What is within so many units in the last place is as good as a double can be.
const UNITS: f64 = 2.0;

/// So many runs at least lose digits where a derivation does.
const LEAST_LOSSES: usize = 2;

/// And so many times as many as gain some: sums in another order do both.
const LOSSES_PER_GAIN: usize = 3;

/// Inputs are shown in so many columns.
const MAX_SHOWN_COLUMNS: usize = 200;

/// Where the random inputs begin.
const SEED: u64 = 1;

/// The result of looking for lost digits.
#[derive(Clone, Debug, Default)]
pub struct PrecisionFinding {
    /// In so many runs first and last term could be compared.
    pub runs: usize,
    /// In so many of them digits were lost.
    pub losses: usize,
    /// In so many of them digits were gained.
    pub gains: usize,
    /// The step that loses them, where it is no matter of chance.
    pub lost: Option<LostDigits>,
}

/// A step that loses digits, and inputs that show it.
#[derive(Clone, Debug)]
pub struct LostDigits {
    /// The step's number, from 1.
    pub step: usize,
    /// Its rule.
    pub rule: Rule,
    /// Where it was taken, as an address; empty at the root.
    pub place: String,
    /// The inputs with their names, and the open sizes.
    pub inputs: String,
    /// A real of the result before the step.
    pub was: f64,
    /// The same after it.
    pub is: f64,
    /// The same in twice the digits, rounded.
    pub exactly: f64,
}

impl LostDigits {
    /// The error that tells the user of it.
    pub fn finding(&self) -> Diagnostic {
        let LostDigits { step, rule, was, is, exactly, inputs, .. } = self;
        let place = if self.place.is_empty() { String::new() } else { format!(" at {}", self.place) };
        Diagnostic::error(code::LOST_DIGITS, format!("step {step} loses digits: {}{place}", rule.quoted()))
            .help(format!("on {inputs} a number of the result was {was:?} and is {is:?}; in twice the digits it is {exactly:?}"))
            .help("what counts on rounding is kept by `keep` in the model; `exactly(s)` keeps all bits of what s rewrites")
    }
}

/// A run that tells something.
struct TellingRun {
    sizes: Sizes,
    inputs: Vec<Value>,
    exact: Vec<DoubleDouble>,
    /// How far the doubles of the first term are from that.
    errors: Vec<f64>,
}

/// Looks for digits that a derivation loses.
pub fn lost_digits(trace: &Trace, bounds: &SizeBounds, budget: &Budget) -> Result<PrecisionFinding, StopReason> {
    let program = |term: Term| Program { term, bounds: bounds.clone() };
    let derivation = Derivation::of_run("", trace.clone().into());
    let (count, first) = (trace.steps.len(), program(trace.start.clone()));
    let last = program(derivation.term(count));
    let (mut found, mut worst) = (PrecisionFinding::default(), None);
    for round in 0..RUNS {
        budget.ask()?;
        let Some(run) = telling(&first, &last, round, budget)? else { continue };
        let Some(after) = doubles(&last, &run, budget)? else { continue };
        found.runs += 1;
        found.gains += usize::from(run.each(&after).any(|(was, is, unit)| was > FACTOR * is.max(UNITS * unit)));
        let loss = run.loss(&after);
        found.losses += usize::from(loss.is_some());
        if let Some((_, by)) = loss
            && worst.as_ref().is_none_or(|(most, _)| by > *most)
        {
            worst = Some((by, run));
        }
    }
    let Some((_, run)) = worst else { return Ok(found) };
    if found.losses < LEAST_LOSSES || found.losses <= LOSSES_PER_GAIN * found.gains {
        return Ok(found);
    }
    let (mut good, mut bad) = (0, count);
    while bad - good > 1 {
        budget.step()?;
        let middle = good + (bad - good) / 2;
        let is_bad = doubles(&program(derivation.term(middle)), &run, budget)?.is_none_or(|is| run.loss(&is).is_some());
        if is_bad { bad = middle } else { good = middle }
    }
    let (before, step) = (derivation.term(good), &trace.steps[good]);
    let (was, is) =
        (doubles(&program(before.clone()), &run, budget)?, doubles(&program(derivation.term(bad)), &run, budget)?);
    let (Some(was), Some(is)) = (was, is) else { return Ok(found) };
    let at = run.loss(&is).map_or(0, |(at, _)| at);
    let place = step.path().display(&before);
    let inputs = run.shown(&first);
    let (was, is, exactly) = (was[at], is[at], run.exact[at].rounded());
    found.lost = Some(LostDigits { step: bad, rule: step.rule().clone(), place, inputs, was, is, exactly });
    Ok(found)
}

impl TellingRun {
    /// Its inputs and sizes, each with its name.
    fn shown(&self, program: &Program) -> String {
        let inputs = parameters(program).into_iter().zip(&self.inputs);
        let inputs = inputs.map(|(parameter, value)| format!("{} = {}", parameter.name, value_to_json(value)));
        let all = listed(inputs.chain(self.sizes.iter().map(|(name, size)| format!("{name} = {size}"))));
        shortened(&all, MAX_SHOWN_COLUMNS)
    }

    /// Of each real how far off the first term is and these doubles are, and a unit in its last place.
    fn each<'a>(&'a self, doubles: &'a [f64]) -> impl Iterator<Item = (f64, f64, f64)> + 'a {
        let units = self.exact.iter().map(|exact| exact.rounded().abs() * f64::EPSILON + f64::MIN_POSITIVE);
        let distances = self.exact.iter().zip(doubles).map(|(exact, is)| exact.distance(*is));
        self.errors.iter().zip(distances).zip(units).map(|((was, is), unit)| (*was, is, unit))
    }

    /// The real that lost most, and how many times as far off it is.
    fn loss(&self, doubles: &[f64]) -> Option<(usize, f64)> {
        let times = self.each(doubles).map(|(was, is, unit)| {
            let as_good = was.max(UNITS * unit);
            if is.is_nan() { f64::INFINITY } else { is / as_good }
        });
        times.enumerate().filter(|(_, by)| *by > FACTOR).max_by(|(_, a), (_, b)| a.total_cmp(b))
    }
}

/// Inputs of which the first term gives numbers, on doubles and in twice the digits.
fn telling(first: &Program, last: &Program, round: usize, budget: &Budget) -> Result<Option<TellingRun>, StopReason> {
    let sizes = match round % KINDS {
        0 => large_sizes(first, last),
        _ => Some(sizes_at(first, last, SIZES[round / KINDS % SIZES.len()])),
    };
    let Some(sizes) = sizes else { return Ok(None) };
    let mut random = Random::new(SEED + round as u64);
    let Some(inputs) = inputs(first, &sizes, round, &mut random, budget)? else { return Ok(None) };
    let Some(exact) = run::reals(&first.term, &inputs, &sizes, budget)? else { return Ok(None) };
    let mut run = TellingRun { sizes, inputs, exact, errors: Vec::new() };
    let Some(was) = doubles(first, &run, budget)? else { return Ok(None) };
    if was.len() != run.exact.len() {
        return Ok(None);
    }
    run.errors = run.exact.iter().zip(&was).map(|(exact, was)| exact.distance(*was)).collect();
    let is_number =
        run.exact.iter().all(|exact| exact.rounded().is_finite()) && run.errors.iter().all(|e| e.is_finite());
    Ok(is_number.then_some(run))
}

fn large_sizes(first: &Program, last: &Program) -> Option<Sizes> {
    let work = work(&first.term);
    let is_small = |sizes: &Sizes| work.at(|name| sizes.get(name).unwrap_or(0)) <= MAX_WORK;
    LARGE_SIZES.iter().map(|size| sizes_at(first, last, *size)).find(is_small)
}

fn sizes_at(first: &Program, last: &Program, size: u64) -> Sizes {
    let lower = |name: &Name| first.bounds.lower(name);
    open_sizes([first, last]).into_iter().map(|name| (name.clone(), size.max(lower(&name)))).collect()
}

/// One number everywhere, numbers of all magnitudes, few different ones of either sign, and moderate ones, by turns.
const KINDS: usize = 4;

fn inputs(
    program: &Program,
    sizes: &Sizes,
    round: usize,
    random: &mut Random,
    budget: &Budget,
) -> Result<Option<Vec<Value>>, StopReason> {
    let few = [magnitude(random), magnitude(random), random.moderate()];
    let real = |random: &mut Random| match round % KINDS {
        0 => few[2],
        1 => magnitude(random),
        2 => *random.pick(&[few[0], -few[0], few[1], few[2], few[2]]),
        _ => random.moderate(),
    };
    let int = |random: &mut Random| random.below(7) as i64 - 2;
    drawn_inputs(program, sizes, NumberSource { real: &real, int: &int }, random, budget)
}

/// A number from 1e-12 to 1e18, of either sign.
fn magnitude(random: &mut Random) -> f64 {
    random.moderate() * 10f64.powi(random.below(31) as i32 - 12)
}

/// The reals of a program's value on doubles; nothing where it stops.
fn doubles(program: &Program, run: &TellingRun, budget: &Budget) -> Result<Option<Vec<f64>>, StopReason> {
    match evaluate(program, &run.inputs, &run.sizes, budget) {
        Ok((value, _)) => {
            let mut all = Vec::new();
            leaves(&value, &mut all);
            Ok(Some(all))
        }
        Err(Trouble::Stopped { reason, .. }) => Err(reason),
        Err(Trouble::Wrong(_)) => Ok(None),
    }
}

fn leaves(value: &Value, all: &mut Vec<f64>) {
    match value {
        Value::Real(x) => all.push(*x),
        Value::Array(items) => items.items().for_each(|item| leaves(&item, all)),
        Value::Pair(p) => {
            leaves(&p.0, all);
            leaves(&p.1, all);
        }
        Value::Int(_) | Value::Index(_) | Value::Function(_) => {}
    }
}
