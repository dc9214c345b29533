//! Each pass changes no bit: with it and without it programs give the same, in blocks and as native code. A table says of each
//! pass how many nests it changes.

use std::rc::Rc;

use redexter::blocks::Blocks;
use redexter::eval::{NumberSource, Sizes, Value, few_inputs, open_sizes};
use redexter::export::nest_of;
use redexter::ground::{Budget, Name, Random};
use redexter::native::{CCompiler, CodeCache, Native};
use redexter::nest::{Freedom, NestForm, NestStyle, Pass, nest_text};
use redexter::term::Program;
use redexter_reference::{cases, is_extended};

use crate::has_compiler;
use crate::native::bits::{LONG, deep, scheduled_programs, shipped_programs};
use crate::native::flat::FLAT;
use crate::native::guarded::GUARDED;
use crate::native::read;
use crate::native::steps::STEPS;

/// Programs that ask for passes of which those that ship have no need.
const MORE: &str = "
def starts {n} (x : array n (array 3 real)) : array 3 real :=
  let s := build 3 (fun o => if o = 1 then 2 else if o = 2 then 3 else 4);
  ifold n (fun acc i => build 3 (fun o => if o = 2 then acc[o] + x[i][1] else acc[o] * x[i][o])) s
def powers {n d} (t : array n real) (x : array d real) : array n real :=
  build n (fun i => let p := build d (fun j => pow t[i] (int j)); ifold d (fun s j => s + x[j] * p[j]) 0)
def triangle {n d} (x : array n (array d real)) : array d (array d real) :=
  build d (fun i => build d (fun j => if j <= i then ifold n (fun s r => s + x[r][i] * x[r][j]) 0 else 0))
def short {n} (x : array n (array 3 real)) : array n (array 3 real) :=
  build n (fun i => let y := build 3 (fun o => if o = 1 then x[i][0] else x[i][o] * 2); build 3 (fun o => if o = 0 then y[2] else y[o] + y[1]))
def nearest {n k} (x : array n real) (c : array (k + 1) real) : array (k + 1) real :=
  let own := build n (fun i => ifold (k + 1) (fun best j => if (x[i] - c[j]) * (x[i] - c[j]) < (x[i] - c[best]) * (x[i] - c[best]) then j else best) 0);
  build (k + 1) (fun j => ifold n (fun s i => if own[i] = j then s + x[i] else s) 0)
def powered {n} (a : array n (array n real)) (v : array n real) : array n real :=
  grad (fun v => let x := ifold 3 (fun x k => build n (fun i => tanh (ifold n (fun s j => s + a[i][j] * x[j]) 0))) v; ifold n (fun s i => s + x[i] * x[i]) 0) v
def passed {n} (a : array n (array n real)) (v : array n real) : array n real :=
  ifold 3 (fun x k => build n (fun i => ifold n (fun s j => s + a[j][i] * x[j]) 0)) v
def skips {n k} (a : array n (fin k)) (v : array n real) (x : real) : array k real :=
  build k (fun c => ifold n (fun s e => s + (if a[e] = c then v[e] * x else 0)) 0)
def shares {n} (x : array n real) : array n (real * real) :=
  build n (fun i => (tanh (x[i] + 1) * x[i], tanh (x[i] + 1)))
def products {n k} (v : array n real) (x : array n (array k real)) : array k (array k real) :=
  build k (fun i => build k (fun j => ifold n (fun s r => s + (x[r][i] - v[r]) * (x[r][j] * 2)) 0))
def beside {n} (v : array n real) : real :=
  let a := build n (fun i => exp v[i]);
  let s := snd (scan n (fun s i => (s * 0.5 + a[i], s)) 0);
  ifold n (fun t i => t + s[i] * a[i]) 0
def below {n k} (x : array n real) (w : array k real) : array k real :=
  build k (fun c => if c < 2 then ifold n (fun s i => s + x[i] * w[c]) 0 else w[c])
";

/// Models of the short run; the extended one has all of them.
const FEW: [&str; 6] = ["kmeans", "least_squares", "linear_regression", "log_sum_exp", "logistic", "matrix_vector"];

fn style(without: Option<Pass>) -> NestStyle {
    NestStyle { without, ..NestStyle::compiled(Freedom::Exact) }
}

