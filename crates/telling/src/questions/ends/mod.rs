//! Finds whether the repetitions of a strategy go round, from the laws of its rules: of the one that is named, or of those that
//! ran.

mod json;
mod text;

use std::rc::Rc;

use super::arguments::{AskedQuestion, QuestionArguments, QuestionMatter, maybe_strategy};
use crate::arguments::CommandInfo;
use crate::walk::{Arrival, Walk, WalkAnswer, WalkResult};
use redexter_language::ground::{Diagnostic, Trouble, code};
use redexter_rewriting::ends::{EndingFinder, Endings, SearchBounds};
use redexter_rewriting::strategy::Strategy;

/// What was found of some strategies.
#[derive(Clone, Debug)]
pub struct StrategyEndings(pub Vec<Endings>);

impl StrategyEndings {
    /// What is found of one strategy after another, up to the one at which the budget ends it; and that reason.
    pub fn until_stopped(all: impl Iterator<Item = Endings>) -> (StrategyEndings, Option<Trouble>) {
        let (mut found, mut stopped) = (Vec::new(), None);
        for one in all {
            stopped = one.stopped.clone();
            found.push(one);
            if stopped.is_some() {
                break;
            }
        }
        (StrategyEndings(found), stopped.map(Trouble::from))
    }
}

presented!(StrategyEndings, "ends", text::endings, json::endings);

pub(super) fn read(_: &CommandInfo, rest: &str) -> Result<QuestionArguments, Diagnostic> {
    let strategies = maybe_strategy(rest.trim());
    let about = if strategies.is_empty() { QuestionMatter::Steps } else { QuestionMatter::Rules };
    Ok(QuestionArguments { about, ..QuestionArguments::of_strategies(strategies) })
}

pub(super) fn answer(AskedQuestion { strategies, walk, owner, .. }: AskedQuestion) -> WalkResult {
    let subjects = if strategies.is_empty() { ran(walk)? } else { strategies.to_vec() };
    let budget = owner.budget();
    let mut finder = EndingFinder::new(SearchBounds::default(), &budget);
    let all = subjects.iter().map(|strategy| finder.endings(strategy, &|rules| vec![true; rules.len()]));
    let (found, trouble) = StrategyEndings::until_stopped(all);
    Ok(WalkAnswer::Finding(Rc::new(found), trouble))
}

/// The strategies that ran, each once.
fn ran(walk: &Walk) -> Result<Vec<Strategy>, Trouble> {
    let mut all: Vec<Strategy> = Vec::new();
    for state in walk.history().derived() {
        let Arrival::Taken { strategy, first: true, .. } = &state.how else { continue };
        if !all.contains(strategy) {
            all.push(strategy.clone());
        }
    }
    if all.is_empty() {
        let wrong = Diagnostic::error(code::COMMAND, "no strategy ran yet, so there is none to look at");
        return Err(wrong.help("name one, as in `:ends normalize(distribute <+ factor)`, or run one first").into());
    }
    Ok(all)
}
