//! Native code gives what the evaluator gives, to the bit, and so do blocks of lanes: on every model that ships, as it is and after its schedule, on grown
//! programs, at sizes around those at which loops are split. And what is exported as C compiles without a warning.

#[path = "support/bits.rs"]
mod bits;
#[path = "support/generate.rs"]
mod generate;
#[path = "support/shipped.rs"]
#[allow(dead_code, reason = "other tests need more of it")]
mod shipped;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;

use bits::{LONG, deep, perturbed, scheduled_programs, shaken, shipped_programs};
use generate::Generator;
use redexter::blocks::Blocks;
use redexter::eval::{Numbers, Sizes, Value, evaluate, few_inputs, open_sizes};
use redexter::export::c::{Caller, Target};
use redexter::export::{c, nest_of};
use redexter::ground::{Budget, Name, Random, Trouble};
use redexter::native::{Cache, Compiler, Native};
use redexter::nest::{Form, Freedom, Style, nest_text};
use redexter::term::Program;
use shipped::Workbench;

const C: Target = Target { caller: Caller::C, freedom: Freedom::Exact, vectors: 4 };

fn has_compiler() -> bool {
    let has = Command::new("cc").arg("--version").output().is_ok_and(|said| said.status.success());
    if !has {
        println!("skipped: there is no cc");
    }
    has
}

fn natively(name: &str, program: &Program, folder: &Path) -> Result<Native, Trouble> {
    let (compiler, cache) = (Compiler::named("cc"), Cache::at(folder));
    let native = Native::new(&Name::new(name), program, &compiler, &cache, &Budget::default())?;
    Ok(native.unwrap_or_else(|reason| panic!("{name}: {reason}")))
}

fn compared(name: &str, program: &Program, folder: &Path) -> usize {
    match natively(name, program, folder) {
        Ok(native) => {
            let blocks = Blocks::new(program).expect("a nest");
            bits::compared(name, program, |inputs, sizes| {
                let value = native.run(inputs, sizes, &Budget::default())?;
                let other = blocks.run(inputs, sizes, &Budget::default())?.expect("instructions");
                assert!(other.same(&value), "{name} at {sizes:?}: blocks aren't native code");
                Ok(value)
            })
        }
        Err(Trouble::Wrong(_)) => 0,
        Err(other) => panic!("{name}: {other:?}"),
    }
}

/// How many runs were compared, of how many programs; nothing without a compiler.
fn counted(programs: fn() -> Vec<(String, Program)>) -> Option<(usize, usize)> {
    has_compiler().then(|| {
        let (runs, all) = deep(move || {
            let folder = tempfile::tempdir().expect("a folder");
            let counts: Vec<usize> =
                programs().iter().map(|(name, program)| compared(name, program, folder.path())).collect();
            (counts.iter().sum(), counts.iter().filter(|count| **count > 0).count())
        });
        println!("{runs} runs of {all} programs");
        (runs, all)
    })
}

#[test]
fn shipped_models_are_the_evaluators() {
    let Some((runs, programs)) = counted(shipped_programs) else { return };
    assert!(programs > 60 && runs > 300, "{runs} runs of {programs} programs");
}

#[test]
fn scheduled_gradients_are_the_evaluators() {
    let Some((runs, programs)) = counted(scheduled_programs) else { return };
    assert!(programs > 15 && runs > 80, "{runs} runs of {programs} programs");
}

#[test]
fn grown_programs_are_the_evaluators() {
    if !has_compiler() {
        return;
    }
    let most = if std::env::var_os("REDEXTER_EXTENDED").is_some() { 10_000 } else { 60 };
    let runs: usize = deep(move || {
        let folder = tempfile::tempdir().expect("a folder");
        (0..most)
            .map(|seed| {
                compared(&format!("grown {seed}"), &Generator::new(seed, seed % 2 == 0).program(7), folder.path())
            })
            .sum()
    });
    println!("{runs} runs");
    assert!(runs > most as usize * 3, "{runs} runs");
}

