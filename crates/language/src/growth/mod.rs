//! Counts what a primal and derivatives of it execute at chosen sizes, and shows how that grows with them.
//!
//! Counts, never times, on inputs of a fixed seed: equal programs give equal tables. It asks the evaluator and the
//! symbolic work, and knows nothing of rules and strategies.

mod fit;
mod order;
mod ranges;
mod table;

pub use fit::power;
pub use order::{OrderRatio, order};
pub use ranges::SizeRanges;

use crate::cost::{Work, work};
use crate::eval::{NumberSource, Sizes, Value, drawn_inputs, evaluate, open_sizes, parameters};
use crate::ground::{Budget, Diagnostic, Name, Random, StopReason, Trouble, code};
use crate::term::Program;

/// The most that a program may execute to be run; for more its formula is taken, which is exact or an upper bound, unless it
/// isn't known. The programs
/// that are compared, the first and the last, may execute more than those between them.
const MAX_RUN: u128 = 50_000_000;
const MAX_RUN_BETWEEN: u128 = 5_000_000;

/// The seed of the inputs.
const SEED: u64 = 1;

/// Counts of what a program executes at some sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Flops.
    pub flops: u128,
    /// Compares.
    pub compares: u128,
    /// Iterations.
    pub iterations: u128,
    /// The reals in its result, if it was run.
    pub entries: Option<u64>,
}

impl Tally {
    /// Flops and compares together.
    pub fn operations(&self) -> u128 {
        self.flops.saturating_add(self.compares)
    }

    fn measured(&self, measure: GrowthMeasure) -> u128 {
        match measure {
            GrowthMeasure::Operations => self.operations(),
            GrowthMeasure::Iterations => self.iterations,
        }
    }
}

/// The two counts by which programs are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GrowthMeasure {
    Operations,
    Iterations,
}

impl GrowthMeasure {
    const ALL: [GrowthMeasure; 2] = [GrowthMeasure::Operations, GrowthMeasure::Iterations];
}

/// The tallies of all programs at some sizes.
#[derive(Clone, Debug)]
struct GrowthRow {
    sizes: Sizes,
    tallies: Vec<Tally>,
}

/// Rows in which one size grows, or a single row.
#[derive(Clone, Debug)]
struct GrowthBlock {
    dimension: Option<Name>,
    rows: Vec<GrowthRow>,
}

/// The growth of programs: the primal first, the derivative that counts last.
#[derive(Clone, Debug)]
pub struct GrowthTable {
    labels: Vec<String>,
    work: Vec<Work>,
    sizes: Vec<Name>,
    blocks: Vec<GrowthBlock>,
    order: OrderRatio,
}

/// Counts what programs of the same parameters execute at the sizes of the ranges.
pub fn growth(programs: &[(&str, &Program)], ranges: &SizeRanges, budget: &Budget) -> Result<GrowthTable, Trouble> {
    comparable(programs)?;
    let formulas: Vec<Work> = programs.iter().map(|(_, program)| work(&program.term)).collect();
    let mut blocks = Vec::new();
    for (dimension, points) in ranges.blocks() {
        let mut rows = Vec::new();
        for sizes in points {
            let counted = programs.iter().zip(&formulas).enumerate().map(|(k, ((_, program), formula))| {
                let end = k == 0 || k + 1 == programs.len();
                let most = if end { MAX_RUN } else { MAX_RUN_BETWEEN };
                tally(program, formula, &sizes, most, budget)
            });
            let tallies = counted.collect::<Result<Vec<Tally>, Trouble>>()?;
            rows.push(GrowthRow { sizes, tallies });
        }
        blocks.push(GrowthBlock { dimension, rows });
    }
    let labels = programs.iter().map(|(label, _)| (*label).to_owned()).collect();
    let order = programs
        .first()
        .zip(programs.last())
        .map_or(OrderRatio::default(), |((_, primal), (_, last))| order(primal, last));
    Ok(GrowthTable { labels, work: formulas, sizes: ranges.names(), blocks, order })
}

/// Programs are compared on the same inputs.
fn comparable(programs: &[(&str, &Program)]) -> Result<(), Diagnostic> {
    let types = |program| parameters(program).into_iter().map(|p| p.ty).collect::<Vec<_>>();
    let Some(((first, primal), rest)) = programs.split_first() else { return Ok(()) };
    let wanted = types(primal);
    match rest.iter().find(|(_, program)| types(program) != wanted) {
        None => Ok(()),
        Some((label, _)) => {
            let headline = format!("the {label} program has other parameters than the {first}");
            let help = "give both the same parameters, with sizes of the same names";
            Err(Diagnostic::error(code::INPUT_SHAPE, headline).help(help))
        }
    }
}

