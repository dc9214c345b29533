//! Schedules keep what programs mean: every definition of the models that ship that takes and gives data, under every
//! strategy that the shipped schedules define, gives the same results before and after, on random inputs of several
//! sizes, the least among them.

use crate::support::shipped;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use redexter::cost::cheaper_total;
use redexter::eval::{Sizes, Value, evaluate, open_sizes, random_inputs};
use redexter::ground::jobs::{Port, in_order};
use redexter::ground::{Budget, Limits, Name, Random, Trouble, with_stack};
use redexter::rule::Exactness;
use redexter::strategy::{Execution, Outcome, Strategy, Trace, run};
use redexter::term::{Prim, Program, SizeBounds, Term, Type};
use redexter_reference::cases;
use shipped::{Workbench, files, schedules};

/// Strategies may take so many steps; what takes more is compared no further.
const MAX_STEPS: u64 = 2_000;

/// A sample on which a program asks its budget more often, before or after, is left out.
const LONG: u64 = 2_000;

/// How far apart results may be after rules that round differently.
const TOLERANCE: f64 = 1e-7;

/// What is added to the lower bounds of sizes, in turn.
const EXTRA: [u64; 3] = [0, 1, 3];

/// The definitions of a model that take and give data.
fn programs(workbench: &Workbench, path: &Path) -> Vec<(String, Program)> {
    workbench.programs(path).into_iter().filter(|(_, program)| !samples(program).is_empty()).collect()
}

/// Inputs of a program, and what it gives.
struct Sample {
    sizes: Sizes,
    inputs: Vec<Value>,
    result: Value,
}

/// Samples at sizes that differ from each other, the least first; none for what isn't data.
fn samples(program: &Program) -> Vec<Sample> {
    let names: Vec<Name> = open_sizes(&program.term).into_iter().collect();
    let mut all = Vec::new();
    for (round, skew) in (0..EXTRA.len()).flat_map(|round| [(round, 0), (round, 1)]) {
        let size = |(k, name): (usize, &Name)| {
            (name.clone(), program.bounds.lower(name) + EXTRA[(round + k * skew) % EXTRA.len()])
        };
        let sizes: Sizes = names.iter().enumerate().map(size).collect();
        let Some(inputs) = random_inputs(program, &sizes, 7 + round as u64) else { continue };
        let short = Budget::default().asked_at_most(LONG, Rc::default());
        if let Ok((result, _)) = evaluate(program, &inputs, &sizes, &short) {
            all.push(Sample { sizes, inputs, result });
        }
    }
    all
}

/// The least exact of the rules that fired.
fn exactness(trace: &Trace) -> Exactness {
    trace.steps.iter().map(|step| step.rule().info().exactness).max().unwrap_or_default()
}

/// Whether every part of the result agrees as exactly as the rules promise. What isn't finite before is left open by
/// rules that are equalities of the reals only.
fn agree(before: &Value, after: &Value, exactness: Exactness) -> bool {
    match exactness {
        Exactness::Exact => before.same(after),
        _ => !is_finite(before) || before.close(after, TOLERANCE),
    }
}

fn is_finite(value: &Value) -> bool {
    match value {
        Value::Real(x) => x.is_finite(),
        Value::Array(array) => array.items().all(|item| is_finite(&item)),
        Value::Pair(pair) => is_finite(&pair.0) && is_finite(&pair.1),
        _ => true,
    }
}

/// Applies a strategy; whether it changed anything.
fn compare(name: &str, program: &Program, samples: &[Sample], strategy: &(String, Strategy)) -> bool {
    let budget = Budget::new(Limits { max_steps: MAX_STEPS, ..Limits::default() }, None);
    let Ok(done) = run(&strategy.1, program, &budget, cheaper_total) else { return false };
    let Outcome::Success(term) = done.outcome else { return false };
    if done.trace.steps.is_empty() {
        return false;
    }
    let exactness = exactness(&done.trace);
    let after = Program { term, bounds: program.bounds.clone() };
    for sample in samples {
        let short = Budget::default().asked_at_most(LONG, Rc::default());
        let result = match evaluate(&after, &sample.inputs, &sample.sizes, &short) {
            Ok((result, _)) => result,
            Err(Trouble::Stopped { .. }) => continue,
            Err(wrong) => panic!("{name} after {}: {wrong:?}", strategy.0),
        };
        assert!(
            agree(&sample.result, &result, exactness),
            "{name} after {} ({exactness}) at {:?}: {:?} became {result:?}",
            strategy.0,
            sample.sizes,
            sample.result
        );
    }
    true
}

