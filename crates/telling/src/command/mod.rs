//! Parses the commands of the REPL: lines that begin with a colon become [`Command`]s. [`COMMANDS`] lists all that there are.

mod table;

use std::path::PathBuf;

pub use crate::arguments::addresses;
pub use crate::arguments::{ADDRESS_HELP, ArgumentKind, CommandGroup, CommandInfo, misused, no_address};
use crate::arguments::{address, bare, check_options, count, file};
use crate::handout::HandoutFormat;
use crate::questions::{self, Question, QuestionArguments};
use crate::walk::WalkCommand;
use redexter_language::ground::text::listed;
use redexter_language::ground::{Diagnostic, code, name};
use redexter_rewriting::derivation::Address;
use table::ALIASES;
pub use table::COMMANDS;

/// A line that begins with a colon.
#[derive(Clone, Debug)]
pub enum Command {
    /// Loads a model or runs a script.
    Load(PathBuf),
    /// Shows the current term, or another one.
    Show(Option<String>),
    /// The type of the current term, or of a definition or term.
    Type(Option<String>),
    /// The first rewrite of a strategy; the rest stays pending.
    StepInto(String),
    /// A strategy from an earlier term: the last one, from where it began, unless others are named.
    Replay(Option<Address>, Option<String>),
    /// What trying rules took in the runs so far, or takes in a strategy that is tried out.
    Profile(Option<String>),
    /// Loads again what was loaded.
    Reload,
    /// About the derivation of the current term.
    Walk(WalkCommand),
    /// A question about it.
    Ask(&'static Question, QuestionArguments),
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
    /// The symbolic work of the current term, or of another one.
    Cost(Option<String>),
    /// Draws what [`WalkCommand::Plot`] does into a file.
    PlotTo(Option<Address>, PathBuf),
    /// Writes the current term as a program.
    Export(CodeLanguage, PathBuf),
    /// Writes its derivation, or the parts at these addresses, to a file.
    Handout(HandoutFormat, Vec<Address>, PathBuf),
    /// Writes a script that does again what was done.
    Save(PathBuf),
    /// Shows the limits.
    Limits,
    /// Changes a limit.
    Set(LimitName, String),
    /// Opens a lesson, or does something in the one that is open.
    Lesson(Option<String>),
    /// Ends the session.
    Quit,
    /// Help, on everything or on one word.
    Help(Option<String>),
}

/// A limit by name, or another setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitName {
    /// `max-steps`
    MaxSteps,
    /// `max-size`
    MaxSize,
    /// `max-depth`
    MaxDepth,
    /// `max-memory`
    MaxMemory,
    /// `timeout`
    Timeout,
    /// `pager`, which is no limit: whether a terminal shows what is longer than its screen in a pager
    Pager,
}

impl LimitName {
    /// Every limit, as users write it.
    pub const ALL: &[(&str, LimitName)] = &[
        ("max-steps", LimitName::MaxSteps),
        ("max-size", LimitName::MaxSize),
        ("max-depth", LimitName::MaxDepth),
        ("max-memory", LimitName::MaxMemory),
        ("timeout", LimitName::Timeout),
        ("pager", LimitName::Pager),
    ];
}

/// The languages in which `:export` writes the current term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeLanguage {
    /// Futhark.
    Futhark,
    /// Python, by JAX.
    Jax,
}

/// What `:export` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportForm {
    /// The current term.
    Code(CodeLanguage),
    /// Its derivation.
    Derivation(HandoutFormat),
}

impl ExportForm {
    /// How names of files of this form end.
    pub const fn extension(self) -> &'static str {
        match self {
            ExportForm::Code(CodeLanguage::Futhark) => "fut",
            ExportForm::Code(CodeLanguage::Jax) => "py",
            ExportForm::Derivation(form) => form.extension(),
        }
    }
}

/// The words for what `:export` writes.
pub const EXPORTS: [(&str, ExportForm); 6] = [
    ("futhark", ExportForm::Code(CodeLanguage::Futhark)),
    ("jax", ExportForm::Code(CodeLanguage::Jax)),
    ("json", ExportForm::Derivation(HandoutFormat::Json)),
    ("latex", ExportForm::Derivation(HandoutFormat::Latex)),
    ("markdown", ExportForm::Derivation(HandoutFormat::Markdown)),
    ("page", ExportForm::Derivation(HandoutFormat::Page)),
];

/// Whether a command is about a derivation: then a script's walk has it as a method. The example tells, by what it is read as.
pub fn is_about_a_derivation(info: &CommandInfo) -> bool {
    matches!(
        Command::parse(info.example),
        Ok(Command::StepInto(_) | Command::Replay(..) | Command::Profile(_) | Command::Walk(_) | Command::Ask(..))
    )
}

