//! Compares two strategies on the subterm in focus, side by side. Nothing changes.

mod json;
mod text;

use std::rc::Rc;

use serde_json::Value;

use super::arguments::{AskedQuestion, QuestionArguments, strategy};
use super::runs::{AfterSteps, on_focus};
use crate::arguments::{CommandInfo, misused};
use crate::styled::{PageLayout, Styled};
use crate::walk::{QuestionFinding, WalkAnswer};
use redexter_language::ground::{Diagnostic, Trouble};
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

pub(super) fn answer(AskedQuestion { strategies, walk, owner, .. }: AskedQuestion) -> Result<WalkAnswer, Trouble> {
    let [first, second] = [&strategies[0], &strategies[1]];
    let found = on_focus(walk, &[first, second], owner, |subject| compare(subject, [first, second]))?;
    let trouble = found.stopped.clone();
    Ok(WalkAnswer::Finding(Rc::new(AfterSteps { found, taken: walk.history().taken() }), trouble))
}

impl QuestionFinding for AfterSteps<SideBySide> {
    fn text(&self, page: PageLayout) -> Styled {
        text::sides(self, page)
    }

    fn json(&self) -> Value {
        json::sides(&self.found)
    }

    fn kind(&self) -> &'static str {
        "compare"
    }
}
