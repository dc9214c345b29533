//! Defines the options of eval, export and gradbench: of evaluating and exporting definitions.

use std::path::PathBuf;

use clap::Args;

use crate::cli::common::CommonArgs;
use crate::cli::threads::threads;

/// Evaluate a definition, or count what that executes
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter eval models/vector_sum.arr:total --input '{\"v\": [1, 2, 3]}'
  redexter eval models/vector_sum.arr:total --input data.json --count
  redexter eval models/vector_sum.arr:total --input - < data.json
  redexter eval models/benchmark.arr:main --size n=1000 --count
  redexter eval models/vector_sum.arr:gradient --apply 'normalize(beta)' --input '{\"v\": [1]}'
  redexter eval models/vector_sum.arr:total --input data.json --native
  redexter eval models/log_sum_exp.arr:gradient --apply fastGradient --input data.json --native --fast --threads 2
  redexter eval models/vector_sum.arr:gradient --input v=data.npy --output gradient.npy
  redexter eval models/dot.arr:gradient --input data.npz --output gradient.npz

An .npz has an array for each parameter, under its name, and a number is one without dimensions. The halves of a pair p \
are the arrays p.0 and p.1, and so on inwards; an array of pairs is the array of all first halves and that of all second \
ones. A result that is a pair is the arrays 0 and 1 of an .npz, what is no pair there the array result. Reals are \
written as float64, and read from float32 and whole numbers, too, where that is exact; ints and indices are int64, and \
read from all whole numbers. Sizes follow from the shapes, or stand in the .npz under their names.")]
pub struct EvalArgs {
    /// A model and one of its definitions
    #[arg(value_name = "MODEL.arr:NAME")]
    pub target: String,
    /// A JSON object from parameters to values, or the name of a file that holds one (- is standard input); NAME=VALUE;
    /// NAME=FILE.npy, an array for a parameter; FILE.npz, arrays by the names of parameters (may be repeated)
    #[arg(long, value_name = "JSON|FILE|NAME=VALUE|NAME=FILE|-")]
    pub input: Vec<String>,
    /// Write the result to a file instead of standard output: an array as .npy, or all that it is made of as .npz
    #[arg(short, long, value_name = "FILE.npy|FILE.npz", conflicts_with = "count")]
    pub output: Option<PathBuf>,
    /// Set a size that the inputs don't (may be repeated)
    #[arg(long = "size", value_name = "NAME=N", value_parser = size)]
    pub sizes: Vec<(String, u64)>,
    /// Apply a strategy first
    #[arg(long, value_name = "STRATEGY")]
    pub apply: Option<String>,
    /// Run a script for its strategies and rules (may be repeated)
    #[arg(long = "use", value_name = "SCRIPT.strat")]
    pub uses: Vec<PathBuf>,
    /// Print what was executed instead: flops, compares, reads, writes, iterations
    #[arg(long)]
    pub count: bool,
    /// Say instead where the first NaN of the result comes from, or else the first infinity
    #[arg(long, conflicts_with_all = ["count", "native", "output", "reference", "time"])]
    pub why_nan: bool,
    /// Compile it with the system's C compiler ($CC, else cc) and run that: the same result, to the bit
    #[arg(long, conflicts_with = "count")]
    pub native: bool,
    /// Sums may be added in another order, and functions be the C library's: with --native
    #[arg(long, requires = "native")]
    pub fast: bool,
    /// How many threads run it: with --native. Results stay the same to the bit; with --fast they depend on the number
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads, requires = "native")]
    pub threads: u32,
    /// Run it by the evaluator, which defines what programs mean
    #[arg(long, conflicts_with_all = ["native", "count"])]
    pub reference: bool,
    /// Say what ran it, and how long that took
    #[arg(long, conflicts_with = "count")]
    pub time: bool,
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Futhark: one entry point for each definition
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter export futhark models/vector_sum.arr:gradient
  redexter export futhark models/vector_sum.arr:total models/vector_sum.arr:gradient -o sums.fut
  redexter export futhark models/vector_sum.arr:gradient --apply 'normalize(getBuild <+ letSubstN(1))'")]
pub struct FutharkArgs {
    #[command(flatten)]
    pub what: ExportedArgs,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE.fut")]
    pub output: Option<PathBuf>,
    /// Loops stay loops: no reduce
    #[arg(long)]
    pub sequential: bool,
    #[command(flatten)]
    pub common: CommonArgs,
}

/// JAX: a Python module with one pure function for each definition
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter export jax models/logistic.arr:loss
  redexter export jax models/logistic.arr:gradient --apply fastGradient -o logistic.py
  redexter export jax models/logistic.arr:loss --derivative models/logistic.arr:gradient --apply fastGradient
  redexter export jax models/logistic.arr:gradient --apply fastGradient --shard n --artifact

