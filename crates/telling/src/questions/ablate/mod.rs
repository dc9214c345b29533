//! Runs a strategy without each of its stages, or without each of its rules. Nothing changes.

mod json;
mod text;

use std::rc::Rc;

use super::arguments::{AskedQuestion, QuestionArguments, strategy};
use super::runs::{AfterSteps, compared, failed};
use crate::arguments::CommandInfo;
use crate::walk::{WalkAnswer, WalkResult};
use redexter_language::ground::{Diagnostic, code};
use redexter_rewriting::compare::{Ablation, AblationError, AblationParts, ablate};

pub(super) fn read(info: &CommandInfo, rest: &str) -> Result<QuestionArguments, Diagnostic> {
    let (rule_by_rule, rest) = match rest.split_once(' ') {
        Some(("rules", rest)) => (true, rest),
        Some(("rule", rest)) => {
            let meant = format!("did you mean `:ablate rules {}`?", rest.trim());
            return Err(Diagnostic::error(code::COMMAND, "`rule` is no strategy").help(meant));
        }
        _ => (false, rest),
    };
    Ok(QuestionArguments { rule_by_rule, ..QuestionArguments::of_strategies(vec![strategy(info, rest)?]) })
}

pub(super) fn answer(AskedQuestion { arguments, strategies, walk, owner }: AskedQuestion) -> WalkResult {
    let strategy = &strategies[0];
    let parts = if arguments.rule_by_rule { AblationParts::Rules } else { AblationParts::Stages };
    let (answer, on) = compared(walk, &[strategy], owner, |subject| {
        ablate(subject, strategy, parts).map_err(|end| {
            Box::new(match end {
                AblationError::NoStages => {
                    let headline = format!("`{strategy}` has no stages: it is no sequence of strategies");
                    let rules = format!("`:ablate rules {strategy}` leaves out each rule that fires in turn");
                    Err(Diagnostic::error(code::COMMAND, headline).help(rules).into())
                }
                AblationError::Failed(reason) => Ok(failed(strategy, &reason, subject)),
                AblationError::Endless(finding) => Err(finding.into()),
                AblationError::Stopped(trouble) => Err(trouble),
            })
        })
    })?;
    match answer {
        Ok(found) => {
            let trouble = found.stopped.clone();
            Ok(WalkAnswer::Finding(Rc::new(AfterSteps { found, on }), trouble))
        }
        Err(instead) => *instead,
    }
}

presented!(AfterSteps<Ablation>, "walk", text::ablation, json::ablation);
