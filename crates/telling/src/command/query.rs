//! Defines the commands that ask questions (`possible`, `why`, `compare`, `search` and the like), and parses their arguments.

use std::path::{Path, PathBuf};

use super::CommandInfo;
use super::arguments::{address, count, file, misused};
use redexter_language::ground::{Diagnostic, code};
use redexter_language::syntax::alternatives;
use redexter_rewriting::derivation::Address;

/// A question about the current term and its derivation. Strategies are texts here: who reads them, gives their values
/// with the question, in the order of [`QueryCommand::strategies`].
#[derive(Clone, Debug, PartialEq)]
pub enum QueryCommand {
    /// The rules that apply now, everywhere or at a place and below it; or that applied at an earlier term.
    Possible(Option<Address>),
    /// Takes one of those that were listed last, by its number.
    Take(usize),
    /// A preview of a strategy: the term that it would come to.
    Preview(String),
    /// The terms reached within so many steps by a strategy's rules, or by those that fired; into a file if one is named.
    Graph { steps: usize, strategy: Option<String>, file: Option<PathBuf> },
    /// Why there is a step, why a stage did nothing, where work comes from.
    Why(Address),
    /// Why a rule doesn't apply.
    WhyNot { rule: String, address: Option<Address> },
    /// Two strategies side by side.
    Compare(String, String),
    /// A strategy without each of its stages, or without each of its rules.
    Ablate { rules: bool, strategy: String },
    /// Strategies in every order, or in the first so many.
    Orders { most: Option<usize>, strategies: Vec<String> },
    /// Each step of the derivation of the current term, or of a strategy's, typed anew and compared.
    Validate(Option<String>),
    /// Pairs of rules; of those that fired where none are named.
    Interact(Vec<String>),
    /// The cheapest term that a strategy's rules reach, or those that fired, within so many terms.
    Search { most: Option<usize>, strategy: Option<String> },
}

impl QueryCommand {
    /// The strategies that it speaks of.
    pub fn strategies(&self) -> Vec<&str> {
        match self {
            QueryCommand::Possible(_)
            | QueryCommand::Take(_)
            | QueryCommand::Why(_)
            | QueryCommand::WhyNot { .. }
            | QueryCommand::Interact(_) => Vec::new(),
            QueryCommand::Preview(strategy) | QueryCommand::Ablate { strategy, .. } => vec![strategy],
            QueryCommand::Compare(first, second) => vec![first, second],
            QueryCommand::Orders { strategies, .. } => strategies.iter().map(String::as_str).collect(),
            QueryCommand::Graph { strategy, .. }
            | QueryCommand::Search { strategy, .. }
            | QueryCommand::Validate(strategy) => strategy.as_deref().into_iter().collect(),
        }
    }

    /// The file into which what is asked for is to be drawn.
    pub fn file(&self) -> Option<&Path> {
        match self {
            QueryCommand::Graph { file, .. } => file.as_deref(),
            _ => None,
        }
    }

    /// Whether there has to be a current term; of rules that are named one may always ask.
    pub fn is_about_a_term(&self) -> bool {
        !matches!(self, QueryCommand::Interact(rules) if !rules.is_empty())
    }

    /// Whether it asks about steps that were taken, so that without any it can't be answered.
    pub fn is_about_steps(&self) -> bool {
        let address = match self {
            QueryCommand::Possible(address) | QueryCommand::WhyNot { address, .. } => address.as_ref(),
            QueryCommand::Why(address) => Some(address),
            QueryCommand::Interact(rules) => return rules.is_empty(),
            QueryCommand::Validate(strategy) => return strategy.is_none(),
            _ => None,
        };
        matches!(address, Some(Address::Step(_) | Address::Steps(..) | Address::Stage(_)))
    }

    /// Whether a command with this name asks.
    pub(super) fn has(name: &str) -> bool {
        matches!(
            name,
            "possible"
                | "take"
                | "preview"
                | "graph"
                | "why"
                | "why-not"
                | "compare"
                | "ablate"
                | "orders"
                | "interact"
                | "search"
                | "validate"
        )
    }

