//! Completes what stands before the cursor: commands, names, files.

use std::path::Path;

use super::dispatch::FORCE;
use super::help::topics;
use super::state::Session;
use super::system::{FileKind, System};
use redexter_language::ground::text::{begins_name, in_word};
use redexter_language::shipped;
use redexter_telling::command::{self, ArgumentKind, COMMANDS, Command, EXPORTS, LimitName};
use redexter_telling::walk;

/// The names that may stand in a line, by kind: for completion and colour.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompletionWords {
    /// Rules.
    pub rules: Vec<String>,
    /// Strategies, functions, variables and keywords.
    pub names: Vec<String>,
    /// Models that are bound, and libraries behind a name, with their definitions.
    pub models: Vec<(String, Vec<String>)>,
    /// Variables that hold the trace of a run.
    pub traces: Vec<String>,
    /// What there is help on.
    pub topics: Vec<String>,
    /// Names that every term may use: the prelude's.
    pub terms: Vec<String>,
}

impl CompletionWords {
    /// Every name that may begin an expression.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        let models = self.models.iter().map(|(name, _)| name);
        self.rules.iter().chain(&self.names).chain(models).map(String::as_str)
    }

    /// Whether a name is a rule's.
    pub fn is_rule(&self, name: &str) -> bool {
        self.rules.iter().any(|r| r == name)
    }

    /// Whether a name is a model's.
    pub fn is_model(&self, name: &str) -> bool {
        self.models.iter().any(|(model, _)| model == name)
    }
}

/// Candidates for the part of a line before the cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// A byte offset into the line.
    pub start: usize,
    /// Whole replacements of the rest, sorted.
    pub candidates: Vec<String>,
}

/// The names that may stand in a session's line.
pub fn words(session: &Session) -> CompletionWords {
    let interpreter = &session.interpreter;
    let rules: Vec<String> = interpreter.rules().iter().map(|info| info.name.to_string()).collect();
    let models = session
        .work
        .loaded
        .iter()
        .map(|model| (model.name.clone(), model.programs.iter().map(|(name, _)| name.to_string()).collect()));
    let models = models.chain(interpreter.aliases()).chain(interpreter.stages()).collect();
    let mut names = interpreter.names();
    names.retain(|name| !rules.contains(name));
    let terms = session.prelude.names().map(|name| name.to_string()).collect();
    CompletionWords { rules, names, models, traces: interpreter.traces(), topics: topics(session), terms }
}

/// Completes `before`, the text from the beginning of a session's line to the cursor.
pub fn complete(session: &Session, before: &str, words: &CompletionWords) -> Completion {
    completed(before, words, &*session.host.files.system, &|typed| walk::addresses(&session.work.walk, typed))
}

/// The addresses in the current derivation that begin as a text does.
pub type AddressCompleter<'a> = &'a dyn Fn(&str) -> Vec<String>;

fn completed(before: &str, words: &CompletionWords, system: &dyn System, addresses: AddressCompleter) -> Completion {
    let indent = before.len() - before.trim_start().len();
    if let Some(rest) = before[indent..].strip_prefix(':') {
        return in_command(before, indent + 1, rest, words, system, addresses);
    }
    in_expression(before, words, system)
}

fn in_command(
    before: &str,
    start: usize,
    rest: &str,
    words: &CompletionWords,
    system: &dyn System,
    addresses: AddressCompleter,
) -> Completion {
    let Some((word, argument)) = rest.split_once(char::is_whitespace) else {
        let names = COMMANDS.iter().map(|e| format!("{}{}", e.name, if e.usage.is_empty() { "" } else { " " }));
        return among(start, rest, names.collect::<Vec<_>>().iter().map(String::as_str));
    };
    let Ok(info) = command::info(word) else { return Completion::default() };
    let argument = argument.trim_start();
    let typed = argument.rsplit(char::is_whitespace).next().unwrap_or("");
    if typed.starts_with("--") {
        let start = before.len() - typed.len();
        let forces = Command::parse(before[..start].trim()).is_ok_and(|wanted| wanted.writes());
        return among(start, typed, options(info.usage).chain(forces.then(|| FORCE.trim())));
    }
    let start = before.len() - argument.len();
    match info.argument {
        ArgumentKind::File => files(start, argument, system),
        ArgumentKind::Export => match argument.split_once(char::is_whitespace) {
            Some((form, rest)) => {
                let typed = rest.rsplit(char::is_whitespace).next().unwrap_or("");
                let start = before.len() - typed.len();
                let parts = if form == "futhark" || form == "jax" { Vec::new() } else { addresses(typed) };
                let mut found = files(start, typed, system);
                found.candidates.extend(among(start, typed, parts.iter().map(String::as_str)).candidates);
                found
            }
            None => {
                let names = EXPORTS.map(|(name, _)| format!("{name} "));
                among(start, argument, names.iter().map(String::as_str))
            }
        },
        ArgumentKind::Rule => among(start, argument, words.rules.iter().map(String::as_str)),
        ArgumentKind::RuleAt if !argument.contains(char::is_whitespace) => {
            among(start, argument, words.rules.iter().map(String::as_str))
        }
        ArgumentKind::Rules => {
            let typed = argument.rsplit(char::is_whitespace).next().unwrap_or("");
            among(before.len() - typed.len(), typed, words.rules.iter().map(String::as_str))
        }
        ArgumentKind::Setting => among(start, argument, LimitName::ALL.iter().map(|(name, _)| *name)),
        ArgumentKind::Topic => among(start, argument, words.topics.iter().map(String::as_str)),
        ArgumentKind::Expression | ArgumentKind::Strategies => in_expression(before, words, system),
        ArgumentKind::Address | ArgumentKind::RuleAt => {
            let typed = argument.rsplit(char::is_whitespace).next().unwrap_or("");
            among(before.len() - typed.len(), typed, addresses(typed).iter().map(String::as_str))
        }
        ArgumentKind::Nothing | ArgumentKind::Free => Completion::default(),
    }
}

