//! The theme: what each kind of text looks like.

use colored::{ColoredString, Colorize};

use crate::syntax::Role;

/// Kinds of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// Plain text.
    Plain,
    /// A piece of a term.
    Role(Role),
    /// The subterm that a step rewrites.
    Redex,
    /// What it becomes.
    Contractum,
    /// The name of a rule.
    Rule,
    /// What stands beside the matter: laws, paths, line numbers.
    Aside,
    /// A headline.
    Strong,
    /// What is wrong.
    Error,
    /// What is odd, and limits.
    Warning,
    /// What explains or helps.
    Note,
}

/// The text in its look. The caller alone decides on colour: what `colored` makes of the environment is overridden.
pub(super) fn paint(look: Look, text: &str, colour: bool) -> String {
    if !colour || text.trim().is_empty() {
        return text.to_owned();
    }
    colored::control::set_override(true);
    styled(look, text).to_string()
}

fn styled(look: Look, text: &str) -> ColoredString {
    match look {
        Look::Role(Role::Keyword) => text.blue(),
        Look::Role(Role::Binder) => text.bold(),
        Look::Role(Role::Number) => text.cyan(),
        Look::Role(Role::Primitive) => text.magenta(),
        Look::Role(Role::Size | Role::Type) => text.yellow(),
        Look::Plain | Look::Role(Role::Variable | Role::Operator | Role::Plain) => text.normal(),
        Look::Redex => text.red().bold().underline(),
        Look::Contractum => text.green().bold(),
        Look::Rule => text.yellow().bold(),
        Look::Aside => text.dimmed(),
        Look::Strong => text.bold(),
        Look::Error => text.red().bold(),
        Look::Warning => text.yellow().bold(),
        Look::Note => text.cyan(),
    }
}
