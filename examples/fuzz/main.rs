//! Fuzzing: `cargo run --release --example fuzz -- 600` tries inputs for ten minutes, shared by the targets.
//!
//! Each target runs in a child process with 4 GB of address space, so that what aborts or doesn't answer is found, too.
//! What breaks is made small and written to `target/fuzz`, where its name is its target and a hash. CONTRIBUTING.md says more.
//!
//! The targets and what makes their inputs stand in `tests/support/fuzz`.

mod child;
mod growth;
mod parent;
mod tally;

#[path = "../../tests/support/fuzz/mod.rs"]
#[allow(dead_code, reason = "its test needs more of it")]
mod fuzz;

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use fuzz::{TARGETS, Target, keep_panics_quiet};
use mimalloc::MiMalloc;
use redexter::ground::{Limits, with_stack};
use redexter_allocator::CountingAllocator;

/// As in the program.
#[global_allocator]
static ALLOCATOR: CountingAllocator<MiMalloc> = CountingAllocator(MiMalloc);

const USAGE: &str = "fuzz SECONDS [--inputs N] [--seed N] [--target NAME]…  try inputs, at most N for each target
fuzz --growth SECONDS [the same]                        watch how the time grows with the length of inputs
fuzz FILE…                                              try what was found again";

/// What is to be tried.
struct Plan {
    /// For all targets together.
    time: Duration,
    /// For each target.
    inputs: u64,
    seed: u64,
    targets: Vec<&'static Target>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["--child", target, seed, from, to] => child::run(target, [seed, from, to]),
        ["--one", target, file] => child::one(target, file),
        ["--growth", ref rest @ ..] => plan(rest).map_or_else(usage, growth::run),
        [first, ..] if first.parse::<u64>().is_ok() => match plan(&words) {
            Some(plan) => parent::run(&plan),
            None => usage(),
        },
        [_, ..] if words.iter().all(|file| Path::new(file).is_file()) => again(arguments),
        _ => usage(),
    }
}

fn usage() -> ExitCode {
    let targets: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    eprintln!("{USAGE}\ntargets: {}", targets.join(", "));
    ExitCode::from(2)
}

fn plan(words: &[&str]) -> Option<Plan> {
    let (seconds, options) = words.split_first()?;
    let time = Duration::from_secs(seconds.parse().ok()?);
    let mut plan = Plan { time, inputs: u64::MAX, seed: 1, targets: Vec::new() };
    for option in options.chunks(2) {
        match *option {
            ["--inputs", count] => plan.inputs = count.parse().ok()?,
            ["--seed", seed] => plan.seed = seed.parse().ok()?,
            ["--target", name] => plan.targets.push(Target::named(name)?),
            _ => return None,
        }
    }
    if plan.targets.is_empty() {
        plan.targets = TARGETS.iter().collect();
    }
    Some(plan)
}

/// Tries files again, here: one that aborts ends this process.
fn again(files: Vec<String>) -> ExitCode {
    keep_panics_quiet();
    let broken = with_stack(Limits::default().max_depth, move || files.iter().filter(|file| breaks(file)).count());
    if broken.is_ok_and(|count| count == 0) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Says what comes of a file whose name, or whose folder's, is a target's.
fn breaks(file: &str) -> bool {
    let path = Path::new(file);
    let names = [path.file_name(), path.parent().and_then(Path::file_name)];
    let target = names.into_iter().flatten().filter_map(|name| name.to_str()).find_map(Target::of_file);
    let (Some(target), Ok(input)) = (target, fs::read(path)) else {
        println!("{file}: no target has this name");
        return true;
    };
    let met = target.meet(&input);
    match &met {
        Ok(end) => println!("{file}: {end:?}"),
        Err(found) => println!("{file}: {}\n{}", found.kind, found.details),
    }
    met.is_err()
}
