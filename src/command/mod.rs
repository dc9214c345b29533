//! The commands of the REPL: one table, and lines that begin with a colon as data.

mod arguments;
mod walking;

use std::path::PathBuf;

use crate::derivation::Address;
use crate::ground::text::listed;
use crate::ground::{Diagnostic, code, name};
pub use arguments::no_address;
use arguments::{bare, count, file, misused};
pub use walking::Walking;

/// A line that begins with a colon.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Loads a model or runs a script.
    Load(PathBuf),
    /// Shows the current term.
    Show,
    /// The type of the current term, or of a definition or term.
    Type(Option<String>),
    /// The first rewrite of a strategy; the rest stays pending.
    StepInto(String),
    /// A strategy from an earlier term: the last one, from where it began, unless others are named.
    Replay(Option<Address>, Option<String>),
    /// Loads again what was loaded.
    Reload,
    /// About the derivation of the current term.
    Walk(Walking),
    /// The rules whose name or law contains a text.
    Rules(Option<String>),
    /// All about one rule.
    Rule(String),
    /// The strategies that are defined.
    Strategies,
    /// All about one strategy, or about a library.
    Strategy(String),
    /// Evaluates the current term on inputs.
    Eval(String),
    /// Counts what evaluating the current term executes.
    Count(String),
    /// The symbolic work of the current term.
    Cost,
    /// Draws what [`Walking::Plot`] does into a file.
    PlotTo(Option<Address>, PathBuf),
    /// Exports the current term to Futhark.
    ExportFuthark(PathBuf),
    /// Writes a script that does again what was done.
    Save(PathBuf),
    /// Shows the limits.
    Limits,
    /// Changes a limit.
    Set(Setting, String),
    /// Ends the session.
    Quit,
    /// Help, on everything or on one command.
    Help(Option<&'static CommandInfo>),
}

/// A limit by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// `max-steps`
    MaxSteps,
    /// `max-size`
    MaxSize,
    /// `max-depth`
    MaxDepth,
    /// `timeout`
    Timeout,
}

impl Setting {
    /// Every limit, as users write it.
    pub const ALL: &[(&str, Setting)] = &[
        ("max-steps", Setting::MaxSteps),
        ("max-size", Setting::MaxSize),
        ("max-depth", Setting::MaxDepth),
        ("timeout", Setting::Timeout),
    ];
}

/// What the argument of a command is, for completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// None.
    Nothing,
    /// A file's name.
    File,
    /// A file's name after the word `futhark`.
    Export,
    /// A rule's name.
    Rule,
    /// Something of the script language.
    Expression,
    /// A limit's name.
    Setting,
    /// A command's name.
    Command,
    /// A number or JSON: nothing to complete.
    Free,
}

/// What is known about a command.
#[derive(Debug, PartialEq, Eq)]
pub struct CommandInfo {
    /// Its name, without the colon.
    pub name: &'static str,
    /// Its arguments, as in a usage line.
    pub usage: &'static str,
    /// What the argument is.
    pub argument: Argument,
    /// What it does, in one line.
    pub summary: &'static str,
    /// An example.
    pub example: &'static str,
    /// The method of a script's walk, where its name is another one.
    other: Option<&'static str>,
}

impl CommandInfo {
    /// Whether it is about a derivation: then a script's walk has it as a method.
    pub fn is_about_a_derivation(&self) -> bool {
        matches!(Command::parse(self.example), Ok(Command::StepInto(_) | Command::Walk(_)))
    }

    /// The name of that method: its own, where the script language has no other meaning for it.
    pub fn method(&self) -> &'static str {
        self.other.unwrap_or(self.name)
    }
}

macro_rules! table {
    ($($name:literal $usage:literal $argument:ident $summary:literal $example:literal $(as $method:literal)?;)*) => {
        &[$(CommandInfo {
            name: $name,
            usage: $usage,
            argument: Argument::$argument,
            summary: $summary,
            example: $example,
            other: [$($method)?].first().copied(),
        }),*]
    };
}

