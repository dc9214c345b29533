//! Loops whose middle asks no guard: stencils and their gradients, at sizes around the ends of loops and of strips.

use std::path::Path;

use redexter::blocks::Blocks;
use redexter::cost::cheaper_total;
use redexter::ground::{Budget, Limits};
use redexter::strategy::{Outcome, run};
use redexter::term::Program;

use crate::has_compiler;
use crate::native::bits::{compared_at, deep};
use crate::native::{natively, read};
use crate::support::shipped::Workbench;

/// Stencils on lines and grids, filters, sums under guards, guards further apart than short sizes, and some on sizes alone.
pub const GUARDED: &str = "
def heat {n} (x : array n real) : array n real :=
  build n (fun i => x[i] + 0.1 * (x[i - 1 else 0] - 2 * x[i] + x[i + 1 else 0]))
def grid {m n} (x : array m (array n real)) : array m (array n real) :=
  build m (fun i => build n (fun j =>
    x[i, j] + 0.1 * (x[i - 1, j else 0] + x[i + 1, j else 0] + x[i, j - 1 else 0] + x[i, j + 1 else 0] - 4 * x[i, j])))
def filter {n k} (x : array n real) (w : array (k + 1) real) : array n real :=
  build n (fun i => ifold (k + 1) (fun s j => s + w[j] * x[i + j - 1 else 0]) 0)
def wide {n} (x : array n real) : array n real := build n (fun i => x[i - 3 else x[i]] - x[i + 2 else 1])
def bent {n} (x : array n real) : real := ifold n (fun s i => s * 0.5 + (x[i - 1 else 0] - x[i + 1 else 0])) 0
def backwards {n} (x : array n real) : array n real := build n (fun i => x[n - 2 - int i else 0] * 2)
def longer {n} (x : array (n + 1) real) : array (n + 2) real := build (n + 2) (fun i => x[i - 1 else 0] + x[i else 1])
def shifted {n} (x : array n real) (k : int) : array n real := build n (fun i => x[i + k else 0] + x[i - 1 else 0])
";

/// Sizes at which nothing is in the middle, and some around the ends of strips.
const SIZES: [u64; 14] = [0, 1, 2, 3, 4, 5, 255, 256, 257, 258, 511, 512, 513, 514];

/// How often native code and blocks were compared with the evaluator.
fn runs(programs: &[(String, Program)]) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let one = |(name, program): &(String, Program)| {
        let native = natively(name, program, folder.path()).expect("code");
        let blocks = Blocks::new(program).expect("a nest");
        compared_at(&SIZES, name, program, |inputs, sizes| {
            let value = native.run(inputs, sizes, &Budget::default())?;
            let other = blocks.run(inputs, sizes, &Budget::default())?.expect("instructions");
            assert!(other.same(&value), "{name} at {sizes:?}: blocks aren't native code");
            Ok(value)
        })
    };
    programs.iter().map(one).sum()
}

#[test]
fn stencils_are_the_evaluators() {
    if !has_compiler() {
        return;
    }
    let runs = deep(|| runs(&read(GUARDED)));
    assert!(runs >= 100, "{runs} runs");
}

#[test]
fn gradients_of_stencils_are_the_evaluators() {
    if !has_compiler() {
        return;
    }
    let (runs, programs) = deep(|| {
        let workbench = Workbench::new();
        let strategies = workbench.strategies(Path::new("strategies/gradient.strat"));
        let (_, strategy) = strategies.into_iter().find(|(name, _)| name.ends_with(" fastGradient")).expect("it ships");
        let all = workbench.programs(Path::new("tests/unseen/moved.arr"));
        let gradients = all.into_iter().filter(|(name, _)| name.ends_with("Gradient"));
        let scheduled = gradients.map(|(name, program)| {
            let outcome =
                run(&strategy, &program, &Budget::new(Limits::default(), None), cheaper_total).expect("a run");
            let Outcome::Success(term) = outcome.outcome else { panic!("{name} isn't reached") };
            (name, program.with(term))
        });
        let scheduled: Vec<_> = scheduled.collect();
        (runs(&scheduled), scheduled.len())
    });
    assert!(programs >= 8 && runs >= 8 * programs, "{runs} runs of {programs} programs");
}
