//! Describes commands, and parses their arguments: files, counts, addresses, tags and marks.

use std::path::PathBuf;

use redexter_language::ground::text::{in_word, listed};
use redexter_language::ground::{Diagnostic, code};
use redexter_language::syntax::option_words;
use redexter_rewriting::derivation::Address;

/// The kinds of arguments that commands have, for completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentKind {
    /// None.
    Nothing,
    /// A file's name.
    File,
    /// A file's name after a word such as `futhark` or `page`.
    Export,
    /// A rule's name.
    Rule,
    /// Rules' names.
    Rules,
    /// A rule's name and an address.
    RuleAt,
    /// Something of the script language.
    Expression,
    /// Strategies with bars between them, behind a number where that may stand.
    Strategies,
    /// A limit's name.
    Setting,
    /// What there is help on.
    Topic,
    /// Addresses.
    Address,
    /// A number or JSON: nothing to complete.
    Free,
}

/// The groups of commands in `:help`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandGroup {
    /// Shows a term, or what was done.
    Look,
    /// Takes steps, and goes back and forth among terms.
    Walk,
    /// Moves the focus.
    Focus,
    /// Tells about rules, strategies and the rest.
    Ask,
    /// Runs the current term, or says what that costs.
    Run,
    /// Reads and writes files.
    Files,
    /// Is about the session itself.
    Session,
}

impl CommandGroup {
    /// Every group with its heading, in the order of `:help`.
    pub const ALL: &[(CommandGroup, &str)] = &[
        (CommandGroup::Look, "look at terms and derivations"),
        (CommandGroup::Walk, "walk in a derivation"),
        (CommandGroup::Focus, "put a subterm into focus"),
        (CommandGroup::Ask, "ask"),
        (CommandGroup::Run, "run the current term"),
        (CommandGroup::Files, "read and write files"),
        (CommandGroup::Session, "the session"),
    ];
}

/// The description of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandInfo {
    /// The group of `:help` in which it stands.
    pub group: CommandGroup,
    /// Its name, without the colon.
    pub name: &'static str,
    /// Its arguments, as in a usage line.
    pub usage: &'static str,
    /// The kind of its argument.
    pub argument: ArgumentKind,
    /// A description in one line.
    pub summary: &'static str,
    /// An example.
    pub example: &'static str,
    /// The method of a script's walk: its name, where the script language has no other meaning for that.
    pub method: &'static str,
}

/// A row of a table of commands.
macro_rules! command_info {
    ($group:ident $name:literal $usage:literal $argument:ident $summary:literal $example:literal $(as $method:literal)?) => {
        $crate::arguments::CommandInfo {
            group: $crate::arguments::CommandGroup::$group,
            name: $name,
            usage: $usage,
            argument: $crate::arguments::ArgumentKind::$argument,
            summary: $summary,
            example: $example,
            method: [$($method,)? $name][0],
        }
    };
}
pub(crate) use command_info;

pub fn misused(info: &CommandInfo, headline: impl Into<String>) -> Diagnostic {
    Diagnostic::error(code::COMMAND, headline).help(match info.usage {
        "" => format!("write `:{}`", info.name),
        usage => format!("write `:{} {usage}`, for example `{}`", info.name, info.example),
    })
}

/// The options of a command, `--precision` for example, as its usage has them.
fn options(info: &CommandInfo) -> impl Iterator<Item = &'static str> {
    let words = info.usage.split(|c: char| !in_word(c) && c != '-');
    words.filter(|word| word.starts_with("--"))
}

/// An error where what follows a command's name has an option that the command hasn't: it would be taken for a comment.
pub fn check_options(info: &CommandInfo, rest: &str) -> Result<(), Diagnostic> {
    let words = option_words(rest).into_iter().map(|range| &rest[range]);
    let Some(unknown) = words.into_iter().find(|word| !options(info).any(|known| known == *word)) else {
        return Ok(());
    };
    let (name, bare) = (info.name, &unknown[2..]);
    let told = Diagnostic::error(code::COMMAND, format!("`:{name}` has no option `{unknown}`"));
    let instead =
        INSTEAD.iter().find(|(command, option, _)| (command.is_empty() || *command == name) && *option == bare);
    let is_file = matches!(info.argument, ArgumentKind::File | ArgumentKind::Export);
    let known = listed(options(info).map(|known| format!("`{known}`")));
    Err(told.help(match instead {
        Some((_, _, instead)) => format!("write {instead}"),
        None if is_file => format!("write a file's name in quotes where it has `{unknown}` in it"),
        None if known.is_empty() => format!("at the prompt it has none; a comment begins with a blank: `-- {bare}`"),
        None => format!("it has {known}; to write a comment, put a blank behind its sign: `-- {bare}`"),
    }))
}

