//! Native code on several threads gives what the evaluator gives, to the bit; with sums in another order nearly so, and the same
//! each time. That loops are shared out is counted.

use crate::support::{bits, generate, shipped};
use std::path::Path;
use std::rc::Rc;

use crate::has_compiler;
use crate::native::steps::STEPS;
use crate::native::{made, read as programs};
use bits::{LONG, deep, each, perturbed, scheduled_programs, shipped_programs};
use generate::grown;
use redexter::eval::{NumberSource, Sizes, Value, evaluate, few_inputs, open_sizes};
use redexter::export::nest_of;
use redexter::ground::{Budget, Name, Random, Trouble};
use redexter::native::{CCompiler, CodeCache, Native, ThreadLimits};
use redexter::nest::{Freedom, splits};
use redexter::term::Program;
use redexter_reference::cases;
use shipped::Workbench;

/// How many threads: as many as blocks or more, and numbers that don't divide them.
const COUNTS: [u32; 3] = [2, 3, 7];

/// Sizes of several blocks, and of none.
const SIZES: [u64; 7] = [0, 1, 2, 31, 33, 257, 1000];

fn compiler(freedom: Freedom, count: u32) -> CCompiler {
    CCompiler::named("cc").with(freedom).on(ThreadLimits { count, least: 0.0 })
}

/// Whether a program has loops that can be shared out.
fn has_splits(name: &str, program: &Program, freedom: Freedom) -> bool {
    let nest = nest_of(&Name::new(name), program, &compiler(freedom, 2).target().form());
    nest.is_ok_and(|nest| !splits(&nest, freedom).is_empty())
}

/// Code that shares each loop out that can be; none for what isn't exported.
fn natively(name: &str, program: &Program, freedom: Freedom, count: u32, folder: &Path) -> Option<Native> {
    made(name, program, &compiler(freedom, count), folder)
}

/// How many runs were compared, how many programs have loops that can be shared out, and how many loops were.
#[derive(Debug, Default)]
struct Counts {
    runs: usize,
    programs: usize,
    shared: u64,
}

fn exactly(programs: impl Iterator<Item = (String, Program)>) -> Counts {
    let folder = tempfile::tempdir().expect("a folder");
    let mut counts = Counts::default();
    for (name, program) in programs.filter(|(name, program)| has_splits(name, program, Freedom::Exact)) {
        let of = |count: u32| natively(&name, &program, Freedom::Exact, count, folder.path());
        let Some(all) = COUNTS.into_iter().map(of).collect::<Option<Vec<Native>>>() else { continue };
        counts.programs += 1;
        counts.runs += bits::compared_at(&SIZES, &name, &program, |inputs, sizes| {
            let mut values = all.iter().map(|native| native.run(inputs, sizes, &Budget::default()));
            let first = values.next().expect("some threads")?;
            for value in values {
                assert!(value?.same(&first), "{name} at {sizes:?} depends on the number of threads");
            }
            Ok(first)
        });
        counts.shared += all.iter().map(Native::shared).sum::<u64>();
    }
    counts
}

#[test]
fn shipped_models_are_the_evaluators() {
    if !has_compiler() {
        return;
    }
    let counts = deep(|| exactly(some_shipped(20)));
    println!("{counts:?}");
    assert!(
        counts.programs as u64 > cases(2, 12) && counts.runs as u64 > cases(12, 80) && counts.shared > cases(40, 300),
        "{counts:?}"
    );
}

#[test]
fn scheduled_gradients_are_the_evaluators() {
    if !has_compiler() {
        return;
    }
    let counts = deep(|| exactly(each(3, scheduled_programs())));
    println!("{counts:?}");
    assert!(
        counts.programs as u64 > cases(6, 20) && counts.runs as u64 > cases(50, 150) && counts.shared > cases(150, 500),
        "{counts:?}"
    );
}

/// Programs of the models.
fn some_shipped(many: u64) -> impl Iterator<Item = (String, Program)> {
    each(many, shipped_programs()).filter(|(name, _)| !name.contains("prelude"))
}

#[test]
fn grown_programs_are_the_evaluators() {
    if !has_compiler() {
        return;
    }
    let counts = deep(|| exactly(grown(cases(80, 10_000))));
    println!("{counts:?}");
    assert!(counts.programs > 10 && counts.runs > 50 && counts.shared > 50, "{counts:?}");
}

/// What rounds add up and is read behind their loop; steps of loops with a state.
const BEHIND: &str = "
def behind {n m} (k : array m (fin n)) (v : array m real) (w : array n real) : array n real :=
  let t := scatter n m (fun i => (int k[i], v[i])); build n (fun j => t[j] * w[j])
def both {n m} (k : array m (fin n)) (v : array m real) : real :=
  let t := scatter n m (fun i => (int k[i], sin v[i])); ifold n (fun s j => s + t[j] * t[j]) 0
";

#[test]
fn what_is_read_behind_a_loop_is_gathered() {
    if !has_compiler() {
        return;
    }
    let counts = deep(|| exactly(programs(BEHIND).into_iter().chain(programs(STEPS))));
    println!("{counts:?}");
    assert!(counts.programs >= 4 && counts.runs >= 20 && counts.shared >= 30, "{counts:?}");
}

