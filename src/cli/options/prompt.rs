//! Defines the options of the prompt, of lessons, and of what the program says about itself.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

use crate::cli::common::CommonArgs;

/// Start the REPL, perhaps with a model or a script loaded
#[derive(Debug, Default, Args)]
#[command(after_help = "Examples:
  redexter repl
  redexter repl models/vector_sum.arr
  redexter models/vector_sum.arr            the same
  redexter strategies/vector_sum.strat      a script, whose definitions stay
  redexter --resume                         what was done before a session ended irregularly
  echo ':help' | redexter repl")]
pub struct ReplArgs {
    /// A model (.arr) or a script (.strat) to load first
    pub file: Option<PathBuf>,
    /// Take up the session that ended irregularly in this folder, the newest or the one named
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub resume: Option<String>,
    /// Save the session while one works, from a pipe, too, as at a terminal
    #[arg(long)]
    pub autosave: bool,
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Take lessons in the order of optimisations: type schedules, and read what helps
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter learn                            the first lesson whose goal isn't reached yet
  redexter learn fusion                     one of those that `:lesson list` lists
  redexter learn mine.md                    a lesson of one's own
  redexter learn --report ada.json          what was tried, the hints and what it came to, as a file to hand in
  redexter learn --grade ada.json bo.json   do it again and tabulate; nothing in the files is trusted
  redexter learn --grade *.json --lessons course --roster names.txt --csv > grades.csv
                                            a class, by the lessons in a folder: a row for each student and lesson

What was done is kept in $XDG_DATA_HOME/redexter/lessons.json, else below ~/.local/share.")]
pub struct LearnArgs {
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
    /// Grade by the lessons (.md) in DIR: these are expected of everybody
    #[arg(long, value_name = "DIR", requires = "grade")]
    pub lessons: Option<PathBuf>,
    /// Expect a file of each student in FILE, a name a line, as the files are called
    #[arg(long, value_name = "FILE", requires = "grade")]
    pub roster: Option<PathBuf>,
    /// Print the grades as CSV
    #[arg(long, requires = "grade", conflicts_with = "json")]
    pub csv: bool,
    /// Print the grades as JSON
    #[arg(long, requires = "grade")]
    pub json: bool,
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Show help on a subcommand, or on a word of the languages and the REPL
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter help apply                      the options of a subcommand
  redexter help addresses                  a topic
  redexter help :trace                     a command of the REPL
  redexter help topDown                    a strategy
  redexter help topics                     what else there is")]
pub struct HelpArgs {
    /// A subcommand, else what `:help` of the REPL takes
    #[arg(value_name = "TOPIC")]
    pub words: Vec<String>,
    #[command(flatten)]
    pub common: CommonArgs,
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
pub struct CompletionsArgs {
    /// bash, elvish, fish, powershell or zsh
    #[arg(hide_possible_values = true)]
    pub shell: Shell,
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Print the manual page, or that of a subcommand
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter man > redexter.1
  redexter man apply > redexter-apply.1")]
pub struct ManualArgs {
    /// The subcommand
    pub command: Option<String>,
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Print what could follow a command line, a candidate a line: shells ask this
#[derive(Debug, Args)]
pub struct CompleteArgs {
    /// The command line up to the cursor
    pub line: String,
    /// Where the shell takes words apart by itself: candidates begin behind the last of these characters
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    pub breaks: String,
    #[command(flatten)]
    pub common: CommonArgs,
}
