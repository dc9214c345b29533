//! What a rewrite costs the engine, counted in nodes that it looks at: as much in a large term as in a small one.

#[allow(dead_code)]
#[path = "support/book.rs"]
mod book;
#[path = "support/workloads.rs"]
mod workloads;

use std::cell::Cell;
use std::rc::Rc;

use book::World;
use redexter::cost::cheaper_total;
use redexter::ground::{Budget, Limits, with_stack};
use redexter::strategy::{Strategy, run};
use redexter::term::Program;
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