/// How often reordered sums were compared: they are near, or inputs and constants that differ a little make as much of a
/// difference.
fn nearly(name: &str, program: &Program, folder: &Path) -> usize {
    let (compiler, cache) = (Compiler::named("cc").with(Freedom::Fast), Cache::at(folder));
    let native = match Native::new(&Name::new(name), program, &compiler, &cache, &Budget::default()) {
        Ok(native) => native.unwrap_or_else(|reason| panic!("{name}: {reason}")),
        Err(_) => return 0,
    };
    let (open, other) = (open_sizes(&program.term), shaken(program));
    let mut count = 0;
    for n in [0, 1, 2, 7, 33, 70] {
        let sizes: Sizes = open.iter().map(|name| (name.clone(), n.max(program.bounds.lower(name)))).collect();
        let short = Budget::default().asked_at_most(LONG, Rc::default());
        let Ok(Some(inputs)) = few_inputs(program, &sizes, Numbers::PLAIN, &mut Random::new(7), (200_000, &short))
        else {
            continue;
        };
        let value = |program, inputs: &[Value]| evaluate(program, inputs, &sizes, &short).map(|(value, _)| value);
        let others: Vec<Value> = inputs.iter().map(perturbed).collect();
        let (Ok(expected), Ok(other)) = (value(program, &inputs), value(&other, &others)) else { continue };
        let found = native.run(&inputs, &sizes, &Budget::default()).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let is_stable = other.close(&expected, 1e-12);
        assert!(!is_stable || found.close(&expected, 1e-12), "{name} at {sizes:?}:\n{found:?}\nand not\n{expected:?}");
        count += usize::from(is_stable);
    }
    count
}

#[test]
fn reordered_sums_are_near() {
    if !has_compiler() {
        return;
    }
    let most = if std::env::var_os("REDEXTER_EXTENDED").is_some() { 10_000 } else { 40 };
    let runs: usize = deep(move || {
        let folder = tempfile::tempdir().expect("a folder");
        let grown = (0..most).map(|seed| (format!("grown {seed}"), Generator::new(seed, seed % 2 == 0).program(7)));
        let shipped = shipped_programs().into_iter().filter(|(name, _)| !name.contains("prelude"));
        shipped.chain(grown).map(|(name, program)| nearly(&name, &program, folder.path())).sum()
    });
    println!("{runs} runs");
    assert!(runs > 300, "{runs} runs");
}

fn read(text: &str) -> Vec<(String, Program)> {
    Workbench::new().read("m.arr", text)
}

/// Zeros that differ by their sign alone, and arithmetic with numbers that are known before anything runs.
const KNOWN: &str = "
def below {n} (x : array n real) : array n real := build n (fun i => 1 / (0 - abs (x[i] * 0)))
def counted {n} (x : array n real) : array n real := build n (fun i => 1 / (real (n * 0) - real (n * 0) - real (int i * 0)))
def signed {n} (x : array n real) : array n real := build n (fun i => 1 / (if x[i] < 0 then 0 else -0))
def apart {n} (x : array n real) : array n (real * real) := build n (fun i => let a := x[i] * 0; let b := x[i] * (-0); (1 / a, 1 / b))
def hots {n} (x : array n (array 3 real)) : array n (array 3 real) :=
  let hot := build 3 (fun o => build 3 (fun p => if o = p then 1 else 0));
  build n (fun i => build 3 (fun o =>
    let s := x[i][0] * hot[o][0] + x[i][1] * (0 - hot[o][1]) - 0 * x[i][2];
    s / hot[o][2] + (x[i][2] - hot[o][0]) / (if o = 1 then 1 else -0)))
def tables {n} (x : array n (array 3 real)) : array n (array 3 real) :=
  let hot := [[1, 0, -0], [0, 1, 2], [-0, 0.5, 1 / 0]];
  build n (fun i => build 3 (fun o => x[i][0] * hot[0][0] - hot[0][1] + (if o = 1 then hot[0][2] else x[i][o]) * hot[o][0] + hot[1][1] * hot[2][2] - hot[1][0] * hot[2][2] ))
def folds {n} (x : array n (array 3 real)) : array 3 real :=
  let hot := [1, 0, -0];
  let s := build 3 (fun o => if o = 1 then hot[0] else if o = 2 then hot[1] else hot[2]);
  let t := build 3 (fun o => if o = 0 then 1 else if o = 1 then -0 else 0);
  ifold n (fun acc i => build 3 (fun o => if o = 2 then acc[o] - s[2] * t[1] + x[i][1] * t[o] else acc[o] * t[0] - t[2])) t
def zeros {n} (x : array n (array 3 real)) : array n (array 3 real) :=
  build n (fun i => let y := build 3 (fun o => x[i][o] * x[i][0]);
    build 3 (fun o => (if o = 0 then y[0] * (-0) else y[o] * 0) + (if o = 1 then 0 else -0)))
