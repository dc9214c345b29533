//! One workload under one strategy, so many times in a row, for a tool that counts instructions: what a run costs is the
//! difference between two runs and one. See `benches/README.md`.

#[allow(dead_code)]
#[path = "../tests/support/book.rs"]
mod book;
#[path = "../tests/support/workloads.rs"]
mod workloads;

use book::World;
use redexter::cost::cheaper_total;
use redexter::ground::{Budget, Limits, with_stack};
use redexter::strategy::run;
use redexter_reference::interpret;
use workloads::WORKLOADS;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const USAGE: &str =
    "usage: instructions WORKLOAD STRATEGY SIZE TIMES [reference], such as: instructions 'map chain' normalize 1000 2";

fn measure(arguments: &[String]) -> Option<String> {
    let [workload, strategy, size, times, rest @ ..] = arguments else { return None };
    let (size, times): (u64, u64) = (size.parse().ok()?, times.parse().ok()?);
    let workload = WORKLOADS.iter().find(|w| w.name == workload)?;
    let world = World::new();
    let strategies = workload.strategies(|name| world.rule(name));
    let (_, strategy) = strategies.iter().find(|(name, _)| name == strategy)?;
    let program = (workload.program)(size);
    let limits = Limits { max_steps: u64::MAX, max_size: u64::MAX, max_depth: u32::MAX };
    let mut steps = 0;
    for _ in 0..times {
        let budget = Budget::new(limits, None);
        let way = if rest.is_empty() { run } else { interpret };
        let done = way(strategy, &program, &budget, cheaper_total).ok()?;
        steps = done.trace.steps.len();
    }
    Some(format!("{} nodes, {steps} rewrites", program.term.size()))
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let said = with_stack(100_000, move || measure(&arguments)).ok().flatten();
    println!("{}", said.as_deref().unwrap_or(USAGE));
}