/// The options in a command's usage.
fn options(usage: &str) -> impl Iterator<Item = &str> {
    usage.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| word.starts_with("--"))
}

fn in_expression(before: &str, words: &CompletionWords, system: &dyn System) -> Completion {
    let quoted = before.rsplit_once("load(\"").or_else(|| before.rsplit_once("import \""));
    if let Some((_, path)) = quoted.filter(|(_, path)| !path.contains('"')) {
        return files(before.len() - path.len(), path, system);
    }
    let start =
        before.rfind(|c: char| !is_word(c)).map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    let word = &before[start..];
    if let Some(of) = before[..start].strip_suffix('.') {
        let owner = of.rsplit(|c: char| !is_word(c)).next().unwrap_or("");
        let is_trace = called(of) == Some("trace") || words.traces.iter().any(|trace| trace == owner);
        let methods = if is_trace { METHODS_OF_TRACES } else { METHODS };
        let members = words.models.iter().find(|(name, _)| name == owner).map(|(_, members)| members);
        let members = members.into_iter().flatten().map(String::as_str);
        return among(start, word, members.chain(methods.iter().copied().filter(|_| !words.is_model(owner))));
    }
    if word.is_empty() {
        return Completion { start, candidates: Vec::new() };
    }
    if in_term(&before[..start]) {
        let own = before[..start].split(|c| !in_word(c)).filter(|own| begins_name(own) && !words.is_rule(own));
        return among(start, word, words.terms.iter().map(String::as_str).chain(own));
    }
    among(start, word, words.all())
}

/// Whether what comes behind a text is a part of a term of the array language.
fn in_term(before: &str) -> bool {
    let first = before.split_whitespace().next().unwrap_or("");
    let in_quotes = before.matches('`').count() % 2 == 1 || before.contains("term(\"");
    in_quotes || matches!(first, "fun" | "λ") || before.contains("=>")
}

/// What follows a term and a dot.
const METHODS: &[&str] = &[
    "apply(",
    "counts(",
    "evaluate(",
    "futhark()",
    "jax()",
    "size",
    "trace(",
    "try_apply(",
    "type",
    "work",
    "write_futhark(",
    "write_jax(",
];

/// What follows the trace of a run and a dot.
const METHODS_OF_TRACES: &[&str] =
    &["len()", "result", "stages", "steps", "write_html(", "write_json(", "write_latex(", "write_markdown("];

/// The function that a text ends with a call of.
fn called(text: &str) -> Option<&str> {
    let mut open = 0_usize;
    let at = text.char_indices().rev().find(|(_, c)| {
        match c {
            ')' => open += 1,
            '(' => open = open.saturating_sub(1),
            _ => {}
        }
        open == 0
    });
    let before = &text[..at.filter(|(_, c)| *c == '(')?.0];
    before.rsplit(|c: char| !is_word(c)).next()
}

/// Whether a character may stand in a name.
fn is_word(c: char) -> bool {
    in_word(c) || c == '\''
}

fn among<'a>(start: usize, prefix: &str, names: impl IntoIterator<Item = &'a str>) -> Completion {
    let mut candidates: Vec<String> = names.into_iter().filter(|n| n.starts_with(prefix)).map(str::to_owned).collect();
    candidates.sort();
    candidates.dedup();
    Completion { start, candidates }
}

