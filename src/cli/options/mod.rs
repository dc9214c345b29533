//! Defines what may stand on the command line, as data.

mod bench;
mod derivations;
mod files;
mod prompt;
mod results;

pub use bench::BenchArgs;
pub use derivations::{ApplyArgs, AskArgs, CompareArgs, QuestionArgs, TraceArgs, ValidateArgs, WhyNotArgs};
pub use files::{CheckArgs, FmtArgs, RulesArgs, RunArgs};
pub use prompt::{CompleteArgs, CompletionsArgs, HelpArgs, LearnArgs, ManualArgs, ReplArgs};
pub use results::{CArgs, EvalArgs, ExportedArgs, FutharkArgs, GradbenchArgs, JaxArgs, NestsArgs};

use clap::{Parser, Subcommand};

use super::common::CommonArgs;

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "redexter",
    version,
    disable_help_subcommand = true,
    about = "A workbench for the order of program optimisations on differentiable array programs",
    after_help = "Examples:
  redexter                                      start the REPL
  redexter models/vector_sum.arr                the same, with a model loaded
  redexter run strategies/paper.strat           run a script
  redexter apply fastGradient models/vector_sum.arr:gradient
  redexter apply 'normalize(beta)' models/vector_sum.arr:gradient
  redexter eval models/vector_sum.arr:total --input '{\"v\": [1, 2, 3]}'
  redexter export futhark models/vector_sum.arr:gradient -o gradient.fut
  redexter help schedules                       what there is to read of a topic

A strategy stands before the model that it is applied to. A path is looked for in the current folder; one in a script \
also beside the script. Where there is no such file, the models, scripts and rules that ship are found under theirs:
models/*.arr, strategies/*.strat, strategies/rules/*.strat.

Exit codes: 0 done; 1 the input is wrong or a strategy failed; 2 wrong usage; 3 a limit was reached; \
130 interrupted; 129 and 143 ended by SIGHUP and SIGTERM; 101 a bug in redexter."
)]
pub struct CommandLine {
    /// What holds for every subcommand.
    #[command(flatten)]
    pub common: CommonArgs,
    /// Take up the session that ended irregularly in this folder, the newest or the one named
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub resume: Option<String>,
    /// What to do; nothing starts the REPL.
    #[command(subcommand)]
    pub task: Option<Task>,
}

/// A subcommand.
#[derive(Debug, Subcommand)]
pub enum Task {
    Repl(ReplArgs),
    Learn(LearnArgs),
    Run(RunArgs),
    Check(CheckArgs),
    Fmt(FmtArgs),
    Apply(ApplyArgs),
    Validate(ValidateArgs),
    Compare(CompareArgs),
    Trace(TraceArgs),
    WhyNot(WhyNotArgs),
    Ask(AskArgs),
    Eval(EvalArgs),
    /// Export definitions to another language
    #[command(subcommand)]
    Export(Export),
    Bench(BenchArgs),
    Gradbench(GradbenchArgs),
    Rules(RulesArgs),
    Help(HelpArgs),
    Man(ManualArgs),
    Completions(CompletionsArgs),
    #[command(hide = true)]
    Complete(CompleteArgs),
}

/// Languages to export to.
#[derive(Debug, Subcommand)]
pub enum Export {
    Futhark(FutharkArgs),
    Jax(JaxArgs),
    C(CArgs),
    Nests(NestsArgs),
}
