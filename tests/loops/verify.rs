//! Every nest that programs become is verified: those that ship, their scheduled gradients, grown ones; in each form.

use crate::support::{bits, generate, mixed, shipped};
use std::panic::{AssertUnwindSafe, catch_unwind};

use bits::{deep, scheduled_programs, shipped_programs};
use generate::grown;
use mixed::Mixed;
use redexter::blocks::Blocks;
use redexter::eval::{NumberSource, Sizes, Value, evaluate, few_inputs, open_sizes};
use redexter::ground::{Budget, Name, Random};
use redexter::nest::{Freedom, NestForm, NestStyle, nest, verify, verify_text};
use redexter::term::Program;
use redexter_reference::cases;
use shipped::Workbench;

/// The styles of compiled code and of blocks.
fn forms() -> Vec<NestForm> {
    let blocks = NestStyle { freedom: Freedom::Exact, lanes: 256, long: 256, short: 128, without: None };
    let compiled = [Freedom::Exact, Freedom::Fast].map(NestStyle::compiled);
    [NestForm::AsWritten].into_iter().chain(compiled.into_iter().chain([blocks]).map(NestForm::Fused)).collect()
}

/// How many nests there were, and what couldn't be shown of which.
fn verified(programs: impl IntoIterator<Item = (String, Program)>) -> (usize, Vec<String>) {
    let (mut count, mut wrong) = (0, Vec::new());
    for (name, program) in programs {
        for form in forms() {
            let found = catch_unwind(AssertUnwindSafe(|| nest(&program, &form).map(|nest| verify(&nest))));
            match found {
                Ok(Ok(Ok(()))) => count += 1,
                Ok(Ok(Err(why))) => wrong.push(format!("{name}: {why}")),
                Ok(Err(_)) => {}
                Err(panic) => {
                    let text = panic.downcast_ref::<String>().map_or("", String::as_str);
                    wrong.push(format!("{name} {form:?}: {text}"));
                }
            }
        }
    }
    (count, wrong)
}

fn assert_verified(least: usize, programs: fn() -> Vec<(String, Program)>) {
    let (count, wrong) = deep(move || verified(programs()));
    println!("{count} nests");
    wrong.iter().for_each(|wrong| println!("WRONG {wrong}\n"));
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), count + wrong.len(), wrong[0]);
    assert!(count >= least, "{count} nests");
}

#[test]
fn nests_of_shipped_models_are_verified() {
    assert_verified(200, shipped_programs);
}

#[test]
fn nests_of_scheduled_gradients_are_verified() {
    assert_verified(50, scheduled_programs);
}

#[test]
fn nests_of_grown_programs_are_verified() {
    assert_verified(1_000, || grown(500).collect());
}

#[test]
fn nests_of_mixed_sizes_are_verified() {
    assert_verified(cases(700, 1_000) as usize, || {
        let workbench = Workbench::new();
        let read = |seed: u64| workbench.read("mixed.arr", &Mixed::new(seed, seed.is_multiple_of(2)).model()).remove(0);
        (0..cases(200, 3_000)).map(|seed| (format!("seed {seed}"), read(seed).1)).collect()
    });
}

