//! GradBench's protocol: whatever is sent is answered, and results are those of straightforward Rust and of differences of it.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// The answers to these lines.
fn answers(lines: &[String]) -> Vec<Value> {
    let cache = tempfile::tempdir().expect("a folder");
    let mut tool = Command::new(env!("CARGO_BIN_EXE_redexter"))
        .arg("gradbench")
        .env("XDG_CACHE_HOME", cache.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let (mut input, sent) = (tool.stdin.take().expect("an input"), lines.join("\n"));
    let writer = std::thread::spawn(move || drop(input.write_all(sent.as_bytes())));
    let output = tool.wait_with_output().expect("it ends");
    writer.join().expect("all is written");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"))).collect()
}

/// The outputs of a module's functions for inputs.
fn outputs(module: &str, asked: &[(&str, &Value)]) -> Vec<Value> {
    let mut lines = vec![
        json!({"id": 0, "kind": "start", "eval": module}).to_string(),
        json!({"id": 1, "kind": "define", "module": module}).to_string(),
    ];
    for (k, (function, input)) in asked.iter().enumerate() {
        let message = json!({"id": k + 2, "kind": "evaluate", "module": module, "function": function, "input": input});
        lines.push(message.to_string());
    }
    let all = answers(&lines);
    assert_eq!(all[0], json!({"id": 0, "tool": "redexter"}));
    assert_eq!(all[1], json!({"id": 1, "success": true}));
    assert_eq!(all.len(), lines.len());
    all[2..].iter().enumerate().map(|(k, answer)| output(answer, k + 2, &asked[k].1["min_runs"])).collect()
}

fn output(answer: &Value, id: usize, runs: &Value) -> Value {
    assert_eq!((&answer["id"], &answer["success"]), (&json!(id), &json!(true)), "{answer}");
    let timings = answer["timings"].as_array().expect("timings");
    assert_eq!(timings.len() as u64, runs.as_u64().unwrap_or(1));
    assert!(timings.iter().all(|t| t["name"] == "evaluate" && t["nanoseconds"].is_u64()), "{answer}");
    answer["output"].clone()
}

/// All numbers of a value, in order.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        number => vec![number.as_f64().expect("a number")],
    }
}

#[track_caller]
fn close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (k, (x, y)) in found.iter().zip(expected).enumerate() {
        assert!((x - y).abs() <= tolerance * (x.abs() + y.abs()).max(1.0), "number {k}: {x} and not {y}");
    }
}

/// Central differences of f by each of x.
fn differences(f: impl Fn(&[f64]) -> f64, x: &[f64]) -> Vec<f64> {
    const STEP: f64 = 1e-5;
    let at = |k: usize, step: f64| {
        let mut moved = x.to_vec();
        moved[k] += step;
        f(&moved)
    };
    (0..x.len()).map(|k| (at(k, STEP) - at(k, -STEP)) / (2.0 * STEP)).collect()
}

/// Numbers between -1 and 1 that look random.
fn some(count: usize, seed: u64) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

fn rows(numbers: &[f64], of: usize) -> Value {
    json!(numbers.chunks(of).collect::<Vec<_>>())
}

fn log_sum_exp(x: &[f64]) -> f64 {
    let most = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    most + x.iter().map(|x| (x - most).exp()).sum::<f64>().ln()
}

#[test]
fn hello() {
    let found = outputs("hello", &[("square", &json!(7.5)), ("double", &json!(7.5))]);
    assert_eq!(found, [json!(56.25), json!(15)]);
}

#[test]
fn least_squares() {
    let n = 9;
    let loss = |x: &[f64]| {
        let squares = (0..n).map(|i| {
            let t = -1.0 + 2.0 * f64::from(i) / f64::from(n - 1);
            let sign = if t == 0.0 { 0.0 } else { t.signum() };
            (sign - x.iter().rev().fold(0.0, |sum, x| sum * t + x)).powi(2)
        });
        0.5 * squares.sum::<f64>()
    };
    let x = some(5, 1);
    let input = json!({"x": x, "n": n, "min_runs": 3, "min_seconds": 0});
    let found = outputs("llsq", &[("primal", &input), ("gradient", &input)]);
    close(&numbers(&found[0]), &[loss(&x)], 1e-12);
    close(&numbers(&found[1]), &differences(loss, &x), 1e-8);
}