/// The other names of a command.
pub fn aliases(info: &CommandInfo) -> impl Iterator<Item = &'static str> {
    ALIASES.iter().filter(|(_, meant)| *meant == info.name).map(|(name, _)| *name)
}

/// The command with this whole name, or another of its names.
pub fn named(word: &str) -> Option<&'static CommandInfo> {
    let word = ALIASES.iter().find(|(name, _)| *name == word).map_or(word, |(_, meant)| meant);
    COMMANDS.iter().find(|e| e.name == word)
}

/// The command with this name; shorter forms such as `:q` are understood where only one command begins so.
pub fn info(word: &str) -> Result<&'static CommandInfo, Diagnostic> {
    if let Some(info) = named(word) {
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
    matches!(info.argument, ArgumentKind::Expression | ArgumentKind::Strategies).then_some(rest)
}

/// A command line's command and what follows its name.
fn split(line: &str) -> Result<(&'static CommandInfo, &str), Diagnostic> {
    let line = line.trim().trim_start_matches(':').trim_start();
    let end = line.find(|c: char| !c.is_alphanumeric() && !"-_?".contains(c)).unwrap_or(line.len());
    let (word, rest) = line.split_at(end);
    Ok((info(word)?, rest.trim()))
}

/// Whether a line begins with a colon and the whole name of a command.
pub fn is_command(line: &str) -> bool {
    let name = line.strip_prefix(':').and_then(|rest| rest.split_whitespace().next());
    name.is_some_and(|name| COMMANDS.iter().any(|info| info.name == name))
}

/// The command that a line without a colon was probably meant to be.
pub fn without_colon(line: &str) -> Option<&'static CommandInfo> {
    let word = line.split_whitespace().next()?;
    let word = word.trim_end_matches(';').trim_end_matches("()");
    let meant = if word == "exit" { "quit" } else { word };
    COMMANDS.iter().find(|e| e.name == meant)
}

impl Command {
    /// Whether it writes a file that the user names.
    pub fn writes(&self) -> bool {
        match self {
            Command::PlotTo(..) | Command::Export(..) | Command::Handout(..) | Command::Save(_) => true,
            Command::Ask(_, arguments) => arguments.file.is_some(),
            Command::Lesson(Some(words)) => words.starts_with("report "),
            _ => false,
        }
    }

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
        // Of options of the command line there is help, too.
        if info.name != "help" {
            check_options(info, rest)?;
        }
        let some = (!rest.is_empty()).then(|| rest.to_owned());
        Ok(match info.name {
            "load" => Command::Load(file(info, rest)?),
            "show" => Command::Show(some),
            "type" => Command::Type(some),
            "step" => step(rest)?,
            "replay" => replay(info, rest)?,
            "profile" => Command::Profile(some),
            "reload" => Command::Reload,
            "rules" => Command::Rules(some.map(|text| bare(&text).to_owned())),
            "rule" => Command::Rule(some.ok_or_else(|| misused(info, "which rule?"))?),
            "strategies" => some.map_or(Command::Strategies, Command::Strategy),
            "eval" => Command::Eval(rest.to_owned()),
            "count" => Command::Count(rest.to_owned()),
            "cost" => Command::Cost(some),
            "export" => export(info, rest)?,
            "plot" if rest.trim_matches('"').ends_with(".svg") => plot_to(info, rest)?,
            "save" => Command::Save(file(info, rest)?),
            "set" => set(info, rest)?,
            "lesson" => Command::Lesson(some),
            "quit" => Command::Quit,
            "help" => Command::Help(some),
            name => match questions::named(name) {
                Some(question) => Command::Ask(question, question.read(rest)?),
                None => Command::Walk(WalkCommand::parse(info, rest)?),
            },
        })
    }
}

fn step(rest: &str) -> Result<Command, Diagnostic> {
    if rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return count(info("step")?, rest).map(|count| Command::Walk(WalkCommand::Step(count)));
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
    let from = address(info, first)?;
    Ok(Command::Replay(Some(from), strategy(&behind.trim_start()[first.len()..])))
}

