//! Closed forms, written down by hand: the gradient of the mixture model's log posterior, and both derivatives of the
//! cost of k-means.

use libtest_mimic::Failed;
use redexter::eval::Value;
use redexter::term::Program;

use crate::gradients::bench::{self, Bench};
use crate::gradients::close;

/// How far a derivative may be from its closed form.
const TOLERANCE: f64 = 1e-9;

type Vector = Vec<f64>;
type Matrix = Vec<Vec<f64>>;

fn matrix(value: &Value) -> Matrix {
    items(value).iter().map(bench::reals).collect()
}

fn items(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(array) => array.values(),
        _ => panic!("not an array"),
    }
}

/// At each of the sizes: the plain derivative and the scheduled one against the closed form.
fn check(file: &str, primal: &str, derivative: &str, form: fn(&[Value]) -> Vector) -> Result<(), Failed> {
    let bench = Bench::new();
    let f: Program = bench.program(file, primal);
    let plain = bench.program(file, derivative);
    let fast = bench.scheduled(&plain)?;
    let mut compared = 0;
    for (sizes, inputs) in bench::samples(file, &f) {
        let wanted = form(&inputs);
        for program in [&plain, &fast] {
            let found = bench::reals(&bench::run(program, &inputs, &sizes));
            close(&found, &wanted, TOLERANCE, "the closed form is", &inputs)?;
            compared += found.len();
        }
    }
    if compared > 20 { Ok(()) } else { Err("nothing was compared".into()) }
}

pub fn kmeans() -> Result<(), Failed> {
    check("kmeans", "cost", "gradient", |inputs| by_centre(inputs, |gap| -2.0 * gap))?;
    check("kmeans", "cost", "gradientSecond", |inputs| by_centre(inputs, |_| 2.0))
}

/// A sum over the points that are nearest to each centre, of what `part` makes of their gap to it.
fn by_centre(inputs: &[Value], part: fn(f64) -> f64) -> Vector {
    let (points, centres) = (matrix(&inputs[0]), matrix(&inputs[1]));
    let mut sums: Matrix = centres.iter().map(|centre| vec![0.0; centre.len()]).collect();
    for point in &points {
        let distance = |centre: &Vector| -> f64 { centre.iter().zip(point).map(|(c, p)| (p - c) * (p - c)).sum() };
        let nearest = (0..centres.len()).min_by(|i, j| distance(&centres[*i]).total_cmp(&distance(&centres[*j])));
        let nearest = nearest.expect("a centre");
        for (c, sum) in sums[nearest].iter_mut().enumerate() {
            *sum += part(point[c] - centres[nearest][c]);
        }
    }
    sums.concat()
}

pub fn mixture() -> Result<(), Failed> {
    check("mixture", "objective", "gradient", posterior)
}

fn softmax(scores: &[f64]) -> Vector {
    let greatest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let exps: Vector = scores.iter().map(|x| (x - greatest).exp()).collect();
    let sum: f64 = exps.iter().sum();
    exps.iter().map(|x| x / sum).collect()
}

/// By alpha, mu, q and l: with z = Q (x - mu) and S the softmax of the components' scores,
/// Σ S - N softmax(alpha); Σ S Qᵀz; Σ S (1 - z exp(q) (x - mu)) - γ² exp(q)² + m; -Σ S z (x - mu)ᵀ - γ² l.
fn posterior(inputs: &[Value]) -> Vector {
    let (points, alpha, mu, logs) =
        (matrix(&inputs[0]), bench::reals(&inputs[3]), matrix(&inputs[4]), matrix(&inputs[5]));
    let below: Vec<Matrix> = items(&inputs[6]).iter().map(matrix).collect();
    let (Value::Int(m), Value::Real(gamma)) = (&inputs[1], &inputs[2]) else { panic!("other parameters") };
    let (m, gamma) = (*m as f64, *gamma);
    let (k, d) = (alpha.len(), logs[0].len());
    let factor = |c: usize, i: usize, j: usize| match i.cmp(&j) {
        std::cmp::Ordering::Greater => below[c][i][j],
        std::cmp::Ordering::Equal => logs[c][i].exp(),
        std::cmp::Ordering::Less => 0.0,
    };
    let weights = softmax(&alpha);
    let mut by_alpha: Vector = weights.iter().map(|w| -(points.len() as f64) * w).collect();
    let mut by_mu = vec![vec![0.0; d]; k];
    let mut by_q: Matrix = logs.iter().map(|row| row.iter().map(|q| m - (gamma * q.exp()).powi(2)).collect()).collect();
    let prior = |c: usize, i: usize, j: usize| if j < i { -gamma * gamma * below[c][i][j] } else { 0.0 };
    let mut by_l: Vec<Vec<Vector>> =
        (0..k).map(|c| (0..d).map(|i| (0..d).map(|j| prior(c, i, j)).collect()).collect()).collect();
    for x in &points {
        let gaps: Matrix = mu.iter().map(|mean| x.iter().zip(mean).map(|(x, m)| x - m).collect()).collect();
        let turned = |c: usize| (0..d).map(|i| (0..d).map(|j| factor(c, i, j) * gaps[c][j]).sum()).collect::<Vector>();
        let z: Matrix = (0..k).map(turned).collect();
        let score = |c: usize| alpha[c] - 0.5 * z[c].iter().map(|z| z * z).sum::<f64>() + logs[c].iter().sum::<f64>();
        let shares = softmax(&(0..k).map(score).collect::<Vector>());
        for (c, share) in shares.iter().enumerate() {
            by_alpha[c] += share;
            for i in 0..d {
                by_mu[c][i] += share * (0..d).map(|a| z[c][a] * factor(c, a, i)).sum::<f64>();
                by_q[c][i] += share * (1.0 - z[c][i] * logs[c][i].exp() * gaps[c][i]);
                for j in 0..i {
                    by_l[c][i][j] -= share * z[c][i] * gaps[c][j];
                }
            }
        }
    }
    [by_alpha, by_mu.concat(), by_q.concat(), by_l.concat().concat()].concat()
}
