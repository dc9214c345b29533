//! Explores the terms that rules reach, step by step.

mod json;
mod text;

use std::path::PathBuf;
use std::rc::Rc;

use serde_json::Value;

use super::arguments::{AskedQuestion, QuestionArguments, maybe_strategy, number};
use crate::arguments::{CommandInfo, file, misused};
use crate::styled::{PageLayout, Styled};
use crate::walk::{QuestionFinding, WalkAnswer, WalkResult};
use redexter_language::draw::Diagram;
use redexter_language::ground::{Diagnostic, code};
use redexter_rewriting::choice::{RewriteGraph, graph};
use redexter_rewriting::derivation::Address;
use redexter_rewriting::redex::{Finder, RuleFamily, families};
use redexter_rewriting::strategy::rules_in;

/// The most terms of a graph.
const MAX_TERMS: usize = 200;

/// Endings of other drawings. No name in a strategy has one of these behind a dot, so that such a word was meant as a file.
const OTHER_EXTENSIONS: [&str; 8] = ["png", "pdf", "jpg", "jpeg", "gif", "eps", "gv", "html"];

pub(super) fn read(info: &CommandInfo, rest: &str) -> Result<QuestionArguments, Diagnostic> {
    let (number, rest) = number(info, rest)?;
    let (rest, file) = drawn_in(info, rest)?;
    Ok(QuestionArguments { number, file, ..QuestionArguments::of_strategies(maybe_strategy(rest)) })
}

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

/// The terms reached by the rules of a strategy, or by those that took steps in the derivation, or else by all.
pub(super) fn answer(AskedQuestion { arguments, strategies, walk, owner }: AskedQuestion) -> WalkResult {
    let strategy = strategies.first();
    let rules = match strategy {
        Some(strategy) => rules_in(strategy),
        None => walk.told()?.0.fired(),
    };
    let families = match (rules.is_empty(), strategy) {
        (true, Some(strategy)) => {
            let none = Diagnostic::error(code::COMMAND, format!("`{strategy}` has no rules"));
            return Err(none.help("a graph is of rules, such as `:graph 2 getBuild <+ beta`").into());
        }
        (true, None) => families(&owner.rules()),
        (false, _) => rules.iter().map(RuleFamily::from).collect(),
    };
    let (within, mut finder) = (walk.history().focus(), Finder::new(families));
    let size = (arguments.number.unwrap_or(1), MAX_TERMS);
    let found = graph(walk.current()?, &within, size, &mut finder, &owner.budget());
    let trouble = found.stopped.clone();
    Ok(WalkAnswer::Finding(Rc::new(found), trouble))
}

impl QuestionFinding for RewriteGraph {
    fn text(&self, _: PageLayout) -> Styled {
        text::graph(self)
    }

    fn json(&self) -> Value {
        json::graph(self)
    }

    fn drawing(&self) -> Option<Diagram> {
        Some(text::drawing(self))
    }
}
