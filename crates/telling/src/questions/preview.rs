//! Previews a strategy: how it would end on the subterm in focus, with which term and at which work. Nothing changes.

use std::rc::Rc;

use serde_json::{Value, json};

use super::arguments::{AskedQuestion, QuestionArguments, strategy};
use crate::arguments::CommandInfo;
use crate::render::{MAX_READABLE_NODES, beginning, brief, change, rules, stopped_json};
use crate::styled::{Look, MAX_WORK_CHARS, PageLayout, Styled};
use crate::walk::{QuestionFinding, WalkAnswer, WalkResult};
use redexter_language::ground::Diagnostic;
use redexter_language::ground::text::counted;
use redexter_language::syntax::{PrintStyle, print_term};
use redexter_language::term::Term;
use redexter_rewriting::choice::{Preview, PreviewEnd, preview};
use redexter_rewriting::strategy::{self};

pub(super) fn read(info: &CommandInfo, rest: &str) -> Result<QuestionArguments, Diagnostic> {
    Ok(QuestionArguments::of_strategies(vec![strategy(info, rest)?]))
}

pub(super) fn answer(AskedQuestion { strategies, walk, owner, .. }: AskedQuestion) -> WalkResult {
    let (strategy, now) = (walk.at_focus(&strategies[0])?, walk.current()?);
    let found = preview(&strategy, now, &owner.budget())?;
    strategy::lint(&strategy, Some(now)).iter().for_each(|finding| owner.warn(finding));
    let trouble = match &found.end {
        PreviewEnd::Stopped(trouble) => Some(trouble.clone()),
        _ => None,
    };
    Ok(WalkAnswer::Finding(Rc::new(found), trouble))
}

impl QuestionFinding for Preview {
    fn text(&self, page: PageLayout) -> Styled {
        let steps = counted(self.trace.steps.len(), "step");
        let head = match &self.end {
            PreviewEnd::Failed { reason, remedy } => {
                let head = Styled::from("it would ").and(Look::Warning, "fail");
                return head.then(format!(": {reason}\n")).and(Look::Aside, remedy).then("\n");
            }
            PreviewEnd::Done if self.trace.steps.is_empty() => return Styled::aside("there is nothing to rewrite\n"),
            PreviewEnd::Done => Styled::aside(&format!("it would be done after {steps}")),
            PreviewEnd::Stopped(_) => Styled::aside(&format!("a limit would end it after {steps}")),
            PreviewEnd::Looping(finding) => {
                let help: String = finding.help.iter().map(|line| format!("{line}\n")).collect();
                let head = Styled::from("it would go on for ever: ").and(Look::Warning, &finding.headline);
                head.then("\n").and(Look::Aside, &help).and(Look::Aside, &format!("it got so far in {steps}"))
            }
        };
        let work = match change(&self.work.0, &self.work.1) {
            Some(change) => Styled::aside("; work ").then(change),
            None => Styled::aside(&format!("; the same work, {}", brief(&self.work.0, MAX_WORK_CHARS))),
        };
        head.then(work).then("\n").then(rules(&self.rules)).then(beginning(&self.after.term, page)).then("\n")
    }

    fn json(&self) -> Value {
        let (end, reason) = match &self.end {
            PreviewEnd::Done => ("done", None),
            PreviewEnd::Failed { reason, .. } => ("failed", Some(reason.clone())),
            PreviewEnd::Looping(finding) => ("endless", Some(finding.headline.clone())),
            PreviewEnd::Stopped(limit) => ("stopped", stopped_json(Some(limit)).as_str().map(str::to_owned)),
        };
        json!({
            "strategy": self.strategy,
            "end": end,
            "reason": reason,
            "steps": self.trace.steps.len(),
            "rules": self.rules.iter().map(|(rule, count)| json!([rule, count])).collect::<Vec<Value>>(),
            "work": { "before": self.work.0.to_string(), "after": self.work.1.to_string() },
            "nodes": self.after.term.size(),
            "term": printed(&self.after.term),
        })
    }
}

/// A term on one line, unless it is too long to be read.
fn printed(term: &Term) -> Option<String> {
    (term.size() <= MAX_READABLE_NODES).then(|| print_term(term, &PrintStyle { width: usize::MAX }))
}
