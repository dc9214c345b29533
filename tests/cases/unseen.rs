//! The general schedule on programs that it wasn't made for: values stay, and the work is of the primal's order at all
//! combinations of small and large sizes. The programs are in `tests/unseen`, what they come to beside each file in a table
//! (`UPDATE_GOLDEN=1` writes it); `cargo test --test cases -- NAME` tries one file.

use crate::support::{figures, shipped};
use std::path::{Path, PathBuf};
use std::{env, fs};

use figures::Figures;
use libtest_mimic::{Failed, Trial};
use redexter::cost::cheaper_total;
use redexter::eval::{Sizes, evaluate, open_sizes, random_inputs};
use redexter::ground::{Budget, Name, with_stack};
use redexter::strategy::{Outcome, run};
use redexter::term::Program;
use redexter::why::{TranspositionReport, transposition};
use shipped::{Workbench, files};

/// Where the programs are, each derivative under the name of its primal with one of these words behind.
const FOLDER: &str = "tests/unseen";
const DERIVATIVES: [&str; 4] = ["Gradient", "Jacobian", "Hessian", "Direction"];

/// The most flops and compares for one of the primal, with every size small.
const RATIO: f64 = 6.0;

/// The same of layers upon each other, however many.
const LAYERS: f64 = 3.5;

/// The most work for one of the primal's, with as many numbers as the result has, at the worst sizes.
const ORDER: f64 = 8.0;

/// Which ones take more, and why.
const BEYOND: &[(&str, &str)] = &[
    ("softmaxJacobian", "a matrix by a function of a vector: work for each entry"),
    ("logisticHessian", "a matrix by a function of a number: work for each entry"),
    ("readingsJacobian", "as many loops backwards as there are results"),
    (
        "nestedGradient",
        "of a loop in a loop each step's tanh is computed again, since the scans keep their states alone",
    ),
    ("seriesHessian", "as many gradients as there are numbers"),
];

/// How far apart values may be, for each 1 of the larger magnitude.
const TOLERANCE: f64 = 1e-9;

pub fn trials() -> Vec<Trial> {
    let trials = files(FOLDER, "arr").into_iter().map(|path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Trial::test(name, move || {
            with_stack(20_000, move || tabled(&path)).map_err(|e| Failed::from(format!("{e:?}")))?
        })
    });
    trials.collect()
}

/// What the derivatives of a file come to is what its table says.
fn tabled(path: &Path) -> Result<(), Failed> {
    let workbench = Workbench::new();
    let programs = workbench.programs(path);
    let strategies = workbench.strategies(Path::new("strategies/gradient.strat"));
    let (_, schedule) = strategies.iter().find(|(name, _)| name.ends_with(" fastGradient")).ok_or("no schedule")?;
    let called = |name: &str| programs.iter().find(|(known, _)| known.ends_with(&format!(":{name}")));
    let mut table = format!("{:24}{:>8}{:>10}{:>10}  at\n", "derivative", "ratio", "order", "rewrites");
    for (name, derivative) in &programs {
        let name = name.rsplit(':').next().unwrap_or_default();
        let of = |word: &&str| called(name.strip_suffix(word)?);
        let Some((_, primal)) = DERIVATIVES.iter().find_map(of) else { continue };
        let done =
            run(schedule, derivative, &Budget::default(), cheaper_total).map_err(|stop| stop.reason.to_string())?;
        let Outcome::Success(term) = done.outcome else { return Err(format!("{name}: it failed").into()) };
        let after = derivative.with(term);
        same(name, derivative, &after)?;
        let said = transposition(schedule, derivative, &after, &done.trace.steps, &Budget::default());
        if let Some(TranspositionReport::Refused(left)) = said {
            return Err(format!("{name}: it is said not to be transposed, for {:?}", left.at.find(&left.whole)).into());
        }
        let figures = Figures::of(primal, &after);
        let most = if name.starts_with("layers") { LAYERS } else { RATIO };
        let is_kept = figures.ratio <= most && figures.order <= ORDER;
        if is_kept == BEYOND.iter().any(|(known, _)| *known == name) {
            return Err(format!("{name}: ratio {:.2}, order {:.2} {}", figures.ratio, figures.order, figures.at).into());
        }
        let Figures { ratio, order, at } = figures;
        table += &format!("{name:24}{ratio:>8.2}{order:>10.2}{:>10}  {at}\n", done.trace.steps.len());
    }
    let golden: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join(path).with_extension("txt");
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&golden, &table)?;
    }
    let known = fs::read_to_string(&golden).unwrap_or_default();
    if known == table { Ok(()) } else { Err(format!("{} is no longer\n{table}", golden.display()).into()) }
}

/// The same values at sizes 0 to 3, all alike and different from each other.
fn same(name: &str, before: &Program, after: &Program) -> Result<(), Failed> {
    let names: Vec<Name> = open_sizes(&before.term).into_iter().collect();
    let mut compared = 0;
    for round in 0..6 {
        let size = |(k, name): (usize, &Name)| {
            let more = if round < 4 { round } else { (round + k) % 4 };
            (name.clone(), before.bounds.lower(name) + more as u64)
        };
        let sizes: Sizes = names.iter().enumerate().map(size).collect();
        let Some(inputs) = random_inputs(before, &sizes, 3 + round as u64) else { continue };
        let value = |program: &Program| evaluate(program, &inputs, &sizes, &Budget::default()).map(|(value, _)| value);
        let (Ok(one), Ok(other)) = (value(before), value(after)) else { continue };
        if !one.close(&other, TOLERANCE) {
            return Err(format!("{name} at {sizes:?} on {inputs:?}: {one:?} became {other:?}").into());
        }
        compared += 1;
    }
    if compared > 2 { Ok(()) } else { Err(format!("{name}: nothing was compared").into()) }
}