/// What came of some models.
#[derive(Default)]
struct Found {
    compared: usize,
    models: BTreeSet<PathBuf>,
    used: BTreeSet<String>,
    strategies: usize,
}

/// Compares on one of so many shares of the models.
fn agree_on(share: usize, shares: usize) -> Found {
    let workbench = Workbench::new();
    let strategies: Vec<(String, Strategy)> = schedules().iter().flat_map(|path| workbench.strategies(path)).collect();
    let mut found = Found { strategies: strategies.len(), ..Found::default() };
    let programs = files("models", "arr").into_iter().flat_map(|path| {
        let programs = programs(&workbench, &path);
        programs.into_iter().map(move |(name, program)| (path.clone(), name, program))
    });
    for (k, (path, name, program)) in programs.enumerate().skip(share).step_by(shares) {
        let samples = samples(&program);
        // Each third strategy, others for the next program; all in an extended run.
        let each = cases(3, 1) as usize;
        for strategy in strategies.iter().skip(k % each).step_by(each) {
            if compare(&name, &program, &samples, strategy) {
                found.compared += 1;
                found.models.insert(path.clone());
                found.used.insert(strategy.0.clone());
            }
        }
    }
    found
}

#[test]
fn every_schedule_keeps_the_meaning_of_every_model() {
    let shares = std::thread::available_parallelism().map_or(1, usize::from);
    let on = |share: usize, _: Port<()>| agree_on(share, shares);
    let worked = in_order((0..shares).collect(), shares, 10_000, || true, on, drop).expect("a stack");
    let mut all = Found::default();
    for found in worked.results {
        all.compared += found.compared;
        all.models.extend(found.models);
        all.used.extend(found.used);
        all.strategies = found.strategies;
    }
    assert_eq!(all.models.len(), files("models", "arr").len(), "some strategy changes some definition of every model");
    assert!(
        all.compared >= 200 && all.used.len() * 2 >= all.strategies,
        "{} comparisons, {:?}",
        all.compared,
        all.used
    );
}

/// Counts how often work asks whether to go on, as it does in the same measure as it does anything.
fn counting() -> (Budget, Rc<Cell<u64>>) {
    let asked = Rc::new(Cell::new(0));
    let count = asked.clone();
    let watch = move |_: &Budget| {
        count.set(count.get() + 1);
        None
    };
    (Budget::new(Limits::default(), Some(Rc::new(watch))), asked)
}

/// What decides about the whole at its end has to run whole before its first step is settled, but no further.
fn steps_cost_a_run() {
    let workbench = Workbench::new();
    let all = workbench.strategies(Path::new("strategies/gradient.strat"));
    let (_, general) = all.iter().find(|(name, _)| name.ends_with(" fastGradient")).expect("the general schedule");
    let mut settled = 0;
    for (name, program) in files("models", "arr").iter().flat_map(|path| workbench.programs(path)) {
        let (budget, whole) = counting();
        let done = run(general, &program, &budget, cheaper_total).unwrap_or_else(|stop| panic!("{name}: {stop:?}"));
        let mut execution = Execution::new(general, &program, cheaper_total);
        for wanted in [1, 2, usize::MAX] {
            let (budget, part) = counting();
            execution.advance(wanted, &budget).expect("no limit");
            assert!(part.get() <= whole.get() + 2, "{name}, {wanted}: {part:?} of {whole:?}");
        }
        assert_eq!(execution.steps(), done.trace.steps, "{name}");
        settled += done.trace.steps.len();
    }
    assert!(settled > 10_000, "{settled} steps");
}

