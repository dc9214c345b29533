//! Says why a rule doesn't apply: now, at a place, or at an earlier term.

use super::arguments::{AskedQuestion, QuestionArguments, maybe_address};
use super::why::{case, is_step, several, stage_with_steps, told, ways_text};
use crate::arguments::{CommandInfo, misused};
use crate::walk::{WalkResult, family, known, no_tag, place_at};
use redexter_language::ground::{Diagnostic, code};
use redexter_rewriting::derivation::Address;
use redexter_rewriting::redex::families;
use redexter_rewriting::why::{self, Schedule, WhyAnswer};

pub(super) fn read(info: &CommandInfo, rest: &str) -> Result<QuestionArguments, Diagnostic> {
    let (rule, at) = match Address::split(rest)[..] {
        [rule] => (rule, ""),
        [rule, at] => (rule, at),
        [] => return Err(misused(info, "which rule?")),
        _ => return Err(misused(info, "one rule and one address are asked for")),
    };
    Ok(why_not(rule, maybe_address(info, at)?))
}

/// Why a rule doesn't apply, everywhere or where an address says.
pub fn why_not(rule: &str, address: Option<Address>) -> QuestionArguments {
    let rules = vec![rule.to_owned()];
    QuestionArguments { rules, by_allowed_rules: true, ..QuestionArguments::of_address(address) }
}

pub(super) fn answer(AskedQuestion { arguments, walk, owner, .. }: AskedQuestion) -> WalkResult {
    let (walk, written) = (&*walk, arguments.rules[0].as_str());
    let rules = owner.rules();
    let (known, all, budget) = (known(walk)?, families(&rules), owner.budget());
    let case = case(&known, walk, &all, &budget)?;
    let is_stage = || known.runs.iter().any(|run| Schedule::of(&run.strategy).has_stage(written));
    let family = family(written, owner).map_err(|wrong| if is_stage() { no_rule_but(written) } else { wrong })?;
    let answer = match &arguments.address {
        None => {
            let focus = walk.history().focus();
            why::why_not(&case, written, &family, (!focus.0.is_empty()).then_some(&focus))
        }
        Some(Address::Step(number)) => {
            is_step(walk, &case, *number)?;
            why::why_not_step(&case, written, &family, *number)
        }
        Some(Address::Stage(ways)) => {
            let (run, part, pieces) = stage_with_steps(walk, &case, ways)?;
            why::why_not_stage(&case, written, &family, run, (&ways_text(ways), part, pieces))
        }
        Some(Address::Tag(tag)) => {
            let tagged = walk.history().tagged(tag).ok_or_else(|| no_tag(walk.history(), tag))?;
            why::why_not_tagged(&case, written, &family, tag, &tagged.program)
        }
        Some(address @ Address::Steps(..)) => return Err(several(address).into()),
        Some(address) => why::why_not(&case, written, &family, place_at(walk, address, owner)?.as_ref()),
    };
    Ok(told(WhyAnswer::Not(answer)))
}

/// The error for a strategy that is asked about as if it were a rule.
pub fn no_rule_but(strategy: &str) -> Diagnostic {
    let wrong = Diagnostic::error(code::COMMAND, format!("`{strategy}` is a strategy, and no rule"));
    let is_name = strategy.chars().all(|c| c.is_alphanumeric() || "_./#".contains(c));
    wrong.help(match is_name {
        true => format!(
            "after it ran, `:why {strategy}` says what it did, and `:why-not RULE {strategy}` why a rule took no step in it"
        ),
        false => "write one rule, such as `:why-not beta`; of a strategy that has a name and ran, `:why NAME` says what \
                  it did"
            .to_owned(),
    })
}
