//! Defines the options of apply, validate, compare, trace, why-not and ask: of what a strategy does to a definition.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{ArgGroup, Args};

use crate::cli::common::CommonArgs;
use redexter_telling::questions;

/// Apply a strategy to definitions and print the terms that it gives
#[derive(Clone, Debug, Args)]
#[command(after_help = "Examples:
  redexter apply fastGradient models/mixture.arr:gradient
  redexter apply 'normalize(getBuild <+ letSubstN(1))' models/vector_sum.arr:gradient
  redexter apply 'try(beta) ; getBuild' models/vector_sum.arr:gradient --trace
  redexter apply fastGradient models/mixture.arr:gradient --trace=hoist
  redexter apply fuse models/vector_sum.arr:gradient --use strategies/vector_sum.strat
  redexter apply fastGradient models/dot.arr:gradient models/kmeans.arr:dir models/nmf.arr:gradient --json

Of several models is printed, in their order and to the byte, what would be printed of one after the other; each is \
worked on by itself, under its own limits. Where one of them is wrong or comes to a limit the others go on, and the exit \
code is the highest of theirs. --timeout and Ctrl-C end all of them.

--json prints one object; work is the total of flops, compares, reads and writes as a polynomial in the sizes:
  {\"term\": …, \"type\": …, \"work\": {\"before\": \"4*n^2 + n\", \"after\": \"n\"}, \"steps\": 3}
With --trace it also has the steps, each with the whole term and its work after it:
  \"trace\": [{\"rule\": \"letSubstN(1)\", \"path\": \"body\", \"term\": …, \"work\": …}, …]
--json-lines prints each of those on a line of its own, as soon as it is made.")]
pub struct ApplyArgs {
    /// A strategy, as if in parentheses; the model stands behind it
    pub strategy: String,
    /// Models and their definitions
    #[arg(required = true, value_name = "MODEL.arr:NAME")]
    pub targets: Vec<String>,
    /// Work on so many models at once [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub jobs: Option<NonZeroUsize>,
    /// Run a script for its strategies and rules (may be repeated)
    #[arg(long = "use", value_name = "SCRIPT.strat")]
    pub uses: Vec<PathBuf>,
    /// Print every step, too; or a part of the derivation, such as `120` or `fastGradient/hoist`, `/` for its stages
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub trace: Option<String>,
    /// Print one line of JSON
    #[arg(long)]
    pub json: bool,
    /// Print a line of JSON for each step
    #[arg(long, conflicts_with_all = ["json", "trace"])]
    pub json_lines: bool,
    /// Validate every step first; what is wrong isn't printed
    #[arg(long)]
    pub validate: bool,
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Go through the steps of a strategy on a definition: each is typed anew and compared on random inputs
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter validate fastGradient models/mixture.arr:gradient
  redexter validate fuse models/dot.arr:gradient --use strategies/paper.strat
  redexter validate fastGradient models/kmeans.arr:gradient --primal cost
  redexter validate fastGradient models/dot.arr:gradient --json
  redexter validate fastGradient models/mixture.arr:gradient --precision

Each step is compared at its redex, as exactly as its rule says it is; then the whole with the definition. The exit code is \
1 where something differs: the first wrong step is named, with its rule, its place and an input that shows it.")]
pub struct ValidateArgs {
    /// A strategy, as if in parentheses; the model stands behind it
    pub strategy: String,
    /// A model and one of its definitions
    #[arg(value_name = "MODEL.arr:NAME")]
    pub target: String,
    /// Run first and last term on doubles and in twice the digits, too, and name the step that loses digits
    #[arg(long)]
    pub precision: bool,
    /// Compare the result with finite differences of this definition of the model instead
    #[arg(long, value_name = "NAME")]
    pub primal: Option<String>,
    #[command(flatten)]
    pub asked: QuestionArgs,
}

/// Compare what two strategies do to a definition: where they part and meet, and what each costs
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter compare 'fastGradient | normalize(beta)' models/vector_sum.arr:gradient
  redexter compare 'fuse | split' models/dot.arr:gradient --use strategies/paper.strat
  redexter compare 'fastGradient | id' models/dot.arr:gradient --json")]
pub struct CompareArgs {
    /// Two strategies with a `|` between them
    #[arg(value_name = "STRATEGY | STRATEGY")]
    pub strategies: String,
    /// A model and one of its definitions
    #[arg(value_name = "MODEL.arr:NAME")]
    pub target: String,
    #[command(flatten)]
    pub asked: QuestionArgs,
}

/// Write what a strategy does to a definition, step by step: as a page, as notes, as a paper
#[derive(Debug, Args)]
#[command(
    group(ArgGroup::new("form").required(true).multiple(true)),
    after_help = "Examples:
  redexter trace fastGradient models/vector_sum.arr:gradient --html gradient.html
  redexter trace 'first ; fuse' models/vector_sum.arr:gradient --use strategies/paper.strat --html paper.html
  redexter trace fastGradient models/dot.arr:gradient --compare 'normalize(beta)' --html two.html
  redexter trace 'fuse ; split' models/vector_sum.arr:gradient --use strategies/paper.strat --md sum.md --latex sum.tex

A page is one file that any browser shows: the stages, the terms, each step with its rule, and the work. It needs nothing \
from elsewhere."
)]
pub struct TraceArgs {
    /// A strategy
    pub strategy: String,
    /// A model and one of its definitions
    #[arg(value_name = "MODEL.arr:NAME")]
    pub target: String,
    /// Write a page
    #[arg(long, value_name = "FILE", group = "form")]
    pub html: Option<PathBuf>,
    /// Write notes in Markdown
    #[arg(long, value_name = "FILE", group = "form")]
    pub md: Option<PathBuf>,
    /// Write a document in LaTeX, set as papers are
    #[arg(long, value_name = "FILE", group = "form")]
    pub latex: Option<PathBuf>,
    /// Write JSON for other programs
    #[arg(long, value_name = "FILE", group = "form")]
    pub json: Option<PathBuf>,
    /// On the page, beside it, what another strategy does
    #[arg(long, value_name = "STRATEGY", requires = "html", conflicts_with_all = ["md", "latex", "json"])]
    pub compare: Option<String>,
    /// Only a part: a step `120`, steps `3..9`, several `1,40,72`, a stage, a rule: `redexter help addresses` (may be repeated)
    #[arg(long = "part", value_name = "ADDRESS", conflicts_with = "compare")]
    pub parts: Vec<String>,
    /// Run a script for its strategies and rules (may be repeated)
    #[arg(long = "use", value_name = "SCRIPT.strat")]
    pub uses: Vec<PathBuf>,
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Say why a rule didn't fire in a strategy: what was in its way, and what would help
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter why-not 'letSubstN(1)' fastGradient models/vector_sum.arr:gradient
  redexter why-not getBuild 'normalize(beta)' models/dot.arr:gradient --at 3        at the term before step 3
  redexter why-not sumOneHot fastGradient models/dot.arr:gradient --at .body        at a place of the last term")]
pub struct WhyNotArgs {
    /// A rule of the book or of a script
    pub rule: String,
    /// The strategy in which it didn't fire
    pub strategy: String,
    /// A model and one of its definitions
    #[arg(value_name = "MODEL.arr:NAME")]
    pub target: String,
    /// A step, a stage, a path, a pattern: `redexter help addresses`
    #[arg(long, value_name = "ADDRESS", allow_hyphen_values = true)]
    pub at: Option<String>,
    #[command(flatten)]
    pub asked: QuestionArgs,
}

/// Ask about a definition, or about what a strategy did to it, as the REPL is asked
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter ask possible models/vector_sum.arr:gradient
  redexter ask 'orders fuse | split | onehot' models/dot.arr:gradient --use strategies/paper.strat
  redexter ask 'ablate fastGradient' models/least_squares.arr:gradient --json
  redexter ask 'why 3' models/vector_sum.arr:gradient --after fastGradient
  redexter help asking                     the questions")]
pub struct AskArgs {
    #[arg(help = format!("A command of the REPL that asks: {}", questions::names()))]
    pub question: String,
    /// A model and one of its definitions
    #[arg(value_name = "MODEL.arr:NAME")]
    pub target: String,
    /// Apply a strategy first
    #[arg(long, value_name = "STRATEGY")]
    pub after: Option<String>,
    #[command(flatten)]
    pub asked: QuestionArgs,
}

/// What every question takes.
#[derive(Debug, Args)]
pub struct QuestionArgs {
    /// Run a script for its strategies and rules (may be repeated)
    #[arg(long = "use", value_name = "SCRIPT.strat")]
    pub uses: Vec<PathBuf>,
    /// Print one line of JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub common: CommonArgs,
}

fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    text.parse()
        .map_err(|_| "give a number from 1 on, where 1 is one model after the other; or leave it out".to_owned())
}
