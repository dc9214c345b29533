//! Models, inputs at several sizes, and runs.

use std::path::Path;
use std::rc::Rc;

use libtest_mimic::Failed;
use redexter::check::Model;
use redexter::cost::cheaper_total;
use redexter::eval::{Sizes, Value, evaluate, open_sizes, parameters, random_inputs};
use redexter::ground::{Budget, Name};
use redexter::strategy::{Outcome, run as rewrite};
use redexter::term::Program;

use crate::gradients::SCHEDULE;
use crate::support::shipped::{Workbench, files, text};

/// What is added to the lower bounds of sizes.
const EXTRA: [u64; 3] = [0, 1, 2];

/// Inputs of so many seeds are tried at each choice of sizes.
const SEEDS: u64 = 2;

/// Parameters that must be greater than 0, of which models.
const POSITIVE: &[(&str, &[&str])] =
    &[("kalman", &["q", "r"]), ("mixture", &["m", "gamma"]), ("nmf", &["a", "v", "u"])];

/// Numbers that are moved from around 0, by how much: what a camera sees lies before it.
const MOVED: &[(&str, &str, usize, f64)] = &[("bundle_adjustment", "p", 13, 6.0)];

/// Matrices that must be positive definite, of which models, and what is added along the diagonal for that.
const DEFINITE: &[(&str, &str, f64)] = &[("cholesky", "a", 6.0)];

/// Sizes, with inputs of these sizes.
pub type Sample = (Sizes, Vec<Value>);

/// The library and the texts that were read.
pub struct Bench(Workbench);

impl Bench {
    pub fn new() -> Bench {
        Bench(Workbench::new())
    }

    fn model(&self, file: &str) -> Rc<Model> {
        self.0.model(Path::new(&format!("models/{file}.arr")))
    }

    /// A definition's program.
    pub fn program(&self, file: &str, name: &str) -> Program {
        self.model(file).program(name, &Budget::default()).unwrap_or_else(|e| panic!("{file}:{name}: {e:?}"))
    }

    /// The programs of a model with this text.
    pub fn read(&self, text: &str) -> Vec<(String, Program)> {
        self.0.read("grown.arr", text)
    }

    /// The definitions of all models but the library's, as `file:name`.
    pub fn all(&self) -> Vec<String> {
        let stems = files("models", "arr").into_iter().filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()));
        let names = |stem: String| {
            let names: Vec<String> = self.model(&stem).names().map(|name| format!("{stem}:{name}")).collect();
            names
        };
        stems.filter(|stem| stem != "prelude").flat_map(names).collect()
    }

    /// What the schedule makes of a program.
    pub fn scheduled(&self, program: &Program) -> Result<Program, Failed> {
        let mut interpreter = self.0.interpreter();
        let (path, name) = SCHEDULE;
        interpreter.run_script(path, &text(Path::new(path)), &[]).expect("a script");
        let strategy = interpreter.strategy(name).expect("a strategy");
        let done = rewrite(&strategy, program, &Budget::default(), cheaper_total);
        match done.map_err(|stop| stop.reason.to_string())?.outcome {
            Outcome::Success(term) => Ok(Program { term, bounds: program.bounds.clone() }),
            _ => Err("the schedule failed".into()),
        }
    }
}

/// Inputs at several sizes, the least first: all alike, and different from each other. Reals are in [-2, 2], but where a
/// model needs others.
pub fn samples(file: &str, program: &Program) -> Vec<Sample> {
    let names: Vec<Name> = open_sizes(&program.term).into_iter().collect();
    let mut all: Vec<Sample> = Vec::new();
    for (round, skew) in (0..EXTRA.len()).flat_map(|round| [(round, 0), (round, 1)]) {
        let size = |(k, name): (usize, &Name)| {
            (name.clone(), program.bounds.lower(name) + EXTRA[(round + k * skew) % EXTRA.len()])
        };
        let sizes: Sizes = names.iter().enumerate().map(size).collect();
        if all.iter().any(|(other, _)| *other == sizes) {
            continue;
        }
        let seeds = (0..SEEDS).map(|seed| seed + SEEDS * round as u64);
        all.extend(seeds.filter_map(|seed| Some((sizes.clone(), inputs(file, program, &sizes, seed)?))));
    }
    all
}

fn inputs(file: &str, program: &Program, sizes: &Sizes, seed: u64) -> Option<Vec<Value>> {
    let names = parameters(program).into_iter().map(|p| p.name);
    let moderate = |(name, value): (Name, Value)| {
        if POSITIVE.iter().any(|(model, all)| *model == file && all.contains(&name.as_str())) {
            return positive(&value);
        }
        if let Some((.., by)) = DEFINITE.iter().find(|(model, of, _)| *model == file && *of == name.as_str()) {
            return definite(&value, *by);
        }
        let moved = MOVED.iter().filter(|(model, of, ..)| *model == file && *of == name.as_str());
        moved.fold(value, |value, (.., place, by)| {
            let mut numbers = reals(&value);
            numbers[*place] += by;
            with_reals(&value, &mut numbers.into_iter())
        })
    };
    Some(names.zip(random_inputs(program, sizes, seed)?).map(moderate).collect())
}

fn positive(value: &Value) -> Value {
    match value {
        Value::Real(x) => Value::Real(x.abs() + 0.1),
        Value::Int(k) => Value::Int(k.abs()),
        Value::Array(array) => Value::array(array.items().map(|item| positive(&item)).collect()),
        other => other.clone(),
    }
}

fn definite(matrix: &Value, by: f64) -> Value {
    let Value::Array(rows) = matrix else { return matrix.clone() };
    let raised = |(k, row): (usize, _)| {
        let mut numbers = reals(&row);
        numbers[k] += by;
        with_reals(&row, &mut numbers.into_iter())
    };
    Value::array(rows.items().map(std::borrow::Cow::into_owned).enumerate().map(raised).collect())
}

/// What a program gives.
pub fn run(program: &Program, inputs: &[Value], sizes: &Sizes) -> Value {
    evaluate(program, inputs, sizes, &Budget::default()).expect("a value").0
}

/// All reals in a value, in order.
pub fn reals(value: &Value) -> Vec<f64> {
    match value {
        Value::Real(x) => vec![*x],
        Value::Array(array) => array.items().flat_map(|item| reals(&item)).collect(),
        Value::Pair(pair) => [reals(&pair.0), reals(&pair.1)].concat(),
        Value::Int(_) | Value::Index(_) | Value::Function(_) => Vec::new(),
    }
}

/// The value with its reals replaced, in order, by these.
pub fn with_reals(value: &Value, from: &mut impl Iterator<Item = f64>) -> Value {
    match value {
        Value::Real(_) => Value::Real(from.next().expect("enough reals")),
        Value::Array(array) => Value::array(array.items().map(|item| with_reals(&item, from)).collect()),
        Value::Pair(pair) => {
            let first = with_reals(&pair.0, from);
            Value::pair(first, with_reals(&pair.1, from))
        }
        other => other.clone(),
    }
}
