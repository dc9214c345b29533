//! Exported JAX gives what the evaluator gives: every model that ships, as it is and after its schedule, at sizes that differ and
//! at 0 and 1, in float64 and float32, compiled and not; and `jax.grad` of an exported function gives the derivative.
//!
//! One process of Python runs all cases, since importing JAX takes seconds. `REDEXTER_PYTHON` names a Python that has it.

mod text;

use std::path::Path;
use std::process::{Command, Stdio};
use std::rc::Rc;

use redexter::cost::cheaper_total;
use redexter::eval::{NumberSource, Sizes, Value, evaluate, few_inputs, open_sizes};
use redexter::export::{JaxEntry, JaxOptions, jax};
use redexter::ground::{Budget, Limits, Name, Random};
use redexter::strategy::{Outcome, run};
use redexter::term::{Program, SizeAtom, Type, TypeView};
use redexter_reference::cases;
use serde_json::json;

use crate::support::{bits, shipped};

/// Sizes for the variables in turn.
const SIZES: [&[u64]; 4] = [&[3, 5, 2, 4], &[1, 3, 1, 2], &[1], &[0, 2, 3]];

/// A Python that has JAX; a test that needs it says why it was skipped.
pub fn python() -> Option<String> {
    let python = std::env::var("REDEXTER_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has = Command::new(&python).args(["-c", "import jax"]).stderr(Stdio::null()).status();
    if has.is_ok_and(|status| status.success()) {
        return Some(python);
    }
    println!("skipped: {python} has no JAX (REDEXTER_PYTHON names a Python that has it)");
    None
}

/// What a script of this folder prints about cases.
pub fn ran(python: &str, script: &str, cases: &serde_json::Value, flags: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("cases.json");
    std::fs::write(&file, cases.to_string()).expect("a file");
    let script = format!("{}/tests/loops/jax/{script}", env!("CARGO_MANIFEST_DIR"));
    let done = Command::new(python).arg(script).arg(&file).env("XLA_FLAGS", flags).output().expect("Python");
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    said
}

/// A module with this program as its only function.
pub fn module(name: &str, program: &Program) -> Option<String> {
    let (what, program) = (name.to_owned(), program.clone());
    let entry = JaxEntry { name: Name::new("f"), what, program, derivative: None };
    jax(&[entry], &JaxOptions::default()).ok()
}

/// Data as Python takes it: numbers and arrays with their shapes, in tuples; an array of pairs is a pair of arrays.
fn data(value: &Value, ty: &Type, sizes: &Sizes) -> serde_json::Value {
    fn leaves(values: &[Value], ty: &Type, sizes: &Sizes, shape: &[u64]) -> serde_json::Value {
        match ty.view() {
            TypeView::Pair(a, b) => {
                let half = |first: bool| -> Vec<Value> {
                    let of = |value: &Value| match value {
                        Value::Pair(p) if first => p.0.clone(),
                        Value::Pair(p) => p.1.clone(),
                        other => panic!("no pair: {other:?}"),
                    };
                    values.iter().map(of).collect()
                };
                let mut all = vec![leaves(&half(true), a, sizes, shape)];
                match leaves(&half(false), b, sizes, shape) {
                    serde_json::Value::Array(more) => all.extend(more),
                    one => all.push(one),
                }
                serde_json::Value::Array(all)
            }
            TypeView::Array(n, element) => {
                let of = |value: &Value| match value {
                    Value::Array(all) => all.items().map(|item| item.into_owned()).collect::<Vec<Value>>(),
                    other => panic!("no array: {other:?}"),
                };
                let rows: Vec<Vec<Value>> = values.iter().map(of).collect();
                let length = n.value(|atom| match atom {
                    SizeAtom::Var(name) => sizes.iter().find(|(own, _)| *own == name).map_or(0, |(_, n)| n),
                    SizeAtom::Unknown(_) => 0,
                });
                leaves(&rows.concat(), element, sizes, &[shape, &[length]].concat())
            }
            ty => {
                let number = |value: &Value| match value {
                    Value::Real(x) => format!("{x:?}"),
                    Value::Int(k) => k.to_string(),
                    Value::Index(k) => k.to_string(),
                    other => panic!("no number: {other:?}"),
                };
                let text = values.iter().map(number).collect::<Vec<String>>().join(" ");
                json!({ "shape": shape, "real": *ty == TypeView::Real, "data": text })
            }
        }
    }
    leaves(std::slice::from_ref(value), ty, sizes, &[])
}

/// The arguments of a program at some sizes, and what the evaluator gives.
pub fn case(program: &Program, all: &[u64], most: u64) -> Option<serde_json::Value> {
    let open = open_sizes(&program.term);
    let sizes: Sizes = open
        .iter()
        .zip(all.iter().cycle())
        .map(|(name, n)| (name.clone(), (*n).max(program.bounds.lower(name))))
        .collect();
    let short = Budget::default().asked_at_most(bits::LONG, Rc::default());
    let inputs = few_inputs(program, &sizes, NumberSource::PLAIN, &mut Random::new(7), (most, &short)).ok()??;
    let (expected, _) = evaluate(program, &inputs, &sizes, &short).ok()?;
    let (parameters, body) = program.term.applied();
    let given = redexter::export::jax::sizes_taken(program);
    let given: Vec<u64> =
        given.iter().map(|name| sizes.iter().find(|(own, _)| *own == name).map_or(0, |(_, n)| n)).collect();
    let arguments: Vec<serde_json::Value> =
        inputs.iter().zip(&parameters).map(|(value, (_, ty))| data(value, ty, &sizes)).collect();
    Some(json!({ "sizes": given, "arguments": arguments, "expected": data(&expected, body.ty(), &sizes) }))
}

/// The primals of derivatives, as `strategies/evidence.strat` lists them.
fn primals() -> Vec<(String, String)> {
    let text = shipped::text(std::path::Path::new("strategies/evidence.strat"));
    let word = |line: &str, key: &str| {
        let from = line.find(&format!("{key}: \""))? + key.len() + 3;
        Some(line[from..].split('"').next()?.to_owned())
    };
    let of = |line: &str| {
        let (file, primal, derivative) = (word(line, "file")?, word(line, "primal")?, word(line, "derivative")?);
        let is_first = derivative.starts_with("gradient") && !derivative.contains("Second");
        is_first.then(|| (format!("models/{file}.arr:{derivative}"), format!("models/{file}.arr:{primal}")))
    };
    text.lines().filter_map(of).collect()
}

/// Programs after the general schedule, where that ends within so many steps.
fn scheduled(programs: Vec<(String, Program)>, max_steps: u64) -> Vec<(String, Program)> {
    let strategies = shipped::Workbench::new().strategies(Path::new("strategies/gradient.strat"));
    let (_, strategy) = strategies.into_iter().find(|(name, _)| name.ends_with(" fastGradient")).expect("it ships");
    let budget = || Budget::new(Limits { max_steps, ..Limits::default() }, None);
    let reached = programs.into_iter().filter_map(|(name, program)| {
        let Outcome::Success(term) = run(&strategy, &program, &budget(), cheaper_total).ok()?.outcome else {
            return None;
        };
        Some((format!("{name} scheduled"), program.with(term)))
    });
    reached.collect()
}

/// The models that ship, and those whose derivatives are measured.
fn programs() -> Vec<(String, Program)> {
    let workbench = shipped::Workbench::new();
    let measured = shipped::files("tests/measured", "arr");
    bits::shipped_programs().into_iter().chain(measured.iter().flat_map(|path| workbench.programs(path))).collect()
}

#[test]
fn values_are_those_of_the_evaluator() {
    let Some(python) = python() else { return };
    let said = bits::deep(move || {
        let (step, primals, plain) = (cases(14, 1) as usize, primals(), programs());
        let loss_of = |name: &str| {
            let is_loss = |program: &Program| *program.term.applied().1.ty().view() == TypeView::Real;
            let (_, primal) = primals.iter().find(|(own, _)| *own == name.trim_end_matches(" scheduled"))?;
            let (name, program) = plain.iter().find(|(own, program)| own == primal && is_loss(program))?;
            module(name, program)
        };
        let gradients = plain.iter().filter(|(name, _)| name.contains("radient")).cloned().step_by(step).collect();
        let sources = plain.iter().skip(1).step_by(step).cloned().chain(scheduled(gradients, 3_000));
        // A product that the sum beside it reads on the way.
        let read = "def f {n} (v : array n real) : real := let (a, b) := ifold n (fun (p, s) i =>
            let x := p * v[i]; (x, s + x)) (1, 0); a + b";
        let sources = sources.chain(shipped::Workbench::new().read("read.arr", read));
        let mut all = Vec::new();
        for (k, (name, program)) in sources.enumerate() {
            let Some(text) = module(&name, &program) else { continue };
            let sizes = if step == 1 { &SIZES[..] } else { &SIZES[k % 3..][..2] };
            let runs: Vec<serde_json::Value> =
                sizes.iter().filter_map(|sizes| case(&program, sizes, 100_000)).collect();
            all.push(json!({ "name": name, "module": text, "runs": runs, "primal": loss_of(&name) }));
        }
        ran(&python, "compare.py", &json!(all), "")
    });
    print!("{said}");
    assert!(said.contains(" 0 differ"), "{said}");
}

