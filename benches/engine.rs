//! What a rewrite costs, on the workloads of the tests: the engine at three sizes, where the time per rewrite should stay
//! the same, and the reference interpreter at the smallest, which takes the same steps as the definitions say; and on the
//! schedules and models that ship. A table at the end says how many rewrites each takes per second.

#[allow(dead_code)]
#[path = "../tests/support/book.rs"]
mod book;
#[allow(dead_code, reason = "tests need more of it")]
#[path = "../tests/support/shipped.rs"]
mod shipped;
#[path = "../tests/support/workloads.rs"]
mod workloads;

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use book::World;
use criterion::{Criterion, SamplingMode};
use redexter::cost::cheaper_total;
use redexter::ground::{Budget, Limits, with_stack};
use redexter::strategy::{Strategy, run};
use redexter::term::Program;
use redexter_reference::interpret;
use shipped::{Workbench, files, schedules};
use workloads::WORKLOADS;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The sizes at which the engine is measured; the reference interpreter runs at the first.
const SIZES: [u64; 3] = [1_000, 10_000, 100_000];

/// Larger members of a family, of which more rewrites are to be expected, are left out.
const MOST_REWRITES: usize = 1_000_000;

/// Schedules run on those models where the reference interpreter ends within so many steps.
const SHIPPED_STEPS: u64 = 300;

/// The reference interpreter is stopped where it has taken so long.
const ENOUGH: Duration = Duration::from_millis(500);

fn budget(max_steps: u64) -> Budget {
    Budget::new(Limits { max_steps, max_size: u64::MAX, max_depth: u32::MAX }, None)
}

/// Strategies and what they run on, measured together.
type Cases = Vec<(Strategy, Program)>;

/// The terms are shared from one run to the next, as a session's are; what a run notes in their nodes says nothing to the
/// others.
fn engine(cases: &Cases) -> usize {
    let go = |(strategy, program): &(Strategy, Program)| {
        run(strategy, program, &budget(u64::MAX), cheaper_total).expect("no limit").trace.steps.len()
    };
    cases.iter().map(go).sum()
}

/// Rewrites per second of the reference interpreter, over all of them or, if that takes too long, the first ones.
fn reference(cases: &Cases) -> (f64, bool) {
    let mut most = 100;
    loop {
        let (mut took, mut steps, mut all) = (Duration::ZERO, 0, true);
        for (strategy, program) in cases {
            let start = Instant::now();
            let done = interpret(strategy, program, &budget(most), cheaper_total);
            took += start.elapsed();
            let trace = done.map(|done| done.trace).unwrap_or_else(|stop| {
                // What it stops with, it puts together from the steps.
                let start = Instant::now();
                black_box(stop.trace.terms().last());
                took = took.saturating_sub(start.elapsed());
                all = false;
                stop.trace
            });
            steps += trace.steps.len();
        }
        if all || took >= ENOUGH {
            return (steps as f64 / took.as_secs_f64(), all);
        }
        most *= 2;
    }
}

/// What is measured, and the rows of the table.
struct Bench<'a> {
    criterion: &'a mut Criterion,
    rows: Vec<String>,
}

impl Bench<'_> {
    /// Measures if the command line asks for it, and says how many rewrites there are.
    fn row(&mut self, group: &str, id: &str, compare: bool, cases: &dyn Fn() -> Cases) -> Option<usize> {
        let (mut rates, mut made, mut rewrites) = (Vec::new(), None, 0);
        let mut measured = self.criterion.benchmark_group(group);
        measured.sampling_mode(SamplingMode::Flat).bench_function(id, |b| {
            let cases = made.get_or_insert_with(cases);
            b.iter_custom(|times| {
                let start = Instant::now();
                (0..times).for_each(|_| rewrites = black_box(engine(cases)));
                let took = start.elapsed();
                rates.push(rewrites as f64 * times as f64 / took.as_secs_f64());
                took
            });
        });
        measured.finish();
        rates.sort_by(f64::total_cmp);
        let (Some(ours), Some(cases)) = (rates.get(rates.len() / 2), made) else { return None };
        let mut row = format!("{:<48}{ours:>12.0}", format!("{group}/{id}"));
        if compare {
            let (theirs, all) = reference(&cases);
            let mark = if all { "" } else { "first" };
            row += &format!("{theirs:>12.0} {mark:<5}{:>9.0}", ours / theirs);
        }
        self.rows.push(row);
        Some(rewrites)
    }

    fn workloads(&mut self) {
        let world = World::new();
        for workload in WORKLOADS {
            for (k, (name, _)) in workload.strategies(|rule| world.rule(rule)).iter().enumerate() {
                for size in SIZES {
                    let cases = || {
                        let strategies = workload.strategies(|rule| world.rule(rule));
                        vec![(strategies[k].1.clone(), (workload.program)(size))]
                    };
                    let id = format!("{name}/{size}");
                    let rewrites = self.row(workload.name, &id, size == SIZES[0], &cases);
                    if rewrites.is_some_and(|n| n * 10 > MOST_REWRITES) {
                        break;
                    }
                }
            }
        }
    }

    fn shipped(&mut self) {
        let bench = Workbench::new();
        for path in schedules() {
            self.row("shipped", &path.display().to_string(), true, &|| on_all_models(&bench, &path));
        }
    }
}

/// The strategies of a schedule on the definitions of all models, where they rewrite something and not too much.
fn on_all_models(bench: &Workbench, schedule: &Path) -> Cases {
    let limits = Limits { max_steps: SHIPPED_STEPS, ..Limits::default() };
    let strategies = bench.strategies(schedule);
    let programs: Vec<_> = files("models", "arr").iter().flat_map(|path| bench.programs(path)).collect();
    let all = strategies.into_iter().flat_map(|(_, s)| programs.iter().map(move |(_, p)| (s.clone(), p.clone())));
    let rewrites = |(strategy, program): &(Strategy, Program)| {
        let done = interpret(strategy, program, &Budget::new(limits, None), cheaper_total);
        done.is_ok_and(|done| !done.trace.steps.is_empty())
    };
    all.filter(rewrites).collect()
}

fn main() {
    let measured = with_stack(100_000, || {
        let config = Criterion::default().sample_size(10).warm_up_time(Duration::from_millis(100));
        let mut criterion = config.measurement_time(Duration::from_millis(500)).configure_from_args();
        let mut bench = Bench { criterion: &mut criterion, rows: Vec::new() };
        bench.workloads();
        bench.shipped();
        println!("{:<48}{:>12}{:>12} {:<5}{:>9}", "rewrites per second", "engine", "reference", "", "times");
        bench.rows.iter().for_each(|row| println!("{row}"));
    });
    measured.expect("a thread with a large stack");
}
