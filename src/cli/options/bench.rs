//! Defines the options of bench.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::results::size;
use crate::cli::common::CommonArgs;
use crate::cli::threads::threads;
use redexter_running::bench::RunMethod;

/// Time a definition at growing sizes, as it is after each of some strategies
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter bench models/dot.arr:gradient --apply id --apply fastGradient --sizes n=100,200,400
  redexter bench models/mixture.arr:gradient --apply fastGradient --size k=5 --size d=10 --sizes n=1000,2000
  redexter bench models/benchmark.arr:main --apply id --apply fastGradient --sizes n=2500,5000 --as-written --svg sums.svg
  redexter bench models/log_sum_exp.arr:gradient --apply fastGradient --sizes n=1000000 --way fast --threads 2

Operations stand beside times: flops, compares, reads and writes, counted by the evaluator or, behind a ≤, by their formula. \
Half of the runs lie within the spread around the median. Ctrl-C ends it; what was measured so far is shown and written.")]
pub struct BenchArgs {
    /// A model and one of its definitions
    #[arg(value_name = "MODEL.arr:NAME")]
    pub target: String,
    /// Apply a strategy first; several are measured one after another [default: id]
    #[arg(long, value_name = "STRATEGY")]
    pub apply: Vec<String>,
    /// The sizes at which it is run
    #[arg(long, value_name = "NAME=N,N,…", value_parser = sizes)]
    pub sizes: (String, Vec<u64>),
    /// Set another size (may be repeated)
    #[arg(long = "size", value_name = "NAME=N", value_parser = size)]
    pub others: Vec<(String, u64)>,
    /// How to run it: native (compiled by the system's C compiler), fast (the same, with sums in another order), futhark
    /// (by `futhark c`), blocks (without a compiler) or reference (by the evaluator)
    #[arg(long, value_name = "WAY", hide_possible_values = true, default_value = "native")]
    pub way: BackendChoice,
    /// Compile loops as they stand in the program: nothing fused, nothing moved
    #[arg(long, conflicts_with = "way")]
    pub as_written: bool,
    /// How many threads run native code: with --way native or fast
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads, conflicts_with = "as_written")]
    pub threads: u32,
    /// How long to run at each size
    #[arg(long, value_name = "SECONDS", default_value = "0.5", value_parser = seconds)]
    pub seconds: f64,
    /// Run a script for its strategies and rules (may be repeated)
    #[arg(long = "use", value_name = "SCRIPT.strat")]
    pub uses: Vec<PathBuf>,
    /// Show what was measured elsewhere, too: program, size and median_ns under a header (may be repeated)
    #[arg(long, value_name = "FILE.csv")]
    pub with: Vec<PathBuf>,
    /// Write what was measured as CSV
    #[arg(long, value_name = "FILE.csv")]
    pub csv: Option<PathBuf>,
    /// Draw it as SVG
    #[arg(long, value_name = "FILE.svg")]
    pub svg: Option<PathBuf>,
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Ways to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BackendChoice {
    /// Compiled.
    Native,
    /// Compiled, with sums in another order.
    Fast,
    /// By Futhark's compiler.
    Futhark,
    /// Without a compiler.
    Blocks,
    /// By the evaluator.
    Reference,
}

impl BenchArgs {
    /// The way that both options ask for.
    pub fn wanted(&self) -> RunMethod {
        match (self.way, self.as_written) {
            (BackendChoice::Reference, _) => RunMethod::Reference,
            (BackendChoice::Blocks, _) => RunMethod::Blocks,
            (BackendChoice::Futhark, _) => RunMethod::Futhark,
            (_, true) => RunMethod::AsWritten,
            (BackendChoice::Native, false) => RunMethod::Native,
            (BackendChoice::Fast, false) => RunMethod::Fast,
        }
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    let shape = "give a number of seconds, such as 0.5";
    text.parse().ok().filter(|s| (0.0..=3600.0).contains(s)).ok_or_else(|| shape.to_owned())
}

fn sizes(text: &str) -> Result<(String, Vec<u64>), String> {
    let shape = "give sizes as NAME=N,N,…, such as n=1000,2000";
    let (name, values) = text.split_once('=').ok_or(shape)?;
    let value = |text: &str| size(&format!("{name}={text}")).map(|(_, n)| n).map_err(|_| shape.to_owned());
    Ok((name.trim().to_owned(), values.split(',').map(value).collect::<Result<_, _>>()?))
}
