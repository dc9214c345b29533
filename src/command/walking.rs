//! The commands about a derivation.

use super::CommandInfo;
use super::arguments::{address, count, misused, tag};
use crate::derivation::Address;
use crate::ground::Diagnostic;

/// A command about a derivation that asks for no strategy.
#[derive(Clone, Debug, PartialEq)]
pub enum Walking {
    /// So many of the pending rewrites.
    Step(usize),
    /// All of the pending rewrites.
    Continue,
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
}

impl Walking {
    /// Reads what follows the name of such a command.
    pub(super) fn parse(info: &CommandInfo, rest: &str) -> Result<Walking, Diagnostic> {
        let some = (!rest.is_empty()).then_some(rest);
        Ok(match info.name {
            "continue" => Walking::Continue,
            "stop" => Walking::Stop,
            "undo" => Walking::Undo(count(info, rest)?),
            "redo" => Walking::Redo(count(info, rest)?),
            "trace" => Walking::Trace(some.map(|text| address(info, text)).transpose()?),
            "plot" => Walking::Plot(some.map(|text| address(info, text)).transpose()?),
            "goto" => Walking::GoTo(address(info, rest)?),
            "log" => Walking::Log,
            "tag" => Walking::Tag(tag(info, rest)?),
            _ => match Address::split(rest)[..] {
                [from] => Walking::Diff(address(info, from)?, None),
                [from, to] => Walking::Diff(address(info, from)?, Some(address(info, to)?)),
                _ => return Err(misused(info, "one or two addresses are needed")),
            },
        })
    }
}
