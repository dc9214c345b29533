//! Loops taken together: results stay the same to the bit, and less is stored.

use crate::support::{bits, shipped};
use std::path::Path;

use bits::{compared, deep, scheduled_programs};
use redexter::cost::{cheaper_total, memory};
use redexter::eval::evaluate;
use redexter::ground::Budget;
use redexter::strategy::{Outcome, Strategy, run};
use redexter::term::Program;
use shipped::Workbench;

fn fuse_loops() -> Strategy {
    let strategies = Workbench::new().strategies(Path::new("strategies/fusion.strat"));
    strategies.into_iter().find(|(name, _)| name.ends_with(" fuseLoops")).expect("it ships").1
}

fn fused(strategy: &Strategy, program: &Program) -> Option<Program> {
    match run(strategy, program, &Budget::default(), cheaper_total).expect("within the limits").outcome {
        Outcome::Success(term) if term != program.term => Some(program.with(term)),
        _ => None,
    }
}

#[test]
fn fused_loops_compute_the_same_and_store_less() {
    deep(|| {
        let strategy = fuse_loops();
        let (mut runs, mut less, mut all) = (0, Vec::new(), 0);
        for (name, program) in scheduled_programs() {
            let Some(fused) = fused(&strategy, &program) else { continue };
            all += 1;
            runs +=
                compared(&name, &program, |inputs, sizes| Ok(evaluate(&fused, inputs, sizes, &Budget::default())?.0));
            let [before, after] = [&program, &fused].map(|program| memory(&program.term));
            assert!(after.at(|_| 1_000) <= before.at(|_| 1_000), "{name}: {before} to {after}");
            if after.at(|_| 1_000) < before.at(|_| 1_000) {
                less.push(name);
            }
        }
        assert!(all > 12 && runs > 60 && less.len() > 10, "{runs} runs of {all} programs, {} with less", less.len());
        assert!(less.iter().any(|name| name.starts_with("models/least_squares.arr:gradient scheduled")), "{less:?}");
    });
}