/// Dense layers inside each other, with the gradient by the input.
fn layers(count: usize) -> String {
    let weights = (0..count).map(|k| format!("w{k}")).collect::<Vec<_>>().join(" ");
    let nested = (0..count).fold("x".to_owned(), |inner, k| format!("layer w{k} ({inner})"));
    format!(
        "def layer {{h}} (w : array h (array h real)) (x : array h real) : array h real := build h (fun i => tanh (vectorDot w[i] x))\n\
         def loss {{h}} (x : array h real) ({weights} : array h (array h real)) : real := let y := {nested}; vectorDot y y\n\
         def gradient {{h}} (x : array h real) ({weights} : array h (array h real)) : array h real := \
         grad (fun p => loss p {weights}) x\n"
    )
}

#[test]
fn transposing_a_chain_of_layers_takes_steps_in_proportion_to_them() {
    let workbench = Workbench::new();
    let all = workbench.strategies(Path::new("strategies/gradient.strat"));
    let (_, reverse) = all.iter().find(|(name, _)| name.ends_with(" reverseMode")).expect("reverse mode");
    let [two, four, eight] = [2, 4, 8].map(|count| {
        let programs = workbench.read("layers.arr", &layers(count));
        let (_, program) = programs.into_iter().find(|(name, _)| name.ends_with(":gradient")).expect("it is defined");
        run(reverse, &program, &Budget::default(), cheaper_total).expect("no limit").trace.steps.len()
    });
    assert_eq!(eight - four, 2 * (four - two), "{two}, {four}, {eight}");
}

#[test]
fn the_first_step_of_the_general_schedule_costs_a_run() {
    with_stack(Limits::default().max_depth, steps_cost_a_run).expect("a thread");
}

/// Sums, products, quotients and signs of two variables and of numerals of either sign.
fn arithmetic(random: &mut Random, fuel: u32) -> Term {
    let leaf = fuel == 0 || random.below(5) == 0;
    match random.below(if leaf { 8 } else { 9 }) {
        k @ 0..=1 if leaf => Term::var(k as u32, &Type::real()),
        k if leaf => Term::real([-2.0, -1.0, -0.5, 0.0, 1.0, 3.0][k - 2]),
        k => {
            let (a, op) = (arithmetic(random, fuel - 1), [Prim::Add, Prim::Sub, Prim::Sub, Prim::Mul, Prim::Div]);
            match op.get(k) {
                Some(op) => Term::binary(*op, a, arithmetic(random, fuel - 1)),
                None => Term::unary(if k < 8 { Prim::Neg } else { Prim::Exp }, a),
            }
            .expect("reals")
        }
    }
}

#[test]
fn stages_end_on_arithmetic_with_numerals_of_either_sign() {
    let stages = Workbench::new().strategies(Path::new("strategies/gradient.strat"));
    let mut random = Random::new(12);
    for _ in 0..300 {
        let body = arithmetic(&mut random, 4);
        let (x, y) = (Name::new("x"), Name::new("y"));
        let term = Term::lam(&y, &Type::real(), body).and_then(|inner| Term::lam(&x, &Type::real(), inner));
        let program = Program { term: term.expect("a function"), bounds: SizeBounds::default() };
        let before = samples(&program);
        for (name, stage) in &stages {
            let done = run(stage, &program, &Budget::default(), cheaper_total).expect("within the limits");
            let after = match done.outcome {
                Outcome::Success(term) => Program { term, ..program.clone() },
                Outcome::Failure(_) => continue,
                other => panic!("{name} on {:?}: {other:?}", program.term),
            };
            for sample in &before {
                let (result, _) =
                    evaluate(&after, &sample.inputs, &sample.sizes, &Budget::default()).expect("a result");
                assert!(agree(&sample.result, &result, exactness(&done.trace)), "{name} on {:?}", program.term);
            }
        }
    }
}