/// What a condition guards is computed behind it by everyone who needs it: what moves out of a loop, and what only one side of a
/// choice between arrays asks for.
#[test]
fn what_reads_a_guarded_table_stands_behind_its_guard() {
    let text = "def moved {n m} (v : array n real) (t : array (n * m) real) (c : int) : array n real :=
  build n (fun j => ifold (n * m) (fun s i =>
    s + (if k : fin (n * m) := c then 0 else (let x := v[i / m]; x * 0) + (if j = i / m then 1 else 0) * 0)) 0)
def chosen {n m} (v : array n real) (w : array m real) (c : int) : array n real :=
  if c < 3 then
    (let x := build m (fun i => exp w[i]); build n (fun j => ifold m (fun s i => s + x[i] * v[j]) 0))
  else v
def named {n m} (v : array n real) (w : array m real) (c : int) : real :=
  let y := (if c < 3 then
      (let x := build m (fun i => exp w[i]); build n (fun j => ifold m (fun s i => s + x[i] * v[j]) 0))
    else v);
  ifold n (fun s i => s + y[i]) 0
def twice {n m} (v : array n real) (w : array m real) (c d : int) : array n real :=
  let y := (if c < 3 then
      (if d < c then
        (let x := build m (fun i => exp w[i]); build n (fun j => ifold m (fun s i => s + x[i] * v[j]) 0))
      else build n (fun j => exp v[j]))
    else v);
  build n (fun i => y[i] * 2)
def rows {n m} (v : array n (array m real)) (c : int) : array n (array m real) :=
  build n (fun i => if c < 3 then
      (let x := build m (fun j => exp v[i, j]); build m (fun j => ifold m (fun s k => s + x[k] * v[i, j]) 0))
    else v[i])
";
    let (count, wrong) = deep(|| verified(Workbench::new().read("guarded.arr", text)));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(count, 5 * forms().len());
    deep(|| {
        for (name, program) in Workbench::new().read("guarded.arr", text) {
            let blocks = Blocks::new(&program).unwrap_or_else(|| panic!("{name} runs in blocks"));
            for (seed, [n, m]) in (0..).zip([[0, 0], [1, 0], [0, 2], [3, 2], [40, 35]]) {
                let size = |name: &Name| (name.clone(), if name.as_str() == "n" { n } else { m });
                let sizes: Sizes = open_sizes(&program.term).iter().map(size).collect();
                let (random, limit) = (&mut Random::new(seed), (10_000, &Budget::default()));
                let inputs = few_inputs(&program, &sizes, NumberSource::PLAIN, random, limit).expect("inputs");
                let mut inputs = inputs.expect("few numbers");
                for c in [0, 5] {
                    inputs
                        .iter_mut()
                        .filter(|input| matches!(input, Value::Int(_)))
                        .for_each(|own| *own = Value::Int(c));
                    let (value, _) = evaluate(&program, &inputs, &sizes, &Budget::default()).expect("a value");
                    let found = blocks.run(&inputs, &sizes, &Budget::default()).expect("within the limits");
                    assert!(found.is_none_or(|found| found.same(&value)), "{name} at {n}, {m}, {c}");
                }
            }
        }
    });
}

/// The index of a guard is in a range of its own, whatever it is computed by.
#[test]
fn the_index_of_a_guard_is_in_range() {
    let text = "def column {n m} (t : array (n * m) real) : array m real :=
  build m (fun j => if i : fin n := m - 1 - j then t[i * m + j] else 0)
def started {n m} (w : array (n + m) real) : real :=
  if k : fin m := (2 / 3) * ((n - 1) + (n - 1)) then fst (scan m (fun s i => (sin s, s)) w[n + k]) else 1
";
    let (count, wrong) = deep(move || verified(Workbench::new().read("m.arr", text)));
    assert!(wrong.is_empty() && count == 8, "{count}: {wrong:?}");
}

#[test]
fn what_is_shown_of_each_access_is_told() {
    let text = deep(|| {
        let model = "def f {n m} (x : array n (array m real)) (a : array n (fin (m + 1))) (v : array (m + 1) real) : array n real :=
  build n (fun i => ifold m (fun s j => s + x[i][j]) v[a[i]])
";
        let (_, program) = Workbench::new().read("m.arr", model).remove(0);
        verify_text(&nest(&program, &NestForm::AsWritten).expect("a nest"))
    });
    for line in [": 0 to n - 1 of n, 0 to m - 1 of m", "]: 0 to m of m + 1", "write out."] {
        assert!(text.contains(line), "{line} isn't in\n{text}");
    }
    assert!(!text.contains("not shown"), "{text}");
}
