//! Models, inputs at several sizes, and runs.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use libtest_mimic::Failed;
use redexter::check::{self, Loader, Model};
use redexter::cost::cheaper_total;
use redexter::eval::{Sizes, Value, evaluate, open_sizes, parameters, random_inputs};
use redexter::ground::{Budget, Diagnostic, Name, Sources, code};
use redexter::rule::{Checker, RuleBook};
use redexter::script::{Host, Interpreter};
use redexter::strategy::{Outcome, run as rewrite};
use redexter::syntax::raw::RawRule;
use redexter::term::Program;

use crate::gradients::SCHEDULE;

/// What is added to the lower bounds of sizes.
const EXTRA: [u64; 3] = [0, 1, 2];

/// Inputs of so many seeds are tried at each choice of sizes.
const SEEDS: u64 = 2;

/// Parameters that must be greater than 0, of which models.
const POSITIVE: &[(&str, &[&str])] = &[("mixture", &["m", "gamma"]), ("nmf", &["a", "v", "u"])];

/// Numbers that are moved from around 0, by how much: what a camera sees lies before it.
const MOVED: &[(&str, &str, usize, f64)] = &[("bundle_adjustment", "p", 13, 6.0)];

/// Sizes, with inputs of these sizes.
pub type Sample = (Sizes, Vec<Value>);

/// A host for scripts that only read.
struct Reader;

impl Host for Reader {
    fn print(&self, _: &str) {}

    fn warn(&self, _: &Diagnostic) {}

    fn read(&self, path: &str) -> Result<String, Diagnostic> {
        text(Path::new(path))
    }

    fn write(&self, _: &str, _: &str) -> Result<(), Diagnostic> {
        Ok(())
    }

    fn budget(&self) -> Budget {
        Budget::default()
    }
}

fn text(path: &Path) -> Result<String, Diagnostic> {
    let whole = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(whole).map_err(|e| Diagnostic::error(code::UNREADABLE, format!("{}: {e}", path.display())))
}

/// The library and the texts that were read.
pub struct Bench {
    sources: Rc<RefCell<Sources>>,
    prelude: Rc<Model>,
}

impl Bench {
    pub fn new() -> Bench {
        let sources = Rc::new(RefCell::new(Sources::default()));
        let prelude = check::prelude(&sources);
        Bench { sources, prelude }
    }

    fn model(&self, file: &str) -> Rc<Model> {
        let budget = Budget::default();
        let path = format!("models/{file}.arr");
        Loader::new(&self.sources, &text, &budget, self.prelude.clone()).load(Path::new(&path)).expect("a model")
    }

    /// A definition's program.
    pub fn program(&self, file: &str, name: &str) -> Program {
        self.model(file).program(name, &Budget::default()).unwrap_or_else(|e| panic!("{file}:{name}: {e:?}"))
    }

    /// The definitions of all models but the library's, as `file:name`.
    pub fn all(&self) -> Vec<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
        let entries = std::fs::read_dir(folder).expect("the models").map(|entry| entry.expect("a file").path());
        let stems = entries.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()));
        let names = |stem: String| {
            let names: Vec<String> = self.model(&stem).names().map(|name| format!("{stem}:{name}")).collect();
            names
        };
        stems.filter(|stem| stem != "prelude").flat_map(names).collect()
    }

    /// What the schedule makes of a program.
    pub fn scheduled(&self, program: &Program) -> Result<Program, Failed> {
        let (sources, prelude) = (self.sources.clone(), self.prelude.clone());
        let (texts, within) = (sources.clone(), prelude.clone());
        let checker: Checker = Rc::new(move |raw: &RawRule, reverse| {
            check::laws(raw, reverse, &within, &texts.borrow(), &Budget::default())
        });
        let book = RuleBook::shipped(&mut sources.borrow_mut(), &checker);
        let mut interpreter = Interpreter::new(Rc::new(Reader), sources, prelude, book);
        let (path, name) = SCHEDULE;
        let script = text(Path::new(path)).expect("the schedule");
        interpreter.run_script(path, &script, &[]).expect("a script");
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