/// Every command, in the order of `:help`.
pub const COMMANDS: &[CommandInfo] = table! {
    "load" "FILE" File "load a model (.arr) or run a script (.strat)" ":load models/vector_sum.arr";
    "show" "" Nothing "show the current term" ":show";
    "type" "[TERM]" Expression "the type of the current term, or of another" ":type gradient";
    "step" "[STRATEGY | N]" Expression "take a strategy's first rewrite, or N more" ":step normalize(getBuild <+ beta)";
    "continue" "" Nothing "take all rewrites that are pending" ":continue" as "go_on";
    "stop" "" Nothing "drop the rewrites that are pending" ":stop";
    "undo" "[N]" Free "take back the last change of the term, or the last N" ":undo 2";
    "redo" "[N]" Free "do again what was taken back" ":redo";
    "trace" "[ADDRESS]" Free "what was done: a table of stages, or a stage, a step, several" ":trace fastGradient/hoist";
    "goto" "ADDRESS" Free "make the term after a step, after a stage or with a tag the current one" ":goto 120" as "go_to";
    "log" "" Nothing "every term that was current, with branches and tags" ":log";
    "tag" "NAME" Free "give the current term a name" ":tag fused";
    "diff" "ADDRESS [ADDRESS]" Free "how a term differs from the current one, or from another" ":diff 0 120";
    "plot" "[ADDRESS] [FILE.svg]" Free "the work over the steps, as a drawing here or in a file" ":plot fastGradient";
    "replay" "[from ADDRESS] [STRATEGY]" Expression "run a strategy from an earlier term: a branch, compared with what was there" ":replay from 120 fastGradient";
    "reload" "" Nothing "load again what was loaded, and say what changed" ":reload";
    "rules" "[TEXT]" Rule "the rule book, or the rules that contain a text" ":rules build";
    "rule" "NAME" Rule "a rule: laws, conditions, source, example, what it enables" ":rule letSubstN";
    "strategies" "[NAME]" Expression "all strategies and libraries, or all about one" ":strategies topDown";
    "eval" "{JSON} | NAME=VALUE…" Free "evaluate the current term" ":eval v=[1, 2, 3]";
    "count" "{JSON} | NAME=VALUE…" Free "count what evaluating the current term executes" ":count {\"v\": [1, 2]} n=2";
    "cost" "" Nothing "the current term's work as formulas in its sizes" ":cost";
    "export" "futhark FILE" Export "export the current term" ":export futhark out.fut";
    "save" "FILE.strat" File "write a script that does again what was done" ":save session.strat";
    "set" "[LIMIT VALUE]" Setting "show the limits, or change one" ":set max-steps 5000";
    "quit" "" Nothing "leave" ":quit";
    "help" "[COMMAND]" Command "this list, or more on one command" ":help step";
};

/// Other names for commands: short forms that mean one of several, and another word.
const NAMES: &[(&str, &str)] = &[("l", "load"), ("lo", "load"), ("exit", "quit")];

/// The command with this name; shorter forms such as `:q` are understood where only one command begins so.
pub fn info(word: &str) -> Result<&'static CommandInfo, Diagnostic> {
    let word = NAMES.iter().find(|(name, _)| *name == word).map_or(word, |(_, meant)| meant);
    if let Some(info) = COMMANDS.iter().find(|e| e.name == word) {
        return Ok(info);
    }
    let begin: Vec<&CommandInfo> = COMMANDS.iter().filter(|e| !word.is_empty() && e.name.starts_with(word)).collect();
    if let [only] = begin[..] {
        return Ok(only);
    }
    let unknown = Diagnostic::error(code::COMMAND, format!("there is no command `:{word}`"));
    if !begin.is_empty() {
        let all = listed(begin.iter().map(|e| format!("`:{}`", e.name)));
        return Err(unknown.help(format!("which one: {all}?")));
    }
    Err(match name::nearest(word, COMMANDS.iter().map(|e| e.name)) {
        Some(near) => unknown.help(format!("did you mean `:{near}`?")),
        None => unknown.help("`:help` lists the commands"),
    })
}

/// The part of a command's line that is in the script language, if there is one.
pub fn expression(line: &str) -> Option<&str> {
    let (info, rest) = split(line).ok()?;
    (info.argument == Argument::Expression).then_some(rest)
}

/// A command line's command and what follows its name.
fn split(line: &str) -> Result<(&'static CommandInfo, &str), Diagnostic> {
    let line = line.trim().trim_start_matches(':').trim_start();
    let end = line.find(|c: char| !c.is_alphanumeric() && c != '-' && c != '_').unwrap_or(line.len());
    let (word, rest) = line.split_at(end);
    Ok((info(word)?, rest.trim()))
}