#[test]
fn log_sum() {
    let x: Vec<f64> = some(70, 2).iter().map(|x| 30.0 * x).collect();
    let input = json!({"x": x, "min_runs": 1, "min_seconds": 0});
    let found = outputs("lse", &[("primal", &input), ("gradient", &input)]);
    close(&numbers(&found[0]), &[log_sum_exp(&x)], 1e-12);
    close(&numbers(&found[1]), &differences(log_sum_exp, &x), 1e-8);
}

#[test]
fn clusters() {
    let (n, k, d) = (40, 3, 2);
    let (points, centroids) = (some(n * d, 3), some(k * d, 4));
    let square = |p: &[f64], c: &[f64]| p.iter().zip(c).map(|(p, c)| (p - c).powi(2)).sum::<f64>();
    let nearest = |p: &[f64]| {
        let squares: Vec<f64> = centroids.chunks(d).map(|c| square(p, c)).collect();
        (0..k).min_by(|a, b| squares[*a].total_cmp(&squares[*b])).expect("some centroid")
    };
    let cost: f64 = points.chunks(d).map(|p| square(p, &centroids[nearest(p) * d..][..d])).sum();
    // The step leads to the mean of the points that are nearest.
    let mut step = Vec::new();
    for (c, centroid) in centroids.chunks(d).enumerate() {
        let mine: Vec<&[f64]> = points.chunks(d).filter(|p| nearest(p) == c).collect();
        assert!(!mine.is_empty());
        step.extend((0..d).map(|j| centroid[j] - mine.iter().map(|p| p[j]).sum::<f64>() / mine.len() as f64));
    }
    let input = json!({"points": rows(&points, d), "centroids": rows(&centroids, d), "min_runs": 2, "min_seconds": 0});
    let found = outputs("kmeans", &[("cost", &input), ("dir", &input)]);
    close(&numbers(&found[0]), &[cost], 1e-12);
    assert_eq!(found[1].as_array().map(Vec::len), Some(k));
    close(&numbers(&found[1]), &step, 1e-10);
}

/// The objective of a mixture, written as its formula.
fn mixture((n, d, k): (usize, usize, usize), x: &[f64], (m, gamma): (usize, f64), parameters: &[f64]) -> f64 {
    let (alpha, rest) = parameters.split_at(k);
    let (mu, rest) = rest.split_at(k * d);
    let (q, l) = rest.split_at(k * d);
    let factor = |c: usize, i: usize, j: usize| match i.cmp(&j) {
        std::cmp::Ordering::Less => 0.0,
        std::cmp::Ordering::Equal => q[c * d + i].exp(),
        std::cmp::Ordering::Greater => l[c * (d * (d - 1) / 2) + d * j + i - j - 1 - j * (j + 1) / 2],
    };
    let logs = |c: usize| q[c * d..][..d].iter().sum::<f64>();
    let beta = |x: &[f64], c: usize| {
        let rows = (0..d).map(|i| (0..d).map(|j| factor(c, i, j) * (x[j] - mu[c * d + j])).sum::<f64>().powi(2));
        alpha[c] - 0.5 * rows.sum::<f64>() + logs(c)
    };
    let fit: f64 = x.chunks(d).map(|x| log_sum_exp(&(0..k).map(|c| beta(x, c)).collect::<Vec<_>>())).sum();
    let squares: f64 = (0..k)
        .flat_map(|c| (0..d).flat_map(move |i| (0..d).map(move |j| (c, i, j))))
        .map(|(c, i, j)| factor(c, i, j).powi(2))
        .sum();
    let pi = std::f64::consts::PI;
    let (p, dimensions) = ((d + m + 1) as f64, d as f64);
    let gammas: f64 = (1..=d).map(|j| log_gamma(p / 2.0 + 0.5 * (1.0 - j as f64))).sum();
    let log_gamma_d = 0.25 * dimensions * (dimensions - 1.0) * pi.ln() + gammas;
    fit - n as f64 * (0.5 * dimensions * (2.0 * pi).ln() + log_sum_exp(alpha))
        + k as f64 * (p * dimensions * (gamma / 2.0_f64.sqrt()).ln() - log_gamma_d)
        - 0.5 * gamma * gamma * squares
        + m as f64 * (0..k).map(logs).sum::<f64>()
}

