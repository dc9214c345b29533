//! Parses the arguments of commands: files, counts, addresses, tags and marks.

use std::path::PathBuf;

use super::CommandInfo;
use redexter_language::ground::text::in_word;
use redexter_language::ground::{Diagnostic, code};
use redexter_rewriting::derivation::Address;

pub fn misused(info: &CommandInfo, headline: impl Into<String>) -> Diagnostic {
    Diagnostic::error(code::COMMAND, headline).help(match info.usage {
        "" => format!("write `:{}`", info.name),
        usage => format!("write `:{} {usage}`, for example `{}`", info.name, info.example),
    })
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
pub const ADDRESS_HELP: &str = "an address is a step such as `120`, steps such as `3..9`, a stage such as `hoist#2` or \
    `fastGradient/hoist`, a rule such as `sumOneHot`, a tag such as `@fused`, a mark such as `%sum`, a path such as `.body.0`, or a pattern in backticks";

/// The error for a text that is no address.
pub fn no_address(text: &str) -> Diagnostic {
    Diagnostic::error(code::COMMAND, format!("`{text}` is no address")).help(ADDRESS_HELP)
}

pub fn address(info: &CommandInfo, text: &str) -> Result<Address, Diagnostic> {
    Address::parse(text).ok_or_else(|| match text.is_empty() {
        true => misused(info, "which address?").help(ADDRESS_HELP),
        false => no_address(text),
    })
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