/// A nest as text; none where a program has no nest.
fn text(name: &str, program: &Program, without: Option<Pass>) -> Option<String> {
    let nest = nest_of(&Name::new(name), program, &NestForm::Fused(style(without))).ok()?;
    Some(nest_text(name, &nest))
}

/// Inputs at sizes around those at which loops are split, some of them mixed.
fn inputs(program: &Program) -> Vec<(Vec<Value>, Sizes)> {
    let open = open_sizes(&program.term);
    let all = [&[0][..], &[1], &[33], &[3, 5, 2], &[33, 2, 4], &[0, 3], &[3, 0]];
    let at = |sizes: &&[u64]| {
        let sizes = open.iter().zip(sizes.iter().cycle());
        let sizes: Sizes = sizes.map(|(name, n)| (name.clone(), (*n).max(program.bounds.lower(name)))).collect();
        let short = Budget::default().asked_at_most(LONG, Rc::default());
        let inputs =
            few_inputs(program, &sizes, NumberSource::PLAIN, &mut Random::new(7), (100_000, &short)).ok()??;
        Some((inputs, sizes))
    };
    all.iter().filter_map(at).collect()
}

/// A program with inputs at some sizes, and the blocks of all passes.
type Tried = (String, Program, Vec<(Vec<Value>, Sizes)>, Blocks);

/// What is found of a pass.
#[derive(Default)]
struct Found {
    changed: usize,
    runs: usize,
    natively: usize,
}

fn found(pass: Pass, programs: &[Tried], most: usize) -> Found {
    let mut found = Found::default();
    let folder = tempfile::tempdir().expect("a folder");
    for (name, program, inputs, blocks) in programs {
        if text(name, program, None) == text(name, program, Some(pass)) {
            continue;
        }
        found.changed += 1;
        let without = Blocks::without(program, Some(pass)).expect("a nest");
        let is_compiled = found.natively < most;
        let native = is_compiled.then(|| {
            let (compiler, cache) = (CCompiler::named("cc"), CodeCache::at(folder.path()));
            let form = NestForm::Fused(style(Some(pass)));
            let native = Native::in_form(&Name::new(name), program, &form, (&compiler, &cache), &Budget::default());
            native.expect("a nest").expect("code")
        });
        for (inputs, sizes) in inputs {
            let budget = Budget::default();
            let Ok(Some(expected)) = blocks.run(inputs, sizes, &budget) else { continue };
            let given = without.run(inputs, sizes, &budget).expect("a result").expect("instructions");
            assert!(given.same(&expected), "{name} at {sizes:?} without {pass:?}: {given:?}\nand not\n{expected:?}");
            if let Some(native) = &native {
                let given = native.run(inputs, sizes, &budget).expect("a result");
                assert!(
                    given.same(&expected),
                    "{name} natively at {sizes:?} without {pass:?}: {given:?}\nand not\n{expected:?}"
                );
            }
            found.runs += 1;
        }
        found.natively += usize::from(is_compiled);
    }
    found
}

#[test]
fn a_pass_changes_no_bit() {
    if !has_compiler() {
        return;
    }
    let most = cases(1, 10_000) as usize;
    deep(move || {
        let is_extended = is_extended();
        let is_tried = |name: &str| is_extended || FEW.iter().any(|few| name.contains(few));
        let shipped = shipped_programs().into_iter().filter(|(name, _)| is_tried(name));
        let scheduled = if is_extended { scheduled_programs() } else { Vec::new() };
        let programs = read(MORE)
            .into_iter()
            .chain(read(GUARDED))
            .chain(read(FLAT))
            .chain(read(STEPS))
            .chain(shipped)
            .chain(scheduled);
        let programs: Vec<_> = programs
            .filter_map(|(name, program)| {
                let (inputs, blocks) = (inputs(&program), Blocks::new(&program)?);
                Some((name, program, inputs, blocks))
            })
            .collect();
        println!("{:<20} {:>14} {:>6} {:>9}", "left out", "nests changed", "runs", "compiled");
        let mut idle = Vec::new();
        for pass in Pass::ALL {
            let Found { changed, runs, natively } = found(pass, &programs, most);
            println!("{:<20} {changed:>14} {runs:>6} {natively:>9}", format!("{pass:?}"));
            if changed == 0 || natively == 0 || runs == 0 {
                idle.push(pass);
            }
        }
        assert!(idle.is_empty(), "{idle:?} do nothing");
    });
}
