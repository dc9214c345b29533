//! Derivatives by type, of functions of grown types made of reals.

use redexter::eval::{Sizes, Value, open_sizes, random_inputs};
use redexter::ground::Name;
use redexter::term::Program;
use redexter_reference::cases;

use super::bench::{self, Bench};
use super::{DIFFERENCES, DUAL, Failed, Kind, close, same, witness};
use crate::support::typed::grown;

/// So many functions are grown, and in an extended run.
const GROWN: (u64, u64) = (60, 2_000);

/// The values of n and m.
const SIZES: [(u64, u64); 5] = [(0, 0), (1, 1), (2, 0), (1, 3), (2, 2)];

/// The step along a direction.
const STEP: f64 = 1e-5;

pub fn by_type() -> Result<(), Failed> {
    let bench = Bench::new();
    let mut compared = 0;
    for seed in 0..cases(GROWN.0, GROWN.1) {
        let text = grown(seed);
        compared += of(&bench, &text, seed).map_err(|why| format!("{}\n{text}", why.message().unwrap_or_default()))?;
    }
    if compared > 500 { Ok(()) } else { Err(format!("{compared} numbers").into()) }
}

/// How many numbers were compared.
fn of(bench: &Bench, text: &str, seed: u64) -> Result<usize, Failed> {
    let programs = bench.read(text);
    let program = |name: &str| -> &Program {
        let found = programs.iter().find(|(known, _)| known.ends_with(&format!(":{name}")));
        &found.expect("a program").1
    };
    let f = program("f");
    let fast = bench.scheduled(program("gradient"))?;
    let mut compared = 0;
    for (n, m) in SIZES {
        let open = open_sizes(&f.term);
        let both = [(Name::new("n"), n), (Name::new("m"), m)];
        let sizes: Sizes = both.into_iter().filter(|(name, _)| open.contains(name)).collect();
        let at = |name: &str, inputs: &[Value]| bench::run(program(name), inputs, &sizes);
        let Some(inputs) = random_inputs(program("rate"), &sizes, seed) else { continue };
        let (x, dx) = (&inputs[..1], &inputs[1]);
        let gradient = at("gradient", x);
        let slopes = bench::reals(&gradient);
        let check = |found: &[f64], wanted: &[f64], far, who| close(found, wanted, far, who, &inputs);
        check(&slopes, &witness::dual(f, x, &["x"], &sizes, Kind::First), DUAL, "num-dual says")?;
        check(&slopes, &witness::differences(f, x, &["x"], &sizes), DIFFERENCES, "differences are")?;
        same(&gradient, &bench::run(&fast, x, &sizes), x)?;

        let value = bench::reals(&at("f", x));
        check(&bench::reals(&at("both", x)), &[value.clone(), slopes.clone()].concat(), 0.0, "apart they are")?;
        let along: f64 = slopes.iter().zip(bench::reals(dx)).map(|(slope, step)| slope * step).sum();
        check(&bench::reals(&at("rate", &inputs)), &[along], DUAL, "by the gradient it is")?;
        let rates = [along, 2.0 * along, 2.0 * value[0] * along];
        check(&bench::reals(&at("rates", &inputs)), &rates, DUAL, "by the gradient they are")?;

        let each: Vec<f64> = slopes.iter().flat_map(|slope| [*slope, 2.0 * slope, 2.0 * value[0] * slope]).collect();
        check(&bench::reals(&at("matrix", x)), &each, DUAL, "by the gradient it is")?;

        let (weights, numbers) = ([0.5, -1.0, 3.0], bench::reals(&x[0]));
        let u =
            Value::pair(Value::array(weights[..2].iter().map(|w| Value::Real(*w)).collect()), Value::Real(weights[2]));
        let often = weights[0] + 2.0 * weights[1] + 2.0 * weights[2] * value[0];
        let expected: Vec<f64> = slopes.iter().map(|slope| often * slope).collect();
        check(&bench::reals(&at("weighted", &[x[0].clone(), u])), &expected, DUAL, "by the gradient it is")?;
        let tripled: Vec<f64> = slopes.iter().map(|slope| 3.0 * slope).collect();
        check(&bench::reals(&at("first", &[x[0].clone(), Value::Real(2.0)])), &tripled, DUAL, "by the gradient it is")?;

        let moved = |by: f64| {
            let mut all = numbers.iter().zip(bench::reals(dx)).map(|(x, dx)| x + by * dx);
            bench::reals(&at("gradient", &[bench::with_reals(&x[0], &mut all)]))
        };
        let curved: Vec<f64> =
            moved(STEP).iter().zip(moved(-STEP)).map(|(more, less)| (more - less) / (2.0 * STEP)).collect();
        check(&bench::reals(&at("curved", &inputs)), &curved, DIFFERENCES, "differences are")?;
        compared += slopes.len();
    }
    Ok(compared)
}
