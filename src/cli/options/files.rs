//! Defines the options of run, check, fmt and rules: of what reads files and the rule book.

use std::path::PathBuf;

use clap::Args;

use crate::cli::common::CommonArgs;

/// Run a script
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter run strategies/paper.strat
  redexter run strategies/paper.strat 250 500
  redexter run bench.strat -- --fast        everything after -- goes to the script
  redexter run - < strategies/dot.strat     a script on standard input")]
pub struct RunArgs {
    /// The script (.strat); - is standard input
    pub script: PathBuf,
    /// The script's `args`; what begins with - must follow --
    pub args: Vec<String>,
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Read and type-check models (.arr) and scripts (.strat), replay documents (.md), and say what is wrong
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter check models/*.arr strategies/*.strat
  redexter check lesson.md                  its sessions have the answers that stand there
  redexter check --update lesson.md         writes down the answers that are given now
  redexter check --thorough my.strat        its rules on 500 terms each
  redexter check --ends my.strat            whether its strategies go round or end
  redexter check --ends my.strat --beside old.strat    whether what is new makes them
  redexter check - < models/dot.arr         standard input

A script is parsed and its rules and strategies are checked; it isn't run. Of a document are checked the blocks that \
begin with ```session, ```arr and ```strat; what these write isn't kept.")]
pub struct CheckArgs {
    /// The files; - is standard input, a model if it begins a line with `def` or reads as one, else a script
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// In documents, put the answers that are given now in the place of others
    #[arg(long)]
    pub update: bool,
    /// Test the rules of scripts as hard as those that ship are, and say how much was tried of each
    #[arg(long)]
    pub thorough: bool,
    /// Say of each strategy that the scripts define whether its rules go round or end; the exit code is 1 where one loops
    #[arg(long, conflicts_with_all = ["update", "thorough"])]
    pub ends: bool,
    /// Look only for ways round by a rule that the strategy of the same name in OLD.strat lacks
    #[arg(long, value_name = "OLD.strat", requires = "ends")]
    pub beside: Option<PathBuf>,
    /// Print one line of JSON for each file
    #[arg(long, requires = "ends")]
    pub json: bool,
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Lay out models (.arr), and the rules and strategies of scripts (.strat)
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter fmt models/*.arr strategies/*.strat
  redexter fmt --check my.arr               only says what isn't formatted
  redexter fmt - < my.arr                   standard input to standard output

Blanks, blank lines and indentation follow from the text; lines break where they did, but each law gets a line. Of a \
script only the statements `rule` and `strategy` change, unless code of the script language stands in them.")]
pub struct FmtArgs {
    /// The files; - is standard input, a model if it begins a line with `def` or reads as one, else a script
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Change nothing; the exit code is 1 where something would change
    #[arg(long)]
    pub check: bool,
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Show the rule book: law, conditions, exactness
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  redexter rules
  redexter rules letSubstN                 all about one rule, with an example
  redexter rules --group folds             a part of the book
  redexter rules --find 'build n'          rules whose name, laws, conditions or explanation contain a text")]
pub struct RulesArgs {
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
    pub common: CommonArgs,
}
