//! The general schedule: every gradient keeps its values and comes down to the order of its primal.

use std::process::{Command, Stdio};

use serde_json::Value;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A shipped term at these inputs, with these further arguments: what is printed, as JSON.
fn eval(model: &str, inputs: &str, further: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_redexter"));
    command.current_dir(ROOT).stdin(Stdio::null()).args(["eval", model, "--input", inputs]).args(further);
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{model}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("a line of JSON")
}

const GENERAL: &[&str] = &["--apply", "fastGradient", "--use", "strategies/gradient.strat"];

fn close(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(a, b)),
        _ => match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0),
            _ => false,
        },
    }
}

/// A primal, its gradient, how many flops more the gradient may have, and inputs made of one vector.
const GRADIENTS: &[(&str, &str, f64, &str)] = &[
    ("dot.arr:dot", "dot.arr:gradient", 0.0, r#"{"v": V, "w": V}"#),
    ("sum_of_squares.arr:loss", "sum_of_squares.arr:gradient", 0.5, r#"{"v": V}"#),
    ("log_sum_exp.arr:smoothMaximum", "log_sum_exp.arr:gradient", 2.0, r#"{"v": V}"#),
    ("least_squares.arr:loss", "least_squares.arr:gradient", 2.0, r#"{"t": V, "s": V, "x": [1, 2, 3, 4, 5]}"#),
    ("logistic.arr:loss", "logistic.arr:gradient", 2.0, r#"{"x": [V, V, V], "y": [1, 0, 1], "w": V}"#),
    ("kmeans.arr:cost", "kmeans.arr:gradient", 2.0, r#"{"points": [V, V, V, V], "centres": [V, V]}"#),
];

#[test]
fn gradients_cost_as_much_as_their_primals() {
    let vector: Vec<f64> = (0..40).map(|i| f64::from(i % 7) * 0.3 - 0.8).collect();
    let vector = serde_json::to_string(&vector).expect("numbers");
    for (primal, gradient, most, inputs) in GRADIENTS {
        let (primal, gradient) = (format!("models/{primal}"), format!("models/{gradient}"));
        let inputs = inputs.replace('V', &vector);
        let (plain, fast) = (eval(&gradient, &inputs, &[]), eval(&gradient, &inputs, GENERAL));
        assert!(close(&plain, &fast), "{gradient}: {plain}\nbecame {fast}");
        let flops = |counts: Value| counts["flops"].as_f64().expect("a number");
        let before = flops(eval(&primal, &inputs, &["--count"]));
        let after = flops(eval(&gradient, &inputs, &[GENERAL, &["--count"]].concat()));
        assert!(after <= most * before, "{gradient}: {after} flops, {primal}: {before}");
    }
}