Functions take arrays of NumPy or JAX, in float32 or float64, and their sizes from these; they work under jax.jit, vmap and \
grad. Sizes that no array has are parameters in front, static under jit.")]
pub struct JaxArgs {
    #[command(flatten)]
    pub what: ExportedArgs,
    /// The derivative under which JAX is to know the definition, which --apply then leaves alone: jax.grad calls it
    #[arg(long, value_name = "MODEL.arr:NAME")]
    pub derivative: Option<String>,
    /// The arguments that it is by, in their order, where types don't tell
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "derivative")]
    pub by: Vec<String>,
    /// Add functions that write each definition into a file of jax.export, for any sizes
    #[arg(long)]
    pub artifact: bool,
    /// Add functions whose data is split over devices along these sizes, with one sum over devices for each sum
    #[arg(long, value_name = "SIZE", value_delimiter = ',')]
    pub shard: Vec<String>,
    /// Make the module a program, too: python FILE.py GIVEN.npz RESULT.npz, on the devices that there are
    #[arg(long)]
    pub main: bool,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE.py")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub common: CommonArgs,
}

/// C: a header and a source with one function for each definition
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter export c models/vector_sum.arr:gradient
  redexter export c models/vector_sum.arr:total models/vector_sum.arr:gradient -o sums
  redexter export c models/mixture.arr:gradient --apply 'normalize(getBuild <+ letSubstN(1))' -o mixture

The functions allocate nothing: results and an arena, whose size a function of its own tells, are the caller's. \
They run on the caller's thread, and may do so on several at once with an arena each.")]
pub struct CArgs {
    #[command(flatten)]
    pub what: ExportedArgs,
    /// Write FILE.h and FILE.c instead of both to standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Sums may be added in another order
    #[arg(long)]
    pub fast: bool,
    /// How many doubles a vector of GNU C has: 1 (plain C11), 2, 4 or 8
    #[arg(long, value_name = "N", default_value = "4", value_parser = vectors)]
    pub vectors: u32,
    /// Compare each index with its dimension where it is used; what is outside ends the program
    #[arg(long)]
    pub checked: bool,
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Loop nests as text, for people: what C is written from
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter export nests models/vector_sum.arr:gradient")]
pub struct NestsArgs {
    #[command(flatten)]
    pub what: ExportedArgs,
    /// Loops as they stand in the program, none fused
    #[arg(long, conflicts_with = "fast")]
    pub as_written: bool,
    /// Sums may be added in another order
    #[arg(long)]
    pub fast: bool,
    /// Print what is proved of each access behind the loops: between what its indices are, and how long the dimension is
    #[arg(long)]
    pub checked: bool,
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Take part in GradBench: answer the messages of its protocol
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter gradbench < messages.jsonl
  gradbench run --eval \"gradbench eval llsq\" --tool \"redexter gradbench --threads 2\"

Each line of the standard input is a message, and gets a line as its answer. There are the modules hello, llsq, lse, kmeans, \
gmm and ba, from the models that ship after their schedules.")]
pub struct GradbenchArgs {
    /// How many threads run each function
    #[arg(long, value_name = "N", default_value = "1", value_parser = threads)]
    pub threads: u32,
    #[command(flatten)]
    pub common: CommonArgs,
}

/// What is exported.
#[derive(Debug, Args)]
pub struct ExportedArgs {
    /// Models and their definitions
    #[arg(required = true, value_name = "MODEL.arr:NAME")]
    pub targets: Vec<String>,
    /// Apply a strategy to each first
    #[arg(long, value_name = "STRATEGY")]
    pub apply: Option<String>,
    /// Run a script for its strategies and rules (may be repeated)
    #[arg(long = "use", value_name = "SCRIPT.strat")]
    pub uses: Vec<PathBuf>,
}

pub(super) fn size(text: &str) -> Result<(String, u64), String> {
    let shape = "give a size as NAME=N, such as n=5";
    let (name, value) = text.split_once('=').ok_or(shape)?;
    let value = value.trim().parse::<u64>().ok().filter(|v| *v <= i64::MAX as u64).ok_or(shape)?;
    match name.trim() {
        "" => Err(shape.to_owned()),
        name => Ok((name.to_owned(), value)),
    }
}

/// How many doubles a vector may have.
fn vectors(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(n @ (1 | 2 | 4 | 8)) => Ok(n),
        _ => Err("it is 1, 2, 4 or 8".to_owned()),
    }
}
