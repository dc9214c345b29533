//! Every derivative that ships, plain and scheduled, is the derivative of its primal: by the dual numbers of an
//! independent library, by finite differences, and where there is one by a closed form; at sizes 0 and 1, too. What is
//! scheduled is also exported: the golden files are in `tests/golden/futhark/models` (`UPDATE_GOLDEN=1` writes them).

mod bench;
mod closed;
mod exported;
mod types;
mod witness;

use crate::support::{agree, futhark};
use std::collections::BTreeSet;

use bench::Bench;
use libtest_mimic::{Failed, Trial};
use redexter::eval::Value;
use redexter::ground::with_stack;

/// How derivatives are checked.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// By these parameters, the index of the parameter first; of several, in pairs.
    First,
    /// Twice by each single number.
    Second,
    /// The first over the second.
    Step,
}

use Kind::{First, Second, Step};

/// A derivative: its file, its primal, its name, and by which parameters it is taken.
type Row = (&'static str, &'static str, &'static str, &'static [&'static str], Kind);

const DERIVATIVES: &[Row] = &[
    ("autoencoder", "loss", "gradient", &["u", "b", "v", "c"], First),
    ("bundle_adjustment", "error", "jacobianBlock", &["p"], First),
    ("bundle_adjustment", "weightError", "gradientWeight", &["w"], First),
    ("cholesky", "logDet", "gradient", &["a"], First),
    ("convolution", "loss", "gradient", &["taps", "w"], First),
    ("cox", "loss", "gradient", &["w"], First),
    ("dot", "dot", "gradient", &["v"], First),
    ("dot", "dot", "gradientSecond", &["w"], First),
    ("elastic_net", "loss", "gradient", &["w"], First),
    ("embedding", "loss", "gradient", &["e", "w"], First),
    ("gaussian_process", "alignment", "gradient", &["lengths", "noise"], First),
    ("heat", "loss", "gradient", &["start", "conductivity"], First),
    ("hidden_markov", "loss", "gradientMoves", &["moves"], First),
    ("hidden_markov", "loss", "gradientShows", &["shows"], First),
    ("hidden_markov", "loss", "gradient", &["start", "moves", "shows"], First),
    ("huber", "loss", "gradient", &["w"], First),
    ("kalman", "loss", "gradient", &["q", "r"], First),
    ("kmeans", "cost", "gradient", &["centres"], First),
    ("kmeans", "cost", "gradientSecond", &["centres"], Second),
    ("kmeans", "cost", "dir", &["centres"], Step),
    ("layer_norm", "loss", "gradient", &["x", "g", "b"], First),
    ("least_squares", "loss", "gradient", &["x"], First),
    ("least_squares", "signLoss", "gradientSign", &["x"], First),
    ("lennard_jones", "energy", "gradient", &["x"], First),
    ("linear_regression", "loss", "gradientWeights", &["w"], First),
    ("linear_regression", "loss", "gradientBias", &["b"], First),
    ("linear_regression", "loss", "gradient", &["w", "b"], First),
    ("log_sum_exp", "smoothMaximum", "gradient", &["v"], First),
    ("logistic", "loss", "gradient", &["w"], First),
    ("lstm", "loss", "gradient", &["w", "u", "b"], First),
    ("matrix_completion", "loss", "gradient", &["u", "v", "a", "b"], First),
    ("matrix_factorisation", "loss", "gradientLeft", &["u"], First),
    ("matrix_factorisation", "loss", "gradientRight", &["v"], First),
    ("matrix_factorisation", "loss", "gradient", &["u", "v"], First),
    ("matrix_vector", "product", "jacobianByVector", &["x"], First),
    ("mixture", "objective", "gradientAlpha", &["alpha"], First),
    ("mixture", "objective", "gradientMu", &["mu"], First),
    ("mixture", "objective", "gradientQ", &["q"], First),
    ("mixture", "objective", "gradientL", &["l"], First),
    ("mixture", "objective", "gradient", &["alpha", "mu", "q", "l"], First),
    ("nmf", "divergence", "gradient", &["u"], First),
    ("perceptron", "loss", "gradientW1", &["w1"], First),
    ("perceptron", "loss", "gradientB1", &["b1"], First),
    ("perceptron", "loss", "gradientW2", &["w2"], First),
    ("perceptron", "loss", "gradientB2", &["b2"], First),
    ("perceptron", "loss", "gradient", &["w1", "b1", "w2", "b2"], First),
    ("perceptron_deep", "loss", "gradientW1", &["w1"], First),
    ("perceptron_deep", "loss", "gradientB1", &["b1"], First),
    ("perceptron_deep", "loss", "gradientW2", &["w2"], First),
    ("perceptron_deep", "loss", "gradientB2", &["b2"], First),
    ("perceptron_deep", "loss", "gradientW3", &["w3"], First),
    ("perceptron_deep", "loss", "gradientB3", &["b3"], First),
    ("perceptron_deep", "loss", "gradient", &["w1", "b1", "w2", "b2", "w3", "b3"], First),
    ("random_field", "loss", "gradient", &["moves", "emissions"], First),
    ("recurrent", "loss", "gradient", &["w"], First),
    ("recurrent_cell", "loss", "gradientW", &["w"], First),
    ("recurrent_cell", "loss", "gradientU", &["u"], First),
    ("recurrent_cell", "loss", "gradient", &["w", "u", "c"], First),
    ("residual", "loss", "gradient", &["w1", "b1", "w2", "b2", "w3", "b3"], First),
    ("runge_kutta", "loss", "gradient", &["rates"], First),
    ("springs", "energy", "gradient", &["x"], First),
    ("sum_of_squares", "loss", "gradient", &["v"], First),
    ("sum_of_squares", "gradient", "hessian", &["v"], First),
    ("topics", "loss", "gradient", &["mixes", "topics"], First),
    ("transformer", "loss", "gradient", &["g1", "b1", "g2", "b2", "wq", "wk", "wv", "wo", "w1", "c1", "w2"], First),
    ("vector_add", "added", "jacobianByFirst", &["v"], First),
    ("vector_max", "greatest", "gradient", &["v"], First),
    ("vector_scale", "scaled", "gradientByScalar", &["s"], First),
    ("vector_sum", "total", "gradient", &["v"], First),
    ("word_vectors", "loss", "gradient", &["a", "b"], First),
];

/// Where the schedule is.
const SCHEDULE: (&str, &str) = ("strategies/gradient.strat", "fastGradient");

/// How far a derivative may be from num-dual's, from differences, and the scheduled one from the plain one, for each 1
/// of the larger magnitude, at least 1.
const DUAL: f64 = 1e-10;
const DIFFERENCES: f64 = 1e-5;
const SCHEDULED: f64 = 1e-9;

pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for row in DERIVATIVES {
        let name = format!("{}:{}", row.0, row.2);
        trials.push(Trial::test(format!("{name} plain"), || deep(|| plain(row))));
        trials.push(Trial::test(format!("{name} scheduled"), || deep(|| scheduled(row))));
    }
    trials.push(Trial::test("every derivative is listed", || deep(every_derivative_is_listed)));
    trials.push(Trial::test("the mixture model's closed form", || deep(closed::mixture)));
    trials.push(Trial::test("the closed form of k-means", || deep(closed::kmeans)));
    trials.push(Trial::test("by type", || deep(types::by_type)));
    trials.push(Trial::test("no rotation", || deep(no_rotation)));
    trials
}

fn deep(work: impl FnOnce() -> Result<(), Failed> + Send + 'static) -> Result<(), Failed> {
    with_stack(20_000, work).map_err(|e| Failed::from(format!("{e:?}")))?
}

fn every_derivative_is_listed() -> Result<(), Failed> {
    let listed: BTreeSet<String> = DERIVATIVES.iter().map(|row| format!("{}:{}", row.0, row.2)).collect();
    let begins = |name: &str| ["gradient", "jacobian", "hessian", "dir"].iter().any(|word| name.starts_with(word));
    let there: BTreeSet<String> =
        Bench::new().all().into_iter().filter(|name| begins(&name[name.find(':').unwrap_or(0) + 1..])).collect();
    if listed == there { Ok(()) } else { Err(format!("{listed:?} is not {there:?}").into()) }
}

/// The plain derivative against the two witnesses.
fn plain(row: &Row) -> Result<(), Failed> {
    let (file, primal, derivative, by, kind) = *row;
    let bench = Bench::new();
    let (f, df) = (bench.program(file, primal), bench.program(file, derivative));
    let mut compared = 0;
    for (sizes, inputs) in bench::samples(file, &f) {
        let found = bench::reals(&bench::run(&df, &inputs, &sizes));
        let dual = witness::dual(&f, &inputs, by, &sizes, kind);
        close(&found, &dual, DUAL, "num-dual says", &inputs)?;
        if kind == First {
            close(&found, &witness::differences(&f, &inputs, by, &sizes), DIFFERENCES, "differences are", &inputs)?;
        }
        compared += found.iter().filter(|x| x.is_finite()).count();
    }
    if compared >= 2 { Ok(()) } else { Err("nothing was compared".into()) }
}

/// The scheduled derivative against the plain one, which is right.
fn scheduled(row: &Row) -> Result<(), Failed> {
    let (file, primal, derivative, ..) = *row;
    let bench = Bench::new();
    let (f, df) = (bench.program(file, primal), bench.program(file, derivative));
    let fast = bench.scheduled(&df)?;
    for (sizes, inputs) in bench::samples(file, &f) {
        same(&bench::run(&df, &inputs, &sizes), &bench::run(&fast, &inputs, &sizes), &inputs)?;
    }
    exported::golden(file, derivative, &fast)
}

fn same(plain: &Value, fast: &Value, inputs: &[Value]) -> Result<(), Failed> {
    // A quotient of two zeros, as where no point belongs to a centre, is no promise.
    let (left, right) = (bench::reals(plain), bench::reals(fast));
    if !left.iter().all(|x| x.is_finite()) {
        let finite =
            |all: &[f64]| all.iter().zip(&left).filter(|(_, x)| x.is_finite()).map(|(y, _)| *y).collect::<Vec<_>>();
        return match left.len() == right.len() {
            true => close(&finite(&right), &finite(&left), SCHEDULED, "plain it is", inputs),
            false => Err("another shape".into()),
        };
    }
    if plain.close(fast, SCHEDULED) { Ok(()) } else { Err(format!("{fast:?}\nplain: {plain:?}\n{inputs:?}").into()) }
}

fn close(found: &[f64], wanted: &[f64], tolerance: f64, who: &str, inputs: &[Value]) -> Result<(), Failed> {
    let near = |(a, b): (&f64, &f64)| {
        a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= tolerance * a.abs().max(b.abs()).max(1.0)
    };
    match found.len() == wanted.len() && found.iter().zip(wanted).all(near) {
        true => Ok(()),
        false => Err(format!("{found:?}\n{who} {wanted:?}\nat {inputs:?}").into()),
    }
}

/// Where the camera isn't turned, Rodrigues' formula has its limit.
fn no_rotation() -> Result<(), Failed> {
    let bench = Bench::new();
    let (f, df) = (bench.program("bundle_adjustment", "error"), bench.program("bundle_adjustment", "jacobianBlock"));
    let (sizes, mut inputs) = bench::samples("bundle_adjustment", &f).remove(0);
    let Value::Array(parameters) = &inputs[1] else { return Err("not an array".into()) };
    let items = parameters.items().enumerate();
    inputs[1] = Value::array(items.map(|(k, item)| if k < 3 { Value::Real(0.0) } else { item.into_owned() }).collect());
    let found = bench::run(&df, &inputs, &sizes);
    let wanted = witness::differences(&f, &inputs, &["p"], &sizes);
    close(&bench::reals(&found), &wanted, DIFFERENCES, "differences are", &inputs)
}
