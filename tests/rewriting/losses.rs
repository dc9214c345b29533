//! The general schedule on random losses: it ends, keeps the gradients' values, never costs more than forward mode, and
//! mostly comes down to the primal's order. `REDEXTER_EXTENDED=1` tries 10,000 and prints those that don't.

use crate::support::{figures, generate, losses, shipped};
use std::collections::BTreeMap;
use std::path::Path;

use figures::Figures;
use generate::Generator;
use redexter::cost::{cheaper_total, compare, work};
use redexter::eval::{
    NumberSource, Observer, Sizes, Value, drawn_inputs, evaluate, observed, open_sizes, random_inputs,
};
use redexter::ground::jobs::{Port, in_order};
use redexter::ground::{Budget, Limits, Name, Random};
use redexter::strategy::{Outcome, Strategy, run};
use redexter::syntax::{PrintStyle, print_term};
use redexter::term::{Prim, Program, Scalar};
use redexter_reference::{cases, is_extended};
use shipped::Workbench;

/// So many losses are tried.
const FEW: u64 = 120;
const MANY: u64 = 10_000;

/// A gradient may take so many steps for each node of its term.
const STEPS: u64 = 400;

/// What at least so many of 100 gradients keep.
const MOST: usize = 95;
const RATIO: f64 = 6.0;
const ORDER: f64 = 8.0;

/// How far apart values may be, for each 1 of the larger magnitude.
const TOLERANCE: f64 = 1e-6;

#[derive(Default)]
struct Found {
    compared: usize,
    gradients: usize,
    beyond: Vec<String>,
}

#[test]
fn gradients_of_random_losses_come_to_the_order_of_their_primals() {
    let extended = is_extended();
    let losses = cases(FEW, MANY);
    let shares = std::thread::available_parallelism().map_or(1, |jobs| jobs.get() as u64);
    let on = |share: u64, _: Port<()>| tried((share..losses).step_by(shares as usize));
    let worked = in_order((0..shares).collect(), shares as usize, 20_000, || true, on, drop).expect("a stack");
    let mut all = Found::default();
    for found in worked.results {
        all.compared += found.compared;
        all.gradients += found.gradients;
        all.beyond.extend(found.beyond);
    }
    if extended {
        println!("{} of {} gradients are beyond:\n{}", all.beyond.len(), all.gradients, all.beyond.join("\n"));
    }
    assert!(all.compared > 2 * all.gradients, "{} comparisons of {} gradients", all.compared, all.gradients);
    let most = all.gradients * (100 - MOST) / 100;
    assert!(all.beyond.len() <= most, "{} of {}:\n{}", all.beyond.len(), all.gradients, all.beyond.join("\n"));
}

/// Nothing says of these programs that they are derivatives, or that they take numbers to numbers.
#[test]
fn the_schedule_ends_on_every_program_within_limits_that_its_size_sets() {
    let programs = cases(10 * FEW, 10 * MANY);
    let shares = std::thread::available_parallelism().map_or(1, |jobs| jobs.get() as u64);
    let on = |share: u64, _: Port<()>| {
        let workbench = Workbench::new();
        let strategies = workbench.strategies(Path::new("strategies/gradient.strat"));
        let (_, schedule) = strategies.iter().find(|(name, _)| name.ends_with(" fastGradient")).expect("the schedule");
        let ended = |seed: u64| {
            let program = Generator::new(seed, true).program(4 + (seed % 6) as u32);
            let why = scheduled(schedule, &program).err()?;
            Some(format!("seed {seed}: {why}, in {}", print_term(&program.term, &PrintStyle { width: 200 })))
        };
        (share..programs).step_by(shares as usize).filter_map(ended).collect::<Vec<String>>()
    };
    let worked = in_order((0..shares).collect(), shares as usize, 20_000, || true, on, drop).expect("a stack");
    let found: Vec<String> = worked.results.into_iter().flatten().collect();
    assert!(found.is_empty(), "{} of {programs}:\n{}", found.len(), found.join("\n"));
}