/// log Γ of a multiple of a half.
fn log_gamma(x: f64) -> f64 {
    let (mut at, mut log) = if x.fract() == 0.0 { (1.0, 0.0) } else { (0.5, std::f64::consts::PI.sqrt().ln()) };
    while at < x {
        log += f64::ln(at);
        at += 1.0;
    }
    log
}

#[test]
fn mixtures() {
    for (n, d, k, m) in [(12, 3, 2, 0), (9, 1, 3, 2), (5, 4, 1, 1)] {
        let (below, gamma) = (d * (d - 1) / 2, 0.7);
        let (x, parameters) = (some(n * d, 5), some(k + 2 * k * d + k * below, 6));
        let l: Vec<&[f64]> = (0..k).map(|c| &parameters[k + 2 * k * d + c * below..][..below]).collect();
        let input = json!({
            "d": d, "k": k, "n": n, "x": rows(&x, d), "m": m, "gamma": gamma, "alpha": &parameters[..k],
            "mu": rows(&parameters[k..k + k * d], d), "q": rows(&parameters[k + k * d..k + 2 * k * d], d), "l": l,
            "min_runs": 2, "min_seconds": 0,
        });
        let objective = |p: &[f64]| mixture((n, d, k), &x, (m, gamma), p);
        let found = outputs("gmm", &[("objective", &input), ("jacobian", &input)]);
        close(&numbers(&found[0]), &[objective(&parameters)], 1e-10);
        let parts: Vec<f64> = ["alpha", "mu", "q", "l"].iter().flat_map(|key| numbers(&found[1][key])).collect();
        close(&parts, &differences(objective, &parameters), 1e-6);
        assert_eq!(found[1]["l"].as_array().map(Vec::len), Some(k));
    }
}

/// The errors of an observation, by Rodrigues' formula.
fn projected(p: &[f64], feature: &[f64]) -> [f64; 2] {
    let cross =
        |a: &[f64], b: &[f64]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let x = [p[11] - p[3], p[12] - p[4], p[13] - p[5]];
    let angle = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
    let axis = [p[0] / angle, p[1] / angle, p[2] / angle];
    let (turned, along) = (cross(&axis, &x), axis[0] * x[0] + axis[1] * x[1] + axis[2] * x[2]);
    let seen = |i: usize| x[i] * angle.cos() + turned[i] * angle.sin() + axis[i] * along * (1.0 - angle.cos());
    let u = [seen(0) / seen(2), seen(1) / seen(2)];
    let rho = u[0] * u[0] + u[1] * u[1];
    let scale = p[6] * (1.0 + p[9] * rho + p[10] * rho * rho);
    [0, 1].map(|i| p[14] * (scale * u[i] + p[7 + i] - feature[i]))
}

#[test]
fn bundles() {
    let (n, m, p) = (2, 3, 7);
    let (camera, x, feature, w) = (some(11, 7), [0.3, -0.2, 1.5], [0.4, -0.6], 0.8);
    let all = [&camera[..], &x, &[w]].concat();
    let input = json!({"n": n, "m": m, "p": p, "cam": camera, "x": x, "w": w, "feat": feature, "min_runs": 1, "min_seconds": 0});
    let found = outputs("ba", &[("objective", &input), ("jacobian", &input)]);
    close(&numbers(&found[0]["reproj_error"]["elements"]), &projected(&all, &feature), 1e-10);
    close(&numbers(&found[0]["w_err"]["element"]), &[1.0 - w * w], 1e-12);
    assert_eq!((&found[0]["reproj_error"]["repeated"], &found[0]["w_err"]["repeated"]), (&json!(p), &json!(p)));
    let mut values: Vec<f64> =
        [0, 1].iter().flat_map(|row| differences(|all| projected(all, &feature)[*row], &all)).collect();
    values.push(-2.0 * w);
    close(&numbers(&found[1]["vals"]), &values, 1e-6);
    // The first observation has the first camera, the first point, the first weight; the last entry is the last weight's.
    let row = (0..11).chain(11 * n..11 * n + 3).chain([11 * n + 3 * m]);
    let columns: Vec<usize> = row.clone().chain(row).chain([11 * n + 3 * m + p - 1]).collect();
    assert_eq!(found[1]["cols"], json!(columns));
    let begins: Vec<usize> = (0..=3 * p).map(|row| if row <= 2 * p { 15 * row } else { 28 * p + row }).collect();
    let shown: Vec<usize> = (0..30).map(|row| begins[row.min(3 * p)]).chain([31 * p]).collect();
    assert_eq!(found[1]["rows"], json!(shown));
}

