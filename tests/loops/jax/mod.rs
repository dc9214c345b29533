//! Exported JAX gives what the evaluator gives: every model that ships, as it is and after its schedule, at sizes that differ and
//! at 0 and 1, in float64 and float32, compiled and not; and `jax.grad` of an exported function gives the derivative.
//!
//! One process of Python runs all cases, since importing JAX takes seconds. `REDEXTER_PYTHON` names a Python that has it.

mod text;

use std::process::{Command, Stdio};
use std::rc::Rc;

use redexter::eval::{NumberSource, Sizes, Value, evaluate, few_inputs, open_sizes};
use redexter::export::{JaxEntry, JaxOptions, jax};
use redexter::ground::{Budget, Name, Random};
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
    let given = redexter::export::futhark::sizes_given(program);
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

#[test]
fn values_are_those_of_the_evaluator() {
    let Some(python) = python() else { return };
    let failed = bits::deep(move || {
        let mut plain = bits::shipped_programs();
        let scheduled = bits::scheduled_programs();
        let primals = primals();
        let step = cases(8, 1) as usize;
        let text_of = |name: &str, all: &[(String, Program)]| {
            let is_loss = |program: &Program| *program.term.applied().1.ty().view() == TypeView::Real;
            let found = all.iter().find(|(own, program)| own == name && is_loss(program));
            found.and_then(|(name, program)| module(name, program))
        };
        let mut all = Vec::new();
        let sources: Vec<(String, Program)> = plain.iter().cloned().chain(scheduled).collect();
        for (k, (name, program)) in sources.iter().enumerate().filter(|(k, _)| k % step == 0) {
            let Some(text) = module(name, program) else { continue };
            let sizes = if step == 1 { &SIZES[..] } else { &SIZES[k / step % 2..][..2] };
            let runs: Vec<serde_json::Value> = sizes.iter().filter_map(|sizes| case(program, sizes, 100_000)).collect();
            let primal = primals.iter().find(|(own, _)| name.strip_suffix(" scheduled") == Some(own));
            let primal = primal.and_then(|(_, primal)| text_of(primal, &plain));
            all.push(json!({ "name": name, "module": text, "runs": runs, "primal": primal }));
        }
        plain.clear();
        ran(&python, "compare.py", &json!(all), "")
    });
    print!("{failed}");
    assert!(failed.contains(" 0 differ"), "{failed}");
}
