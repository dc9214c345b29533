//! What the general schedule promises of every model that `strategies/evidence.strat` counts, from the line that it
//! prints for each: `redexter run strategies/evidence.strat NAME`.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};

use libtest_mimic::{Failed, Trial};

const SCRIPT: &str = "strategies/evidence.strat";

/// What a derivative may cost after its schedule.
#[derive(Clone, Copy)]
enum Promise {
    /// So many flops and compares for one of the primal, 6 iterations, a power at most 0.2 above the primal's, and its order.
    Gradient(f64),
    /// The same of an order at most 12: what scatters add to is written first, and read once more.
    Scattered(f64),
    /// As a gradient, but of 15 iterations: a loop of many operations became several of few, and what a scan keeps is read again.
    Stepped(f64),
    /// So many flops for one number of the result.
    Jacobian(f64),
}

use Promise::{Gradient, Jacobian, Scattered, Stepped};

/// The most flops and compares for one of the primal that need no cause.
const RATIO: f64 = 4.0;

/// The most iterations for one of the primal.
const ITERATIONS: f64 = 6.0;
const STEPPED_ITERATIONS: f64 = 15.0;

/// The most symbolic work for one of the primal's at all combinations of small and large sizes.
const ORDER: f64 = 8.0;
const SCATTERED_ORDER: f64 = 12.0;

/// The most by which a power may exceed the primal's.
const EXCESS: f64 = 0.2;

const PROMISES: &[(&str, Promise)] = &[
    ("vector_sum:gradient", Gradient(4.0)),
    ("vector_max:gradient", Gradient(4.0)),
    ("vector_scale:gradientByScalar", Gradient(4.0)),
    ("vector_add:jacobianByFirst", Jacobian(1.0)),
    ("matrix_vector:jacobianByVector", Jacobian(1.0)),
    ("dot:gradient", Gradient(4.0)),
    ("dot:gradientSecond", Gradient(4.0)),
    ("sum_of_squares:gradient", Gradient(4.0)),
    ("log_sum_exp:gradient", Gradient(4.0)),
    ("nmf:gradient", Gradient(4.0)),
    ("least_squares:gradient", Gradient(4.0)),
    ("least_squares:gradientSign", Gradient(4.0)),
    ("linear_regression:gradient", Gradient(4.0)),
    ("logistic:gradient", Gradient(4.0)),
    ("matrix_factorisation:gradientLeft", Gradient(4.0)),
    ("matrix_factorisation:gradient", Gradient(4.0)),
    ("kmeans:gradient", Gradient(1.6)),
    ("kmeans:gradientSecond", Gradient(4.0)),
    ("kmeans:dir", Gradient(1.6)),
    ("perceptron:gradient", Gradient(4.0)),
    ("perceptron_deep:gradient", Gradient(4.0)),
    ("mixture:gradientAlpha", Gradient(3.0)),
    ("mixture:gradientMu", Gradient(3.0)),
    ("mixture:gradientQ", Gradient(3.0)),
    ("mixture:gradientL", Gradient(3.0)),
    ("mixture:gradient", Gradient(3.0)),
    ("bundle_adjustment:jacobianBlock", Gradient(4.6)),
    ("autoencoder:gradient", Gradient(4.0)),
    ("convolution:gradient", Gradient(4.0)),
    ("cox:gradient", Gradient(4.0)),
    ("elastic_net:gradient", Gradient(4.0)),
    ("embedding:gradient", Gradient(4.0)),
    ("gaussian_process:gradient", Gradient(4.0)),
    ("huber:gradient", Gradient(4.0)),
    ("layer_norm:gradient", Gradient(4.0)),
    ("lennard_jones:gradient", Gradient(4.0)),
    ("residual:gradient", Gradient(4.0)),
    ("transformer:gradient", Gradient(4.0)),
    ("springs:gradient", Scattered(4.0)),
    ("matrix_completion:gradient", Scattered(4.0)),
    ("word_vectors:gradient", Gradient(4.0)),
    ("topics:gradient", Gradient(4.0)),
    ("recurrent:gradient", Gradient(4.0)),
    ("recurrent_cell:gradient", Gradient(4.0)),
    ("hidden_markov:gradient", Stepped(7.0)),
    ("lstm:gradient", Gradient(4.0)),
    ("random_field:gradient", Gradient(4.0)),
    ("kalman:gradient", Stepped(4.0)),
    ("heat:gradient", Stepped(5.4)),
    ("runge_kutta:gradient", Stepped(4.0)),
    ("cholesky:gradient", Gradient(4.6)),
];

pub fn trials() -> Vec<Trial> {
    let promises = PROMISES.iter().map(|(name, promise)| Trial::test(*name, || kept(name, *promise)));
    let mut trials: Vec<Trial> = promises.collect();
    trials.push(Trial::test("every model has a promise", every_model_has_a_promise));
    trials
}

/// What the script prints.
fn printed(argument: &str) -> Result<String, Failed> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_redexter"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null()).args(["run", SCRIPT, argument]);
    let output = command.output()?;
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout)?),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned().into()),
    }
}

fn every_model_has_a_promise() -> Result<(), Failed> {
    let listed = printed("list")?;
    let promised: BTreeSet<&str> = PROMISES.iter().map(|(name, _)| *name).collect();
    let listed: BTreeSet<&str> = listed.lines().collect();
    if listed == promised { Ok(()) } else { Err(format!("{listed:?} is not {promised:?}").into()) }
}

fn kept(name: &str, promise: Promise) -> Result<(), Failed> {
    let said = printed(name)?;
    let (head, figures) =
        said.lines().rev().find_map(|line| Some((line, line.strip_prefix(name)?))).ok_or("no line")?;
    let words: Vec<&str> = figures.split_whitespace().collect();
    let (figures, cause) = words.split_at(words.len().min(7));
    let figures: Result<Vec<f64>, _> = figures.iter().map(|word| word.parse()).collect();
    let [ratio, order, iterations, excess, per_entry, of_plain, _rewrites] = figures?[..] else {
        return Err(format!("not seven figures: {head}").into());
    };
    let is_of_order = |most: f64, rounds: f64| order <= most && iterations <= rounds && excess <= EXCESS;
    let held = match promise {
        Gradient(most) => ratio <= most && is_of_order(ORDER, ITERATIONS),
        Scattered(most) => ratio <= most && is_of_order(SCATTERED_ORDER, ITERATIONS),
        Stepped(most) => ratio <= most && is_of_order(ORDER, STEPPED_ITERATIONS),
        Jacobian(most) => per_entry <= most,
    };
    let is_explained = match ratio > RATIO || order > ORDER {
        true => !matches!(cause, [] | ["?"]),
        false => cause.is_empty(),
    };
    // Whatever it promises besides, it is no dearer than forward mode.
    if held && is_explained && of_plain <= 1.0 { Ok(()) } else { Err(said.into()) }
}