/// Where a slope is infinite or a number is none, a schedule may take out a zero that forward mode multiplies by it, or the other
/// way round: where both values are numbers, they are the same, unless they hang on how a NaN compares.
#[test]
fn gradients_at_the_edges_agree_wherever_both_are_finite() {
    let models = cases(FEW / 2, MANY / 4);
    let shares = std::thread::available_parallelism().map_or(1, |jobs| jobs.get() as u64);
    let on = |share: u64, _: Port<()>| at_the_edges((share..models).step_by(shares as usize));
    let worked = in_order((0..shares).collect(), shares as usize, 20_000, || true, on, drop).expect("a stack");
    let mut all = AtTheEdges::default();
    for found in worked.results {
        all.programs += found.programs;
        all.both += found.both;
        all.swallowed += found.swallowed;
        all.neither += found.neither;
        all.infinite += found.infinite;
        for (cause, count) in found.one {
            *all.one.entry(cause).or_default() += count;
        }
    }
    println!("{all:#?}");
    assert!(all.both > 10 * all.programs, "{all:?}");
    // Forward mode adds up what a schedule leaves out: its NaN is one that some operation made of a zero or an infinity.
    let unknown: usize = all.one.iter().filter(|((_, causes), _)| causes.is_empty()).map(|(_, count)| count).sum();
    assert!(1_000 * unknown <= all.both && 1_000 * all.swallowed <= all.both, "{all:?}");
}

/// How numbers of gradients compare, without a schedule and with one.
#[derive(Debug, Default)]
struct AtTheEdges {
    programs: usize,
    /// Both are finite, and the same.
    both: usize,
    /// Both are finite, but not the same, as on the way there a comparison, `min` or `max` met a NaN, which a rule that holds for
    /// numbers has taken out: `c - c` where c is infinite.
    swallowed: usize,
    /// Neither is finite.
    neither: usize,
    /// One is infinite, the other finite.
    infinite: usize,
    /// One is NaN: which, and by which operations that run made NaN more often than the other one.
    one: BTreeMap<(&'static str, Vec<&'static str>), usize>,
}

