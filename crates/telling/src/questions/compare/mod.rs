//! Compares two strategies on the subterm in focus, side by side. Nothing changes.

mod json;
mod text;

use std::rc::Rc;

use super::arguments::{AskedQuestion, QuestionArguments, strategy};
use super::runs::{AfterSteps, compared};
use crate::arguments::{CommandInfo, misused};
use crate::walk::{WalkAnswer, WalkResult};
use redexter_language::ground::Diagnostic;
use redexter_language::syntax::alternatives;
use redexter_rewriting::compare::{SideBySide, compare};

pub(super) fn read(info: &CommandInfo, rest: &str) -> Result<QuestionArguments, Diagnostic> {
    match &alternatives(rest)[..] {
        [first, second] => Ok(QuestionArguments::of_strategies(vec![strategy(info, first)?, strategy(info, second)?])),
        all => {
            let wrong = misused(info, format!("two strategies are compared, not {}", all.len()));
            Err(match all.len() {
                ..3 => wrong,
                _ => wrong.help(format!("`:orders {}` runs them in every order", all.join(" | "))),
            })
        }
    }
}

pub(super) fn answer(AskedQuestion { strategies, walk, owner, .. }: AskedQuestion) -> WalkResult {
    let [first, second] = [&strategies[0], &strategies[1]];
    let (found, on) = compared(walk, &[first, second], owner, |subject| compare(subject, [first, second]))?;
    let trouble = found.stopped.clone();
    Ok(WalkAnswer::Finding(Rc::new(AfterSteps { found, on }), trouble))
}

presented!(AfterSteps<SideBySide>, "compare", text::sides, json::sides);