    /// Reads what follows the name of such a command.
    pub(super) fn parse(info: &CommandInfo, rest: &str) -> Result<QueryCommand, Diagnostic> {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Ok(match info.name {
            "possible" => QueryCommand::Possible(some(rest).map(|text| address(info, &text)).transpose()?),
            "take" => match rest {
                "" => return Err(misused(info, "which one?")),
                _ => QueryCommand::Take(count(info, rest)?),
            },
            "preview" => QueryCommand::Preview(strategy(info, rest)?),
            "graph" => {
                let (steps, rest) = number(info, rest)?;
                let (rest, file) = drawn_in(info, rest)?;
                QueryCommand::Graph { steps: steps.unwrap_or(1), strategy: some(rest), file }
            }
            "why" => QueryCommand::Why(address(info, rest)?),
            "why-not" => match Address::split(rest)[..] {
                [rule] => QueryCommand::WhyNot { rule: rule.to_owned(), address: None },
                [rule, at] => QueryCommand::WhyNot { rule: rule.to_owned(), address: Some(address(info, at)?) },
                [] => return Err(misused(info, "which rule?")),
                _ => return Err(misused(info, "one rule and one address are asked for")),
            },
            "compare" => match &alternatives(rest)[..] {
                [first, second] => QueryCommand::Compare(strategy(info, first)?, strategy(info, second)?),
                all => {
                    let wrong = misused(info, format!("two strategies are compared, not {}", all.len()));
                    return Err(match all.len() {
                        ..3 => wrong,
                        _ => wrong.help(format!("`:orders {}` runs them in every order", all.join(" | "))),
                    });
                }
            },
            "ablate" => match rest.split_once(' ') {
                Some(("rules", rest)) => QueryCommand::Ablate { rules: true, strategy: strategy(info, rest)? },
                Some(("rule", rest)) => {
                    let meant = format!("did you mean `:ablate rules {}`?", rest.trim());
                    return Err(Diagnostic::error(code::COMMAND, "`rule` is no strategy").help(meant));
                }
                _ => QueryCommand::Ablate { rules: false, strategy: strategy(info, rest)? },
            },
            "orders" => {
                let (most, rest) = number(info, rest)?;
                let strategies: Result<_, _> = alternatives(rest).iter().map(|text| strategy(info, text)).collect();
                QueryCommand::Orders { most, strategies: strategies? }
            }
            "validate" => QueryCommand::Validate(some(rest)),
            "interact" => QueryCommand::Interact(Address::split(rest).into_iter().map(str::to_owned).collect()),
            _ => {
                let (most, rest) = number(info, rest)?;
                QueryCommand::Search { most, strategy: some(rest) }
            }
        })
    }
}

fn strategy(info: &CommandInfo, text: &str) -> Result<String, Diagnostic> {
    match text.trim() {
        "" => Err(misused(info, "which strategy?")),
        text => Ok(text.to_owned()),
    }
}

/// A number in front.
fn number<'a>(info: &CommandInfo, rest: &'a str) -> Result<(Option<usize>, &'a str), Diagnostic> {
    let first = rest.split_whitespace().next().unwrap_or("");
    if !first.starts_with(|c: char| c.is_ascii_digit()) {
        return Ok((None, rest));
    }
    Ok((Some(count(info, first)?), rest[first.len()..].trim_start()))
}

/// Endings of other drawings. No name in a strategy has one of these behind a dot, so that such a word was meant as a file.
const OTHER_EXTENSIONS: [&str; 8] = ["png", "pdf", "jpg", "jpeg", "gif", "eps", "gv", "html"];

/// A file for a drawing at the end.
fn drawn_in<'a>(info: &CommandInfo, rest: &'a str) -> Result<(&'a str, Option<PathBuf>), Diagnostic> {
    let last = Address::split(rest).last().copied().unwrap_or("");
    let plain = last.trim_matches('"');
    if !plain.ends_with(".svg") && !plain.ends_with(".dot") {
        let other = plain.rsplit_once('.').is_some_and(|(_, ending)| OTHER_EXTENSIONS.contains(&ending));
        return match other {
            true => Err(misused(
                info,
                format!("`{plain}` can't be drawn: the file is an SVG, `.svg`, or for Graphviz, `.dot`"),
            )),
            false => Ok((rest, None)),
        };
    }
    let end = rest.rfind(last).unwrap_or(rest.len());
    Ok((rest[..end].trim_end(), Some(file(info, last)?)))
}