#[test]
fn eight_devices_give_what_one_gives_by_one_sum_for_each() {
    let Some(python) = python() else { return };
    let all = bits::deep(|| {
        let module = |model: &str, over: &[&str]| {
            let options =
                JaxOptions { artifact: false, shard: over.iter().map(|name| Name::new(name)).collect(), main: false };
            jax(&[text::entry(model, "gradient", true)], &options).expect("a module")
        };
        let mixture = json!([["n", "d"], 2, 1.5, ["k"], ["k", "d"], ["k", "d"], ["k", "d", "d"]]);
        let (one, two, sizes) = (json!({"n": 8}), json!({"n": 4, "k": 2}), json!({"m": 20, "k": 10, "d": 5}));
        json!([
            { "name": "logistic", "module": module("logistic", &["n"]), "mesh": one, "sizes": sizes,
                "shapes": [["n", "m"], ["n"], ["m"]] },
            { "name": "mixture", "module": module("mixture", &["n"]), "mesh": one, "sizes": sizes, "shapes": mixture },
            { "name": "k-means", "module": module("kmeans", &["n"]), "mesh": one, "sizes": sizes,
                "shapes": [["n", "d"], ["k", "d"]] },
            { "name": "log-sum-exp", "module": module("log_sum_exp", &["n"]), "mesh": one, "sizes": sizes, "shapes": [["n"]] },
            { "name": "two axes", "module": module("mixture", &["n", "k"]), "mesh": two, "sizes": sizes,
                "shapes": mixture },
        ])
    });
    let said = ran(&python, "devices.py", &all, "--xla_force_host_platform_device_count=8");
    assert!(said.contains("all agree"), "{said}");
}

