//! Defines what a question is asked with, and reads what follows its name.

use std::path::PathBuf;

use crate::arguments::{CommandInfo, address, count, misused};
use crate::walk::{Walk, WalkOwner};
use redexter_language::ground::Diagnostic;
use redexter_rewriting::derivation::Address;
use redexter_rewriting::strategy::Strategy;

/// A question that is put to a walk.
pub struct AskedQuestion<'a> {
    /// Its arguments.
    pub arguments: &'a QuestionArguments,
    /// The values of the strategies among these.
    pub strategies: &'a [Strategy],
    /// The walk.
    pub walk: &'a mut Walk,
    /// What the walk needs.
    pub owner: &'a dyn WalkOwner,
}

/// The arguments of a question. Strategies are texts here: who reads them gives their values with the question, in this order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QuestionArguments {
    /// What it asks about.
    pub about: QuestionMatter,
    /// An address.
    pub address: Option<Address>,
    /// The file into which what is asked for is to be drawn.
    pub file: Option<PathBuf>,
    /// Values for the parameters, as a JSON object.
    pub inputs: Option<String>,
    /// In a lesson only the rules count that may be used there.
    pub by_allowed_rules: bool,
    /// Whether to look for lost digits, too.
    pub precisely: bool,
    /// So many steps, terms or orders.
    pub number: Option<usize>,
    /// A strategy is taken apart into its rules, not into its stages.
    pub rule_by_rule: bool,
    /// Rules, as they are written.
    pub rules: Vec<String>,
    /// Strategies, as they are written.
    pub strategies: Vec<String>,
}

/// What a question is about, so that without it there is no answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QuestionMatter {
    /// Rules alone; of these one may always ask.
    Rules,
    /// Steps that were taken.
    Steps,
    /// The current term.
    #[default]
    Term,
}

impl QuestionMatter {
    /// What an address means.
    pub(super) fn of(address: Option<&Address>) -> QuestionMatter {
        match address {
            Some(Address::Step(_) | Address::Steps(..) | Address::Stage(_)) => QuestionMatter::Steps,
            _ => QuestionMatter::Term,
        }
    }
}

impl QuestionArguments {
    /// An address, where there is one, and nothing else.
    pub(super) fn of_address(address: Option<Address>) -> QuestionArguments {
        QuestionArguments { about: QuestionMatter::of(address.as_ref()), address, ..QuestionArguments::default() }
    }

    /// Strategies, and nothing else.
    pub(super) fn of_strategies(strategies: Vec<String>) -> QuestionArguments {
        QuestionArguments { strategies, ..QuestionArguments::default() }
    }
}

/// An address, unless there is no text.
pub(super) fn maybe_address(info: &CommandInfo, rest: &str) -> Result<Option<Address>, Diagnostic> {
    (!rest.is_empty()).then(|| address(info, rest)).transpose()
}

pub(super) fn strategy(info: &CommandInfo, text: &str) -> Result<String, Diagnostic> {
    match text.trim() {
        "" => Err(misused(info, "which strategy?")),
        text => Ok(text.to_owned()),
    }
}

/// A strategy, unless there is no text.
pub(super) fn maybe_strategy(text: &str) -> Vec<String> {
    (!text.is_empty()).then(|| text.to_owned()).into_iter().collect()
}

/// A number in front.
pub(super) fn number<'a>(info: &CommandInfo, rest: &'a str) -> Result<(Option<usize>, &'a str), Diagnostic> {
    let first = rest.split_whitespace().next().unwrap_or("");
    if !first.starts_with(|c: char| c.is_ascii_digit()) {
        return Ok((None, rest));
    }
    Ok((Some(count(info, first)?), rest[first.len()..].trim_start()))
}
