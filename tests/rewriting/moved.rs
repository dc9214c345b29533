//! Random models that read at moved and guarded indices, or scan and scatter: the evaluator, a naive one, blocks and native code
//! agree at sizes from 0 on, so does what the gradient schedule makes of them, and D gives what `num-dual` gives.

use std::path::Path;
use std::process::Command;

use crate::support::machine::{self, Number};
use crate::support::meaning::Tally;
use crate::support::meaning::compare::Ran;
use crate::support::moved;
use crate::support::shipped::Workbench;
use num_dual::Dual64;
use redexter::ad::dual;
use redexter::blocks::Blocks;
use redexter::cost::cheaper_total;
use redexter::eval::{NumberSource, Sizes, Value, evaluate, few_inputs, open_sizes};
use redexter::ground::{Budget, Limits, Name, Random, with_stack};
use redexter::native::{CCompiler, CodeCache, Native};
use redexter::strategy::{Outcome, run};
use redexter::syntax::{PrintStyle, print_term};
use redexter::term::Program;
use redexter_reference::cases;

/// The sizes of n and m.
const SIZES: [[u64; 2]; 7] = [[0, 0], [1, 0], [0, 2], [1, 1], [2, 3], [3, 2], [5, 4]];

/// The same where there are scans: one longer than a block of lanes among them.
const SCANNED: [[u64; 2]; 6] = [[0, 0], [1, 0], [0, 2], [1, 1], [2, 3], [33, 2]];

fn sizes(scans: bool) -> &'static [[u64; 2]] {
    if scans { &SCANNED } else { &SIZES }
}

fn shown(program: &Program) -> String {
    print_term(&program.term, &PrintStyle { width: 120 })
}

/// Some inputs at sizes.
fn at(program: &Program, [n, m]: [u64; 2], random: &mut Random) -> Option<(Sizes, Vec<Value>)> {
    let size = |name: &Name| (name.clone(), if name.as_str() == "n" { n } else { m });
    let sizes: Sizes = open_sizes(&program.term).iter().map(size).collect();
    let inputs = few_inputs(program, &sizes, NumberSource::PLAIN, random, (10_000, &Budget::default()));
    Some((sizes, inputs.ok()??))
}

/// How often a program was run in all ways.
fn ways(name: &str, program: &Program, native: Option<&Path>, scans: bool) -> usize {
    let told = || shown(program);
    let blocks = Blocks::new(program);
    let native = native.map(|folder| {
        let (compiler, cache) = (CCompiler::named("cc"), CodeCache::at(folder));
        let made = Native::new(&Name::new(name), program, &compiler, &cache, &Budget::default());
        made.unwrap_or_else(|e| panic!("{name}: {e:?}\n{}", told())).expect("it is exported")
    });
    let mut runs = 0;
    for (k, sizes) in sizes(scans).iter().enumerate() {
        let Some((sizes, inputs)) = at(program, *sizes, &mut Random::new(k as u64)) else { continue };
        let Some(ran) = Ran::new(program, &sizes, &inputs) else { continue };
        let differs = |what: &str| format!("{name}: {what} at {sizes:?} on {inputs:?}\n{}", told());
        ran.evaluated(&mut Tally::default()).unwrap_or_else(|why| panic!("{}", differs(&why)));
        if let Some(blocks) = &blocks {
            let found = blocks.run(&inputs, &sizes, &Budget::default()).expect("within the limits");
            assert!(found.is_none_or(|found| found.same(&ran.value)), "{}", differs("blocks"));
        }
        if let Some(native) = &native {
            let found = native.run(&inputs, &sizes, &Budget::default()).expect("within the limits");
            assert!(found.same(&ran.value), "{}", differs("native code"));
        }
        runs += 1;
    }
    runs
}

#[test]
fn all_ways_agree_on_moved_indices() {
    all_ways_agree(false);
}

#[test]
fn all_ways_agree_on_scans() {
    all_ways_agree(true);
}

fn all_ways_agree(scans: bool) {
    let has_compiler = Command::new("cc").arg("--version").output().is_ok_and(|said| said.status.success());
    let most = cases(200, 10_000);
    let work = move || {
        let workbench = Workbench::new();
        let folder = tempfile::tempdir().expect("a folder");
        let mut runs = 0;
        for seed in 0..most {
            let native = (has_compiler && seed % 8 == 0).then(|| folder.path());
            for (name, program) in workbench.read(&format!("moved{seed}.arr"), &moved::open(seed, scans)) {
                runs += ways(&name, &program, native, scans);
            }
        }
        runs
    };
    let runs = with_stack(Limits::default().max_depth, work).expect("a stack");
    println!("{runs} runs");
    assert!(runs as u64 > most * 15, "{runs} runs");
}

