//! Where the time of a session goes: reading a model, deriving its gradient, compiling that, once cold and once from the cache,
//! and a run of it at sizes of 32, for each model that ships.
//!
//! `cargo run --release --example session`

use std::rc::Rc;
use std::time::{Duration, Instant};

use redexter::bench::{compiler, duration, machine};
use redexter::blocks::packed;
use redexter::eval::{NumberSource, Sizes, few_inputs, open_sizes};
use redexter::ground::{Budget, Limits, Name, Random, Trouble, with_stack};
use redexter::native::{CCompiler, CodeCache, Native, TimingPlan};
use redexter::session::{MemorySystem, Session, Settings};
use redexter::shipped;
use redexter::term::Program;

/// The definitions that are the derivative of a model whose derivative is called something else.
const OTHERS: [(&str, &str); 5] = [
    ("benchmark", "main"),
    ("bundle_adjustment", "jacobianBlock"),
    ("matrix_vector", "jacobianByVector"),
    ("square", "double"),
    ("vector_add", "jacobianByFirst"),
];

/// Each size is this, or its lower bound.
const SIZE: u64 = 32;

fn main() {
    println!("{}; {}\n", machine(), compiler().unwrap_or_else(|| "no C compiler".to_owned()));
    println!("| model | load | derive | compile | from the cache | run |\n|---|---|---|---|---|---|");
    for (path, text) in shipped::FILES {
        let Some(model) = path.strip_prefix("models/").and_then(|path| path.strip_suffix(".arr")) else { continue };
        let other = OTHERS.iter().find(|(name, _)| *name == model).map(|(_, definition)| *definition);
        let definition = other.unwrap_or("gradient");
        if !text.contains(&format!("def {definition} ")) {
            continue;
        }
        let target = format!("{path}:{definition}");
        let row = with_stack(Limits::default().max_depth, move || row(&target)).expect("a stack");
        match row {
            Ok(times) => println!(
                "| {model}:{definition} | {} |",
                times.map(|time| duration(time.as_nanos() as f64)).join(" | ")
            ),
            Err(trouble) => println!("| {model}:{definition} | {trouble:?} |"),
        }
    }
}

/// How long each part takes.
fn row(target: &str) -> Result<[Duration; 5], Trouble> {
    let mut session = Session::new(Settings::quiet(Rc::new(MemorySystem::default())), Rc::default())?;
    let (load, _) = timed(|| session.target(target))?;
    let (derive, program) = timed(|| session.target_after(target, Some("fastGradient")))?;
    let folder = std::env::temp_dir().join(format!("redexter-session-{}", std::process::id()));
    let made =
        timed(|| compiled(&program, &folder)).and_then(|(cold, _)| Ok((cold, timed(|| compiled(&program, &folder))?)));
    drop(std::fs::remove_dir_all(&folder));
    let (cold, (cached, native)) = made?;
    Ok([load, derive, cold, cached, run(&program, &native)?])
}

fn timed<T>(work: impl FnOnce() -> Result<T, Trouble>) -> Result<(Duration, T), Trouble> {
    let begun = Instant::now();
    let done = work()?;
    Ok((begun.elapsed(), done))
}

fn compiled(program: &Program, folder: &std::path::Path) -> Result<Native, Trouble> {
    let (compiler, cache) = (CCompiler::of_system(), CodeCache::at(folder));
    let made = Native::new(&Name::new("measured"), program, &compiler, &cache, &Budget::default())?;
    Ok(made.unwrap_or_else(|reason| panic!("{reason}")))
}

/// The median of some runs.
fn run(program: &Program, native: &Native) -> Result<Duration, Trouble> {
    let budget = Budget::default();
    let sizes: Sizes = open_sizes(&program.term)
        .into_iter()
        .map(|name| (name.clone(), SIZE.max(program.bounds.lower(&name))))
        .collect();
    let inputs = few_inputs(program, &sizes, NumberSource::PLAIN, &mut Random::new(1), (10_000_000, &budget))?;
    let inputs = inputs.expect("parameters have data");
    let (parameters, _) = program.term.applied();
    let given = packed(parameters.iter().map(|(_, ty)| ty).zip(&inputs), &budget)?;
    let mut times = Vec::new();
    native.hold(given, &sizes)?.run(TimingPlan { runs: 11, time: Duration::ZERO, calls: 1 }, &budget, &mut times)?;
    times.sort_unstable();
    Ok(times[times.len() / 2])
}
