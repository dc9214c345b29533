//! What may stand on the command line, as data.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{ArgGroup, Args, Parser, Subcommand};
use clap_complete::Shell;

use super::common::Common;

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

A strategy stands before the model that it is applied to. A path is looked for in the current folder; one in a script
also beside the script. Where there is no such file, the models, scripts and rules that ship are found under theirs:
models/*.arr, strategies/*.strat, strategies/rules/*.strat.

Exit codes: 0 done; 1 the input is wrong or a strategy failed; 2 wrong usage; 3 a limit was reached;
130 interrupted; 129 and 143 ended by SIGHUP and SIGTERM; 101 a bug in redexter."
)]
pub struct Line {
    /// What holds for every subcommand.
    #[command(flatten)]
    pub common: Common,
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
    Repl(Repl),
    Learn(Learn),
    Run(Run),
    Check(Check),
    Fmt(Fmt),
    Apply(Apply),
    Validate(Validate),
    Compare(Compare),
    Trace(Trace),
    WhyNot(WhyNot),
    Ask(Ask),
    Eval(Eval),
    /// Export definitions to another language
    #[command(subcommand)]
    Export(Export),
    Rules(Rules),
    Help(Help),
    Man(Manual),
    Completions(Completions),
    #[command(hide = true)]
    Complete(Complete),
}

/// Languages to export to.
#[derive(Debug, Subcommand)]
pub enum Export {
    Futhark(Futhark),
}

/// Start the REPL, perhaps with a model or a script loaded
#[derive(Debug, Default, Args)]
#[command(after_help = "Examples:
  redexter repl
  redexter repl models/vector_sum.arr
  redexter models/vector_sum.arr            the same
  redexter strategies/vector_sum.strat      a script, whose definitions stay
  redexter --resume                         what was done before a session ended irregularly
  echo ':help' | redexter repl")]
pub struct Repl {
    /// A model (.arr) or a script (.strat) to load first
    pub file: Option<PathBuf>,
    /// Take up the session that ended irregularly in this folder, the newest or the one named
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub resume: Option<String>,
    /// Save the session while one works, from a pipe, too, as at a terminal
    #[arg(long)]
    pub autosave: bool,
    #[command(flatten)]
    pub common: Common,
}

/// Take lessons in the order of optimisations: type schedules, and read what helps
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter learn                            the first lesson whose goal isn't reached yet
  redexter learn fusion                     one of those that `:lesson list` lists
  redexter learn mine.md                    a lesson of one's own
  redexter learn --report ada.json          what was tried, the hints and what it came to, as a file to hand in
  redexter learn --grade ada.json bo.json   do it again and tabulate; nothing in the files is trusted

What was done is kept in $XDG_DATA_HOME/redexter/lessons.json, else below ~/.local/share.")]
pub struct Learn {
    /// A lesson's name or number, or a lesson's file (.md)
    #[arg(conflicts_with_all = ["report", "grade"])]
    pub lesson: Option<String>,
    /// Forget what was done before
    #[arg(long, conflicts_with = "report")]
    pub reset: bool,
    /// Write what was done to FILE
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Check such files by doing again what they say
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["report", "reset"])]
    pub grade: Vec<PathBuf>,
    #[command(flatten)]
    pub common: Common,
}

/// Run a script
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter run strategies/paper.strat
  redexter run strategies/paper.strat 250 500
  redexter run bench.strat -- --fast        everything after -- goes to the script
  redexter run - < strategies/dot.strat     a script on standard input")]
pub struct Run {
    /// The script (.strat); - is standard input
    pub script: PathBuf,
    /// The script's `args`; what begins with - must follow --
    pub args: Vec<String>,
    #[command(flatten)]
    pub common: Common,
}

/// Read and type-check models (.arr) and scripts (.strat), replay documents (.md), and say what is wrong
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter check models/*.arr strategies/*.strat
  redexter check lesson.md                  its sessions have the answers that stand there
  redexter check --update lesson.md         writes down the answers that are given now
  redexter check - < models/dot.arr         standard input

A script is parsed and its rules and strategies are checked; it isn't run. Of a document are checked the blocks that
begin with ```session, ```arr and ```strat; what these write isn't kept.")]
pub struct Check {
    /// The files; - is standard input, a model if it begins a line with `def` or reads as one, else a script
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// In documents, put the answers that are given now in the place of others
    #[arg(long)]
    pub update: bool,
    #[command(flatten)]
    pub common: Common,
}

/// Lay out models (.arr), and the rules and strategies of scripts (.strat)
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter fmt models/*.arr strategies/*.strat
  redexter fmt --check my.arr               only says what isn't formatted
  redexter fmt - < my.arr                   standard input to standard output

Blanks, blank lines and indentation follow from the text; lines break where they did, but each law gets a line. Of a
script only the statements `rule` and `strategy` change, unless code of the script language stands in them.")]
pub struct Fmt {
    /// The files; - is standard input, a model if it begins a line with `def` or reads as one, else a script
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Change nothing; the exit code is 1 where something would change
    #[arg(long)]
    pub check: bool,
    #[command(flatten)]
    pub common: Common,
}

/// Apply a strategy to definitions and print the terms that it gives
#[derive(Clone, Debug, Args)]
#[command(after_help = "Examples:
  redexter apply fastGradient models/mixture.arr:gradient
  redexter apply 'normalize(getBuild <+ letSubstN(1))' models/vector_sum.arr:gradient
  redexter apply 'try(beta) ; getBuild' models/vector_sum.arr:gradient --trace
  redexter apply fastGradient models/mixture.arr:gradient --trace=hoist
  redexter apply fuse models/vector_sum.arr:gradient --use strategies/vector_sum.strat
  redexter apply fastGradient models/dot.arr:gradient models/kmeans.arr:dir models/nmf.arr:gradient --json

Of several models is printed, in their order and to the byte, what would be printed of one after the other; each is
worked on by itself, under its own limits. Where one of them is wrong or comes to a limit the others go on, and the exit
code is the highest of theirs. --timeout and Ctrl-C end all of them.

--json prints one object; work is the total of flops, compares, reads and writes as a polynomial in the sizes:
  {\"term\": …, \"type\": …, \"work\": {\"before\": \"4*n^2 + n\", \"after\": \"n\"}, \"steps\": 3}
With --trace it also has the steps, each with the whole term and its work after it:
  \"trace\": [{\"rule\": \"letSubstN(1)\", \"path\": \"body\", \"term\": …, \"work\": …}, …]
--json-lines prints each of those on a line of its own, as soon as it is made.")]
pub struct Apply {
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
    pub common: Common,
}

/// Go through the steps of a strategy on a definition: each is typed anew and compared on random inputs
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter validate fastGradient models/mixture.arr:gradient
  redexter validate fuse models/dot.arr:gradient --use strategies/paper.strat
  redexter validate fastGradient models/kmeans.arr:gradient --primal cost
  redexter validate fastGradient models/dot.arr:gradient --json

Each step is compared at its redex, as exactly as its rule says it is; then the whole with the definition. The exit code is
1 where something differs: the first wrong step is named, with its rule, its place and an input that shows it.")]
pub struct Validate {
    /// A strategy, as if in parentheses; the model stands behind it
    pub strategy: String,
    /// A model and one of its definitions
    #[arg(value_name = "MODEL.arr:NAME")]
    pub target: String,
    /// Compare the result with finite differences of this definition of the model instead
    #[arg(long, value_name = "NAME")]
    pub primal: Option<String>,
    #[command(flatten)]
    pub asked: Asked,
}

/// Compare what two strategies do to a definition: where they part and meet, and what each costs
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter compare 'fastGradient | normalize(beta)' models/vector_sum.arr:gradient
  redexter compare 'fuse | split' models/dot.arr:gradient --use strategies/paper.strat
  redexter compare 'fastGradient | id' models/dot.arr:gradient --json")]
pub struct Compare {
    /// Two strategies with a `|` between them
    #[arg(value_name = "STRATEGY | STRATEGY")]
    pub strategies: String,
    /// A model and one of its definitions
    #[arg(value_name = "MODEL.arr:NAME")]
    pub target: String,
    #[command(flatten)]
    pub asked: Asked,
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

A page is one file that any browser shows: the stages, the terms, each step with its rule, and the work. It needs nothing
from elsewhere."
)]
pub struct Trace {
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
    /// On the page, beside it, what another strategy does
    #[arg(long, value_name = "STRATEGY", requires = "html", conflicts_with_all = ["md", "latex"])]
    pub compare: Option<String>,
    /// Run a script for its strategies and rules (may be repeated)
    #[arg(long = "use", value_name = "SCRIPT.strat")]
    pub uses: Vec<PathBuf>,
    #[command(flatten)]
    pub common: Common,
}

/// Say why a rule didn't fire in a strategy: what was in its way, and what would help
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter why-not 'letSubstN(1)' fastGradient models/vector_sum.arr:gradient
  redexter why-not getBuild 'normalize(beta)' models/dot.arr:gradient --at 3        at the term before step 3
  redexter why-not sumOneHot fastGradient models/dot.arr:gradient --at .body        at a place of the last term")]
pub struct WhyNot {
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
    pub asked: Asked,
}

/// Ask about a definition, or about what a strategy did to it, as the REPL is asked
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter ask possible models/vector_sum.arr:gradient
  redexter ask 'orders fuse | split | onehot' models/dot.arr:gradient --use strategies/paper.strat
  redexter ask 'ablate fastGradient' models/least_squares.arr:gradient --json
  redexter ask 'why 3' models/vector_sum.arr:gradient --after fastGradient
  redexter help asking                     the questions")]
pub struct Ask {
    /// A command of the REPL that asks: possible, preview, graph, why, why-not, compare, ablate, orders, interact, search, validate
    pub question: String,
    /// A model and one of its definitions
    #[arg(value_name = "MODEL.arr:NAME")]
    pub target: String,
    /// Apply a strategy first
    #[arg(long, value_name = "STRATEGY")]
    pub after: Option<String>,
    #[command(flatten)]
    pub asked: Asked,
}

/// What every question takes.
#[derive(Debug, Args)]
pub struct Asked {
    /// Run a script for its strategies and rules (may be repeated)
    #[arg(long = "use", value_name = "SCRIPT.strat")]
    pub uses: Vec<PathBuf>,
    /// Print one line of JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub common: Common,
}

/// Evaluate a definition, or count what that executes
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter eval models/vector_sum.arr:total --input '{\"v\": [1, 2, 3]}'
  redexter eval models/vector_sum.arr:total --input data.json --count
  redexter eval models/vector_sum.arr:total --input - < data.json
  redexter eval models/benchmark.arr:main --size n=1000 --count
  redexter eval models/vector_sum.arr:gradient --apply 'normalize(beta)' --input '{\"v\": [1]}'")]
pub struct Eval {
    /// A model and one of its definitions
    #[arg(value_name = "MODEL.arr:NAME")]
    pub target: String,
    /// A JSON object from parameters to values, or the name of a file that holds one; - is standard input
    #[arg(long, value_name = "JSON|FILE|-")]
    pub input: Option<String>,
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
    #[command(flatten)]
    pub common: Common,
}

/// Show the rule book: law, conditions, exactness
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter rules
  redexter rules letSubstN                 all about one rule, with an example
  redexter rules --group folds             a part of the book
  redexter rules --find 'build n'          rules whose name, laws, conditions or explanation contain a text")]
pub struct Rules {
    /// One rule
    #[arg(conflicts_with_all = ["group", "find"])]
    pub name: Option<String>,
    /// Only the groups whose heading contains TEXT
    #[arg(long, value_name = "TEXT")]
    pub group: Option<String>,
    /// Only the rules that contain TEXT
    #[arg(long, value_name = "TEXT")]
    pub find: Option<String>,
    #[command(flatten)]
    pub common: Common,
}

/// Show help on a subcommand, or on a word of the languages and the REPL
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter help apply                      the options of a subcommand
  redexter help addresses                  a topic
  redexter help :trace                     a command of the REPL
  redexter help topDown                    a strategy
  redexter help topics                     what else there is")]
pub struct Help {
    /// A subcommand, else what `:help` of the REPL takes
    #[arg(value_name = "TOPIC")]
    pub words: Vec<String>,
    #[command(flatten)]
    pub common: Common,
}

/// Print completions for a shell
#[derive(Debug, Args)]
#[command(
    after_help = "In bash and fish they know strategies, rules, models with their definitions, stages and topics.

Examples:
  redexter completions bash > ~/.local/share/bash-completion/completions/redexter
  redexter completions zsh > \"${fpath[1]}/_redexter\"
  redexter completions fish > ~/.config/fish/completions/redexter.fish"
)]
pub struct Completions {
    /// bash, elvish, fish, powershell or zsh
    #[arg(hide_possible_values = true)]
    pub shell: Shell,
    #[command(flatten)]
    pub common: Common,
}

/// Print the manual page, or that of a subcommand
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter man > redexter.1
  redexter man apply > redexter-apply.1")]
pub struct Manual {
    /// The subcommand
    pub command: Option<String>,
    #[command(flatten)]
    pub common: Common,
}

/// Print what could follow a command line, a candidate a line: shells ask this
#[derive(Debug, Args)]
pub struct Complete {
    /// The command line up to the cursor
    pub line: String,
    /// Where the shell takes words apart by itself: candidates begin behind the last of these characters
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    pub breaks: String,
    #[command(flatten)]
    pub common: Common,
}

/// Futhark: one entry point for each definition
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter export futhark models/vector_sum.arr:gradient
  redexter export futhark models/vector_sum.arr:total models/vector_sum.arr:gradient -o sums.fut
  redexter export futhark models/vector_sum.arr:gradient --apply 'normalize(getBuild <+ letSubstN(1))'")]
pub struct Futhark {
    /// Models and their definitions
    #[arg(required = true, value_name = "MODEL.arr:NAME")]
    pub targets: Vec<String>,
    /// Apply a strategy to each first
    #[arg(long, value_name = "STRATEGY")]
    pub apply: Option<String>,
    /// Run a script for its strategies and rules (may be repeated)
    #[arg(long = "use", value_name = "SCRIPT.strat")]
    pub uses: Vec<PathBuf>,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE.fut")]
    pub output: Option<PathBuf>,
    /// Loops stay loops: no reduce
    #[arg(long)]
    pub sequential: bool,
    #[command(flatten)]
    pub common: Common,
}

fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    text.parse()
        .map_err(|_| "give a number from 1 on, where 1 is one model after the other; or leave it out".to_owned())
}

fn size(text: &str) -> Result<(String, u64), String> {
    let shape = "give a size as NAME=N, such as n=5";
    let (name, value) = text.split_once('=').ok_or(shape)?;
    let value = value.trim().parse::<u64>().ok().filter(|v| *v <= i64::MAX as u64).ok_or(shape)?;
    match name.trim() {
        "" => Err(shape.to_owned()),
        name => Ok((name.to_owned(), value)),
    }
}