// What the general schedule makes of a gradient computes the same.
#[test]
fn schedules_keep_gradients_by_moved_indices() {
    schedules_keep_gradients(false);
}

#[test]
fn schedules_keep_gradients_of_scans() {
    schedules_keep_gradients(true);
}

fn schedules_keep_gradients(scans: bool) {
    let most = cases(12, 1_000);
    let work = move || {
        let workbench = Workbench::new();
        let strategies = workbench.strategies(Path::new("strategies/gradient.strat"));
        let (_, schedule) = strategies.iter().find(|(name, _)| name.ends_with(" fastGradient")).expect("it ships");
        let mut runs = 0;
        for seed in 0..most {
            for (name, program) in workbench.read(&format!("moved{seed}.arr"), &moved::open(seed, scans)) {
                if !name.contains(":by") {
                    continue;
                }
                let budget = Budget::new(Limits { max_steps: 3_000, ..Limits::default() }, None);
                let Ok(done) = run(schedule, &program, &budget, cheaper_total) else { continue };
                let Outcome::Success(term) = done.outcome else { panic!("{name}: the schedule failed") };
                runs += same(&name, &program, &program.with(term), scans);
            }
        }
        runs
    };
    let runs = with_stack(Limits::default().max_depth, work).expect("a stack");
    println!("{runs} runs");
    assert!(runs as u64 > most * 4, "{runs} runs");
}

fn same(name: &str, before: &Program, after: &Program, scans: bool) -> usize {
    let mut runs = 0;
    for (k, sizes) in sizes(scans).iter().enumerate() {
        let Some((sizes, inputs)) = at(before, *sizes, &mut Random::new(k as u64)) else { continue };
        let value = |program: &Program| evaluate(program, &inputs, &sizes, &Budget::default()).map(|(value, _)| value);
        let (Ok(one), Ok(other)) = (value(before), value(after)) else { continue };
        let told = || format!("{}\n{}\n{one:?}\n{other:?}", shown(before), shown(after));
        assert!(one.close(&other, 1e-9), "{name} at {sizes:?} on {inputs:?}:\n{}", told());
        runs += 1;
    }
    runs
}

/// A value as the interpreter has it, each real with a tangent.
fn dualled(value: &Value, tangents: &mut Random) -> (machine::Value<Dual64>, Value) {
    match value {
        Value::Real(x) => {
            let slope = tangents.below(5) as f64 - 2.0;
            (machine::Value::Real(Dual64::new(*x, slope)), Value::pair(Value::Real(*x), Value::Real(slope)))
        }
        Value::Int(k) => (machine::Value::Int(*k), value.clone()),
        Value::Array(all) => {
            let (own, ours): (Vec<_>, Vec<_>) = all.items().map(|item| dualled(&item, tangents)).unzip();
            (machine::Value::Array(own.into()), Value::array(ours))
        }
        other => panic!("{other:?} is no input"),
    }
}

#[test]
fn duals_of_moved_indices_are_those_of_num_dual() {
    duals_are_those_of_num_dual(false);
}

#[test]
fn duals_of_scans_are_those_of_num_dual() {
    duals_are_those_of_num_dual(true);
}

fn duals_are_those_of_num_dual(scans: bool) {
    let most = cases(300, 10_000);
    let work = move || {
        let workbench = Workbench::new();
        let mut compared = 0;
        for seed in 0..most {
            let sizes = [1 + seed % 3, 1 + seed / 3 % 3];
            let text = moved::closed(seed, scans, sizes);
            let (name, program) = workbench.read("closed.arr", &text).remove(0);
            let Some((none, inputs)) = at(&program, sizes, &mut Random::new(seed)) else { continue };
            let mut tangents = Random::new(seed);
            let (own, ours): (Vec<_>, Vec<_>) = inputs.iter().map(|input| dualled(input, &mut tangents)).unzip();
            let whole = machine::run::<Dual64>(&program.term, &None);
            let known = own.into_iter().fold(whole, machine::apply).real();
            let derived = program.with(dual(&program.term).expect("it has derivatives"));
            let Ok((found, _)) = evaluate(&derived, &ours, &none, &Budget::default()) else { continue };
            let expected = Value::pair(Value::Real(known.primal()), Value::Real(known.eps));
            assert!(found.close(&expected, 1e-9), "{name} of {seed}: {found:?} and not {expected:?}\n{text}");
            compared += 1;
        }
        compared
    };
    let compared = with_stack(Limits::default().max_depth, work).expect("a stack");
    println!("{compared} compared");
    assert!(compared > most * 9 / 10, "{compared} of {most}");
}