/// Files and folders, those that ship among them, that begin as `path` does; hidden ones only if it says so.
fn files(start: usize, path: &str, system: &dyn System) -> Completion {
    let quote = usize::from(path.starts_with('"'));
    let path = &path[quote..];
    let split = path.rfind('/').map_or(0, |at| at + 1);
    let (folder, prefix) = path.split_at(split);
    let within = Path::new(if folder.is_empty() { "." } else { folder });
    let mut names = system.names(within).unwrap_or_default();
    names.extend(shipped::names(within).map(str::to_owned));
    let mut candidates = Vec::new();
    for name in names {
        if name.starts_with(prefix) && (!name.starts_with('.') || prefix.starts_with('.')) {
            let path = format!("{folder}{name}");
            let kind = system.kind(Path::new(&path));
            let is_folder = kind.map_or_else(|| shipped::is_folder(Path::new(&path)), |kind| kind == FileKind::Folder);
            candidates.push(path + if is_folder { "/" } else { "" });
        }
    }
    candidates.sort();
    candidates.dedup();
    Completion { start: start + quote, candidates }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{COMMANDS, Completion, completed, options};
    use crate::session::{CompletionWords, MemorySystem};

    fn words() -> CompletionWords {
        CompletionWords {
            rules: vec!["getBuild".to_owned(), "letSubst".to_owned(), "letSubstN".to_owned()],
            names: vec!["normalize".to_owned(), "vector_sum".to_owned()],
            models: vec![("vector_sum".to_owned(), vec!["gradient".to_owned(), "total".to_owned()])],
            traces: vec!["done".to_owned()],
            topics: vec!["addresses".to_owned(), "step".to_owned()],
            terms: vec!["sum".to_owned(), "vectorMap".to_owned()],
        }
    }

    #[track_caller]
    fn check(before: &str, start: usize, candidates: &[&str]) {
        let candidates = candidates.iter().map(|c| (*c).to_owned()).collect();
        let memory = MemorySystem::default();
        for file in ["models/sum.arr", "models/sums/of.arr", "models/.sum", "own.arr"] {
            memory.put(Path::new(file), b"");
        }
        let addresses = |_: &str| ["fuse", "fuse/units", "@fused"].map(str::to_owned).to_vec();
        assert_eq!(completed(before, &words(), &memory, &addresses), Completion { start, candidates });
    }

    #[test]
    fn commands_and_their_arguments() {
        check(":lo", 1, &["load ", "log"]);
        check(":s", 1, &["save ", "search ", "set ", "show ", "step ", "stop", "strategies "]);
        check(":set max-s", 5, &["max-size", "max-steps"]);
        check(":rule letSubst", 6, &["letSubst", "letSubstN"]);
        check(":step normalize(get", 16, &["getBuild"]);
        check(":export ", 8, &["futhark ", "jax ", "json ", "latex ", "markdown ", "page "]);
        check(":export page fu", 13, &["fuse", "fuse/units"]);
        check(":export latex fuse ow", 19, &["own.arr"]);
        check(":export futhark fu", 16, &[]);
        check(":trace fu", 7, &["fuse", "fuse/units"]);
        check(":diff fuse @", 11, &["@fused"]);
        check(":help add", 6, &["addresses"]);
        check(":undo ", 0, &[]);
    }

    #[test]
    fn options_of_commands() {
        check(":validate normalize(getBuild) --", 30, &["--precision"]);
        check(":export futhark out.fut --fo", 24, &["--force"]);
        check(":save s.strat --", 14, &["--force"]);
        check(":plot own.svg --", 14, &["--force"]);
        check(":load models/sum.arr --", 21, &[]);
    }

    /// What a command's usage says is understood by it, so that completion offers nothing that is refused.
    #[test]
    fn options_are_those_of_the_usage() {
        let with: Vec<(&str, Vec<&str>)> = COMMANDS
            .iter()
            .map(|row| (row.name, options(row.usage).collect()))
            .filter(|(_, all): &(_, Vec<_>)| !all.is_empty())
            .collect();
        assert_eq!(with, [("validate", vec!["--precision"])]);
    }

    #[test]
    fn in_terms_are_their_own_names_and_the_preludes() {
        check("fun (vector : array n real) => v", 31, &["vector", "vectorMap"]);
        check("rule r = `fun x => l", 19, &[]);
        check("normalize(l", 10, &["letSubst", "letSubstN"]);
    }

    #[test]
    fn names_and_members() {
        check("norm", 0, &["normalize"]);
        check("normalize(letSubst", 10, &["letSubst", "letSubstN"]);
        check("vector_sum.g", 11, &["gradient"]);
        check("vector_sum.gradient.ap", 20, &["apply("]);
        check("vector_sum.gradient.write", 20, &["write_futhark(", "write_jax("]);
        let written = &["write_html(", "write_json(", "write_latex(", "write_markdown("];
        check("vector_sum.gradient.trace(normalize(beta)).write", 43, written);
        check("done.write", 5, written);
        check("(vector_sum.gradient).a", 22, &["apply("]);
        check(").a", 2, &["apply("]);
    }

    #[test]
    fn files_where_files_stand() {
        check(":load ", 6, &["lessons/", "models/", "own.arr", "strategies/"]);
        check(":load models/su", 6, &["models/sum.arr", "models/sum_of_squares.arr", "models/sums/"]);
        check(":load strategies/ru", 6, &["strategies/rules/"]);
        check(":load models/.", 6, &["models/.sum"]);
        check(":load none/", 6, &[]);
        check("let m = load(\"o", 14, &["own.arr"]);
        check("import \"o", 8, &["own.arr"]);
    }
}