/// How often a run made NaN of a zero and what is no number, or of infinities, or by a function.
#[derive(Default)]
struct NanBirths(BTreeMap<&'static str, usize>);

impl Observer for NanBirths {
    fn real(&mut self, prim: Prim, operands: &[Scalar], result: f64) -> f64 {
        let holds = |is: fn(&f64) -> bool| operands.iter().any(|o| matches!(o, Scalar::Real(x) if is(x)));
        let kind = match (prim, holds(|x| *x == 0.0), holds(|x| x.is_nan())) {
            (Prim::Mul, true, true) => "0 * NaN",
            (Prim::Mul, true, false) => "0 * inf",
            (Prim::Div, true, true) => "0 / NaN",
            (Prim::Div, true, false) => "0 / 0",
            (_, _, true) => return result,
            (Prim::Div, ..) => "inf / inf",
            (Prim::Add | Prim::Sub, ..) => "inf - inf",
            _ => "function",
        };
        if result.is_nan() {
            *self.0.entry(kind).or_default() += 1;
        }
        result
    }
}

impl NanBirths {
    fn beyond(&self, other: &NanBirths) -> Vec<&'static str> {
        let is_more = |(kind, count): &(&&'static str, &usize)| *count > other.0.get(**kind).unwrap_or(&0);
        self.0.iter().filter(is_more).map(|(kind, _)| *kind).collect()
    }
}

fn at_the_edges(seeds: impl Iterator<Item = u64>) -> AtTheEdges {
    let workbench = Workbench::new();
    let strategies = workbench.strategies(Path::new("strategies/gradient.strat"));
    let (_, schedule) = strategies.iter().find(|(name, _)| name.ends_with(" fastGradient")).expect("the schedule");
    let mut found = AtTheEdges::default();
    for seed in seeds {
        let text = losses::edgy(seed);
        for (name, gradient) in &workbench.read(&format!("edge{seed}.arr"), &text)[1..] {
            let after = scheduled(schedule, gradient).unwrap_or_else(|why| panic!("{name}: {why}\n{text}"));
            found.programs += 1;
            for round in 0..4 {
                found.compare([gradient, &after], round).unwrap_or_else(|why| panic!("{name}: {why}\n{text}"));
            }
        }
    }
    found
}

impl AtTheEdges {
    fn compare(&mut self, programs: [&Program; 2], round: u64) -> Result<(), String> {
        const EDGES: [f64; 8] = [0.0, -0.0, 1.0, -1.0, 2.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        let names: Vec<Name> = open_sizes(&programs[0].term).into_iter().collect();
        let sizes: Sizes = names.iter().zip(1..).map(|(name, k)| (name.clone(), 1 + (round + k) % 3)).collect();
        // Half of the numbers are at no edge.
        let real = |random: &mut Random| if random.chance(50) { *random.pick(&EDGES) } else { random.moderate() };
        let source = NumberSource { real: &real, int: &|_| 0 };
        let drawn = drawn_inputs(programs[0], &sizes, source, &mut Random::new(round + 11), &Budget::default());
        let Ok(Some(inputs)) = drawn else { return Ok(()) };
        let mut runs = Vec::new();
        for program in programs {
            let mut births = NanBirths::default();
            let value =
                observed(program, &inputs, &sizes, &mut births, &Budget::default()).map_err(|e| format!("{e:?}"))?;
            runs.push((reals(&value), births));
        }
        for (a, b) in runs[0].0.iter().zip(&runs[1].0) {
            let (whose, of) = match (a.is_nan(), b.is_nan()) {
                (false, false) if a.is_finite() && b.is_finite() => {
                    match (a - b).abs() <= TOLERANCE * a.abs().max(b.abs()).max(1.0) {
                        true => self.both += 1,
                        false if runs.iter().any(|(_, births)| !births.0.is_empty()) => self.swallowed += 1,
                        false => return Err(format!("at {sizes:?} on {inputs:?}: {a} became {b}")),
                    }
                    continue;
                }
                (false, false) if a != b => {
                    self.infinite += 1;
                    continue;
                }
                (one, other) if one == other => {
                    self.neither += 1;
                    continue;
                }
                (true, _) => ("plain", [&runs[0].1, &runs[1].1]),
                _ => ("scheduled", [&runs[1].1, &runs[0].1]),
            };
            *self.one.entry((whose, of[0].beyond(of[1]))).or_default() += 1;
        }
        Ok(())
    }
}

fn reals(value: &Value) -> Vec<f64> {
    match value {
        Value::Real(x) => vec![*x],
        Value::Array(all) => all.items().flat_map(|item| reals(&item)).collect(),
        Value::Pair(both) => [&both.0, &both.1].into_iter().flat_map(reals).collect(),
        _ => Vec::new(),
    }
}

fn tried(seeds: impl Iterator<Item = u64>) -> Found {
    let workbench = Workbench::new();
    let strategies = workbench.strategies(Path::new("strategies/gradient.strat"));
    let (_, schedule) = strategies.iter().find(|(name, _)| name.ends_with(" fastGradient")).expect("the schedule");
    let mut found = Found::default();
    for seed in seeds {
        let text = losses::model(seed);
        let programs = workbench.read(&format!("loss{seed}.arr"), &text);
        let [(_, primal), gradients @ ..] = &programs[..] else { panic!("{text}") };
        for (name, gradient) in gradients {
            let after = scheduled(schedule, gradient).unwrap_or_else(|why| panic!("{name}: {why}\n{text}"));
            found.compared += same(gradient, &after).unwrap_or_else(|why| panic!("{name}: {why}\n{text}"));
            found.gradients += 1;
            let Figures { ratio, order, at } = Figures::of(primal, &after);
            if ratio > RATIO || order > ORDER {
                let [one, other] = [primal, &after].map(|program| work(&program.term).total());
                found.beyond.push(format!("{name}: ratio {ratio:.1}, order {order:.1} {at}: {one} became {other}"));
            }
        }
    }
    found
}

fn scheduled(schedule: &Strategy, gradient: &Program) -> Result<Program, String> {
    let limits = Limits { max_steps: STEPS * gradient.term.size(), ..Limits::default() };
    let done = run(schedule, gradient, &Budget::new(limits, None), cheaper_total);
    match done.map_err(|stop| stop.reason.to_string())?.outcome {
        Outcome::Success(term) => {
            let after = gradient.with(term);
            let [one, other] = [gradient, &after].map(|program| work(&program.term).total());
            let compared = compare(&one, &other, &gradient.bounds);
            if compared.is_raised { Err(format!("{one} became {other}")) } else { Ok(after) }
        }
        other => Err(format!("{other:?}")),
    }
}

/// How many values agree.
fn same(before: &Program, after: &Program) -> Result<usize, String> {
    let names: Vec<Name> = open_sizes(&before.term).into_iter().collect();
    let mut compared = 0;
    for round in 0..4 {
        let size = |(k, name): (usize, &Name)| (name.clone(), (round + k as u64) % 4);
        let sizes: Sizes = names.iter().enumerate().map(size).collect();
        let Some(inputs) = random_inputs(before, &sizes, 5 + round) else { continue };
        let value = |program: &Program| evaluate(program, &inputs, &sizes, &Budget::default()).map(|(value, _)| value);
        let [one, other] = [before, after].map(|program| value(program).map_err(|why| format!("{why:?}")));
        let (one, other) = (one?, other?);
        if !one.close(&other, TOLERANCE) {
            return Err(format!("at {sizes:?} on {inputs:?}: {one:?} became {other:?}"));
        }
        compared += 1;
    }
    Ok(compared)
}
