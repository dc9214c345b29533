//! Validates steps: those that led to the current term, or a strategy's, are typed anew and compared. Nothing changes.

mod json;
mod text;

use std::rc::Rc;

use super::arguments::{AskedQuestion, QuestionArguments, QuestionMatter, maybe_strategy};
use super::runs::{failed, on_focus};
use crate::arguments::{CommandInfo, without_option};
use crate::walk::{Walk, WalkAnswer, WalkOwner, WalkResult};
use redexter_language::ground::Diagnostic;
use redexter_rewriting::compare::AttemptEnd;
use redexter_rewriting::precision::lost_digits;
use redexter_rewriting::strategy::Strategy;
use redexter_rewriting::validate::{Validation, validate};

pub(super) fn read(_: &CommandInfo, rest: &str) -> Result<QuestionArguments, Diagnostic> {
    let (rest, precisely) = without_option(rest, "--precision");
    let about = if rest.is_empty() { QuestionMatter::Steps } else { QuestionMatter::Term };
    Ok(QuestionArguments { about, precisely, ..QuestionArguments::of_strategies(maybe_strategy(&rest)) })
}

pub(super) fn answer(AskedQuestion { arguments, strategies, walk, owner }: AskedQuestion) -> WalkResult {
    verdict(walk, strategies.first(), arguments.precisely, owner)
}

/// The derivation of the current term, or that of a strategy on the subterm in focus, with the verdict on it.
pub fn validated(walk: &Walk, strategy: Option<&Strategy>, owner: &dyn WalkOwner) -> WalkResult {
    verdict(walk, strategy, false, owner)
}

/// The same, looked through for digits that are lost, where that is wanted and nothing else is wrong.
fn verdict(walk: &Walk, strategy: Option<&Strategy>, precisely: bool, owner: &dyn WalkOwner) -> WalkResult {
    let bounds = walk.current()?.bounds.clone();
    let trace = match strategy {
        None => {
            let derivation = walk.derivation()?;
            if derivation.steps().is_empty() {
                return Ok(WalkAnswer::NoTrace);
            }
            derivation.trace(0..derivation.steps().len())
        }
        Some(strategy) => {
            let start = walk.current()?.term.clone();
            let attempted = on_focus(walk, &[strategy], owner, |subject| {
                let attempt = subject.attempt(strategy, &start);
                Err(Box::new(match attempt.end {
                    AttemptEnd::Done(_) => return Ok(attempt.trace),
                    AttemptEnd::Failed(reason) => Ok(failed(strategy, &reason, subject)),
                    AttemptEnd::Endless(finding) => Err(finding.into()),
                    AttemptEnd::Stopped(reason) => Err(reason.into()),
                }))
            })?;
            match attempted {
                Ok(trace) => trace,
                Err(answer) => return *answer,
            }
        }
    };
    let mut found = validate(&trace, &bounds, true, &owner.budget());
    if precisely && found.is_valid() {
        found = found.with_precision(lost_digits(&trace, &bounds, &owner.budget()));
    }
    let trouble = found.trouble.clone();
    Ok(WalkAnswer::Finding(Rc::new(found), trouble))
}

presented!(Validation, "walk", text::validation, json::validation);
