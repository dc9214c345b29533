//! Takes one of the rewrites that were listed last.

use super::answer::WalkAnswer;
use super::control::StepGoal;
use super::owner::WalkOwner;
use super::state::Walk;
use super::take::begin;
use redexter_language::ground::{Diagnostic, Trouble, code};
use redexter_rewriting::strategy::Strategy;

/// Takes the rewrite with this number in the last list.
pub fn take_possible(walk: &mut Walk, number: usize, owner: &dyn WalkOwner) -> Result<WalkAnswer, Trouble> {
    let now = &walk.current()?.term;
    let wrong = |text: String| Diagnostic::error(code::COMMAND, text);
    let Some(found) = walk.possible.clone() else {
        let none = wrong("nothing was listed yet".to_owned());
        return Err(none.help("`:possible` lists the rewrites that are possible, with their numbers").into());
    };
    if found.program.term != *now {
        let other = wrong("the last list is of another term than the current one".to_owned());
        return Err(other.help("`:possible` lists what is possible now").into());
    }
    let Some(choice) = number.checked_sub(1).and_then(|k| found.choices.get(k)) else {
        let none = wrong(format!("the last list has no number {number}"));
        return Err(none
            .help(match found.choices.len() {
                0 => "nothing is possible there".to_owned(),
                1 => "its only number is 1".to_owned(),
                count => format!("its numbers are 1..{count}"),
            })
            .into());
    };
    let rule = Strategy::rule(&choice.redex.rule);
    let strategy = match choice.redex.path.display(now) {
        root if root.is_empty() => rule,
        path => rule.at(&path),
    };
    begin(walk, &strategy, StepGoal::All, owner)
}
