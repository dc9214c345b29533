//! Completes command lines for shells: `redexter complete LINE` says what could follow, and the scripts for shells ask it.
//!
//! The grammar itself (subcommands, options, their fixed values) is in the scripts that clap writes; these ask for the rest.

use std::path::Path;

use clap::{Arg, ArgAction, Command, CommandFactory};
use clap_complete::Shell;

use super::options::{CommandLine, CompleteArgs};
use crate::terminal::Out;
use redexter_session::session::{self, CompletionWords, Response, Session};

/// Asks redexter first, and then what clap wrote.
const BASH: &str = include_str!("complete.bash");

/// Files are among what redexter says.
const FISH: &str =
    "\ncomplete -c redexter -f -a '(redexter complete -- (commandline -cp | string collect) 2>/dev/null)'\n";

/// Prints the completions for a shell.
pub fn script(shell: Shell, out: &Out) {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut CommandLine::command(), "redexter", &mut text);
    let asks = match shell {
        Shell::Bash => BASH,
        Shell::Fish => FISH,
        _ => "",
    };
    out.as_it_is(&(String::from_utf8_lossy(&text).into_owned() + asks));
}

impl CompleteArgs {
    /// Prints the candidates. What can't be read has none.
    pub fn run(&self, session: &mut Session, out: &Out) {
        let typed = TypedLine::read(&self.line, &self.breaks);
        for candidate in candidates(&typed, session) {
            if let Some(rest) = candidate.get(typed.start..).filter(|_| candidate.starts_with(&typed.last)) {
                out.line(rest);
            }
        }
    }
}

/// A command line up to the cursor, as a shell reads it.
#[derive(Debug, Default, PartialEq, Eq)]
struct TypedLine {
    /// The words before the one at the cursor, but the program's name.
    words: Vec<String>,
    /// The word at the cursor, perhaps empty, without quotes.
    last: String,
    /// The offset in it from which the shell replaces.
    start: usize,
}

impl TypedLine {
    fn read(line: &str, breaks: &str) -> TypedLine {
        let (mut typed, mut quote) = (TypedLine::default(), None);
        let mut chars = line.trim_start().chars();
        while let Some(c) = chars.next() {
            match quote {
                Some(open) if c == open => quote = None,
                Some(_) => typed.last.push(c),
                None if c == '\'' || c == '"' => {
                    quote = Some(c);
                    typed.start = if breaks.is_empty() { 0 } else { typed.last.len() };
                }
                None if c.is_whitespace() => {
                    typed.words.extend(Some(std::mem::take(&mut typed.last)).filter(|word| !word.is_empty()));
                    typed.start = 0;
                }
                None => {
                    typed.last.push(if c == '\\' { chars.next().unwrap_or(c) } else { c });
                    if breaks.contains(c) {
                        typed.start = typed.last.len();
                    }
                }
            }
        }
        typed.words = typed.words.split_off(typed.words.len().min(1));
        typed
    }
}

/// The words that could stand in the place of the one at the cursor.
fn candidates(typed: &TypedLine, session: &mut Session) -> Vec<String> {
    let line = CommandLine::command();
    let Some(place) = CursorPlace::of(&line, typed) else { return Vec::new() };
    let text = &typed.last[place.option..];
    let found = match place.argument.get_id().as_str() {
        "strategy" | "strategies" | "apply" | "after" => strategies(text, session),
        "target" | "targets" => targets(text, session),
        "script" | "uses" | "file" | "files" => of_command(":load ", text, session),
        "name" | "rule" => of_command(":rule ", text, session),
        "question" => of_command(":", text, session),
        "words" => of_command(":help ", text, session),
        "trace" => addresses(place.first, session),
        _ => return Vec::new(),
    };
    found.into_iter().map(|candidate| format!("{}{candidate}", &typed.last[..place.option])).collect()
}

/// The argument at the cursor.
struct CursorPlace<'a> {
    argument: &'a Arg,
    /// The first argument that is no option.
    first: Option<&'a str>,
    /// The length of `--name=` before the value.
    option: usize,
}