fn export(info: &CommandInfo, whole: &str) -> Result<Command, Diagnostic> {
    let (language, rest) = whole.split_once(char::is_whitespace).unwrap_or((whole, ""));
    // How the file of such an export ends is another word for it.
    let is_meant = |(name, form): &(&str, ExportForm)| {
        *name == language || form.extension() == language || (*name, language) == ("jax", "python")
    };
    // Where no form is said, the end of the file's name says it.
    let end = whole.trim_end_matches('"').rsplit_once('.').map_or("", |(_, end)| end);
    let told = || EXPORTS.into_iter().find(|(_, form)| form.extension() == end);
    match (language, EXPORTS.into_iter().find(is_meant)) {
        (_, None) if let Some((name, _)) = told() => export(info, &format!("{name} {whole}")),
        (name, Some((_, ExportForm::Code(language)))) => match Address::split(rest)[..] {
            // It would be the name of a file that has a blank in it.
            [first, _, ..] if Address::parse(first).is_some() && !rest.trim().starts_with('"') => {
                let whole = rest.trim().strip_prefix(first).unwrap_or(rest).trim();
                let told = format!("`:export {name}` takes the current term, and no part of its derivation");
                Err(Diagnostic::error(code::COMMAND, told)
                    .help(format!("go there first: `:goto {first}`, then `:export {name} {whole}`")))
            }
            _ => Ok(Command::Export(language, file(info, rest.trim())?)),
        },
        (_, Some((_, ExportForm::Derivation(form)))) => handout(info, form, rest.trim()),
        ("", None) => Err(misused(info, "export what: `futhark`, `jax`, `page`, `markdown`, `latex` or `json`?")),
        ("c" | "C", None) => Err(Diagnostic::error(code::COMMAND, "C is written on the command line")
            .help("type `redexter export c FILE.arr:NAME -o OUT` there")),
        (other, None) => {
            let wrong = misused(info, format!("can't export to `{other}`"));
            let meant = (other == "pdf").then_some("latex");
            let rest = if rest.trim().is_empty() { "FILE" } else { rest.trim().trim_end_matches(".pdf") };
            Err(match meant {
                Some(name) => Diagnostic { help: vec![format!("write `:export {name} {rest}.tex`")], ..wrong },
                None => wrong,
            })
        }
    }
}

/// A file, behind the addresses of parts or alone. Where addresses stand alone that no file of this form is called like, the file
/// is called like them.
fn handout(info: &CommandInfo, form: HandoutFormat, rest: &str) -> Result<Command, Diagnostic> {
    // A name in quotes may hold blanks.
    let quoted = rest.strip_suffix('"').and_then(|rest| rest.rsplit_once('"'));
    let (before, path) = match (quoted, Address::split(rest).last()) {
        (Some((before, path)), _) => (before, path),
        (None, Some(last)) => (rest.strip_suffix(last).unwrap_or(rest), *last),
        (None, None) => ("", ""),
    };
    let named = quoted.is_some() || path.ends_with(form.extension()) || path.contains('/');
    if let (false, Some(parts)) = (named, addresses(rest)) {
        let stages = parts.iter().filter(|part| matches!(part, Address::Stage(_)));
        if !parts.is_empty() && !stages.into_iter().any(|part| part.to_string().contains('.')) {
            let words: String = rest.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
            let name = words.split_whitespace().collect::<Vec<_>>().join("-");
            let name = if name.is_empty() { "part" } else { &name };
            return Ok(Command::Handout(form, parts, format!("{name}.{}", form.extension()).into()));
        }
    }
    let parts = addresses(before).ok_or_else(|| {
        let unread = Address::split(before).into_iter().find(|word| addresses(word).is_none()).unwrap_or(before);
        no_address(unread).help("a file's name stands in quotes if it has a blank in it")
    })?;
    Ok(Command::Handout(form, parts, file(info, path)?))
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
    if let Some((_, setting)) = LimitName::ALL.iter().find(|(name, _)| *name == word) {
        return match value.trim() {
            "" => Err(misused(info, format!("set `{word}` to what?"))),
            value => Ok(Command::Set(*setting, value.to_owned())),
        };
    }
    let names = LimitName::ALL.iter().map(|(name, _)| *name);
    let unknown = Diagnostic::error(code::COMMAND, format!("there is no limit `{word}`"));
    let near = name::did_you_mean(word, names.clone());
    Err(unknown.help(near.unwrap_or_else(|| format!("the limits are {}", listed(names)))))
}

#[cfg(test)]
mod tests {
    use super::info;

    #[test]
    fn short_forms_mean_what_they_meant() {
        let known = [
            ("l", "load"),
            ("lo", "load"),
            ("sh", "show"),
            ("ty", "type"),
            ("t", "type"),
            ("s", "step"),
            ("ste", "step"),
            ("c", "continue"),
            ("con", "continue"),
            ("sto", "stop"),
            ("u", "undo"),
            ("un", "undo"),
            ("re", "redo"),
            ("tr", "trace"),
            ("g", "goto"),
            ("a", "at"),
            ("pr", "profile"),
            ("se", "set"),
            ("ta", "tag"),
            ("d", "diff"),
            ("str", "strategies"),
            ("h", "help"),
            ("q", "quit"),
            ("exit", "quit"),
            ("i", "help"),
            ("info", "help"),
            ("?", "help"),
            ("bt", "trace"),
        ];
        for (short, whole) in known {
            assert_eq!(info(short).map(|info| info.name), Ok(whole), ":{short}");
        }
        assert!(info("e").is_err(), "`:eval` or `:export`");
    }
}
