//! D keeps its promise on types for generated terms, and the shipped gradients agree with central differences.

use std::path::Path;

use redexter::ad::{AdError, dual, dual_type};
use redexter::eval::{self, Sizes, Value};
use redexter::ground::{Budget, Name};
use redexter::term::{Prim, Program};

use crate::desk::{self, Desk};
use crate::generate::Generator;
use crate::subterms;

#[test]
fn d_of_a_term_has_d_of_its_type() {
    let mut seen = 0;
    for seed in 0..150 {
        let whole = Generator::new(seed, true).program(5).term;
        for term in subterms(&whole) {
            match dual(&term) {
                Ok(done) => {
                    assert_eq!(*done.ty(), dual_type(term.ty()).expect("a type without variables"), "{term:?}");
                    assert!(done.free().all(|(i, f)| term.free_at(i).is_some_and(|g| g.ty == f.ty)), "{term:?}");
                    seen += 1;
                }
                Err(AdError::NotDifferentiable(Prim::Digamma)) => {}
                Err(AdError::FreeFunction { index, .. }) => {
                    assert!(term.free_at(index).is_some_and(|f| f.ty.has_function()));
                }
                Err(other) => panic!("{other}: {term:?}"),
            }
        }
    }
    assert!(seen > 2000, "{seen} terms");
}

/// File, function, its derivative, and the parameter by which it is taken; the parameter's index comes first.
const GRADIENTS: [(&str, &str, &str, &str); 30] = [
    ("bundle_adjustment", "error", "jacobianBlock", "p"),
    ("bundle_adjustment", "weightError", "gradientWeight", "w"),
    ("dot", "dot", "gradient", "v"),
    ("dot", "dot", "gradientSecond", "w"),
    ("kmeans", "cost", "gradient", "centres"),
    ("least_squares", "loss", "gradient", "x"),
    ("linear_regression", "loss", "gradientBias", "b"),
    ("linear_regression", "loss", "gradientWeights", "w"),
    ("log_sum_exp", "smoothMaximum", "gradient", "v"),
    ("logistic", "loss", "gradient", "w"),
    ("matrix_factorisation", "loss", "gradientLeft", "u"),
    ("matrix_factorisation", "loss", "gradientRight", "v"),
    ("matrix_vector", "product", "jacobianByVector", "x"),
    ("perceptron", "loss", "gradientB1", "b1"),
    ("perceptron", "loss", "gradientB2", "b2"),
    ("perceptron", "loss", "gradientW1", "w1"),
    ("perceptron", "loss", "gradientW2", "w2"),
    ("perceptron_deep", "loss", "gradientB1", "b1"),
    ("perceptron_deep", "loss", "gradientB2", "b2"),
    ("perceptron_deep", "loss", "gradientB3", "b3"),
    ("perceptron_deep", "loss", "gradientW1", "w1"),
    ("perceptron_deep", "loss", "gradientW2", "w2"),
    ("perceptron_deep", "loss", "gradientW3", "w3"),
    ("recurrent", "loss", "gradient", "w"),
    ("sum_of_squares", "loss", "gradient", "v"),
    ("sum_of_squares", "gradient", "hessian", "v"),
    ("vector_add", "added", "jacobianByFirst", "v"),
    ("vector_max", "greatest", "gradient", "v"),
    ("vector_scale", "scaled", "gradientByScalar", "s"),
    ("vector_sum", "total", "gradient", "v"),
];

#[test]
fn shipped_gradients_are_central_differences() {
    let desk = Desk::new();
    for (file, function, derivative, by) in GRADIENTS {
        let path = format!("models/{file}.arr");
        let model = desk.file(Path::new(&path), |text| text).unwrap_or_else(|why| panic!("{why}"));
        let program = |name: &str| model.program(name, &desk.budget).map_err(desk::said).expect("a term");
        let (f, df) = (program(function), program(derivative));
        for (seed, size) in [(1, 1), (2, 3), (3, 4)] {
            let sizes: Sizes = eval::open_sizes(&f.term).into_iter().map(|n| (n, size)).collect();
            let inputs = eval::random_inputs(&f, &sizes, seed).expect("data");
            let place = eval::parameters(&f).iter().position(|p| p.name == Name::new(by)).expect("the parameter");
            let found = reals(&run(&df, &inputs, &sizes));
            let expected = differences(&f, &inputs, place, &sizes);
            assert_eq!(found.len(), expected.len(), "{file} {derivative}");
            for (a, b) in found.iter().zip(&expected) {
                let scale = a.abs().max(b.abs()).max(1.0);
                assert!((a - b).abs() < 1e-5 * scale, "{file} {derivative}, seed {seed}: {found:?} {expected:?}");
            }
        }
    }
}

fn run(program: &Program, inputs: &[Value], sizes: &Sizes) -> Value {
    eval::evaluate(program, inputs, sizes, &Budget::default()).map_err(desk::said).expect("a value").0
}

fn differences(f: &Program, inputs: &[Value], place: usize, sizes: &Sizes) -> Vec<f64> {
    const STEP: f64 = 1e-6;
    let count = reals(&inputs[place]).len();
    let at = |k: usize, by: f64| {
        let mut moved = inputs.to_vec();
        moved[place] = nudged(&inputs[place], &mut (k as i64), by);
        reals(&run(f, &moved, sizes))
    };
    let slope = |k: usize| {
        let (more, less) = (at(k, STEP), at(k, -STEP));
        more.iter().zip(less).map(|(a, b)| (a - b) / (2.0 * STEP)).collect::<Vec<f64>>()
    };
    (0..count).flat_map(slope).collect()
}

/// The value with its real number `k` moved.
fn nudged(value: &Value, k: &mut i64, by: f64) -> Value {
    match value {
        Value::Real(x) => {
            *k -= 1;
            Value::Real(if *k == -1 { x + by } else { *x })
        }
        Value::Array(items) => Value::array(items.items().iter().map(|item| nudged(item, k, by)).collect()),
        Value::Pair(pair) => {
            let first = nudged(&pair.0, k, by);
            Value::pair(first, nudged(&pair.1, k, by))
        }
        other => other.clone(),
    }
}

/// All real numbers in a value, in order.
fn reals(value: &Value) -> Vec<f64> {
    match value {
        Value::Real(x) => vec![*x],
        Value::Array(items) => items.items().iter().flat_map(reals).collect(),
        Value::Pair(pair) => [reals(&pair.0), reals(&pair.1)].concat(),
        _ => Vec::new(),
    }
}
