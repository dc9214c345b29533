//! Defines the commands that step through a derivation and look at it, and parses their arguments.

use super::UntilCondition;
use crate::arguments::{CommandInfo, address, count, mark, misused, some_addresses, tag};
use redexter_language::ground::Diagnostic;
use redexter_rewriting::derivation::Address;

/// A command about a derivation that asks for no strategy.
#[derive(Clone, Debug, PartialEq)]
pub enum WalkCommand {
    /// So many of the pending rewrites.
    Step(usize),
    /// All of the pending rewrites.
    Continue,
    /// So many times the next rewrite, or the stage that it begins.
    Next(usize),
    /// The rest of the innermost stage of the last rewrite.
    Finish,
    /// Pending rewrites until something holds.
    Until(UntilCondition),
    /// Sets a breakpoint, or lists them.
    Break(Option<Address>),
    /// Removes a breakpoint by its number, or all.
    Unbreak(Option<usize>),
    /// Drops the pending rewrites.
    Stop,
    /// Takes one of the rewrites that were listed last, by its number.
    Take(usize),
    /// Takes back so many changes.
    Undo(usize),
    /// Does again what was taken back.
    Redo(usize),
    /// The derivation of the current term, or a part of it.
    Trace(Vec<Address>),
    /// Makes another term of the derivation the current one.
    GoTo(Address),
    /// Every term that was current.
    Log,
    /// Gives the current term a name.
    Tag(String),
    /// The work over the steps of the derivation, or of a part of it.
    Plot(Option<Address>),
    /// How two terms differ; the current one is the second where none is named.
    Diff(Address, Option<Address>),
    /// Puts the focus on a subterm.
    At(Address),
    /// Lists places, or goes to one.
    Find(FindTarget),
    /// So many terms outwards.
    Up(usize),
    /// To a child, by its name or number, or to the first.
    Down(Option<String>),
    /// To the child before.
    Left,
    /// To the child behind.
    Right,
    /// To the whole term.
    Top,
    /// Gives the subterm in focus a name, or lists names.
    Mark(Option<String>),
}

/// The argument of `:find`.
#[derive(Clone, Debug, PartialEq)]
pub enum FindTarget {
    /// The places where a pattern matches, here without its backticks.
    Pattern(String),
    /// The place with this number among those that were found last.
    Nth(usize),
    /// The places that were found last, again.
    Again,
}

impl WalkCommand {
    /// Reads what follows the name of such a command.
    pub(crate) fn parse(info: &CommandInfo, rest: &str) -> Result<WalkCommand, Diagnostic> {
        let some = (!rest.is_empty()).then_some(rest);
        Ok(match info.name {
            "continue" => WalkCommand::Continue,
            "next" => WalkCommand::Next(count(info, rest)?),
            "finish" => WalkCommand::Finish,
            "until" => WalkCommand::Until(UntilCondition::parse(info, rest)?),
            "break" => WalkCommand::Break(some.map(|text| address(info, text)).transpose()?),
            "unbreak" => WalkCommand::Unbreak(some.map(|text| count(info, text)).transpose()?),
            "stop" => WalkCommand::Stop,
            "take" if rest.is_empty() => return Err(misused(info, "which one?")),
            "take" => WalkCommand::Take(count(info, rest)?),
            "undo" => WalkCommand::Undo(count(info, rest)?),
            "redo" => WalkCommand::Redo(count(info, rest)?),
            "trace" => WalkCommand::Trace(some.map_or(Ok(Vec::new()), |text| some_addresses(info, text))?),
            "plot" => WalkCommand::Plot(some.map(|text| address(info, text)).transpose()?),
            "goto" => WalkCommand::GoTo(address(info, rest)?),
            "log" => WalkCommand::Log,
            "at" => WalkCommand::At(address(info, rest)?),
            "find" => WalkCommand::Find(find(info, rest)?),
            "up" => WalkCommand::Up(count(info, rest)?),
            "down" => WalkCommand::Down(some.map(|child| child.trim_start_matches('.').to_owned())),
            "left" => WalkCommand::Left,
            "right" => WalkCommand::Right,
            "top" => WalkCommand::Top,
            "mark" => WalkCommand::Mark(some.map(|text| mark(info, text)).transpose()?),
            "tag" => WalkCommand::Tag(tag(info, rest)?),
            _ => match Address::split(rest)[..] {
                [from] => WalkCommand::Diff(address(info, from)?, None),
                [from, to] => WalkCommand::Diff(address(info, from)?, Some(address(info, to)?)),
                _ => return Err(misused(info, "one or two addresses are needed")),
            },
        })
    }
}

fn find(info: &CommandInfo, text: &str) -> Result<FindTarget, Diagnostic> {
    match Address::parse(text) {
        None if text.is_empty() => Ok(FindTarget::Again),
        Some(Address::Pattern(pattern)) => Ok(FindTarget::Pattern(pattern)),
        Some(Address::Step(number)) if number > 0 => Ok(FindTarget::Nth(number)),
        _ => Err(misused(info, format!("`{text}` is no pattern in backticks and no place's number"))),
    }
}
