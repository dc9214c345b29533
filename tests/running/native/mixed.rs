//! Programs whose guards, loops and arrays differ in size give what the evaluator gives, in each way in which they are run.

use std::path::Path;
use std::rc::Rc;

use redexter::blocks::Blocks;
use redexter::eval::{Value, evaluate};
use redexter::export::c::CTarget;
use redexter::export::nest_of;
use redexter::ground::{Budget, Name};
use redexter::native::{CCompiler, Native, ThreadLimits};
use redexter::nest::{Freedom, splits};
use redexter_reference::cases;

use crate::has_compiler;
use crate::native::bits::{LONG, deep, perturbed, shaken};
use crate::native::called::{Called, Temporaries, called};
use crate::native::drawn::Case;
use crate::native::made;
use crate::native::sanitized::{CHECKED, has_sanitizers};
use crate::native::shipped::Workbench;
use crate::support::typed::grown;

/// What others are given.
const C: CTarget = called(Freedom::Exact, 4);

/// How they compile it.
const OPTIMISED: [&str; 1] = ["-O3"];

/// What of a case differs in one way of running it.
fn differing(case: &Case, way: &str, run: impl Fn(&[Value], &redexter::eval::Sizes) -> Option<Value>) -> Vec<String> {
    let runs = case.runs.iter().filter_map(|own| {
        let found = run(&own.inputs, &own.sizes);
        let is_same = found.as_ref().is_some_and(|found| found.same(&own.expected));
        (!is_same).then(|| {
            format!(
                "{way}: {} at {:?} with {:?}:\n{found:?}\nand not\n{:?}",
                case.text, own.sizes, own.inputs, own.expected
            )
        })
    });
    runs.collect()
}

/// Blocks don't leave a program to the evaluator where they went astray in it.
pub fn in_blocks(case: &Case) -> Vec<String> {
    let Some(blocks) = Blocks::new(&case.program) else { return Vec::new() };
    differing(case, "blocks", |inputs, sizes| blocks.run(inputs, sizes, &Budget::default()).expect("no error"))
}

/// Native code on one thread, and on two where loops can be shared out.
pub fn exactly(case: &Case, folder: &Path) -> Vec<String> {
    let one = CCompiler::named("cc");
    let Some(native) = made("f", &case.program, &one, folder) else { return Vec::new() };
    let run = |native: &Native, inputs: &[Value], sizes: &_| {
        Some(native.run(inputs, sizes, &Budget::default()).expect("a value"))
    };
    let mut all = differing(case, "native code", |inputs, sizes| run(&native, inputs, sizes));
    let two = one.on(ThreadLimits { count: 2, least: 0.0 });
    let nest = nest_of(&Name::new("f"), &case.program, &two.target().form()).expect("a nest");
    if !splits(&nest, Freedom::Exact).is_empty() {
        let native = made("f", &case.program, &two, folder).expect("code");
        all.extend(differing(case, "two threads", |inputs, sizes| run(&native, inputs, sizes)));
    }
    all
}

/// How often sums in another order were near, where inputs and constants that differ a little change little.
pub fn nearly(case: &Case, folder: &Path) -> (usize, Vec<String>) {
    let compiler = CCompiler::named("cc").with(Freedom::Fast);
    let Some(native) = made("f", &case.program, &compiler, folder) else { return (0, Vec::new()) };
    let (other, mut count, mut wrong) = (shaken(&case.program), 0, Vec::new());
    for run in &case.runs {
        let short = Budget::default().asked_at_most(LONG, Rc::default());
        let others: Vec<Value> = run.inputs.iter().map(perturbed).collect();
        let Ok((other, _)) = evaluate(&other, &others, &run.sizes, &short) else { continue };
        let found = native.run(&run.inputs, &run.sizes, &Budget::default()).expect("a value");
        // Reordered sums may take 0 times infinity for 0, so that a number can stand where the evaluator has none.
        let nans = run.expected.sum(&|value| u64::from(matches!(value, Value::Real(number) if number.is_nan())));
        if nans == 0 && other.close(&run.expected, 1e-12) {
            count += 1;
            if !found.close(&run.expected, 1e-12) {
                let (sizes, inputs, expected) = (&run.sizes, &run.inputs, &run.expected);
                wrong.push(format!(
                    "fast: {} at {sizes:?} with {inputs:?}:\n{found:?}\nand not\n{expected:?}",
                    case.text
                ));
            }
        }
    }
    (count, wrong)
}

fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn mixed_programs_in_blocks_are_the_evaluators() {
    let most = cases(60, 3_000);
    let (runs, wrong) = deep(move || {
        let workbench = Workbench::new();
        let cases = (0..most).map(|seed| Case::grown(&workbench, seed, true));
        let all = cases.map(|case| (case.runs.len(), in_blocks(&case)));
        all.fold((0, Vec::new()), |(runs, wrong), (own, more)| (runs + own, [wrong, more].concat()))
    });
    println!("{runs} runs");
    assert_none(&wrong);
    assert!(runs as u64 > most * 3, "{runs} runs");
}

#[test]
fn mixed_programs_in_native_code_are_the_evaluators() {
    if !has_compiler() {
        return;
    }
    let most = cases(20, 3_000);
    let wrong = deep(move || {
        let (workbench, folder) = (Workbench::new(), tempfile::tempdir().expect("a folder"));
        let cases = (0..most).map(|seed| Case::grown(&workbench, seed, true));
        cases.flat_map(|case| exactly(&case, folder.path())).collect::<Vec<_>>()
    });
    assert_none(&wrong);
}

/// So many gradients by grown types, and in an extended run.
const BY_TYPE: (u64, u64) = (24, 2_000);

#[test]
fn gradients_by_type_are_the_evaluators() {
    let (runs, wrong) = deep(move || {
        let (workbench, folder) = (Workbench::new(), tempfile::tempdir().expect("a folder"));
        let (mut runs, mut wrong) = (0, Vec::new());
        for seed in 0..cases(BY_TYPE.0, BY_TYPE.1) {
            let case = Case::named(&workbench, &grown(seed), "gradient", seed);
            runs += case.runs.len();
            wrong.extend(in_blocks(&case));
            // Every third is compiled, too.
            if seed % 3 == 0 && has_compiler() {
                wrong.extend(exactly(&case, folder.path()));
            }
        }
        (runs, wrong)
    });
    assert_none(&wrong);
    assert!(runs as u64 > BY_TYPE.0 * 3, "{runs} runs");
}

#[test]
fn mixed_programs_with_reordered_sums_are_near() {
    if !has_compiler() {
        return;
    }
    let most = cases(20, 3_000);
    let (runs, wrong) = deep(move || {
        let (workbench, folder) = (Workbench::new(), tempfile::tempdir().expect("a folder"));
        let cases = (0..most).map(|seed| Case::grown(&workbench, seed, true));
        let all = cases.map(|case| nearly(&case, folder.path()));
        all.fold((0, Vec::new()), |(runs, wrong), (own, more)| (runs + own, [wrong, more].concat()))
    });
    println!("{runs} runs");
    assert_none(&wrong);
    assert!(runs as u64 > most, "{runs} runs");
}

/// So many programs are compiled at once.
const TOGETHER: u64 = 50;

#[test]
fn mixed_programs_exported_are_the_evaluators() {
    if !has_compiler() {
        return;
    }
    let most = cases(50, 3_000);
    let (runs, wrong) = deep(move || {
        let (workbench, mut all) = (Workbench::new(), (0, Vec::new()));
        for first in (0..most).step_by(TOGETHER as usize) {
            let folder = tempfile::tempdir().expect("a folder");
            let cases: Vec<Case> = (first..first + TOGETHER).map(|seed| Case::grown(&workbench, seed, false)).collect();
            let called = Called::compiled(&cases, (C, Temporaries::Arena), folder.path(), &OPTIMISED);
            all.0 += called.runs();
            all.1.extend(called.wrong());
        }
        all
    });
    println!("{runs} runs");
    assert_none(&wrong);
    assert!(runs as u64 > most * 3, "{runs} runs");
}