/// What is written at the prompt for options of the command line: the command, or any, the option, and that.
const INSTEAD: &[(&str, &str, &str)] = &[
    ("", "force", "` --force` at the end of the line of a command that writes a file"),
    ("", "max-steps", "`:set max-steps N` on a line of its own"),
    ("", "max-size", "`:set max-size N` on a line of its own"),
    ("", "max-depth", "`:set max-depth N` on a line of its own"),
    ("", "max-memory", "`:set max-memory MB` on a line of its own"),
    ("", "timeout", "`:set timeout SECONDS` on a line of its own"),
    ("", "use", "`:load SCRIPT.strat` on a line of its own"),
    (
        "validate",
        "primal",
        "`redexter validate STRATEGY FILE.arr:NAME --primal LOSS` in a shell: it compares with finite differences",
    ),
    ("eval", "count", "`:count` in place of `:eval`"),
    ("eval", "why-nan", "`:why-nan` in place of `:eval`"),
    ("eval", "size", "`n=5` for a size"),
    ("eval", "input", "the inputs behind the command, as in `:eval v=[1, 2]`"),
    ("eval", "apply", "the strategy on a line of its own before"),
    ("why-not", "at", "the address behind the rule, as in `:why-not getBuild .body`"),
    ("rules", "find", "the text alone, as in `:rules build`"),
];

/// A text without this option, and whether it stood there.
pub fn without_option(text: &str, option: &str) -> (String, bool) {
    let found: Vec<_> = option_words(text).into_iter().filter(|range| &text[range.clone()] == option).collect();
    let mut bare = text.to_owned();
    for range in found.iter().rev() {
        bare.replace_range(range.clone(), "");
    }
    (bare.trim().to_owned(), !found.is_empty())
}

pub fn file(info: &CommandInfo, rest: &str) -> Result<PathBuf, Diagnostic> {
    match bare(rest) {
        "" => Err(misused(info, "which file?")),
        path => Ok(PathBuf::from(path)),
    }
}

/// Without the quotes around it.
pub fn bare(text: &str) -> &str {
    text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text)
}

pub fn count(info: &CommandInfo, rest: &str) -> Result<usize, Diagnostic> {
    match rest.parse() {
        _ if rest.is_empty() => Ok(1),
        Ok(0) | Err(_) => Err(misused(info, format!("`{rest}` is no number from 1"))),
        Ok(n) => Ok(n),
    }
}

/// Help on how addresses are written.
pub const ADDRESS_HELP: &str = "an address is a step such as `1`, steps such as `1..3`, a stage such as `hoist#2` or \
    `fastGradient/hoist`, a rule such as `sumOneHot`, a tag such as `@fused`, a mark such as `%sum`, a path such as `.body.0`, or a pattern in backticks";

/// The error for a text that is no address.
pub fn no_address(text: &str) -> Diagnostic {
    Diagnostic::error(code::COMMAND, format!("`{text}` is no address")).help(ADDRESS_HELP)
}

pub fn address(info: &CommandInfo, text: &str) -> Result<Address, Diagnostic> {
    Address::parse(text).ok_or_else(|| match (text.is_empty(), addresses(text)) {
        (true, _) => misused(info, "which address?").help(ADDRESS_HELP),
        (false, Some(all)) if all.len() > 1 => {
            let each = listed(all.iter().map(|one| format!("`:{} {one}`", info.name)));
            Diagnostic::error(
                code::COMMAND,
                format!("`:{}` takes one address, and here stand {}", info.name, all.len()),
            )
            .help(format!("ask for one after the other: {each}"))
        }
        (false, _) => no_address(text),
    })
}

/// At least one address, as [`addresses`] lists them.
pub fn some_addresses(info: &CommandInfo, text: &str) -> Result<Vec<Address>, Diagnostic> {
    match addresses(text) {
        Some(all) if !all.is_empty() => Ok(all),
        _ => Ok(vec![address(info, text)?]),
    }
}

/// The addresses that a text lists; numbers may have commas between them.
pub fn addresses(text: &str) -> Option<Vec<Address>> {
    let is_number = |part: &&str| matches!(Address::parse(part), Some(Address::Step(_) | Address::Steps(..)));
    let words = Address::split(text).into_iter().flat_map(|word| {
        let parts: Vec<&str> = word.split(',').filter(|part| !part.is_empty()).collect();
        if parts.iter().all(is_number) { parts } else { vec![word] }
    });
    words.map(Address::parse).collect()
}

pub fn tag(info: &CommandInfo, text: &str) -> Result<String, Diagnostic> {
    named(info, text.strip_prefix('@').unwrap_or(text), "a tag")
}

pub fn mark(info: &CommandInfo, text: &str) -> Result<String, Diagnostic> {
    named(info, text.strip_prefix('%').unwrap_or(text), "a mark")
}

fn named(info: &CommandInfo, name: &str, what: &str) -> Result<String, Diagnostic> {
    let word = !name.is_empty() && name.chars().all(|c| in_word(c) || c == '-');
    match word && !name.starts_with(|c: char| c.is_ascii_digit()) {
        true => Ok(name.to_owned()),
        false if name.is_empty() => Err(misused(info, "which name?")),
        false => Err(misused(info, format!("`{name}` is no name"))
            .help(format!("{what} begins with a letter; letters, digits, `_` and `-` follow"))),
    }
}