/// The command that a line without a colon was probably meant to be.
pub fn without_colon(line: &str) -> Option<&'static CommandInfo> {
    let word = line.split_whitespace().next()?;
    let meant = if word == "exit" { "quit" } else { word };
    COMMANDS.iter().find(|e| e.name == meant)
}

impl Command {
    /// Reads a line that begins with a colon.
    pub fn parse(line: &str) -> Result<Command, Diagnostic> {
        let (info, rest) = split(line)?;
        Command::of(info, rest)
    }

    /// Reads what follows a command's name.
    pub fn of(info: &CommandInfo, rest: &str) -> Result<Command, Diagnostic> {
        if info.usage.is_empty() && !rest.is_empty() {
            return Err(misused(info, format!("`:{}` takes no argument", info.name)));
        }
        let some = (!rest.is_empty()).then(|| rest.to_owned());
        Ok(match info.name {
            "load" => Command::Load(file(info, rest)?),
            "show" => Command::Show,
            "type" => Command::Type(some),
            "step" => step(rest)?,
            "replay" => replay(info, rest)?,
            "reload" => Command::Reload,
            "rules" => Command::Rules(some.map(|text| bare(&text).to_owned())),
            "rule" => Command::Rule(some.ok_or_else(|| misused(info, "which rule?"))?),
            "strategies" => some.map_or(Command::Strategies, Command::Strategy),
            "eval" => Command::Eval(rest.to_owned()),
            "count" => Command::Count(rest.to_owned()),
            "cost" => Command::Cost,
            "export" => export(info, rest)?,
            "plot" if rest.trim_matches('"').ends_with(".svg") => plot_to(info, rest)?,
            "save" => Command::Save(file(info, rest)?),
            "set" => set(info, rest)?,
            "quit" => Command::Quit,
            "help" => Command::Help(some.map(|c| self::info(c.trim_start_matches(':'))).transpose()?),
            _ => Command::Walk(Walking::parse(info, rest)?),
        })
    }
}

fn step(rest: &str) -> Result<Command, Diagnostic> {
    if rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return count(info("step")?, rest).map(|count| Command::Walk(Walking::Step(count)));
    }
    Ok(Command::StepInto(rest.to_owned()))
}

/// `from ADDRESS` in front, and a strategy.
fn replay(info: &CommandInfo, rest: &str) -> Result<Command, Diagnostic> {
    let strategy = |text: &str| (!text.trim().is_empty()).then(|| text.trim().to_owned());
    let Some(behind) = rest.strip_prefix("from").filter(|behind| behind.is_empty() || behind.starts_with(' ')) else {
        return Ok(Command::Replay(None, strategy(rest)));
    };
    let first = Address::split(behind).first().copied().unwrap_or("");
    let from = arguments::address(info, first)?;
    Ok(Command::Replay(Some(from), strategy(&behind.trim_start()[first.len()..])))
}

fn export(info: &CommandInfo, rest: &str) -> Result<Command, Diagnostic> {
    let (language, path) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    match language {
        "futhark" => file(info, path.trim()).map(Command::ExportFuthark),
        "" => Err(misused(info, "export to which language?")),
        other => Err(misused(info, format!("can't export to `{other}`"))),
    }
}

/// A file behind an address, or alone.
fn plot_to(info: &CommandInfo, rest: &str) -> Result<Command, Diagnostic> {
    let parts = Address::split(rest);
    let first = parts.first().copied().unwrap_or_default();
    let path = rest[first.len()..].trim();
    Ok(match Address::parse(first) {
        Some(of) if parts.len() > 1 && !first.starts_with('"') => Command::PlotTo(Some(of), file(info, path)?),
        _ => Command::PlotTo(None, file(info, rest)?),
    })
}

fn set(info: &CommandInfo, rest: &str) -> Result<Command, Diagnostic> {
    if rest.is_empty() {
        return Ok(Command::Limits);
    }
    let (word, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    if let Some((_, setting)) = Setting::ALL.iter().find(|(name, _)| *name == word) {
        return match value.trim() {
            "" => Err(misused(info, format!("set `{word}` to what?"))),
            value => Ok(Command::Set(*setting, value.to_owned())),
        };
    }
    let names = Setting::ALL.iter().map(|(name, _)| *name);
    let unknown = Diagnostic::error(code::COMMAND, format!("there is no limit `{word}`"));
    let near = name::did_you_mean(word, names.clone());
    Err(unknown.help(near.unwrap_or_else(|| format!("the limits are {}", listed(names)))))
}