/// Programs in which a guard lets through more than a loop has rounds, each with sizes of its variables in their order.
const NAMED: [(&str, &str, &[&[u64]]); 48] = [
    (
        "a guard by a literal above the loop's size",
        "def f {n k} (v : array n real) (u w : array k real) : array k (real * real) :=
  build k (fun i => (if i < 100 then ifold n (fun b j => b + u[i]) 0 else u[i], ifold n (fun b j => b + w[i] * v[j]) 0))\n",
        &[&[2, 3], &[0, 3], &[99, 2], &[101, 2], &[257, 33]],
    ),
    (
        "a guard by a literal around a loop without rounds",
        "def f {n k} (v : array n real) (u w : array k real) : array k (real * real) :=
  build k (fun i => (if i < 1 then ifold n (fun b j => b + u[i]) 0 else u[i], ifold n (fun b j => b + w[i] * v[j]) 0))\n",
        &[&[0, 3], &[0, 0], &[1, 40], &[2, 0]],
    ),
    (
        "a guard turned around",
        "def f {n k} (v : array n real) (u : array k real) : array k real :=
  build k (fun i => if 70 >= i then ifold n (fun b j => b + u[i] * v[j]) 0 else 0)\n",
        &[&[2, 3], &[0, 3], &[70, 2], &[71, 2], &[100, 40]],
    ),
    (
        "an index of a larger size within",
        "def f {n m k} (v : array n real) (u : array k real) (w : array m real) : array k (array m real) :=
  build k (fun i => build m (fun j => if i <= j then ifold n (fun b e => b + u[i] * (w[j] * v[e])) 0 else 0))\n",
        &[&[2, 5, 3], &[5, 2, 3], &[0, 3, 2], &[33, 70, 40], &[70, 33, 40]],
    ),
    (
        "an index of a larger size around",
        "def f {n m k} (v : array n real) (u : array k real) (w : array m real) : array k (array m real) :=
  build k (fun i => build m (fun j => if j <= i then ifold n (fun b e => b + u[i] * (w[j] * v[e])) 0 else 0))\n",
        &[&[2, 5, 3], &[5, 2, 3], &[3, 0, 2], &[5, 2, 40], &[33, 70, 40], &[70, 33, 40]],
    ),
    (
        "an index of a larger size in a table",
        "def f {n m k} (v : array n real) (u : array k real) (w : array m real) : array n real :=
  let t := build k (fun i => build m (fun j =>
    if j <= i then ifold n (fun b e => b + sqrt (abs (u[i] + w[j] * v[e]))) 0 else w[j]));
  build n (fun e => ifold k (fun s i => s + ifold m (fun r j => r + t[i][j] * v[e]) 0) 0)\n",
        &[&[2, 5, 3], &[5, 2, 3], &[3, 0, 2], &[5, 2, 40], &[33, 70, 5], &[70, 33, 5]],
    ),
    (
        "an element beyond the range",
        "def f {n k} (v : array n real) (u : array k real) : array k real :=
  build k (fun i => if i = 5 then ifold n (fun b j => b + u[i] * v[j]) 0 else u[i])\n",
        &[&[2, 3], &[5, 3], &[6, 3], &[0, 3], &[33, 40]],
    ),
    (
        "a sum of one element beyond the range",
        "def f {n k} (v : array n real) (u : array k real) : array k real :=
  build k (fun i => ifold n (fun b j => b + (if i = 5 then v[j] else 0)) 0)\n",
        &[&[2, 3], &[5, 3], &[6, 3], &[0, 3], &[33, 40]],
    ),
    (
        "a loop that would begin behind its end",
        "def f {n m k} (v : array n real) (u : array k real) (w : array m real) : array m (array k real) :=
  build m (fun i => build k (fun j => if j > i then ifold n (fun b e => b + u[j] * (w[i] * v[e])) 0 else w[i]))\n",
        &[&[2, 9, 3], &[9, 2, 3], &[0, 3, 3], &[33, 70, 40]],
    ),
    (
        "a loop that begins at a literal behind its end",
        "def f {n k} (v : array n real) (u : array k real) : array k real :=
  build k (fun j => if j >= 40 then ifold n (fun b e => b + u[j] * v[e]) 0 else 1)\n",
        &[&[2, 3], &[39, 3], &[41, 3], &[0, 3], &[101, 40]],
    ),
    (
        "a guard by an index from data",
        "def f {n k, m >= 1} (v : array n real) (u : array k real) (q : fin m) : array k real :=
  build k (fun i => if i < q then ifold n (fun b j => b + u[i] * v[j]) 0 else 0)\n",
        &[&[2, 100, 3], &[0, 100, 3], &[100, 1, 3], &[33, 257, 40]],
    ),
    (
        "a guard by the place of the largest",
        "def f {n k, m >= 1} (v : array n real) (u : array k real) (w : array m real) : array k real :=
  let b := argmax w;
  build k (fun i => if i <= b then ifold n (fun s j => s + u[i] * v[j]) 0 else 0)\n",
        &[&[2, 100, 3], &[0, 100, 3], &[100, 1, 3], &[33, 257, 40]],
    ),
    (
        "a guard by an element of an array of indices",
        "def f {n k, m >= 1} (v : array n real) (u : array k real) (p : array n (fin m)) : array n real :=
  build n (fun e => ifold k (fun s j => if j <= p[e] then s + u[j] * v[e] else s) 0)\n",
        &[&[2, 100, 3], &[0, 100, 3], &[100, 1, 3], &[33, 257, 40]],
    ),
    (
        "elements of indices that the result lacks",
        "def f {n k, m >= 1} (v : array n real) (p : array n (fin m)) : array k real :=
  build k (fun c => ifold n (fun s e => s + (if p[e] = c then v[e] else 0)) 0)\n",
        &[&[2, 9, 40], &[0, 9, 3], &[9, 2, 40], &[33, 257, 70]],
    ),
    (
        "elements of rounds that the result lacks",
        "def f {n k} (v : array n real) : array k real :=
  build k (fun c => ifold n (fun s e => if e = c then s + v[e] else s) 0)\n",
        &[&[2, 9], &[0, 9], &[9, 2], &[33, 257]],
    ),
    (
        "elements of a matrix that lacks columns",
        "def f {n k, m >= 1} (v : array n real) (p : array n (fin m)) : array 3 (array k real) :=
  build 3 (fun r => build k (fun c => ifold n (fun s e => if c = p[e] then s + v[e] * real r else s) 0))\n",
        &[&[2, 9, 40], &[0, 9, 3], &[9, 2, 40]],
    ),
    (
        "two guards of one index",
        "def f {n m k} (v : array n real) (u : array k real) (w : array m real) : array m (array k real) :=
  build m (fun i => build k (fun j =>
    if j >= 3 && j <= i then ifold n (fun b e => b + u[j] * (w[i] * v[e])) 0 else 0))\n",
        &[&[2, 9, 3], &[9, 2, 3], &[33, 70, 40], &[70, 33, 40]],
    ),
    (
        "nested guards",
        "def f {n k} (v : array n real) (u : array k real) : array k real :=
  build k (fun i => if i < 40 then (if i >= 2 then ifold n (fun b j => b + u[i] * v[j]) 0 else 1) else 2)\n",
        &[&[0, 3], &[1, 3], &[3, 3], &[40, 3], &[101, 40]],
    ),
    (
        "a guard that is negated",
        "def f {n k} (v : array n real) (u : array k real) : array k real :=
  build k (fun i => if i > 8 then 0 else ifold n (fun b j => b + u[i] * v[j]) 0)\n",
        &[&[0, 3], &[1, 3], &[9, 3], &[40, 40]],
    ),
    (
        "sums along both sides of a longer index",
        "def f {n m} (a : array n (array m real)) (u : array n real) : array n real :=
  build n (fun i => ifold m (fun s j => if j < i then s + a[i][j] * u[i] else if j = i then s - 1 else s + a[i][j]) 0)\n",
        &[&[2, 9], &[9, 2], &[70, 33], &[33, 70], &[0, 9], &[9, 0]],
    ),
    (
        "a short loop of a size that is known",
        "def f {n} (v : array n real) (a : array n (array 3 real)) : array 3 real :=
  build 3 (fun o => if o < 8 then ifold n (fun s i => s + a[i][o] * v[i]) 0 else 1)\n",
        &[&[0], &[1], &[33], &[257]],
    ),
    (
        "powers under a guard above their table",
        "def f {n k} (v : array n real) (u : array k real) : array n (real * real) :=
  build n (fun e => (if e < 100 then ifold k (fun s j => s + pow v[e] j * u[j]) 0 else 0,
    ifold k (fun s j => if j < 8 then s + pow v[e] j else s) 0))\n",
        &[&[3, 2], &[0, 9], &[70, 101], &[2, 33]],
    ),
    (
        "powers of a number in each row, as a factor of sums in its columns",
        "def f {n m} (a : array n (array m real)) : array m (array m real) :=
  build m (fun i => build m (fun j => ifold n (fun s e => s + (if int i = int e then 1 else 0) * pow a[e][i] j) 0))\n",
        &[&[3, 2], &[0, 3], &[3, 0], &[33, 40], &[257, 3]],
    ),
    (
        "an index that is looked up where a guard holds",
        "def f {n m, k >= 1} (v : array n real) (w : array m (array k real)) (u : array k real) : array n real :=
  build n (fun e => ifold m (fun s i => s + (if i < 3 then v[e] * (u[argmax w[i]] * 2) else 0)) 0)\n",
        &[&[4, 1, 5], &[4, 9, 5], &[4, 33, 40], &[1, 0, 3]],
    ),
    (
        "sums and differences of sizes",
        "def f {n m} (v : array n real) (u : array (n + m) real) (w : array (n + 1) real) : array (n + m) real :=
  build (n + m) (fun c => (if c <= 3 then ifold n (fun s i => s + u[c] * w[i + 1]) 0 else 0)
    + ifold (n + 1) (fun s i => if i > c then s + w[i] else s) 0)\n",
        &[&[0, 0], &[0, 1], &[3, 0], &[5, 33], &[70, 2]],
    ),
    (
        "an index that is looked up for some pairs",
        "def f {n m, k >= 1} (v : array n real) (w : array m (array m (array k real))) (u : array k real) : array m real :=
  let best := build m (fun i => build m (fun j => argmax w[i][j]));
  build m (fun i => ifold n (fun r e => r + ifold m (fun t j => if j <= i then t + v[e] * (u[best[i][j]] * 2) else t) 0) 0
    + ifold m (fun t j => if j <= i then t * u[best[i][j]] else t + 1) 0)\n",
        &[&[4, 5, 3], &[1, 2, 9], &[0, 3, 3], &[33, 9, 40]],
    ),
    (
        "a factor that waits for another sum",
        "def f {n k} (v : array n real) (u : array k real) : array k real :=
  let s := ifold n (fun b e => b + v[e]) 0;
  build k (fun i => ifold n (fun b e => b + v[e] * (u[i] * s)) 0)\n",
        &[&[3, 2], &[0, 3], &[33, 5], &[70, 40]],
    ),
    (
        "factors for all rounds that wait for another sum",
        "def f {n k} (v : array n real) (u : array k real) : array k real :=
  build k (fun i => ifold n (fun s e => s + (if 0 < e then u[i] else 0) * ifold n (fun t g => t + v[g]) 0) 0)\n",
        &[&[3, 1], &[40, 5], &[0, 3], &[70, 33]],
    ),
    (
        "factors of rows that are no multiple of a vector",
        "def f {n m k} (v : array n real) (u : array k real) (w : array m real) : array m (array k real) :=
  build m (fun i => build k (fun j => ifold n (fun b e => b + v[e] * (w[i] * u[j])) 0))\n",
        &[&[3, 8, 5], &[33, 7, 3], &[2, 3, 31], &[5, 1, 1]],
    ),
    (
        "a short triangle",
        "def f (a : array 8 (array 8 real)) : array 8 (real * real) :=
  build 8 (fun i => (ifold 8 (fun s j => if j > i then s + a[i][j] else s) 0,
    ifold 8 (fun s j => if j <= i then s + a[i][j] else s) 0))\n",
        &[&[]],
    ),
    (
        "a short triangle with a row of nothing",
        "def f (a : array 2 (array 2 real)) : array 2 real :=
  build 2 (fun i => ifold 2 (fun s j => if j < i then s + a[i][j] else s) (if i = 1 then 1 else 0))\n",
        &[&[]],
    ),
    (
        "a triangle whose rows are short",
        "def f {n} (v : array n real) (a : array 32 (array n real)) : array 32 real :=
  build 32 (fun i => ifold 32 (fun s j => if j >= i then s + ifold n (fun t e => t + a[i][e] * v[e]) 0 * real j else s) 0)\n",
        &[&[0], &[3], &[70]],
    ),
    (
        "the best of a triangle, which begins with what is only there",
        "def f {m, n >= 1} (a : array m (array n real)) (w : array n real) : array m real :=
  let best := build m (fun i => build m (fun j => argmax (build n (fun e => max a[j][e] a[i][0]))));
  build m (fun i => ifold m (fun t j => if i <= j then t + w[best[i][j]] else t) 0)\n",
        &[&[3, 2], &[1, 1], &[0, 3], &[5, 40]],
    ),
    (
        "a short table whose rows are longer than the loop that reads them",
        "def f {n} (v : array n real) (x : real) : array 3 real :=
  build 3 (fun i => ifold n (fun s e => s + pow v[e] 2 * (if int i < 0 || i < e then 0 else x)) 0)\n",
        &[&[0], &[2], &[70]],
    ),
    (
        "an index that a loop over nothing leaves as it was, found where a guard of its own holds",
        "def f {n m} (v : array n real) (q : fin n) (c : int) (x : real) : real :=
  if c = 1 then v[ifold m (fun b j => if j < b then b else b) q] else x\n",
        &[&[1, 0], &[9, 5], &[33, 40]],
    ),
    (
        "an index from an index of data, where a guard of its own holds",
        "def f {n m} (v : array n real) (p : array m (fin n)) (q : fin m) (c : int) : real :=
  if c < 1 then v[ifold m (fun b j => if v[b] < v[p[j]] then p[j] else b) p[q]] else 0\n",
        &[&[1, 1], &[9, 5], &[33, 40]],
    ),
    (
        "an index for each lane, of which one element is asked for",
        "def f {n m, k >= 1} (v : array n real) (w : array m real) (u : array k real) : array n real :=
  build n (fun i => if i = 3 then v[ifold n (fun b j => if int i > m then j else b) i] else 0)\n",
        &[&[0, 1, 1], &[4, 2, 3], &[33, 40, 2], &[70, 0, 5]],
    ),
    (
        "an index that is found in strips, on one side of a choice",
        "def f {n m} (v : array n real) (w : array m real) : array n real :=
  build n (fun i => if i = 3 then v[ifold m (fun b j => if w[j] < v[i] then i else b) i] else 0)\n",
        &[&[0, 1], &[4, 2], &[4, 0], &[33, 40]],
    ),
    (
        "an index for each round, found on the other side of a choice",
        "def f {k n} (a : array n (array n real)) (u : array k real) : array n real :=
  build n (fun i => ifold k (fun s j =>
    if not (i < 1) then s + u[j] else s + a[ifold n (fun b e => if j < e then e else b) i][i]) 0)\n",
        &[&[0, 3], &[3, 0], &[33, 2], &[40, 33]],
    ),
    (
        "an index that begins with the literal 0, in an array that may be short",
        "def f {m l, k >= 1} (v : array m real) (u : array l real) (a : array k real) : array m (array k real) :=
  build m (fun i => build k (fun j =>
    if i < 4 then a[ifold k (fun b c => if v[i] < a[c] then j else b) 0] else 0))\n",
        &[&[0, 1, 1], &[3, 0, 1], &[5, 2, 33]],
    ),
    (
        "an index that is found where a sum begins",
        "def f {n m, k >= 1} (u : array n real) (v : array k real) : array m real :=
  build m (fun i =>
    if i = 9 then ifold 3 (fun s j => s * 0.5 + real j) v[ifold k (fun b j => if b < i then j else b) 0] else 0)\n",
        &[&[0, 0, 1], &[1, 10, 3], &[3, 33, 40]],
    ),
    (
        "an index that another one's search reads",
        "def f {m >= 1} (v : array m real) (a : array 17 (array 17 real)) (q : fin 17) : real :=
  if q >= 5
  then v[ifold m (fun b i => if a[q][ifold 17 (fun c e => if e != b then c else c) q] = real q then i else b) 0]
  else real q\n",
        &[&[1], &[40]],
    ),
    (
        "a table of indices that is read in part, by rounds that change nothing elsewhere",
        "def f {n k} (v : array k real) : array k real :=
  ifold n (fun s i => build k (fun j =>
    if i <= 31 then s[j] + pow v[ifold k (fun b e => if j = i then e else b) j] i else s[j])) v\n",
        &[&[0, 3], &[3, 0], &[33, 5], &[40, 33]],
    ),
    (
        "a table of indices that is read in part, as a summand",
        "def f {m k} (v : array m real) (u : array k real) (w : array m real) : array m real :=
  build m (fun i => ifold k (fun s j =>
    s + (if j > i then u[ifold k (fun b e => if i > e then j else b) j] else w[i])) 0)\n",
        &[&[0, 3], &[3, 0], &[5, 33], &[40, 3]],
    ),
    (
        "indices from data and from a copy of data on two sides of a choice",
        "def f {k, n >= 1} (w : array k real) (v : array n real) (p : array k (fin n)) (q : fin (n * n))
    (g : array k (array (n * n) (fin n))) (u : array (k + 1) real) : array (2 * k) real :=
  build (2 * k) (fun o => vectorSum (build (2 * k) (fun i => ifold k (fun s e =>
    s + (if real q < v[if int q = k * 2 then p[e] else g[e][q]] && i = o then u[e + 1] else 0)) 0)))\n",
        &[&[0, 1], &[3, 2], &[33, 3]],
    ),
    (
        "one element of a table of indices on both sides of a choice",
        "def f {n, m >= 1} (a : array m (array m real)) (q : fin m) (p : array n (fin m)) : array n real :=
  build n (fun e =>
    let t := build n (fun i => q);
    a[p[e]][if q = 5 then t[e] else t[e]])\n",
        &[&[0, 1], &[3, 7], &[33, 3]],
    ),
    (
        "an index that stays below the end of a loop around it",
        "def f {m n} (w : array n real) (a : array (2 * m) real) : array m real :=
  build m (fun i => real (ifold m (fun b c => if a[b + c] <= a[i + i] then c else b) i))\n",
        &[&[0, 1], &[3, 0], &[33, 1]],
    ),
    (
        "a table that is filled two rounds at a time, up to the smaller of two ends",
        "def f {m} (v : array m real) (p : array 2 (fin 2)) (q : fin 2) (z : array 2 int) : array m (array 2 real) :=
  build m (fun i => build 2 (fun o => ifold (m + 3) (fun s j =>
    if j <= 300
    then s - (let t := build (m + 3) (fun c => let u := build 2 (fun d => real c); u[p[q]]);
      let r := ifold m
        (fun r e => (r.1 + t[i + 3], r.2 + t[ifold (m + 3) (fun b c => if int q > m + 1 then c else b) j]))
        (0, v[ifold m (fun b c => if real z[o] < real b then c else b) i]);
      r.1 + r.2)
    else s) 0))\n",
        &[&[0], &[3], &[9]],
    ),
];

#[test]
fn named_programs_are_the_evaluators() {
    let (ran, checked) = (has_compiler(), has_sanitizers());
    deep(move || {
        let (workbench, folder) = (Workbench::new(), tempfile::tempdir().expect("a folder"));
        let cases: Vec<Case> = NAMED.iter().map(|(_, text, sizes)| Case::written(&workbench, text, sizes)).collect();
        let mut wrong: Vec<String> = cases.iter().flat_map(in_blocks).collect();
        if checked {
            wrong.extend(Called::compiled(&cases, (C, Temporaries::Apart), folder.path(), &CHECKED).wrong());
        }
        // What goes astray under sanitizers isn't run in this process.
        assert_none(&wrong);
        if ran {
            for (case, (name, ..)) in cases.iter().zip(&NAMED) {
                println!("{name}");
                wrong.extend(exactly(case, folder.path()));
                wrong.extend(nearly(case, folder.path()).1);
            }
        }
        assert_none(&wrong);
    });
}