impl<'a> CursorPlace<'a> {
    fn of(mut command: &'a Command, typed: &'a TypedLine) -> Option<CursorPlace<'a>> {
        let mut free: Vec<&str> = Vec::new();
        let mut valued = None;
        for word in &typed.words {
            if valued.take().is_some() {
                continue;
            }
            if word.starts_with('-') {
                valued = option(command, word).filter(|arg| takes_a_word(arg));
                continue;
            }
            match command.find_subcommand(word).filter(|_| free.is_empty()) {
                Some(inner) => command = inner,
                None => free.push(word),
            }
        }
        let first = free.first().copied();
        let at = |argument, option| Some(CursorPlace { argument, first, option });
        match (valued, typed.last.split_once('=')) {
            (Some(argument), _) => at(argument, 0),
            (None, Some((name, _))) if name.starts_with("--") => at(option(command, name)?, name.len() + 1),
            (None, _) if typed.last.starts_with('-') => None,
            (None, _) => {
                let last = command.get_positionals().last().filter(|arg| matches!(arg.get_action(), ArgAction::Append));
                at(command.get_positionals().nth(free.len()).or(last)?, 0)
            }
        }
    }
}

fn option<'a>(command: &'a Command, word: &str) -> Option<&'a Arg> {
    command.get_opts().find(|arg| match word.strip_prefix("--") {
        Some(name) => arg.get_long() == Some(name),
        None => arg.get_short().is_some_and(|short| word[1..].chars().eq([short])),
    })
}

/// Whether an option's value is the next word.
fn takes_a_word(arg: &Arg) -> bool {
    arg.get_action().takes_values() && !arg.is_require_equals_set()
}

/// The completions that the REPL has behind a command.
fn of_command(command: &str, text: &str, session: &Session) -> Vec<String> {
    let found = session::complete(session, &format!("{command}{text}"), &session::words(session));
    found.candidates
}

/// Strategies and rules in a strategy's text; strategies where nothing stands yet.
fn strategies(text: &str, session: &Session) -> Vec<String> {
    let words = CompletionWords { names: names_of_strategies(session), topics: Vec::new(), ..session::words(session) };
    if text.is_empty() {
        let mut names: Vec<String> = words.models.into_iter().map(|(name, _)| name).chain(words.names).collect();
        names.sort();
        return names;
    }
    let found = session::complete(session, text, &words);
    found.candidates.into_iter().map(|name| format!("{}{name}", &text[..found.start])).collect()
}

fn names_of_strategies(session: &Session) -> Vec<String> {
    let Response::Strategies { built_in, .. } = session::strategies(session) else { return Vec::new() };
    let name = |(usage, _): &(String, String)| usage.split('(').next().unwrap_or(usage).to_owned();
    built_in.iter().map(name).collect()
}

/// Models, and behind a colon their definitions.
fn targets(text: &str, session: &mut Session) -> Vec<String> {
    if let Some((path, _)) = text.rsplit_once(':') {
        let names = session::definitions_of(session, Path::new(path)).unwrap_or_default();
        return names.into_iter().map(|name| format!("{path}:{name}")).collect();
    }
    let files = of_command(":load ", text, session).into_iter();
    let model = |path: String| if path.ends_with(".arr") { path + ":" } else { path };
    files.map(model).filter(|path| path.ends_with(['/', ':'])).collect()
}

/// The stages of a strategy, and the address of all of them.
fn addresses(strategy: Option<&str>, session: &Session) -> Vec<String> {
    let stages = session::words(session).models.into_iter().filter(|(name, _)| Some(name.as_str()) == strategy);
    stages.flat_map(|(_, stages)| stages).chain(["/".to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::TypedLine;

    #[track_caller]
    fn check(line: &str, breaks: &str, words: &[&str], last: &str, start: usize) {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(TypedLine::read(line, breaks), TypedLine { words, last: last.to_owned(), start });
    }

    #[test]
    fn words_are_those_of_a_shell() {
        check("redexter ap", "", &[], "ap", 0);
        check("redexter apply ", "", &["apply"], "", 0);
        check("redexter eval m.arr:to", "", &["eval"], "m.arr:to", 0);
        check("redexter eval m.arr:to", "=:", &["eval"], "m.arr:to", 6);
        check("redexter apply 'a ; b(c' m", ":", &["apply", "a ; b(c"], "m", 0);
        check("redexter apply \"a:b", ":", &["apply"], "a:b", 0);
        check("redexter apply a\\ b", ":", &["apply"], "a b", 0);
    }
}
