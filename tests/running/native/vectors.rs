//! What is written in vectors, a few programs for each kind: choices, rows, functions, what is left of strips; and sums in
//! another order, with conditions and with a start.

use redexter::eval::{Sizes, Value, evaluate};
use redexter::ground::{Budget, Name};
use redexter::native::{CCompiler, CodeCache, Native, ThreadLimits};
use redexter::nest::Freedom;
use redexter::term::Program;

use crate::has_compiler;
use crate::native::bits::deep;
use crate::native::exact::counted;
use crate::native::read;

/// Conditions that differ between lanes, that are the same in all, and as numbers. Loops in the rounds have these be lanes.
const CHOICES: &str = "
def both {n} (v : array n real) (w : array 5 real) : array n real :=
  build n (fun i => ifold 5 (fun s j => s * 0.5 + (if v[i] < s && w[j] < 0 then v[i] * w[j] else v[i] - w[j])) 0)
def truths {n} (v : array n real) (w : array 5 real) : array n real :=
  build n (fun i => ifold 5 (fun s j => s * w[j] + real (v[i] < s) - real ((v[i] > w[j]) + 1)) 1)
";

#[test]
fn choices_are_the_evaluators() {
    let Some((runs, programs)) = counted(1, || read(CHOICES)) else { return };
    assert!(programs == 2 && runs >= 12, "{runs} runs of {programs} programs");
}

/// What lanes read and store apart, in rows of a length that is computed, too, and side by side, in either direction.
const ROWS: &str = "
def columns {n} (x : array n (array 5 real)) : array n (array 5 real) :=
  build n (fun i => build 5 (fun j => ifold 5 (fun s k => s * 0.5 + tanh (x[i][j] * s)) 1))
def doubled {n m} (x : array n (array (2 * m) real)) : array n real :=
  build n (fun i => ifold (2 * m) (fun s j => s * 0.5 + tanh (x[i][j] * s)) 1)
def reversed {n} (v : array n real) (w : array 5 real) : array n real :=
  build n (fun i => ifold 5 (fun s j => s * 0.5 + tanh (v[n - 1 - i] * w[j])) 1)
def shifted {n} (v : array n real) (w : array 5 real) (x : array (n + 5) real) : array n real :=
  build n (fun i => ifold 5 (fun s j => s * v[i] + x[i + j] * w[j] - x[(n - 1 - i) + j]) 1)
def strided {n} (x : array n real) (v : array (2 * n) real) (w : array 5 real) : array n real :=
  build n (fun i => ifold 5 (fun s j => s * x[i] + v[i + i] * w[j]) 1)
";

#[test]
fn rows_are_the_evaluators() {
    let Some((runs, programs)) = counted(1, || read(ROWS)) else { return };
    assert!(programs == 5 && runs >= 30, "{runs} runs of {programs} programs");
}

/// Functions that C lacks or means in another way, in lanes and alone: of NaN, too, and of integers.
const FUNCTIONS: &str = "
def powers {n} (v : array n real) (w : array 5 real) : array n real :=
  build n (fun i => ifold 5 (fun s j => s * w[j] + pow (v[i] + s) (-3)) 1)
def nearest {n} (v : array n real) (w : array 5 real) : array n real :=
  build n (fun i => ifold 5 (fun s j => min (log (v[i] * w[j])) s + max v[i] (log s)) 1)
def exponentials {n} (v : array n real) (w : array 5 real) : array n real :=
  build n (fun i => ifold 5 (fun s j => s * 0.5 + exp (v[i] * w[j])) 1)
def least {n} (v : array n real) : real := ifold n (fun s i => 0.5 * min (log v[i]) s) 3
def ratios {n} (v : array n real) : real := ifold n (fun s i => s * 0.5 + v[i] * (real i / real (int i + 2))) 0
";

#[test]
fn functions_are_the_evaluators() {
    let Some((runs, programs)) = counted(1, || read(FUNCTIONS)) else { return };
    assert!(programs == 5 && runs >= 30, "{runs} runs of {programs} programs");
}

/// What is left of strips, once: rounds that gather may not be done twice.
const RESTS: &str = "
def totals {n m} (v : array n real) (w : array m real) : array m real :=
  build m (fun j => ifold n (fun s i => s + exp (v[i] * w[j])) 0.5)
def waits {n} (v : array n real) : array n real := build n (fun i => ifold n (fun s j => tanh (s + v[i] * v[j])) 0)
";

#[test]
fn rests_are_the_evaluators() {
    let Some((runs, programs)) = counted(1, || read(RESTS)) else { return };
    assert!(programs == 2 && runs >= 12, "{runs} runs of {programs} programs");
}

/// Numbers of either sign, of which the largest stands near the end.
fn reals(n: u64) -> Value {
    let real = |i: u64| ((i * 37 + 11) % 101) as f64 / 7.0 - 5.0 + i as f64 / 512.0;
    Value::array((0..n).map(|i| Value::Real(real(i))).collect())
}

/// Sums whose terms don't cancel, and the largest of numbers below 0.
const SUMS: &str = "
def below {n} (v : array n real) : real := ifold n (fun s i => if v[i] < 0 then s + v[i] * v[i] else s) 7
def squares {n} (v : array n real) : real := ifold n (fun s i => s + v[i] * v[i]) 7
def largest {n} (v : array n real) : real := ifold n (fun a i => if a < v[i] - 100 then v[i] - 100 else a) (-1000)
def beside {n} (v : array n real) : array 40 real := build 40 (fun j => ifold n (fun s i => s + exp (v[i] * real j * 0.1)) 7)
";

/// In another order, by one thread and by three.
#[test]
fn sums_in_another_order_have_their_start_and_their_conditions() {
    if !has_compiler() {
        return;
    }
    deep(|| {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, program) in read(SUMS) {
            for count in [1, 3] {
                nearly(&name, &program, count, &CodeCache::at(folder.path()));
            }
        }
    });
}

fn nearly(name: &str, program: &Program, count: u32, cache: &CodeCache) {
    let compiler = CCompiler::named("cc").with(Freedom::Fast).on(ThreadLimits { count, least: 0.0 });
    let native = Native::new(&Name::new(name), program, &compiler, cache, &Budget::default());
    let native = native.expect("no error").expect("code");
    for n in [0, 1, 7, 32, 41, 1000] {
        let (inputs, budget) = ([reals(n)], Budget::default());
        let sizes: Sizes = [(Name::new("n"), n)].into_iter().collect();
        let (expected, _) = evaluate(program, &inputs, &sizes, &budget).expect("a value");
        let found = native.run(&inputs, &sizes, &budget).expect("a value");
        assert!(found.close(&expected, 1e-12), "{name} of {n} by {count}: {found:?} and not {expected:?}");
    }
}