def lanes {n} (x : array n (array 3 real)) : array n (array 3 real) :=
  build n (fun i => let y := build 3 (fun o => if o = 0 then x[i][1] * 2 else if o = 1 then x[i][0] else x[i][1] * 2);
   build 3 (fun o => if o = 0 then y[2] - y[0] else if o = 1 then ifold 3 (fun a k => if k = 1 then a * y[k] else a + y[k]) (y[0] * 2) else y[1] * 2 + y[0] * 2))
";

#[test]
fn known_numbers_keep_their_bits() {
    let Some((runs, programs)) = counted(|| read(KNOWN)) else { return };
    assert!(programs == 9 && runs >= 45, "{runs} runs of {programs} programs");
}

#[test]
fn known_numbers_are_in_no_fused_loop() {
    let form = Form::Fused(Style::compiled(Freedom::Exact));
    for (name, program) in
        read(KNOWN).iter().filter(|(name, _)| ["tables", "zeros", "lanes"].iter().any(|n| name.ends_with(n)))
    {
        let nest = nest_of(&Name::new(name), program, &form).expect("a nest");
        let text = nest_text(name, &nest);
        assert!(text.contains("strips ") && !text.contains("* 1.0)") && !text.contains("(if (o."), "{text}");
    }
}

/// What `cc` with these arguments says.
fn cc(arguments: &[&Path], flags: &[&str]) -> String {
    let said = Command::new("cc").args(flags).args(arguments).args(["-lm"]).output().expect("cc");
    String::from_utf8_lossy(&said.stderr).into_owned()
}

const STRICT: [&str; 6] = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffp-contract=off"];

#[test]
fn shipped_models_compile_without_a_warning() {
    if !has_compiler() {
        return;
    }
    deep(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let mut entries = Vec::new();
        for (k, (_, program)) in shipped_programs().into_iter().enumerate() {
            if nest_of(&Name::new("f"), &program, &C.form()).is_ok() {
                entries.push((Name::new(&format!("f{k}")), program));
            }
        }
        assert!(entries.len() > 60, "{} entries", entries.len());
        let written = c("all", &entries, &C).expect("C");
        let [header, source] = ["all.h", "all.c"].map(|name| folder.path().join(name));
        fs::write(&header, &written.header).expect("a file");
        fs::write(&source, format!("#include \"all.h\"\n{}", written.source)).expect("a file");
        let said = cc(&[&source], &[&STRICT[..], &["-c", "-O1", "-o", "/dev/null"]].concat());
        assert!(said.is_empty(), "{said}");
    });
}

/// A caller that knows the header alone. `main`, `double`, `fabs`, `signed` and `while` mean something in C, as does `size_t`.
#[test]
fn names_of_c_and_its_library_are_free() {
    if !has_compiler() {
        return;
    }
    let model = "def main {t} (double : array t real) (fabs : real) : real * array t real :=
  (ifold t (fun signed i => signed + double[i]) fabs, build t (fun while => double[while] * fabs))
";
    let caller = r#"
#include "own.h"
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  double v[3] = {1.0, 2.0, 4.0}, sum, all[3];
  void *arena = malloc(own_main_arena(3) + 1);
  own_main(3, v, 0.5, &sum, all, arena);
  printf("%g %g %g %g\n", sum, all[0], all[1], all[2]);
  free(arena);
  return 0;
}
"#;
    let written =
        deep(move || c("own", &read(model).into_iter().map(|(_, p)| (Name::new("main"), p)).collect::<Vec<_>>(), &C));
    let written = written.expect("C");
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    fs::write(at("own.h"), &written.header).expect("a file");
    fs::write(at("own.c"), &written.source).expect("a file");
    fs::write(at("caller.c"), caller).expect("a file");
    let said = cc(&[&at("own.c"), &at("caller.c"), Path::new("-o"), &at("caller")], &STRICT);
    assert!(said.is_empty(), "{said}");
    let said = Command::new(at("caller")).output().expect("the caller");
    assert_eq!(String::from_utf8_lossy(&said.stdout), "7.5 0.5 1 2\n");
}

