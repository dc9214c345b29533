//! Mends command lines that don't fit the grammar, or says what to write instead.
//!
//! The grammar is verb, strategy, model: `redexter apply STRATEGY MODEL.arr:NAME`.

use std::ffi::{OsStr, OsString};

use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::options::{ApplyArgs, CommandLine, Task};

/// A file's name in the place of the verb: the REPL opens it.
pub fn opened(arguments: &[OsString], error: clap::Error) -> Result<CommandLine, clap::Error> {
    let Some(file) = unknown_word(&error).filter(|word| opens(word)).map(OsStr::new) else { return Err(error) };
    let stands = (1..arguments.len()).filter(|k| arguments[*k] == file);
    // The same text may stand before it as the value of an option.
    let read = stands.map(|k| {
        let (before, rest) = arguments.split_at(k);
        CommandLine::try_parse_from(before.iter().chain([&OsString::from("repl")]).chain(rest))
    });
    read.reduce(Result::or).unwrap_or(Err(error))
}

fn opens(word: &str) -> bool {
    word.ends_with(".arr") || word.ends_with(".strat")
}

/// An error without tips that lead nowhere: to pass an option on as a value, and names of what isn't for users.
pub fn without_idle_tips(mut error: clap::Error, arguments: &[OsString]) -> clap::Error {
    // Scripts are passed options.
    let passes = arguments.iter().any(|word| word == "run");
    let is_option =
        matches!(error.get(ContextKind::InvalidArg), Some(ContextValue::String(word)) if word.starts_with('-'));
    if is_option && !passes && error.get(ContextKind::SuggestedArg).is_none() {
        error.remove(ContextKind::Suggested);
    }
    let hidden = |names: &[String]| names.iter().any(|name| matches!(name.as_str(), "complete" | "gradbench"));
    if let Some(ContextValue::Strings(names)) = error.get(ContextKind::SuggestedSubcommand)
        && hidden(names)
    {
        error.remove(ContextKind::SuggestedSubcommand);
        error.remove(ContextKind::Suggested);
    }
    error
}

/// The whole line as it should be, where a model stands before its strategy.
pub fn swapped(line: &CommandLine, arguments: &[OsString]) -> Option<String> {
    let Some(Task::Apply(ApplyArgs { strategy, targets, .. })) = &line.task else { return None };
    let place = targets.iter().position(|target| !is_target(target)).filter(|_| is_target(strategy))?;
    let target = &targets[place];
    let places = |word: &str| (1..arguments.len()).filter(|k| arguments[*k] == word).collect::<Vec<usize>>();
    let (first, second) = (places(strategy), places(target));
    // The same texts may stand elsewhere, as the verb or the value of an option.
    let pairs = first.iter().flat_map(|first| second.iter().map(move |second| (*first, *second)));
    let mut lines = pairs.map(|(first, second)| {
        let mut words = arguments.to_vec();
        words.swap(first, second);
        words
    });
    let right = |words: &Vec<OsString>| {
        let task = CommandLine::try_parse_from(words).ok().and_then(|line| line.task);
        matches!(task, Some(Task::Apply(now)) if now.strategy == *target && now.targets.get(place) == Some(strategy))
    };
    lines.find(right).map(|words| typed(&words))
}

/// What lines that begin with these words may mean: what stands there instead, and what stands behind.
const MEANT: [(&str, &str, &str); 20] = [
    ("grad", "apply fastGradient", ""),
    ("gradient", "apply fastGradient", ""),
    ("optimize", "apply fastGradient", ""),
    ("optimise", "apply fastGradient", ""),
    ("simplify", "apply fastGradient", ""),
    ("gradcheck", "validate fastGradient", "--primal LOSS"),
    ("cost", "apply id", "--json"),
    ("page", "trace fastGradient", "--html derivation.html"),
    ("trace", "trace fastGradient", ""),
    ("trace", "trace", "--html derivation.html"),
    ("trace", "trace fastGradient", "--html derivation.html"),
    ("export page", "trace fastGradient", "--html derivation.html"),
    ("export html", "trace fastGradient", "--html derivation.html"),
    ("export markdown", "trace fastGradient", "--md derivation.md"),
    ("export md", "trace fastGradient", "--md derivation.md"),
    ("export latex", "trace fastGradient", "--latex derivation.tex"),
    ("export tex", "trace fastGradient", "--latex derivation.tex"),
    ("export json", "trace fastGradient", "--json derivation.json"),
    ("export", "export futhark", ""),
    ("bench", "bench", "--sizes n=100,1000"),
];