/// The errors with which lines are answered; an empty one where there is none.
fn errors(lines: &[&str]) -> Vec<String> {
    let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    let all = answers(&lines);
    assert_eq!(all.len(), lines.len());
    all.iter().map(|answer| answer["error"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn whatever_is_sent_is_answered() {
    let unknown = answers(&[
        json!({"id": 5, "kind": "analysis", "of": 2, "valid": true}).to_string(),
        json!({"id": "six", "kind": "no such kind"}).to_string(),
        json!({"id": 7, "kind": "define", "module": "ht"}).to_string(),
        json!({"id": 8, "kind": "evaluate", "module": "llsq", "function": "hessian", "input": {}}).to_string(),
    ]);
    let missing = |id: u64| json!({"id": id, "success": false, "error": "not implemented"});
    assert_eq!(unknown, [json!({"id": 5}), json!({"id": "six"}), missing(7), missing(8)]);
    let deep = "[".repeat(100_000);
    let found =
        errors(&["{", "nonsense", &deep, "[1, 2", "\"a\\", "{\"id\": 1, \"kind\": 7}", "\u{1}", "{\"id\": 1} 2"]);
    assert_eq!(found[2], "this is nested more than 64 deep at byte 65");
    assert!(found.iter().enumerate().all(|(k, error)| (k == 5) == error.is_empty()), "{found:?}");
}

#[test]
fn wrong_inputs_are_refused() {
    let asked = |module: &str, function: &str, input: Value| {
        json!({"id": 1, "kind": "evaluate", "module": module, "function": function, "input": input}).to_string()
    };
    let (huge, two) = (9_007_199_254_740_991_u64, json!([[1, 2], [3]]));
    let observed = |n: u64, p: u64| json!({"n": n, "m": 1, "p": p, "cam": some(11, 7), "x": [1, 2, 3], "w": 1, "feat": [1, 2], "min_runs": 1, "min_seconds": 0});
    let lines = [
        asked("llsq", "gradient", json!({"x": [1, 2], "n": huge})),
        asked("llsq", "gradient", json!({"x": [1, 2], "n": 1})),
        asked("llsq", "gradient", json!({"x": [1, 2], "n": -1})),
        asked("llsq", "gradient", json!({"x": [1, "a"], "n": 5})),
        asked("llsq", "gradient", json!({"n": 5})),
        asked("lse", "primal", json!({"x": []})),
        asked("lse", "primal", json!({"x": [1], "min_runs": 1e9})),
        asked("lse", "primal", json!({"x": [1], "min_seconds": -1})),
        asked("kmeans", "cost", json!({"points": two, "centroids": [[1, 2]]})),
        asked("kmeans", "cost", json!({"points": [[1, 2]], "centroids": [[1]]})),
        asked("kmeans", "cost", json!({"points": [[1, 2]], "centroids": []})),
        asked("ba", "jacobian", observed(1, huge)),
        asked("ba", "jacobian", observed(0, 3)),
        asked("hello", "square", json!([1])),
    ];
    let found = errors(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(found.iter().all(|error| !error.is_empty()), "{found:?}");
    assert!(found[0].contains("134217728"), "{}", found[0]);
    assert_eq!(found[5], "size `n` is 0");
    assert_eq!(found[11], format!("`w` would have {huge} numbers (72057594037 MB), but there may be 134217728"));
    assert_eq!(found[12], "where p = 3, n can't be 0");
}

/// A million numbers are read and answered.
#[test]
fn long_messages_are_read() {
    let n = 1_280_000;
    let input = json!({"x": vec![1.5; n], "min_runs": 1, "min_seconds": 0});
    let found = outputs("lse", &[("primal", &input), ("gradient", &input)]);
    close(&numbers(&found[0]), &[1.5 + (n as f64).ln()], 1e-9);
    close(&numbers(&found[1]), &vec![1.0 / n as f64; n], 1e-9);
}