#[test]
fn a_module_runs_as_a_program() {
    let Some(python) = python() else { return };
    let all = bits::deep(|| {
        let options = |over: &[&str]| JaxOptions {
            artifact: false,
            shard: over.iter().map(|name| Name::new(name)).collect(),
            main: true,
        };
        let module = |entries: &[JaxEntry], over: &[&str]| jax(entries, &options(over)).expect("a module");
        let pair = "def weighted {n} (p : array n real * real) (n2 : real) : array n real * real :=
            (build n (fun i => (fst p)[i] * snd p), n2)";
        let (_, program) = shipped::Workbench::new().read("pair.arr", pair).remove(0);
        let pair = JaxEntry { name: Name::new("weighted"), what: "pairs".to_owned(), program, derivative: None };
        json!([
            { "name": "logistic", "function": "gradient", "module": module(&text::loss("logistic", "loss", None), &["n"]),
                "shapes": { "x": [1_001, 5], "y": [1_001], "w": [5] }, "arguments": "(x, y, w)" },
            { "name": "pairs", "function": "weighted", "module": module(&[pair], &[]),
                "shapes": { "p_1": [7], "p_2": [], "n2": [] }, "arguments": "((p_1, p_2), n2)" },
        ])
    });
    let said = ran(&python, "programs.py", &all, "--xla_force_host_platform_device_count=4");
    assert!(said.contains("all agree"), "{said}");
}