/// Sums in another order are near, or inputs that differ a little make as much of a difference; and they are the same each time.
fn nearly(programs: impl Iterator<Item = (String, Program)>) -> Counts {
    let folder = tempfile::tempdir().expect("a folder");
    let mut counts = Counts::default();
    for (name, program) in programs.filter(|(name, program)| has_splits(name, program, Freedom::Fast)) {
        let of = |count: u32| natively(&name, &program, Freedom::Fast, count, folder.path());
        let Some(all) = COUNTS.into_iter().map(of).collect::<Option<Vec<Native>>>() else { continue };
        counts.programs += 1;
        let open = open_sizes(&program.term);
        for n in [0, 1, 2, 33, 257, 1000] {
            let sizes: Sizes = open.iter().map(|name| (name.clone(), n.max(program.bounds.lower(name)))).collect();
            let short = Budget::default().asked_at_most(LONG, Rc::default());
            let drawn = few_inputs(&program, &sizes, NumberSource::PLAIN, &mut Random::new(7), (200_000, &short));
            let Ok(Some(inputs)) = drawn else { continue };
            let value = |inputs: &[Value]| evaluate(&program, inputs, &sizes, &short).map(|(value, _)| value);
            let other: Vec<Value> = inputs.iter().map(perturbed).collect();
            let (Ok(expected), Ok(other)) = (value(&inputs), value(&other)) else { continue };
            for native in &all {
                let run =
                    || native.run(&inputs, &sizes, &Budget::default()).unwrap_or_else(|e| panic!("{name}: {e:?}"));
                let found = run();
                let near = found.close(&expected, 1e-12) || !other.close(&expected, 1e-12);
                assert!(near, "{name} at {sizes:?}:\n{found:?}\nand not\n{expected:?}");
                assert!(run().same(&found), "{name} at {sizes:?} isn't the same each time");
                counts.runs += 1;
            }
        }
        counts.shared += all.iter().map(Native::shared).sum::<u64>();
    }
    counts
}

#[test]
fn reordered_sums_are_near_and_the_same_each_time() {
    if !has_compiler() {
        return;
    }
    let counts = deep(|| nearly(some_shipped(16).chain(each(5, scheduled_programs())).chain(grown(cases(20, 10_000)))));
    println!("{counts:?}");
    assert!(
        counts.programs as u64 > cases(12, 40)
            && counts.runs as u64 > cases(120, 500)
            && counts.shared > cases(300, 1500),
        "{counts:?}"
    );
}

fn read(text: &str) -> Program {
    Workbench::new().read("m.arr", text).remove(0).1
}

fn at(n: u64) -> Sizes {
    [(Name::new("n"), n)].into_iter().collect()
}

fn reals(n: u64) -> Value {
    Value::array((0..n).map(|i| Value::Real(((i * 37 + 11) % 101) as f64 / 7.0 - 5.0)).collect())
}

/// What is split, exactly and with sums in another order: the largest and maps always, sums in the second case alone, other
/// states never.
#[test]
fn loops_are_split_where_rounds_are_apart() {
    if !has_compiler() {
        return;
    }
    let cases = [
        ("def f {n} (v : array n real) : array n real := build n (fun i => exp v[i])\n", [1, 1]),
        ("def f {n} (v : array n real) : real := ifold n (fun a i => a + sin v[i]) 0.0\n", [0, 1]),
        (
            "def f {n >= 1} (v : array n real) : real := ifold n (fun a i => if a < v[i] then v[i] else a) v[0]\n",
            [1, 1],
        ),
        ("def f {n} (v : array n real) : real := ifold n (fun a i => a * 0.5 + v[i]) 0.0\n", [0, 0]),
    ];
    deep(move || {
        let folder = tempfile::tempdir().expect("a folder");
        for (text, expected) in cases {
            let program = read(text);
            for (freedom, splits) in [Freedom::Exact, Freedom::Fast].into_iter().zip(expected) {
                let native = natively("f", &program, freedom, 3, folder.path()).expect("code");
                assert_eq!(native.splits(), splits, "{text}");
                let (inputs, sizes) = ([reals(1000)], at(1000));
                let found = native.run(&inputs, &sizes, &Budget::default()).expect("a value");
                assert_eq!(native.shared(), splits as u64, "{text}");
                let (value, _) = evaluate(&program, &inputs, &sizes, &Budget::default()).expect("a value");
                assert!(
                    if freedom == Freedom::Exact { found.same(&value) } else { found.close(&value, 1e-12) },
                    "{text}"
                );
            }
        }
    });
}

/// What is small runs on one thread.
#[test]
fn small_loops_stay_whole() {
    if !has_compiler() {
        return;
    }
    deep(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let program = read("def f {n} (v : array n real) : array n real := build n (fun i => exp v[i])\n");
        let compiler = CCompiler::named("cc").on(ThreadLimits::of(2));
        let native =
            Native::new(&Name::new("f"), &program, &compiler, &CodeCache::at(folder.path()), &Budget::default());
        let native = native.expect("no error").expect("code");
        for (n, shared) in [(1000, 0), (100_000, 1)] {
            native.run(&[reals(n)], &at(n), &Budget::default()).expect("a value");
            assert_eq!(native.shared(), shared, "{n}");
        }
    });
}

/// Loops that would take years end with their budget, in all threads.
#[test]
fn a_budget_ends_all_threads() {
    if !has_compiler() {
        return;
    }
    deep(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let text = "def long {n m} (v : array n real) : array n real :=
  build n (fun k => ifold m (fun a i => ifold m (fun b j => sin b + a) a) v[k])\n";
        let native = natively("long", &read(text), Freedom::Exact, 2, folder.path()).expect("code");
        assert_eq!(native.splits(), 1);
        let sizes: Sizes = [(Name::new("n"), 600), (Name::new("m"), 1 << 20)].into_iter().collect();
        let ended = native.run(&[reals(600)], &sizes, &Budget::default().asked_at_most(3, Rc::default()));
        assert!(matches!(ended, Err(Trouble::Stopped { .. })), "{ended:?}");
        // The threads end soon after, and are then counted.
        for _ in 0..1_000 {
            if native.shared() == 1 {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        panic!("the threads still run");
    });
}
