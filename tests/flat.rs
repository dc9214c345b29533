//! What a rewrite costs the engine, counted in nodes that it looks at: as much in a large term as in a small one.

#[allow(dead_code)]
#[path = "support/book.rs"]
mod book;
#[allow(dead_code)]
#[path = "support/shipped.rs"]
mod shipped;
#[path = "support/workloads.rs"]
mod workloads;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use book::World;
use redexter::cost::cheaper_total;
use redexter::ground::{Budget, Limits, with_stack};
use redexter::strategy::{Execution, Profiler, Strategy, run};
use redexter::term::{Program, Term};
use rustc_hash::FxHashSet;
use shipped::Workbench;
use workloads::WORKLOADS;

/// The watch of a budget is asked once for so many ticks.
const TICKS: u64 = 256;

/// How many nodes the engine looks at for each rewrite, about.
fn looks(strategy: &Strategy, program: &Program) -> f64 {
    let asked = Rc::new(Cell::new(0u64));
    let count = asked.clone();
    let watch = move |_: &Budget| {
        count.set(count.get() + 1);
        None
    };
    let limits = Limits { max_steps: u64::MAX, max_size: u64::MAX, max_depth: u32::MAX };
    let done = run(strategy, program, &Budget::new(limits, Some(Rc::new(watch))), cheaper_total).expect("no limit");
    (asked.get() * TICKS) as f64 / done.trace.steps.len() as f64
}

fn flat() {
    let world = World::new();
    for workload in WORKLOADS {
        for (name, strategy) in workload.strategies(|rule| world.rule(rule)) {
            let [small, large] = [1_000, 8_000].map(|k| looks(&strategy, &(workload.program)(k)));
            println!(
                "{}, {name}: {small:.1} nodes for each rewrite, {large:.1} in a term 8 times as large",
                workload.name
            );
            assert!(large < 1.3 * small, "{}, {name}: {small} and {large}", workload.name);
        }
    }
}

#[test]
fn a_rewrite_costs_as_much_in_a_large_term_as_in_a_small_one() {
    with_stack(100_000, flat).expect("a thread with a large stack");
}

/// How many nodes a term has, each counted once however often it occurs.
fn distinct(term: &Term, seen: &mut FxHashSet<u128>) -> u64 {
    match seen.insert(term.fingerprint()) {
        true => 1 + term.kids().iter().map(|kid| distinct(kid, seen)).sum::<u64>(),
        false => 0,
    }
}

/// How often each stage of the general schedule goes down to a term, how many nodes it begins with, and how many rewrites it
/// makes.
fn stages(model: &str, name: &str) -> BTreeMap<String, [u64; 3]> {
    let workbench = Workbench::new();
    let strategies = workbench.strategies(Path::new("strategies/gradient.strat"));
    let (_, strategy) = strategies.into_iter().find(|(name, _)| name.ends_with(" fastGradient")).expect("it ships");
    let programs = workbench.programs(Path::new(model));
    let (_, program) = programs.into_iter().find(|(found, _)| found.ends_with(name)).expect("it ships");
    let mut execution = Execution::new(&strategy, &program, cheaper_total);
    execution.watch(Profiler::new(Rc::new(|| Duration::ZERO)));
    execution.advance(usize::MAX, &Budget::default()).expect("no limit");
    let visits = execution.profiler().expect("it was watched").found().visits;
    let trace = run(&strategy, &program, &Budget::default(), cheaper_total).expect("no limit").trace;
    let mut all: BTreeMap<String, [u64; 3]> = BTreeMap::new();
    let mut last = String::new();
    for (step, before, _) in trace.rewrites() {
        let stage = step.within().get(1).map_or("", |name| name).to_owned();
        let counts = all.entry(stage.clone()).or_default();
        counts[2] += 1;
        if stage != last {
            counts[1] += distinct(&before, &mut FxHashSet::default());
            last = stage;
        }
    }
    for (within, count) in visits {
        if let Some(counts) = within.get(1).or(within.get(2)).and_then(|stage| all.get_mut(&**stage)) {
            counts[0] += count;
        }
    }
    all
}

fn stages_visit_what_they_change() {
    for (model, name) in [("models/mixture.arr", ":gradient"), ("models/bundle_adjustment.arr", ":jacobianBlock")] {
        for (stage, [visits, nodes, rewrites]) in stages(model, name) {
            println!("{model} {stage}: {visits} visits for {rewrites} rewrites of {nodes} nodes");
            let searches = ["unzip", "hoist", "spread", "onehot", "contract", "merge", "write"];
            assert!(
                !searches.contains(&&*stage) || 2 * visits <= 5 * nodes + 20 * rewrites,
                "{model} {stage}: {visits} visits for {rewrites} rewrites of {nodes} nodes"
            );
        }
    }
}

#[test]
fn a_stage_goes_down_to_what_it_changes() {
    with_stack(10_000, stages_visit_what_they_change).expect("a thread with a large stack");
}
