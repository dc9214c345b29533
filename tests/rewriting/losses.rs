//! The general schedule on random losses: it ends, keeps the gradients' values, never costs more than forward mode, and
//! mostly comes down to the primal's order; so does reverse mode alone on losses whose loops carry a state.
//! `REDEXTER_EXTENDED=1` tries 10,000 and prints those that don't.

use crate::support::{figures, generate, losses, shipped};
use std::path::Path;

use figures::Figures;
use generate::Generator;
use redexter::cost::{cheaper_total, compare, work};
use redexter::eval::{Sizes, evaluate, open_sizes, random_inputs};
use redexter::ground::jobs::{Port, in_order};
use redexter::ground::{Budget, Limits, Name};
use redexter::strategy::{Outcome, Step, Strategy, Trace, run};
use redexter::syntax::{PrintStyle, print_term};
use redexter::term::Program;
use redexter_reference::{cases, is_extended};
use shipped::Workbench;

/// So many losses are tried.
const FEW: u64 = 120;
const MANY: u64 = 10_000;

/// A gradient may take so many steps for each node of its term, with those that are thrown away.
const STEPS: u64 = 400;

/// So many for each node are kept, where a loop carries a state.
const KEPT_STEPS: usize = 60;

/// What at least so many of 100 gradients keep.
const MOST: usize = 95;
const RATIO: f64 = 6.0;
const ORDER: f64 = 8.0;

/// How far apart values may be, for each 1 of the larger magnitude.
pub(crate) const TOLERANCE: f64 = 1e-6;

#[derive(Default)]
struct Found {
    compared: usize,
    gradients: usize,
    beyond: Vec<String>,
}

impl Found {
    fn counts(&mut self, name: &str, primal: &Program, after: &Program) {
        self.gradients += 1;
        let Figures { ratio, order, at } = Figures::of(primal, after);
        if ratio > RATIO || order > ORDER {
            let [one, other] = [primal, after].map(|program| work(&program.term).total());
            self.beyond.push(format!("{name}: ratio {ratio:.1}, order {order:.1} {at}: {one} became {other}"));
        }
    }
}

#[test]
fn gradients_of_random_losses_come_to_the_order_of_their_primals() {
    mostly_kept(cases(FEW, MANY), tried);
}

/// Losses of which a loop carries a state through all that they are differentiated by: each gradient is transposed.
#[test]
fn gradients_of_losses_that_carry_a_state_are_transposed() {
    mostly_kept(cases(FEW / 2, MANY), transposed);
}

/// Of the gradients that are found most keep the order of their primals.
fn mostly_kept(losses: u64, tried: fn(Vec<u64>) -> Found) {
    let shares = std::thread::available_parallelism().map_or(1, |jobs| jobs.get() as u64);
    let on = |share: u64, _: Port<()>| tried((share..losses).step_by(shares as usize).collect());
    let worked = in_order((0..shares).collect(), shares as usize, 20_000, || true, on, drop).expect("a stack");
    let mut all = Found::default();
    for found in worked.results {
        all.compared += found.compared;
        all.gradients += found.gradients;
        all.beyond.extend(found.beyond);
    }
    if is_extended() {
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

fn tried(seeds: Vec<u64>) -> Found {
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
            found.counts(name, primal, &after);
        }
    }
    found
}

/// Derives gradients by reverse mode, which transposes in each, and by the whole schedule.
fn transposed(seeds: Vec<u64>) -> Found {
    let workbench = Workbench::new();
    let strategies = workbench.strategies(Path::new("strategies/gradient.strat"));
    let called = |name: &str| &strategies.iter().find(|(known, _)| known.ends_with(name)).expect("a schedule").1;
    let (reverse, general) = (called(" reverseMode"), called(" fastGradient"));
    let is_start = |step: &Step| step.rule().info().name.as_str() == "pullStart";
    let mut found = Found::default();
    for seed in seeds {
        let text = losses::carried(seed);
        let programs = workbench.read(&format!("carried{seed}.arr"), &text);
        let [(_, primal), gradients @ ..] = &programs[..] else { panic!("{text}") };
        for (name, gradient) in gradients {
            let nodes = gradient.term.size() as usize;
            let mut checked = |derived: Result<(Program, Trace), String>| {
                let (after, trace) = derived.unwrap_or_else(|why| panic!("{name}: {why}\n{text}"));
                let steps = trace.steps.len();
                assert!(steps <= KEPT_STEPS * nodes, "{name}: {steps} steps from {nodes} nodes\n{text}");
                found.compared += same(gradient, &after).unwrap_or_else(|why| panic!("{name}: {why}\n{text}"));
                (after, trace)
            };
            // By one number a tangent may take less than what is transposed: it is kept then.
            let (_, trace) = checked(ended(reverse, gradient));
            let (after, _) = checked(derived(general, gradient));
            let is_kept = trace.steps.iter().any(is_start) || name.ends_with("byNumber");
            assert!(is_kept, "{name}: nothing was transposed\n{text}");
            found.counts(name, primal, &after);
        }
    }
    found
}

fn scheduled(schedule: &Strategy, gradient: &Program) -> Result<Program, String> {
    derived(schedule, gradient).map(|(after, _)| after)
}

/// What the schedule makes of a gradient, which is no dearer, and the steps to it.
pub(crate) fn derived(schedule: &Strategy, gradient: &Program) -> Result<(Program, Trace), String> {
    let (after, trace) = ended(schedule, gradient)?;
    let [one, other] = [gradient, &after].map(|program| work(&program.term).total());
    let compared = compare(&one, &other, &gradient.bounds);
    if compared.is_raised { Err(format!("{one} became {other}")) } else { Ok((after, trace)) }
}

fn ended(schedule: &Strategy, gradient: &Program) -> Result<(Program, Trace), String> {
    let limits = Limits { max_steps: STEPS * gradient.term.size(), ..Limits::default() };
    let done = run(schedule, gradient, &Budget::new(limits, None), cheaper_total);
    let done = done.map_err(|stop| stop.reason.to_string())?;
    match done.outcome {
        Outcome::Success(term) => Ok((gradient.with(term), done.trace)),
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