/// Two processes on this machine stand for two hosts.
#[test]
fn two_processes_give_what_one_gives() {
    let Some(python) = python() else { return };
    let all = bits::deep(|| {
        let module = |model: &str| {
            let options = JaxOptions { artifact: false, shard: vec![Name::new("n")], main: false };
            jax(&[text::entry(model, "gradient", true)], &options).expect("a module")
        };
        json!([
            { "name": "logistic", "module": module("logistic"), "shapes": [[1_001, 5], [1_001], [5]] },
            { "name": "k-means", "module": module("kmeans"), "shapes": [[1_001, 5], [10, 5]] },
        ])
    });
    let said = ran(&python, "processes.py", &all, "--xla_force_host_platform_device_count=4");
    assert!(said.contains("all agree"), "{said}");
}

#[test]
fn files_and_derivatives_are_those_of_jax() {
    let Some(python) = python() else { return };
    let cases = bits::deep(|| {
        let options = JaxOptions { artifact: true, shard: Vec::new(), main: false };
        // At 0 a root has no slope, a logarithm no value, and at the ends there is no neighbour to divide by.
        let guarded = "def f {n} (v : array n real) : real := ifold n (fun sum i =>
            sum + (if v[i] > 0 then sqrt v[i] + log v[i] else 0)) 0
            + ifold n (fun sum i => let x := v[i + 2 else 0]; sum + (if x > 0.5 then v[i] / x else 0)) 0";
        let (name, program) = shipped::Workbench::new().read("guarded.arr", guarded).remove(0);
        let module_of_loss = jax(&text::loss("logistic", "loss", None), &options).expect("a module");
        json!({ "module": module_of_loss, "guarded": module(&name, &program) })
    });
    let said = ran(&python, "files.py", &cases, "");
    print!("{said}");
    assert!(said.contains("all agree"), "{said}");
}

/// The loop of the documentation, on as many devices as it says.
#[test]
fn the_documented_training_loop_trains() {
    let Some(python) = python() else { return };
    let has = Command::new(&python).args(["-c", "import optax"]).stderr(Stdio::null()).status();
    if !has.is_ok_and(|status| status.success()) {
        println!("skipped: {python} has no optax");
        return;
    }
    let module = bits::deep(|| {
        let options = JaxOptions { artifact: false, shard: vec![Name::new("n")], main: false };
        jax(&text::loss("logistic", "loss", None), &options).expect("a module")
    });
    let page = shipped::text(Path::new("docs/jax.md"));
    let code = page.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a loop");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("logistic.py"), module).expect("a file");
    let done = Command::new(&python)
        .args(["-c", code])
        .current_dir(folder.path())
        .env("XLA_FLAGS", "--xla_force_host_platform_device_count=8")
        .output()
        .expect("Python");
    let said = String::from_utf8_lossy(&done.stdout);
    let losses: Vec<f64> = said.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert!(losses.len() == 2 && losses[1] < 0.5 * losses[0], "{said}{}", String::from_utf8_lossy(&done.stderr));
}