/// Runs a program, if that executes no more than `most`.
fn tally(program: &Program, formula: &Work, sizes: &Sizes, most: u128, budget: &Budget) -> Result<Tally, Trouble> {
    let open = open_sizes(&program.term);
    if let Some(name) = open.iter().find(|name| sizes.get(name).is_none()) {
        let missing = Diagnostic::error(code::INPUT_MISSING, format!("nothing determines the size `{name}`"));
        return Err(missing.help(format!("give it among the sizes: `#{{ {name}: [10, 20, 40, 80] }}`")).into());
    }
    let value = |name: &Name| sizes.get(name).unwrap_or(0);
    let expected = formula.at(value).saturating_add(formula.iterations.at(&value));
    let allowed = open.iter().all(|name| value(name) >= program.bounds.lower(name));
    if expected > most && allowed && !formula.total().is_unknown() {
        let [flops, compares, iterations] =
            [&formula.flops, &formula.compares, &formula.iterations].map(|poly| poly.at(value));
        return Ok(Tally { flops, compares, iterations, entries: None });
    }
    let inputs = match drawn_inputs(program, sizes, NumberSource::PLAIN, &mut Random::new(SEED), budget) {
        Ok(Some(inputs)) => inputs,
        Ok(None) | Err(StopReason::Elements(_)) => {
            let headline = "there are no inputs of these types and sizes to count with";
            let wrong = Diagnostic::error(code::NOT_DATA, headline);
            return Err(wrong.help("parameters must be data, of moderate size").into());
        }
        Err(reason) => return Err(reason.into()),
    };
    let (result, counts) = evaluate(program, &inputs, sizes, budget)?;
    Ok(Tally {
        flops: counts.flops.into(),
        compares: counts.compares.into(),
        iterations: counts.iterations.into(),
        entries: Some(reals(&result)),
    })
}

fn reals(value: &Value) -> u64 {
    value.sum(&|number| matches!(number, Value::Real(_)).into())
}

impl GrowthTable {
    /// The most flops and compares of the last program for one of the primal, over all sizes.
    pub fn ratio(&self) -> f64 {
        self.worst(GrowthMeasure::Operations)
    }

    /// The most symbolic work of the last program for one of the primal's, at all combinations of small and large sizes.
    pub fn order(&self) -> f64 {
        self.order.ratio
    }

    /// The most iterations of the last program for one of the primal.
    pub fn iterations(&self) -> f64 {
        self.worst(GrowthMeasure::Iterations)
    }

    /// The most flops and compares of the last program for one of the program before it.
    pub fn of_plain(&self) -> f64 {
        let before = |row: &GrowthRow| row.tallies.iter().rev().nth(1).map_or(0, Tally::operations);
        let last = |row: &GrowthRow| row.tallies.last().map_or(0, Tally::operations);
        self.rows().map(|row| quotient(last(row), before(row))).fold(0.0, f64::max)
    }

    fn worst(&self, measure: GrowthMeasure) -> f64 {
        self.rows().map(|row| ratio(row, measure)).fold(0.0, f64::max)
    }

    /// The most flops of the last program for one real of its result, where it was run.
    pub fn per_entry(&self) -> f64 {
        let each = self.rows().filter_map(|row| {
            let last = row.tallies.last()?;
            Some(quotient(last.flops, last.entries?.into()))
        });
        each.fold(0.0, f64::max)
    }

    /// By how much the power with which the last program grows exceeds the primal's, at most, over all dimensions; 0
    /// where no size grows.
    pub fn excess(&self) -> f64 {
        let growing = self.blocks.iter().filter(|block| block.dimension.is_some());
        let both = growing.flat_map(|block| GrowthMeasure::ALL.map(|measure| self.powers(block, measure)));
        let over = both.filter_map(|powers| Some(powers.last()? - powers.first()?));
        over.reduce(f64::max).unwrap_or(0.0)
    }

    fn rows(&self) -> impl Iterator<Item = &GrowthRow> {
        self.blocks.iter().flat_map(|block| &block.rows)
    }

    /// The powers with which the programs grow in a block.
    fn powers(&self, block: &GrowthBlock, measure: GrowthMeasure) -> Vec<f64> {
        let Some(dimension) = &block.dimension else { return Vec::new() };
        let point =
            |row: &GrowthRow, k: usize| (row.sizes.get(dimension).unwrap_or(0), row.tallies[k].measured(measure));
        (0..self.labels.len())
            .map(|k| fit::power(&block.rows.iter().map(|row| point(row, k)).collect::<Vec<_>>()))
            .collect()
    }
}

/// The quotient of what the last program executes and what the primal does.
fn ratio(row: &GrowthRow, measure: GrowthMeasure) -> f64 {
    let ends = row.tallies.first().zip(row.tallies.last());
    ends.map_or(0.0, |(primal, last)| quotient(last.measured(measure), primal.measured(measure)))
}

/// 0 / 0 is 0 here: nothing for nothing.
fn quotient(a: u128, b: u128) -> f64 {
    if a == 0 { 0.0 } else { a as f64 / b as f64 }
}
