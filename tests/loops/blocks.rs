//! Blocks of lanes give what the evaluator gives, to the bit, on grown programs at sizes around those at which loops are split;
//! and no program is left to the evaluator. `tests/running/native` has the models that ship.

use crate::support::{bits, generate, shipped};
use std::cell::Cell;

use bits::{compared_at, deep};
use generate::grown;
use redexter::blocks::Blocks;
use redexter::eval::evaluate;
use redexter::ground::Budget;
use redexter::term::Program;
use redexter_reference::cases;
use shipped::Workbench;

/// Around the sizes at which loops are split, and of several blocks.
const SIZES: [u64; 10] = [0, 1, 2, 31, 32, 33, 256, 257, 300, 513];

/// How many runs were compared, and how many the evaluator had to do.
#[derive(Debug, Default)]
struct Found {
    runs: usize,
    left: usize,
}

fn found(programs: impl IntoIterator<Item = (String, Program)>, sizes: &[u64]) -> Found {
    let mut found = Found::default();
    for (name, program) in programs {
        let Some(blocks) = Blocks::new(&program) else { continue };
        let left = Cell::new(0);
        let runs = compared_at(sizes, &name, &program, |inputs, sizes| {
            let budget = Budget::default();
            Ok(match blocks.run(inputs, sizes, &budget)? {
                Some(value) => value,
                None => {
                    left.set(left.get() + 1);
                    evaluate(&program, inputs, sizes, &budget)?.0
                }
            })
        });
        if left.get() > 0 {
            println!("{name}: {} of {runs} runs are left to the evaluator", left.get());
        }
        found.runs += runs;
        found.left += left.get();
    }
    println!("{found:?}");
    found
}

#[test]
fn grown_programs_are_the_evaluators() {
    let most = cases(400, 10_000);
    let Found { runs, left, .. } = deep(move || found(grown(most), &[0, 1, 2, 31, 32, 33, 257]));
    assert!(runs > most as usize * 3 && left == 0, "{left} of {runs} runs");
}

/// What lanes compute: choices, sums and the least, what is gathered and scattered, what is needed more than once, and what is
/// read where it is written.
const CHOSEN: &str = "
def chosen {n} (v w : array n real) : array n real := build n (fun i => if v[i] < w[i] then v[i] * 2 else w[i] - v[i])
def diagonal {n} (a : array n (array n real)) : array n real := build n (fun i => a[i][i] * 2)
def rows {n m} (x : array n (array m real)) : array n real :=
  build n (fun i => ifold m (fun s j => s * 0.5 + x[i][j] * x[i][j]) 1)
def picked {n k m} (keys : array n (fin k)) (x : array k (array m real)) : array n real :=
  build n (fun i => ifold m (fun s j => s * 0.5 + x[keys[i]][j]) 0)
def counted {n k} (keys : array n (fin k)) (x : array n real) : array k real :=
  build k (fun j => ifold n (fun s i => s + (if keys[i] = j then x[i] else 0)) 0)
def product {n} (v w : array n real) (z : real) : real := ifold n (fun s i => s + v[i] * w[i]) z
def added {n} (v : array n real) (z : real) : real := ifold n (fun s i => s + exp v[i]) z
def least {n} (v : array n real) (z : real) : real := ifold n (fun a i => if v[i] < a then v[i] else a) z
def largest {n} (v : array n real) (z : real) : real := ifold n (fun a i => if a < v[i] then v[i] else a) z
def apart {n} (x y : array 9 (array n real)) (z : array 9 real) : array n real :=
  build n (fun i => ifold 9 (fun s j => s + (x[j][i] - z[j]) * (y[j][i] - z[j])) 0)
def distances {n} (x : array 9 (array n real)) (z : array 9 real) : array n real :=
  build n (fun i => ifold 9 (fun s j => s + (x[j][i] - z[j]) * (x[j][i] - z[j])) 0)
def squares {n} (v : array n real) : array n real :=
  build n (fun i => ifold 4 (fun a k => if k = 1 then a * a - v[i] * (a * a) else a * a * 0.5 + 1 / (1 + a * a)) v[i])
def branches {n} (v : array n real) (w : array 5 real) : array n real :=
  build n (fun i => ifold 5 (fun s j => if w[j] < 0 then s * s + 1 / (1 + s * s) else 1 / (2 + s * s) - s * s) v[i])
def pairs {n} (v : array n real) : array n (real * real) :=
  build n (fun i => (v[i] * v[i] + exp v[i], v[i] * v[i] - sin v[i] * tanh v[i]))
def powers {n m} (x : array n real) (c : array m real) : real :=
  let table := build n (fun i => build m (fun j => pow x[i] j));
  ifold n (fun s i => s + ifold m (fun t j => t + c[j] * table[i][j]) 0) 0
def state {n d} (v : array n real) (w : array d (array d real)) : array n real :=
  build n (fun i =>
    let h := ifold 3 (fun h t => build d (fun j => tanh (v[i] + ifold d (fun s k => s + w[j][k] * h[k]) 0))) (build d (fun j => v[i]));
    ifold d (fun s j => s + h[j]) 0)
";

#[test]
fn chosen_programs_are_the_evaluators() {
    let Found { runs, left, .. } = deep(|| found(Workbench::new().read("m.arr", CHOSEN), &SIZES));
    assert!(runs > 160 && left == 0, "{left} of {runs} runs");
}