/// A tip on a line that can't be read: what may be meant by it, which can be read.
pub fn remedy(error: &clap::Error, arguments: &[OsString]) -> Option<String> {
    if let Some(line) = meant(error, arguments) {
        return Some(format!("write `{line}`"));
    }
    if let Some(word) = unknown_word(error) {
        return match word.rsplit_once('.')?.1 {
            "md" | "markdown" => Some(format!("a document is checked: `redexter check {}`", quoted(word))),
            _ if is_target(word) => Some(format!("did you mean `redexter eval {}`?", quoted(word))),
            _ => None,
        };
    }
    if let Some(line) = in_one_word(error, arguments) {
        return Some(format!("several addresses stand in one word: `{line}`"));
    }
    if let Some(line) = behind_input(error, arguments) {
        return Some(format!("inputs stand behind `--input`: `{line}`"));
    }
    let target = arguments.iter().position(|word| word.to_str().is_some_and(is_target))?;
    let mut words = arguments.to_vec();
    words.insert(target, OsString::from("fastGradient"));
    // What isn't applied has a rule before the strategy.
    let is_asked = arguments.iter().any(|word| word == "why-not");
    let lacks = error.kind() == ErrorKind::MissingRequiredArgument && !is_asked;
    let lacks = lacks && CommandLine::try_parse_from(&words).is_ok();
    lacks.then(|| format!("the strategy stands before the model, for example `{}`", typed(&words)))
}

/// The line that may be meant by one with an unknown verb, or that lacks something.
fn meant(error: &clap::Error, arguments: &[OsString]) -> Option<String> {
    let lacks = error.kind() == ErrorKind::MissingRequiredArgument;
    if unknown_word(error).is_none() && !lacks {
        return None;
    }
    let own = arguments.iter().skip(1).map(|word| word.to_str()).collect::<Option<Vec<&str>>>()?;
    let has_target = own.iter().any(|word| is_target(word));
    let same = [("", "", "")];
    let wants_target = matches!(error.get(ContextKind::InvalidArg), Some(ContextValue::Strings(all))
        if all.iter().any(|one| one.contains(":NAME>")));
    MEANT.iter().chain(same.iter().filter(|_| lacks && wants_target)).find_map(|(first, instead, behind)| {
        let first: Vec<&str> = first.split_whitespace().collect();
        let rest = own.strip_prefix(&first[..])?;
        // Another word behind `export` is no model.
        let is_unread = *first == ["export"] && !rest.first().is_some_and(|word| is_target(word));
        if is_unread && has_target {
            return None;
        }
        let target = (!has_target).then_some("FILE.arr:NAME");
        let words = instead.split_whitespace().chain(rest.iter().copied()).chain(target);
        let words: Vec<OsString> =
            ["redexter"].into_iter().chain(words).chain(behind.split_whitespace()).map(OsString::from).collect();
        CommandLine::try_parse_from(&words).is_ok().then(|| typed(&words))
    })
}

/// The line with `--input` before the word that has no place in it, if that is right.
fn behind_input(error: &clap::Error, arguments: &[OsString]) -> Option<String> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidArg) else { return None };
    let at = arguments.iter().position(|other| *other == **word).filter(|_| !word.starts_with('-'))?;
    let mut words = arguments.to_vec();
    words.insert(at, OsString::from("--input"));
    CommandLine::try_parse_from(&words).is_ok().then(|| typed(&words))
}

/// The line with the numbers behind `--part` in one word, if that is right.
fn in_one_word(error: &clap::Error, arguments: &[OsString]) -> Option<String> {
    let Some(ContextValue::String(_)) = error.get(ContextKind::InvalidArg) else { return None };
    let at = arguments.iter().position(|word| word == "--part")? + 1;
    let is_number = |word: &&OsString| word.to_str().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let count = arguments[at..].iter().take_while(is_number).count();
    let mut words = arguments.to_vec();
    let parts: Vec<_> = words.drain(at..at + count).map(|word| word.to_string_lossy().into_owned()).collect();
    words.insert(at, OsString::from(parts.join(",")));
    CommandLine::try_parse_from(&words).is_ok().then(|| typed(&words))
}

/// The word in the place of the verb, if it is none.
fn unknown_word(error: &clap::Error) -> Option<&str> {
    match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) => Some(word),
        _ => None,
    }
}

/// Whether a word is `MODEL.arr:NAME`, perhaps without its name.
pub(super) fn is_target(word: &str) -> bool {
    word.rsplit_once(':').map_or(word, |(path, _)| path).ends_with(".arr")
}

/// A command line as a shell reads it.
fn typed(arguments: &[OsString]) -> String {
    let words = arguments.iter().skip(1).map(|word| quoted(&word.to_string_lossy()));
    ["redexter".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

/// A word in quotes, if a shell would take it apart.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
