//! What a rewrite costs, on the workloads of the tests: the engine at three sizes, where the time per rewrite should stay
//! the same, and the reference interpreter at the smallest, which takes the same steps as the definitions say.

#[allow(dead_code)]
#[path = "../tests/support/book.rs"]
mod book;
#[path = "../tests/support/workloads.rs"]
mod workloads;

use std::time::Duration;

use book::World;
use criterion::{BenchmarkId, Criterion, Throughput};
use redexter::cost::cheaper_total;
use redexter::ground::{Budget, Limits, with_stack};
use redexter::strategy::{interpret, run};
use workloads::WORKLOADS;

/// The sizes at which the engine is measured; the reference interpreter runs at the first.
const SIZES: [u64; 3] = [1_000, 10_000, 100_000];

fn budget() -> Budget {
    Budget::new(Limits { max_steps: u64::MAX, max_size: u64::MAX, max_depth: u32::MAX }, None)
}

/// The members are shared from one run to the next, as a session's terms are; what a run notes in their nodes says
/// nothing to the others.
fn measure(c: &mut Criterion) {
    let world = World::new();
    for workload in WORKLOADS {
        let mut group = c.benchmark_group(workload.name);
        for size in SIZES {
            let program = (workload.program)(size);
            for (name, strategy) in workload.strategies(|rule| world.rule(rule)) {
                let steps = |done: usize| Throughput::Elements(done as u64);
                let go = || run(&strategy, &program, &budget(), cheaper_total).expect("no limit").trace.steps.len();
                group.throughput(steps(go()));
                group.bench_function(BenchmarkId::new(name, size), |b| b.iter(go));
                if size == SIZES[0] {
                    let slow = || {
                        interpret(&strategy, &program, &budget(), cheaper_total).expect("no limit").trace.steps.len()
                    };
                    group.bench_function(BenchmarkId::new(format!("{name}, literally"), size), |b| b.iter(slow));
                }
            }
        }
        group.finish();
    }
}

fn main() {
    let measured = with_stack(100_000, || {
        let config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(2));
        let mut criterion = config.configure_from_args();
        measure(&mut criterion);
        criterion.final_summary();
    });
    measured.expect("a thread with a large stack");
}
