//! Defines the commands that step through a derivation and look at it, and parses their arguments.

use super::arguments::{address, count, mark, misused, tag};
use super::{CommandInfo, Condition};
use redexter_language::ground::Diagnostic;
use redexter_rewriting::derivation::Address;

/// A command about a derivation that asks for no strategy.
#[derive(Clone, Debug, PartialEq)]
pub enum Walking {
    /// So many of the pending rewrites.
    Step(usize),
    /// All of the pending rewrites.
    Continue,
    /// So many times the next rewrite, or the stage that it begins.
    Next(usize),
    /// The rest of the innermost stage of the last rewrite.
    Finish,
    /// Pending rewrites until something holds.
    Until(Condition),
    /// Sets a breakpoint, or lists them.
    Break(Option<Address>),
    /// Removes a breakpoint by its number, or all.
    Unbreak(Option<usize>),
    /// Drops the pending rewrites.
    Stop,
    /// Takes back so many changes.
    Undo(usize),
    /// Does again what was taken back.
    Redo(usize),
    /// The derivation of the current term, or a part of it.
    Trace(Option<Address>),
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
    Find(Find),
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
pub enum Find {
    /// The places where a pattern matches, here without its backticks.
    Pattern(String),
    /// The place with this number among those that were found last.
    Nth(usize),
    /// The places that were found last, again.
    Again,
}

impl Walking {
    /// Reads what follows the name of such a command.
    pub(super) fn parse(info: &CommandInfo, rest: &str) -> Result<Walking, Diagnostic> {
        let some = (!rest.is_empty()).then_some(rest);
        Ok(match info.name {
            "continue" => Walking::Continue,
            "next" => Walking::Next(count(info, rest)?),
            "finish" => Walking::Finish,
            "until" => Walking::Until(Condition::parse(info, rest)?),
            "break" => Walking::Break(some.map(|text| address(info, text)).transpose()?),
            "unbreak" => Walking::Unbreak(some.map(|text| count(info, text)).transpose()?),
            "stop" => Walking::Stop,
            "undo" => Walking::Undo(count(info, rest)?),
            "redo" => Walking::Redo(count(info, rest)?),
            "trace" => Walking::Trace(some.map(|text| address(info, text)).transpose()?),
            "plot" => Walking::Plot(some.map(|text| address(info, text)).transpose()?),
            "goto" => Walking::GoTo(address(info, rest)?),
            "log" => Walking::Log,
            "at" => Walking::At(address(info, rest)?),
            "find" => Walking::Find(find(info, rest)?),
            "up" => Walking::Up(count(info, rest)?),
            "down" => Walking::Down(some.map(|child| child.trim_start_matches('.').to_owned())),
            "left" => Walking::Left,
            "right" => Walking::Right,
            "top" => Walking::Top,
            "mark" => Walking::Mark(some.map(|text| mark(info, text)).transpose()?),
            "tag" => Walking::Tag(tag(info, rest)?),
            _ => match Address::split(rest)[..] {
                [from] => Walking::Diff(address(info, from)?, None),
                [from, to] => Walking::Diff(address(info, from)?, Some(address(info, to)?)),
                _ => return Err(misused(info, "one or two addresses are needed")),
            },
        })
    }
}

fn find(info: &CommandInfo, text: &str) -> Result<Find, Diagnostic> {
    match Address::parse(text) {
        None if text.is_empty() => Ok(Find::Again),
        Some(Address::Pattern(pattern)) => Ok(Find::Pattern(pattern)),
        Some(Address::Step(number)) if number > 0 => Ok(Find::Nth(number)),
        _ => Err(misused(info, format!("`{text}` is no pattern in backticks and no place's number"))),
    }
}
