//! Defines the options that every subcommand takes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Options that every subcommand takes, and that may stand before it, too.
#[derive(Clone, Debug, Default, Args)]
pub struct CommonArgs {
    /// Stop after N rewrites and unfoldings of strategies [default: 1000000]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_steps: Option<u64>,
    /// Stop at a term of more than N nodes [default: 10000000]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_size: Option<u64>,
    /// Stop at nesting deeper than N [default: 100000]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_depth: Option<u32>,
    /// Stop where more than MB megabytes of memory are held [default: half of the machine's]
    #[arg(long, value_name = "MB", help_heading = "Limits")]
    pub max_memory: Option<u64>,
    /// Stop after so many seconds [default: no limit]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Limits")]
    pub timeout: Option<f64>,
    /// Let scripts read and write below DIR, too (may be repeated)
    #[arg(long, value_name = "DIR", help_heading = "General")]
    pub allow: Vec<PathBuf>,
    /// Write over files that were read, or that are of another kind than what is written
    #[arg(long, help_heading = "General")]
    pub force: bool,
    /// Leave out the derived combinators and the general schedule: only what is primitive is there from the start
    #[arg(long, help_heading = "General")]
    pub bare: bool,
    /// Colour the output: auto (on a terminal, unless NO_COLOR is set), always or never [default: auto]
    #[arg(long, value_name = "WHEN", hide_possible_values = true, help_heading = "General")]
    pub color: Option<ColorChoice>,
}

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl ColorChoice {
    /// Whether to colour, where that is said.
    pub fn wanted(self) -> Option<bool> {
        match self {
            ColorChoice::Auto => None,
            ColorChoice::Always => Some(true),
            ColorChoice::Never => Some(false),
        }
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if s.is_finite() && (0.0..=1e9).contains(&s) => Ok(s),
        _ => Err("give a number of seconds, such as 10 or 0.5".to_owned()),
    }
}

impl CommonArgs {
    /// The options after the subcommand, completed by those before it.
    pub fn or(self, before: CommonArgs) -> CommonArgs {
        let mut allow = before.allow;
        allow.extend(self.allow);
        CommonArgs {
            max_steps: self.max_steps.or(before.max_steps),
            max_size: self.max_size.or(before.max_size),
            max_depth: self.max_depth.or(before.max_depth),
            max_memory: self.max_memory.or(before.max_memory),
            timeout: self.timeout.or(before.timeout),
            allow,
            force: self.force || before.force,
            bare: self.bare || before.bare,
            color: self.color.or(before.color),
        }
    }
}
