//! With sums in another order, but for what is kept.

use std::path::Path;

use redexter::eval::{Sizes, Value, evaluate, inputs_from_json};
use redexter::export::c;
use redexter::export::c::{CTarget, Caller};
use redexter::ground::{Budget, Name};
use redexter::native::{CCompiler, ThreadLimits};
use redexter::nest::Freedom;
use redexter::term::Program;
use redexter_reference::cases;

use crate::has_compiler;
use crate::native::bits::{self, deep, each, shipped_programs};
use crate::native::{made, read};
use crate::support::generate::grown;

fn fast() -> CCompiler {
    CCompiler::named("cc").with(Freedom::Fast)
}

/// How often a program of which all is kept was compared with the evaluator, to the bit.
fn compared(name: &str, program: &Program, folder: &Path) -> usize {
    let Ok(term) = program.term.kept() else { return 0 };
    let program = program.with(term);
    let Some(native) = made(name, &program, &fast(), folder) else { return 0 };
    bits::compared(name, &program, |inputs, sizes| native.run(inputs, sizes, &Budget::default()))
}

#[test]
fn what_is_kept_is_the_evaluators() {
    if !has_compiler() {
        return;
    }
    let most = cases(20, 10_000);
    let runs: usize = deep(move || {
        let folder = tempfile::tempdir().expect("a folder");
        let shipped = each(18, shipped_programs());
        shipped.chain(grown(most)).map(|(name, program)| compared(&name, &program, folder.path())).sum()
    });
    println!("{runs} runs");
    assert!(runs as u64 > cases(60, 300), "{runs} runs");
}

const MODEL: &str = "
def both {n} (v w : array n real) : real * real := (keep (ifold n (fun a i => a + v[i]) 0), ifold n (fun a i => a + w[i]) 0)
def neither {n} (v w : array n real) : real * real := keep (both v w)
";

/// A sum that is kept has the bits of its order, though another one in the same program is added otherwise.
#[test]
fn each_sum_is_kept_by_itself() {
    let programs = read(MODEL);
    let find = |wanted: &str| {
        let (_, program) = programs.iter().find(|(name, _)| name.ends_with(wanted)).expect("a definition");
        program.clone()
    };
    let written = |name: &str, freedom: Freedom| {
        let target = CTarget { caller: Caller::C, freedom, vectors: 4, checked: false };
        c("it", &[(Name::new("both"), find(name))], &target).expect("C").source
    };
    assert_ne!(written(":both", Freedom::Fast), written(":both", Freedom::Exact));
    assert_ne!(written(":both", Freedom::Fast), written(":neither", Freedom::Fast));
    if !has_compiler() {
        return;
    }
    let numbers: Vec<String> = (1..=1000).map(|k| format!("{:?}", 1.0 / f64::from(k))).collect();
    let json = format!("{{\"v\": [{0}], \"w\": [{0}]}}", numbers.join(","));
    let (program, folder) = (find(":both"), tempfile::tempdir().expect("a folder"));
    let (inputs, sizes): (Vec<Value>, Sizes) =
        inputs_from_json(&program, &json, &[], &Budget::default()).expect("inputs");
    let (expected, _) = evaluate(&program, &inputs, &sizes, &Budget::default()).expect("a value");
    let Value::Pair(expected) = expected else { panic!("no pair") };
    for threads in [1, 2] {
        let compiler = fast().on(ThreadLimits { count: threads, least: 0.0 });
        let native = made("both", &program, &compiler, folder.path()).expect("native code");
        let found = native.run(&inputs, &sizes, &Budget::default()).expect("a value");
        let Value::Pair(found) = found else { panic!("no pair") };
        assert!(found.0.same(&expected.0), "{threads}: {:?} {:?}", found.0, expected.0);
        assert!(found.1.close(&expected.1, 1e-14), "{threads}: {:?} {:?}", found.1, expected.1);
    }
}