#[test]
fn without_a_compiler_there_is_a_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, program) = read("def twice (x : real) : real := x + x\n").remove(0);
    let (missing, cache) = (Compiler::named("no-such-compiler"), Cache::at(folder.path()));
    let native = Native::new(&Name::new("twice"), &program, &missing, &cache, &Budget::default()).expect("no error");
    assert_eq!(native.err().as_deref(), Some("there is no compiler `no-such-compiler`"));
    if has_compiler() {
        let native = Native::new(&Name::new("twice"), &program, &Compiler::named("false"), &cache, &Budget::default());
        let reason = native.expect("no error").err().expect("a reason");
        let kept =
            fs::read_dir(folder.path()).expect("a folder").next().expect("the C is kept").expect("a file").path();
        assert_eq!(reason, format!("the compiler `false` failed on {}: it says nothing", kept.display()));
    }
}

fn assert_doubles(compiler: &Compiler) {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, program) = read("def twice (x : real) : real := x + x\n").remove(0);
    let native = Native::new(&Name::new("twice"), &program, compiler, &Cache::at(folder.path()), &Budget::default());
    let value =
        native.expect("no error").expect("code").run(&[Value::Real(1.5)], &Sizes::default(), &Budget::default());
    assert!(value.expect("a value").same(&Value::Real(3.0)));
}

#[test]
fn a_compiler_may_have_arguments() {
    if !has_compiler() {
        return;
    }
    assert_doubles(&Compiler::named("cc -DREDEXTER_OWN=1"));
}

#[test]
fn a_compiler_may_not_know_all_that_gcc_does() {
    if !has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let other = folder.path().join("other");
    let refuses =
        r#"case "$*" in *-fira-region*|*-fpeel-loops*|*-lmvec*) echo "error: unknown argument" >&2; exit 1;; esac"#;
    fs::write(&other, format!("#!/bin/sh\n{refuses}\nexec cc \"$@\"\n")).expect("a file");
    fs::set_permissions(&other, fs::Permissions::from_mode(0o755)).expect("a program");
    for freedom in [Freedom::Exact, Freedom::Fast] {
        assert_doubles(&Compiler::named(&other.to_string_lossy()).with(freedom));
    }
}

#[test]
fn a_broken_library_is_made_anew() {
    if !has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (_, program) = read("def twice (x : real) : real := x + x\n").remove(0);
    let run = || {
        let native = natively("twice", &program, folder.path()).expect("code");
        let value = native.run(&[Value::Real(1.5)], &Sizes::default(), &Budget::default()).expect("a value");
        assert!(value.same(&Value::Real(3.0)));
    };
    run();
    let files = || fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("a file").path());
    assert_eq!(files().count(), 2, "a library and its source");
    for file in files().collect::<Vec<_>>() {
        let before = fs::read(&file).expect("a file");
        fs::write(&file, &before[..before.len() / 2]).expect("a file");
        run();
        assert!(fs::read(&file).expect("a file") == before || file.extension().is_some_and(|e| e == "so"));
    }
    let whole: Vec<_> = files().map(|file| fs::metadata(file).expect("a file").modified().expect("a time")).collect();
    run();
    assert_eq!(
        whole,
        files().map(|f| fs::metadata(f).expect("a file").modified().expect("a time")).collect::<Vec<_>>()
    );
}

#[test]
fn what_is_too_large_is_refused_with_the_numbers() {
    if !has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (_, program) =
        read("def all {n} (x : real) : array n (array n real) := build n (fun i => build n (fun j => x))\n").remove(0);
    let native = natively("all", &program, folder.path()).expect("code");
    for n in [20_000, 1 << 40, 1 << 62] {
        let sizes: Sizes = [(Name::new("n"), n)].into_iter().collect();
        let wrong = native.run(&[Value::Real(1.0)], &sizes, &Budget::default()).expect_err("too large");
        let Trouble::Wrong(all) = wrong else { panic!("{wrong:?}") };
        let numbers = (n as u128).pow(2).min(u64::MAX.into());
        assert!(all[0].headline.contains(&format!("the result has {numbers} numbers")), "{:?}", all[0]);
    }
}

/// A loop that would take years ends with its budget.
#[test]
fn a_budget_ends_native_code() {
    if !has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let text = "def long {n} (x : real) : real := ifold n (fun a i => ifold n (fun b j => sin b + a) a) x\n";
    let (_, program) = read(text).remove(0);
    let native = natively("long", &program, folder.path()).expect("code");
    let sizes: Sizes = [(Name::new("n"), 1 << 30)].into_iter().collect();
    let budget = Budget::default().asked_at_most(3, Rc::default());
    let ended = native.run(&[Value::Real(1.0)], &sizes, &budget);
    assert!(matches!(ended, Err(Trouble::Stopped { .. })), "{ended:?}");
}
